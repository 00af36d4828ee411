//! The ranking pass: a function of FTS5 that sees every match of a query and produces no row.
//!
//! `SELECT 1 FROM t WHERE t MATCH ? AND session_pass(t)` calls it once a match; it hands the match to a visitor of
//! ours and answers 0, so that SQLite goes on. For one phrase alone, `session_phrase` runs over all matches from
//! within FTS5. Reading the positions there costs a tenth of FTS5's own `bm25()`,
//! which looks up each row's length in a table.
//!
//! This is the only module with `unsafe`: the function talks to FTS5 through C pointers. What is safe about it:
//!
//! - A [`Matched`] lives only within one call of the visitor, on the thread of the statement.
//! - The visitor is reached through a thread-local set by [`scan`] for exactly as long as it steps the statement.
//! - Panics of the visitor are caught before they reach C.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use rusqlite::{Connection, ffi};

use crate::error::{Result, Tried, panicked};

/// Whether a pass goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// To the next match.
    Next,
    /// No further.
    Stop,
}

/// Sees the matches of a pass.
pub(crate) trait Visit {
    /// One match, in ascending order of rows.
    fn visit(&mut self, matched: &Matched<'_>) -> Flow;
}

/// A match, while the pass stands on it.
pub(crate) struct Matched<'a> {
    api: &'a ffi::Fts5ExtensionApi,
    context: *mut ffi::Fts5Context,
    alive: PhantomData<&'a ()>,
}

impl Matched<'_> {
    /// Its row id.
    #[inline]
    pub(crate) fn row(&self) -> i64 {
        // SAFETY: `context` is the one FTS5 called us with, and the call has not returned.
        self.api.xRowid.map_or(0, |row| unsafe { row(self.context) })
    }

    /// How often a phrase of the expression (numbered from 0, in the order written) occurs; counted up to `most`.
    #[inline]
    pub(crate) fn count(&self, phrase: usize, most: u32) -> u32 {
        let mut count = 0;
        self.each_position(phrase, |_| {
            count += 1;
            count < most
        });
        count
    }

    /// Calls `take` with the position of every occurrence of a phrase, while it answers `true`.
    #[inline]
    pub(crate) fn each_position(&self, phrase: usize, mut take: impl FnMut(u32) -> bool) {
        let (Some(first), Some(next)) = (self.api.xPhraseFirst, self.api.xPhraseNext) else { return };
        let Ok(phrase) = c_int::try_from(phrase) else { return };
        let mut place = ffi::Fts5PhraseIter { a: ptr::null(), b: ptr::null() };
        let (mut column, mut offset) = (-1, -1);
        // SAFETY: as in `row`; the out-parameters are ours and live through the call. FTS5 checks the number.
        let code = unsafe { first(self.context, phrase, &raw mut place, &raw mut column, &raw mut offset) };
        if code != ffi::SQLITE_OK {
            return;
        }
        while column >= 0 {
            if !take(u32::try_from(offset).unwrap_or(0)) {
                return;
            }
            // SAFETY: `place` was filled by `first` for this same match.
            unsafe { next(self.context, &raw mut place, &raw mut column, &raw mut offset) };
        }
    }
}

