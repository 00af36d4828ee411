//! What tools write into their own files.

use super::{Rule, rule};
use crate::value::no_words;

pub(super) const RULES: &[Rule] = &[
    rule(
        "npmrc-auth-token",
        &["_authToken=", "_auth=", "_password="],
        r"_(?:authToken|auth|password)\s*=\s*([^\s'\x22$%{}\\]{8,})",
        &["//registry.npmjs.org/:_authToken={h8}-{h4}-{h4}-{h4}-{h12}"],
        &["//registry.npmjs.org/:_authToken=${NPM_TOKEN}"],
    )
    .near(0, 320)
    .check(no_words),
    rule(
        "docker-config-auth",
        &["\"auth\"", "\"auth\\"],
        r#""auth\\{0,8}"\s*:\s*\\{0,8}"([A-Za-z0-9+/]{12,}={0,2})\\{0,8}""#,
        &["{\"auths\":{\"x\":{\"auth\":\"{b40}\"}}}"],
        &["\"auth\": \"none\""],
    )
    .near(0, 640),
    rule(
        "kubeconfig-key",
        &["client-key-data"],
        r"client-key-data\x22?\s*:\s*\x22?([A-Za-z0-9+/=]{24,})",
        &["client-key-data: {b400}"],
        &["client-key-data:"],
    )
    .near(0, 16_384),
    rule(
        "netrc-password",
        &["machine "],
        r"machine\s+\S+\s+login\s+\S+\s+password\s+([^\s`'\x22\\]{4,})",
        &["machine api.example.com login bot password {w8}7k4Z"],
        &["machine learning"],
    )
    .near(0, 320),
    rule(
        "pgpass-password",
        &[":5432:"],
        r"[\w.*-]+:5432:[\w*-]+:[\w-]+:([^\s:'\x22]{6,})",
        &["db.example.com:5432:app:app:{w9}7k4{w4}"],
        &["localhost:5432:5432"],
    )
    .near(64, 128),
    rule(
        "vault-unseal-key",
        &["Unseal Key", "Recovery Key", "Initial Root Token"],
        r"(?:(?:Unseal|Recovery) Key(?: \d+)?|Initial Root Token)\s*:\s*(\S{16,})",
        &["Unseal Key 1: {b44}"],
        &["Unseal Key 1:"],
    )
    .near(0, 128),
    rule(
        "jenkins-initial-password",
        &["proceed to installation:"],
        r"proceed to installation:(?:\s|\\{1,8}[nr])+([0-9a-f]{32})",
        &["use the following password to proceed to installation:\n\n{h32}\n"],
        &["proceed to installation:"],
    )
    .near(0, 80),
    rule(
        "wireguard-key",
        &["PrivateKey", "PresharedKey"],
        r"(?:PrivateKey|PresharedKey)\s*=\s*([A-Za-z0-9+/]{42,43}=?)",
        &["[Interface]\nPrivateKey = {b43}="],
        &["PrivateKey = key"],
    )
    .near(0, 96),
    rule(
        "htpasswd-hash",
        &["$apr1$", "$1$", "$5$", "$6$", "$8$", "$9$", "$y$"],
        r"\$(?:apr1|1|5|6|8|9|y)\$[\w./=,$]{4,40}\$[\w./$]{20,}",
        &["$6${w8}${w86}", "$1${w8}${w22}"],
        &["$1$2", "$1$"],
    )
    .kind("password-hash"),
    rule(
        "bcrypt-hash",
        &["$2a$", "$2b$", "$2y$"],
        r"\$2[aby]\$\d{2}\$[A-Za-z0-9./]{40,}",
        &["$2b$12${w53}"],
        &["$2a$"],
    ),
    rule(
        "argon2-hash",
        &["$argon2", "$scrypt$", "$pbkdf2"],
        r"\$(?:argon2(?:id|i|d)|scrypt|pbkdf2[\w-]*)\$[\w=,+/.$-]{30,}",
        &["$argon2id$v=19$m=65536,t=3,p=4${w22}${w43}"],
        &["$argon2id"],
    ),
    rule(
        "kerberos-hash",
        &["$krb5"],
        r"\$krb5[a-z]+\$\d+\$[^\s'\x22]{32,}",
        &["$krb5asrep$23${h32}${h200}"],
        &["$krb5"],
    ),
    rule(
        "powershell-secret",
        &["ConvertTo-SecureString"],
        r#"ConvertTo-SecureString\s+(?:-String\s+)?\\{0,8}["']([^"'\\\s]{6,})"#,
        &["ConvertTo-SecureString \"{w8}7k4Z\" -AsPlainText"],
        &["ConvertTo-SecureString $x"],
    )
    .near(0, 160),
    rule(
        "dotnet-credential",
        &["NetworkCredential("],
        r#"NetworkCredential\(\s*\\{0,8}"[^"]{1,96}"\s*,\s*\\{0,8}"([^"\\\s]{6,})"#,
        &["new NetworkCredential(\"a@example.com\", \"{a10}4k7{a3}\")"],
        &["NetworkCredential(user, pass)"],
    )
    .near(0, 240),
    rule(
        "curlopt-password",
        &["CURLOPT_"],
        r#"CURLOPT_(?:XOAUTH2_BEARER|PASSWORD|USERPWD|PROXYPASSWORD|PROXYUSERPWD)\s*,\s*\\{0,8}"([^"\\\s]{6,})"#,
        &["curl_easy_setopt(curl, CURLOPT_PASSWORD, \"{w32}\");"],
        &["CURLOPT_URL"],
    )
    .near(0, 480)
    .kind("curl-password"),
    rule(
        "openssl-pass-argument",
        &["pass:"],
        r"pass:([^\s'\x22`\\$<%{]{6,})",
        &["openssl rsa -passin pass:{w9}4Kx8{w3} -in k.pem"],
        &["pass:$PASS"],
    )
    .check(crate::value::hard_or_random),
    rule(
        "yaml-basic-login",
        &["basicauth:", "auth-user-pass"],
        r"basicauth:\s*[\w.-]+:([^\s'\x22]{6,})",
        &["basicauth: bot:{w9}4Kx8{w3}"],
        &["basicauth: none"],
    )
    .near(0, 128)
    .check(crate::value::hard_or_random),
];
