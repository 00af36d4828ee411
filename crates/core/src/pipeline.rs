//! The port through which a store turns text into index entries, so that it knows neither the rules of redaction
//! nor those of words.

use std::fmt;

/// Versions of the two halves of the pipeline; part of the name of the full-text table, since a deletion must
/// give the table exactly what was inserted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PipelineVersion(String);

impl PipelineVersion {
    /// Joins the version of the words and that of the redaction rules. Characters other than `a-z`, `0-9` and
    /// `_` in `rules` are replaced by `_`: the result goes into the name of a table.
    ///
    /// ```
    /// use session_search_core::PipelineVersion;
    /// assert_eq!(PipelineVersion::new(3, "7").as_str(), "w3_r7");
    /// assert_eq!(PipelineVersion::new(3, "7-A\"").as_str(), "w3_r7_a_");
    /// ```
    #[must_use]
    pub fn new(words: u32, rules: &str) -> PipelineVersion {
        let clean = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let rules: String = rules.chars().map(clean).take(40).collect();
        PipelineVersion(format!("w{words}_r{rules}"))
    }

    /// As text: `a-z`, `0-9` and `_` only.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PipelineVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Scrubs a whole message and splits it into words. Pure: the same text always gives the same answer under the
/// same version.
pub trait TextPipeline: Send + Sync {
    /// The versions of its halves.
    fn version(&self) -> PipelineVersion;

    /// The index entry of a message's searchable text.
    fn prepare(&self, text: &str) -> crate::words::Prepared;

    /// The tokens that [`TextPipeline::prepare`] writes, with the scrubbed text they lie in: what the in-memory
    /// store searches, and what decides whether a hit still holds.
    fn tokens(&self, text: &str) -> (String, Vec<crate::words::Token>);
}
