//! Compiles `anyOf` and `oneOf`.
//!
//! Alternatives that cannot be told apart have to be tried one after the other, and in full: the
//! bounds of a schema matter only if its structure matches. Most alternatives need not be tried.
//! Their values are of different kinds (`Option`), are objects with a tag or with a single member
//! (enums), or are lists of strings (enums whose variants have documentation), which are merged.

use crate::json::{Json, Name, Object};

use super::Compiler;
use super::place::{Mode, Place};
use crate::schema::check::choices::{self, Choices};
use crate::schema::check::node::{Branch, By, InPlace, Link, Node, Selector, Union};
use crate::schema::{Distinction, Evidence, Kinds, Role, role};

/// One alternative, before it is compiled.
#[derive(Debug)]
enum Source<'j> {
    /// Several alternatives that only list strings.
    Strings(Vec<&'j Json>),
    /// A schema, and its index among the alternatives.
    Schema(usize, &'j Json),
}

impl Compiler<'_> {
    /// Compiles the alternatives of a keyword. Returns `None` if there are none, or if they have no
    /// constraints.
    pub(super) fn union(
        &mut self,
        keyword: &str,
        words: &Object,
        place: &mut Place,
    ) -> Option<InPlace> {
        let schemas = match words.get(keyword)? {
            Json::Array(schemas) if !schemas.is_empty() => schemas,
            _ => {
                place.mistake(keyword, "must be a list of schemas");
                return None;
            }
        };
        let exactly_one = keyword == "oneOf";
        let sources = sources(schemas, exactly_one);
        let kinds: Vec<Kinds> = sources
            .iter()
            .map(|source| match source {
                Source::Strings(_) => Kinds::STRING,
                Source::Schema(_, schema) => self.kinds.schema(schema),
            })
            .collect();
        let selector = self.selector(&sources, &kinds);
        let needs_check = schemas
            .iter()
            .any(|schema| self.facts.schema_needs_check(schema));
        let mut branches = Vec::new();
        for (index, source) in sources.iter().enumerate() {
            let mode = match place.mode {
                Mode::Decoded if needs_check && overlaps(index, &kinds, selector.as_ref()) => {
                    Mode::Full
                }
                mode => mode,
            };
            let link = self.source(keyword, source, mode, selector.as_ref(), place);
            let kinds = kinds[index];
            branches.push(Branch { kinds, link });
        }
        let union = Union {
            exactly_one,
            branches,
            selector,
        };
        let asserts = place.mode == Mode::Full || needs_check;
        asserts.then(|| simplify(union, place.mode)).flatten()
    }

    /// Returns a selector for the objects among the alternatives, if there are several and they can
    /// be told apart.
    fn selector(&self, sources: &[Source<'_>], kinds: &[Kinds]) -> Option<Selector> {
        let objects = sources.iter().enumerate();
        let (branches, schemas): (Vec<usize>, Vec<&Json>) = objects
            .filter(|(index, _)| kinds[*index].meet(Kinds::OBJECT))
            .filter_map(|(index, source)| match source {
                Source::Schema(_, schema) => Some((index, *schema)),
                Source::Strings(_) => None,
            })
            .unzip();
        if branches.len() < 2 {
            return None;
        }
        let components = self.facts.components();
        match Distinction::of(components, &schemas, Evidence::Certain) {
            Distinction::Tag(tag, values) => {
                let words = values.iter().zip(branches);
                let words =
                    words.flat_map(|(words, branch)| words.iter().map(move |it| (it, branch)));
                let words = words.filter_map(|(word, branch)| Some((word.as_str()?, branch)));
                Some(selector(By::Tag(tag.into()), words.collect()))
            }
            Distinction::Member(names) => {
                let words = names.into_iter().zip(branches).collect();
                Some(selector(By::Member, words))
            }
            Distinction::Kind | Distinction::Unsaid => None,
        }
    }

    fn source(
        &mut self,
        keyword: &str,
        source: &Source<'_>,
        mode: Mode,
        selector: Option<&Selector>,
        place: &mut Place,
    ) -> Link {
        let (index, schema) = match source {
            Source::Strings(values) => return strings(values),
            Source::Schema(index, schema) => (index, *schema),
        };
        let chosen = selector
            .and_then(Selector::tag)
            .filter(|_| mode == Mode::Decoded);
        place.within(&[&keyword, index], mode, |place| match schema {
            Json::Object(words) => self.node(words, chosen, place),
            schema => self.link(schema, place),
        })
    }
}

/// Returns a selector for words, each with the index of its branch.
fn selector(by: By, words: Vec<(&str, usize)>) -> Selector {
    let shown: Vec<Json> = words.iter().map(|(word, _)| Json::from(*word)).collect();
    let mut words: Vec<(Box<str>, usize)> = words
        .into_iter()
        .map(|(word, branch)| (word.into(), branch))
        .collect();
    words.sort_unstable();
    Selector {
        by,
        words,
        phrase: choices::phrase(shown.iter().collect()).into(),
    }
}

/// Returns the alternatives, with those merged that only list strings.
fn sources(schemas: &[Json], exactly_one: bool) -> Vec<Source<'_>> {
    let lists: Vec<Option<Vec<&Json>>> = schemas.iter().map(strings_of).collect();
    let mut all: Vec<&str> = lists
        .iter()
        .flatten()
        .flatten()
        .filter_map(|value| value.as_str())
        .collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    let several = lists.iter().flatten().count() > 1;
    // A string in two lists matches two alternatives.
    let mergeable = several && (!exactly_one || all.len() == count);
    let mut sources = Vec::new();
    if mergeable {
        sources.push(Source::Strings(
            lists.iter().flatten().flatten().copied().collect(),
        ));
    }
    sources.extend(
        schemas
            .iter()
            .enumerate()
            .filter(|(index, _)| !mergeable || lists[*index].is_none())
            .map(|(index, schema)| Source::Schema(index, schema)),
    );
    sources
}

