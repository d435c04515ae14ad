//! A type gets only values of the kind that it asks for, even if it would take others, as with `serde_json`.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny};

use crate::json::de::Decoder;

/// A type that asks for a kind of value, and takes whatever it gets.
#[derive(Debug, Clone, Copy)]
enum Undemanding {
    Bool,
    Bytes,
    Integer,
    Map,
    Number,
    Seq,
    Text,
    Tuple,
    TupleStruct,
    Unit,
    UnitStruct,
}

const ALL: [Undemanding; 11] = [
    Undemanding::Bool,
    Undemanding::Bytes,
    Undemanding::Integer,
    Undemanding::Map,
    Undemanding::Number,
    Undemanding::Seq,
    Undemanding::Text,
    Undemanding::Tuple,
    Undemanding::TupleStruct,
    Undemanding::Unit,
    Undemanding::UnitStruct,
];

impl<'de> DeserializeSeed<'de> for Undemanding {
    type Value = IgnoredAny;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<IgnoredAny, D::Error> {
        match self {
            Self::Bool => deserializer.deserialize_bool(IgnoredAny),
            Self::Bytes => deserializer.deserialize_bytes(IgnoredAny),
            Self::Integer => deserializer.deserialize_i64(IgnoredAny),
            Self::Map => deserializer.deserialize_map(IgnoredAny),
            Self::Number => deserializer.deserialize_f64(IgnoredAny),
            Self::Seq => deserializer.deserialize_seq(IgnoredAny),
            Self::Text => deserializer.deserialize_str(IgnoredAny),
            Self::Tuple => deserializer.deserialize_tuple(1, IgnoredAny),
            Self::TupleStruct => deserializer.deserialize_tuple_struct("", 1, IgnoredAny),
            Self::Unit => deserializer.deserialize_unit(IgnoredAny),
            Self::UnitStruct => deserializer.deserialize_unit_struct("", IgnoredAny),
        }
    }
}

#[test]
fn a_type_gets_only_the_kind_of_value_that_it_asks_for() {
    for text in ["null", "true", "false", "7", "\"a\"", "[1]", "{\"a\":1}"] {
        for undemanding in ALL {
            let mut json = serde_json::Deserializer::from_str(text);
            let expected = undemanding.deserialize(&mut json).is_ok();
            let actual = Decoder::new(text).value(undemanding).is_ok();
            assert_eq!(actual, expected, "{undemanding:?} of {text}");
        }
    }
}

#[test]
fn an_error_quotes_the_value_as_it_is_written() {
    for (text, found) in [
        ("1.50", "1.50"),
        ("1e400", "1e400"),
        ("\"\\u0061\"", "the string \"a\""),
        ("[[]]", "an array"),
    ] {
        let error = Decoder::new(text)
            .value(std::marker::PhantomData::<bool>)
            .unwrap_err();
        assert_eq!(error.offset(), Some(0));
        let expected = format!("expected true or false, found {found}");
        assert_eq!(error.reason(text), expected);
    }
}
