//! Tells alternatives apart: by what every value of each has (certain), or by what a reader would go by (likely).

use std::collections::HashSet;

use indexmap::IndexMap;

use super::model::{Alternative, Difference, Outside};
use super::properties::Property;
use crate::json::Json;
use crate::schema::kinds::Kinds;
use crate::schema::limits::{MAX_TAG_CANDIDATES, MAX_TOLD_APART};
use crate::schema::tree::{UnionKeyword, UnionRule};

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
        return Distinction::likely(Difference::Nothing);
    }
    let is_complete = alternatives.iter().all(|it| it.view.is_complete());
    let nulls = alternatives
        .iter()
        .filter(|it| it.view.takes_null != Some(false));
    let is_null_told = outside.takes_null == Some(false) || nulls.count() <= 1;
    let shared_kinds = shared_kinds(alternatives);
    if shared_kinds == Kinds::NONE {
        return Distinction {
            by: Difference::Kind,
            is_certain: is_complete,
            is_exclusive: is_complete && is_null_told,
        };
    }
    let mut distinction = Objects::of(alternatives, required)
        .filter(|_| shared_kinds == Kinds::OBJECT)
        .map_or_else(
            || by_names(alternatives),
            |objects| objects.tell_apart(alternatives, union),
        );
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
    Distinction::likely(if is_told {
        Difference::Name
    } else {
        Difference::Nothing
    })
}

impl<'t> Distinction<'t> {
    fn likely(by: Difference<'t>) -> Self {
        Self {
            by,
            is_certain: false,
            is_exclusive: false,
        }
    }

    fn certain(by: Difference<'t>) -> Self {
        Self {
            by,
            is_certain: true,
            is_exclusive: true,
        }
    }
}

/// The alternatives that accept objects.
struct Objects<'t> {
    each: Vec<ObjectAlternative<'t>>,
    /// The properties that each object has, whichever alternative it is.
    required: Vec<&'t str>,
    /// The number of all alternatives.
    count: usize,
}

struct ObjectAlternative<'t> {
    /// Its place among all alternatives.
    place: usize,
    properties: IndexMap<&'t str, Property<'t>>,
    /// True if it refuses properties that it does not name.
    is_closed: bool,
}

impl<'t> ObjectAlternative<'t> {
    fn forbids(&self, name: &str) -> bool {
        self.properties
            .get(name)
            .map_or(self.is_closed, |property| property.is_refused)
    }

    fn required(&self) -> impl Iterator<Item = &'t str> {
        self.properties
            .iter()
            .filter(|(_, property)| property.is_required)
            .map(|(name, _)| *name)
    }
}

impl<'t> Objects<'t> {
    fn of(alternatives: &[Alternative<'t>], required: &[&'t str]) -> Option<Self> {
        let objects = alternatives
            .iter()
            .enumerate()
            .filter(|(_, it)| it.kinds.meet(Kinds::OBJECT));
        let each: Vec<_> = objects
            .map(|(place, it)| {
                let others = it.view.other_properties();
                // What alternatives or conditions evaluate is unknown here.
                let is_plain = it.view.is_of_each_value();
                ObjectAlternative {
                    place,
                    properties: it.view.properties(),
                    is_closed: is_plain && others.are_refused && others.patterns.is_empty(),
                }
            })
            .collect();
        (each.len() > 1).then_some(Self {
            each,
            required: required.to_vec(),
            count: alternatives.len(),
        })
    }

