//! Compares what authors say about values, and what JSON Schema leaves to its readers.

use indexmap::IndexMap;

use super::super::pairs::Both;
use super::super::phrase::phrase;
use super::super::rule::Rule;
use super::found::{Effect, shown_or_none};
use super::{SchemaComparison, ValuePair, Walk};
use docent_describe::ParamDescription;
use docent_describe::json::Json;
use docent_describe::schema::{Annotations, Condition, Node, View};

/// Keywords that mean something to their readers and are not checked, with their values.
type Meanings<'t> = IndexMap<&'t str, Vec<&'t Json>>;

impl<'t> SchemaComparison<'t> {
    /// Returns the values that stand for a parameter which is left out. That of a shared type is told with it.
    pub(in crate::compare) fn defaults(
        &self,
        (old, new): Both<'t, ParamDescription>,
    ) -> [Option<&'t Json>; 2] {
        [(&self.old, old), (&self.new, new)].map(|(version, param)| {
            let node = version.views.tree.read(&param.schema);
            match node.only_reference() {
                Some(_) => param.default.as_ref().or(node.annotations.default),
                None => version.views.view(&[node]).default_of(param),
            }
        })
    }
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between the keywords that do not constrain values.
    pub(super) fn annotations(
        &mut self,
        pair: &ValuePair<'t>,
        old: &[&'t Node<'t>],
        new: &[&'t Node<'t>],
    ) {
        let before = self.found.len();
        let [mut all_old, mut all_new] = self.around.take().unwrap_or_default();
        all_old.extend(old);
        all_new.extend(new);
        let (old, new) = (&all_old[..], &all_new[..]);
        let [was, is] = [old, new].map(said);
        let is_deprecated = |all: &[&Annotations<'_>]| all.iter().any(|said| said.deprecated);
        match (is_deprecated(&was), is_deprecated(&is)) {
            (false, true) => self.add(
                pair,
                Effect::Of(Rule::Deprecated),
                "change.value.deprecated",
            ),
            (true, false) => self.add(
                pair,
                Effect::Of(Rule::Undeprecated),
                "change.value.undeprecated",
            ),
            _ => {}
        }
        let views = self.views(pair);
        let (default_was, default_is) = (default(&was, views.0), default(&is, views.1));
        // The default of a whole parameter is compared with the parameter.
        let is_whole = pair.way.is_empty() && pair.shared.is_none();
        let has_other_default = default_was != default_is && self.is_input;
        if has_other_default && !is_whole {
            let detail = phrase("change.value.default", &[])
                .and(shown_or_none(default_is))
                .and(shown_or_none(default_was));
            self.tell(pair, Effect::Of(Rule::DefaultChanged), detail);
        }
        self.meanings(pair, &meanings(old), &meanings(new));
        self.contents(pair, old, new);
        if was != is && !has_other_default && self.found.len() == before {
            self.add(pair, Effect::Of(Rule::WordsChanged), "change.value.words");
        }
    }

    /// Finds changed meanings and documentation in schemas that are not compared part by part: conditions, listed values,
    /// and alternatives that have no partners.
    pub(super) fn asides(&mut self, pair: &ValuePair<'t>, (old, new): Both<'t, View<'t>>) {
        // A single union is compared alternative by alternative.
        let are_apart = old.unions.len() > 1 || new.unions.len() > 1;
        let [was, is] = [old, new].map(|view| asides(view, are_apart));
        let before = self.found.len();
        self.meanings(pair, &meanings(&was), &meanings(&is));
        if said(&was) != said(&is) && self.found.len() == before {
            self.add(pair, Effect::Of(Rule::WordsChanged), "change.value.words");
        }
    }

    /// Finds keywords whose meaning is for their readers to know.
    fn meanings(&mut self, pair: &ValuePair<'t>, was: &Meanings<'t>, is: &Meanings<'t>) {
        let gone = was.keys().filter(|keyword| !is.contains_key(*keyword));
        for keyword in is.keys().chain(gone) {
            let (before, after) = (was.get(keyword), is.get(keyword));
            if before != after {
                let detail = phrase("change.value.constraint", &[keyword])
                    .and(shown_or_none(after.map(|all| all[0])))
                    .and(shown_or_none(before.map(|all| all[0])));
                self.tell(pair, Effect::Of(Rule::KeywordChanged), detail);
            }
        }
    }

    /// Finds out whether the schema of what is inside a string changed.
    fn contents(&mut self, pair: &ValuePair<'t>, old: &[&'t Node<'t>], new: &[&'t Node<'t>]) {
        let [was, is] = [old, new].map(|nodes| {
            nodes
                .iter()
                .filter_map(|node| node.strings.as_deref()?.content.as_ref())
                .collect::<Vec<_>>()
        });
        if !self.values.are_unchanged(&was, &is) {
            self.add(
                pair,
                Effect::Of(Rule::KeywordChanged),
                "change.value.contents",
            );
        }
    }
}

/// Returns the nodes of a value that are about some values only, with all inside them.
fn asides<'t>(view: &View<'t>, are_apart: bool) -> Vec<&'t Node<'t>> {
    let conditions = view.conditions().into_iter().flat_map(Condition::nodes);
    let listed = view.listed.iter().flatten().filter_map(|value| value.about);
    let alternatives = view.alternatives().filter(|_| are_apart);
    let mut nodes = Vec::new();
    for node in conditions
        .chain(listed)
        .chain(alternatives.map(|alternative| alternative.node))
    {
        node.for_each_inside(&mut |node| nodes.push(node));
    }
    nodes
}

/// Returns what authors say, without those who say nothing.
fn said<'t>(nodes: &[&'t Node<'t>]) -> Vec<&'t Annotations<'t>> {
    nodes
        .iter()
        .map(|node| &node.annotations)
        .filter(|said| **said != Annotations::default())
        .collect()
}

/// Returns the first default that is not refused.
fn default<'t>(said: &[&Annotations<'t>], view: &View<'_>) -> Option<&'t Json> {
    let mut defaults = said.iter().filter_map(|said| said.default);
    defaults.find(|value| !view.refuses(value))
}

fn meanings<'t>(nodes: &[&'t Node<'t>]) -> Meanings<'t> {
    let mut meanings = Meanings::new();
    for node in nodes {
        for (keyword, value) in node.meanings() {
            let values = meanings.entry(keyword).or_default();
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    meanings
}
