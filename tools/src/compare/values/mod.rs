//! Compares the values of parameters, results and errors' data.
//!
//! Two schemas are walked through side by side, so that a change is reported at its own place. At
//! every place on the way, the inclusion of one in the other decides what matters: a difference that neither removes
//! nor adds values is only another notation.

mod found;
mod keywords;
mod objects;
mod unions;

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;

use indexmap::IndexMap;

use super::change::Document;
use super::pairs::Both;
use super::phrase::{Phrase, phrase};
use crate::inclusion::{Includes, Inclusion, address, followed};
use docent_describe::ServiceDescription;
use docent_describe::json::{Json, Pointer};
use docent_describe::schema::for_each_reference;
use docent_describe::schema::{Kinds, References, SchemaContext, component_entered};
use found::Effect;
pub(super) use found::{Difference, SchemaUse, shown_or_none};

/// The maximum number of pairs of schemas that are compared for one parameter, result or error.
const MAX_PAIRS: usize = 20_000;
/// The maximum number of pairs for all of them. Schemas after that are compared as a whole.
const MAX_PAIRS_EVER: usize = 300_000;
/// The maximum depth of pairs inside each other. Pairs that are deeper are compared after the others, as if a
/// comparison began with them, because a short document can have a chain of types of any length.
const MAX_DEPTH: usize = 64;

/// The schemas of both descriptions.
pub(super) struct SchemaComparison<'j> {
    old: SchemaContext<'j>,
    new: SchemaContext<'j>,
    /// Answers whether new schemas include old ones.
    kept: Includes<'j>,
    /// Answers whether old schemas include new ones.
    known: Includes<'j>,
    /// The components that are identical in both, with all that they refer to.
    unchanged: HashSet<&'j str>,
    /// The differences between schemas, by their addresses and by whether they are of parameters.
    compared: HashMap<(usize, usize, bool), Vec<Difference>>,
    /// The number of pairs that may still be compared part by part.
    left: usize,
}

/// Two schemas and their places.
#[derive(Clone)]
struct SchemaPair<'j> {
    old: &'j Json,
    new: &'j Json,
    old_pointer: Pointer,
    new_pointer: Pointer,
    /// The path to the place for readers, such as `books[].title`.
    way: String,
}

impl<'j> SchemaPair<'j> {
    /// Returns the pair of two schemas inside this one.
    fn inner(&self, old: &'j Json, new: &'j Json, tokens: &[&str], way: &str) -> Self {
        Self {
            old,
            new,
            old_pointer: joined(&self.old_pointer, tokens),
            new_pointer: joined(&self.new_pointer, tokens),
            way: format!("{}{way}", self.way),
        }
    }

    /// Returns the pair of the values of a keyword, if both schemas have it.
    fn under(&self, keyword: &str, way: &str) -> Option<Self> {
        let (old, new) = (self.old.get(keyword)?, self.new.get(keyword)?);
        Some(self.inner(old, new, &[keyword], way))
    }

    /// Returns this pair as the beginning of a comparison, whose path begins with the name of the type.
    fn begun(&self) -> Self {
        let tokens: Vec<String> = self.new_pointer.tokens().collect();
        let way = match &tokens[..] {
            [components, _, name] if components == "components" => name.clone(),
            _ => self.way.clone(),
        };
        Self {
            way,
            ..self.clone()
        }
    }

    /// Creates a difference at this place.
    fn difference(&self, effect: Effect, detail: Phrase) -> Difference {
        Difference {
            effect,
            document: Document::New,
            pointer: self.new_pointer.clone(),
            way: self.way.clone(),
            detail,
            witness: None,
        }
    }

    /// Creates a difference at a place inside the new schema.
    fn inside(&self, place: &[impl fmt::Display], effect: Effect, detail: Phrase) -> Difference {
        Difference {
            pointer: joined(&self.new_pointer, place),
            ..self.difference(effect, detail)
        }
    }

    /// Creates a difference at a place inside the old schema.
    fn gone(&self, place: &[impl fmt::Display], effect: Effect, detail: Phrase) -> Difference {
        Difference {
            document: Document::Old,
            pointer: joined(&self.old_pointer, place),
            ..self.difference(effect, detail)
        }
    }
}

fn joined(start: &Pointer, tokens: &[impl fmt::Display]) -> Pointer {
    let tokens = tokens.iter();
    tokens.fold(start.clone(), |pointer, token| pointer.join(token))
}

impl<'j> SchemaComparison<'j> {
    pub(super) fn new(old: &'j ServiceDescription, new: &'j ServiceDescription) -> Self {
        let (before, after) = (SchemaContext::of(old), SchemaContext::of(new));
        let unchanged = if before.enforced_formats == after.enforced_formats {
            unchanged((before.components, after.components))
        } else {
            HashSet::new()
        };
        Self {
            old: before,
            new: after,
            kept: Includes::new(before, after),
            known: Includes::new(after, before),
            unchanged,
            compared: HashMap::new(),
            left: MAX_PAIRS_EVER,
        }
    }

