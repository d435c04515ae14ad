//! Makes values that match a schema.
//!
//! In goes the [view](super::view) of a value, out comes an example, or `None` if none is found:
//!
//! ```text
//! {"type": "string", "pattern": "^[a-f0-9]{4}$"}                      "aaaa"
//! {"properties": {"email": {"type": "string"}}, "required": ["email"]}   {"email": "somebody@example.com"}
//! {"type": "integer", "minimum": 3, "maximum": 2}                     none
//! ```
//!
//! A reader needs a single, usual value ([`Examples::value_for`]), with the values that authors gave for parts of it.
//! Trials and tests need one of every form ([`Examples::of_each_form`], in [`every`]).
//!
//! Nothing is solved here, because the constraints of JSON Schema are too many for that. Instead, [`strings`],
//! [`numbers`], [`arrays`] and [`objects`] offer many values of which one mostly matches ([`FoundValues::offer`]), and
//! [`Validator`] checks each of them, in its parts and as a whole. If validity cannot be decided (a reference to another
//! document, a pattern that does not compile), the value counts as invalid: no example is better than one that the
//! service rejects. Limits count steps, so an example is the same on every machine.

mod arrays;
pub(super) mod every;
mod named;
mod numbers;
mod objects;
mod strings;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexMap;

use super::context::SchemaContext;
use super::kinds::Kinds;
use super::tree::{Annotations, Node, SchemaTree};
use super::type_schemas::Side;
use super::valid::Validator;
use super::view::{Condition, SchemaViews, View};
use crate::json::Json;
use crate::schema::limits::{
    MAX_CONDITIONS, MAX_DEPTH_OF_EXAMPLE, MAX_DEPTH_OF_OPTIONAL, MAX_EXAMPLE_CASES,
    MAX_KNOWN_EXAMPLES, MAX_LISTED_VALUES, MAX_SHOWN_VALUES, MAX_VALUES_OF_EXAMPLE,
    MAX_VISITED_FOR_EXAMPLE, VALUES_PER_SCHEMA,
};

/// The kinds of values, the most informative first.
const KINDS_BY_INFORMATION: [Kinds; 7] = [
    Kinds::OBJECT,
    Kinds::ARRAY,
    Kinds::STRING,
    Kinds::INTEGER,
    Kinds::FRACTION,
    Kinds::BOOLEAN,
    Kinds::NULL,
];

/// Makes examples for schemas that share components.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::{Examples, SchemaContext, SchemaViews};
///
/// let components = indexmap::IndexMap::new();
/// let context = SchemaContext::new(&components, Some(&[]));
/// let text: Json = r#"{"type": "string", "pattern": "^[a-f0-9]{4}$"}"#.parse()?;
/// let nothing: Json = r#"{"type": "integer", "minimum": 3, "maximum": 2}"#.parse()?;
///
/// let views = SchemaViews::new(context);
/// let examples = Examples::new(&components);
/// assert_eq!(examples.value_for(views.view_of_schema(&text), None), Some("aaaa".into()));
/// assert_eq!(examples.value_for(views.view_of_schema(&nothing), None), None);
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct Examples<'t> {
    /// Decides whether the values that are made match.
    validator: Validator<'t>,
    /// The maximum number of schemas that are visited for one example.
    max_visited: usize,
    /// True if every value of an example is one that an author wrote.
    only_written: bool,
    /// The examples of shared schemas so far.
    cached: RefCell<HashMap<SharedExample<'t>, Option<Json>>>,
    /// The state of the example that is being made.
    state: RefCell<SearchState<'t>>,
}

/// The subject of an example that is cached.
#[derive(Debug, PartialEq, Eq, Hash)]
struct SharedExample<'t> {
    /// The reference to the shared schema.
    reference: &'t str,
    side: Option<Side>,
    /// The text that the name of the parameter suggests.
    text: Option<&'static str>,
}

/// The steps that are left of a search, and the shared schemas around the current value.
#[derive(Debug, Default)]
struct SearchState<'t> {
    /// The number of values that may still be made.
    values_left: usize,
    /// The number of schemas that the validator has counted when the search ends.
    max_spent: usize,
    /// The shared schemas that enclose the current value.
    enclosing: Vec<&'t str>,
}

