//! A document that is not text yet. It borrows from the description, and its lists are produced
//! while they are written. So a rendering needs hardly more memory than its longest procedure, no
//! matter how long the description or a value in it is.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io;

use crate::json::{Json, Layout, Name, Object, Writer};

/// The members of an object under construction, in the order in which they are added.
#[derive(Default)]
pub(super) struct MemberList<'a>(Vec<(Cow<'a, str>, Part<'a>)>);

/// The value of a member or an element.
pub(super) enum Part<'a> {
    Owned(Json),
    Borrowed(&'a Json),
    Text(Cow<'a, str>),
    Object(MemberList<'a>),
    List(Box<dyn Iterator<Item = Part<'a>> + 'a>),
    Map(Box<dyn Iterator<Item = (&'a str, Part<'a>)> + 'a>),
}

impl<'a> MemberList<'a> {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a member. No member may have this name yet.
    pub(super) fn with(
        mut self,
        name: impl Into<Cow<'a, str>>,
        value: impl Into<Part<'a>>,
    ) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// Adds a member, or replaces the one with this name.
    pub(super) fn with_instead(mut self, name: &'a str, value: impl Into<Part<'a>>) -> Self {
        match self.0.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.into(), value.into())),
        }
        self
    }

    /// Adds the members whose names are not in use yet.
    pub(super) fn with_new(mut self, more: impl Iterator<Item = (Cow<'a, str>, &'a Json)>) -> Self {
        let mut more = more.peekable();
        if more.peek().is_some() {
            let mut names: HashSet<_> = self.0.iter().map(|(name, _)| name.clone()).collect();
            for (name, value) in more {
                if names.insert(name.clone()) {
                    self.0.push((name, value.into()));
                }
            }
        }
        self
    }

    /// Adds a member if there is a value for it.
    pub(super) fn maybe(
        self,
        name: impl Into<Cow<'a, str>>,
        value: Option<impl Into<Part<'a>>>,
    ) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a text if there is one.
    pub(super) fn text(self, name: &'a str, value: Option<&'a String>) -> Self {
        self.maybe(name, value.map(String::as_str))
    }

    /// Adds a Boolean if it is true.
    pub(super) fn flag(self, name: &'a str, value: bool) -> Self {
        self.maybe(name, value.then_some(true))
    }

    /// Adds an array if it is not empty.
    pub(super) fn list<P: Into<Part<'a>> + 'a>(
        self,
        name: &'a str,
        values: impl IntoIterator<Item = P, IntoIter: 'a>,
    ) -> Self {
        let mut values = values.into_iter().peekable();
        if values.peek().is_none() {
            return self;
        }
        self.list_always(name, values)
    }

    /// Adds an array, empty or not.
    pub(super) fn list_always<P: Into<Part<'a>> + 'a>(
        self,
        name: &'a str,
        values: impl IntoIterator<Item = P, IntoIter: 'a>,
    ) -> Self {
        let values = values.into_iter().map(Into::into);
        self.with(name, Part::List(Box::new(values)))
    }

    /// Adds members that the format does not define. They cannot replace members that it defines,
    /// because those have been added before.
    pub(super) fn extensions(self, extensions: &'a Object) -> Self {
        let custom = extensions
            .iter()
            .filter(|(name, _)| name.starts_with('$'))
            .map(|(name, value)| (name.as_str().into(), value));
        self.with_new(custom)
    }

    /// Returns the object as a value.
    pub(super) fn build(self) -> Json {
        let members = self.0.into_iter();
        let members = members.map(|(name, part)| (Name::from(&*name), part.build()));
        Json::Object(members.collect())
    }

    /// Writes the object as text.
    pub(super) fn write(self, out: impl io::Write, layout: Layout) -> io::Result<()> {
        Part::Object(self).write(&mut Writer::new(out, layout))
    }

    /// Returns the object as text on one line.
    pub(super) fn into_text(self) -> String {
        let mut text = Vec::new();
        // Writing to memory cannot fail, and the output is UTF-8.
        let _ = self.write(&mut text, Layout::Line);
        String::from_utf8(text).unwrap_or_default()
    }
}

impl Part<'_> {
    fn build(self) -> Json {
        match self {
            Self::Owned(value) => value,
            Self::Borrowed(value) => value.clone(),
            Self::Text(text) => Json::String(text.into_owned()),
            Self::Object(members) => members.build(),
            Self::List(elements) => Json::Array(elements.map(Self::build).collect()),
            Self::Map(members) => {
                Json::Object(members.map(|(name, part)| (name, part.build())).collect())
            }
        }
    }

    fn write<W: io::Write>(self, writer: &mut Writer<W>) -> io::Result<()> {
        match self {
            Self::Owned(value) => writer.value(&value),
            Self::Borrowed(value) => writer.value(value),
            Self::Text(text) => writer.string(&text),
            Self::Object(members) => writer.object(members.0, |writer, (name, part)| {
                writer.name(&name)?;
                part.write(writer)
            }),
            Self::List(elements) => writer.array(elements, |writer, part| part.write(writer)),
            Self::Map(members) => writer.object(members, |writer, (name, part)| {
                writer.name(name)?;
                part.write(writer)
            }),
        }
    }
}

impl<'a> From<&'a Object> for MemberList<'a> {
    fn from(object: &'a Object) -> Self {
        let members = object.iter();
        Self(
            members
                .map(|(name, value)| (name.as_str().into(), value.into()))
                .collect(),
        )
    }
}

impl From<Object> for MemberList<'_> {
    fn from(object: Object) -> Self {
        let members = object.into_iter();
        Self(
            members
                .map(|(name, value)| (String::from(name).into(), value.into()))
                .collect(),
        )
    }
}

impl<'a> From<&'a Json> for Part<'a> {
    fn from(value: &'a Json) -> Self {
        Self::Borrowed(value)
    }
}

impl<'a> From<&'a str> for Part<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Part<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<'a> From<MemberList<'a>> for Part<'a> {
    fn from(members: MemberList<'a>) -> Self {
        Self::Object(members)
    }
}

impl<'a> From<&'a Object> for Part<'a> {
    fn from(object: &'a Object) -> Self {
        Self::Object(object.into())
    }
}

impl From<Json> for Part<'_> {
    fn from(value: Json) -> Self {
        Self::Owned(value)
    }
}

impl From<bool> for Part<'_> {
    fn from(value: bool) -> Self {
        Self::Owned(value.into())
    }
}

impl From<i64> for Part<'_> {
    fn from(value: i64) -> Self {
        Self::Owned(value.into())
    }
}
