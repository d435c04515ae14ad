//! The limit that all listeners share.

/// The maximum number of connections that wait to be accepted.
pub(super) const MAX_BACKLOG: i32 = 1_024;
