//! The body of a response, in the form that hosts poll.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use docent_http::{Body, PIECE_SIZE};
use http_body::{Frame, SizeHint};

use crate::upload::RestOfBody;

/// The body of a response. Until it is dropped, its exchange is in progress and its room is taken.
///
/// If the request's body was not read to its end, the rest is read when this is dropped, so that a client that
/// is still sending gets to read the response.
pub struct ResponseBody {
    body: Body,
    /// The number of bytes still to be sent; `None` for events.
    left: Option<u64>,
    draining: Option<RestOfBody>,
}

impl ResponseBody {
    pub(crate) fn new(body: Body, draining: Option<RestOfBody>) -> Self {
        Self {
            left: body.length().map(|length| length as u64),
            body,
            draining,
        }
    }
}

impl http_body::Body for ResponseBody {
    type Data = Bytes;
    /// `TimedOut` if the caller reads too slowly.
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let piece = ready!(self.body.poll_piece(cx, PIECE_SIZE)).transpose()?;
        Poll::Ready(piece.map(|piece| {
            if let Some(left) = &mut self.left {
                *left = left.saturating_sub(piece.len() as u64);
            }
            Ok(Frame::data(piece))
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.left == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map_or_else(SizeHint::new, SizeHint::with_exact)
    }
}

impl Drop for ResponseBody {
    fn drop(&mut self) {
        // Hosts do not poll a body behind the length that it announces, so this is no part of polling.
        if let Some(draining) = self.draining.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(draining);
        }
    }
}

impl fmt::Debug for ResponseBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseBody")
            .field("left", &self.left)
            .finish_non_exhaustive()
    }
}
