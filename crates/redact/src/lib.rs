//! Finds credentials in text and replaces them by markers.
//!
//! A marker is `[REDACTED:kind]`: fixed, of a known kind, with nothing of the secret in it. Scrubbing twice equals
//! scrubbing once, and valid JSON stays valid, because a find never takes the quotes, escapes and brackets around it.
//!
//! How a text is scanned, and where to change it:
//!
//! 1. `engine`: one Aho-Corasick automaton over all keywords; a keyword calls for an action.
//! 2. `scan`: runs the actions. A row of the table (`rules/`) is tried only where its keyword stands; names with values
//!    (`assign`, `keyname`, `literal`), URLs (`url`), headers and cookies (`header`), command lines (`flags`), private
//!    keys (`pem`), cards (`card`) and recovery phrases (`phrase`) are parsed by hand. `value` says what a secret looks
//!    like and what only stands for one.
//! 3. `view`: other readings of the text, made only where there is something to undo: unseen and look-alike characters,
//!    highlighting, percent and JSON escapes, wrapped lines. Finds are mapped back.
//! 4. `repeat`: copies of what was found. `edges`: what a cut left at either end.
//! 5. `span`: overlapping finds become one, markers stay. The whole is repeated on the result until nothing is found,
//!    which makes scrubbing idempotent.
//!
//! Everything works on bytes, in time linear in the text: hand-written loops are bounded, patterns run in windows.
//! A panic or a text beyond [`MAX_BYTES`] gives [`UNAVAILABLE`], never the text. No text is put in errors or logs, and
//! panics have no text to put: slices are of bytes.
//!
//! ```
//! use session_search_redact::Redactor;
//! let token = ["ghp", "_", "m4Xv9TqL2wRk8ZcN6bHd3YsJ7fPg5KtWe1Qa"].concat();
//! let text = format!("push with {token} please");
//! let scrubbed = Redactor::built_in().scrub(&text);
//! assert_eq!(scrubbed.text, "push with [REDACTED:github-token] please");
//! ```

mod assign;
mod card;
mod chars;
mod config;
mod decode;
pub mod display;
mod edges;
mod engine;
mod flags;
mod header;
mod keyname;
mod literal;
mod marker;
mod pem;
mod phrase;
mod redactor;
mod repeat;
mod rules;
mod scan;
mod span;
mod table;
mod url;
mod value;
mod vendors;
mod view;
mod words;

pub use config::ConfigError;
pub use edges::Edges;
pub use marker::{UNAVAILABLE, is_marker, kinds, markers};
pub use redactor::{Finding, MAX_BYTES, Redactor, Scrubbed};
pub use table::{RuleInfo, rule_table};

/// The version of the rules. Part of the version of the index: every change of what is found raises it.
pub const RULES_VERSION: u32 = 3;
