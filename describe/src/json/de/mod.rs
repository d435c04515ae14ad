//! Decodes JSON text to Rust values: the parameters of calls, the results that clients read, and the samples of trials
//! (`schema/trial`).
//!
//! In goes text whose grammar a [`Scanner`](super::Scanner) has checked, to be read once, without a tree. Out comes the
//! value, which may borrow from the text, or a [`DecodeError`] with the offset of the innermost value that does not fit.
//!
//! ```
//! use std::marker::PhantomData;
//!
//! use docent_describe::json::de::Decoder;
//!
//! let text = "[4.2e1, true]";
//! let numbers = PhantomData::<Vec<u8>>;
//! let error = Decoder::new(text).run(|decoder| decoder.value(numbers)).unwrap_err();
//! assert_eq!((error.offset(), error.reason(text)), (Some(8), "expected an integer, found true".to_owned()));
//! ```
//!
//! A decoder reports to a [`DecodeObserver`] what the type asks for at each offset, and the observer may refuse a value
//! on the type's behalf. A call decodes with [`NoObserver`], which compiles to nothing; a trial records the hints. The
//! obvious way for a trial is a deserializer over the tree of its sample, but with every rule in which the two differed
//! `build()` would trust a schema that calls do not follow. Names and positions of parameters are left to binding,
//! which presents them to serde as one object.
//!
//! `serde_json`'s deserializer does not fit: it rejects `42.0` for an integer, its errors are sentences about Rust
//! types with a line and a column, and it checks the grammar a second time.

mod container;
mod enumeration;
mod error;
mod key;
mod observer;
mod scalar;
#[cfg(test)]
mod tests;
mod wording;

use std::borrow::Cow;

use serde::de::{Deserializer, Visitor};

use super::{Cursor, Decimal, PRIVATE_PREFIX};

pub use error::{DecodeError, DecodeProblem};
pub use observer::{DecodeObserver, Hint, KeyHint, NoObserver};

/// The result of decoding.
pub type DecodeResult<T> = Result<T, DecodeError>;

/// The maximum number of open containers.
///
/// The caller limits the nesting of its text. This limit protects the stack if that one is high,
/// because recursive types decode by recursion.
const MAX_DEPTH: u32 = 512;

/// The maximum number of newtypes around one value.
///
/// A newtype may hold itself in a box, as `struct Endless(Option<Box<Endless>>)` does. Such a type would decode any
/// value but null by endless recursion, without a step further into the text.
const MAX_NEWTYPES: u32 = 64;

/// Decodes values from JSON text, as `serde_json` does, so that types behave as their authors expect.
///
/// The differences:
/// - a number with an integral value is an integer, in any notation;
/// - doubles are always the nearest ones;
/// - a lone surrogate is an error for byte strings too;
/// - a struct is an object and never an array, and a unit variant is a string and never `{"Unit":
///   null}`, as schemas require;
/// - two members with the same name are an error for maps too, instead of the last one winning;
/// - the names of members cannot be decoded as floats;
/// - containers may be nested up to a depth of 512, instead of 128;
/// - a tuple with too many elements gets that message, instead of "trailing characters".
///
/// **Invariant**: nothing is allocated, counted or stored for error messages before there is an
/// error.
pub struct Decoder<'de, O = NoObserver> {
    /// The position in the text.
    pub cursor: Cursor<'de>,
    depth_left: u32,
    /// The offset of the value that the last newtype was decoded from.
    newtype_offset: usize,
    /// The number of newtypes that have been decoded from that value.
    newtypes: u32,
    /// Set if a target that accepts any value gets `42.0` as an integer.
    reads_integral_as_integers: bool,
    /// Set once a target that accepts any value has got a number such as `42.0` as a double, so that another try could
    /// have another result.
    has_read_integral_double: bool,
    observer: O,
}

impl<'de> Decoder<'de> {
    /// Creates a decoder at the start of `text`.
    #[inline]
    pub fn new(text: &'de str) -> Self {
        Self::observed(text, NoObserver)
    }
}

impl<'de, O: DecodeObserver> Decoder<'de, O> {
    /// Creates a decoder at the start of `text`, with an observer.
    #[inline]
    pub fn observed(text: &'de str, observer: O) -> Self {
        Self {
            cursor: Cursor::at(text, 0),
            depth_left: MAX_DEPTH,
            newtype_offset: 0,
            newtypes: 0,
            reads_integral_as_integers: false,
            has_read_integral_double: false,
            observer,
        }
    }

    /// Returns the observer, with what it has observed.
    pub fn into_observer(self) -> O {
        self.observer
    }

    /// Decodes the text. If that fails and another result is possible, decodes it once more, and
    /// passes `42.0` as an integer to targets that accept any value.
    ///
    /// Such a target may be a `Value`, which distinguishes `42.0` from `42`, or the buffer of an
    /// untagged enum or a flattened struct that contains an integer. The decoder cannot distinguish
    /// them, so the first try is for the former and the second for the latter.
    #[inline]
    pub fn run<T>(&mut self, decode: impl Fn(&mut Self) -> DecodeResult<T>) -> DecodeResult<T> {
        let outcome = decode(self);
        match &outcome {
            Err(error) if self.has_read_integral_double && !error.is_unexplained() => {
                self.restart();
                decode(self)
            }
            _ => outcome,
        }
    }

