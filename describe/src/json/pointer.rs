//! JSON Pointer (RFC 6901), which says where in a JSON text a value is.
//!
//! A pointer is stored in its notation, because it is written far more often than it is followed: into
//! the data of errors, findings and violations.

use std::fmt;

use super::value::Json;

/// A location in a JSON text, as reference tokens from the outermost in.
///
/// ```
/// use docent::describe::json::{Json, Pointer};
///
/// let json: Json = r#"{"a/b": [1, 2]}"#.parse()?;
/// let pointer = Pointer::root().join("a/b").join(1);
/// assert_eq!(pointer.as_str(), "/a~1b/1");
/// assert_eq!(Pointer::resolve(pointer.as_str(), &json), Some(&Json::from(2)));
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointer(String);

impl Pointer {
    /// Creates a pointer to the whole text.
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns the pointer in the notation of RFC 6901: `""` or `/…`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether this points to the whole text.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a pointer to a member or element of the value that this one points to.
    #[must_use]
    pub fn join(&self, token: impl fmt::Display) -> Self {
        let mut pointer = self.clone();
        pointer.push(token);
        pointer
    }

    /// Appends a member or an element.
    pub fn push(&mut self, token: impl fmt::Display) {
        let token = token.to_string();
        self.0.push('/');
        if token.contains(['~', '/']) {
            self.0
                .push_str(&token.replace('~', "~0").replace('/', "~1"));
        } else {
            self.0.push_str(&token);
        }
    }

    /// Returns the reference tokens, unescaped, from the outermost in.
    pub fn tokens(&self) -> impl Iterator<Item = String> {
        tokens(&self.0)
    }

    /// Returns the value in `value` that this points to, mutably.
    pub(crate) fn resolve_mut<'j>(&self, value: &'j mut Json) -> Option<&'j mut Json> {
        self.tokens().try_fold(value, |value, token| match value {
            Json::Object(members) => members.get_mut(&token),
            Json::Array(elements) => elements.get_mut(token.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// Returns the value in `value` that `pointer` (RFC 6901) points to.
    pub fn resolve<'j>(pointer: &str, value: &'j Json) -> Option<&'j Json> {
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return None;
        }
        tokens(pointer).try_fold(value, |value, token| inner(value, &token))
    }
}

/// Returns the reference tokens of a pointer, unescaped.
fn tokens(pointer: &str) -> impl Iterator<Item = String> {
    pointer
        .split('/')
        .skip(1)
        .map(|token| token.replace("~1", "/").replace("~0", "~"))
}

/// Returns the member or element of a value that a token names.
pub(crate) fn inner<'j>(value: &'j Json, token: &str) -> Option<&'j Json> {
    match value {
        Json::Object(members) => members.get(token),
        Json::Array(elements) => elements.get(token.parse::<usize>().ok()?),
        _ => None,
    }
}

display!(Pointer, |pointer| &pointer.0);
