//! JSON values, and the members of objects.

use std::hash::{Hash, Hasher};
use std::ops::Index;
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use indexmap::map::{IntoIter, Iter, IterMut, Keys, Values, ValuesMut};

use super::name::Name;
use super::number::Decimal;

/// A JSON value.
///
/// `==` compares like JSON Schema: numbers by value (`1.0` equals `1`), objects regardless of the
/// order of their members.
///
/// ```
/// use docent::describe::json::Json;
///
/// // Numbers keep their text.
/// let json: Json = r#"{"big": 12345678901234567890123, "one": 1.0}"#.parse()?;
/// assert_eq!(json.to_string(), r#"{"big":12345678901234567890123,"one":1.0}"#);
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub enum Json {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(Arc<str>),
    /// A string, decoded.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object. If a name is repeated, the last value counts.
    Object(Object),
}

impl Json {
    /// Returns a member of an object.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }

    /// Returns the characters of a member of an object, if it is a string.
    pub fn get_str(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// Returns the characters of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of a Boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the text of a number.
    pub fn as_number(&self) -> Option<&str> {
        match self {
            Self::Number(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of an integer that fits into an `i64`.
    pub fn as_i64(&self) -> Option<i64> {
        Decimal::new(self.as_number()?).to_i128()?.try_into().ok()
    }

    /// Returns the elements of an array.
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the members of an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Returns the members of an object, mutably.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Sorts the members of all objects.
    pub fn sort_members(&mut self) {
        match self {
            Self::Array(elements) => elements.iter_mut().for_each(Self::sort_members),
            Self::Object(members) => {
                members.0.sort_unstable_keys();
                members.values_mut().for_each(Self::sort_members);
            }
            _ => {}
        }
    }

    /// Returns the number of values in a value, itself included.
    ///
    /// ```
    /// use docent::describe::json::Json;
    ///
    /// let value: Json = r#"{"a": [1, 2], "b": null}"#.parse()?;
    /// assert_eq!(value.value_count(), 5);
    /// # Ok::<(), docent_describe::json::SyntaxError>(())
    /// ```
    pub fn value_count(&self) -> usize {
        1 + match self {
            Self::Array(elements) => elements.iter().map(Self::value_count).sum(),
            Self::Object(members) => members.values().map(Self::value_count).sum(),
            _ => 0,
        }
    }

    /// Returns the type by the name that JSON Schema's `type` has for it. A number is always `number`, never
    /// `integer`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a == b || Decimal::new(a) == Decimal::new(b),
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Json {}

/// Equal values have the same hash, however they are written.
impl Hash for Json {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
        match self {
            Self::Null => {}
            Self::Bool(value) => value.hash(state),
            Self::Number(text) => Decimal::new(text).hash(state),
            Self::String(text) => text.hash(state),
            Self::Array(elements) => elements.hash(state),
            Self::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_unstable_by_key(|(name, _)| *name);
                members.hash(state);
            }
        }
    }
}

from! { Json:
    text: &str => Self::String(text.to_owned());
    text: String => Self::String(text);
    value: bool => Self::Bool(value);
    value: i64 => Self::Number(value.to_string().into());
    members: Object => Self::Object(members);
    members: &Object => Self::Object(members.clone());
    elements: Vec<Json> => Self::Array(elements);
    value: &Json => value.clone();
    value: serde_json::Value => Self::from(&value);
}

impl From<&serde_json::Value> for Json {
    fn from(value: &serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(number.to_string().into()),
            Value::String(text) => Self::String(text.clone()),
            Value::Array(elements) => Self::Array(elements.iter().map(Self::from).collect()),
            Value::Object(members) => Self::Object(
                members
                    .iter()
                    .map(|(name, value)| (name, value.into()))
                    .collect(),
            ),
        }
    }
}

/// The members of an [object](Json::Object), in the order in which they were written.
///
/// `==` ignores the order.
// Boxed, because most values in a tree are not objects, and all are as large as the largest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Object(Box<IndexMap<Name, Json, RandomState>>);

impl Object {
    /// Creates an object without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an object with room for members.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Box::new(IndexMap::with_capacity_and_hasher(
            capacity,
            RandomState::default(),
        )))
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the members, in their order.
    pub fn iter(&self) -> Iter<'_, Name, Json> {
        self.0.iter()
    }

    /// Returns the members, in their order, with mutable values.
    pub fn iter_mut(&mut self) -> IterMut<'_, Name, Json> {
        self.0.iter_mut()
    }

    /// Returns the names of the members, in their order.
    pub fn keys(&self) -> Keys<'_, Name, Json> {
        self.0.keys()
    }

    /// Returns the values of the members, in their order.
    pub fn values(&self) -> Values<'_, Name, Json> {
        self.0.values()
    }

    /// Returns the values of the members, mutably.
    pub fn values_mut(&mut self) -> ValuesMut<'_, Name, Json> {
        self.0.values_mut()
    }

    /// Returns whether there is a member with this name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns the value of a member.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name)
    }

    /// Returns the characters of a member, if it is a string.
    pub fn get_str(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// Returns the value of a member, mutably.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Json> {
        self.0.get_mut(name)
    }

    /// Sets a member and returns its old value. A new member becomes the last one.
    pub fn insert(&mut self, name: impl Into<Name>, value: Json) -> Option<Json> {
        self.0.insert(name.into(), value)
    }

    /// Adds a member.
    pub fn with(mut self, name: impl Into<Name>, value: impl Into<Json>) -> Self {
        self.insert(name, value.into());
        self
    }

    /// Adds a member if there is a value for it.
    pub fn maybe(self, name: impl Into<Name>, value: Option<impl Into<Json>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a Boolean if it is true.
    pub fn flag(self, name: &str, value: bool) -> Self {
        self.maybe(name, value.then_some(true))
    }

    /// Inserts a new member at this index. If the name exists already, only its value is replaced.
    pub(crate) fn shift_insert(&mut self, position: usize, name: impl Into<Name>, value: Json) {
        let (last, old) = self.0.insert_full(name.into(), value);
        if old.is_none() {
            self.0.move_index(last, position.min(last));
        }
    }

    /// Removes a member and returns its value. The others keep their order.
    pub fn shift_remove(&mut self, name: &str) -> Option<Json> {
        self.0.shift_remove(name)
    }

    /// Replaces a member by another one at the same position. If a member of the new name exists, it is
    /// removed.
    pub fn replace(&mut self, old: &str, name: impl Into<Name>, value: Json) {
        let Some(position) = self.0.get_index_of(old) else {
            return;
        };
        let name = name.into();
        self.0.shift_remove_index(position);
        self.0.shift_remove(&name);
        self.shift_insert(position, name, value);
    }

    /// Keeps the members for which `keep` returns true. They keep their order.
    pub fn retain(&mut self, mut keep: impl FnMut(&Name, &Json) -> bool) {
        self.0.retain(|name, value| keep(name, value));
    }

    /// Sorts the members by a key that `key` returns for their names. Members of equal keys keep their order.
    pub(crate) fn sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&Name) -> K) {
        self.0.sort_by_cached_key(|name, _| key(name));
    }

    /// Removes the last member and returns it.
    pub(crate) fn pop(&mut self) -> Option<(Name, Json)> {
        self.0.pop()
    }

    /// Gives back memory that no member uses.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
    }

    /// Returns the value of a member, which is added if it does not exist.
    pub fn or_insert_with(
        &mut self,
        name: impl Into<Name>,
        value: impl FnOnce() -> Json,
    ) -> &mut Json {
        self.0.entry(name.into()).or_insert_with(value)
    }
}

