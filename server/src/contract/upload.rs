//! The body of a request, which a carrier reads within the contract's bounds.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::response::After;
use super::waiting::Waiting;
use crate::options::HttpOptions;

/// A body that has not been read.
pub(crate) trait Upload {
    /// Reads all of it.
    fn read(&mut self, bounds: Bounds<'_>) -> impl Future<Output = Result<Bytes, Unread>>;

    /// Discards the body, and returns what to do with the connection: a client that is still sending
    /// does not read the response yet.
    fn skip(&mut self, options: &HttpOptions) -> impl Future<Output = After>;
}

/// What a body may take.
pub(crate) struct Bounds<'a> {
    /// The most bytes that it may have.
    pub(crate) bytes: usize,
    /// The time in which it has to arrive.
    pub(crate) time: Duration,
    /// Where it waits for its caller.
    pub(crate) waiting: &'a Arc<Waiting>,
}

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It is larger than allowed.
    TooLarge,
    /// It did not arrive in time.
    TooSlow,
    /// It ended early, or its transfer coding is broken.
    Broken,
    /// Its content coding is broken.
    Miscoded,
    /// It was dropped in favour of transfers that make progress.
    GivenUp,
}
