//! Unions: the alternatives that are left beside the other nodes of their value.
//!
//! In go the `anyOf` or `oneOf` of a node and the kinds that the nodes beside it accept, out comes a [`Choice`]. An
//! alternative that the other nodes exclude is left out, and what is left may be no choice for a reader:
//!
//! ```text
//! {"type": "object", "oneOf": [Cat, {"type": "string"}]}   Only: Cat is one more layer of the value
//! {"anyOf": [Cat, {"type": "null"}]}                       Only, and null beside it
//! {"oneOf": [{"const": "a"}, {"const": "b"}]}              Values: a list of two
//! {"oneOf": [Cat, Dog]}                                    Among: a union of two alternatives
//! {"type": "array", "oneOf": [Cat, Dog]}                   Nothing
//! ```
//!
//! `apart.rs` tells alternatives apart, and `cases.rs` combines several unions.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ptr;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::apart::{Distinction, tell_apart};
use super::model::{
    Alternative, Choice, ListedValue, OuterKinds, SchemaViews, Union, UnionChoice, UnionDetail,
    Unread, View, node_ids,
};
use super::properties::Property;
use crate::json::Json;
use crate::schema::component_names::decoded_name;
use crate::schema::kinds::Kinds;
use crate::schema::limits::{MAX_LAYERS, MAX_NESTED_UNIONS};
use crate::schema::tree::{Node, NodeId, Target, UnionKeyword, UnionRule};

/// Returns the choice that a union leaves for a value. It is cached, because views of each alternative need it.
pub(super) fn choice_of<'t>(
    views: &'t SchemaViews<'t>,
    union: &'t UnionKeyword<'t>,
    outer: OuterKinds,
) -> &'t UnionChoice<'t> {
    let key = (ptr::from_ref(union), outer);
    match views.choices.get(&key) {
        Some(cached) => cached,
        None => views
            .choices
            .insert(key, Box::new(find_choice(views, union, outer))),
    }
}

/// Returns a union without the alternatives that exclude a property which the value has beside
/// them. It is cached, because views of each combination of alternatives need it.
pub(super) fn possible_union<'t>(
    view: &View<'t>,
    keyword: &'t UnionKeyword<'t>,
    union: &Union<'t>,
    outer: OuterKinds,
) -> &'t Union<'t> {
    let key = (ptr::from_ref(keyword), outer, node_ids(&view.roots));
    if let Some(cached) = view.views.possible.get(&key) {
        return cached;
    }
    let mut properties = view.properties();
    let mut left = union.alternatives.clone();
    left.retain(|alternative| !alternative.excludes_one_of(&properties));
    properties.retain(|_, property| property.is_required);
    let possible = if left.len() == union.alternatives.len() && properties.is_empty() {
        union.clone()
    } else {
        let required: Vec<_> = properties.into_keys().collect();
        let distinction = tell_apart(&left, keyword, outer, &required);
        Union::new(keyword, left, distinction)
    };
    view.views.possible.insert(key, Box::new(possible))
}

impl<'t> SchemaViews<'t> {
    /// Returns whether alternatives of the value of a node have alternatives of their own, and so
    /// on, more often than `most` times. They have without end if one leads back to itself.
    fn is_too_deep(&'t self, node: &'t Node<'t>, most: usize) -> bool {
        let key = (node.id, most);
        if let Some(cached) = self.too_deep.borrow().get(&key) {
            return *cached;
        }
        let mut is_too_deep = false;
        let mut seen: HashSet<NodeId, RandomState> = HashSet::default();
        let mut pending = vec![node];
        while let Some(node) = pending.pop()
            && !is_too_deep
            && seen.len() < MAX_LAYERS
        {
            if seen.insert(node.id) {
                is_too_deep = node
                    .unions
                    .iter()
                    .filter(|union| !self.is_decided(node, union, |id| seen.contains(&id)))
                    .flat_map(|union| &union.branches)
                    .any(|branch| most == 0 || self.is_too_deep(branch, most - 1));
                pending.extend(&node.all_of);
                if let Some(reference) = node.reference {
                    pending.extend(self.tree.target(reference).node());
                }
            }
        }
        self.too_deep.borrow_mut().insert(key, is_too_deep);
        is_too_deep
    }