/// The values that are looked for.
#[derive(Clone, Copy)]
struct WantedValues {
    /// The number of distinct values.
    count: usize,
    /// The kinds that they may have.
    kinds: Kinds,
    /// The number of values around it.
    depth: usize,
    /// True if a condition (`if`, `dependentSchemas`) has been added to the schema.
    has_condition: bool,
    /// The direction whose properties are included, or `None` for those of both.
    side: Option<Side>,
    /// The text that the name of the property suggests.
    text: Option<&'static str>,
}

impl WantedValues {
    /// Wants one value at a depth.
    fn one(depth: usize) -> Self {
        Self {
            count: 1,
            kinds: Kinds::ALL,
            depth,
            has_condition: false,
            side: None,
            text: None,
        }
    }

    /// Wants values inside of those that are wanted.
    fn parts(self, count: usize) -> Self {
        Self {
            count,
            side: self.side,
            text: self.text,
            ..Self::one(self.depth + 1)
        }
    }

    /// Wants the value of a property or parameter of this name.
    fn named(self, name: &str) -> Self {
        Self {
            text: named::text_for_name(name),
            ..self
        }
    }
}

impl<'t> Examples<'t> {
    /// Creates a generator of examples for schemas whose references lead to `components`.
    pub fn new(components: &'t IndexMap<String, Json>) -> Self {
        let context = SchemaContext::new(components, Some(&[]));
        Self::of_tree(Rc::new(SchemaTree::new(context)))
    }

    /// Creates a generator of examples for these schemas, which are not read again.
    pub fn of_views(views: &SchemaViews<'t>) -> Self {
        Self::of_tree(Rc::clone(&views.tree))
    }

    /// Creates a generator of examples for the schemas of a tree.
    fn of_tree(tree: Rc<SchemaTree<'t>>) -> Self {
        Self {
            // Values are made to have their formats, so formats are not checked.
            validator: Validator::of_examples(tree),
            max_visited: MAX_VISITED_FOR_EXAMPLE,
            only_written: false,
            cached: RefCell::default(),
            state: RefCell::default(),
        }
    }

    /// Limits the number of schemas that are visited for one example, for callers that need many.
    #[must_use]
    pub fn at_most(mut self, schemas: usize) -> Self {
        self.max_visited = schemas.min(MAX_VISITED_FOR_EXAMPLE);
        self
    }

    /// Makes no values up: examples consist of the author's own (examples, defaults, and the values of an
    /// enum), and of null.
    #[must_use]
    pub fn only_written(mut self) -> Self {
        self.only_written = true;
        self
    }

    /// Returns an example that satisfies all schemas of a value, or `None` if none is found.
    ///
    /// The author's examples and defaults are used first, then usual values: listed ones, texts that match the
    /// pattern, the shortest arrays. With a side, the example has no optional members of the other side.
    pub fn value_for(&self, view: &'t View<'t>, side: Option<Side>) -> Option<Json> {
        self.value_named("", view, side)
    }

    /// Returns an example for a parameter of this name, as [`value_for`](Self::value_for) does. Where the
    /// schemas allow it, texts fit the names of parameters and properties, such as an address for `email`.
    pub fn value_named(&self, name: &str, view: &'t View<'t>, side: Option<Side>) -> Option<Json> {
        let wanted = WantedValues {
            side,
            ..WantedValues::one(0).named(name)
        };
        let reference = match view.roots[..] {
            [only] => only.plain_reference(),
            _ => None,
        };
        let Some(reference) = reference else {
            return self.first_value(view, wanted);
        };
        let key = SharedExample {
            reference,
            side: wanted.side,
            text: wanted.text,
        };
        if let Some(cached) = self.cached.borrow().get(&key) {
            return cached.clone();
        }
        let example = self.first_value(view, wanted);
        let mut cached = self.cached.borrow_mut();
        if cached.len() < MAX_KNOWN_EXAMPLES {
            cached.insert(key, example.clone());
        }
        example
    }

    /// Begins a search, and returns the first value that it finds.
    fn first_value(&self, view: &'t View<'t>, wanted: WantedValues) -> Option<Json> {
        self.start(1);
        self.values(view, wanted).into_iter().next()
    }

    /// Returns the number of schemas that have been visited for all examples so far.
    pub fn visited(&self) -> usize {
        self.validator.spent()
    }

