//! Keys and tokens with a form of their own: JSON web tokens and keys, PASETO, age, NATS, wallets.

use super::{Rule, rule};
use crate::value::{jwt_header, mixed, no_words};

pub(super) const RULES: &[Rule] = &[
    rule(
        "jwt",
        &["eyJ", "ewog", "ewo"],
        r"e(?:yJ|wo)[\w-]{14,}(?:\.[\w-]{2,}){1,4}\.?[\w-]*",
        &["eyJ{u33}.eyJ{u60}.{u43}"],
        &["eyJBB.eyJCC.eyJDDDD"],
    ),
    rule(
        "jwt-header",
        &["eyJ", "ewog"],
        r"e(?:yJ|wo)[\w=-]{20,}",
        &["eyJhbGciOiJIUzI1NiIsInR5cCI6{u8}"],
        &["eyJ{u40}"],
    )
    .kind("jwt")
    .check(jwt_header),
    rule("jwt-base64", &["ZXlK"], r"ZXlK[A-Za-z0-9+/=]{60,}", &["ZXlK{b120}"], &["ZXlK"]),
    rule(
        "paseto",
        &[
            "v1.local.",
            "v2.local.",
            "v3.local.",
            "v4.local.",
            "v1.public.",
            "v2.public.",
            "v3.public.",
            "v4.public.",
        ],
        r"v[1-4]\.(?:local|public)\.[\w-]{24,}(?:\.[\w-]+)?",
        &["v4.local.{u120}", "v2.public.{u120}.{u12}"],
        &["v4.local."],
    ),
    rule(
        "jwk-private",
        &[
            "\"d\"", "\"dp\"", "\"dq\"", "\"qi\"", "\"p\"", "\"q\"", "\"k\"", "\"d\\", "\"dp\\", "\"dq\\",
            "\"qi\\", "\"p\\", "\"q\\", "\"k\\",
        ],
        r#""(?:d|dp|dq|qi|p|q|k)\\{0,8}"\s*:\s*\\{0,8}"([\w-]{22,})=*\\{0,8}""#,
        &["{\"kty\":\"EC\",\"d\":\"{u43}\"}"],
        &["\"d\": \"x\""],
    )
    .near(0, 800)
    .check(mixed),
    rule(
        "age-secret-key",
        &["AGE-SECRET-KEY-1"],
        r"AGE-SECRET-KEY-1[A-Z0-9]{40,}",
        &["AGE-SECRET-KEY-1{A58}"],
        &["AGE-SECRET-KEY-1"],
    ),
    rule(
        "nats-nkey-seed",
        &["SU", "SA", "SO", "SC", "SN", "SX"],
        r"S[UAOCNX][A-Z2-7]{56}",
        &["SU{A56}"],
        &["SUM"],
    )
    .check(no_words),
    rule(
        "extended-private-key",
        &["xprv", "tprv", "zprv", "yprv"],
        r"[xtyz]prv[0-9A-Za-z]{90,}",
        &["xprv{w107}"],
        &["xprv"],
    ),
    rule(
        "base64-private-key",
        &["LS0tLS1CRUdJTi"],
        r"LS0tLS1CRUdJTi(?:BSU0EgUFJJ|BQUklW|BFQyBQUklW|BPUEVOU1NI|BFTkNSWVBU|BEU0EgUFJJ|BQR1AgUFJJ)[A-Za-z0-9+/=_-]{16,}",
        &["LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo{b80}"],
        &["LS0tLS1CRUdJTiBDRVJUSUZJ{b80}"],
    ),
    rule(
        "dotenvx-private-key",
        &["DOTENV_PRIVATE_KEY"],
        r#"DOTENV_PRIVATE_KEY\w*\s*=\s*["']?([0-9a-f]{64})"#,
        &["DOTENV_PRIVATE_KEY=\"{h64}\""],
        &["DOTENV_PRIVATE_KEY="],
    )
    .near(0, 120),
    rule(
        "ethereum-private-key",
        &["private key", "privatekey", "private_key"],
        r"(?i)private[ _]?key\W{1,6}(?:is\W+)?(0x[0-9a-f]{64})",
        &["private key: 0x{h64}"],
        &["private key: 0x"],
    )
    .near(0, 100),
];
