//! Opens the database of an OpenClaw agent: read-only, and only the tables that hold sessions.

use std::path::Path;

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Connection, OpenFlags};

/// The tables that may be read. Everything else, credentials above all, is refused by SQLite itself.
const TABLES: [&str; 7] = [
    "session_nodes",
    "session_windows",
    "transcript_events",
    "transcript_rewrite_watermarks",
    "session_transcript_archives",
    "sqlite_master",
    "sqlite_schema",
];

/// The database, and which of its columns are there: the schema grows with OpenClaw.
pub(crate) struct AgentDatabase {
    connection: Connection,
}

impl AgentDatabase {
    /// Opens it. Nothing is written: where no other process has it open (there is no write-ahead log), not even the
    /// files that SQLite makes beside a database.
    ///
    /// # Errors
    /// What SQLite says.
    pub(crate) fn open(path: &Path) -> rusqlite::Result<AgentDatabase> {
        let log = with_suffix(path, "-wal");
        let quiet = std::fs::metadata(&log).map_or(true, |log| log.len() == 0);
        let first = if quiet { immutable(path) } else { plain(path) };
        // A log in a place where we may not write cannot be read; what is in the file itself can.
        let mut connection = first.or_else(|_| immutable(path))?;
        connection.authorizer(Some(permit))?;
        Ok(AgentDatabase { connection })
    }

    /// The connection.
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Whether the table is there with all these columns.
    pub(crate) fn has(&self, table: &str, columns: &[&str]) -> bool {
        columns.iter().all(|column| {
            // Preparing checks names without reading a row. Both come from this crate's source.
            self.connection.prepare(&format!("SELECT {table}.{column} FROM {table} LIMIT 0")).is_ok()
        })
    }
}

fn permit(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Function { .. } | AuthAction::Transaction { .. } => {
            Authorization::Allow
        }
        AuthAction::Read { table_name, .. } if TABLES.contains(&table_name) => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

fn plain(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
    Ok(connection)
}

fn immutable(path: &Path) -> rusqlite::Result<Connection> {
    let mut uri = String::from("file:");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri.push_str("?immutable=1");
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(uri, flags)?;
    connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
    Ok(connection)
}

/// The path with more at its end.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
