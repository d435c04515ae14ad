//! The members of an object, in little memory.
//!
//! A description has many small objects with the same names, and may have a default of a million
//! more. So an object is a plain list while it is small, and names are shared.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::ops::Index;

use super::iterators::{Keys, Values};
use super::{Iter, IterMut, Json, Name};

/// The maximum number of members of an object that is searched from the start.
const FEW: usize = 16;

pub(super) type Member = (Name, Json);

/// The members of an [object](Json::Object), in the order in which they were written.
///
/// `==` ignores the order.
#[derive(Clone, Default)]
pub struct Object(Members);

#[derive(Clone)]
enum Members {
    Few(Vec<Member>),
    Many(Box<Indexed>),
}

impl Default for Members {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

/// Members, and the index of each name.
#[derive(Clone)]
struct Indexed {
    members: Vec<Member>,
    places: HashMap<Name, usize>,
}

impl From<Vec<Member>> for Indexed {
    fn from(members: Vec<Member>) -> Self {
        let names = members.iter().enumerate();
        Self {
            places: names
                .map(|(place, (name, _))| (name.clone(), place))
                .collect(),
            members,
        }
    }
}

impl Object {
    /// Creates an object without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an object with room for members.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Members::Few(Vec::with_capacity(capacity)))
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        self.members().len()
    }

    /// Returns whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.members().is_empty()
    }

    fn members(&self) -> &[Member] {
        match &self.0 {
            Members::Few(members) => members,
            Members::Many(indexed) => &indexed.members,
        }
    }

    fn members_mut(&mut self) -> &mut Vec<Member> {
        match &mut self.0 {
            Members::Few(members) => members,
            Members::Many(indexed) => &mut indexed.members,
        }
    }

    /// Returns the index of a member, counted from 0.
    pub fn get_index_of(&self, name: &str) -> Option<usize> {
        match &self.0 {
            Members::Few(members) => members.iter().position(|(other, _)| **other == *name),
            Members::Many(indexed) => indexed.places.get(name).copied(),
        }
    }

    /// Returns whether there is a member with this name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.get_index_of(name).is_some()
    }

    /// Returns the value of a member.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.get_key_value(name).map(|(_, value)| value)
    }

    /// Returns the name and the value of a member.
    pub fn get_key_value(&self, name: &str) -> Option<(&Name, &Json)> {
        let (name, value) = self.members().get(self.get_index_of(name)?)?;
        Some((name, value))
    }

    /// Returns the value of a member, mutably.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Json> {
        let place = self.get_index_of(name)?;
        Some(&mut self.members_mut().get_mut(place)?.1)
    }

    /// Sets a member and returns its old value. A new member becomes the last one.
    pub fn insert(&mut self, name: impl Into<Name>, value: Json) -> Option<Json> {
        self.set(name.into(), value)
    }

    fn set(&mut self, name: Name, value: Json) -> Option<Json> {
        if let Some(old) = self.get_mut(&name) {
            return Some(std::mem::replace(old, value));
        }
        match &mut self.0 {
            Members::Few(members) => {
                members.push((name, value));
                if members.len() > FEW {
                    let members = std::mem::take(members);
                    self.0 = Members::Many(Box::new(members.into()));
                }
            }
            Members::Many(indexed) => {
                indexed.places.insert(name.clone(), indexed.members.len());
                indexed.members.push((name, value));
            }
        }
        None
    }

    /// Inserts a new member at this index. If the name exists already, only its value is replaced.
    pub fn shift_insert(&mut self, place: usize, name: impl Into<Name>, value: Json) {
        let name = name.into();
        if self.insert(name.clone(), value).is_some() {
            return;
        }
        let place = place.min(self.len() - 1);
        self.members_mut()[place..].rotate_right(1);
        if let Members::Many(indexed) = &mut self.0 {
            let places = indexed.places.values_mut();
            places
                .filter(|other| **other >= place)
                .for_each(|other| *other += 1);
            indexed.places.insert(name, place);
        }
    }

    /// Removes a member and returns its value. The others keep their order.
    pub fn shift_remove(&mut self, name: &str) -> Option<Json> {
        let (_, value) = self.shift_remove_index(self.get_index_of(name)?)?;
        Some(value)
    }

    /// Removes the member at an index and returns it. The others keep their order.
    pub fn shift_remove_index(&mut self, place: usize) -> Option<(Name, Json)> {
        if place >= self.len() {
            return None;
        }
        let removed = self.members_mut().remove(place);
        if let Members::Many(indexed) = &mut self.0 {
            indexed.places.remove(&removed.0);
            let places = indexed.places.values_mut();
            places
                .filter(|other| **other > place)
                .for_each(|other| *other -= 1);
        }
        Some(removed)
    }

    /// Removes the last member and returns it.
    pub fn pop(&mut self) -> Option<(Name, Json)> {
        if let Members::Many(indexed) = &mut self.0 {
            let (name, _) = indexed.members.last()?;
            indexed.places.remove(name);
        }
        self.members_mut().pop()
    }

    /// Returns the value of a member, which is added if it does not exist.
    pub fn or_insert_with(&mut self, name: &str, value: impl FnOnce() -> Json) -> &mut Json {
        let place = self.get_index_of(name).unwrap_or_else(|| {
            self.insert(name, value());
            self.len() - 1
        });
        &mut self.members_mut()[place].1
    }

    /// Keeps the members for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&Name, &Json) -> bool) {
        let mut members = std::mem::take(self.members_mut());
        members.retain(|(name, value)| keep(name, value));
        self.0 = members_of(members);
    }

    /// Sorts the members by name.
    pub fn sort_by(&mut self, mut compare: impl FnMut(&Name, &Name) -> Ordering) {
        let mut members = std::mem::take(self.members_mut());
        members.sort_by(|(a, _), (b, _)| compare(a, b));
        self.0 = members_of(members);
    }

    /// Makes room for this many more members, and no more.
    pub(super) fn reserve_exact(&mut self, more: usize) {
        self.members_mut().reserve_exact(more);
    }

    /// Returns the names and values.
    pub fn iter(&self) -> Iter<'_> {
        Iter(self.members().iter())
    }

    /// Returns the names, and the values mutably.
    pub fn iter_mut(&mut self) -> IterMut<'_> {
        IterMut(self.members_mut().iter_mut())
    }

    /// Returns the names.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Name> + ExactSizeIterator + Clone {
        Keys(self.members().iter())
    }

    /// Returns the values.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Json> + ExactSizeIterator + Clone {
        Values(self.members().iter())
    }

    /// Returns the values, mutably.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Json> + ExactSizeIterator {
        self.iter_mut().map(|(_, value)| value)
    }
}

