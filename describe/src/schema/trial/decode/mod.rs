//! Decodes a type from a sample, as the binding of parameters would, and notes what it asks for.

mod access;
mod key;
mod source;

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use serde::de::{DeserializeOwned, Error, Visitor};

use crate::schema::form::Form;

pub(super) use source::Source;

/// What a type asked for at a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::schema) enum Ask {
    /// Anything: the type decides itself, or buffers the value to read it again.
    Any,
    /// Nothing of it.
    Ignored,
    /// Bytes, which are taken from strings and from arrays.
    Bytes,
    /// Members of any names.
    Map,
    /// Members with these names, aliases included, as they are declared.
    Struct(&'static [&'static str]),
    /// One of these variants.
    Enum(&'static [&'static str]),
    /// Nothing: `()` or a unit struct.
    Unit,
    /// A sequence of any length.
    Seq,
    /// A sequence of a fixed length.
    Tuple,
    /// A value or nothing.
    Option,
    /// A scalar.
    Exact,
}

/// What was asked for, and at which forms.
pub(super) type Asks<'j> = Vec<(Rc<Form<'j>>, Ask)>;

/// Records what was asked for.
pub(super) struct Log<'j> {
    /// None if they are not recorded.
    asks: Option<RefCell<Asks<'j>>>,
}

impl<'j> Log<'j> {
    /// A log that records everything.
    pub(super) fn new() -> Self {
        Self {
            asks: Some(RefCell::default()),
        }
    }

    /// A log that records nothing.
    pub(super) fn silent() -> Self {
        Self { asks: None }
    }

    fn note(&self, form: &Rc<Form<'j>>, ask: Ask) {
        if let Some(asks) = &self.asks {
            asks.borrow_mut().push((Rc::clone(form), ask));
        }
    }

    pub(super) fn into_asks(self) -> Asks<'j> {
        self.asks.map(RefCell::into_inner).unwrap_or_default()
    }
}

/// Decodes a type from a sample. A function pointer, so that what uses it is compiled once and not
/// once a type.
pub(crate) type Decode = for<'s, 'j> fn(Source<'s, 'j>) -> Result<(), Refusal>;

/// Decodes a `P`.
pub(crate) fn decode<P: DeserializeOwned>(source: Source<'_, '_>) -> Result<(), Refusal> {
    P::deserialize(source).map(drop)
}

/// Why a type does not take a sample.
#[derive(Debug, Default)]
pub(crate) struct Refusal {
    /// The choices there are, where the sample's is none of them.
    pub(super) choices: &'static [&'static str],
    /// The member that is missing.
    pub(super) missing: Option<&'static str>,
    /// The member that is there twice, perhaps under two names.
    pub(super) duplicate: Option<&'static str>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the sample is not taken")
    }
}

impl std::error::Error for Refusal {}

impl Error for Refusal {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::default()
    }

    fn unknown_variant(_: &str, choices: &'static [&'static str]) -> Self {
        Self {
            choices,
            ..Self::default()
        }
    }

    fn missing_field(name: &'static str) -> Self {
        Self {
            missing: Some(name),
            ..Self::default()
        }
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self {
            duplicate: Some(name),
            ..Self::default()
        }
    }
}

fn refused() -> Refusal {
    Refusal::default()
}

/// Hands a whole number to a visitor as `serde_json` does.
fn visit_whole<'s, V: Visitor<'s>>(value: i128, visitor: V) -> Result<V::Value, Refusal> {
    if let Ok(value) = u64::try_from(value) {
        visitor.visit_u64(value)
    } else if let Ok(value) = i64::try_from(value) {
        visitor.visit_i64(value)
    } else {
        Err(refused())
    }
}