    /// Returns whether two schemas are identical, with all that they refer to.
    pub(super) fn is_unchanged(&self, (old, new): Both<'_, Json>) -> bool {
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

    /// Returns the differences between two schemas at these places.
    pub(super) fn differences(
        &mut self,
        (old, new): Both<'j, Json>,
        places: Both<'_, Pointer>,
        site: &SchemaUse<'_>,
    ) -> Vec<Difference> {
        let mut walk = Walk {
            values: self,
            is_input: matches!(site, SchemaUse::Param(_)),
            visited: HashSet::new(),
            depth: 0,
            deeper: VecDeque::new(),
            found: Vec::new(),
        };
        let pair = walk.followed(SchemaPair {
            old,
            new,
            old_pointer: places.0.clone(),
            new_pointer: places.1.clone(),
            way: String::new(),
        });
        let key = (address(pair.old), address(pair.new), walk.is_input);
        if let Some(known) = walk.values.compared.get(&key) {
            walk.found.extend_from_slice(known);
        } else {
            let start = walk.found.len();
            walk.targets(&pair);
            while let Some(pair) = walk.deeper.pop_front() {
                walk.targets(&pair);
            }
            let is_here =
                |it: &Difference| !matches!(it.effect, Effect::Elsewhere | Effect::Deeper);
            walk.found.retain(is_here);
            let found = walk.found[start..].to_vec();
            walk.values.compared.insert(key, found);
        }
        walk.found
    }
}

fn unchanged((old, new): Both<'_, IndexMap<String, Json>>) -> HashSet<&str> {
    let all = old.iter().enumerate();
    let changed = all.filter(|(_, (name, schema))| new.get(*name) != Some(*schema));
    let changed = changed.map(|(at, _)| at);
    let reached = References::new(old).reversed().reach(changed);
    let names = old.keys().map(String::as_str).enumerate();
    let kept = names.filter(|(at, _)| !reached.contains(at));
    kept.map(|(_, name)| name).collect()
}

/// A walk through two schemas.
struct Walk<'w, 'j> {
    values: &'w mut SchemaComparison<'j>,
    /// True if values come from callers, so that lost values break callers.
    is_input: bool,
    visited: HashSet<(usize, usize)>,
    /// The number of pairs around the current one.
    depth: usize,
    /// The pairs that are too deep to be compared inside those around them.
    deeper: VecDeque<SchemaPair<'j>>,
    found: Vec<Difference>,
}

impl<'j> Walk<'_, 'j> {
    /// Finds the differences between two schemas, and between the schemas inside them.
    fn pair(&mut self, pair: SchemaPair<'j>) {
        let pair = self.followed(pair);
        self.targets(&pair);
    }

