//! Drives the background reconciliation of transcripts without an up-to-date index
