//! Tells alternatives apart: by a difference that every value shows (certain), or by one that a reader would
//! go by (likely).
//!
//! Pages name alternatives by any difference. A check selects an alternative only by one that is
//! certain, and tries them one after the other where there is none: see [`SchemaTree::selection`].

use std::cell::OnceCell;
use std::collections::HashSet;

use indexmap::IndexMap;

use super::model::{Alternative, Difference, Label, OuterKinds, SchemaViews, Union, UnionDetail};
use super::properties::Property;
use super::tag::TagValues;
use crate::schema::kinds::Kinds;
use crate::schema::limits::{MAX_TAG_CANDIDATES, MAX_TOLD_APART};
use crate::schema::tree::{Node, SchemaTree, UnionKeyword, UnionRule};

/// The difference between alternatives, and how reliable it is.
pub(super) struct Distinction<'t> {
    /// The difference.
    pub(super) by: Difference<'t>,
    /// True if every value shows which alternative it is. Otherwise, most values do.
    pub(super) is_certain: bool,
    /// True if no value can match two alternatives.
    pub(super) is_exclusive: bool,
}

/// Finds the difference between alternatives. `required` are the properties that each object has
/// beside them.
pub(super) fn tell_apart<'t>(
    alternatives: &[Alternative<'t>],
    union: &UnionKeyword<'t>,
    outer: OuterKinds,
    required: &[&'t str],
) -> Distinction<'t> {
    if alternatives.len() > MAX_TOLD_APART {
        return Distinction::new(Difference::Nothing, false);
    }
    let is_complete = alternatives
        .iter()
        .all(|alternative| alternative.view.is_complete());
    let with_null = alternatives
        .iter()
        .filter(|alternative| alternative.view.takes_null != Some(false))
        .count();
    let is_null_unambiguous = outer.takes_null == Some(false) || with_null <= 1;
    let shared_kinds = shared_kinds(alternatives);
    let mut distinction = match ObjectAlternatives::among(alternatives, required) {
        _ if shared_kinds == Kinds::NONE => Distinction::new(Difference::Kind, true),
        Some(objects) if shared_kinds == Kinds::OBJECT => objects.tell_apart(union),
        _ => by_names(alternatives),
    };
    distinction.is_certain &= is_complete;
    distinction.is_exclusive &= is_complete && is_null_unambiguous;
    distinction
}

/// Returns the kinds that several alternatives accept.
fn shared_kinds(alternatives: &[Alternative<'_>]) -> Kinds {
    let mut seen = Kinds::NONE;
    let mut shared = Kinds::NONE;
    for alternative in alternatives {
        let kinds = alternative.kinds;
        shared = shared | (seen & kinds);
        seen = seen | kinds;
    }
    shared
}

/// Tells alternatives apart by their names, if they differ.
fn by_names<'t>(alternatives: &[Alternative<'t>]) -> Distinction<'t> {
    let names: Option<HashSet<&str>> = alternatives.iter().map(Alternative::name).collect();
    match names {
        Some(names) if names.len() == alternatives.len() => {
            Distinction::new(Difference::Name, false)
        }
        _ => Distinction::new(Difference::Nothing, false),
    }
}

impl<'t> Distinction<'t> {
    /// Creates a distinction that excludes that a value matches two alternatives if it is certain.
    fn new(by: Difference<'t>, is_certain: bool) -> Self {
        Self {
            by,
            is_certain,
            is_exclusive: is_certain,
        }
    }

    /// Returns the values of a tag, if all are texts.
    fn tag_texts(&self) -> Option<Vec<SelectingText>> {
        let Difference::Tag { values, .. } = &self.by else {
            return None;
        };
        let mut texts = Vec::new();
        for (alternative, values) in values.iter().enumerate() {
            for value in values {
                texts.push(SelectingText {
                    text: value.as_str()?.into(),
                    alternative,
                });
            }
        }
        Some(texts)
    }
}

