//! Opening connections: rights, pragmas, and places that can only be read.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use session_search_core::{ErrorKind, StoreError};

use crate::error::{Result, Tried};
use crate::options::{OpenMode, OpenOptions, Synchronous};
use crate::schema::{self, Found};

/// How connections to a store are made.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    path: PathBuf,
    options: OpenOptions,
    access: Access,
}

/// What the place allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reads and writes.
    Write,
    /// Reads only.
    Read,
    /// Reads only, and nothing can lie beside the file: nobody changes it.
    Immutable,
}

const NO_MUTEX: OpenFlags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
/// Pages kept in memory by each connection, in KiB: grows to this as they are read.
const CACHE_KIB: i64 = 24 << 10;
/// Statements kept prepared on each connection.
const STATEMENTS: usize = 128;

impl Place {
    /// Looks at the place, makes the store where that is wanted, and returns a first connection for reading.
    pub(crate) fn open(path: &Path, options: &OpenOptions) -> Result<(Place, Connection)> {
        let shown = path.display().to_string();
        check_kind(path, &shown)?;
        let mut place = Place { path: path.to_owned(), options: options.clone(), access: Access::Read };
        if let OpenMode::ReadWrite { create } = options.mode {
            if !path.exists() {
                if !create {
                    return Err(StoreError::new(
                        ErrorKind::NotFound,
                        format!("there is no store at {shown}"),
                    ));
                }
                make_file(path, &shown)?;
            }
            if is_writable(path) {
                place.access = Access::Write;
                let conn = place.writing_at_open(&shown)?;
                return Ok((place, conn));
            }
        }
        if !path.exists() {
            return Err(StoreError::new(ErrorKind::NotFound, format!("there is no store at {shown}")));
        }
        let conn = place.first_reader(&shown)?;
        Ok((place, conn))
    }

    /// Whether the store can be read only.
    pub(crate) fn read_only(&self) -> bool {
        self.access != Access::Write
    }

    /// A connection that writes.
    pub(crate) fn writer(&self) -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | NO_MUTEX;
        let conn = Connection::open_with_flags(&self.path, flags).tried("open the store for writing")?;
        self.prepare(&conn)?;
        let level = if self.options.synchronous == Synchronous::Full { "FULL" } else { "NORMAL" };
        conn.pragma_update(None, "synchronous", level).tried("set how durable transactions are")?;
        Ok(conn)
    }

    /// A connection that only reads.
    pub(crate) fn reader(&self) -> Result<Connection> {
        let what = format!("open {} for reading", self.path.display());
        let conn = if self.access == Access::Immutable {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | NO_MUTEX;
            Connection::open_with_flags(immutable_uri(&self.path), flags).tried(&what)?
        } else {
            Connection::open_with_flags(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY | NO_MUTEX)
                .tried(&what)?
        };
        self.prepare(&conn)?;
        conn.pragma_update(None, "query_only", true).tried(&what)?;
        Ok(conn)
    }

    fn prepare(&self, conn: &Connection) -> Result<()> {
        let what = "set up a connection";
        conn.busy_timeout(self.options.busy_wait).tried(what)?;
        conn.set_prepared_statement_cache_capacity(STATEMENTS);
        // Nothing deleted stays in the file, and nothing is spilled to temporary files.
        conn.pragma_update(None, "secure_delete", true).tried(what)?;
        conn.pragma_update(None, "temp_store", "MEMORY").tried(what)?;
        conn.pragma_update(None, "cache_size", -CACHE_KIB).tried(what)?;
        conn.pragma_update(None, "foreign_keys", false).tried(what)?;
        // Plans do not depend on what is bound: else SQLite would plan anew for every other value.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).tried(what)?;
        crate::rank::register(conn).tried("register the ranking pass")
    }

    fn writing_at_open(&self, shown: &str) -> Result<Connection> {
        let mut conn = self.writer()?;
        match schema::inspect(&conn, shown)? {
            Found::Store(version) if version == schema::newest() => {}
            _ => {
                let mode: String = conn
                    .query_row("PRAGMA journal_mode=WAL", [], |row| row.get(0))
                    .tried(&format!("set up {shown}"))?;
                if mode != "wal" {
                    let message =
                        format!("{shown} cannot keep a write-ahead log; put the store on a local disk");
                    return Err(StoreError::new(ErrorKind::Io, message));
                }
                schema::migrate(&mut conn, shown)?;
            }
        }
        Ok(conn)
    }

    /// Finds out how the file can be read.
    fn first_reader(&mut self, shown: &str) -> Result<Connection> {
        let attempt = |place: &Place| -> Result<Connection> {
            let conn = place.reader()?;
            match schema::inspect(&conn, shown)? {
                Found::Store(version) if version == schema::newest() => Ok(conn),
                Found::Store(_) => Err(StoreError::new(
                    ErrorKind::ReadOnly,
                    format!(
                        "{shown} has an older schema and cannot be written; open it once where it can be"
                    ),
                )),
                Found::Empty => {
                    Err(StoreError::new(ErrorKind::Corrupt, format!("{shown} is empty; it is no store")))
                }
            }
        };
        let first = attempt(self);
        let Err(error) = first else { return first };
        // A write-ahead log needs a file beside it; where none can be made and no log lies there, the file is all.
        let readable = access::readable(&self.path);
        let log = beside(&self.path, "-wal");
        let alone = !fs::metadata(&log).is_ok_and(|meta| meta.len() > 0);
        if matches!(error.kind(), ErrorKind::Io | ErrorKind::ReadOnly) && readable && alone {
            self.access = Access::Immutable;
            return attempt(self);
        }
        Err(error)
    }
}

