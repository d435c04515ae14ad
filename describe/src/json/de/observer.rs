//! Observers of decoding, which are notified of the hints of a type.
//!
//! serde calls it a hint when a type expects a kind of data. Hints show more of a type than whether it
//! takes a value: the names that a struct expects, the range of an integer, a default instead of an error.

use super::DecodeResult;

/// The kind of data that a type expects of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hint {
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
    /// True or false.
    Bool,
    /// A string.
    Text,
    /// A number of the type that a `format` names.
    Number(&'static str),
}

/// The type of keys that a map expects, if they are no strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyHint {
    /// Integers of a range.
    Integer {
        /// The least of them.
        least: i128,
        /// The greatest of them.
        greatest: u128,
    },
    /// True or false.
    Bool,
    /// A character.
    Char,
    /// One of these variants.
    Enum(&'static [&'static str]),
}

/// Observes the hints of a type while it decodes a text. The methods do nothing unless they are implemented.
///
/// ```
/// use docent_describe::json::de::{DecodeError, DecodeObserver, DecodeResult, Decoder, Hint};
///
/// /// Counts the values that a type reads as text.
/// struct Texts(usize);
///
/// impl DecodeObserver for Texts {
///     fn hint(&mut self, _offset: usize, hint: Hint) -> DecodeResult<()> {
///         self.0 += usize::from(hint == Hint::Text);
///         Ok(())
///     }
/// }
///
/// let mut decoder = Decoder::observed(r#"["a", "b"]"#, Texts(0));
/// decoder.run(|decoder| decoder.value(std::marker::PhantomData::<Vec<String>>))?;
/// assert_eq!(decoder.into_observer().0, 2);
/// # Ok::<(), DecodeError>(())
/// ```
pub trait DecodeObserver {
    /// Observes which kind of data the type expects of the value at an offset.
    ///
    /// # Errors
    /// An error is the outcome of the value, which is not decoded then.
    #[inline]
    fn hint(&mut self, _offset: usize, _hint: Hint) -> DecodeResult<()> {
        Ok(())
    }

    /// Observes which keys the type expects in an object, with the offset of a member's name.
    #[inline]
    fn key_hint(&mut self, _offset: usize, _hint: KeyHint) {}

    /// Forgets what it has observed, because the text is decoded once more.
    #[inline]
    fn restart(&mut self) {}
}

/// The observer that ignores everything, for calls.
#[derive(Debug, Clone, Copy)]
pub struct NoObserver;

impl DecodeObserver for NoObserver {}
