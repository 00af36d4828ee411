//! Search: who sees what, what is there, the hits, and the answer within its bounds (CONTRACT 2).
//!
//! | file | holds |
//! | --- | --- |
//! | `request`, `response` | what is asked and answered |
//! | `survey` | which stores are asked, and what they know of the query's words |
//! | `find` | hits of all stores, checked again, in order |
//! | `merge` | copies, caps and order over several stores (pure) |
//! | `show` | from a stored message to a hit that may leave |
//! | `widen`, `near`, `hints` | why there is nothing, and what would help |
//! | `bound` | the last step: bytes |

mod bound;
mod find;
mod hints;
mod merge;
mod near;
mod request;
mod response;
mod show;
mod survey;
mod widen;

use session_search_core::store::Matching;

pub use request::{MAX_PROJECT_BYTES, SearchRequest};
pub use response::{CopyPlace, Hit, SearchResponse};

use crate::context::Context;
use crate::error::ApiError;
use crate::reach::Purpose;
use crate::session_search::Inner;
use find::{Job, Known, Outcome};

impl Inner {
    /// Answers a search.
    pub(crate) async fn search(
        &self,
        context: &Context,
        request: &SearchRequest,
    ) -> Result<SearchResponse, ApiError> {
        let checked = request::check(context, request)?;
        let view = self.view(context, Purpose::Search).await?;
        let ground = self.ground(context, &view, request).await?;
        let mut job = Job::new(context, &view, &ground, checked);
        let (survey, found) = self.survey(&view, &ground, &job).await?;
        job.take(&survey);
        let mut outcome = self.find(&job, Matching::All, found).await;
        if outcome.shown.is_empty() && job.may_relax() && !job.asked.strict {
            outcome = self.find(&job, Matching::Most, Known::new()).await;
            outcome.relaxed = !outcome.shown.is_empty();
        }
        let hints = self.hints(context, request, &ground, &job, &survey, &outcome).await;
        let Outcome { shown, left_out, relaxed, failed } = outcome;
        let response = SearchResponse {
            results: Vec::new(),
            truncated: left_out,
            relaxed,
            indexing: survey.pending,
            warning: survey.warning(context, failed),
            hints,
        };
        Ok(bound::bound(response, shown, job.asked.limit))
    }
}
