//! Sorts services so that requests reach each of them.
//!
//! actix-web tries the services of an `App` in the order of registration, and the first whose path
//! is a prefix of the address gets the request. A mount below another must therefore come before
//! it. Some paths can never be reached at all.

use std::cmp::Reverse;
use std::fmt;

use docent_core::Service;
use percent_encoding::percent_decode_str;

/// A path, split into segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MountPath(Vec<Segment>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Is(String),
    /// An actix-web pattern, such as `{tenant}`.
    Matches(String),
}

impl Segment {
    fn is(&self, raw: &str) -> bool {
        match self {
            Self::Is(text) => text == raw || percent_decode_str(raw).eq(text.bytes()),
            Self::Matches(_) => false,
        }
    }
}

impl MountPath {
    /// Parses a path. A slash at the end and a missing slash at the start do not matter.
    pub(crate) fn new(path: &str) -> Self {
        let path = path.trim_end_matches('/');
        let path = path.strip_prefix('/').unwrap_or(path);
        let segments = path.split('/').map(|segment| {
            if segment.contains(['{', '}']) {
                Segment::Matches(segment.to_owned())
            } else {
                Segment::Is(segment.to_owned())
            }
        });
        Self(if path.is_empty() {
            Vec::new()
        } else {
            segments.collect()
        })
    }

    /// Returns why no request can have this path, or `None` if one can.
    pub(crate) fn fault(&self) -> Option<String> {
        let is_reachable = |segment: &Segment| match segment {
            Segment::Is(text) => is_reachable(text),
            Segment::Matches(_) => true,
        };
        (!self.0.iter().all(is_reachable)).then(|| {
            format!(
                "no request can reach a mount at \"{self}\": a segment of a path is not empty, `.` or \
                 `..`, not percent-encoded, and has no character that a URL's path cannot contain"
            )
        })
    }

    pub(crate) fn has_patterns(&self) -> bool {
        self.patterns() > 0
    }

    fn patterns(&self) -> usize {
        let patterns = self.0.iter();
        let patterns = patterns.filter(|segment| matches!(segment, Segment::Matches(_)));
        patterns.count()
    }

    /// Returns a sort key that puts a path before every path that would take its requests: longer
    /// paths first, and text before patterns.
    pub(crate) fn order(&self) -> impl Ord + use<> {
        (Reverse(self.0.len()), self.patterns())
    }

    /// Returns whether every request for one path is also a request for the other.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        let is_same = |pair: (&Segment, &Segment)| match pair {
            (Segment::Is(one), Segment::Is(other)) => one == other,
            (Segment::Matches(_), Segment::Matches(_)) => true,
            _ => false,
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(is_same)
    }

    pub(crate) fn is_below(&self, other: &Self) -> bool {
        self.0.len() > other.0.len() && self.0.starts_with(&other.0)
    }

    /// Returns the number of segments, which is the number of slashes.
    pub(crate) fn depth(&self) -> usize {
        self.0.len()
    }

    /// Returns what follows this place in a raw path, if the path is this place or below it. Each
    /// segment is decoded by itself, so `%2F` does not separate segments.
    pub(crate) fn rest_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = self.0.iter().try_fold(path, |rest, segment| {
            let rest = rest.strip_prefix('/')?;
            let end = rest.bytes().position(|byte| byte == b'/');
            let (given, rest) = rest.split_at(end.unwrap_or(rest.len()));
            segment.is(given).then_some(rest)
        })?;
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    }

    /// Returns the procedure of a service at `place` whose address is this path.
    fn procedure_of<'p>(&'p self, place: &Self, service: &Service) -> Option<&'p str> {
        let Some((Segment::Is(name), above)) = self.0.split_last() else {
            return None;
        };
        let is_there = above == place.0 && service.is_idempotent(name).is_some();
        is_there.then_some(name)
    }
}

impl fmt::Display for MountPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("/");
        }
        self.0.iter().try_for_each(|segment| {
            let (Segment::Is(text) | Segment::Matches(text)) = segment;
            write!(f, "/{text}")
        })
    }
}

/// Returns whether a decoded address can contain this segment.
fn is_reachable(segment: &str) -> bool {
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || "%?#\"<>\\^`|".contains(c);
    !matches!(segment, "" | "." | "..") && !segment.contains(is_odd)
}

/// Returns what is wrong with services at these paths, given other paths that are taken.
pub(crate) fn clashes(mounts: &[(MountPath, &Service)], taken: &[MountPath]) -> Vec<String> {
    let mut clashes = Vec::new();
    for (at, (place, service)) in mounts.iter().enumerate() {
        clashes.extend(place.fault());
        if mounts[..at]
            .iter()
            .any(|(other, _)| place.is_same_as(other))
        {
            clashes.push(format!("two services are mounted at \"{place}\""));
        }
        let mounted = mounts.iter().map(|(other, _)| other);
        for other in mounted.chain(taken) {
            if let Some(procedure) = other.procedure_of(place, service) {
                clashes.push(format!(
                    "\"{other}\" is also the address of the procedure {procedure:?} of the service \
                     at \"{place}\""
                ));
            }
        }
    }
    clashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_no_request_can_have_is_reported() {
        for path in [
            "//rpc",
            "/rpc//v2",
            "/./rpc",
            "/rpc/..",
            "/r%70c",
            "/caf%C3%A9",
            "/rpc?v=2",
            "/rpc#v2",
            "/a b",
            "/a\tb",
            "/a\\b",
            "/<rpc>",
        ] {
            assert!(MountPath::new(path).fault().is_some(), "{path}");
        }
        for path in [
            "",
            "/",
            "rpc",
            "/rpc/",
            "/rpc///",
            "/a.b/~c",
            "/café",
            "/t/{tenant}/rpc",
        ] {
            assert_eq!(MountPath::new(path).fault(), None, "{path}");
        }
    }

    #[test]
    fn a_raw_path_leads_to_a_place_however_it_is_encoded() {
        for (place, path, rest) in [
            ("/rpc", "/rpc", Some("")),
            ("/rpc", "/rpc/", Some("/")),
            ("/rpc", "/rpc/sum", Some("/sum")),
            ("/rpc", "/r%70c/s%75m", Some("/s%75m")),
            ("/rpc", "/rpcs", None),
            ("/rpc", "/RPC", None),
            ("/rpc", "//rpc", None),
            ("/rpc", "rpc", None),
            ("/rpc", "/", None),
            ("/rpc", "*", None),
            ("/rpc/v2", "/rpc/v2/sum", Some("/sum")),
            ("/rpc/v2", "/rpc%2Fv2", None),
            ("/rpc/v2", "/rpc", None),
            ("/caf\u{e9}", "/caf%C3%A9", Some("")),
            ("/caf\u{e9}", "/caf%E9", None),
            ("", "/sum", Some("/sum")),
            ("", "/", Some("/")),
            ("", "*", None),
            ("/{tenant}", "/{tenant}", None),
        ] {
            assert_eq!(
                MountPath::new(place).rest_of(path),
                rest,
                "{place:?} {path:?}"
            );
        }
    }

    #[test]
    fn longer_places_come_first_and_text_before_patterns() {
        let mut places = [
            "/", "/{a}", "/rpc", "/{a}/v2", "/rpc/{b}", "/rpc/v2", "/RPC",
        ];
        places.sort_by_key(|path| MountPath::new(path).order());
        assert_eq!(
            places,
            [
                "/rpc/v2", "/{a}/v2", "/rpc/{b}", "/rpc", "/RPC", "/{a}", "/"
            ]
        );
    }
}