    /// Returns whether an alternative of a base that extends it is among the nodes of a value: then it is the one that
    /// holds, and the base chooses no alternative again.
    pub(super) fn is_decided(
        &'t self,
        base: &'t Node<'t>,
        union: &'t UnionKeyword<'t>,
        is_among: impl Fn(NodeId) -> bool,
    ) -> bool {
        let is_extended = *self
            .extended
            .borrow_mut()
            .entry(ptr::from_ref(union))
            .or_insert_with(|| {
                union
                    .branches
                    .iter()
                    .any(|branch| self.tree.extension(branch, base).is_some())
            });
        is_extended
            && union.branches.iter().any(|branch| {
                let target = branch
                    .reference
                    .and_then(|reference| self.tree.target(reference).node());
                is_among(branch.id) || target.is_some_and(|target| is_among(target.id))
            })
    }
}

/// Finds the choice that a union leaves for a value.
fn find_choice<'t>(
    views: &'t SchemaViews<'t>,
    union: &'t UnionKeyword<'t>,
    outer: OuterKinds,
) -> UnionChoice<'t> {
    let all: Vec<_> = union
        .branches
        .iter()
        .map(|node| Alternative::new(views, node, outer, UnionDetail::Kinds))
        .collect();
    let nulls = all
        .iter()
        .filter(|alternative| alternative.view.is_only_null())
        .map(|alternative| alternative.node)
        .collect();
    let (possible, others): (Vec<_>, Vec<_>) = all.into_iter().partition(Alternative::is_possible);
    let impossible = others
        .iter()
        .filter(|alternative| !alternative.view.is_only_null() || outer.takes_null == Some(false))
        .map(|alternative| alternative.node)
        .collect();
    let choice = match &possible[..] {
        [] => Choice::Nothing,
        [only] => Choice::Only(only.node),
        _ => match listed_values(&possible, union.rule) {
            Some(values) => Choice::Values(values),
            None => Choice::Among(possible, OnceCell::new()),
        },
    };
    UnionChoice {
        choice,
        nulls,
        impossible,
    }
}

impl<'t> Alternative<'t> {
    /// Looks into an alternative by itself, unless it has more alternatives inside each other than
    /// the limit allows.
    pub(super) fn new(
        views: &'t SchemaViews<'t>,
        node: &'t Node<'t>,
        outer: OuterKinds,
        unions: UnionDetail,
    ) -> Self {
        let view = if views.is_too_deep(node, MAX_NESTED_UNIONS) {
            views.too_much.get_or_init(|| View {
                unread: vec![Unread::TooMuch],
                ..View::new(views)
            })
        } else {
            views.view_of(&[node], &[], unions)
        };
        let kinds = view.kinds & outer.kinds;
        Self { node, view, kinds }
    }

    /// Returns whether it nests so many alternatives that none of them is looked into.
    pub(super) fn is_too_deep(&self) -> bool {
        match self.view.views.too_much.get() {
            Some(too_much) => ptr::eq(too_much, self.view),
            None => false,
        }
    }

    /// Returns whether it accepts anything: an object that needs a property which it refuses does
    /// not exist.
    fn is_possible(&self) -> bool {
        match self.kinds {
            Kinds::NONE => false,
            Kinds::OBJECT => !self
                .view
                .properties()
                .values()
                .any(|property| property.is_required && property.is_refused),
            _ => true,
        }
    }

    /// Returns whether the alternative excludes one of the value's properties. It may exclude
    /// those that it names, and required ones if it is also about properties that it does not name.
    fn excludes_one_of(&self, properties: &IndexMap<&'t str, Property<'t>>) -> bool {
        for (_, objects) in self.view.objects() {
            for name in objects.properties.keys().chain(&objects.required) {
                if let Some(property) = properties.get(name)
                    && self.excludes(name, property)
                {
                    return true;
                }
            }
        }
        self.view.describes_unnamed()
            && properties
                .iter()
                .any(|(name, property)| property.is_required && self.excludes(name, property))
    }

    /// Returns whether the alternative excludes a property of the value.
    fn excludes(&self, name: &str, property: &Property<'t>) -> bool {
        if self.kinds != Kinds::OBJECT {
            return false;
        }
        let views = self.view.views;
        let own = self.view.property(name);
        if own.is_refused {
            return property.is_required;
        }
        let nodes = [property.nodes(), own.nodes()].concat();
        (property.is_required || own.is_required)
            && self.view.describes(name)
            && views.view_of(&nodes, &[], UnionDetail::Kinds).is_nothing()
    }

