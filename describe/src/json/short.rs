//! Names and numbers, stored in little memory.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The name of a member of an object. Equal names may share their memory.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

/// A number, as written.
///
/// Short numbers need no memory of their own, because a default may be an array of a million.
#[derive(Clone, PartialEq, Eq)]
pub struct Number(Digits);

/// The length of the longest number that is stored in place. With it, a number is as large as a
/// [`String`].
const INLINE: usize = 22;

#[derive(Clone, PartialEq, Eq)]
enum Digits {
    Short(u8, [u8; INLINE]),
    Long(Box<str>),
}

impl Number {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Digits::Short(length, bytes) => bytes
                .get(..usize::from(*length))
                .and_then(|bytes| std::str::from_utf8(bytes).ok())
                .unwrap_or_default(),
            Digits::Long(text) => text,
        }
    }
}

impl From<&str> for Number {
    fn from(text: &str) -> Self {
        let mut bytes = [0; INLINE];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(start), Ok(length)) => {
                start.copy_from_slice(text.as_bytes());
                Self(Digits::Short(length, bytes))
            }
            _ => Self(Digits::Long(text.into())),
        }
    }
}

impl From<String> for Number {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl Deref for Number {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl Name {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<&String> for Name {
    fn from(text: &String) -> Self {
        Self(text.as_str().into())
    }
}

impl From<&Name> for Name {
    fn from(name: &Name) -> Self {
        name.clone()
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        (*name.0).to_owned()
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, text: &str) -> bool {
        *self.0 == *text
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, text: &&str) -> bool {
        *self.0 == **text
    }
}

impl PartialEq<String> for Name {
    fn eq(&self, text: &String) -> bool {
        *self.0 == **text
    }
}

macro_rules! shown_as_text {
    ($($type:ty),*) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self.as_str(), f)
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self.as_str(), f)
            }
        }
    )*};
}

shown_as_text!(Name, Number);

/// Recently read names, which later ones can share.
///
/// It has few slots and checks only one for each name, so it costs hardly anything in a document
/// whose names all differ.
pub(super) struct Recent([Option<Name>; 64]);

impl Default for Recent {
    fn default() -> Self {
        Self([const { None }; 64])
    }
}

impl Recent {
    /// Returns the name for a text.
    pub(super) fn name(&mut self, text: &str) -> Name {
        let bytes = text.as_bytes();
        let mix = |hash: usize, byte: &u8| hash.wrapping_mul(31).wrapping_add(usize::from(*byte));
        let middle = bytes.get(bytes.len() / 2);
        let hash = [bytes.first(), middle, bytes.last()]
            .into_iter()
            .flatten()
            .fold(bytes.len(), mix);
        let place = &mut self.0[hash % 64];
        match place {
            Some(name) if name.as_str() == text => name.clone(),
            place => place.insert(text.into()).clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{INLINE, Number, Recent};
    use crate::json::Json;

    #[test]
    fn numbers_of_every_length_keep_their_text() {
        for length in [1, INLINE - 1, INLINE, INLINE + 1, 400] {
            let text = "9".repeat(length);
            assert_eq!(Number::from(text.as_str()).as_str(), text);
            assert_eq!(text.parse::<Json>().expect("a number").to_string(), text);
        }
    }

    #[test]
    fn a_value_is_small() {
        assert!(size_of::<Json>() <= 32, "{}", size_of::<Json>());
    }

    #[test]
    fn objects_share_names() {
        let mut recent = Recent::default();
        let (first, other) = (recent.name("type"), recent.name("other"));
        assert!(Arc::ptr_eq(&first.0, &recent.name("type").0));
        assert_eq!(other, "other");
    }
}
