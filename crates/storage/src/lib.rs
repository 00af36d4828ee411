//! The SQLite store of session-search: transcripts and their full-text index in one file