/// The visitor of the statement that this thread steps.
#[derive(Clone, Copy)]
struct Current {
    visitor: *mut c_void,
    call: fn(*mut c_void, &Matched<'_>) -> Flow,
    panicked: bool,
}

thread_local! {
    static CURRENT: Cell<Option<Current>> = const { Cell::new(None) };
}

/// Puts the outer visitor back, also when a step fails.
struct Restore(Option<Current>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// All row ids.
pub(crate) const ALL_ROWS: (i64, i64) = (0, i64::MAX);

/// Runs one pass over the matches of `expression` in `table`, among the row ids `rows` (inclusive). `single`: the
/// expression is one phrase, so that FTS5 can be asked to run over it without SQL in between.
pub(crate) fn scan<V: Visit>(
    conn: &Connection,
    table: &str,
    expression: &str,
    rows: (i64, i64),
    single: bool,
    visitor: &mut V,
) -> Result<()> {
    let sql = if single && rows == ALL_ROWS {
        format!(
            "SELECT session_phrase({table}) FROM {table} WHERE {table} MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT 1"
        )
    } else {
        format!(
            "SELECT 1 FROM {table} WHERE {table} MATCH ?1 AND rowid BETWEEN ?2 AND ?3 AND session_pass({table})"
        )
    };
    let mut statement = conn.prepare_cached(&sql).tried("prepare a search")?;
    let call = |visitor: *mut c_void, matched: &Matched<'_>| {
        // SAFETY: `visitor` is the `&mut V` below; `scan` holds it for as long as CURRENT names it, and the
        // statement is stepped nowhere else, so that no other reference to it is used meanwhile.
        unsafe { &mut *visitor.cast::<V>() }.visit(matched)
    };
    let outer =
        CURRENT.replace(Some(Current { visitor: ptr::from_mut(visitor).cast(), call, panicked: false }));
    let restore = Restore(outer);
    let outcome = statement.query((expression, rows.0, rows.1)).and_then(|mut rows| rows.next().map(|_| ()));
    let failed = CURRENT.get().is_some_and(|current| current.panicked);
    drop(restore);
    if failed {
        return Err(panicked());
    }
    outcome.tried("search the index")
}

/// Makes the functions known to a connection.
pub(crate) fn register(conn: &Connection) -> rusqlite::Result<()> {
    let api = fts5_api(conn)?;
    let failed = |code| rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
    let functions: [(&CStr, ffi::fts5_extension_function); 2] =
        [(c"session_pass", Some(session_pass)), (c"session_phrase", Some(session_phrase))];
    for (name, function) in functions {
        // SAFETY: `fts5_api` returned a pointer that lives as long as the connection; the name is a C string; the
        // function has the signature that FTS5 wants and no user data.
        let code = unsafe {
            let create = (*api).xCreateFunction.ok_or_else(|| failed(ffi::SQLITE_MISUSE))?;
            create(api, name.as_ptr().cast::<c_char>(), ptr::null_mut(), function, None)
        };
        if code != ffi::SQLITE_OK {
            return Err(failed(code));
        }
    }
    Ok(())
}

/// Asks the connection for its FTS5, by the documented `SELECT fts5(?1)` with a pointer to fill.
fn fts5_api(conn: &Connection) -> rusqlite::Result<*mut ffi::fts5_api> {
    let failed = |code| rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
    let mut api: *mut ffi::fts5_api = ptr::null_mut();
    let mut statement: *mut ffi::sqlite3_stmt = ptr::null_mut();
    // SAFETY: plain use of the C interface on a connection that is open; the statement is finalized on every way
    // out; `api` outlives the statement that fills it.
    let code = unsafe {
        let mut code = ffi::sqlite3_prepare_v2(
            conn.handle(),
            c"SELECT fts5(?1)".as_ptr(),
            -1,
            &raw mut statement,
            ptr::null_mut(),
        );
        if code == ffi::SQLITE_OK {
            code = ffi::sqlite3_bind_pointer(
                statement,
                1,
                (&raw mut api).cast::<c_void>(),
                c"fts5_api_ptr".as_ptr(),
                None,
            );
        }
        if code == ffi::SQLITE_OK {
            ffi::sqlite3_step(statement);
        }
        let finalized = ffi::sqlite3_finalize(statement);
        if code == ffi::SQLITE_OK { finalized } else { code }
    };
    if code != ffi::SQLITE_OK {
        return Err(failed(code));
    }
    if api.is_null() { Err(failed(ffi::SQLITE_MISUSE)) } else { Ok(api) }
}

/// Shows a match to the visitor; `None` where there is none, or where it panicked.
fn show(api: *const ffi::Fts5ExtensionApi, context: *mut ffi::Fts5Context) -> Option<Flow> {
    let current = CURRENT.get()?;
    // SAFETY: FTS5 passes its own interface, which is static, and a context that is good for this call.
    let matched = Matched { api: unsafe { &*api }, context, alive: PhantomData };
    let flow = catch_unwind(AssertUnwindSafe(|| (current.call)(current.visitor, &matched))).ok();
    if flow.is_none() {
        CURRENT.set(Some(Current { panicked: true, ..current }));
    }
    flow
}

/// What FTS5 calls for each match of a statement.
unsafe extern "C" fn session_pass(
    api: *const ffi::Fts5ExtensionApi,
    context: *mut ffi::Fts5Context,
    result: *mut ffi::sqlite3_context,
    _count: c_int,
    _values: *mut *mut ffi::sqlite3_value,
) {
    let flow = show(api, context);
    // SAFETY: `result` is the context of this call of the function.
    unsafe {
        match flow {
            Some(Flow::Next) => ffi::sqlite3_result_int(result, 0),
            Some(Flow::Stop) => ffi::sqlite3_result_int(result, 1),
            None => ffi::sqlite3_result_error_code(result, ffi::SQLITE_ABORT),
        }
    }
}

/// What FTS5 calls for the first match of a statement of one phrase: runs over all matches of that phrase.
unsafe extern "C" fn session_phrase(
    api: *const ffi::Fts5ExtensionApi,
    context: *mut ffi::Fts5Context,
    result: *mut ffi::sqlite3_context,
    _count: c_int,
    _values: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: the interface is static, `context` good for this call and `result` its context; the callback has the
    // signature that FTS5 wants.
    unsafe {
        let code = match (*api).xQueryPhrase {
            Some(query) => query(context, 0, ptr::null_mut(), Some(one_of_phrase)),
            None => ffi::SQLITE_MISUSE,
        };
        if code != ffi::SQLITE_OK {
            ffi::sqlite3_result_error_code(result, code);
        }
    }
}

/// What FTS5 calls for each match of a phrase.
unsafe extern "C" fn one_of_phrase(
    api: *const ffi::Fts5ExtensionApi,
    context: *mut ffi::Fts5Context,
    _data: *mut c_void,
) -> c_int {
    match show(api, context) {
        Some(Flow::Next) => ffi::SQLITE_OK,
        Some(Flow::Stop) => ffi::SQLITE_DONE,
        None => ffi::SQLITE_ABORT,
    }
}