    /// Returns the name of the alternative: its title, or the name of its type.
    pub fn name(&self) -> Option<&'t str> {
        self.node.annotations.title.or_else(|| self.type_name())
    }

    /// Returns the name of the shared schema that the alternative refers to.
    fn type_name(&self) -> Option<&'t str> {
        match self.view.views.tree.target(self.node.reference?) {
            Target::Shared(name, _) => Some(name),
            Target::Inside(_) | Target::Lost(_) => None,
        }
    }
}

/// Returns the values that alternatives list, if they do nothing else. Of `oneOf`, a value that is
/// listed twice is refused.
fn listed_values<'t>(
    alternatives: &[Alternative<'t>],
    rule: UnionRule,
) -> Option<Vec<ListedValue<'t>>> {
    let mut values: IndexMap<&Json, Vec<ListedValue<'t>>> = IndexMap::new();
    for alternative in alternatives {
        for listed in alternative.view.listed.as_ref()? {
            values.entry(listed.value).or_default().push(ListedValue {
                about: listed.about.or(Some(alternative.node)),
                ..*listed
            });
        }
    }
    if rule == UnionRule::ExactlyOne {
        values.retain(|_, same| same.len() == 1);
    }
    Some(values.into_values().map(|same| same[0]).collect())
}

/// Returns a union of these alternatives. Unions within it join it where that accepts the same values.
pub(super) fn union_among<'t>(
    union: &'t UnionKeyword<'t>,
    possible: &[Alternative<'t>],
    outer: OuterKinds,
) -> Union<'t> {
    let detailed: Vec<_> = possible
        .iter()
        .map(|alternative| {
            let views = alternative.view.views;
            Alternative::new(views, alternative.node, outer, UnionDetail::Alternatives)
        })
        .filter(Alternative::is_possible)
        .collect();
    let mut joined = Vec::new();
    let mut may_match_several = union.rule == UnionRule::OneOrMore;
    for alternative in &detailed {
        add_or_join(*alternative, outer, &mut joined, &mut may_match_several);
    }
    let distinction = tell_apart(&joined, union, outer, &[]);
    if joined.len() == detailed.len() || may_match_several || distinction.is_exclusive {
        return Union::new(union, joined, distinction);
    }
    let distinction = tell_apart(&detailed, union, outer, &[]);
    Union::new(union, detailed, distinction)
}

impl<'t> Union<'t> {
    fn new(
        union: &'t UnionKeyword<'t>,
        alternatives: Vec<Alternative<'t>>,
        distinction: Distinction<'t>,
    ) -> Self {
        let rule = if distinction.is_exclusive {
            UnionRule::ExactlyOne
        } else {
            union.rule
        };
        Self {
            alternatives,
            rule,
            difference: distinction.by,
            is_certain: distinction.is_certain,
            discriminator: union.discriminator,
            from: None,
        }
    }

    /// Returns the value of the declared `discriminator` for an alternative: the one that is mapped to it, or
    /// else the name of its type.
    pub fn declared_tag(&self, alternative: &Alternative<'t>) -> Option<&'t str> {
        let name = alternative.type_name()?;
        for (value, mapped) in self.discriminator?.mapping.into_iter().flatten() {
            let target = mapped.as_str().and_then(|mapped| mapped.rsplit('/').next());
            if target.and_then(decoded_name).as_deref() == Some(name) {
                return Some(value.as_str());
            }
        }
        Some(name)
    }

    /// Returns the alternative that is among the `chosen` ones.
    pub(super) fn chosen(&self, chosen: &[&'t Node<'t>]) -> Option<&'t Node<'t>> {
        self.alternatives
            .iter()
            .map(|alternative| alternative.node)
            .find(|node| chosen.iter().any(|chosen| chosen.id == node.id))
    }
}

/// Adds an alternative to others, or those of the union that it is, if it has no name and asserts
/// nothing more. Notes whether several may match in that union too.
fn add_or_join<'t>(
    alternative: Alternative<'t>,
    outer: OuterKinds,
    joined: &mut Vec<Alternative<'t>>,
    may_match_several: &mut bool,
) {
    let Some(inner) = alternative.node.only_union() else {
        return joined.push(alternative);
    };
    *may_match_several &= inner.rule == UnionRule::OneOrMore;
    for branch in &inner.branches {
        let branch = Alternative::new(
            alternative.view.views,
            branch,
            outer,
            UnionDetail::Alternatives,
        );
        if branch.is_possible() {
            add_or_join(branch, outer, joined, may_match_several);
        }
    }
}
