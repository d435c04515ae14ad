//! Reads objects member by member, and reports what is wrong with each.
//!
//! A reader takes the members that it knows. What is left is unknown: it is kept as an extension, or left out with a
//! warning. No member that is wrong stops the reading of the others.

use super::location::Location;
use docent_describe::json::{Json, Object};

/// The members of an object that is being read. Members that are not taken are unknown.
pub(super) struct MemberReader<'p> {
    /// The members that are still to be taken.
    left: Object,
    /// The location of the object, for warnings.
    pub(super) at: &'p Location<'p>,
}

impl<'p> MemberReader<'p> {
    /// Begins with all members of an object.
    pub(super) fn new(left: Object, at: &'p Location<'p>) -> Self {
        Self { left, at }
    }

    /// Returns the members of `value`. If it is not an object, warns and returns `None`.
    pub(super) fn of(value: Json, at: &'p Location<'p>) -> Option<Self> {
        Some(Self::new(object(value, at)?, at))
    }

    /// Takes a member of any type.
    pub(super) fn take(&mut self, name: &str) -> Option<Json> {
        self.left.shift_remove(name)
    }

    /// Takes a member unless it is null. In JSON-RPC 1.1 and in real OpenRPC documents, null means
    /// that there is no value.
    pub(super) fn present(&mut self, name: &str) -> Option<Json> {
        self.take(name).filter(|value| !matches!(value, Json::Null))
    }

    /// Returns whether the member is missing or null.
    pub(super) fn is_absent(&self, name: &str) -> bool {
        matches!(self.left.get(name), None | Some(Json::Null))
    }

    /// Puts back a member that was taken.
    pub(super) fn put_back(&mut self, name: &str, value: Json) {
        self.left.insert(name, value);
    }

    /// Takes a text.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        string(self.present(name)?, &self.at.inside(name))
    }

    /// Takes a text that is one of a few known ones. Warns of any other.
    pub(super) fn choice<T>(
        &mut self,
        name: &str,
        known: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let word = self.text(name)?;
        let at = self.at.inside(name);
        known(&word).or_else(|| at.reject(format_args!("unknown word {word:?}, left out")))
    }

    /// Takes a name, which is required and must not be empty.
    pub(super) fn name(&mut self, of: &str) -> Option<String> {
        self.text("name")
            .filter(|name| !name.is_empty())
            .or_else(|| {
                self.at
                    .reject(format_args!("{of} without a name, left out"))
            })
    }

    /// Takes a Boolean, which is false if it is missing.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        self.boolean(name).unwrap_or_default()
    }

    /// Takes a Boolean.
    pub(super) fn boolean(&mut self, name: &str) -> Option<bool> {
        let value = self.present(name)?;
        let at = self.at.inside(name);
        value.as_bool().or_else(|| wrong(&at, "a boolean", &value))
    }

    /// Takes an object.
    pub(super) fn object(&mut self, name: &str) -> Option<Object> {
        object(self.present(name)?, &self.at.inside(name))
    }

    /// Takes an object and reads its members. Warns of those that were not read.
    pub(super) fn inside<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut MemberReader<'_>) -> Option<T>,
    ) -> Option<T> {
        let value = self.present(name)?;
        let at = self.at.inside(name);
        let mut fields = MemberReader::of(value, &at)?;
        let result = read(&mut fields);
        fields.warn_of_unknown();
        result
    }

    /// Warns of the members that were not taken.
    pub(super) fn warn_of_unknown(self) {
        for name in self.left.keys() {
            self.at.inside(name).warn("unknown member, left out");
        }
    }

    /// Takes an array and reads its elements, as [`elements`] does.
    pub(super) fn each<T>(
        &mut self,
        name: &str,
        read: impl FnMut(Json, &Location<'_>) -> Option<T>,
    ) -> Vec<T> {
        let value = self.take(name).unwrap_or_default();
        elements(value, &self.at.inside(name), read)
    }

    /// Takes an array of texts.
    pub(super) fn texts(&mut self, name: &str) -> Vec<String> {
        self.each(name, string)
    }

    /// Returns the remaining members: those whose names start with the prefix of extensions, and the others under names
    /// that do. Warns of the others.
    pub(super) fn extensions(self, prefix: &str) -> Object {
        let (mut extensions, unknown): (Object, Object) = self
            .left
            .into_iter()
            .partition(|(name, _)| name.as_str().starts_with(prefix));
        for (name, value) in unknown {
            let extension = self.at.extension_of_unknown(name.as_str());
            // Other prefixes stand before the one of the model.
            let prefix = prefix.trim_end_matches('$');
            extensions.or_insert_with(format!("{prefix}{extension}"), || value);
        }
        extensions
    }

    /// Returns all remaining members.
    pub(super) fn rest(self) -> Object {
        self.left
    }
}

/// Reads the elements of an array. Elements for which `read` returns `None` are dropped. There are
/// none in null.
pub(super) fn elements<T>(
    value: Json,
    at: &Location<'_>,
    mut read: impl FnMut(Json, &Location<'_>) -> Option<T>,
) -> Vec<T> {
    match value {
        Json::Null => Vec::new(),
        Json::Array(elements) => elements
            .into_iter()
            .enumerate()
            .filter_map(|(index, element)| read(element, &at.inside(index)))
            .collect(),
        other => wrong(at, "an array", &other).unwrap_or_default(),
    }
}

/// Returns an object with one member.
pub(super) fn object_of(name: &str, value: Json) -> Json {
    Json::Object(Object::from([(name, value)]))
}

/// Returns the schema that accepts everything.
pub(super) fn anything() -> Json {
    Json::Object(Object::new())
}

/// Returns the text of a string. Warns of any other value.
pub(super) fn string(value: Json, at: &Location<'_>) -> Option<String> {
    match value {
        Json::String(text) => Some(text),
        other => wrong(at, "a string", &other),
    }
}

/// Returns the members of an object. Warns of any other value.
pub(super) fn object(value: Json, at: &Location<'_>) -> Option<Object> {
    match value {
        Json::Object(members) => Some(members),
        other => wrong(at, "an object", &other),
    }
}

/// Warns of a value of the wrong type, which is left out.
pub(super) fn wrong<T>(at: &Location<'_>, expected: &str, found: &Json) -> Option<T> {
    let article = match found {
        Json::Null => "",
        Json::Array(_) | Json::Object(_) => "an ",
        _ => "a ",
    };
    let kind = found.kind();
    at.leave_out(format_args!("should be {expected} and is {article}{kind}"))
}