/// The value of a member that must exist.
///
/// # Panics
///
/// Panics if there is no member with this name.
impl Index<&str> for Object {
    type Output = Json;

    fn index(&self, name: &str) -> &Json {
        &self.0[name]
    }
}

impl IntoIterator for Object {
    type Item = (Name, Json);
    type IntoIter = IntoIter<Name, Json>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'o> IntoIterator for &'o Object {
    type Item = (&'o Name, &'o Json);
    type IntoIter = Iter<'o, Name, Json>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'o> IntoIterator for &'o mut Object {
    type Item = (&'o Name, &'o mut Json);
    type IntoIter = IterMut<'o, Name, Json>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl<N: Into<Name>> Extend<(N, Json)> for Object {
    fn extend<I: IntoIterator<Item = (N, Json)>>(&mut self, members: I) {
        for (name, value) in members {
            self.insert(name, value);
        }
    }
}

impl<T: Into<Self>> FromIterator<T> for Json {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::Array(values.into_iter().map(T::into).collect())
    }
}

impl<N: Into<Name>> FromIterator<(N, Json)> for Object {
    fn from_iter<I: IntoIterator<Item = (N, Json)>>(members: I) -> Self {
        let mut object = Self::new();
        object.extend(members);
        object
    }
}

impl<N: Into<Name>, const LENGTH: usize> From<[(N, Json); LENGTH]> for Object {
    fn from(members: [(N, Json); LENGTH]) -> Self {
        members.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, Object};

