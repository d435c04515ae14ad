//! The single buffer that a response is written into.
//!
//! The protocol, the handler and the result's limit all work on this buffer, so that a result is
//! never copied between them. The end of the response is written by [`Reply`](crate::carrier::Reply).

use std::io;

use bytes::Bytes;
use serde::Serialize;

use crate::code;
use crate::fault::Fault;
use crate::finite::Finite;
use crate::runtime::BoxFuture;
use crate::subscription::NewSubscription;

/// A response in progress. The protocol has written the part before the result, and the handler's
/// value is serialised right after it.
pub(crate) struct Output {
    pub(crate) buffer: Vec<u8>,
    /// A result that is sent without being copied. It is boxed because it is rare: only
    /// descriptions are sent so.
    pub(crate) shared: Option<Box<SharedPart>>,
    limit: usize,
    /// Set for a notification, whose result is dropped without being serialised.
    silent: bool,
    /// The subscription that the call opens.
    pub(crate) subscription: Option<Box<NewSubscription>>,
    /// Set if this is the outcome of an earlier call with the same key.
    pub(crate) replayed: bool,
    /// Set if the outcome does not match the description and is sent all the same.
    pub(crate) mismatch: bool,
}

impl Output {
    #[inline]
    pub(crate) fn new(limit: usize, silent: bool) -> Self {
        // Enough for most results, and for an error with one reason.
        let capacity = if silent { 0 } else { 256 };
        Self {
            buffer: Vec::with_capacity(capacity),
            shared: None,
            limit,
            silent,
            subscription: None,
            replayed: false,
            mismatch: false,
        }
    }

    /// Creates the output that stays behind when a handler has taken its buffer. It holds the error
    /// that is sent instead, which is short and has no limit.
    pub(crate) fn lost() -> Self {
        Self::new(usize::MAX, true)
    }

    /// Takes the output for a handler that outlives the start of its call. The output left behind
    /// holds at most an error.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::lost())
    }

    /// Serialises a result after the text that has been written.
    pub(crate) fn write<T: Serialize>(&mut self, value: &T) -> Result<(), Fault> {
        if self.silent {
            return Ok(());
        }
        let mut writer = BoundedWriter {
            buffer: &mut self.buffer,
            limit: self.limit,
            over: false,
        };
        let written = serde_json::to_writer(&mut writer, &Finite(value));
        if writer.over {
            return Err(Fault::protocol(code::RESPONSE_TOO_LARGE));
        }
        written.map_err(|error| {
            Fault::internal(format_args!("the result cannot be serialised: {error}"))
        })
    }

    /// Sets a result that already is JSON, without copying it.
    pub(crate) fn set_shared(&mut self, text: Bytes) -> Result<(), Fault> {
        if self.silent {
            return Ok(());
        }
        if !self.has_room_for(text.len()) {
            return Err(Fault::protocol(code::RESPONSE_TOO_LARGE));
        }
        let at = self.buffer.len();
        self.shared = Some(Box::new(SharedPart { at, text }));
        Ok(())
    }

    /// Writes a result that already is JSON.
    #[cfg(feature = "keys")]
    pub(crate) fn write_json(&mut self, json: &str) -> Result<(), Fault> {
        if !self.has_room_for(json.len()) {
            return Err(Fault::protocol(code::RESPONSE_TOO_LARGE));
        }
        self.buffer.extend_from_slice(json.as_bytes());
        Ok(())
    }

    /// Returns the maximum size of the buffer.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Returns whether `more` bytes fit.
    #[inline]
    pub(crate) fn has_room_for(&self, more: usize) -> bool {
        let shared = self.shared.as_ref().map_or(0, |shared| shared.text.len());
        self.buffer
            .len()
            .saturating_add(shared)
            .saturating_add(more)
            <= self.limit
    }
}

/// A handler that has ended: the output with its result, or its error.
pub(crate) struct Ended {
    pub(crate) output: Output,
    pub(crate) result: Result<(), Fault>,
}

/// A handler that has started and has not ended.
pub(crate) type Task = BoxFuture<Ended>;

impl Ended {
    pub(crate) fn failed(output: Output, fault: Fault) -> Self {
        let result = Err(fault);
        Self { output, result }
    }

    /// Puts the output back from which the handler was started, and returns the result.
    pub(crate) fn written_to(self, output: &mut Output) -> Result<(), Fault> {
        *output = self.output;
        self.result
    }
}

/// JSON text of the response that is kept apart from the buffer, because responses share it.
#[derive(Debug)]
pub(crate) struct SharedPart {
    /// The position in the buffer at which the text belongs.
    pub(crate) at: usize,
    pub(crate) text: Bytes,
}

/// A writer that stops at the limit, so that a response that is too large never takes more memory
/// than the largest that is allowed.
struct BoundedWriter<'a> {
    buffer: &'a mut Vec<u8>,
    limit: usize,
    over: bool,
}

impl io::Write for BoundedWriter<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.buffer.len() + bytes.len() > self.limit {
            self.over = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if bytes.len() > 4 << 10 {
            // With the usual end of a response. Otherwise the buffer would double for a few bytes.
            self.buffer.reserve(bytes.len() + 128);
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
