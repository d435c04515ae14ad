//! Rejects results that JSON cannot represent.
//!
//! `serde_json` writes infinite numbers and NaN as `null`. A description that says "number" would
//! then be wrong, so a result with such a number cannot be serialised. The same applies to an
//! object that would have a member twice (a struct with a flattened map that repeats the name of a
//! field), because readers disagree on which one counts. Everything else is passed on unchanged.

use std::any::type_name;
use std::collections::HashSet;

use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// A value whose numbers must all be finite.
#[derive(Debug)]
pub struct Finite<'a, T: ?Sized>(pub &'a T);

impl<T: Serialize + ?Sized> Serialize for Finite<'_, T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(Checked(serializer))
    }
}

/// A serializer, or one of its compound parts, that rejects infinite numbers and NaN.
struct Checked<S>(S);

#[cold]
fn not_finite<E: Error>() -> E {
    E::custom("a number is infinite or NaN, which JSON cannot represent")
}

/// Adds the type of a map's keys to the error if they cannot be the names of members. The schema of a
/// map does not show that type, so `build()` cannot find the mistake.
#[cold]
fn no_name<E: Error>(error: &E, key: &'static str) -> E {
    let key = key.trim_start_matches('&');
    E::custom(format_args!(
        "{error}: a map has keys of the type `{key}`; let the type serialize as a text or an integer, \
         or return a list of keys and values"
    ))
}

/// Passes a value without parts on.
macro_rules! pass {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        #[inline]
        fn $method(self, $($argument: $type),*) -> Result<S::Ok, S::Error> {
            self.0.$method($($argument),*)
        }
    )*};
}

/// Passes on a value that wraps another, which is checked.
macro_rules! pass_wrapped {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        #[inline]
        fn $method<T: Serialize + ?Sized>(
            self,
            $($argument: $type,)*
            value: &T,
        ) -> Result<S::Ok, S::Error> {
            self.0.$method($($argument,)* &Finite(value))
        }
    )*};
}

/// Begins a compound whose elements are checked.
macro_rules! begin {
    ($($method:ident($($argument:ident: $type:ty),*) -> $compound:ident;)*) => {$(
        #[inline]
        fn $method(self, $($argument: $type),*) -> Result<Self::$compound, S::Error> {
            self.0.$method($($argument),*).map(Checked)
        }
    )*};
}

impl<S: Serializer> Serializer for Checked<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Checked<S::SerializeSeq>;
    type SerializeTuple = Checked<S::SerializeTuple>;
    type SerializeTupleStruct = Checked<S::SerializeTupleStruct>;
    type SerializeTupleVariant = Checked<S::SerializeTupleVariant>;
    type SerializeMap = CheckedMembers<S::SerializeMap>;
    type SerializeStruct = Checked<S::SerializeStruct>;
    type SerializeStructVariant = Checked<S::SerializeStructVariant>;

    pass! {
        serialize_bool(value: bool);
        serialize_char(value: char);
        serialize_str(value: &str);
        serialize_bytes(value: &[u8]);
        serialize_i8(value: i8);
        serialize_i16(value: i16);
        serialize_i32(value: i32);
        serialize_i64(value: i64);
        serialize_i128(value: i128);
        serialize_u8(value: u8);
        serialize_u16(value: u16);
        serialize_u32(value: u32);
        serialize_u64(value: u64);
        serialize_u128(value: u128);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
    }

    pass_wrapped! {
        serialize_some();
        serialize_newtype_struct(name: &'static str);
        serialize_newtype_variant(name: &'static str, index: u32, variant: &'static str);
    }

    begin! {
        serialize_seq(length: Option<usize>) -> SerializeSeq;
        serialize_tuple(length: usize) -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, length: usize) -> SerializeTupleStruct;
        serialize_tuple_variant(
            name: &'static str, index: u32, variant: &'static str, length: usize
        ) -> SerializeTupleVariant;
        serialize_struct(name: &'static str, length: usize) -> SerializeStruct;
        serialize_struct_variant(
            name: &'static str, index: u32, variant: &'static str, length: usize
        ) -> SerializeStructVariant;
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        if value.is_finite() {
            self.0.serialize_f32(value)
        } else {
            Err(not_finite())
        }
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        if value.is_finite() {
            self.0.serialize_f64(value)
        } else {
            Err(not_finite())
        }
    }

    #[inline]
    fn serialize_map(self, length: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        // Only a struct with a flattened field does not know how many members it will have. The
        // keys of a map are unique by themselves.
        let names = length.is_none().then(HashSet::new);
        let inner = self.0.serialize_map(length)?;
        Ok(CheckedMembers { inner, names })
    }

    #[inline]
    fn collect_str<T: std::fmt::Display + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.0.collect_str(value)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

/// Passes on the elements of a compound and checks each of them.
macro_rules! pass_elements {
    ($($trait:ident::$method:ident($($key:ident: $key_type:ty)?)),* $(,)?) => {$(
        impl<S: $trait> $trait for Checked<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($key: $key_type,)?
                value: &T,
            ) -> Result<(), S::Error> {
                self.0.$method($($key,)? &Finite(value))
            }

            #[inline]
            fn end(self) -> Result<S::Ok, S::Error> {
                self.0.end()
            }
        }
    )*};
}

