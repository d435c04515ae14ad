//! What an address below a mount stands for.

use std::borrow::Cow;

use actix_web::HttpRequest;
use percent_encoding::percent_decode_str;

/// What an address stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    /// The mount itself.
    Mount,
    /// One segment below the mount: a procedure of this name, if there is one.
    Procedure(String),
    /// Anything else.
    Nowhere,
}

impl Address {
    /// Reads the raw target: actix-web's decoded path leaves `%2F` as it is and turns bytes that
    /// are not UTF-8 into U+FFFD, so two spellings of a name could become one.
    pub(super) fn of(request: &HttpRequest) -> Self {
        Self::below(slashes_of_mount(request), request.uri().path())
    }

    /// The address that remains of a raw path when as many slashes as a mount has are passed. The
    /// decoded path has the same ones, since `%2F` is never decoded there.
    fn below(slashes: usize, raw: &str) -> Self {
        let Some((at, _)) = raw.match_indices('/').nth(slashes) else {
            return Self::Mount;
        };
        let segment = &raw[at + 1..];
        if slashes == 0 && segment.is_empty() {
            return Self::Mount;
        }
        if segment.is_empty() || segment.contains('/') {
            return Self::Nowhere;
        }
        match percent_decode_str(segment).decode_utf8() {
            Ok(name) => Self::Procedure(Cow::into_owned(name)),
            Err(_) => Self::Nowhere,
        }
    }
}

/// The raw path behind the mount and its slash; none where that slash is missing.
#[cfg(feature = "docs")]
pub(crate) fn below_mount(request: &HttpRequest) -> Option<&str> {
    let raw = request.uri().path();
    let (at, _) = raw.match_indices('/').nth(slashes_of_mount(request))?;
    Some(&raw[at + 1..])
}

fn slashes_of_mount(request: &HttpRequest) -> usize {
    // Both are of the decoded path; `HttpRequest::path` is the raw one.
    let decoded = request.match_info().as_str();
    let below = request.match_info().unprocessed().len();
    decoded[..decoded.len().saturating_sub(below)]
        .matches('/')
        .count()
}

#[cfg(test)]
mod tests {
    use super::Address::{self, Mount, Nowhere};

    fn procedure(name: &str) -> Address {
        Address::Procedure(name.to_owned())
    }

    #[test]
    fn one_segment_is_decoded_once_and_anything_else_leads_nowhere() {
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
