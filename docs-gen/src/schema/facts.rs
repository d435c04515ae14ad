//! The facts of a value: what its schemas ask of it beyond its type, such as "at least 1".
//!
//! `type_phrase` says the type itself, and a fact is left out where the type says it already. `view/phrases.rs` writes
//! facts in the language of the page.

use docent_describe::json::Json;
use docent_describe::schema::{
    Bound, Condition, Kinds, Node, NumberBounds, Reference, Span, Target, View,
};

use super::extent::Extent;
use super::type_phrase::TypePhrase;

/// The maximum number of facts of a value.
const MAX_FACTS: usize = 40;

/// Something that is asked of a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fact<'t> {
    /// The shared type that says that an object has this property.
    From(&'t str),
    /// The part of a shared type whose schema the value has.
    Inside(&'t str),
    /// The values of the property by which an alternative is told from others, and the names that lead to it.
    Tag(Vec<&'t str>, Vec<&'t Json>),
    /// The value of a property that the author declares to tell alternatives apart.
    DeclaredTag(&'t str, &'t str),
    /// A number is between these, both included.
    Between(&'t str, &'t str),
    /// A bound or a divisor of a number, by the key of its text.
    Number(&'static str, &'t str),
    /// The number of characters, elements or members: `length`, `items` or `members`.
    Count(&'static str, Span),
    /// A fact with a code in it: a pattern, or the media type of a text.
    Code(&'static str, &'t str),
    /// Something that needs no more than a phrase, by its key.
    Phrase(&'static str),
    /// The other properties that an object with this one has.
    Requires(&'t str, &'t [&'t str]),
    /// An object does not have all of these properties together.
    NotTogether(Vec<&'t str>),
    /// A keyword that no phrase explains, as it is written: leaving it out would be misleading.
    Keyword(&'t str, &'t Json),
}

/// Returns what is asked of a value beside its type, which `type_phrase` says. Facts about the members of an object are
/// where the members are.
pub(super) fn facts<'t>(
    view: &View<'t>,
    type_phrase: &TypePhrase<'_>,
    extent: Extent,
) -> Vec<Fact<'t>> {
    let mut facts = Vec::new();
    if view.kinds.meet(Kinds::NUMBER) {
        let mut numbers = view.numbers();
        if type_phrase.says_range(view) {
            numbers.least = None;
            numbers.most = None;
        }
        add_numbers(&mut facts, &numbers);
    }
    if view.kinds.meet(Kinds::STRING) {
        add_strings(&mut facts, view);
    }
    if view.kinds.meet(Kinds::ARRAY) {
        add_elements(&mut facts, view);
    }
    if view.kinds.meet(Kinds::OBJECT) && extent == Extent::All {
        add_members(&mut facts, view);
    }
    facts.extend(
        view.own_nodes()
            .filter_map(|node| reference_inside_type(view, node)),
    );
    if view.is_read_only() {
        facts.push(Fact::Phrase("fact.read_only"));
    }
    if view.is_write_only() {
        facts.push(Fact::Phrase("fact.write_only"));
    }
    for layer in &view.layers {
        if layer.from.is_some() && extent != Extent::All {
            continue;
        }
        for (keyword, value) in layer.node.unexplained() {
            let fact = Fact::Keyword(keyword, value);
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
    }
    facts.truncate(MAX_FACTS);
    facts
}

/// Returns the reference of a node into a shared type.
fn reference_inside_type<'t>(view: &View<'t>, node: &Node<'t>) -> Option<Fact<'t>> {
    let reference = node.reference?;
    match (reference, view.views.tree.target(reference)) {
        (Reference::Static(text), Target::Inside(_)) => Some(Fact::Inside(text)),
        _ => None,
    }
}

/// Adds the bounds and divisors of a number. Two inclusive bounds are one fact.
fn add_numbers<'t>(facts: &mut Vec<Fact<'t>>, bounds: &NumberBounds<'t>) {
    match (bounds.least, bounds.most) {
        (Some(least), Some(most)) if !least.is_exclusive && !most.is_exclusive => {
            facts.push(Fact::Between(least.number, most.number));
        }
        (least, most) => {
            facts.extend(least.map(|least| one_bound(least, "fact.minimum", "fact.above")));
            facts.extend(most.map(|most| one_bound(most, "fact.maximum", "fact.below")));
        }
    }
    for step in &bounds.steps {
        facts.push(Fact::Number("fact.multiple", step));
    }
}

/// Returns the fact of a single bound.
fn one_bound<'t>(bound: Bound<'t>, inclusive: &'static str, exclusive: &'static str) -> Fact<'t> {
    let key = if bound.is_exclusive {
        exclusive
    } else {
        inclusive
    };
    Fact::Number(key, bound.number)
}

/// Adds the length, formats, patterns and media types of a string.
fn add_strings<'t>(facts: &mut Vec<Fact<'t>>, view: &View<'t>) {
    add_count(facts, "length", view.length());
    // The type says an encoding or, if there is none, the first format.
    let has_encoding = view.strings().any(|strings| strings.encoding.is_some());
    let said_formats = usize::from(!has_encoding);
    for format in view.formats().into_iter().skip(said_formats) {
        facts.push(Fact::Code("fact.format", format));
    }
    for pattern in view.patterns() {
        facts.push(Fact::Code("fact.pattern", pattern));
    }
    for media_type in view.strings().filter_map(|strings| strings.media_type) {
        facts.push(Fact::Code("fact.media_type", media_type));
    }
}

/// Adds the number of elements of an array, and whether they are unique.
fn add_elements<'t>(facts: &mut Vec<Fact<'t>>, view: &View<'t>) {
    let elements = view.elements();
    let mut length = elements.length;
    let has_least = length.least.is_some_and(|least| least > 0);
    if !has_least && view.names().is_empty() && TypePhrase::says_length(&elements) {
        length.most = None;
    }
    add_count(facts, "items", length);
    if elements.are_unique {
        facts.push(Fact::Phrase("fact.unique"));
    }
    for (keyword, value) in elements.unexplained() {
        facts.push(Fact::Keyword(keyword, value));
    }
}

