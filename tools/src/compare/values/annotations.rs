//! Compares what authors say about values, and what JSON Schema leaves to its readers.
//!
//! None of it constrains values, so no change here breaks a caller for certain: documentation is safe, and a keyword
//! that this crate does not know may mean anything.

use indexmap::IndexMap;

use super::super::phrase::phrase;
use super::super::rule::Rule;
use super::found::{Effect, shown_or_none};
use super::{SchemaComparison, ValuePair, Walk};
use docent_describe::ParamDescription;
use docent_describe::json::Json;
use docent_describe::schema::{Annotations, Condition, Node, SchemaViews, View};

/// Keywords that mean something to their readers and are not checked, with their values.
type Meanings<'t> = IndexMap<&'t str, Vec<&'t Json>>;

impl<'t> SchemaComparison<'t> {
    /// Returns the value that stands for a parameter of the old description which is left out.
    pub(in crate::compare) fn old_default(&self, param: &'t ParamDescription) -> Option<&'t Json> {
        default_of_param(self.old.views, param)
    }

    /// Returns the value that stands for a parameter of the new description which is left out.
    pub(in crate::compare) fn new_default(&self, param: &'t ParamDescription) -> Option<&'t Json> {
        default_of_param(self.new.views, param)
    }
}

/// Returns the default of a parameter. That of a shared type is told with the type.
fn default_of_param<'t>(
    views: &'t SchemaViews<'t>,
    param: &'t ParamDescription,
) -> Option<&'t Json> {
    let node = views.tree.read(&param.schema);
    match node.only_reference() {
        Some(_) => param.default.as_ref().or(node.annotations.default),
        None => views.view(&[node]).default_of(param),
    }
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between the keywords that do not constrain values.
    pub(super) fn compare_annotations(
        &mut self,
        pair: &ValuePair<'t>,
        old: &[&'t Node<'t>],
        new: &[&'t Node<'t>],
    ) {
        let before = self.found.len();
        let [mut all_old, mut all_new] = self.around.take().unwrap_or_default();
        all_old.extend(old);
        all_new.extend(new);
        let was = annotations(&all_old);
        let is = annotations(&all_new);
        match (is_deprecated(&was), is_deprecated(&is)) {
            (false, true) => {
                let effect = Effect::Rule(Rule::Deprecated);
                self.add(pair, effect, "change.value.deprecated");
            }
            (true, false) => {
                let effect = Effect::Rule(Rule::Undeprecated);
                self.add(pair, effect, "change.value.undeprecated");
            }
            _ => {}
        }
        let (old_view, new_view) = self.views(pair);
        let default_was = first_default(&was, old_view);
        let default_is = first_default(&is, new_view);
        // The default of a whole parameter is compared with the parameter.
        let is_whole = pair.path.is_empty() && pair.shared.is_none();
        let has_other_default = default_was != default_is && self.is_input;
        if has_other_default && !is_whole {
            let detail = phrase("change.value.default", &[])
                .and(shown_or_none(default_is))
                .and(shown_or_none(default_was));
            self.add_detail(pair, Effect::Rule(Rule::DefaultChanged), detail);
        }
        self.compare_meanings(pair, &meanings(&all_old), &meanings(&all_new));
        self.compare_contents(pair, &all_old, &all_new);
        if was != is && !has_other_default && self.found.len() == before {
            self.add(pair, Effect::Rule(Rule::WordsChanged), "change.value.words");
        }
    }

    /// Finds changed meanings and documentation in schemas that are not compared part by part: conditions, listed
    /// values, and alternatives that have no partners.
    pub(super) fn compare_asides(
        &mut self,
        pair: &ValuePair<'t>,
        old: &'t View<'t>,
        new: &'t View<'t>,
    ) {
        // A single union is compared alternative by alternative.
        let are_apart = old.unions.len() > 1 || new.unions.len() > 1;
        let was = asides(old, are_apart);
        let is = asides(new, are_apart);
        let before = self.found.len();
        self.compare_meanings(pair, &meanings(&was), &meanings(&is));
        if annotations(&was) != annotations(&is) && self.found.len() == before {
            self.add(pair, Effect::Rule(Rule::WordsChanged), "change.value.words");
        }
    }

    /// Finds keywords whose meaning is for their readers to know.
    fn compare_meanings(&mut self, pair: &ValuePair<'t>, was: &Meanings<'t>, is: &Meanings<'t>) {
        let removed = was.keys().filter(|keyword| !is.contains_key(*keyword));
        for keyword in is.keys().chain(removed) {
            let before = was.get(keyword);
            let after = is.get(keyword);
            if before != after {
                let detail = phrase("change.value.constraint", &[keyword])
                    .and(shown_or_none(after.map(|all| all[0])))
                    .and(shown_or_none(before.map(|all| all[0])));
                self.add_detail(pair, Effect::Rule(Rule::KeywordChanged), detail);
            }
        }
    }

    /// Finds out whether the schema of what is inside a string changed.
    fn compare_contents(
        &mut self,
        pair: &ValuePair<'t>,
        old: &[&'t Node<'t>],
        new: &[&'t Node<'t>],
    ) {
        if !self.values.are_unchanged(&contents(old), &contents(new)) {
            let effect = Effect::Rule(Rule::KeywordChanged);
            self.add(pair, effect, "change.value.contents");
        }
    }
}

/// Returns the schemas of what is inside a string.
fn contents<'t>(nodes: &[&'t Node<'t>]) -> Vec<&'t Node<'t>> {
    nodes
        .iter()
        .filter_map(|node| node.strings.as_deref()?.content.as_deref())
        .collect()
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
fn annotations<'t>(nodes: &[&'t Node<'t>]) -> Vec<&'t Annotations<'t>> {
    nodes
        .iter()
        .map(|node| &node.annotations)
        .filter(|annotations| **annotations != Annotations::default())
        .collect()
}

/// Returns whether any author says that a value is deprecated.
fn is_deprecated(annotations: &[&Annotations<'_>]) -> bool {
    annotations.iter().any(|annotations| annotations.deprecated)
}

/// Returns the first default that is not refused.
fn first_default<'t>(annotations: &[&Annotations<'t>], view: &View<'_>) -> Option<&'t Json> {
    annotations
        .iter()
        .filter_map(|annotations| annotations.default)
        .find(|value| !view.refuses(value))
}

/// Returns the keywords that mean something to their readers, with each value that they have.
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
