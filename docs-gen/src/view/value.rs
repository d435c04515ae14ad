//! A view as a tree of what its templates can ask for.
//!
//! `serde_json::Value` would do, but it allocates each member's name and keeps members in a map, for
//! views that are made and read once.

use std::fmt;

use serde::ser::{self, Impossible, Serialize, SerializeSeq, SerializeStruct, Serializer};

/// What a template can ask for.
#[derive(Debug)]
pub(crate) enum Value {
    Nothing,
    Truth(bool),
    Number(i64),
    Text(String),
    List(Vec<Value>),
    Members(Vec<(&'static str, Value)>),
}

impl Value {
    /// Makes the tree of a view.
    pub(crate) fn of(view: &impl Serialize) -> Result<Self, Unfit> {
        view.serialize(ToValue)
    }

    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        let Self::Members(members) = self else {
            return None;
        };
        let mut members = members.iter();
        members.find_map(|(own, value)| (*own == name).then_some(value))
    }

    /// Whether `{{#if}}` takes it for true.
    pub(crate) fn is_truthy(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Truth(truth) => *truth,
            Self::Number(number) => *number != 0,
            Self::Text(text) => !text.is_empty(),
            Self::List(elements) => !elements.is_empty(),
            Self::Members(members) => !members.is_empty(),
        }
    }
}

/// A view holds something that no template asks for, such as a map.
#[derive(Debug)]
pub(crate) struct Unfit(String);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a view cannot hold {}", self.0)
    }
}

impl std::error::Error for Unfit {}

impl ser::Error for Unfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

fn unfit<T>(what: &str) -> Result<T, Unfit> {
    Err(Unfit(what.to_owned()))
}

struct ToValue;

macro_rules! integers {
    ($($function:ident: $type:ty),* $(,)?) => {
        $(fn $function(self, number: $type) -> Result<Value, Unfit> {
            Ok(Value::Number(number.into()))
        })*
    };
}

impl Serializer for ToValue {
    type Ok = Value;
    type Error = Unfit;
    type SerializeSeq = List;
    type SerializeStruct = Members;
    type SerializeTuple = Impossible<Value, Unfit>;
    type SerializeTupleStruct = Impossible<Value, Unfit>;
    type SerializeTupleVariant = Impossible<Value, Unfit>;
    type SerializeMap = Impossible<Value, Unfit>;
    type SerializeStructVariant = Impossible<Value, Unfit>;

    integers! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32,
    }

    fn serialize_u64(self, number: u64) -> Result<Value, Unfit> {
        i64::try_from(number)
            .map_or_else(|_| unfit("so large a number"), |it| Ok(Value::Number(it)))
    }

    fn serialize_bool(self, truth: bool) -> Result<Value, Unfit> {
        Ok(Value::Truth(truth))
    }

    fn serialize_str(self, text: &str) -> Result<Value, Unfit> {
        Ok(Value::Text(text.to_owned()))
    }

    fn serialize_none(self) -> Result<Value, Unfit> {
        Ok(Value::Nothing)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Unfit> {
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<List, Unfit> {
        Ok(List(Vec::with_capacity(length.unwrap_or_default())))
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Members, Unfit> {
        Ok(Members(Vec::with_capacity(length)))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Value, Unfit> {
        value.serialize(self)
    }

    fn serialize_f32(self, _: f32) -> Result<Value, Unfit> {
        unfit("a fraction")
    }

    fn serialize_f64(self, _: f64) -> Result<Value, Unfit> {
        unfit("a fraction")
    }

    fn serialize_char(self, _: char) -> Result<Value, Unfit> {
        unfit("a character")
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Value, Unfit> {
        unfit("bytes")
    }

    fn serialize_unit(self) -> Result<Value, Unfit> {
        unfit("a unit")
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<Value, Unfit> {
        unfit(name)
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<Value, Unfit> {
        unfit(name)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Value, Unfit> {
        unfit(name)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Unfit> {
        unfit("a tuple")
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Unfit> {
        unfit(name)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unfit> {
        unfit(name)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Unfit> {
        unfit("a map")
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unfit> {
        unfit(name)
    }
}

struct List(Vec<Value>);

impl SerializeSeq for List {
    type Ok = Value;
    type Error = Unfit;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
        self.0.push(value.serialize(ToValue)?);
        Ok(())
    }

    fn end(self) -> Result<Value, Unfit> {
        Ok(Value::List(self.0))
    }
}

struct Members(Vec<(&'static str, Value)>);

impl SerializeStruct for Members {
    type Ok = Value;
    type Error = Unfit;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Unfit> {
        self.0.push((name, value.serialize(ToValue)?));
        Ok(())
    }

    fn end(self) -> Result<Value, Unfit> {
        Ok(Value::Members(self.0))
    }
}
