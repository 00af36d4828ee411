//! An in-memory store, generators and the contract suite that every store passes