/// The texts by which a check selects the only alternative that an object can match.
pub(in crate::schema) struct Selection {
    /// The property whose value is the text. Without it, the text is the name of the only property.
    pub(in crate::schema) tag: Option<Box<str>>,
    /// The texts, each of which stands for one alternative.
    pub(in crate::schema) texts: Vec<SelectingText>,
}

/// A text, and the index of the alternative that it stands for.
pub(in crate::schema) struct SelectingText {
    pub(in crate::schema) text: Box<str>,
    pub(in crate::schema) alternative: usize,
}

impl SchemaTree<'_> {
    /// Finds a text that each object of an alternative must have, and none of another. The views check no value, because
    /// checks are compiled from this.
    pub(in crate::schema) fn selection<'t>(
        &'t self,
        alternatives: &[&'t Node<'t>],
    ) -> Option<Selection> {
        let views = SchemaViews::unchecked(self);
        let of_objects = OuterKinds {
            kinds: Kinds::OBJECT,
            takes_null: Some(false),
        };
        let alternatives: Vec<_> = alternatives
            .iter()
            .map(|node| Alternative::new(&views, node, of_objects, UnionDetail::Alternatives))
            .collect();
        let objects = ObjectAlternatives::among(&alternatives, &[])?;
        for name in objects.tag_candidates() {
            if let Some(tag) = objects.tag_at(&[name], 0)
                && tag.is_certain
                && let Some(texts) = tag.tag_texts()
            {
                return Some(Selection {
                    tag: Some(name.into()),
                    texts,
                });
            }
        }
        Some(Selection {
            tag: None,
            texts: objects.only_properties()?,
        })
    }
}

/// The alternatives that accept objects.
struct ObjectAlternatives<'a, 't> {
    /// These alternatives, of which there are two or more.
    objects: Vec<ObjectAlternative<'t>>,
    /// All alternatives.
    all: &'a [Alternative<'t>],
    /// The properties that each object has, whichever alternative it is.
    required: &'a [&'t str],
}

/// An alternative that accepts objects, and what has been found of it so far.
struct ObjectAlternative<'t> {
    alternative: Alternative<'t>,
    /// Its index among all alternatives.
    index: usize,
    /// Its properties, once they are needed.
    properties: OnceCell<IndexMap<&'t str, Property<'t>>>,
    /// True if it refuses properties that it does not name, once that is needed.
    is_closed: OnceCell<bool>,
}

impl<'t> ObjectAlternative<'t> {
    /// Returns its properties, which are found when they are first needed.
    fn properties(&self) -> &IndexMap<&'t str, Property<'t>> {
        self.properties
            .get_or_init(|| self.alternative.view.properties())
    }

    /// Returns whether it refuses properties that it does not name.
    fn is_closed(&self) -> bool {
        let view = self.alternative.view;
        *self.is_closed.get_or_init(|| {
            let others = view.other_properties();
            // The members that alternatives or conditions evaluate are unknown here.
            view.is_of_each_value() && others.are_refused && others.patterns.is_empty()
        })
    }

    /// Returns whether no object of the alternative may have a property with this name.
    fn forbids(&self, name: &str) -> bool {
        let is_refused = match self.properties().get(name) {
            Some(property) => property.is_refused,
            None => self.is_closed(),
        };
        is_refused
            || self
                .alternative
                .view
                .nodes()
                .filter_map(|node| node.not.as_deref())
                .any(|not| not.only_required() == Some(&[name]))
    }

    /// Returns whether one alternative requires a property that the other forbids.
    fn excludes(&self, other: &Self) -> bool {
        self.required_names().any(|name| other.forbids(name))
            || other.required_names().any(|name| self.forbids(name))
    }

