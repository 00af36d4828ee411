//! Text pipelines for tests: the words of core, with or without a rule that is easy to reason about.

use std::ops::Range;
use std::sync::Arc;

use session_search_core::words::{self, Prepared, Token};
use session_search_core::{PipelineVersion, TextPipeline};

/// What [`TestPipeline::scrubbing`] puts in the place of a secret.
pub const MARKER: &str = "[REDACTED:test]";
/// How a secret begins for [`TestPipeline::scrubbing`]: it runs to the end of the ASCII letters and digits.
pub const SECRET_PREFIX: &str = "sesame";

/// The words of core; nothing, or what begins with [`SECRET_PREFIX`], replaced by [`MARKER`].
///
/// ```
/// use session_search_core::TextPipeline;
/// use session_search_testkit::pipeline::TestPipeline;
/// let (text, tokens) = TestPipeline::scrubbing().tokens("open sesame123!");
/// assert_eq!(text, "open [REDACTED:test]!");
/// assert_eq!(tokens.len(), 1);
/// ```
#[derive(Debug, Clone)]
pub struct TestPipeline {
    rules: Option<u32>,
}

impl TestPipeline {
    /// Words as they stand.
    #[must_use]
    pub fn plain() -> Arc<TestPipeline> {
        Arc::new(TestPipeline { rules: None })
    }

    /// Secrets replaced, first version of the rule.
    #[must_use]
    pub fn scrubbing() -> Arc<TestPipeline> {
        TestPipeline::scrubbing_version(1)
    }

    /// Secrets replaced, under another version of the same rule.
    #[must_use]
    pub fn scrubbing_version(version: u32) -> Arc<TestPipeline> {
        Arc::new(TestPipeline { rules: Some(version) })
    }

    fn scrub(&self, text: &str) -> (String, Vec<Range<usize>>) {
        let (mut out, mut markers) = (String::with_capacity(text.len()), Vec::new());
        let mut rest = text;
        if self.rules.is_none() {
            return (rest.to_owned(), markers);
        }
        while let Some(at) = rest.find(SECRET_PREFIX) {
            out.push_str(&rest[..at]);
            markers.push(out.len()..out.len() + MARKER.len());
            out.push_str(MARKER);
            rest = rest[at..].trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        }
        out.push_str(rest);
        (out, markers)
    }
}

impl TextPipeline for TestPipeline {
    fn version(&self) -> PipelineVersion {
        let rules = self.rules.map_or_else(|| "test_plain".to_owned(), |version| format!("test_{version}"));
        PipelineVersion::new(words::WORDS_VERSION, &rules)
    }

    fn prepare(&self, text: &str) -> Prepared {
        let (text, markers) = self.scrub(text);
        words::prepare(&text, &markers)
    }

    fn tokens(&self, text: &str) -> (String, Vec<Token>) {
        let (text, markers) = self.scrub(text);
        let tokens = words::tokens(&text, &markers);
        (text, tokens)
    }
}
