//! Compares what authors say about values, and what JSON Schema leaves to its readers.
//!
//! None of it constrains values, so no change here breaks a caller for certain: documentation is safe, and a keyword
//! that this crate does not know may mean anything.

use indexmap::IndexMap;

use super::super::phrase::phrase;
use super::super::rule::Rule;
use super::difference::{Effect, quoted_or_none};
use super::union_context::UnionContext;
use super::{SchemaComparison, ValuePair, Walk};
use docent_describe::ParamDescription;
use docent_describe::json::Json;
use docent_describe::schema::{Annotations, Node, SchemaViews, View};

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

/// Returns the default of a parameter. That of a shared type is reported with the type.
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
    /// Finds the differences between the keywords that do not constrain values, those of the context included.
    pub(super) fn compare_annotations(
        &mut self,
        pair: &ValuePair<'t>,
        old: &[&'t Node<'t>],
        new: &[&'t Node<'t>],
        context: Option<&UnionContext<'t>>,
    ) {
        let start = self.found.len();
        let (old_nodes, new_nodes) = match context {
            Some(context) => ([&context.old, old].concat(), [&context.new, new].concat()),
            None => (old.to_vec(), new.to_vec()),
        };
        let before = annotations(&old_nodes);
        let after = annotations(&new_nodes);
        match (is_deprecated(&before), is_deprecated(&after)) {
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
        let old_default = first_default(&before, old_view);
        let new_default = first_default(&after, new_view);
        // The default of a whole parameter is compared with the parameter.
        let is_whole_param = pair.path.is_empty() && pair.shared.is_none();
        let has_other_default = old_default != new_default && self.is_input;
        if has_other_default && !is_whole_param {
            let detail = phrase("change.value.default", &[])
                .and(quoted_or_none(new_default))
                .and(quoted_or_none(old_default));
            self.add_detail(pair, Effect::Rule(Rule::DefaultChanged), detail);
        }
        self.compare_meanings(pair, &meanings(&old_nodes), &meanings(&new_nodes));
        self.compare_contents(pair, &old_nodes, &new_nodes);
        if before != after && !has_other_default && self.found.len() == start {
            self.add(pair, Effect::Rule(Rule::WordsChanged), "change.value.words");
        }
    }

    /// Finds changed meanings and documentation in schemas that are about some of the values only, and are not compared
    /// part by part: conditions, listed values, and alternatives that have no partners.
    pub(super) fn compare_partial_schemas(
        &mut self,
        pair: &ValuePair<'t>,
        old: &'t View<'t>,
        new: &'t View<'t>,
    ) {
        // A single union is compared alternative by alternative.
        let with_alternatives = old.unions.len() > 1 || new.unions.len() > 1;
        let before = partial_nodes(old, with_alternatives);
        let after = partial_nodes(new, with_alternatives);
        let start = self.found.len();
        self.compare_meanings(pair, &meanings(&before), &meanings(&after));
        if annotations(&before) != annotations(&after) && self.found.len() == start {
            self.add(pair, Effect::Rule(Rule::WordsChanged), "change.value.words");
        }
    }

    /// Finds keywords whose meaning is for their readers to know.
    fn compare_meanings(
        &mut self,
        pair: &ValuePair<'t>,
        before: &Meanings<'t>,
        after: &Meanings<'t>,
    ) {
        let removed = before
            .keys()
            .filter(|keyword| !after.contains_key(*keyword));
        for keyword in after.keys().chain(removed) {
            let old_values = before.get(keyword);
            let new_values = after.get(keyword);
            if old_values != new_values {
                let detail = phrase("change.value.constraint", &[keyword])
                    .and(quoted_or_none(new_values.map(|values| values[0])))
                    .and(quoted_or_none(old_values.map(|values| values[0])));
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
        if !self.schemas.are_unchanged(&contents(old), &contents(new)) {
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

/// Returns the nodes of a value that are about some of its values only, with all inside them.
fn partial_nodes<'t>(view: &View<'t>, with_alternatives: bool) -> Vec<&'t Node<'t>> {
    let mut outer = Vec::new();
    for condition in view.conditions() {
        outer.extend(condition.nodes());
    }
    for listed in view.listed.iter().flatten() {
        outer.extend(listed.about);
    }
    if with_alternatives {
        outer.extend(view.alternatives().map(|alternative| alternative.node));
    }
    let mut nodes = Vec::new();
    for node in outer {
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
