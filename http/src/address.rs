//! Parses an address below a mount.
//!
//! Addresses are compared in their raw form. Names of procedures may contain anything, also encoded
//! slashes, and only one spelling of each is accepted.

use std::borrow::Cow;

use memchr::memchr_iter;
use percent_encoding::percent_decode_str;

use crate::request::RequestTarget;

/// The meaning of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address<'r> {
    /// The mount itself.
    Mount,
    /// One segment below the mount, the name of a procedure that may or may not exist.
    Procedure(Cow<'r, str>),
    /// Anything else.
    Nowhere,
}

impl<'r> Address<'r> {
    /// Parses the raw target. In a decoded path, two spellings of a name could not be distinguished.
    pub(crate) fn parse(target: &RequestTarget<'r>) -> Self {
        Self::below(target.mount, target.path)
    }

    /// Parses what remains of a raw path after as many slashes as the mount has.
    fn below(slashes: usize, raw: &'r str) -> Self {
        let Some(at) = memchr_iter(b'/', raw.as_bytes()).nth(slashes) else {
            return Self::Mount;
        };
        let segment = &raw[at + 1..];
        if slashes == 0 && segment.is_empty() {
            return Self::Mount;
        }
        if segment.is_empty() || segment.contains('/') {
            return Self::Nowhere;
        }
        if !segment.contains('%') {
            return Self::Procedure(segment.into());
        }
        match percent_decode_str(segment).decode_utf8() {
            Ok(name) => Self::Procedure(name),
            Err(_) => Self::Nowhere,
        }
    }
}

/// Returns the raw path after the mount and its slash, or `None` if that slash is missing.
#[cfg(feature = "docs")]
pub(crate) fn below_mount<'r>(target: &RequestTarget<'r>) -> Option<&'r str> {
    let (at, _) = target.path.match_indices('/').nth(target.mount)?;
    Some(&target.path[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::Address::{self, Mount, Nowhere};

    fn procedure(name: &str) -> Address<'_> {
        Address::Procedure(name.into())
    }

    #[test]
    fn one_segment_is_decoded_once_and_anything_else_is_not_found() {
        for (slashes, raw, expected) in [
            (1, "/rpc", Mount),
            (1, "/rpc/sum", procedure("sum")),
            (1, "/rpc/s%75m", procedure("sum")),
            (1, "/rpc/s%2575m", procedure("s%75m")),
            (1, "/rpc/a%2Fb", procedure("a/b")),
            (1, "/rpc/a+b", procedure("a+b")),
            (1, "/rpc/%C3%BC", procedure("ü")),
            (1, "/rpc/%FF", Nowhere),
            (1, "/rpc/", Nowhere),
            (1, "/rpc/sum/", Nowhere),
            (1, "/rpc//sum", Nowhere),
            (1, "/rpc/a/b", Nowhere),
            (1, "/rpc/..", procedure("..")),
            (2, "/api/rpc/sum", procedure("sum")),
            (0, "/", Mount),
            (0, "/sum", procedure("sum")),
        ] {
            assert_eq!(Address::below(slashes, raw), expected, "{raw}");
        }
    }
}
