//! Decides whether a value fits, from the view of a schema alone.
//!
//! Tests compare its answer with a validator's, which reads the schema itself. So a view that leaves out a constraint,
//! or has one too many, is found. The answer is unknown where a view has a condition, which it shows as it is written.

use std::cell::Cell;

use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::{Difference, Kinds, Node, SchemaViews, Span, Union, UnionRule, View};

/// The most views that are read for one value.
const MAX_STEPS: usize = 3_000;

/// The most views that are read inside each other.
const MAX_DEPTH: usize = 30;

/// The answer to the question whether a value fits: true, false, or unknown.
type Answer = Option<bool>;

/// Returns whether all answers are true: one that is false outweighs those that are unknown.
fn all(answers: impl IntoIterator<Item = Answer>) -> Answer {
    let mut all = Some(true);
    for answer in answers {
        match answer {
            Some(false) => return answer,
            None => all = None,
            Some(true) => {}
        }
    }
    all
}

/// Reads views, within limits for schemas that refer to themselves.
pub(super) struct Reader<'t> {
    views: &'t SchemaViews<'t>,
    /// The number of views that may still be read for the current value.
    steps_left: Cell<usize>,
    /// The number of views that may still be read inside each other.
    depth_left: Cell<usize>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(views: &'t SchemaViews<'t>) -> Self {
        Self {
            views,
            steps_left: Cell::new(0),
            depth_left: Cell::new(MAX_DEPTH),
        }
    }

    /// Returns whether a value is one that the view of these nodes describes.
    pub(super) fn accepts(&self, nodes: &[&'t Node<'t>], value: &Json) -> Answer {
        self.steps_left.set(MAX_STEPS);
        self.fits(self.views.view(nodes), value)
    }

    /// Returns whether a value fits a view, unless a limit is reached.
    fn fits(&self, view: &'t View<'t>, value: &Json) -> Answer {
        self.steps_left.set(self.steps_left.get().checked_sub(1)?);
        let deeper = self.depth_left.get().checked_sub(1)?;
        self.depth_left.set(deeper);
        let answer = self.fits_all(view, value);
        self.depth_left.set(deeper + 1);
        answer
    }

    /// Returns whether a value fits all that a view says.
    fn fits_all(&self, view: &'t View<'t>, value: &Json) -> Answer {
        if *value == Json::Null {
            return view.takes_null;
        }
        if !view.kinds.meet(Kinds::of_value(value)) {
            return Some(false);
        }
        let is_listed = match &view.listed {
            Some(listed) => listed.iter().any(|listed| listed.value == value),
            None => true,
        };
        let by_kind = match value {
            Json::Number(number) => Some(number_fits(view, number)),
            Json::String(text) => self.text_fits(view, text),
            Json::Array(elements) => self.array_fits(view, elements),
            Json::Object(members) => self.object_fits(view, members),
            Json::Null | Json::Bool(_) => Some(true),
        };
        let unions = view
            .unions
            .iter()
            .map(|union| self.union_fits(union, value));
        // What could not be read, or is conditional, may refuse any value.
        let has_said_all = view.is_complete() && view.conditions().is_empty();
        let unsaid = has_said_all.then_some(true);
        all(unions.chain([Some(is_listed), by_kind, unsaid]))
    }

    fn text_fits(&self, view: &'t View<'t>, text: &str) -> Answer {
        let mut answers = vec![Some(is_within(view.length(), text.chars().count()))];
        for pattern in view.patterns() {
            answers.push(self.views.tree.matches(pattern, text));
        }
        all(answers)
    }

    fn array_fits(&self, view: &'t View<'t>, array: &[Json]) -> Answer {
        let elements = view.elements();
        let mut answers = vec![Some(is_within(elements.length, array.len()))];
        for (index, element) in array.iter().enumerate() {
            answers.push(self.fits_nodes(elements.nodes_at(index), element));
            let is_repeated = array[..index].contains(element);
            answers.push(Some(!elements.are_unique || !is_repeated));
        }
        all(answers)
    }

    fn object_fits(&self, view: &'t View<'t>, object: &Object) -> Answer {
        let properties = view.properties();
        let mut answers = vec![Some(is_within(view.property_count(), object.len()))];
        for (name, property) in &properties {
            answers.push(match object.get(name) {
                None => Some(!property.is_required),
                Some(_) if property.is_refused => Some(false),
                Some(value) => self.fits_nodes(&property.nodes(), value),
            });
        }
        for (name, value) in object {
            if !properties.contains_key(name.as_str()) {
                answers.push(self.unnamed_member_fits(view, name.as_str(), value));
            }
        }
        all(answers)
    }

    /// Returns whether a member fits that no property of the view has the name of.
    fn unnamed_member_fits(&self, view: &'t View<'t>, name: &str, value: &Json) -> Answer {
        let others = view.other_properties();
        let mut matching = Vec::new();
        for (pattern, node) in &others.patterns {
            if self.views.tree.matches(pattern, name)? {
                matching.push(*node);
            }
        }
        let mut answers = Vec::new();
        if !matching.is_empty() {
            answers.push(self.fits_nodes(&matching, value));
            // The `additionalProperties` of another node may be about it too.
            answers.push(others.nodes.is_empty().then_some(true));
        } else if !others.are_refused {
            answers.push(self.fits_nodes(&others.nodes, value));
        } else if view.unions.is_empty() && !view.conditional_names().contains(name) {
            answers.push(Some(false));
        } else {
            // An alternative or a condition may describe it.
            answers.push(None);
        }
        answers.push((!others.is_conditional).then_some(true));
        for names in &others.names {
            answers.push(self.fits_nodes(&[names], &Json::from(name)));
        }
        all(answers)
    }

    /// Returns whether a value fits all of some nodes, which may be none.
    fn fits_nodes(&self, nodes: &[&'t Node<'t>], value: &Json) -> Answer {
        match nodes {
            [] => Some(true),
            _ => self.fits(self.views.view(nodes), value),
        }
    }

    fn union_fits(&self, union: &Union<'t>, value: &Json) -> Answer {
        let mut fitting = 0;
        let mut is_unknown = false;
        for (index, alternative) in union.alternatives.iter().enumerate() {
            match self.fits(alternative.view, value) {
                Some(true) => {
                    fitting += 1;
                    assert!(
                        !union.is_certain || shows_alternative(union, index, value),
                        "{value} is alternative {index} of {:?}",
                        union.difference
                    );
                }
                Some(false) => {}
                None => is_unknown = true,
            }
        }
        match union.rule {
            UnionRule::OneOrMore if fitting > 0 => Some(true),
            UnionRule::ExactlyOne if fitting > 1 => Some(false),
            _ if is_unknown => None,
            _ => Some(fitting > 0),
        }
    }
}

