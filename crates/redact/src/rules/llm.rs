//! Model providers, agents, and what they search and measure with.

use super::{Rule, rule};
use crate::value::{mixed, mixed_case, no_words};

pub(super) const RULES: &[Rule] = &[
    rule(
        "anthropic-api-key",
        &["sk-ant-"],
        r"sk-ant-(?:[a-z]{2,8}\d{2}-)?[\w-]{16,}",
        &["sk-ant-api03-{u93}AA", "sk-ant-admin01-{u93}AA"],
        &["sk-ant-...", "risk-ant-{u20}"],
    ),
    rule(
        "anthropic-oauth-token",
        &["sk-ant-oat", "sk-ant-ort"],
        r"sk-ant-o[ar]t\d{2}-[\w-]{16,}",
        &["sk-ant-oat01-{u93}AA", "sk-ant-ort01-{u93}AA"],
        &["sk-ant-oat01"],
    ),
    // Before the next row: of two equal finds the first names the marker.
    rule("deepseek-api-key", &["sk-"], r"sk-[0-9a-f]{32}\b", &["sk-{h32}"], &["sk-{h8}"]).check(no_words),
    rule(
        "openai-api-key",
        &["sk-"],
        r"sk-(?:[a-z]{2,10}-)?[\w.-]{16,}",
        &["sk-{w20}T3BlbkFJ{w20}", "sk-proj-{u74}T3BlbkFJ{u74}", "sk-svcacct-{u58}T3BlbkFJ{u58}"],
        &["sk-...", "sk-learn-contrib-packages-list", "sk-proj-your-key-here-please", "risk-{w40}"],
    )
    .check(mixed),
    rule(
        "openrouter-api-key",
        &["sk-or-v1-"],
        r"sk-or-v1-[0-9a-f]{32,}",
        &["sk-or-v1-{h64}"],
        &["sk-or-v1-xxx"],
    ),
    rule(
        "langfuse-secret-key",
        &["sk-lf-"],
        r"sk-lf-[0-9a-f-]{32,}",
        &["sk-lf-{h8}-{h4}-{h4}-{h4}-{h12}"],
        &["sk-lf-"],
    ),
    rule("minimax-api-key", &["sk-api-"], r"sk-api-[\w-]{40,}", &["sk-api-{u119}"], &["sk-api-reference"]),
    rule(
        "alibaba-model-key",
        &["sk-sp-", "sk-ws-"],
        r"sk-(?:sp|ws)-[\w.-]{16,}",
        &["sk-sp-{w24}.{w24}"],
        &["sk-sp-x"],
    ),
    rule(
        "groq-api-key",
        &["gsk_"],
        r"gsk_[A-Za-z0-9]{40,}",
        &["gsk_{w52}"],
        &["gsk_abc123", "wordgsk_{w52}"],
    ),
    rule("xai-api-key", &["xai-"], r"xai-[\w-]{40,}", &["xai-{w80}"], &["xai-org/grok-prompts"]),
    rule("perplexity-api-key", &["pplx-"], r"pplx-[A-Za-z0-9]{32,}", &["pplx-{w48}"], &["pplx-70b-online"]),
    rule("huggingface-token", &["hf_"], r"hf_[A-Za-z]{30,}", &["hf_{l34}"], &["hf_hub_download", "hf_{a34}"])
        .check(mixed_case),
    rule(
        "huggingface-org-token",
        &["api_org_"],
        r"api_org_[A-Za-z]{30,}",
        &["api_org_{l34}"],
        &["api_org_inclusion_with_href"],
    )
    .check(mixed_case),
    rule("replicate-api-token", &["r8_"], r"r8_[A-Za-z0-9]{30,}", &["r8_{w37}"], &["r8_unorm"]),
    rule("together-api-key", &["tgp_v1_"], r"tgp_v1_[\w-]{36,}", &["tgp_v1_{u43}"], &["tgp_v1_"]),
    rule("nvidia-api-key", &["nvapi-"], r"nvapi-[\w-]{40,}", &["nvapi-{u64}"], &["nvapi-docs"]),
    rule("cerebras-api-key", &["csk-"], r"csk-[A-Za-z0-9]{40,}", &["csk-{a48}"], &["csk-1"]),
    rule("zhipu-api-key", &[], r"[0-9a-f]{32}\.[A-Za-z0-9]{12,}", &["{h32}.{w16}"], &["{h32}.js"]).run(),
    rule("gemini-api-key", &["AQ.Ab"], r"AQ\.Ab[\w-]{30,}", &["AQ.Ab8RN6{u44}"], &["AQ.Ab"]),
    rule(
        "langsmith-api-key",
        &["lsv2_"],
        r"lsv2_[a-z]{2}_[0-9a-f]{24,}(?:_\w+)?",
        &["lsv2_pt_{h32}_{h10}"],
        &["lsv2_pt_"],
    ),
    rule("wandb-api-key", &["wandb_v1_"], r"wandb_v1_\w{40,}", &["wandb_v1_{w77}"], &["wandb_v1_"]),
    rule("pinecone-api-key", &["pcsk_"], r"pcsk_\w{40,}", &["pcsk_{w6}_{w63}"], &["pcsk_abc"]),
    rule("elevenlabs-api-key", &["sk_"], r"sk_[0-9a-f]{40,}", &["sk_{h48}"], &["sk_buff_head_init"])
        .check(no_words),
    rule(
        "tavily-api-key",
        &["tvly-"],
        r"tvly-(?:[a-z]+-)?[A-Za-z0-9]{20,}",
        &["tvly-{w32}", "tvly-dev-{w32}"],
        &["tvly-x"],
    ),
    rule("firecrawl-api-key", &["fc-"], r"fc-[0-9a-f]{32,}", &["fc-{h32}"], &["fc-cache"]),
    rule("brave-search-key", &["BSA"], r"BSA[\w-]{20,40}", &["BSA{u28}"], &["BSAFE_library_of_functions"])
        .check(mixed),
    rule("cursor-api-key", &["key_"], r"key_[0-9a-f]{60,}", &["key_{h64}"], &["key_pressed"]),
    rule(
        "devin-api-key",
        &["apk_", "cog_"],
        r"(?:apk_(?:user_)?|cog_)[\w=-]{40,}",
        &["apk_user_{w64}", "cog_{a52}"],
        &["apk_file"],
    )
    .check(no_words),
    rule(
        "fal-api-key",
        &["fal_"],
        r"fal_[\w:-]{24,}",
        &["fal_{w40}"],
        &["fal_client_library_functions_list"],
    )
    .check(mixed),
    rule(
        "apify-api-token",
        &["apify_api_"],
        r"apify_api_[A-Za-z0-9]{30,}",
        &["apify_api_{w36}"],
        &["apify_api_client"],
    ),
    rule("runpod-api-key", &["rpa_"], r"rpa_[A-Za-z0-9]{28,}", &["rpa_{A46}"], &["rpa_process_name"]),
    rule("fernet-token", &["gAAAA"], r"gAAAA[\w=-]{60,}", &["gAAAAAB{u110}"], &["gAAAA"]),
    rule("llamacloud-api-key", &["llx-"], r"llx-[\w-]{32,}", &["llx-{u48}"], &["llx-1"]),
    rule("jina-api-key", &["jina_"], r"jina_[A-Za-z0-9]{32,}", &["jina_{h32}{w28}"], &["jina_embeddings"]),
    rule("voyage-api-key", &["pa-"], r"pa-[\w-]{40,}", &["pa-{w43}"], &["pa-11y-checker"]).check(mixed),
    rule("friendli-api-key", &["flp_"], r"flp_[A-Za-z0-9]{30,}", &["flp_{w46}"], &["flp_x"]),
    rule(
        "fireworks-api-key",
        &["fw_"],
        r"fw_[A-Za-z0-9]{20,}",
        &["fw_{w24}"],
        &["fw_version_string_of_device"],
    )
    .check(mixed),
    rule("e2b-api-key", &["e2b_"], r"e2b_[0-9a-f]{32,}", &["e2b_{h40}"], &["e2b_sandbox"]),
    rule("browserbase-api-key", &["bb_live_"], r"bb_live_[\w-]{16,}", &["bb_live_{w27}"], &["bb_live_"]),
    rule(
        "langfuse-key",
        &["lf_sk_", "pk-lf-"],
        r"(?:lf_sk_|pk-lf-)[\w-]{24,}",
        &["lf_sk_{w32}"],
        &["lf_sk_"],
    ),
];
