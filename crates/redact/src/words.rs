//! Words with a meaning in names and values, looked up by their whole.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Last words that make any name harmless: it is about the secret, not the secret.
pub(crate) const ABOUT: u8 = 1;
/// Words that make a bare `key` or `token` harmless wherever they stand.
pub(crate) const HARMLESS: u8 = 2;
/// Words that make a following `key` or `token` strong.
pub(crate) const STRONG_BEFORE: u8 = 4;
/// Values that stand for a secret.
pub(crate) const STAND_IN: u8 = 8;

/// Names of services.
pub(crate) const SERVICE: u8 = 16;

const WORDS: &[(u8, &str)] = &[
    (ABOUT, ABOUT_WORDS),
    (HARMLESS, HARMLESS_WORDS),
    (STRONG_BEFORE, STRONG_BEFORE_WORDS),
    (STAND_IN, STAND_IN_WORDS),
    (SERVICE, crate::vendors::NAMES),
];

/// Whether a word in lower case has a meaning.
pub(crate) fn means(word: &str, meaning: u8) -> bool {
    static MEANINGS: OnceLock<HashMap<&'static str, u8>> = OnceLock::new();
    let meanings = MEANINGS.get_or_init(|| {
        let mut all = HashMap::new();
        for (meaning, words) in WORDS {
            for word in words.split_whitespace() {
                *all.entry(word).or_default() |= meaning;
            }
        }
        all
    });
    meanings.get(word).is_some_and(|m| m & meaning != 0)
}

const ABOUT_WORDS: &str = "
    count limit limits name names id ids type types path paths url uri file files filename dir
    policy ttl ref refs size length len index idx num max min expiry expires exp expiration timeout
    version format field fields prefix suffix label column store manager provider service endpoint
    host port algorithm alg usage vault event press pressed down up map list set kind status state
    error class method mode required enabled disabled validator strength reset hint rotation created
    updated at date time scopes scope issuer audience link page info desc description comment title
    placeholder template pattern regex schema ring board stroke frame space word words point based
    bits identifier tag selector domain exclusions handler callback middleware controller guard
    checksum chksum digest fingerprint thumbprint wakeup rule rules test tests config dialog form
    button view request response message msg group hash context example attempts budget window cost
    price plan tokens cookies keys sessions table code codes stdin
";

const HARMLESS_WORDS: &str = "
    public pub publishable foreign primary sort partition bucket cache row hash next page pad eos
    bos unk max min num total prompt completion input output idempotency translation i18n locale
    monkey turkey hot short host known object lookup group dedupe query unique index map dict item
    node pubkey publickey continuation turn
";

const STRONG_BEFORE_WORDS: &str = "
    api secret private access auth authentication refresh bearer session id client encryption
    signing sign master account deploy license licence webhook shared app application admin consumer
    server oauth oauth2 security ssh subscription user personal bot project deployment root db
    integration global ingest write read storage encrypt unseal recovery preshared ssl tls jwt hmac
    aes kms
";

const STAND_IN_WORDS: &str = "
    password passwd pass passphrase pwd secret secrets token tokens key apikey api_key credential
    credentials none null nil true false undefined empty string str text user username required
    optional hidden masked redacted removed default test testing value values foo bar baz hmm todo
    tbd n/a yes no on off enabled disabled private public missing invalid expired valid unknown
    object bytes number boolean basic bearer basic_auth not-set notset unset author admin root
    localhost prompt auto manual bcrypt argon2 sha256 sha512 md5 base64 utf8 utf-8 plaintext
    encrypted environment stdin
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_meanings() {
        assert!(means("count", ABOUT) && means("public", HARMLESS) && means("api", STRONG_BEFORE));
        assert!(means("changeme", STAND_IN) || means("password", STAND_IN));
        assert!(!means("zebra", ABOUT | HARMLESS | STRONG_BEFORE | STAND_IN));
    }
}
