//! Compares the values of parameters, results and errors' data.
//!
//! Two schemas are walked through side by side, so that a change is reported at its own place. At
//! every place on the way, a proof decides whether it matters: a difference that neither removes
//! nor adds values is only another notation.

mod found;
mod objects;
mod scalars;
mod unions;
mod words;

use std::collections::HashSet;

use indexmap::IndexMap;

use super::phrase::{Phrase, phrase};
use super::{Report, Rule};
use crate::ServiceDescription;
use crate::json::{Json, Pointer};
use crate::schema::keyword::{component_name, for_each_reference, resolve};
use crate::schema::{Includes, Inclusion, Kinds, References, SchemaContext, component_entered};
pub(super) use found::Site;
use found::{Found, What};

/// The maximum number of pairs of schemas that are compared for one parameter, result or error.
const MOST: usize = 20_000;

/// The schemas of both descriptions.
pub(super) struct Values<'j> {
    old: SchemaContext<'j>,
    new: SchemaContext<'j>,
    /// Proofs that new schemas include the old ones.
    kept: Includes<'j>,
    /// Proofs that old schemas include the new ones.
    known: Includes<'j>,
    /// The components that are identical in both, with all that they refer to.
    unchanged: HashSet<&'j str>,
}

/// The results of the proofs for two schemas.
#[derive(Clone)]
struct Relation {
    /// The inclusion of the old schema in the new one.
    kept: Inclusion,
    /// The inclusion of the new schema in the old one.
    known: Inclusion,
}

/// Two schemas and their places.
#[derive(Clone)]
struct Pair<'j> {
    old: &'j Json,
    new: &'j Json,
    old_place: Pointer,
    new_place: Pointer,
    /// The path to the place for readers, such as `books[].title`.
    way: String,
}

impl<'j> Pair<'j> {
    /// Returns the pair of two schemas inside this one.
    fn inner(&self, old: &'j Json, new: &'j Json, tokens: &[&str], way: &str) -> Self {
        let place = |start: &Pointer| {
            let tokens = tokens.iter();
            tokens.fold(start.clone(), |pointer, token| pointer.join(token))
        };
        Self {
            old,
            new,
            old_place: place(&self.old_place),
            new_place: place(&self.new_place),
            way: format!("{}{way}", self.way),
        }
    }

    /// Returns the pair of the values of a keyword, if both schemas have it.
    fn under(&self, keyword: &str, way: &str) -> Option<Self> {
        let (old, new) = (self.old.get(keyword)?, self.new.get(keyword)?);
        Some(self.inner(old, new, &[keyword], way))
    }
}

impl<'j> Values<'j> {
    pub(super) fn new(old: &'j ServiceDescription, new: &'j ServiceDescription) -> Self {
        let (before, after) = (SchemaContext::of(old), SchemaContext::of(new));
        let unchanged = if before.enforced_formats == after.enforced_formats {
            unchanged(before.components, after.components)
        } else {
            HashSet::new()
        };
        Self {
            old: before,
            new: after,
            kept: Includes::new(before, after),
            known: Includes::new(after, before),
            unchanged,
        }
    }