    /// Returns the names of the properties that each object of the alternative has.
    fn required_names(&self) -> impl Iterator<Item = &'t str> {
        self.properties()
            .iter()
            .filter(|(_, property)| property.is_required)
            .map(|(name, _)| *name)
    }

    /// Returns the only property that it accepts, if it requires it, as serde writes the variants
    /// of an enum.
    fn only_property(&self) -> Option<&'t str> {
        if !self.is_closed() {
            return None;
        }
        let mut accepted = self
            .properties()
            .iter()
            .filter(|(_, property)| !property.is_refused);
        let (name, property) = accepted.next()?;
        if property.is_required && accepted.next().is_none() {
            Some(name)
        } else {
            None
        }
    }
}

impl<'a, 't> ObjectAlternatives<'a, 't> {
    /// Returns the alternatives that accept objects, if there are several.
    fn among(all: &'a [Alternative<'t>], required: &'a [&'t str]) -> Option<Self> {
        let mut objects = Vec::new();
        for (index, alternative) in all.iter().enumerate() {
            if alternative.kinds.meet(Kinds::OBJECT) {
                objects.push(ObjectAlternative {
                    alternative: *alternative,
                    index,
                    properties: OnceCell::new(),
                    is_closed: OnceCell::new(),
                });
            }
        }
        if objects.len() < 2 {
            return None;
        }
        Some(Self {
            objects,
            all,
            required,
        })
    }

    /// Finds the difference between the alternatives if each value is an object: a tag, a property
    /// that only one has, the names that each requires, or else their own names.
    fn tell_apart(&self, union: &UnionKeyword<'t>) -> Distinction<'t> {
        let declared = union
            .discriminator
            .map(|discriminator| discriminator.property);
        if let Some(tag) = self.tag(declared) {
            return tag;
        }
        if let Some(property) = declared {
            let by = Difference::Tag {
                path: vec![property],
                values: vec![Vec::new(); self.all.len()],
            };
            return Distinction::new(by, false);
        }
        let difference = self
            .presence(ObjectAlternative::forbids)
            .or_else(|| self.presence(|other, name| !other.properties().contains_key(name)))
            .or_else(|| self.different_requirements());
        let Some(by) = difference else {
            return by_names(self.all);
        };
        // If each alternative of `oneOf` only requires names, an object with those of two alternatives is refused.
        let is_exclusive_by_rule = union.rule == UnionRule::ExactlyOne
            && self
                .all
                .iter()
                .all(|alternative| alternative.node.only_required().is_some());
        let is_exclusive = self.is_exclusive();
        Distinction {
            by,
            is_certain: is_exclusive || is_exclusive_by_rule,
            is_exclusive,
        }
    }

    /// Returns the names of properties that are tried as the tag.
    fn tag_candidates(&self) -> impl Iterator<Item = &'t str> {
        self.objects[0]
            .alternative
            .view
            .objects()
            .flat_map(|(_, objects)| objects.properties.keys().copied())
            .take(MAX_TAG_CANDIDATES)
    }

    /// Finds a tag: a property with other values in each alternative. A declared one comes first, and a certain one
    /// before a likely one.
    fn tag(&self, declared: Option<&'t str>) -> Option<Distinction<'t>> {
        let mut likely = None;
        for name in declared.into_iter().chain(self.tag_candidates()) {
            match self.tag_at(&[name], 1) {
                Some(tag) if tag.is_certain || declared == Some(name) => return Some(tag),
                tag => likely = likely.or(tag),
            }
        }
        likely.or_else(|| self.inner_tag())
    }

    /// Finds a tag among the properties of properties.
    fn inner_tag(&self) -> Option<Distinction<'t>> {
        let view = self.objects[0].alternative.view;
        for name in self.tag_candidates() {
            let nodes = view.property(name).nodes();
            let properties = view
                .views
                .view_of(&nodes, &[], UnionDetail::Kinds)
                .properties();
            for inner_name in properties.keys().take(MAX_TAG_CANDIDATES) {
                let tag = self.tag_at(&[name, inner_name], 1);
                if tag.is_some() {
                    return tag;
                }
            }
        }
        None
    }

    /// Returns the tag at a path, if the values there are different in each alternative. It is
    /// certain if at most `max_optional` alternatives do not require it.
    fn tag_at(&self, path: &[&'t str], max_optional: usize) -> Option<Distinction<'t>> {
        let mut values = vec![Vec::new(); self.all.len()];
        let mut seen = HashSet::new();
        let mut optional = 0;
        for object in &self.objects {
            let tag = TagValues::at_path(object.alternative, path, self.required)?;
            if tag.values.iter().any(|value| !seen.insert(*value)) {
                return None;
            }
            optional += usize::from(!tag.is_required);
            values[object.index] = tag.values;
        }
        let by = Difference::Tag {
            path: path.to_vec(),
            values,
        };
        Some(Distinction::new(by, optional <= max_optional))
    }

    /// Returns the name of the only property of each alternative, if they are different.
    fn only_properties(&self) -> Option<Vec<SelectingText>> {
        let mut seen = HashSet::new();
        let mut texts = Vec::new();
        for object in &self.objects {
            let name = object.only_property()?;
            if !seen.insert(name) {
                return None;
            }
            texts.push(SelectingText {
                text: name.into(),
                alternative: object.index,
            });
        }
        Some(texts)
    }

    /// Finds a property for each alternative that it requires and that the others lack. One may
    /// have none.
    fn presence(
        &self,
        lacks: impl Fn(&ObjectAlternative<'t>, &str) -> bool,
    ) -> Option<Difference<'t>> {
        let mut own_names = vec![None; self.all.len()];
        let mut without_own_name = 0;
        for object in &self.objects {
            let own_name = object.required_names().find(|name| {
                self.objects
                    .iter()
                    .all(|other| other.index == object.index || lacks(other, name))
            });
            own_names[object.index] = own_name;
            without_own_name += usize::from(own_name.is_none());
        }
        if without_own_name > 1 {
            return None;
        }
        Some(Difference::Presence(own_names))
    }

    /// Returns the names that each alternative requires, if they differ.
    fn different_requirements(&self) -> Option<Difference<'t>> {
        let mut required = vec![Vec::new(); self.all.len()];
        let mut seen = HashSet::new();
        for object in &self.objects {
            let mut names: Vec<&str> = object.required_names().collect();
            required[object.index].clone_from(&names);
            names.sort_unstable();
            if !seen.insert(names) {
                return None;
            }
        }
        Some(Difference::Required(required))
    }

    /// Returns whether of any two alternatives, one requires a property that the other forbids.
    fn is_exclusive(&self) -> bool {
        self.objects.iter().enumerate().all(|(index, one)| {
            self.objects[index + 1..]
                .iter()
                .all(|other| one.excludes(other))
        })
    }
}

