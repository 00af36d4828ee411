//! Who asks, and under which rules. Comes from the host, never from a request.

use jiff::tz::TimeZone;
use session_search_core::SessionName;
use session_search_core::visibility::{Caller, Policy};

/// On whose behalf a request is made, and how it is answered.
///
/// ```
/// use session_search_api::Context;
/// assert!(Context::operator().is_operator());
/// ```
#[derive(Debug, Clone)]
pub struct Context {
    caller: Caller,
    policy: Policy,
    zone: TimeZone,
    show_secrets: bool,
}

impl Context {
    /// The person at the command line, who sees everything, scrubbed. Times without a zone are UTC.
    #[must_use]
    pub fn operator() -> Context {
        Context {
            caller: Caller::Operator,
            policy: Policy::default(),
            zone: TimeZone::UTC,
            show_secrets: false,
        }
    }

    /// A session, under the host's policy. Times without a zone are UTC.
    #[must_use]
    pub fn session(name: SessionName, policy: Policy) -> Context {
        Context { caller: Caller::Session(name), policy, zone: TimeZone::UTC, show_secrets: false }
    }

    /// The same, with times without a zone read in this one.
    #[must_use]
    pub fn in_zone(mut self, zone: TimeZone) -> Context {
        self.zone = zone;
        self
    }

    /// The same, with history not scrubbed. Has no effect but for the operator.
    #[must_use]
    pub fn showing_secrets(mut self) -> Context {
        self.show_secrets = true;
        self
    }

    /// Whether it is the operator who asks.
    #[must_use]
    pub fn is_operator(&self) -> bool {
        self.caller == Caller::Operator
    }

    /// Who asks.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The host's rules for callers.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    pub(crate) fn zone(&self) -> &TimeZone {
        &self.zone
    }

    pub(crate) fn shows_secrets(&self) -> bool {
        self.show_secrets && self.is_operator()
    }

    /// The session that asks, where it is one.
    pub(crate) fn session_name(&self) -> Option<&SessionName> {
        match &self.caller {
            Caller::Operator => None,
            Caller::Session(name) => Some(name),
        }
    }
}