/// Builds an index if there are enough members. Their names must be distinct.
fn members_of(members: Vec<Member>) -> Members {
    if members.len() > FEW {
        Members::Many(Box::new(members.into()))
    } else {
        Members::Few(members)
    }
}

impl IntoIterator for Object {
    type Item = Member;
    type IntoIter = std::vec::IntoIter<Member>;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(self.members_mut()).into_iter()
    }
}

impl<N: Into<Name>> Extend<(N, Json)> for Object {
    fn extend<I: IntoIterator<Item = (N, Json)>>(&mut self, members: I) {
        for (name, value) in members {
            self.insert(name, value);
        }
    }
}

impl<N: Into<Name>> FromIterator<(N, Json)> for Object {
    fn from_iter<I: IntoIterator<Item = (N, Json)>>(members: I) -> Self {
        let members = members.into_iter();
        let mut object = Self::with_capacity(members.size_hint().0);
        object.extend(members);
        object
    }
}

impl<N: Into<Name>, const LENGTH: usize> From<[(N, Json); LENGTH]> for Object {
    fn from(members: [(N, Json); LENGTH]) -> Self {
        members.into_iter().collect()
    }
}

impl Index<&str> for Object {
    type Output = Json;

    /// # Panics
    /// If there is no such member.
    fn index(&self, name: &str) -> &Json {
        match self.get(name) {
            Some(value) => value,
            None => panic!("no member `{name}`"),
        }
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self
                .iter()
                .all(|(name, value)| other.get(name) == Some(value))
    }
}

impl Eq for Object {}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, Object};
    use crate::json::Json;

    /// Returns the names and values in order, and checks that every name is found at its index.
    fn listed(object: &Object) -> Vec<(String, i64)> {
        let listed: Vec<(String, i64)> = object
            .iter()
            .map(|(name, value)| (name.to_string(), value.as_i64().expect("an integer")))
            .collect();
        for (place, (name, value)) in listed.iter().enumerate() {
            assert_eq!(object.get_index_of(name), Some(place), "{name}");
            assert_eq!(object.get(name), Some(&Json::from(*value)));
        }
        listed
    }

    #[test]
    fn members_keep_their_order_and_are_found_in_objects_of_every_size() {
        for size in [1, 3, FEW, FEW + 1, 3 * FEW] {
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
            object.retain(|name, _| **name != *"new");
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
