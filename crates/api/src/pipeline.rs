//! The pipeline that stores are opened with: scrub the whole message, then split it into words.

use std::fmt;
use std::sync::Arc;

use session_search_core::words::{self, Prepared, Token};
use session_search_core::{PipelineVersion, TextPipeline};
use session_search_redact::{Redactor, markers};

/// Scrubs, then splits into words; markers are no words.
///
/// ```
/// use session_search_api::ScrubbedWords;
/// use session_search_core::TextPipeline;
/// let pipeline = ScrubbedWords::new(session_search_redact::Redactor::built_in().into());
/// assert_eq!(pipeline.prepare("Deploy failed").terms, "deploy failed");
/// ```
#[derive(Clone)]
pub struct ScrubbedWords {
    redactor: Arc<Redactor>,
}

impl ScrubbedWords {
    /// A pipeline with these rules.
    #[must_use]
    pub fn new(redactor: Arc<Redactor>) -> ScrubbedWords {
        ScrubbedWords { redactor }
    }
}

impl TextPipeline for ScrubbedWords {
    fn version(&self) -> PipelineVersion {
        PipelineVersion::new(words::WORDS_VERSION, &self.redactor.version())
    }

    fn prepare(&self, text: &str) -> Prepared {
        let scrubbed = self.redactor.scrub(text).text;
        words::prepare(&scrubbed, &markers(&scrubbed))
    }

    fn tokens(&self, text: &str) -> (String, Vec<Token>) {
        let scrubbed = self.redactor.scrub(text).text.into_owned();
        let tokens = words::tokens(&scrubbed, &markers(&scrubbed));
        (scrubbed, tokens)
    }
}

impl fmt::Debug for ScrubbedWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ScrubbedWords({})", self.version())
    }
}