/// Returns a condition as a fact, if a phrase says all of it. Others have rows (`conditions`).
pub(super) fn condition_as_fact(condition: Condition<'_>, kinds: Kinds) -> Option<Fact<'_>> {
    let is_described = condition
        .nodes()
        .any(|node| node.annotations.title.is_some() || node.annotations.description.is_some());
    match condition {
        _ if is_described => None,
        // It also refuses values that are no objects, which no phrase says.
        Condition::Not(_) if kinds != Kinds::OBJECT => None,
        Condition::Requires(name, others) => Some(Fact::Requires(name, others)),
        Condition::With(name, node) if node.only_required().is_some() => {
            Some(Fact::Requires(name, node.only_required()?))
        }
        _ => condition.excluded_together().map(Fact::NotTogether),
    }
}

/// Adds the number of an object's members, and which of them go together.
fn add_members<'t>(facts: &mut Vec<Fact<'t>>, view: &View<'t>) {
    add_count(facts, "members", view.property_count());
    let others = view.other_properties();
    if others.are_refused {
        facts.push(Fact::Phrase("fact.closed"));
    } else if others.is_conditional && others.nodes.is_empty() {
        facts.push(Fact::Phrase("fact.closed_by_form"));
    }
    for condition in view.conditions() {
        facts.extend(condition_as_fact(condition, view.kinds));
    }
}

/// Adds a number of characters, elements or members, if there is a limit to it.
fn add_count(facts: &mut Vec<Fact<'_>>, unit: &'static str, span: Span) {
    let least = span.least.filter(|least| *least > 0);
    if least.is_some() || span.most.is_some() {
        facts.push(Fact::Count(unit, Span { least, ..span }));
    }
}