    /// Returns an example of one of these kinds.
    pub fn of_kind(&self, view: &'t View<'t>, kinds: Kinds) -> Option<Json> {
        let wanted = WantedValues {
            kinds,
            ..WantedValues::one(0)
        };
        self.first_value(view, wanted)
    }

    /// Returns an example without optional members.
    pub(in crate::schema) fn smallest(&self, view: &'t View<'t>) -> Option<Json> {
        self.start(1);
        self.small(view)
    }

    /// Returns a value without optional members, as a part of the search that has begun.
    fn small(&self, view: &'t View<'t>) -> Option<Json> {
        self.values(view, WantedValues::one(MAX_DEPTH_OF_OPTIONAL))
            .into_iter()
            .next()
    }

    /// Begins the search for so many examples.
    fn start(&self, examples: usize) {
        *self.state.borrow_mut() = SearchState {
            values_left: examples * MAX_VALUES_OF_EXAMPLE,
            max_spent: self.validator.spent() + examples * self.max_visited,
            enclosing: Vec::new(),
        };
    }

    /// Returns values that satisfy all schemas of a value.
    fn values(&self, view: &'t View<'t>, wanted: WantedValues) -> Vec<Json> {
        if wanted.depth > MAX_DEPTH_OF_EXAMPLE || !self.takes_step() {
            return Vec::new();
        }
        let mut found = FoundValues::new(self, view, wanted);
        let cases = self.cases(view, MAX_EXAMPLE_CASES);
        for annotations in cases.iter().flat_map(|case| case.annotations()) {
            found.offer_all(values_of_author(annotations).cloned());
        }
        for case in &cases {
            if !found.is_done() && !case.types().any(|name| self.is_inside(name)) {
                let before = self.state.borrow().enclosing.len();
                self.state.borrow_mut().enclosing.extend(case.types());
                self.offer_case(case, &mut found);
                self.state.borrow_mut().enclosing.truncate(before);
            }
        }
        // Null shows the reader least of a type.
        found.offer(Json::Null);
        if !wanted.has_condition && !found.is_done() {
            self.offer_conditional(view, &cases, &mut found);
        }
        found.values
    }

    /// Returns the first combinations of a value's alternatives, and counts them.
    fn cases(&self, view: &'t View<'t>, most: usize) -> Vec<&'t View<'t>> {
        let cases = view.first_cases(most).views;
        let layers_of_cases: usize = cases.iter().map(|case| case.layers.len()).sum();
        self.validator.spend(view.layers.len() + layers_of_cases);
        cases
    }

    /// Returns whether the current value is inside one of a shared schema.
    fn is_inside(&self, name: &str) -> bool {
        self.state.borrow().enclosing.contains(&name)
    }

    /// Offers values of one combination of alternatives.
    fn offer_case(&self, case: &'t View<'t>, found: &mut FoundValues<'_, 't>) {
        if let Some(listed) = &case.listed {
            for listed in listed.iter().take(MAX_LISTED_VALUES) {
                found.offer(listed.value.clone());
            }
            return;
        }
        for kind in kinds_of_case(case) {
            if found.is_done() {
                return;
            }
            match kind {
                Kinds::OBJECT => self.objects(case, found),
                Kinds::ARRAY => self.arrays(case, found),
                _ if self.only_written => {}
                scalar => found.offer_scalars(case, scalar),
            }
        }
    }

    /// Offers values that satisfy one of the conditions. A value to which a condition does not
    /// apply satisfies it too, and most are found that way.
    fn offer_conditional(
        &self,
        view: &'t View<'t>,
        cases: &[&'t View<'t>],
        found: &mut FoundValues<'_, 't>,
    ) {
        let wanted = WantedValues {
            has_condition: true,
            ..found.wanted
        };
        for nodes in cases
            .iter()
            .flat_map(|case| case.conditions())
            .filter_map(nodes_if_condition_applies)
            .take(MAX_CONDITIONS)
        {
            found.offer_all(self.values(view.with(&nodes), wanted));
        }
    }

    /// Counts one more value, and returns whether there is time for it.
    fn takes_step(&self) -> bool {
        let mut state = self.state.borrow_mut();
        state.values_left = state.values_left.saturating_sub(1);
        drop(state);
        self.has_time()
    }

    /// Returns whether the search has steps left.
    fn has_time(&self) -> bool {
        self.has_time_for(0)
    }

