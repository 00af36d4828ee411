//! Services for companies: documents, tickets, mail, identity, maps, shops.

use super::{Rule, rule};
use crate::value::{mixed, mixed_case, no_words, uneven};

pub(super) const RULES: &[Rule] = &[
    rule(
        "linear-api-key",
        &["lin_api_", "lin_oauth_"],
        r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}",
        &["lin_api_{w40}"],
        &["lin_api_x"],
    ),
    rule("notion-token", &["ntn_"], r"ntn_[A-Za-z0-9]{40,}", &["ntn_{w46}"], &["ntn_x"]).check(no_words),
    rule(
        "notion-legacy-token",
        &["secret_"],
        r"secret_[A-Za-z0-9]{43}\b",
        &["secret_{w43}"],
        &["secret_abc123"],
    )
    .check(mixed),
    rule("asana-token", &["1/", "0/"], r"[01]/\d{12,}:[0-9a-f]{32}", &["1/{d16}:{h32}"], &["1/2"]),
    rule("asana-token-v2", &["2/"], r"2/\d{12,}/\d{12,}:[0-9a-f]{32}", &["2/{d16}/{d16}:{h32}"], &["2/3"])
        .kind("asana-token"),
    rule("dropbox-token", &["sl."], r"sl\.(?:u\.)?[\w-]{60,}", &["sl.{u138}"], &["sl.x"]),
    rule(
        "mapbox-secret-token",
        &["sk.eyJ", "tk.eyJ"],
        r"[st]k\.eyJ[\w-]{20,}\.[\w-]{16,}",
        &["sk.eyJ{u70}.{u22}"],
        &["sk.eyJ"],
    ),
    rule("sendgrid-api-key", &["SG."], r"SG\.[\w-]{16,}\.[\w-]{16,}", &["SG.{u22}.{u43}"], &["SG.x.y"]),
    rule("mailgun-api-key", &["key-"], r"key-[0-9a-z]{32}\b", &["key-{h32}"], &["key-value-pair"])
        .check(no_words),
    rule("mailchimp-api-key", &["-us"], r"[0-9A-Za-z]{32}-us\d{1,2}\b", &["{h32}-us12"], &["en-us"])
        .near(32, 6)
        .check(no_words),
    rule("mandrill-api-key", &["md-"], r"md-[\w-]{22,}", &["md-{u22}"], &["md-editor", "md-autocomplete-suggestions-list"])
        .check(uneven),
    rule(
        "brevo-api-key",
        &["xkeysib-", "xsmtpsib-"],
        r"x(?:key|smtp)sib-[0-9a-f]{40,}-[A-Za-z0-9]{10,}",
        &["xkeysib-{h64}-{w16}"],
        &["xkeysib-x"],
    ),
    rule("mailersend-token", &["mlsn."], r"mlsn\.[0-9a-f]{40,}", &["mlsn.{h64}"], &["mlsn.x"]),
    rule(
        "resend-api-key",
        &["re_"],
        r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}",
        &["re_{w8}_{w24}"],
        &["re_compiled_expression_of_the_file"],
    )
    .check(mixed),
    rule(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shpua_"],
        r"shp(?:at|ca|pa|ss|tka|ua)_[0-9A-Za-z]{32,}",
        &["shpat_{h32}", "shpss_{h32}"],
        &["shpss_short", "shpssSSSSS_SSSS_sssss"],
    ),
    rule("typeform-token", &["tfp_"], r"tfp_[\w=.-]{40,}", &["tfp_{u59}"], &["tfp_x"]),
    rule("adafruit-key", &["aio_"], r"aio_[A-Za-z0-9]{24,}", &["aio_{w28}"], &["aio_read"]),
    rule(
        "duffel-token",
        &["duffel_"],
        r"duffel_(?:test|live)_[\w=-]{40,}",
        &["duffel_test_{u43}"],
        &["duffel_x"],
    ),
    rule("easypost-key", &["EZAK", "EZTK"], r"EZ[AT]K[A-Za-z0-9]{54,}", &["EZAK{w54}"], &["EZAK"])
        .check(mixed),
    rule("frameio-token", &["fio-u-"], r"fio-u-[\w=-]{60,}", &["fio-u-{u64}"], &["fio-u-x"]),
    rule(
        "shippo-token",
        &["shippo_"],
        r"shippo_(?:live|test)_[0-9a-f]{40}",
        &["shippo_live_{h40}"],
        &["shippo_x"],
    ),
    rule(
        "settlemint-token",
        &["sm_aat_", "sm_pat_", "sm_sat_"],
        r"sm_[aps]at_[A-Za-z0-9]{16,}",
        &["sm_aat_{w16}", "sm_sat_{w16}"],
        &["sm_aat_x"],
    ),
    rule(
        "lichess-token",
        &["lip_", "lio_"],
        r"li[po]_[A-Za-z0-9]{20,}",
        &["lip_{w32}"],
        &["lip_sync_of_the_character"],
    )
    .check(mixed),
    rule(
        "onesignal-key",
        &["os_v2_"],
        r"os_v2_(?:app|org)_[a-z0-9]{60,}",
        &["os_v2_app_{l0}{a103}"],
        &["os_v2_app"],
    ),
    rule(
        "onfido-token",
        &["api_live", "api_sandbox"],
        r"api_(?:live|sandbox)(?:_[a-z]{2})?\.[\w-]{24,}",
        &["api_live.{w32}", "api_live_ca.{w32}"],
        &["api_live_x"],
    ),
    rule(
        "persona-key",
        &["persona_"],
        r"persona_(?:production|sandbox)_[a-z0-9-]{24,}",
        &["persona_production_{a32}"],
        &["persona_x"],
    ),
    rule(
        "polar-token",
        &["polar_"],
        r"polar_(?:pat|oat|at|rt|whs)_[A-Za-z0-9]{28,}",
        &["polar_pat_{w40}", "polar_oat_{w40}"],
        &["polar_pat_short"],
    ),
    rule("proof-key", &["prf_"], r"prf_[A-Za-z0-9]{30,}", &["prf_{w40}"], &["prf_test_x"]).check(mixed),
    // The body is base64 of `key_`.
    rule(
        "workos-key",
        &["sk_live_a2V5", "sk_test_a2V5"],
        r"sk_(?:live|test)_a2V5[\w-]{20,}",
        &["sk_live_a2V5{w76}"],
        &["sk_live_short", "sk_live_{w24}"],
    ),
    rule("clickup-token", &["pk_"], r"pk_\d{6,}_[A-Z0-9]{28,}", &["pk_{d9}_{A32}"], &["pk_live_x"]),
    rule("klaviyo-key", &["pk_"], r"pk_[A-Za-z0-9]{30,}", &["pk_{h34}"], &["pk_live_{w24}", "pk_constraint"])
        .check(no_words),
    rule("ramp-secret", &["ramp_sec_"], r"ramp_sec_[A-Za-z0-9]{30,}", &["ramp_sec_{w48}"], &["ramp_sec_x"]),
    rule(
        "mergify-key",
        &["mergify_application_key_"],
        r"mergify_application_key_\w{40,}",
        &["mergify_application_key_{w64}"],
        &["mergify_application_key_"],
    ),
    rule("pinterest-token", &["pina_", "pinr_"], r"pin[ar]_[A-Za-z0-9]{30,}", &["pina_{w40}"], &["pina_x"]),
    rule("thunderstore-token", &["tss_"], r"tss_[A-Za-z0-9]{34,}", &["tss_{w36}"], &["tss_x"]).check(mixed),
    rule("telnyx-key", &["KEY0"], r"KEY0[0-9A-F]{20,}_[A-Za-z0-9]{16,}", &["KEY0{H31}_{w22}"], &["KEY0"]),
    rule("endorlabs-key", &["endr+"], r"endr\+[\w-]{14,}", &["endr+{u16}"], &["endr+"]),
    rule(
        "fullstory-key",
        &["na1.", "eu1."],
        r"(?:na|eu)1\.[A-Za-z0-9]{28,}",
        &["na1.{a32}"],
        &["eu1.example.com"],
    )
    .check(no_words),
    rule(
        "privacy-notify-key",
        &["gcntfy-"],
        r"(?:ApiKey-v1 )?gcntfy-[\w-]{60,}",
        &["gcntfy-test-{h8}-{h4}-{h4}-{h4}-{h12}-{h8}-{h4}-{h4}-{h4}-{h12}"],
        &["gcntfy-"],
    )
    .near(12, 160)
    .kind("notify-key"),
    rule("appsync-key", &["da2-"], r"da2-[a-z0-9]{24,}", &["da2-{a26}"], &["da2-x"]).check(no_words),
    rule("hub-spot-key", &["hubspot-"], r"hubspot-[\w-]{30,}", &["hubspot-{u36}"], &["hubspot-x"])
        .check(no_words),
    rule(
        "hubspot-private-app",
        &["pat-na", "pat-eu"],
        r"pat-(?:na|eu)\d-[0-9a-f-]{32,}",
        &["pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}"],
        &["pat-na1"],
    )
    .kind("hub-spot-key"),
    rule("intra42-secret", &["s-s4t2"], r"s-s4t2(?:ud|af)-[0-9a-f]{60,}", &["s-s4t2ud-{h64}"], &["s-s4t2"]),
    rule(
        "paddle-key",
        &["pdl_live_", "pdl_sdbx_"],
        r"pdl_(?:live|sdbx)_\w{30,}",
        &["pdl_live_apikey_{a26}_{w22}_{w3}"],
        &["pdl_live_"],
    ),
    rule(
        "midtrans-key",
        &["Mid-server-", "Mid-client-"],
        r"Mid-(?:server|client)-[\w-]{14,}",
        &["Mid-server-{w16}"],
        &["Mid-server-"],
    ),
    rule(
        "scrapfly-key",
        &["scp-live-", "scp-test-"],
        r"scp-(?:live|test)-[0-9a-f]{28,}",
        &["scp-live-{h32}"],
        &["scp-live-"],
    ),
    rule(
        "ebay-secret",
        &["PRD-"],
        r"PRD-[0-9a-f]{8,}-[0-9a-f-]{16,}",
        &["PRD-{h12}-{h4}-{h4}-{h4}-{h4}"],
        &["PRD-123"],
    )
    .check(no_words),
    rule("instagram-token", &["IGQV", "IGAA"], r"IG(?:QV|AA)[\w-]{60,}", &["IGQVJ{w140}"], &["IGQV"])
        .check(mixed_case),
    rule("facebook-token", &["EAA"], r"EAA[A-Za-z0-9]{40,}", &["EAAC{w120}"], &["EAA"]).check(mixed),
    rule(
        "django-secret-key",
        &["django-insecure-"],
        r"django-insecure-[^\s'\x22`\\]{24,}",
        &["django-insecure-{w50}"],
        &["django-insecure-"],
    ),
    rule(
        "zapier-webhook",
        &["hooks.zapier.com/hooks/catch/"],
        r"hooks\.zapier\.com/hooks/catch/(\d+/[A-Za-z0-9]+)",
        &["https://hooks.zapier.com/hooks/catch/{d7}/{a7}"],
        &["hooks.zapier.com/hooks/catch/"],
    )
    .near(0, 96),
    rule(
        "azure-logic-webhook",
        &["webhook.office.com/", "outlook.office.com/webhook/"],
        r"(?:https?://)?(?:[\w-]+\.)?(?:webhook\.office\.com/webhookb2/|outlook\.office\.com/webhook/)[\w@/-]{60,}",
        &["https://acme.webhook.office.com/webhookb2/{h36}@{h36}/IncomingWebhook/{h32}/{h36}"],
        &["outlook.office.com/webhook/"],
    )
    .near(48, 320)
    .kind("teams-webhook"),
    rule(
        "thingsboard-token",
        &["thingsboard.cloud/api/v1/"],
        r"thingsboard\.cloud/api/v1/([A-Za-z0-9]{16,})",
        &["https://thingsboard.cloud/api/v1/{a20}/telemetry"],
        &["thingsboard.cloud/api/v1/"],
    )
    .near(0, 96),
];