pass_elements! {
    SerializeSeq::serialize_element(),
    SerializeTuple::serialize_element(),
    SerializeTupleStruct::serialize_field(),
    SerializeTupleVariant::serialize_field(),
    SerializeStruct::serialize_field(key: &'static str),
    SerializeStructVariant::serialize_field(key: &'static str),
}

/// The members of a map, or of a struct with a flattened field.
struct CheckedMembers<S> {
    inner: S,
    /// The names so far, if a name could occur twice.
    names: Option<HashSet<String>>,
}

impl<S: SerializeMap> SerializeMap for CheckedMembers<S> {
    type Ok = S::Ok;
    type Error = S::Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), S::Error> {
        if let Some(names) = &mut self.names {
            note(names, key)?;
        }
        self.inner
            .serialize_key(key)
            .map_err(|error| no_name(&error, type_name::<T>()))
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        self.inner.serialize_value(&Finite(value))
    }

    #[inline]
    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

/// Records the name of a member, and fails if it occurred before.
fn note<E: Error, T: Serialize + ?Sized>(names: &mut HashSet<String>, key: &T) -> Result<(), E> {
    // A key of any type is written as text, so names are compared as text. A value that cannot be a
    // key is rejected when it is written.
    let quoted = serde_json::to_string(key).unwrap_or_default();
    let name = quoted.trim_matches('"');
    if names.insert(name.to_owned()) {
        return Ok(());
    }
    Err(E::custom(format_args!("the member `{name}` appears twice")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;
    use serde_json::value::RawValue;

    use super::Finite;

    #[derive(Serialize)]
    enum Shape {
        Unit,
        Newtype(f64),
        Tuple(f64, f32),
        Struct { x: Option<f64> },
    }

    #[derive(Serialize)]
    struct All {
        shapes: Vec<Shape>,
        map: BTreeMap<u8, (f64, char)>,
        raw: Box<RawValue>,
        none: Option<f64>,
        unit: (),
        text: &'static str,
    }

    fn all(number: f64) -> All {
        let raw = RawValue::from_string("[1e400]".to_owned()).expect("JSON");
        All {
            shapes: vec![
                Shape::Unit,
                Shape::Newtype(1.5),
                Shape::Tuple(-0.0, 2.0),
                Shape::Struct { x: Some(number) },
            ],
            map: BTreeMap::from([(7, (0.1, 'ü'))]),
            raw,
            none: None,
            unit: (),
            text: "x",
        }
    }

    #[test]
    fn finite_values_are_written_unchanged() {
        let value = all(1e300);
        let expected = serde_json::to_string(&value).expect("JSON");
        assert_eq!(
            serde_json::to_string(&Finite(&value)).expect("JSON"),
            expected
        );
    }

    #[test]
    fn infinite_numbers_and_nan_are_rejected_at_any_depth() {
        for number in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert!(serde_json::to_string(&Finite(&all(number))).is_err());
            assert!(serde_json::to_string(&Finite(&number)).is_err());
            assert!(serde_json::to_string(&Finite(&vec![number])).is_err());
            assert!(serde_json::to_string(&Finite(&Shape::Newtype(number))).is_err());
        }
        assert!(serde_json::to_string(&Finite(&Shape::Tuple(0.0, f32::NAN))).is_err());
        assert!(serde_json::to_string(&Finite(&BTreeMap::from([(1, f32::INFINITY)]))).is_err());
    }

    #[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
    struct Point {
        x: u8,
    }

    #[test]
    fn keys_that_are_no_text_are_named() {
        let cells = || BTreeMap::from([(Point { x: 1 }, 2)]);
        let error = |value: &dyn Fn() -> serde_json::Error| value().to_string();
        for message in [
            error(&|| serde_json::to_string(&Finite(&vec![cells()])).expect_err("no text")),
            error(&|| {
                let flattened = Flattened {
                    name: 1,
                    rest: cells(),
                };
                serde_json::to_string(&Finite(&flattened)).expect_err("no text")
            }),
        ] {
            let words = ["key must be a string", "finite::tests::Point`", "a list of"];
            assert!(words.iter().all(|word| message.contains(word)), "{message}");
        }
    }

    #[derive(Serialize)]
    struct Flattened<M> {
        name: u8,
        #[serde(flatten)]
        rest: M,
    }

    #[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
    #[serde(rename_all = "lowercase")]
    enum Key {
        Name,
        Other,
    }

    #[test]
    fn a_flattened_map_that_repeats_a_member_is_rejected() {
        let flat = |key: &'static str| Flattened {
            name: 1,
            rest: BTreeMap::from([(key, 2)]),
        };
        let twice = serde_json::to_string(&Finite(&flat("name"))).expect_err("twice");
        assert_eq!(twice.to_string(), "the member `name` appears twice");
        assert!(serde_json::to_string(&Finite(&vec![Some(flat("name"))])).is_err());
        let once = serde_json::to_string(&Finite(&flat("other"))).expect("JSON");
        assert_eq!(once, r#"{"name":1,"other":2}"#);

        let keyed = |key| Flattened {
            name: 1,
            rest: BTreeMap::from([(key, 2)]),
        };
        assert!(serde_json::to_string(&Finite(&keyed(Key::Name))).is_err());
        assert!(serde_json::to_string(&Finite(&keyed(Key::Other))).is_ok());
        // Two flattened parts, and one inside the other.
        let inner = |key| Flattened {
            name: 1,
            rest: BTreeMap::from([("x", flat(key))]),
        };
        assert!(serde_json::to_string(&Finite(&inner("name"))).is_err());
        assert!(serde_json::to_string(&Finite(&inner("other"))).is_ok());
        let both = Flattened {
            name: 1,
            rest: Flattened { name: 2, rest: () },
        };
        assert!(serde_json::to_string(&Finite(&both)).is_err());
    }
}
