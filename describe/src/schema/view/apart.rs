//! Tells alternatives apart: by what every value of each has (certain), or by what a reader would go by (likely).

use std::cell::OnceCell;
use std::collections::HashSet;

use indexmap::IndexMap;

use super::model::{Alternative, Difference, Label, Outside, SchemaViews, Union, Unions};
use super::properties::Property;
use crate::json::Json;
use crate::schema::kinds::Kinds;
use crate::schema::limits::{MAX_TAG_CANDIDATES, MAX_TOLD_APART};
use crate::schema::tree::{Node, SchemaTree, UnionKeyword, UnionRule};

/// How alternatives are told apart.
pub(super) struct Distinction<'t> {
    pub(super) by: Difference<'t>,
    /// True if it tells of every value which alternative it is. Otherwise, it tells of most.
    pub(super) is_certain: bool,
    /// True if no value can match two alternatives.
    pub(super) is_exclusive: bool,
}

/// Finds out how alternatives are told apart. `required` are the properties that each object has beside them.
pub(super) fn tell_apart<'t>(
    alternatives: &[Alternative<'t>],
    union: &UnionKeyword<'t>,
    outside: Outside,
    required: &[&'t str],
) -> Distinction<'t> {
    if alternatives.len() > MAX_TOLD_APART {
        return Distinction::new(Difference::Nothing, false);
    }
    let is_complete = alternatives.iter().all(|it| it.view.is_complete());
    let nulls = alternatives
        .iter()
        .filter(|it| it.view.takes_null != Some(false));
    let is_null_told = outside.takes_null == Some(false) || nulls.count() <= 1;
    let shared_kinds = shared_kinds(alternatives);
    let mut distinction = match Objects::of(alternatives, required) {
        _ if shared_kinds == Kinds::NONE => Distinction::new(Difference::Kind, true),
        Some(objects) if shared_kinds == Kinds::OBJECT => objects.tell_apart(union),
        _ => by_names(alternatives),
    };
    distinction.is_certain &= is_complete;
    distinction.is_exclusive &= is_complete && is_null_told;
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

fn by_names<'t>(alternatives: &[Alternative<'t>]) -> Distinction<'t> {
    let names: Option<HashSet<&str>> = alternatives.iter().map(Alternative::name).collect();
    let is_told = names.is_some_and(|names| names.len() == alternatives.len());
    let by = if is_told {
        Difference::Name
    } else {
        Difference::Nothing
    };
    Distinction::new(by, false)
}

impl<'t> Distinction<'t> {
    fn new(by: Difference<'t>, is_certain: bool) -> Self {
        Self {
            by,
            is_certain,
            is_exclusive: is_certain,
        }
    }

    /// Returns the values of a tag, each with the place of its alternative, if all are texts.
    fn words(&self) -> Option<Vec<(Box<str>, usize)>> {
        let Difference::Tag { values, .. } = &self.by else {
            return None;
        };
        values
            .iter()
            .enumerate()
            .flat_map(|(place, values)| {
                let words = values.iter().map(|value| value.as_str());
                words.map(move |word| Some((word?.into(), place)))
            })
            .collect()
    }
}

/// The words by which a check selects the only alternative that an object can match.
pub(in crate::schema) struct Selection {
    /// The property whose value is the word. Without it, the word is the name of the only property.
    pub(in crate::schema) tag: Option<Box<str>>,
    /// The words, each with the place of the alternative that it stands for.
    pub(in crate::schema) words: Vec<(Box<str>, usize)>,
}

impl SchemaTree<'_> {
    /// Finds a text that each object of an alternative must have, and none of another. Views say it that check no value:
    /// checks are what asks for it.
    pub(in crate::schema) fn selection<'t>(
        &'t self,
        alternatives: &[&'t Node<'t>],
    ) -> Option<Selection> {
        let views = SchemaViews::unchecked(self);
        let of_objects = Outside {
            kinds: Kinds::OBJECT,
            takes_null: Some(false),
        };
        let alternatives: Vec<_> = alternatives
            .iter()
            .map(|node| Alternative::new(&views, node, of_objects, Unions::Told))
            .collect();
        let objects = Objects::of(&alternatives, &[])?;
        let by_tag = objects.names().find_map(|name| {
            let tag = objects.tag_at(&[name], 0)?;
            Some(Selection {
                tag: Some(name.into()),
                words: tag.words().filter(|_| tag.is_certain)?,
            })
        });
        by_tag.or_else(|| {
            let words = objects.only_properties()?;
            Some(Selection { tag: None, words })
        })
    }
}

