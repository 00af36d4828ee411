//! The baseline: one plain FTS5 table with the text in it, ranked by `bm25()` and shown by `snippet()`.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, Result, params, params_from_iter};

use crate::corpus::Message;

/// A stock full-text table in a file of its own.
pub(crate) struct Stock {
    connection: Connection,
}

/// Which messages a stock search asks for.
pub(crate) enum Ask<'a> {
    /// `MATCH`, best first.
    Relevance(&'a str),
    /// `MATCH`, newest first.
    Recent(&'a str),
    /// `MATCH` among these sessions, best first.
    Within(&'a str, &'a [String]),
    /// `LIKE`: what remains for text without spaces.
    Like(&'a str),
}

impl Stock {
    /// Makes the table and fills it in one transaction.
    pub(crate) fn build(path: &Path, messages: &[Message]) -> Result<Stock> {
        let mut connection = Connection::open(path)?;
        connection.execute_batch(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
             CREATE VIRTUAL TABLE stock USING fts5(text, session_id UNINDEXED, message_id UNINDEXED, role UNINDEXED,
               timestamp UNINDEXED, tokenize='unicode61 remove_diacritics 2');",
        )?;
        let transaction = connection.transaction()?;
        for message in messages {
            insert(&transaction, message)?;
        }
        transaction.commit()?;
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?;
        Ok(Stock { connection })
    }

    /// A table that is there.
    pub(crate) fn open(path: &Path) -> Result<Stock> {
        Ok(Stock { connection: Connection::open(path)? })
    }

    /// Runs one search and reads all it returns; the number of hits.
    pub(crate) fn search(&self, ask: &Ask<'_>, limit: usize) -> Result<usize> {
        const HEAD: &str =
            "SELECT session_id, message_id, role, timestamp, snippet(stock, 0, '', '', '…', 48), bm25(stock)
             FROM stock WHERE ";
        let (tail, values): (String, Vec<Value>) = match ask {
            Ask::Relevance(query) => {
                ("stock MATCH ? ORDER BY bm25(stock)".into(), vec![Value::Text((*query).into())])
            }
            Ask::Recent(query) => {
                ("stock MATCH ? ORDER BY timestamp DESC".into(), vec![Value::Text((*query).into())])
            }
            Ask::Within(query, sessions) => {
                let marks = vec!["?"; sessions.len()].join(",");
                let mut values = vec![Value::Text((*query).into())];
                values.extend(sessions.iter().map(|session| Value::Text(session.clone())));
                (format!("stock MATCH ? AND session_id IN ({marks}) ORDER BY bm25(stock)"), values)
            }
            Ask::Like(text) => {
                let sql = "SELECT session_id, message_id, role, timestamp, substr(text, 1, 300), 0
                           FROM stock WHERE text LIKE '%' || ? || '%' ORDER BY timestamp DESC LIMIT ?";
                return self.count(sql, vec![Value::Text((*text).into()), limit_value(limit)]);
            }
        };
        let mut values = values;
        values.push(limit_value(limit));
        self.count(&format!("{HEAD}{tail} LIMIT ?"), values)
    }

    fn count(&self, sql: &str, values: Vec<Value>) -> Result<usize> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        let mut count = 0;
        while let Some(row) = rows.next()? {
            let _: (String, String, String, i64, String, f64) =
                (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?);
            count += 1;
        }
        Ok(count)
    }

    /// Deletes a session's rows one by one with `secure-delete` on, and checkpoints.
    pub(crate) fn delete_session(&mut self, session: &str) -> Result<usize> {
        self.connection.execute_batch(
            "PRAGMA secure_delete=ON; INSERT INTO stock(stock, rank) VALUES('secure-delete', 1);",
        )?;
        let rows: Vec<i64> = {
            let mut statement = self.connection.prepare("SELECT rowid FROM stock WHERE session_id = ?")?;
            let found = statement.query_map([session], |row| row.get(0))?;
            found.collect::<Result<_>>()?
        };
        for row in &rows {
            self.connection.execute("DELETE FROM stock WHERE rowid = ?", [row])?;
        }
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(rows.len())
    }
}

fn limit_value(limit: usize) -> Value {
    Value::Integer(i64::try_from(limit).unwrap_or(i64::MAX))
}

fn insert(connection: &Connection, message: &Message) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO stock(text, session_id, message_id, role, timestamp) VALUES (?, ?, ?, ?, ?)",
    )?;
    statement.execute(params![
        message.text,
        message.session_key(),
        message.id(),
        message.role.as_str(),
        message.timestamp.0
    ])?;
    Ok(())
}

/// A plain table with the same columns and no index: what a durable append costs without full-text search.
pub(crate) struct Plain {
    connection: Connection,
}

impl Plain {
    /// Makes the table, with the same durability as the store.
    pub(crate) fn build(path: &Path) -> Result<Plain> {
        let connection = Connection::open(path)?;
        connection.execute_batch(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
             CREATE TABLE plain(id INTEGER PRIMARY KEY, session_id TEXT, message_id TEXT, role TEXT, timestamp INTEGER,
               parent TEXT, raw TEXT, UNIQUE(session_id, message_id));",
        )?;
        Ok(Plain { connection })
    }

    /// One message, one durable transaction.
    pub(crate) fn append(&self, message: &Message, raw: &str) -> Result<()> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO plain(session_id, message_id, role, timestamp, parent, raw) VALUES (?, ?, ?, ?, ?, ?)",
        )?;
        statement.execute(params![
            message.session_key(),
            message.id(),
            message.role.as_str(),
            message.timestamp.0,
            Option::<String>::None,
            raw
        ])?;
        Ok(())
    }
}