    /// Reports the differences between two schemas.
    pub(super) fn compare(
        &mut self,
        (old, old_place): (&'j Json, Pointer),
        (new, new_place): (&'j Json, Pointer),
        site: &Site<'_>,
        report: &mut Report<'_>,
    ) {
        let mut walk = Walk {
            values: self,
            is_input: matches!(site, Site::Param(_)),
            visited: HashSet::new(),
        };
        let found = walk.pair(Pair {
            old,
            new,
            old_place,
            new_place,
            way: String::new(),
        });
        let told = found
            .into_iter()
            .filter(|found| found.what != What::Elsewhere);
        for found in told {
            let rule = found.what.rule(site);
            let message = found.message(site);
            report.at(rule, found.document, found.place, message);
        }
    }

    fn relation(&mut self, old: &'j Json, new: &'j Json) -> Relation {
        Relation {
            kept: self.kept.ask(old, new),
            known: self.known.ask(new, old),
        }
    }

    /// Returns whether two schemas are identical, with all that they refer to.
    pub(super) fn is_unchanged(&self, old: &'j Json, new: &'j Json) -> bool {
        let mut is_unchanged = self.old.enforced_formats == self.new.enforced_formats && old == new;
        if is_unchanged {
            for_each_reference(old, &mut |reference| {
                let name = component_entered(reference);
                is_unchanged &= name.is_none_or(|name| {
                    self.unchanged.contains(name.as_ref())
                        || !self.old.components.contains_key(name.as_ref())
                            && !self.new.components.contains_key(name.as_ref())
                });
            });
        }
        is_unchanged
    }
}

fn unchanged<'j>(
    old: &'j IndexMap<String, Json>,
    new: &'j IndexMap<String, Json>,
) -> HashSet<&'j str> {
    let references = References::new(old);
    let same: Vec<bool> = old
        .iter()
        .map(|(name, schema)| new.get(name) == Some(schema))
        .collect();
    let reversed = references.reversed();
    let changed = same.iter().enumerate().filter(|(_, same)| !**same);
    let reached = reversed.reach(changed.map(|(at, _)| at));
    let mut unchanged: HashSet<&str> = old.keys().map(String::as_str).collect();
    for at in reached {
        if let Some((name, _)) = old.get_index(at) {
            unchanged.remove(name.as_str());
        }
    }
    unchanged
}

/// A walk through two schemas.
struct Walk<'w, 'j> {
    values: &'w mut Values<'j>,
    /// True if values come from callers, so that lost values break callers.
    is_input: bool,
    visited: HashSet<(usize, usize)>,
}

impl<'j> Walk<'_, 'j> {
    /// Returns the differences between two schemas, and between the schemas inside them.
    fn pair(&mut self, pair: Pair<'j>) -> Vec<Found> {
        // Annotations beside a reference apply to this place only.
        let refers = |schema: &Json| schema.get("$ref").is_some();
        let mut found = if refers(pair.old) && refers(pair.new) {
            self.words(&pair)
        } else {
            Vec::new()
        };
        let pair = self.followed(pair);
        found.extend(self.target(&pair));
        found
    }

    /// Returns the differences between two schemas that are not references.
    fn target(&mut self, pair: &Pair<'j>) -> Vec<Found> {
        let key = (address(pair.old), address(pair.new));
        let is_new = self.visited.len() < MOST && self.visited.insert(key);
        if self.values.is_unchanged(pair.old, pair.new) {
            return Vec::new();
        }
        if !is_new {
            // The change is reported at the first place where it was found.
            return vec![Found::new(What::Elsewhere, pair, rewritten())];
        }
        let relation = self.values.relation(pair.old, pair.new);
        let mut found = self.words(pair);
        found.extend(self.differences(pair));
        self.settle(pair, &relation, found)
    }

    /// Follows references that have no constraints beside them.
    fn followed(&self, mut pair: Pair<'j>) -> Pair<'j> {
        if let Some((target, place)) = target(pair.old, self.values.old) {
            (pair.old, pair.old_place) = (target, place);
        }
        if let Some((target, place)) = target(pair.new, self.values.new) {
            (pair.new, pair.new_place) = (target, place);
        }
        pair
    }

    fn differences(&mut self, pair: &Pair<'j>) -> Vec<Found> {
        let (Json::Object(old), Json::Object(new)) = (pair.old, pair.new) else {
            return Vec::new();
        };
        if let Some(found) = self.alternatives(pair) {
            return found;
        }
        let mut found = Self::listed(pair, old, new);
        let has_list =
            |words: &crate::json::Object| words.contains_key("enum") || words.contains_key("const");
        if has_list(old) || has_list(new) {
            return found;
        }
        if let Some(types) = self.types(pair, old, new) {
            let (before, after) = (kinds(old), kinds(new));
            found.push(types);
            if !before.without(Kinds::NULL).meet(after.without(Kinds::NULL)) {
                return found;
            }
        }
        found.extend(self.scalars(pair, old, new));
        found.extend(self.members(pair, old, new));
        found.extend(self.elements(pair, old, new));
        found.extend(self.parts(pair));
        found
    }

    /// Adjusts the differences to the proofs for the whole schema.
    fn settle(&mut self, pair: &Pair<'j>, relation: &Relation, found: Vec<Found>) -> Vec<Found> {
        let (breaking, other) = if self.is_input {
            (&relation.kept, &relation.known)
        } else {
            (&relation.known, &relation.kept)
        };
        let mut kept: Vec<Found> = Vec::new();
        for mut one in found {
            let proof = if one.what.loses() {
                &relation.kept
            } else {
                &relation.known
            };
            if one.what.is_certain() && *proof == Inclusion::Yes {
                continue;
            }
            if one.what == What::Pattern && relation.is_same() {
                continue;
            }
            if one.what.is_certain()
                && one.what.loses() == self.is_input
                && *proof == Inclusion::Unknown
            {
                one.undecided();
            }
            if one.witness.is_none()
                && let Inclusion::No(value) = proof
                && one.what.takes_witness(self.is_input)
            {
                one.witness = Some((value.clone(), one.what.loses()));
            }
            kept.push(one);
        }
        let explains = |one: &Found| one.what.explains(self.is_input, breaking);
        if !kept.iter().any(explains) {
            match breaking {
                Inclusion::Yes => {}
                Inclusion::No(value) => kept.push(Found::whole(pair, self.is_input, value)),
                Inclusion::Unknown => kept.push(Found::new(What::Undecided, pair, undecided())),
            }
        }
        let is_told = |one: &Found| one.what != What::Words;
        let is_here = |one: &Found| one.what != What::Elsewhere;
        if *breaking == Inclusion::Yes {
            match other {
                Inclusion::No(value) if !kept.iter().any(is_told) => {
                    kept.push(Found::whole(pair, !self.is_input, value));
                }
                Inclusion::No(_) => {}
                _ if !kept.iter().any(is_here) && !self.says_same(pair) => {
                    kept.push(Found::new(What::Rewritten, pair, rewritten()));
                }
                _ => {}
            }
        }
        kept
    }

    /// Returns whether two schemas differ at most in annotations and in the names of components.
    fn says_same(&mut self, pair: &Pair<'j>) -> bool {
        self.values.kept.says_same(pair.old, pair.new)
    }
}

