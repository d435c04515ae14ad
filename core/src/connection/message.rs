//! The messages that a connection sends.

use crate::service::{Reply, ReplyBody};

/// A message of a connection to its peer. A carrier writes the bodies of messages one after the other, in its own framing.
#[derive(Debug)]
#[non_exhaustive]
pub enum OutgoingMessage {
    /// The response to a message that was received.
    Response(Box<Reply>),
    /// An item of a subscription.
    Item {
        /// The message.
        body: Vec<u8>,
        /// The cursor with which the subscription resumes after this item.
        cursor: Option<String>,
    },
    /// The end of a subscription.
    End {
        /// The message. It is empty if the service reports no ends, and then there is nothing to write.
        body: Vec<u8>,
        /// The code of the error, if it ended with one.
        code: Option<i64>,
    },
}

impl OutgoingMessage {
    /// Returns the length of the body.
    pub fn body_length(&self) -> usize {
        match self {
            Self::Response(reply) => reply.body_length(),
            Self::Item { body, .. } | Self::End { body, .. } => body.len(),
        }
    }

    /// Returns the whole body.
    pub fn into_body(self) -> Vec<u8> {
        match self {
            Self::Response(reply) => reply.into_body().unwrap_or_default(),
            Self::Item { body, .. } | Self::End { body, .. } => body,
        }
    }

    /// Returns the body to send, without copying a description into it.
    pub fn into_parts(self) -> ReplyBody {
        match self {
            Self::Response(reply) => reply.into_parts().unwrap_or(ReplyBody::Whole(Vec::new())),
            Self::Item { body, .. } | Self::End { body, .. } => ReplyBody::Whole(body),
        }
    }
}