    /// Returns the pair that the references of a pair lead to.
    fn followed(&mut self, mut pair: SchemaPair<'j>) -> SchemaPair<'j> {
        // Annotations beside a reference apply to this place only.
        if pair.old.get("$ref").is_some() && pair.new.get("$ref").is_some() {
            self.annotations(&pair);
        }
        if let Some((schema, place)) = target(pair.old, self.values.old) {
            (pair.old, pair.old_pointer) = (schema, place);
        }
        if let Some((schema, place)) = target(pair.new, self.values.new) {
            (pair.new, pair.new_pointer) = (schema, place);
        }
        pair
    }

    fn targets(&mut self, pair: &SchemaPair<'j>) {
        if self.values.is_unchanged((pair.old, pair.new)) {
            return;
        }
        let key = (address(pair.old), address(pair.new));
        self.values.left = self.values.left.saturating_sub(1);
        if self.visited.contains(&key) {
            // The change is reported at the first place where it was found.
            self.add(pair, Effect::Elsewhere, "change.value.rewritten");
            return;
        }
        if self.visited.len() == MAX_PAIRS {
            self.add(pair, Effect::Undecided, "change.value.undecided");
            return;
        }
        if self.depth == MAX_DEPTH {
            self.add(pair, Effect::Deeper, "change.value.rewritten");
            self.deeper.push_back(pair.begun());
            return;
        }
        self.visited.insert(key);
        let start = self.found.len();
        self.depth += 1;
        self.annotations(pair);
        if self.values.left > 0 {
            self.differences(pair);
        }
        self.depth -= 1;
        self.settle(pair, start);
    }

    fn differences(&mut self, pair: &SchemaPair<'j>) {
        let (Json::Object(old), Json::Object(new)) = (pair.old, pair.new) else {
            return;
        };
        if self.alternatives(pair) || self.listed(pair, (old, new)) {
            return;
        }
        self.constraints(pair, (old, new));
        let (before, after) = (kinds(old), kinds(new));
        if before.without(Kinds::NULL).meet(after.without(Kinds::NULL)) || before == after {
            self.members(pair, (old, new));
            self.elements(pair, (old, new));
        }
    }

    /// Adds a difference that needs no more than a sentence.
    fn add(&mut self, pair: &SchemaPair<'j>, effect: Effect, key: &'static str) {
        self.found.push(pair.difference(effect, phrase(key, &[])));
    }

    /// Returns whether both schemas take the same values.
    fn is_rewritten(&mut self, pair: &SchemaPair<'j>) -> bool {
        let kept = self.values.kept.ask(pair.old, pair.new);
        kept == Inclusion::Yes && self.values.known.ask(pair.new, pair.old) == kept
    }

    /// Adjusts the differences from `start` on to the answers for the whole schema.
    fn settle(&mut self, pair: &SchemaPair<'j>, start: usize) {
        let mut inside = self.found[start..].iter();
        if inside.any(|it| it.effect == Effect::Deeper) {
            // It cannot be told what the whole takes, so what was found stands for itself.
            let unknown = (&Inclusion::Unknown, &Inclusion::Unknown);
            let whole = self.unexplained(pair, start, unknown);
            self.found.extend(whole);
            return;
        }
        let kept = self.values.kept.ask(pair.old, pair.new);
        let known = self.values.known.ask(pair.new, pair.old);
        let is_same = kept == Inclusion::Yes && known == Inclusion::Yes;
        for mut one in self.found.split_off(start) {
            let Some(loses) = one.effect.loses() else {
                if !is_same || !matches!(one.effect, Effect::Pattern | Effect::MemberAdded) {
                    self.found.push(one);
                }
                continue;
            };
            match if loses { &kept } else { &known } {
                Inclusion::Yes => continue,
                Inclusion::Unknown if loses == self.is_input => one.undecided(),
                Inclusion::No(value)
                    if loses == self.is_input
                        && one.witness.is_none()
                        && matches!(one.effect, Effect::Lost | Effect::Gained) =>
                {
                    one.witness = Some((loses, value.clone()));
                }
                _ => {}
            }
            self.found.push(one);
        }
        let (breaking, other) = if self.is_input {
            (kept, known)
        } else {
            (known, kept)
        };
        let whole = self.unexplained(pair, start, (&breaking, &other));
        self.found.extend(whole);
    }

    /// Returns a difference between the schemas as a whole, if the differences that were found do
    /// not explain it.
    fn unexplained(
        &mut self,
        pair: &SchemaPair<'j>,
        start: usize,
        (breaking, other): (&Inclusion, &Inclusion),
    ) -> Option<Difference> {
        let found = &self.found[start..];
        let whole = |loses: bool, value: &Json| {
            let (effect, key) = if loses {
                (Effect::Lost, "change.value.fewer")
            } else {
                (Effect::Gained, "change.value.more")
            };
            Difference {
                witness: Some((loses, value.clone())),
                ..pair.difference(effect, phrase(key, &[]))
            }
        };
        // A value that one alternative of `oneOf` gains may be lost because another takes it too.
        let is_exclusive = [pair.old, pair.new]
            .iter()
            .any(|it| it.get("oneOf").is_some());
        let explains = |one: &Difference| {
            if is_exclusive && one.effect == Effect::Deeper {
                return false;
            }
            let is_open_format = one.effect == Effect::Format && *breaking == Inclusion::Unknown;
            one.effect.explains(self.is_input) || is_open_format
        };
        let has = |is_wanted: fn(Effect) -> bool| found.iter().any(|one| is_wanted(one.effect));
        match (breaking, other) {
            (Inclusion::Yes, Inclusion::No(value)) => {
                let is_told = has(|effect| effect != Effect::Words);
                (!is_told).then(|| whole(!self.is_input, value))
            }
            (Inclusion::Yes, _) => {
                let is_rewritten = !has(|effect| effect != Effect::Elsewhere)
                    && !self.values.kept.says_same(pair.old, pair.new);
                let detail = phrase("change.value.rewritten", &[]);
                is_rewritten.then(|| pair.difference(Effect::Rewritten, detail))
            }
            _ if found.iter().any(explains) => None,
            (Inclusion::No(value), _) => Some(whole(self.is_input, value)),
            (Inclusion::Unknown, _) => {
                let detail = phrase("change.value.undecided", &[]);
                Some(pair.difference(Effect::Undecided, detail))
            }
        }
    }
}

/// Returns the schema that a reference leads to, if the reference has no constraints beside it.
fn target<'j>(schema: &'j Json, context: SchemaContext<'j>) -> Option<(&'j Json, Pointer)> {
    let (schema, reference) = followed(schema, context);
    let components = Pointer::root().join("components").join("schemas");
    Some((schema, components.join(component_entered(reference?)?)))
}

fn kinds(words: &docent_describe::json::Object) -> Kinds {
    Kinds::of_type(words).unwrap_or(Kinds::ALL)
}