    #[test]
    fn numbers_of_every_length_keep_their_text() {
        for length in [1, 21, 22, 23, 400] {
            let text = "9".repeat(length);
            assert_eq!(text.parse::<Json>().expect("a number").to_string(), text);
        }
    }

    #[test]
    fn a_value_is_small() {
        assert!(size_of::<Json>() <= 32, "{}", size_of::<Json>());
    }

    /// Returns the names and values in order, and checks that every name is found at its index.
    fn listed(object: &Object) -> Vec<(String, i64)> {
        let listed: Vec<(String, i64)> = object
            .iter()
            .map(|(name, value)| (name.to_string(), value.as_i64().expect("an integer")))
            .collect();
        for (index, (name, value)) in listed.iter().enumerate() {
            assert_eq!(object.0.get_index_of(name.as_str()), Some(index), "{name}");
            assert_eq!(object.get(name), Some(&Json::from(*value)));
        }
        listed
    }

    #[test]
    fn members_keep_their_order_and_are_found_in_objects_of_every_size() {
        for size in [1, 3, 16, 50] {
            let mut object = Object::new();
            let mut expected = Vec::new();
            for number in 0..i64::try_from(size).expect("small") {
                assert_eq!(object.insert(format!("n{number}"), number.into()), None);
                expected.push((format!("n{number}"), number));
            }
            assert_eq!(listed(&object), expected);
            let backwards: Object = object.clone().into_iter().rev().collect();
            assert_eq!(object, backwards);

            assert_eq!(object.insert("n0", 70.into()), Some(0.into()));
            expected[0].1 = 70;
            assert_ne!(object, backwards);
            object.shift_insert(size / 2, "new", 71.into());
            expected.insert(size / 2, ("new".to_owned(), 71));
            assert_eq!(listed(&object), expected);
            assert_eq!(object.shift_remove("n0"), Some(70.into()));
            expected.retain(|(name, _)| name != "n0");
            assert_eq!(listed(&object), expected);
            assert_eq!(object.shift_remove("n0"), None);
            *object.or_insert_with("n0", || 1.into()) = 72.into();
            expected.push(("n0".to_owned(), 72));
            assert_eq!(listed(&object), expected);
            object.retain(|name, _| name != "new");
            expected.retain(|(name, _)| name != "new");
            assert_eq!(listed(&object), expected);
            assert_eq!(object.len(), size);
            let (name, value) = object.pop().expect("a member");
            assert_eq!(
                expected.pop(),
                Some((name.to_string(), value.as_i64().expect("an integer")))
            );
            assert_eq!(listed(&object), expected);
        }
    }
}
