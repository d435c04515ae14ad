//! Tests of the decoder, by subject. Those of calls are beside binding.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod decoding;
mod hostile;
mod kinds;
mod numbers;
mod observing;
mod properties;