impl<'t> Union<'t> {
    /// Returns the label that distinguishes an alternative from the others, if there is one.
    pub fn label(&self, index: usize) -> Option<Label<'t>> {
        let alternative = &self.alternatives[index];
        let label = self.label_of(alternative);
        if label.is_some() {
            return label;
        }
        match &self.difference {
            Difference::Presence(names) if alternative.kinds.meet(Kinds::OBJECT) => {
                Some(match names[index] {
                    Some(name) => Label::With(vec![name]),
                    None => Label::Without(names.iter().flatten().copied().collect()),
                })
            }
            Difference::Required(names) if !names[index].is_empty() => {
                Some(Label::With(names[index].clone()))
            }
            _ => None,
        }
    }

    /// Returns the label that distinguishes an alternative of any union: its name, its only value, or the
    /// values of its tag.
    pub fn label_of(&self, alternative: &Alternative<'t>) -> Option<Label<'t>> {
        if let Some(name) = alternative.name() {
            return Some(Label::Named(name));
        }
        if let Some([only]) = alternative.view.listed.as_deref() {
            return Some(Label::Values(vec![only.value]));
        }
        match &self.difference {
            Difference::Tag { path, .. } => {
                let tag = TagValues::at_path(*alternative, path, &[])?;
                Some(Label::Values(tag.values))
            }
            _ => None,
        }
    }
}
