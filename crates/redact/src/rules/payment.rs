//! Payment providers and exchanges.

use super::{Rule, rule};
use crate::value::{mixed, no_words};

pub(super) const RULES: &[Rule] = &[
    rule(
        "stripe-key",
        &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"],
        r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{20,}",
        &["sk_live_{w24}", "rk_test_{w99}"],
        &["sk_live_short", "xsk_live_{w24}", "pk_live_{w24}"],
    ),
    rule(
        "square-token",
        &["sq0atp-", "sq0csp-", "sq0idp-", "EAAA"],
        r"(?:sq0(?:atp|csp)-[\w-]{22,}|EAAA[\w-]{40,})",
        &["sq0atp-{u22}", "sq0csp-{u43}", "EAAA{u60}"],
        &["sq0idp-x"],
    ),
    rule(
        "braintree-token",
        &["access_token$"],
        r"access_token\$(?:production|sandbox)\$\w{10,}\$[0-9a-f]{20,}",
        &["access_token$production${a16}${h32}"],
        &["access_token$x"],
    ),
    rule(
        "flutterwave-key",
        &["FLWSECK", "FLWPUBK"],
        r"FLW(?:SECK|PUBK)(?:_(?:TEST|LIVE|PROD))?-?[\w-]{12,}",
        &["FLWSECK_TEST-{h32}-X", "FLWSECK_TEST{h12}"],
        &["FLWSECK"],
    )
    .check(no_words),
    rule(
        "asaas-key",
        &["$aact_"],
        r"\$aact_(?:prod|hmlg)_[\w:=+/$-]{40,}",
        &["$aact_prod_{b160}"],
        &["$aact_prod_too_short"],
    ),
    rule("adyen-key", &["AQE"], r"AQE[a-z]hmf[\w+/=.*-]{60,}", &["AQEyhmf{b120}"], &["AQE"]),
    rule(
        "gocardless-token",
        &["live_"],
        r"live_[\w=-]{40}\b",
        &["live_{u39}a"],
        &["live_reload_plugin_of_the_server_with_a_name"],
    )
    .check(mixed),
    rule(
        "razorpay-key",
        &["rzp_live_", "rzp_test_"],
        r"rzp_(?:live|test)_[A-Za-z0-9]{14,}",
        &["rzp_live_{w14}"],
        &["rzp_live_"],
    ),
    rule(
        "mollie-key",
        &["access_", "live_", "test_"],
        r"(?:live|test|access)_[A-Za-z0-9]{30,34}\b",
        &["live_{w30}"],
        &["access_x", "test_this_function_with_care"],
    )
    .check(mixed),
];
