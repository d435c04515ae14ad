//! Alternatives: the names that they are shown by, and what tells them apart.

use docent_describe::json::{Json, shorten};
use docent_describe::schema::{Difference, Kinds, Union};

use super::facts::Fact;
use crate::json_text;
use crate::strings::Strings;

/// The name of an alternative.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FormLabel<'t> {
    /// Its title, or the name of its type.
    Named(&'t str),
    /// The value of the member that tells it from the others.
    Value(&'t Json),
    /// The members that it has, or requires.
    With(Vec<&'t str>),
    /// The members of the others, which it lacks.
    Without(Vec<&'t str>),
    /// Its number, where nothing tells it from the others.
    Number(usize),
}

/// Alternatives, and the names that they are shown by.
#[derive(Clone)]
pub(crate) struct UnionNote<'t> {
    pub(crate) union: &'t Union<'t>,
    pub(crate) labels: Vec<FormLabel<'t>>,
}

impl FormLabel<'_> {
    pub(crate) fn text(&self, strings: &Strings) -> String {
        match self {
            Self::Named(name) => (*name).to_owned(),
            Self::Value(value) => json_text::brief(value, 60),
            Self::With(names) => strings.with("tree.form.with", &shorten(&names.join(", "), 80)),
            Self::Without(names) => {
                strings.with("tree.form.without", &shorten(&names.join(", "), 80))
            }
            Self::Number(number) => strings.with("tree.form", &number.to_string()),
        }
    }

    /// Returns the part of an anchor for the alternative.
    pub(super) fn anchor(&self) -> String {
        match self {
            Self::Named(name) => (*name).to_owned(),
            Self::Value(value) => json_text::brief(value, 60),
            Self::With(names) => names.join("-"),
            Self::Without(names) => format!("without-{}", names.join("-")),
            Self::Number(number) => format!("form-{number}"),
        }
    }
}

impl<'t> UnionNote<'t> {
    /// Names the alternatives of a union. Those of `before` are counted already.
    pub(super) fn new(union: &'t Union<'t>, before: usize) -> Self {
        let labels = (0..union.alternatives.len())
            .map(|place| label(union, place).unwrap_or(FormLabel::Number(before + place + 1)))
            .collect();
        Self { union, labels }
    }
}

/// Returns the name of an alternative, if anything tells it from the others.
pub(crate) fn label<'t>(union: &Union<'t>, place: usize) -> Option<FormLabel<'t>> {
    let alternative = &union.alternatives[place];
    if let Some(name) = alternative.name() {
        return Some(FormLabel::Named(name));
    }
    if let Some([only]) = alternative.view.listed.as_deref() {
        return Some(FormLabel::Value(only.value));
    }
    if !alternative.kinds.meet(Kinds::OBJECT) {
        return None;
    }
    match &union.difference {
        Difference::Tag { values, .. } => match &values[place][..] {
            [only] => Some(FormLabel::Value(only)),
            _ => None,
        },
        Difference::Presence(names) => Some(match names[place] {
            Some(name) => FormLabel::With(vec![name]),
            None => FormLabel::Without(names.iter().flatten().copied().collect()),
        }),
        Difference::Required(names) if !names[place].is_empty() => {
            Some(FormLabel::With(names[place].clone()))
        }
        _ => None,
    }
}

/// Returns the value that tells an alternative from others, unless its name is that value.
pub(super) fn tag<'t>(union: &Union<'t>, place: usize, label: &FormLabel<'t>) -> Option<Fact<'t>> {
    let Difference::Tag { path, values } = &union.difference else {
        return None;
    };
    match &values[place][..] {
        [] => Some(Fact::DeclaredTag(
            union.discriminator?.property,
            union.declared_tag(&union.alternatives[place])?,
        )),
        [only] if *label == FormLabel::Value(only) => None,
        values => Some(Fact::Tag(path.clone(), values.to_vec())),
    }
}