    /// Goes back to the start of the text, for the second try.
    #[cold]
    fn restart(&mut self) {
        self.cursor = Cursor::at(self.cursor.text(), 0);
        self.depth_left = MAX_DEPTH;
        self.newtypes = 0;
        self.reads_integral_as_integers = true;
        self.observer.restart();
    }

    /// Moves to the next value, for which the type has given a hint, and returns its first byte.
    #[inline]
    fn next_value(&mut self, hint: Hint) -> DecodeResult<u8> {
        let first = self.cursor.next_token();
        self.observer.hint(self.cursor.offset(), hint)?;
        Ok(first)
    }

    /// Counts a newtype around the value at the cursor.
    #[inline]
    fn enter_newtype(&mut self) -> DecodeResult<()> {
        let offset = self.cursor.offset();
        if self.newtype_offset != offset {
            self.newtype_offset = offset;
            self.newtypes = 0;
        }
        if self.newtypes == MAX_NEWTYPES {
            return Err(DecodeError::too_deep().with_offset(offset));
        }
        self.newtypes += 1;
        Ok(())
    }
}

/// Defines the methods for integers of up to 64 bits, each with the name of its type in `format`.
macro_rules! integers {
    ($($method:ident: $format:literal),*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
            self.next_value(Hint::Number($format))?;
            self.integer(visitor)
        }
    )*};
}

/// Defines methods that do the same as another one.
macro_rules! same {
    ($($as:ident: $($method:ident)*;)*) => {$($(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
            self.$as(visitor)
        }
    )*)*};
}

impl<'de, O: DecodeObserver> Deserializer<'de> for &mut Decoder<'de, O> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        match self.next_value(Hint::Any)? {
            b'"' => self.string(visitor),
            b'-' | b'0'..=b'9' => self.any_number(visitor),
            b'[' => self.array(visitor),
            b'{' => self.object(visitor, true),
            b'n' if self.cursor.eat("null") => visitor.visit_unit(),
            b't' if self.cursor.eat("true") => visitor.visit_bool(true),
            b'f' if self.cursor.eat("false") => visitor.visit_bool(false),
            _ => Err(self.malformed()),
        }
    }

    integers! {
        deserialize_i8: "int8", deserialize_i16: "int16", deserialize_i32: "int32", deserialize_i64: "int64",
        deserialize_u8: "uint8", deserialize_u16: "uint16", deserialize_u32: "uint32", deserialize_u64: "uint64"
    }

    same! {
        deserialize_str: deserialize_string deserialize_char deserialize_identifier;
        deserialize_bytes: deserialize_byte_buf;
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        match self.next_value(Hint::Bool)? {
            b't' if self.cursor.eat("true") => visitor.visit_bool(true),
            b'f' if self.cursor.eat("false") => visitor.visit_bool(false),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        self.next_value(Hint::Number("int128"))?;
        let value = self.wide_integer(Decimal::to_i128, &visitor)?;
        visitor.visit_i128(value)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        self.next_value(Hint::Number("uint128"))?;
        let value = self.wide_integer(Decimal::to_u128, &visitor)?;
        visitor.visit_u128(value)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        self.next_value(Hint::Number("float"))?;
        match self.cursor.single() {
            Some(value) => visitor.visit_f32(value),
            None => Err(self.no_float(&visitor)),
        }
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        self.next_value(Hint::Number("double"))?;
        match self.cursor.double() {
            Some(value) => visitor.visit_f64(value),
            None => Err(self.no_float(&visitor)),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        match self.next_value(Hint::Text)? {
            b'"' => self.string(visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        match self.next_value(Hint::Bytes)? {
            b'"' => match self.take_string()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
                Cow::Owned(text) => visitor.visit_byte_buf(text.into_bytes()),
            },
            b'[' => self.array(visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        match self.next_value(Hint::Option)? {
            b'n' if self.cursor.eat("null") => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        match self.next_value(Hint::Unit)? {
            b'n' if self.cursor.eat("null") => visitor.visit_unit(),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> DecodeResult<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> DecodeResult<V::Value> {
        if name.starts_with(PRIVATE_PREFIX) {
            self.next_value(Hint::Any)?;
            return self.hand_to_serde_json(name, visitor);
        }
        self.enter_newtype()?;
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        match self.next_value(Hint::Seq)? {
            b'[' => self.array(visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> DecodeResult<V::Value> {
        match self.next_value(Hint::Tuple)? {
            b'[' => self.array(visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> DecodeResult<V::Value> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        match self.next_value(Hint::Map)? {
            b'{' => self.object(visitor, true),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> DecodeResult<V::Value> {
        match self.next_value(Hint::Struct(fields))? {
            b'{' => self.object(visitor, false),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> DecodeResult<V::Value> {
        self.next_value(Hint::Enum(variants))?;
        self.enumeration(visitor)
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        self.next_value(Hint::Ignored)?;
        self.skip_value()?;
        visitor.visit_unit()
    }
}
