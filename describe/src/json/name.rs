//! The names of members.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// The name of a member of an object. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl Name {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

display!(Name, |name| &name.0);

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

from! { Name:
    text: &str => Self(text.into());
    text: &String => Self(text.as_str().into());
    text: String => Self(text.into());
    name: &Name => name.clone();
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
