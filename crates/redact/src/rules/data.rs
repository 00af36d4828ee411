//! Databases, analytics, observability.

use super::{Rule, rule};
use crate::value::{mixed, no_words};

pub(super) const RULES: &[Rule] = &[
    rule("supabase-token", &["sbp_"], r"sbp_[0-9a-z]{36,}", &["sbp_{h40}"], &["sbp_x"]),
    rule(
        "supabase-secret-key",
        &["sb_secret_"],
        r"sb_secret_[\w-]{24,}",
        &["sb_secret_{u31}"],
        &["sb_secret_"],
    ),
    rule("neon-api-key", &["napi_"], r"napi_[a-z0-9]{40,}", &["napi_{a64}"], &["napi_create_function"]),
    rule(
        "planetscale-credential",
        &["pscale_"],
        r"pscale_(?:tkn|oauth|pw)_[\w.=-]{30,}",
        &["pscale_tkn_{u43}", "pscale_pw_{u43}", "pscale_oauth_{u43}"],
        &["pscale_pw_"],
    ),
    rule(
        "mongodb-atlas-secret",
        &["mdb_sa_sk_"],
        r"mdb_sa_sk_[\w-]{36,}",
        &["mdb_sa_sk_{w40}"],
        &["mdb_sa_sk_"],
    ),
    rule(
        "grafana-token",
        &["glc_", "glsa_"],
        r"gl(?:c_[A-Za-z0-9+/=]{32,}|sa_[A-Za-z0-9]{30,}_[0-9A-Fa-f]{8})",
        &["glc_eyJ{b110}", "glsa_{w32}_{h8}"],
        &["glc_x"],
    )
    .check(no_words),
    rule(
        "grafana-api-key",
        &["eyJrIjoi"],
        r"eyJrIjoi[A-Za-z0-9+/=_-]{60,}",
        &["eyJrIjoi{b88}"],
        &["eyJrIjoi"],
    ),
    rule(
        "new-relic-key",
        &["NRAK-", "NRII-", "NRIQ-", "NRAA-", "NRRA-", "NRJS-", "NRBR-", "NRSP"],
        r"NR(?:AK|II|IQ|AA|RA|JS|BR|SP)-?[\w-]{18,}",
        &["NRAK-{A27}", "NRII-{u32}"],
        &["NRAK-"],
    ),
    rule(
        "new-relic-license-key",
        &["NRAL", "01xx"],
        r"(?:[0-9a-z]{30,40}NRAL|[a-z]{2}\d{2}xx[0-9a-f]{30}N)",
        &["{h36}NRAL", "eu01xx{h30}NRAL"],
        &["NRAL"],
    )
    .near(42, 4),
    rule(
        "sentry-org-token",
        &["sntrys_"],
        r"sntrys_[\w+/=-]{60,}",
        &["sntrys_eyJ{b150}_{b43}"],
        &["sntrys_x"],
    ),
    rule(
        "sentry-user-token",
        &["sntryu_", "sntrya_"],
        r"sntry[ua]_[0-9a-f]{40,}",
        &["sntryu_{h64}"],
        &["sntryu_x"],
    ),
    rule(
        "dynatrace-token",
        &["dt0c01.", "dt0s0"],
        r"dt0[a-z]\d{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{40,}",
        &["dt0c01.{A24}.{A64}"],
        &["dt0c01.x"],
    ),
    rule(
        "posthog-key",
        &["phx_", "phc_", "pha_", "phs_"],
        r"ph[xcas]_[\w-]{32,}",
        &["phx_{w43}", "phc_{w43}"],
        &["phx_x"],
    ),
    rule(
        "airtable-token",
        &["pat"],
        r"pat[A-Za-z0-9]{14}\.[0-9a-f]{50,}",
        &["pat{w14}.{h64}"],
        &["path.to.something", "pattern"],
    ),
    rule("cockroach-api-key", &["CCDB1_"], r"CCDB1_[\w-]{40,}", &["CCDB1_{w22}_{w40}"], &["CCDB1_"]),
    rule("clickhouse-secret", &["4b1d"], r"4b1d[A-Za-z0-9]{38,}", &["4b1d{w38}"], &["4b1d"]).check(mixed),
    rule("teamwork-token", &["tkn.v1_"], r"tkn\.v1_[A-Za-z0-9+/=]{40,}", &["tkn.v1_{b72}"], &["tkn.v1_"]),
    rule("segment-token", &["sgp_"], r"sgp_[A-Za-z0-9]{60,}", &["sgp_{w64}"], &["sgp_x"]),
    rule("readme-api-key", &["rdme_"], r"rdme_[a-z0-9]{60,}", &["rdme_{a70}"], &["rdme_x"]),
    rule(
        "launchdarkly-key",
        &["sdk-", "mob-"],
        r"(?:sdk|mob)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        &["sdk-{h8}-{h4}-{h4}-{h4}-{h12}"],
        &["sdk-7.0.0"],
    ),
    rule(
        "devcycle-key",
        &["dvc_mobile_", "dvc_server_", "dvc_client_"],
        r"dvc_(?:mobile|server|client)_[\w-]{20,}",
        &["dvc_mobile_{a26}", "dvc_server_{a32}"],
        &["dvc_mobile_short"],
    ),
    rule(
        "honeycomb-key",
        &["hcaik_", "hcxik_", "hcalk_"],
        r"hc[a-z]{3}_[a-z0-9]{40,}",
        &["hcaik_{a58}"],
        &["hcaik_x"],
    ),
    rule(
        "elastic-cloud-key",
        &["ess_", "essu_"],
        r"essu?_[A-Za-z0-9+/=_-]{60,}",
        &["essu_{b90}"],
        &["ess_x"],
    )
    .check(mixed),
    // Others took over the shape that Stripe's keys have, with `_` and `-` in it.
    rule(
        "highnote-key",
        &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"],
        r"[sr]k_(?:live|test|prod)_[\w-]{24,}",
        &["sk_live_{w14}_{w17}", "rk_test_{w12}-{w20}"],
        &["sk_live_short", "sk_test_of_the_long_named_function"],
    )
    .kind("stripe-key")
    .check(mixed),
    rule("tableau-token", &["==:"], r"[A-Za-z0-9+/]{22}==:[A-Za-z0-9]{28,}", &["{w22}==:{w32}"], &["==:x"])
        .near(24, 64),
    rule("courier-key", &["pk_prod_"], r"pk_prod_[A-Z0-9]{20,}", &["pk_prod_{A28}"], &["pk_prod_x"]),
    rule(
        "pixie-key",
        &["px-api-", "px-dep-"],
        r"px-(?:api|dep)-[0-9a-f]{8}-[0-9a-f-]{20,}",
        &["px-api-{h8}-{h4}-{h4}-{h4}-{h12}"],
        &["px-api-x"],
    ),
    rule(
        "truenas-key",
        &["\"params\"", "\"params\\"],
        r#""params\\{0,8}"\s*:\s*\[\\{0,8}"(\d{1,4}-[A-Za-z0-9]{50,})"#,
        &["\"params\":[\"8-{w64}\"]"],
        &["\"params\":[]"],
    )
    .near(0, 160),
];
