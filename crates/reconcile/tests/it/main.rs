//! The reconciler over a store whose answers are scripted, in paused time.

mod driver;
mod scripted;
