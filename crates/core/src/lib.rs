//! Sessions, transcripts, words, queries, visibility and limits: the pure heart of session-search
