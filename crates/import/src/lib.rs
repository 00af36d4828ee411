//! Readers for the transcript formats that agents leave on disk
