//! The SQLite store as a whole: the contract suite, opening, erasure, crashes, other processes.

mod contract;
mod crash;
mod erasure;
mod opening;
mod support;
