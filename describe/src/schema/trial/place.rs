//! Places in a value, and the forms of the schema that they stand for.

use super::decode::{Ask, Attempt};
use crate::json::{Json, Object, Pointer};
use crate::schema::form::{Form, forms};
use crate::schema::kinds::Kinds;
use crate::schema::shape::Definitions;

/// The maximum number of forms of one schema that are tried.
const FORMS: usize = 1000;

/// A place in a sample, and the schema of what is there.
pub(in crate::schema) struct Place<'s, 'j> {
    pub(super) sample: &'s Json,
    pub(in crate::schema) at: &'s Pointer,
    pub(in crate::schema) value: &'s Json,
    pub(super) schema: &'j Json,
    /// The form of the schema that the value has.
    pub(super) form: &'s Form<'j>,
    /// All forms that the schema allows.
    pub(in crate::schema) all: &'s [Form<'j>],
}

/// Returns the address of the place in a value that a pointer leads to.
pub(super) fn address(at: &Pointer, value: &Json) -> Option<*const Json> {
    Pointer::resolve(at.as_str(), value).map(std::ptr::from_ref)
}

impl<'j> Place<'_, 'j> {
    /// Returns the sample with the members of the object at this place changed.
    pub(super) fn changed(&self, change: impl FnOnce(&mut Object)) -> Json {
        let mut sample = self.sample.clone();
        if let Some(Json::Object(members)) = self.at.resolve_mut(&mut sample) {
            change(members);
        }
        sample
    }

    /// Returns the name of the innermost type at this place, in words.
    pub(super) fn in_words(&self) -> String {
        match self.form.types.last() {
            Some(name) => format!("in the type `{name}`"),
            None => "inside it".to_owned(),
        }
    }

    /// Returns the names of the members that any form describes.
    pub(super) fn described(&self) -> Vec<&'j str> {
        let names = self.all.iter().flat_map(Form::properties);
        names.map(|(name, _)| name).collect()
    }

    /// Returns whether the type plainly accepts no other kinds of data here than the schema allows.
    pub(super) fn is_plain(&self, attempt: &Attempt) -> bool {
        if self.form.is_free() {
            return true;
        }
        let allowed = self.all.iter();
        let allowed = allowed.map(|it| it.kinds() & it.listed_kinds().unwrap_or(Kinds::ALL));
        let allowed = Kinds::any(allowed);
        let mut asks = attempt.asks_at(self.value).peekable();
        asks.peek().is_some() && asks.all(|ask| self.allows(ask, allowed))
    }

    fn allows(&self, ask: Ask, allowed: Kinds) -> bool {
        let asked = match ask {
            Ask::Any | Ask::Ignored | Ask::Bytes => return false,
            Ask::Option | Ask::Unit => Kinds::NULL,
            Ask::Bool => Kinds::BOOLEAN,
            Ask::Text => Kinds::STRING,
            Ask::Seq | Ask::Tuple => Kinds::ARRAY,
            Ask::Number(name) => {
                let format = self.form.word("format").and_then(Json::as_str);
                // The generator writes sizes without a number.
                match (format, name) {
                    (Some("float" | "double"), _) if format == Some(name) => Kinds::NUMBER,
                    (Some("uint"), "uint64") | (Some("int"), "int64") => Kinds::INTEGER,
                    _ if format == Some(name) => Kinds::INTEGER,
                    _ => return false,
                }
            }
            Ask::Map => {
                let is_map = self.described().is_empty() && !self.form.open_members().is_empty();
                return is_map && Kinds::OBJECT.within(allowed);
            }
            Ask::Struct(_) => {
                // The content of an adjacently tagged enum is buffered if it comes before the tag.
                let members = self.form.properties();
                let has_tag = members
                    .iter()
                    .any(|(_, schema)| schema.get("const").is_some());
                return !has_tag && Kinds::OBJECT.within(allowed);
            }
            Ask::Enum(_) => return self.schema.get("const").is_none(),
        };
        asked.within(allowed)
    }
}

/// Visits every place in a sample that a schema describes.
pub(in crate::schema) fn each_place<'j>(
    sample: &Json,
    at: &mut Pointer,
    schema: &'j Json,
    definitions: &'j Definitions,
    visit: &mut dyn FnMut(&Place<'_, 'j>),
) {
    let Some(value) = Pointer::resolve(at.as_str(), sample) else {
        return;
    };
    let all = forms(schema, definitions, FORMS);
    for form in all.iter().filter(|form| fits(form, value)) {
        let all = &all;
        visit(&Place {
            sample,
            at,
            value,
            schema,
            form,
            all,
        });
        let inner: Vec<(String, &Json)> = match value {
            Json::Object(members) => members
                .keys()
                .filter_map(|name| Some((name.to_string(), form.member(name)?)))
                .collect(),
            Json::Array(elements) => (0..elements.len())
                .filter_map(|index| Some((index.to_string(), form.element(index)?)))
                .collect(),
            _ => Vec::new(),
        };
        for (token, schema) in inner {
            each_place(sample, &mut at.join(token), schema, definitions, visit);
        }
    }
}

/// Returns whether a value may have a form, by its kind, its constants and the names of its members.
fn fits(form: &Form<'_>, value: &Json) -> bool {
    if !form.is_free() && !form.is(Kinds::of(value)) {
        return false;
    }
    if form.listed().is_some_and(|listed| !listed.contains(&value)) {
        return false;
    }
    let Json::Object(members) = value else {
        return true;
    };
    let is_met = |(name, schema): &(&str, &Json)| {
        let is_constant = |member| {
            schema
                .get("const")
                .is_none_or(|constant| constant == member)
        };
        let is_allowed = |member| **schema != Json::Bool(false) && is_constant(member);
        members.get(name).is_none_or(is_allowed)
    };
    form.required()
        .iter()
        .all(|name| members.contains_key(name))
        && form.properties().iter().all(is_met)
        && members
            .keys()
            .all(|name| form.is_open() || form.member(name).is_some())
}