/// Returns whether a value shows that it is of this alternative, by the difference between all of them.
fn shows_alternative(union: &Union<'_>, index: usize, value: &Json) -> bool {
    match &union.difference {
        Difference::Kind => union.alternatives[index].kinds.meet(Kinds::of_value(value)),
        Difference::Tag { path, values } => {
            let mut inner = Some(value);
            for name in path {
                inner = inner.and_then(|value| value.get(name));
            }
            !matches!(value, Json::Object(_))
                || inner.is_none_or(|tag| values[index].contains(&tag))
        }
        Difference::Presence(names) => {
            let name = names[index];
            !matches!(value, Json::Object(_)) || name.is_none_or(|name| value.get(name).is_some())
        }
        Difference::Required(_) | Difference::Name | Difference::Nothing => true,
    }
}

fn number_fits(view: &View<'_>, number: &str) -> bool {
    let bounds = view.numbers();
    let number = Decimal::new(number);
    let is_above = bounds.least.is_none_or(|bound| {
        let least = Decimal::new(bound.number);
        number > least || number == least && !bound.is_exclusive
    });
    let is_below = bounds.most.is_none_or(|bound| {
        let most = Decimal::new(bound.number);
        number < most || number == most && !bound.is_exclusive
    });
    let is_step = bounds
        .steps
        .iter()
        .all(|step| number.is_multiple_of(&Decimal::new(step)));
    is_above && is_below && is_step
}

fn is_within(span: Span, count: usize) -> bool {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    span.least.is_none_or(|least| count >= least) && span.most.is_none_or(|most| count <= most)
}
