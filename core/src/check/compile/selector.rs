//! Finds a word in objects that tells which of several alternatives they can only be.

use docent_describe::json::{Json, Object};

use super::facts::Facts;
use crate::check::choices;
use crate::check::node::{By, Selector};

/// How many references a search follows from one alternative.
const FOLLOWED: usize = 8;

/// The selector for some alternatives, each with its index among all branches; `None` where there
/// is no word that every one of them requires, and that is different in each.
pub(super) fn find(facts: &Facts<'_>, alternatives: &[(usize, &Json)]) -> Option<Selector> {
    let (_, first) = alternatives.first()?;
    let tags = followed(facts, first)
        .filter_map(|words| words.get("properties")?.as_object())
        .flat_map(Object::keys);
    let mut by_tag = tags.filter_map(|tag| {
        let words = collect(alternatives, |schema| {
            followed(facts, schema).find_map(|words| tag_words(words, tag))
        })?;
        Some(selector(By::Tag(tag.as_str().into()), words))
    });
    if let Some(selector) = by_tag.next() {
        return Some(selector);
    }
    let words = collect(alternatives, |schema| {
        let member = followed(facts, schema).find_map(only_member)?;
        Some(vec![member])
    })?;
    Some(selector(By::Member, words))
}

/// The words of all alternatives with their branches, in order; `None` where one has none, or two
/// have the same.
fn collect<'j>(
    alternatives: &[(usize, &'j Json)],
    words: impl Fn(&'j Json) -> Option<Vec<&'j str>>,
) -> Option<Vec<(&'j str, usize)>> {
    let mut all = Vec::new();
    for (branch, schema) in alternatives {
        all.extend(words(schema)?.into_iter().map(|word| (word, *branch)));
    }
    let mut sorted: Vec<&str> = all.iter().map(|(word, _)| *word).collect();
    sorted.sort_unstable();
    let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
    distinct.then_some(all)
}

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
        phrase: choices::phrase(shown.iter()).into(),
    }
}

/// The words of a schema, and of the schema that it refers to, and so on.
fn followed<'j>(facts: &Facts<'j>, schema: &'j Json) -> impl Iterator<Item = &'j Object> {
    std::iter::successors(schema.as_object(), |words| {
        let reference = words.get("$ref")?.as_str()?;
        let component = facts.resolve(reference).ok()?;
        facts.component(component).1.as_object()
    })
    .take(FOLLOWED)
}

/// The strings that a required property may only be.
fn tag_words<'j>(words: &'j Object, tag: &str) -> Option<Vec<&'j str>> {
    if !required(words).any(|name| name == tag) {
        return None;
    }
    let property = words.get("properties")?.get(tag)?;
    match (property.get("const"), property.get("enum")) {
        (Some(Json::String(word)), None) => Some(vec![word]),
        (None, Some(Json::Array(list))) => list.iter().map(Json::as_str).collect(),
        _ => None,
    }
}

/// The name of the only member that there can be, and must be.
fn only_member(words: &Object) -> Option<&str> {
    let closed = words.get("additionalProperties") == Some(&Json::Bool(false))
        && !words.contains_key("patternProperties");
    let mut names = required(words);
    let (name, None) = (names.next()?, names.next()) else {
        return None;
    };
    let properties = words.get("properties")?.as_object()?;
    (closed && properties.len() == 1 && properties.contains_key(name)).then_some(name)
}

fn required(words: &Object) -> impl Iterator<Item = &str> {
    let names = words.get("required").and_then(Json::as_array);
    names.unwrap_or_default().iter().filter_map(Json::as_str)
}
