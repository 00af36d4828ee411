//! What the name in front of a value says about it.

use crate::chars::is_alnum;
use crate::words;

/// How sure a name makes it that the value is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// `key`, `auth`, `api`: only what looks generated.
    Weak,
    /// `token`, `vendor_key`: nearly anything that looks generated.
    Medium,
    /// `secret`, `api_key`, `access_token`: any literal that is no placeholder.
    Strong,
    /// `password`: also what a person would choose.
    Password,
}

/// A judged name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) strength: Strength,
    pub(crate) kind: &'static str,
    /// All capitals, as in environments.
    pub(crate) caps: bool,
}

/// Stems that begin a look at the name around them; found by the prefilter, ASCII case ignored.
pub(crate) const STEMS: &str = "
    passw passphrase passcode pass pwd secret token key auth credential creds private access session
    _api sessid sswd bearer _pw license licence _pat _srt _jwt 密码 密碼 口令 密钥 密鑰 令牌 パスワード 비밀번호 пароль
    contraseña kennwort senha
";

const PASSWORDS: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "kennwort",
    "pwd",
    "pass",
    "passphrase",
    "passcode",
    "userpass",
    "pw",
    "dbpass",
    "dbpassword",
    "sswd",
    "assword",
    "ssword",
    "sword",
    "mypass",
    "rootpass",
    "senha",
];
const STRONG: &[&str] = &[
    "secret",
    "apikey",
    "apitoken",
    "secretkey",
    "accesskey",
    "accesstoken",
    "authtoken",
    "privatekey",
    "clientsecret",
    "credential",
    "credentials",
    "ecret",
    "secretaccesskey",
    "refreshtoken",
    "bearertoken",
    "sessiontoken",
    "idtoken",
    "appsecret",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "authkey",
    "licensekey",
    "webhooksecret",
    "sharedsecret",
    "consumersecret",
    "sharedkey",
    "accountkey",
    "jwtsecret",
    "secrettoken",
    "secrete",
    "pat",
    "srt",
    "jwt",
    "storagekey",
];

/// Judges a name such as `STRIPE_WEBHOOK_SECRET`, `apiKey`, `db.password`, `x-auth-token`.
pub(crate) fn judge(name: &[u8]) -> Option<Named> {
    let mut parts = Words::of(name);
    // Several names end in what only refines them: `db_pass_secure`, `apikey_myservice`, `key_1`.
    while parts.len > 1 && refines(parts.get(parts.len - 1)) {
        parts.len -= 1;
    }
    if parts.len == 0 {
        return None;
    }
    let last = parts.get(parts.len - 1);
    let caps = name.iter().any(u8::is_ascii_uppercase) && !name.iter().any(u8::is_ascii_lowercase);
    let named = |strength, kind| Some(Named { strength, kind, caps });
    if words::means(last, words::ABOUT) {
        return None;
    }
    if ends_in(last, PASSWORDS)
        && !matches!(last, "bypass" | "compass" | "trespass" | "surpass" | "encompass" | "overpass")
    {
        return named(Strength::Password, "password");
    }
    let before = if parts.len > 1 { parts.get(parts.len - 2) } else { "" };
    if before == "session" && last == "key" {
        return named(Strength::Weak, "credential");
    }
    if ends_in(last, STRONG) && !(matches!(last, "pat" | "jwt") && parts.len == 1) {
        return named(Strength::Strong, kind_of(last));
    }
    if (0..parts.len).any(|i| words::means(parts.get(i), words::HARMLESS)) {
        return None;
    }
    match last {
        "key" | "token" | "cred" | "creds" | "auth" | "api" if words::means(before, words::STRONG_BEFORE) => {
            named(Strength::Strong, kind_of(last))
        }
        "key" if parts.len > 1 => named(Strength::Medium, "api-key"),
        "token" => named(Strength::Medium, "token"),
        "private" | "access" | "api" if parts.len > 1 => named(Strength::Medium, "credential"),
        "private" | "access" | "api" | "signature" | "sid" | "login" | "cred" | "creds" | "key" | "auth"
        | "license" | "licence" | "dsn" | "bearer" | "cookie" => named(Strength::Weak, kind_of(last)),
        _ if last.len() > 7 && (last.ends_with("access") || last.ends_with("private")) => {
            named(Strength::Medium, "credential")
        }
        _ if last.len() > 5 && last.ends_with("token") => named(Strength::Medium, "token"),
        _ if last.len() > 3 && last.ends_with("key") => named(Strength::Medium, "api-key"),
        _ if (0..parts.len).any(|i| ends_in(parts.get(i), &["password", "passwd", "secret", "apikey"])) => {
            named(Strength::Medium, "secret")
        }
        _ => None,
    }
}

