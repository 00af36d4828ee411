//! Shapes that mean nothing without a name beside them: the name is part of the pattern.

use super::{Rule, rule};
pub(super) const RULES: &[Rule] = &[
    rule(
        "graph-app-token",
        &["facebook", "fb_", "graph."],
        r"\d{13,17}\|[\w-]{24,}",
        &["facebook {d16}|{u27}"],
        &["facebook |"],
    )
    .near(32, 120),
    rule(
        "digest-response",
        &["response=\"", "response=\\"],
        r#"response=\\{0,8}"([0-9a-f]{32,})"#,
        &["Authorization: Digest username=\"a\", response=\"{h32}\""],
        &["response=\"\""],
    ),
    rule(
        "oauth-signature",
        &["oauth_signature="],
        r#"oauth_signature=\\{0,8}"([^"\s\\]{12,})"#,
        &["oauth_signature=\"{w20}%3D\""],
        &["oauth_signature=\"\""],
    ),
    rule(
        "aws4-signature",
        &["Signature="],
        r"Signature=([0-9a-f]{64})",
        &["AWS4-HMAC-SHA256 Credential=x, Signature={h64}"],
        &["Signature=x"],
    ),
];