/// The alternatives that accept objects.
struct Objects<'a, 't> {
    /// Two or more.
    each: Vec<ObjectAlternative<'t>>,
    /// All alternatives.
    all: &'a [Alternative<'t>],
    /// The properties that each object has, whichever alternative it is.
    required: &'a [&'t str],
}

struct ObjectAlternative<'t> {
    alternative: Alternative<'t>,
    /// Its place among all alternatives.
    place: usize,
    /// Its properties, once they are asked for all together.
    properties: OnceCell<IndexMap<&'t str, Property<'t>>>,
    is_closed: OnceCell<bool>,
}

impl<'t> ObjectAlternative<'t> {
    fn properties(&self) -> &IndexMap<&'t str, Property<'t>> {
        self.properties
            .get_or_init(|| self.alternative.view.properties())
    }

    /// Returns whether it refuses properties that it does not name.
    fn is_closed(&self) -> bool {
        let view = self.alternative.view;
        *self.is_closed.get_or_init(|| {
            let others = view.other_properties();
            // What alternatives or conditions evaluate is unknown here.
            view.is_of_each_value() && others.are_refused && others.patterns.is_empty()
        })
    }

    fn forbids(&self, name: &str) -> bool {
        self.properties()
            .get(name)
            .map_or_else(|| self.is_closed(), |property| property.is_refused)
    }

    fn required(&self) -> impl Iterator<Item = &'t str> {
        self.properties()
            .iter()
            .filter(|(_, property)| property.is_required)
            .map(|(name, _)| *name)
    }

    /// Returns the only property that it accepts, if it requires it, as serde writes the variants of an enum.
    fn only_property(&self) -> Option<&'t str> {
        if !self.is_closed() {
            return None;
        }
        let mut accepted = self.properties().iter().filter(|(_, it)| !it.is_refused);
        let (name, property) = accepted.next()?;
        (property.is_required && accepted.next().is_none()).then_some(name)
    }
}

impl<'a, 't> Objects<'a, 't> {
    fn of(all: &'a [Alternative<'t>], required: &'a [&'t str]) -> Option<Self> {
        let each: Vec<_> = all
            .iter()
            .enumerate()
            .filter(|(_, it)| it.kinds.meet(Kinds::OBJECT))
            .map(|(place, it)| ObjectAlternative {
                alternative: *it,
                place,
                properties: OnceCell::new(),
                is_closed: OnceCell::new(),
            })
            .collect();
        (each.len() > 1).then_some(Self {
            each,
            all,
            required,
        })
    }

    fn tell_apart(&self, union: &UnionKeyword<'t>) -> Distinction<'t> {
        let declared = union.discriminator.map(|by| by.property);
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
        let by_rule = union.rule == UnionRule::ExactlyOne
            && self.all.iter().all(|it| it.node.is_only_required());
        let exclusive = self.is_exclusive();
        let by = self
            .presence(ObjectAlternative::forbids)
            .or_else(|| self.presence(|other, name| !other.properties().contains_key(name)))
            .or_else(|| self.required());
        by.map_or_else(
            || by_names(self.all),
            |by| Distinction {
                by,
                is_certain: exclusive || by_rule,
                is_exclusive: exclusive,
            },
        )
    }

    /// Returns the names of properties that are tried as the tag.
    fn names(&self) -> impl Iterator<Item = &'t str> {
        let first = self.each[0].alternative.view;
        first
            .objects()
            .flat_map(|(_, objects)| objects.properties.keys().copied())
            .take(MAX_TAG_CANDIDATES)
    }

    /// Finds a tag: a property with other values in each alternative. What the author declares comes first, and what
    /// is certain before what is likely.
    fn tag(&self, declared: Option<&'t str>) -> Option<Distinction<'t>> {
        let mut likely = None;
        for name in declared.into_iter().chain(self.names()) {
            match self.tag_at(&[name], 1) {
                Some(tag) if tag.is_certain || declared == Some(name) => return Some(tag),
                tag => likely = likely.or(tag),
            }
        }
        likely.or_else(|| self.inner_tag())
    }

    /// Finds a tag among the properties of properties.
    fn inner_tag(&self) -> Option<Distinction<'t>> {
        let view = self.each[0].alternative.view;
        self.names().find_map(|name| {
            let nodes = view.property(name).nodes();
            let inner = view.views.view_of(&nodes, &[], Unions::Untold).properties();
            let mut inner = inner.keys().take(MAX_TAG_CANDIDATES);
            inner.find_map(|inner| self.tag_at(&[name, inner], 1))
        })
    }

    /// Returns the tag at a path, if the values there are different in each alternative. It is certain if at most so many
    /// alternatives do not require it.
    fn tag_at(&self, path: &[&'t str], most_optional: usize) -> Option<Distinction<'t>> {
        let mut values = vec![Vec::new(); self.all.len()];
        let mut known = HashSet::new();
        let mut optional = 0;
        for object in &self.each {
            let tag = TagValues::of(object.alternative, path, self.required)?;
            if tag.values.iter().any(|value| !known.insert(*value)) {
                return None;
            }
            optional += usize::from(!tag.is_required);
            values[object.place] = tag.values;
        }
        let by = Difference::Tag {
            path: path.to_vec(),
            values,
        };
        Some(Distinction::new(by, optional <= most_optional))
    }

    /// Returns the only property of each alternative, with its place, if they are different.
    fn only_properties(&self) -> Option<Vec<(Box<str>, usize)>> {
        let mut known = HashSet::new();
        let only = self.each.iter().map(|object| {
            let name = object.only_property()?;
            known.insert(name).then(|| (name.into(), object.place))
        });
        only.collect()
    }

    /// Finds a property for each alternative that it requires and that the others lack. One may have none.
    fn presence(
        &self,
        lacks: impl Fn(&ObjectAlternative<'t>, &str) -> bool,
    ) -> Option<Difference<'t>> {
        let mut told = vec![None; self.all.len()];
        let mut untold = 0;
        for object in &self.each {
            let mut names = object.required();
            let others = || self.each.iter().filter(|other| other.place != object.place);
            told[object.place] = names.find(|name| others().all(|other| lacks(other, name)));
            untold += usize::from(told[object.place].is_none());
        }
        (untold <= 1).then_some(Difference::Presence(told))
    }

    /// Returns the names that each alternative requires, if they differ.
    fn required(&self) -> Option<Difference<'t>> {
        let mut required = vec![Vec::new(); self.all.len()];
        let mut known = HashSet::new();
        for object in &self.each {
            let mut names: Vec<&str> = object.required().collect();
            required[object.place].clone_from(&names);
            names.sort_unstable();
            if !known.insert(names) {
                return None;
            }
        }
        Some(Difference::Required(required))
    }

    /// Returns whether of any two alternatives, one requires a property that the other forbids.
    fn is_exclusive(&self) -> bool {
        let excludes = |one: &ObjectAlternative<'t>, other: &ObjectAlternative<'t>| {
            one.required().any(|name| other.forbids(name))
        };
        self.each.iter().enumerate().all(|(at, one)| {
            let others = self.each[at + 1..].iter();
            { others }.all(|other| excludes(one, other) || excludes(other, one))
        })
    }
}

