//! The items of a stream, as a subscription sends them.
//!
//! A handler gives a stream of its own values, or of those of a topic. [`source`] makes of both what the connection
//! polls: JSON, cursors, and numbers of items that were lost.

use std::pin::Pin;

use bytes::Bytes;
use docent_describe::LagPolicy;
use futures_util::{Stream, StreamExt};
use serde::Serialize;

use super::topic::Published;
use crate::errors::RpcError;
use crate::fault::Fault;
use crate::finite::Finite;

/// The `id` of an event after which there is nothing to resume.
pub const LAST_CURSOR: &str = "-";

/// The source of a subscription's items. It is polled only while its connection has room for an item, so that it can
/// wait for slow subscribers. An error ends the subscription.
pub type ItemSource = Pin<Box<dyn Stream<Item = Result<SourceItem, Fault>> + Send>>;

/// A value that a source yields.
#[derive(Debug, Clone)]
pub enum SourceItem {
    /// An item.
    Value {
        /// The item as JSON text.
        json: Bytes,
        /// The cursor with which a subscription resumes after this item.
        cursor: Option<String>,
        /// The number of items that this subscriber has lost since the last one.
        missed: u64,
    },
    /// The number of items that this subscriber has lost since the last one, if none is there that could report it. The
    /// next item reports it, or the end.
    Missed(u64),
}

/// An item of the stream that a [`Subscription`](crate::Subscription) takes: a value, or what a
/// [`Topic`](crate::Topic) has published. The trait exists for what the compiler says of other types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an item of a subscription",
    label = "the stream yields this",
    note = "derive `Serialize` and `JsonSchema` for it"
)]
pub trait IntoItem: Send + 'static {
    /// The type of the values, which the description shows.
    type Value;

    /// The fate of a subscriber who reads too slowly, unless the author says another.
    #[doc(hidden)]
    const BEHIND: LagPolicy;

    /// Returns the value; `None` if there is only a number of lost items to report.
    #[doc(hidden)]
    fn as_value(&self) -> Option<&Self::Value>;

    /// Returns the number of items that were lost before this one.
    #[doc(hidden)]
    fn missed_before(&self) -> u64;

    /// Writes the value as JSON.
    #[doc(hidden)]
    fn to_json(&self) -> Result<Bytes, serde_json::Error>;
}

impl<T: Serialize + Send + 'static> IntoItem for T {
    type Value = T;

    const BEHIND: LagPolicy = LagPolicy::Wait;

    fn as_value(&self) -> Option<&T> {
        Some(self)
    }

    fn missed_before(&self) -> u64 {
        0
    }

    fn to_json(&self) -> Result<Bytes, serde_json::Error> {
        serde_json::to_vec(&Finite(self)).map(Bytes::from)
    }
}

impl<T: Send + Sync + 'static> IntoItem for Published<T> {
    type Value = T;

    const BEHIND: LagPolicy = LagPolicy::End;

    fn as_value(&self) -> Option<&T> {
        self.value()
    }

    fn missed_before(&self) -> u64 {
        self.missed()
    }

    fn to_json(&self) -> Result<Bytes, serde_json::Error> {
        Ok(self.json().cloned().unwrap_or_default())
    }
}

/// Returns the source of a subscription whose handler gives this stream. `cursor_of` returns the cursor with which a
/// subscription resumes after an item; `None` if it cannot be resumed.
pub(crate) fn source<I: IntoItem, E: RpcError>(
    items: impl Stream<Item = Result<I, E>> + Send + 'static,
    cursor_of: impl Fn(&I::Value) -> Option<String> + Send + 'static,
) -> ItemSource {
    Box::pin(items.map(move |yielded| match yielded {
        Ok(item) => source_item(&item, &cursor_of),
        Err(error) => Err(error.into_fault()),
    }))
}

fn source_item<I: IntoItem>(
    item: &I,
    cursor_of: impl Fn(&I::Value) -> Option<String>,
) -> Result<SourceItem, Fault> {
    let missed = item.missed_before();
    let Some(value) = item.as_value() else {
        return Ok(SourceItem::Missed(missed));
    };
    let json = item
        .to_json()
        .map_err(|error| Fault::internal(format_args!("the item cannot be serialised: {error}")))?;
    Ok(SourceItem::Value {
        json,
        cursor: cursor_of(value),
        missed,
    })
}

/// Returns whether the `id` of an event, and `Last-Event-ID`, can carry a text as the cursor of an item. An empty one
/// stands for none, and a header field loses blanks at its ends.
pub(crate) fn is_cursor(text: &str) -> bool {
    let is_reserved = matches!(text, "" | LAST_CURSOR);
    !is_reserved && text.trim_matches([' ', '\t']) == text && !text.contains(['\0', '\r', '\n'])
}