fn ends_in(word: &str, list: &[&str]) -> bool {
    list.iter().any(|w| word == *w || (w.len() >= 5 && word.ends_with(w)))
}

fn refines(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
        || matches!(
            word,
            "secure"
                | "super"
                | "prod"
                | "production"
                | "dev"
                | "staging"
                | "live"
                | "main"
                | "old"
                | "new"
                | "v1"
                | "v2"
                | "base"
                | "myservice"
                | "local"
                | "base64"
                | "b64"
                | "plain"
                | "raw"
                | "str"
                | "string"
                | "value"
                | "env"
                | "var"
                | "data"
                | "a"
                | "b"
        )
}

fn kind_of(last: &str) -> &'static str {
    if last.ends_with("key") || last.ends_with("api") {
        "api-key"
    } else if last.ends_with("token") || last.ends_with("pat") || last.ends_with("jwt") {
        "token"
    } else if last.contains("secret") || last == "ecret" || last == "srt" {
        "secret"
    } else {
        "credential"
    }
}

/// The words of a name, lower case, at most the last sixteen.
struct Words {
    text: [u8; 64],
    ends: [(u8, u8); 16],
    len: usize,
}

impl Words {
    fn of(name: &[u8]) -> Words {
        let name = &name[name.len().saturating_sub(64)..];
        let mut words = Words { text: [0; 64], ends: [(0, 0); 16], len: 0 };
        let mut start = 0;
        for (i, &b) in name.iter().enumerate() {
            words.text[i] = b.to_ascii_lowercase();
            if !is_alnum(b) {
                words.push(start, i);
                start = i + 1;
            } else if i > start && b.is_ascii_uppercase() {
                let lower_before = name[i - 1].is_ascii_lowercase() || name[i - 1].is_ascii_digit();
                let lower_after =
                    name.get(i + 1).is_some_and(u8::is_ascii_lowercase) && name[i - 1].is_ascii_uppercase();
                if lower_before || lower_after {
                    words.push(start, i);
                    start = i;
                }
            }
        }
        words.push(start, name.len());
        words
    }

    fn push(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        if self.len == self.ends.len() {
            self.ends.rotate_left(1);
            self.len -= 1;
        }
        if let (Ok(start), Ok(end)) = (u8::try_from(start), u8::try_from(end)) {
            self.ends[self.len] = (start, end);
            self.len += 1;
        }
    }

    fn get(&self, i: usize) -> &str {
        let (start, end) = self.ends[i];
        std::str::from_utf8(&self.text[usize::from(start)..usize::from(end)]).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_judged_by_their_last_words() {
        let strength = |name: &str| judge(name.as_bytes()).map(|n| n.strength);
        for name in
            ["DB_PASSWORD", "dbPassword", "pwd", "spring.datasource.password", "PGPASSWORD", "db_pass_secure"]
        {
            assert_eq!(strength(name), Some(Strength::Password), "{name}");
        }
        for name in [
            "apiKey",
            "API_KEY",
            "aws_secret_access_key",
            "x-auth-token",
            "clientSecret",
            "STRIPE_WEBHOOK_SECRET",
            "citybikesapikey",
        ] {
            assert_eq!(strength(name), Some(Strength::Strong), "{name}");
        }
        for name in [
            "max_tokens",
            "next_token",
            "public_key",
            "token_url",
            "kms_key_id",
            "tokenLimit",
            "cache_key",
            "keyHandler",
            "MODEL_SECRET_NAME",
        ] {
            assert_eq!(strength(name), None, "{name}");
        }
        assert_eq!(strength("key"), Some(Strength::Weak));
        assert_eq!(strength("cursorToken"), Some(Strength::Medium));
    }
}
