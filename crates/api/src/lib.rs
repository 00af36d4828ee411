//! The use cases of session-search: search, history, list, append, delete, import