/// The path with something put behind its name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn check_kind(path: &Path, shown: &str) -> Result<()> {
    match fs::metadata(path) {
        Ok(meta) if !meta.is_file() => {
            let message = format!("{shown} is no file; name the file of a store");
            Err(StoreError::new(ErrorKind::Corrupt, message))
        }
        Ok(meta) if meta.len() > 0 && !begins_like_a_database(path) => {
            let message =
                format!("{shown} is no database; move it away, or put a copy of the store in its place");
            Err(StoreError::new(ErrorKind::Corrupt, message))
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => {
            let message = format!("cannot look at {shown}; check its rights and those of its directory");
            Err(StoreError::new(ErrorKind::Io, message).with_source(error))
        }
    }
}

/// Whether the file has SQLite's magic at its beginning. One that cannot be read is left to the opening, which says why.
fn begins_like_a_database(path: &Path) -> bool {
    let Ok(mut file) = fs::File::open(path) else { return true };
    let mut magic = [0; 16];
    match file.read_exact(&mut magic) {
        Ok(()) => magic == *b"SQLite format 3\0",
        Err(error) => error.kind() != std::io::ErrorKind::UnexpectedEof,
    }
}

/// Makes the directory (0700) and the empty file (0600) before SQLite does, so that the rights are ours.
fn make_file(path: &Path, shown: &str) -> Result<()> {
    let failed = |error: std::io::Error| {
        let kind = match error.kind() {
            std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
                ErrorKind::ReadOnly
            }
            std::io::ErrorKind::StorageFull => ErrorKind::Full,
            _ => ErrorKind::Io,
        };
        StoreError::new(kind, format!("cannot make {shown}; check its directory")).with_source(error)
    };
    if let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(directory).map_err(failed)?;
    }
    let mut open = fs::OpenOptions::new();
    open.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    open.open(path).map(drop).map_err(failed)
}

/// Whether the file, and so what lies beside it, can be written. Opens nothing: closing any descriptor of a file
/// would drop the locks that other connections of this process hold on it.
fn is_writable(path: &Path) -> bool {
    let directory = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    access::writable(path) && access::writable(directory)
}

mod access {
    use std::path::Path;

    #[cfg(unix)]
    pub(super) fn writable(path: &Path) -> bool {
        rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
    }

    #[cfg(unix)]
    pub(super) fn readable(path: &Path) -> bool {
        rustix::fs::access(path, rustix::fs::Access::READ_OK).is_ok()
    }

    #[cfg(not(unix))]
    pub(super) fn readable(path: &Path) -> bool {
        path.is_file()
    }

    #[cfg(not(unix))]
    pub(super) fn writable(path: &Path) -> bool {
        std::fs::metadata(path).is_ok_and(|meta| !meta.permissions().readonly())
    }
}

fn immutable_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(*byte))
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    uri
}