impl<'t> Union<'t> {
    /// Returns what tells an alternative from the others, if anything does.
    pub fn label(&self, place: usize) -> Option<Label<'t>> {
        let alternative = &self.alternatives[place];
        self.label_of(alternative)
            .or_else(|| match &self.difference {
                Difference::Presence(names) if alternative.kinds.meet(Kinds::OBJECT) => {
                    Some(match names[place] {
                        Some(name) => Label::With(vec![name]),
                        None => Label::Without(names.iter().flatten().copied().collect()),
                    })
                }
                Difference::Required(names) if !names[place].is_empty() => {
                    Some(Label::With(names[place].clone()))
                }
                _ => None,
            })
    }

    /// Returns what tells any value from other alternatives: its name, the only value that it is, or those of its tag.
    pub fn label_of(&self, value: &Alternative<'t>) -> Option<Label<'t>> {
        if let Some(name) = value.name() {
            return Some(Label::Named(name));
        }
        if let Some([only]) = value.view.listed.as_deref() {
            return Some(Label::Values(vec![only.value]));
        }
        match &self.difference {
            Difference::Tag { path, .. } => {
                TagValues::of(*value, path, &[]).map(|tag| Label::Values(tag.values))
            }
            _ => None,
        }
    }
}

/// The values of a tag in one alternative.
struct TagValues<'t> {
    values: Vec<&'t Json>,
    is_required: bool,
}

impl<'t> TagValues<'t> {
    /// Returns the values at a path, if they are listed.
    fn of(alternative: Alternative<'t>, path: &[&'t str], required: &[&str]) -> Option<Self> {
        let Alternative {
            mut view,
            mut kinds,
            ..
        } = alternative;
        let mut is_required = true;
        for (depth, name) in path.iter().enumerate() {
            let property = view.property(name);
            let is_common = depth == 0 && required.contains(name);
            is_required &= (property.is_required || is_common) && kinds == Kinds::OBJECT;
            view = view.views.view_of(&property.nodes(), &[], Unions::Untold);
            kinds = view.kinds;
        }
        let listed = view.listed.as_ref()?;
        Some(Self {
            values: listed.iter().map(|listed| listed.value).collect(),
            is_required: is_required && view.takes_null == Some(false),
        })
    }
}
