//! The paths of services, sorted so that requests reach each of them.
//!
//! actix-web tries the services of an `App` in the order of registration, and the first whose path
//! is a prefix of the address gets the request. A mount below another must therefore come before
//! it. Some paths can never be reached at all.

use std::cmp::Reverse;
use std::io;

use docent_core::Service;
use percent_encoding::percent_decode_str;

/// A path, split into segments. One with braces is a pattern of actix-web, such as `{tenant}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MountPath(Vec<String>);

impl MountPath {
    /// Parses a path. A slash at the end and a missing slash at the start do not matter.
    pub(crate) fn new(path: &str) -> Self {
        let trimmed = path.trim_end_matches('/');
        if trimmed.is_empty() {
            return Self(Vec::new());
        }
        Self(
            trimmed
                .strip_prefix('/')
                .unwrap_or(trimmed)
                .split('/')
                .map(str::to_owned)
                .collect(),
        )
    }

    /// Returns why no request can have this path, or `None` if one can.
    pub(crate) fn fault(&self) -> Option<String> {
        if self
            .0
            .iter()
            .all(|segment| is_pattern(segment) || is_reachable(segment))
        {
            return None;
        }
        Some(format!(
            "no request can reach a mount at \"{self}\": choose a path whose segments are not empty, \
             not `.` or `..`, not percent-encoded, and without characters that a URL's path \
             cannot contain"
        ))
    }

    /// Returns the number of segments that are patterns.
    pub(crate) fn patterns(&self) -> usize {
        self.0.iter().filter(|segment| is_pattern(segment)).count()
    }

    /// Returns the mistake of a pattern where an address is needed.
    pub(crate) fn pattern_mistake(&self) -> Option<String> {
        if self.patterns() == 0 {
            return None;
        }
        Some(format!(
            "\"{self}\" is a pattern, which has no single address to link to: use a `Mount` in an `App`"
        ))
    }

    /// Returns a sort key that puts a path before every path that would take its requests: longer
    /// paths first, and text before patterns.
    pub(crate) fn order(&self) -> impl Ord + use<> {
        (Reverse(self.0.len()), self.patterns())
    }

    /// Returns whether every request for one path is also a request for the other.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self
                .0
                .iter()
                .zip(&other.0)
                .all(|(one, other)| one == other || is_pattern(one) && is_pattern(other))
    }

    pub(crate) fn is_below(&self, other: &Self) -> bool {
        self.0.len() > other.0.len() && self.0.starts_with(&other.0)
    }

    /// Returns the number of segments, which is the number of slashes.
    pub(crate) fn depth(&self) -> usize {
        self.0.len()
    }

    /// Returns the path without its first slash.
    pub(crate) fn segments(&self) -> String {
        self.0.join("/")
    }

    /// Returns what follows this path in a raw path, if that is this path or below it. Each
    /// segment is decoded by itself, so `%2F` does not separate segments. This path has no patterns.
    pub(crate) fn rest_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let mut rest = path;
        for segment in &self.0 {
            let below = rest.strip_prefix('/')?;
            rest = match below.strip_prefix(segment.as_str()) {
                Some(after) if after.is_empty() || after.starts_with('/') => after,
                _ => after_escaped(below, segment)?,
            };
        }
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    }

    /// Returns the procedure of a service at `mount` whose address is this path.
    fn procedure_of<'p>(&'p self, mount: &Self, service: &Service) -> Option<&'p str> {
        let (name, above) = self.0.split_last()?;
        if above != mount.0 || service.is_idempotent(name).is_none() {
            return None;
        }
        Some(name)
    }
}

docent_describe::display!(MountPath, |path| &format!("/{}", path.segments()));

/// Returns what follows a segment at the start of a raw path, if it is there with percent-encoded characters.
fn after_escaped<'p>(path: &'p str, segment: &str) -> Option<&'p str> {
    // Almost every other path differs in its first character, and needs no search.
    let (first_different, _) = path
        .bytes()
        .zip(segment.bytes())
        .find(|(raw, plain)| raw != plain)?;
    if first_different != b'%' {
        return None;
    }
    let end = path.find('/').unwrap_or(path.len());
    let (raw, after) = path.split_at(end);
    percent_decode_str(raw).eq(segment.bytes()).then_some(after)
}

fn is_pattern(segment: &str) -> bool {
    segment.contains(['{', '}'])
}

/// Returns whether a decoded address can contain this segment.
fn is_reachable(segment: &str) -> bool {
    !matches!(segment, "" | "." | "..") && !segment.contains(is_never_decoded)
}

/// Returns whether no path of a URL contains this character unless it is percent-encoded.
fn is_never_decoded(character: char) -> bool {
    character.is_whitespace() || character.is_control() || "%?#\"<>\\^`|".contains(character)
}

/// Returns what is wrong with services at these paths, given other paths that are taken.
pub(crate) fn mistakes(mounts: &[(MountPath, &Service)], taken: &[MountPath]) -> Vec<String> {
    let mut mistakes = Vec::new();
    for (at, (path, service)) in mounts.iter().enumerate() {
        mistakes.extend(path.fault());
        if mounts[..at].iter().any(|(other, _)| path.is_same_as(other)) {
            mistakes.push(format!("two services are mounted at \"{path}\""));
        }
        for other in mounts.iter().map(|(other, _)| other).chain(taken) {
            if let Some(procedure) = other.procedure_of(path, service) {
                mistakes.push(format!(
                    "\"{other}\" is also the address of the procedure {procedure:?} of the service \
                     at \"{path}\""
                ));
            }
        }
    }
    mistakes
}

/// Returns the error of mounts with these mistakes, if there are any.
pub(crate) fn check_mistakes(mistakes: &[String]) -> io::Result<()> {
    if mistakes.is_empty() {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        mistakes.join("; "),
    ))
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
