//! Draws conclusions about a value from a view alone.
//!
//! The answer is unknown where a view says a condition, which it shows as written.

use std::cell::Cell;

use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::{Difference, Kinds, Node, SchemaViews, Span, Union, UnionRule, View};

/// The most views that are read for one value.
const MAX_STEPS: usize = 3_000;

/// The most views that are read inside each other.
const MAX_DEPTH: usize = 30;

/// True, false, or unknown.
type Answer = Option<bool>;

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

pub(super) struct Reader<'t> {
    views: &'t SchemaViews<'t>,
    steps_left: Cell<usize>,
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
        let is_listed = view.listed.as_ref().map(|listed| {
            let mut listed = listed.iter();
            listed.any(|listed| *listed.value == *value)
        });
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
        let is_whole = view.is_complete() && view.conditions().is_empty();
        let whole = is_whole.then_some(true);
        all(unions.chain([Some(is_listed.unwrap_or(true)), by_kind, whole]))
    }

    fn text_fits(&self, view: &'t View<'t>, text: &str) -> Answer {
        let patterns = view.patterns().into_iter();
        let patterns = patterns.map(|pattern| self.views.tree.matches(pattern, text));
        let length = Some(is_within(view.length(), text.chars().count()));
        all(patterns.chain([length]))
    }

    fn array_fits(&self, view: &'t View<'t>, array: &[Json]) -> Answer {
        let elements = view.elements();
        let each = array.iter().enumerate().map(|(place, element)| {
            let nodes = elements.prefix.get(place).unwrap_or(&elements.rest);
            self.all_fit(nodes, element)
        });
        let is_repeated =
            |element: &Json| array.iter().filter(|other| *other == element).count() > 1;
        let is_unique = !elements.are_unique || !array.iter().any(is_repeated);
        let length = is_within(elements.length, array.len());
        all(each.chain([Some(is_unique), Some(length)]))
    }

    fn object_fits(&self, view: &'t View<'t>, object: &Object) -> Answer {
        let members = view.properties();
        let others = view.other_properties();
        let conditional = view.conditional_names();
        let mut answers = Vec::new();
        for (name, member) in &members {
            answers.push(match object.get(name) {
                None => Some(!member.is_required),
                Some(_) if member.is_refused => Some(false),
                Some(value) => self.all_fit(&member.nodes(), value),
            });
        }
        let unnamed = object
            .iter()
            .filter(|(name, _)| !members.contains_key(name.as_str()));
        for (name, value) in unnamed {
            let patterns = others.patterns.iter();
            let matching = patterns.map(|(pattern, node)| {
                Some(
                    self.views
                        .tree
                        .matches(pattern, name.as_str())?
                        .then_some(*node),
                )
            });
            let matching = matching.collect::<Option<Vec<_>>>()?;
            let matching: Vec<_> = matching.into_iter().flatten().collect();
            if matching.is_empty() {
                // Alternatives and conditions speak for themselves.
                let speaks_alone = view.unions.is_empty() && !conditional.contains(name.as_str());
                let refused = others.are_refused.then_some(speaks_alone);
                answers.push(match refused {
                    Some(is_certain) => is_certain.then_some(false),
                    None => self.all_fit(&others.nodes, value),
                });
            } else {
                answers.push(self.all_fit(&matching, value));
                // Another node's `additionalProperties` may speak of it too.
                answers.push(others.nodes.is_empty().then_some(true));
            }
            answers.push((!others.is_conditional).then_some(true));
            let names = others.names.iter();
            answers.extend(names.map(|names| self.all_fit(&[names], &Json::from(name.as_str()))));
        }
        answers.push(Some(is_within(view.property_count(), object.len())));
        all(answers)
    }

    fn all_fit(&self, nodes: &[&'t Node<'t>], value: &Json) -> Answer {
        match nodes {
            [] => Some(true),
            _ => self.fits(self.views.view(nodes), value),
        }
    }

    fn union_fits(&self, union: &Union<'t>, value: &Json) -> Answer {
        let mut fitting = 0;
        let mut is_unknown = false;
        for (place, alternative) in union.alternatives.iter().enumerate() {
            match self.fits(alternative.view, value) {
                Some(true) => {
                    fitting += 1;
                    assert!(
                        !union.is_certain || is_told(union, place, value),
                        "{value} is alternative {place} of {:?}",
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

/// Returns whether a value of an alternative has what tells that apart.
fn is_told(union: &Union<'_>, place: usize, value: &Json) -> bool {
    match &union.difference {
        Difference::Kind => union.alternatives[place].kinds.meet(Kinds::of_value(value)),
        Difference::Tag { path, values } => {
            let mut inner = Some(value);
            for name in path {
                inner = inner.and_then(|value| value.get(name));
            }
            !matches!(value, Json::Object(_))
                || inner.is_none_or(|tag| values[place].contains(&tag))
        }
        Difference::Presence(names) => {
            let name = names[place];
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
    let mut steps = bounds.steps.iter();
    let is_step = steps.all(|step| number.is_multiple_of(&Decimal::new(step)));
    is_above && is_below && is_step
}

fn is_within(span: Span, count: usize) -> bool {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    span.least.is_none_or(|least| count >= least) && span.most.is_none_or(|most| count <= most)
}