impl Relation {
    fn is_same(&self) -> bool {
        self.kept == Inclusion::Yes && self.known == Inclusion::Yes
    }
}

fn undecided() -> Phrase {
    phrase("change.value.undecided")
}

fn rewritten() -> Phrase {
    phrase("change.value.rewritten")
}

/// Returns the schema that a reference leads to, if the reference has no constraints beside it.
fn target<'j>(schema: &'j Json, context: SchemaContext<'j>) -> Option<(&'j Json, Pointer)> {
    let (mut schema, mut place) = (schema, None);
    for _ in 0..50 {
        let Some(words) = schema.as_object() else {
            break;
        };
        let mut others = words.keys().filter(|keyword| keyword.as_str() != "$ref");
        let reference = words.get("$ref").and_then(Json::as_str);
        let target = reference.and_then(|reference| resolve(reference, context.components));
        let (Some(reference), Some(next)) = (reference, target) else {
            break;
        };
        if others.any(|keyword| crate::schema::asserts(keyword)) {
            break;
        }
        let mut pointer = Pointer::root().join("components").join("schemas");
        match component_name(reference) {
            Some(name) => pointer.push(name),
            // The reference leads into a component.
            None => pointer.push(component_entered(reference)?),
        }
        (schema, place) = (next, Some(pointer));
    }
    Some((schema, place?))
}

fn kinds(words: &crate::json::Object) -> Kinds {
    Kinds::of_type(words).unwrap_or(Kinds::ALL)
}

fn address(schema: &Json) -> usize {
    std::ptr::from_ref(schema).addr()
}

/// The rule for each difference.
impl What {
    fn rule(&self, site: &Site<'_>) -> Rule {
        found::rule(self, site)
    }
}