    fn tell_apart(
        &self,
        alternatives: &[Alternative<'t>],
        union: &UnionKeyword<'t>,
    ) -> Distinction<'t> {
        let declared = union.discriminator.map(|by| by.property);
        if let Some(tag) = self.tag(alternatives, declared) {
            return tag;
        }
        if let Some(property) = declared {
            return Distinction::likely(Difference::Tag {
                path: vec![property],
                values: vec![Vec::new(); self.count],
            });
        }
        let is_only_names = |it: &Alternative<'_>| it.node.is_only_required();
        let by_rule = union.rule == UnionRule::ExactlyOne && alternatives.iter().all(is_only_names);
        let exclusive = self.is_exclusive();
        let presence = self.presence(ObjectAlternative::forbids);
        let presence =
            presence.or_else(|| self.presence(|other, name| !other.properties.contains_key(name)));
        let by = presence.or_else(|| self.required());
        by.map_or_else(
            || by_names(alternatives),
            |by| Distinction {
                by,
                is_certain: exclusive || by_rule,
                is_exclusive: exclusive,
            },
        )
    }

    /// Finds a tag: a property with other values in each alternative. What the author declares comes first, and what
    /// is certain before what is likely.
    fn tag(
        &self,
        alternatives: &[Alternative<'t>],
        declared: Option<&'t str>,
    ) -> Option<Distinction<'t>> {
        let names = self
            .each
            .first()?
            .properties
            .keys()
            .copied()
            .take(MAX_TAG_CANDIDATES);
        let mut likely = None;
        for name in declared.into_iter().chain(names) {
            match self.tag_at(alternatives, &[name]) {
                Some(tag) if tag.is_certain || declared == Some(name) => return Some(tag),
                tag => likely = likely.or(tag),
            }
        }
        likely.or_else(|| self.inner_tag(alternatives))
    }

    /// Finds a tag among the properties of properties.
    fn inner_tag(&self, alternatives: &[Alternative<'t>]) -> Option<Distinction<'t>> {
        let first = self.each.first()?;
        let views = alternatives.first()?.view.views;
        for (name, property) in first.properties.iter().take(MAX_TAG_CANDIDATES) {
            let is_everywhere = self.each.iter().all(|it| it.properties.contains_key(name));
            if !is_everywhere {
                continue;
            }
            let inner = views.view(&property.nodes()).properties();
            for inner in inner.keys().take(MAX_TAG_CANDIDATES) {
                if let Some(tag) = self.tag_at(alternatives, &[name, inner]) {
                    return Some(tag);
                }
            }
        }
        None
    }

    /// Returns the tag at a path, if the values there are different in each alternative.
    fn tag_at(
        &self,
        alternatives: &[Alternative<'t>],
        path: &[&'t str],
    ) -> Option<Distinction<'t>> {
        let mut values = vec![Vec::new(); self.count];
        let mut known = HashSet::new();
        let mut optional = 0;
        for object in &self.each {
            let tag = TagValues::of(alternatives[object.place], path, &self.required)?;
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
        Some(if optional <= 1 {
            Distinction::certain(by)
        } else {
            Distinction::likely(by)
        })
    }

    /// Finds a property for each alternative that it requires and that the others lack. One may have none.
    fn presence(
        &self,
        lacks: impl Fn(&ObjectAlternative<'t>, &str) -> bool,
    ) -> Option<Difference<'t>> {
        let mut told = vec![None; self.count];
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
        let mut required = vec![Vec::new(); self.count];
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

/// The values of a tag in one alternative.
struct TagValues<'t> {
    values: Vec<&'t Json>,
    is_required: bool,
}

impl<'t> TagValues<'t> {
    /// Returns the values at a path, if they are listed.
    fn of(alternative: Alternative<'t>, path: &[&'t str], required: &[&str]) -> Option<Self> {
        let mut view = alternative.view;
        let mut kinds = alternative.kinds;
        let mut is_required = true;
        for (depth, name) in path.iter().enumerate() {
            let properties = view.properties();
            let property = properties.get(name)?;
            let is_common = depth == 0 && required.contains(name);
            is_required &= (property.is_required || is_common) && kinds == Kinds::OBJECT;
            view = view.views.view(&property.nodes());
            kinds = view.kinds;
        }
        let listed = view.listed.as_ref()?;
        let takes_null = view.takes_null != Some(false);
        Some(Self {
            values: listed.iter().map(|listed| listed.value).collect(),
            is_required: is_required && !takes_null,
        })
    }
}