/// Returns the strings that a schema lists, if it has no other constraints.
fn strings_of(schema: &Json) -> Option<Vec<&Json>> {
    let words = schema.as_object()?;
    let asserts = |word: &&Name| role(word) != Some(Role::Annotates);
    let list: Vec<&Json> = match (words.get("enum"), words.get("const")) {
        (Some(Json::Array(values)), None) => values.iter().collect(),
        (None, Some(value)) => vec![value],
        _ => return None,
    };
    let strings = list.iter().all(|value| value.as_str().is_some());
    let typed = words.get("type").and_then(Json::as_str) == Some("string");
    let only = words.keys().filter(asserts).count() == 1 + usize::from(typed);
    (strings && only).then_some(list)
}

fn strings(values: &[&Json]) -> Link {
    Link::Node(Box::new(Node {
        choices: Some(Choices::new(values.iter().copied())),
        ..Node::of_kinds(Kinds::STRING)
    }))
}

/// Returns whether an alternative shares kinds of values with another one, so that both have to be
/// tried. Objects do not count if the selector distinguishes them.
fn overlaps(index: usize, kinds: &[Kinds], selector: Option<&Selector>) -> bool {
    let told_apart = selector.map_or(Kinds::NONE, |_| Kinds::OBJECT);
    let own = kinds[index].without(told_apart);
    kinds
        .iter()
        .enumerate()
        .any(|(other, kinds)| other != index && kinds.meet(own))
}

/// Returns the alternatives in the simplest form, or `None` if every value matches.
fn simplify(mut union: Union, mode: Mode) -> Option<InPlace> {
    if union.branches.len() == 1 {
        let only = union.branches.pop()?;
        return (!only.link.is_any()).then_some(InPlace::All(only.link));
    }
    let everything = |branch: &Branch| branch.kinds == Kinds::ALL && branch.link.is_any();
    if !union.exactly_one && union.branches.iter().any(everything) {
        return None;
    }
    let nothing_left = union.branches.iter().all(|branch| branch.link.is_any());
    let by_tag = union.selector.as_ref().and_then(Selector::tag).is_some();
    if mode == Mode::Decoded && nothing_left && !by_tag {
        return None;
    }
    Some(InPlace::Union(union))
}