    /// Returns whether the search has steps left after visiting so many schemas.
    fn has_time_for(&self, schemas: usize) -> bool {
        let state = self.state.borrow();
        state.values_left > 0 && self.validator.spent() + schemas < state.max_spent
    }

    /// Returns whether an example has optional members and elements at this depth.
    fn includes_optional(&self, depth: usize) -> bool {
        depth < MAX_DEPTH_OF_OPTIONAL
            && self.state.borrow().values_left > MAX_VALUES_OF_EXAMPLE - MAX_SHOWN_VALUES
    }
}

/// Values that have been found to satisfy the schemas of a value.
struct FoundValues<'f, 't> {
    /// The search that the values belong to.
    examples: &'f Examples<'t>,
    view: &'t View<'t>,
    wanted: WantedValues,
    /// The distinct values so far, the most usual first.
    values: Vec<Json>,
}

impl<'f, 't> FoundValues<'f, 't> {
    /// Begins without a value.
    fn new(examples: &'f Examples<'t>, view: &'t View<'t>, wanted: WantedValues) -> Self {
        Self {
            examples,
            view,
            wanted,
            values: Vec::new(),
        }
    }

    /// Returns whether there are enough values, or no time to find more.
    fn is_done(&self) -> bool {
        self.values.len() >= self.wanted.count || !self.examples.has_time()
    }

    /// Adds a value if it matches and is wanted.
    fn offer(&mut self, value: Json) {
        let is_wanted = self.wanted.kinds.meet(Kinds::of_value(&value)) && !self.is_done();
        if is_wanted && !self.values.contains(&value) && self.takes(&value) {
            self.values.push(value);
        }
    }

    /// Returns whether a value certainly satisfies all schemas, if there is time to find out: each layer beside the
    /// first looks at all members again.
    fn takes(&self, value: &Json) -> bool {
        let others = self.view.layers.len().saturating_sub(1);
        let schemas = others * value.value_count() / VALUES_PER_SCHEMA;
        if !self.examples.has_time_for(schemas) {
            return false;
        }
        self.examples.validator.spend(schemas);
        self.view
            .roots
            .iter()
            .all(|node| self.examples.validator.is_valid(node.source, value) == Some(true))
    }

    /// Offers several values, the most usual first.
    fn offer_all(&mut self, values: impl IntoIterator<Item = Json>) {
        for value in values {
            self.offer(value);
        }
    }

    /// Offers values of a kind without parts, the most usual first.
    fn offer_scalars(&mut self, case: &View<'t>, kind: Kinds) {
        match kind {
            Kinds::STRING => strings::offer(case, self),
            Kinds::INTEGER | Kinds::FRACTION => numbers::offer(case, kind, self),
            Kinds::BOOLEAN => self.offer_all([true, false].map(Json::from)),
            _ => self.offer(Json::Null),
        }
    }
}

/// Returns the nodes that a value matches to which a condition applies.
fn nodes_if_condition_applies(condition: Condition<'_>) -> Option<Vec<&Node<'_>>> {
    match condition {
        Condition::If(condition) => {
            let mut nodes = vec![&condition.holds];
            nodes.extend(&condition.then);
            Some(nodes)
        }
        Condition::With(_, node) => Some(vec![node]),
        _ => None,
    }
}

/// Returns the values that the author gave: the examples and the default.
fn values_of_author<'t>(annotations: &Annotations<'t>) -> impl Iterator<Item = &'t Json> {
    let default = annotations.default.filter(|value| **value != Json::Null);
    annotations.examples.iter().chain(default)
}

/// Returns the kinds of values without alternatives, the most informative first.
fn kinds_of_case(case: &View<'_>) -> Vec<Kinds> {
    if case.accepts_all() {
        // If everything is allowed, the simplest value shows it best.
        return KINDS_BY_INFORMATION.into_iter().rev().collect();
    }
    let mut kinds = KINDS_BY_INFORMATION.to_vec();
    kinds.retain(|kind| case.kinds.meet(*kind));
    if case.kinds != Kinds::ALL.without(Kinds::NULL) {
        return kinds;
    }
    // No type is named, but the other keywords may show which one is meant.
    let constrained = Kinds::any(case.nodes().map(Node::constrained_kinds)) & case.kinds;
    if constrained == Kinds::NONE {
        kinds.sort_by_key(|kind| *kind != Kinds::STRING);
    } else {
        kinds.retain(|kind| constrained.meet(*kind));
    }
    kinds
}
