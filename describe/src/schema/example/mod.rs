//! Makes values that match a schema.
//!
//! A reader needs a single, usual value, with the values that authors gave for parts of it. Trials and
//! tests need one of every form ([`Examples::of_each_form`]).
//!
//! Every value is validated before it is used, in its parts and as a whole. If validity cannot be
//! decided (a reference to another document, a pattern that does not compile), the value counts as
//! invalid: no example is better than one that the service rejects.

mod arrays;
mod every;
mod numbers;
mod objects;
mod strings;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use indexmap::IndexMap;

use super::check::Check;
use super::context::SchemaContext;
use super::form::{Form, counted_forms};
use super::keyword::list;
use super::kinds::Kinds;
use super::valid::Validator;
use crate::json::{Json, Object};

/// The maximum number of ways through the alternatives of a schema that are followed.
const FORMS: usize = 24;
/// The maximum number of values that are made for one example, including those that do not match.
const MOST: usize = 3_000;
/// The maximum number of schemas that are visited for one example.
const MOST_VISITED: usize = 50_000;
/// The maximum number of shared schemas whose examples are remembered.
const MOST_KNOWN: usize = 100;
/// The maximum depth of values.
const DEEPEST: usize = 100;
/// The number of values in an example from which no more optional members are added.
const SHOWN: usize = 60;
/// The depth down to which optional members and elements are shown. Below it, an example would be
/// all detail.
const DEEPEST_OPTIONAL: usize = 2;
/// The maximum number of conditions that are tried.
const CONDITIONS: usize = 12;
/// The kinds of values, the most informative first.
const KINDS: [Kinds; 7] = [
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
/// use docent_describe::schema::Examples;
///
/// let components = indexmap::IndexMap::new();
/// let examples = Examples::new(&components);
/// let schema: Json = r#"{"type": "string", "pattern": "^[a-f0-9]{4}$"}"#.parse()?;
/// assert_eq!(examples.of(&schema), Some("aaaa".into()));
///
/// // Nothing satisfies this schema.
/// let schema: Json = r#"{"type": "integer", "minimum": 3, "maximum": 2}"#.parse()?;
/// assert_eq!(examples.of(&schema), None);
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct Examples<'d> {
    definitions: &'d IndexMap<String, Json>,
    validator: Validator<'d>,
    /// The maximum number of schemas that are visited for one example.
    most_visited: usize,
    /// The examples of shared schemas so far, by the references to them.
    known: RefCell<HashMap<String, Option<Json>>>,
    /// The state of the example that is being made.
    state: RefCell<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of values that may still be made.
    left: usize,
    /// The number of schemas that the validator has counted when the search ends.
    spent: usize,
    /// The shared schemas that enclose the current value.
    open: Vec<String>,
}

/// The values that are looked for.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    /// The number of distinct values.
    count: usize,
    /// The number of values around it.
    depth: usize,
    /// True if a condition (`if`, `dependentSchemas`) has been added to the schema.
    has_condition: bool,
}

impl Wanted {
    /// Looks for one value at a depth.
    fn one(depth: usize) -> Self {
        Self {
            count: 1,
            depth,
            has_condition: false,
        }
    }

    /// Looks for values inside.
    fn inside(self, count: usize) -> Self {
        Self {
            count,
            ..Self::one(self.depth + 1)
        }
    }
}

impl<'d> Examples<'d> {
    /// Creates a generator of examples for schemas whose references lead to `components`.
    pub fn new(components: &'d IndexMap<String, Json>) -> Self {
        let context = SchemaContext {
            components,
            // Values are made to have their formats, so formats are not checked.
            enforced_formats: Some(&[]),
        };
        Self {
            definitions: components,
            validator: Validator::unlimited(context),
            most_visited: MOST_VISITED,
            known: RefCell::default(),
            state: RefCell::default(),
        }
    }

    /// Limits the number of schemas that are visited for one example, for whoever needs many.
    #[must_use]
    pub fn at_most(mut self, schemas: usize) -> Self {
        self.most_visited = schemas.min(MOST_VISITED);
        self
    }

    /// Returns a value that satisfies a schema: one that the schema itself gives, if that is valid,
    /// or one made to match. Returns `None` if none is found.
    pub fn of(&self, schema: &Json) -> Option<Json> {
        let reference = match schema {
            Json::Object(words) if words.len() == 1 => words.get("$ref").and_then(Json::as_str),
            _ => None,
        };
        if let Some(known) = reference.and_then(|it| self.known.borrow().get(it).cloned()) {
            return known;
        }
        self.start(1);
        let example = self.values(schema, Wanted::one(0)).into_iter().next();
        let mut known = self.known.borrow_mut();
        if let Some(reference) = reference.filter(|_| known.len() < MOST_KNOWN) {
            known.insert(reference.to_owned(), example.clone());
        }
        example
    }

    /// Returns a valid value without optional members, if one is found.
    pub(in crate::schema) fn smallest(&self, schema: &Json) -> Option<Json> {
        self.start(1);
        self.small(schema)
    }

    fn small(&self, schema: &Json) -> Option<Json> {
        let values = self.values(schema, Wanted::one(DEEPEST_OPTIONAL));
        values.into_iter().next()
    }

    /// Starts a search with the limits of this many examples.
    fn start(&self, examples: usize) {
        *self.state.borrow_mut() = State {
            left: examples * MOST,
            spent: self.validator.spent() + examples * self.most_visited,
            open: Vec::new(),
        };
    }

    /// Returns distinct values that satisfy a schema, the best first.
    fn values(&self, schema: &Json, wanted: Wanted) -> Vec<Json> {
        if wanted.depth > DEEPEST || !self.takes_step() {
            return Vec::new();
        }
        let mut found = self.found(schema, wanted.count);
        let (mut forms, visited) = counted_forms(schema, self.definitions, FORMS);
        self.validator.spend(visited);
        // Null tells the reader least about a type.
        forms.sort_by_key(|form| form.kinds() == Kinds::NULL);
        for value in forms.iter().flat_map(Form::words).flat_map(given) {
            found.offer(value.clone());
        }
        for form in &forms {
            if found.is_done() {
                break;
            }
            let is_open = |name: &&str| self.state.borrow().open.iter().any(|open| open == name);
            if form.types.iter().any(is_open) {
                continue;
            }
            let before = self.state.borrow().open.len();
            let types = form.types.iter().map(|name| (*name).to_owned());
            self.state.borrow_mut().open.extend(types);
            self.of_form(form, wanted, &mut found);
            self.state.borrow_mut().open.truncate(before);
        }
        if !wanted.has_condition && !found.is_done() {
            self.conditional(schema, &forms, wanted, &mut found);
        }
        found.values
    }

    fn of_form(&self, form: &Form<'_>, wanted: Wanted, found: &mut Found<'_, 'd>) {
        if let Some(listed) = form.listed() {
            found.offer_all(listed.into_iter().take(200).cloned());
            return;
        }
        for kind in kinds(form) {
            if found.is_done() {
                return;
            }
            match kind {
                Kinds::OBJECT => self.objects(form, wanted, found),
                Kinds::ARRAY => self.arrays(form, wanted, found),
                scalar => found.offer_scalars(form, scalar),
            }
        }
    }

    /// Offers values that satisfy a schema together with one of its conditions. A value to which a
    /// condition does not apply satisfies it too, and most are found that way.
    fn conditional(
        &self,
        schema: &Json,
        forms: &[Form<'_>],
        wanted: Wanted,
        found: &mut Found<'_, 'd>,
    ) {
        let mut cases: Vec<Vec<&Json>> = Vec::new();
        for words in forms.iter().flat_map(Form::words) {
            if let Some(condition) = words.get("if") {
                cases.push([condition].into_iter().chain(words.get("then")).collect());
            }
            if let Some(Json::Object(all)) = words.get("dependentSchemas") {
                cases.push(all.values().collect());
            }
        }
        for mut case in cases.into_iter().take(CONDITIONS) {
            case.insert(0, schema);
            let has_condition = true;
            let wanted = Wanted {
                has_condition,
                ..wanted
            };
            found.offer_all(self.values(&both(&case), wanted));
        }
    }

    /// Counts one more value, and returns whether there is time for it.
    fn takes_step(&self) -> bool {
        let mut state = self.state.borrow_mut();
        state.left = state.left.saturating_sub(1);
        drop(state);
        self.has_time()
    }

    fn has_time(&self) -> bool {
        let state = self.state.borrow();
        state.left > 0 && self.validator.spent() < state.spent
    }

    /// Returns whether optional members and elements are shown at this depth.
    fn is_roomy(&self, depth: usize) -> bool {
        depth < DEEPEST_OPTIONAL && self.state.borrow().left > MOST - SHOWN
    }

    fn found(&self, schema: &Json, count: usize) -> Found<'_, 'd> {
        Found {
            examples: self,
            check: self.validator.compile(schema),
            count,
            values: Vec::new(),
        }
    }
}

/// Values that have been found to satisfy a schema.
struct Found<'f, 'd> {
    examples: &'f Examples<'d>,
    check: Check,
    count: usize,
    values: Vec<Json>,
}

impl Found<'_, '_> {
    /// Returns whether there are enough values, or no time to find more.
    fn is_done(&self) -> bool {
        self.values.len() >= self.count || !self.examples.has_time()
    }

    /// Keeps a value if it matches and is wanted.
    fn offer(&mut self, value: Json) {
        if !self.is_done()
            && !self.values.contains(&value)
            && self.examples.validator.holds(&self.check, &value) == Some(true)
        {
            self.values.push(value);
        }
    }

    fn offer_all(&mut self, values: impl IntoIterator<Item = Json>) {
        for value in values {
            self.offer(value);
        }
    }

    /// Offers values of a kind without parts, the most usual first.
    fn offer_scalars(&mut self, form: &Form<'_>, kind: Kinds) {
        match kind {
            Kinds::STRING => strings::offer(form, self),
            Kinds::INTEGER | Kinds::FRACTION => numbers::offer(form, kind, self),
            Kinds::BOOLEAN => self.offer_all([true, false].map(Json::from)),
            _ => self.offer(Json::Null),
        }
    }
}

/// Returns the values that the author gave: the examples and the default.
fn given(words: &Object) -> impl Iterator<Item = &Json> {
    let default = words.get("default").filter(|it| **it != Json::Null);
    let examples = list(words, "examples").iter();
    examples.chain(words.get("example")).chain(default)
}

/// Returns the kinds of values of a form, the most informative first.
fn kinds(form: &Form<'_>) -> Vec<Kinds> {
    if form.is_free() {
        // If everything is allowed, the simplest value shows it best.
        return KINDS.into_iter().rev().collect();
    }
    let meant: Vec<Kinds> = KINDS.into_iter().filter(|kind| form.is(*kind)).collect();
    if !meant.is_empty() {
        return meant;
    }
    let keywords = form.words().flat_map(|words| words.keys());
    let about = Kinds::any(keywords.filter_map(|keyword| Kinds::of_keyword(keyword)));
    let mut kinds = KINDS.to_vec();
    kinds.retain(|kind| form.kinds().meet(*kind));
    kinds.sort_by_key(|kind| (!about.meet(*kind), *kind != Kinds::STRING));
    kinds
}

/// Returns a schema that requires all of these.
fn both<'j>(schemas: &[&'j Json]) -> Cow<'j, Json> {
    match schemas {
        [] => Cow::Owned(Json::Bool(true)),
        [only] => Cow::Borrowed(only),
        all => {
            let all: Vec<Json> = all.iter().map(|schema| (*schema).clone()).collect();
            Cow::Owned(Object::from([("allOf", Json::Array(all))]).into())
        }
    }
}

/// Returns the number that a keyword gives, if it is a count that fits.
fn count(words: &Object, keyword: &str) -> Option<usize> {
    usize::try_from(words.get(keyword)?.as_i64()?).ok()
}

/// Returns the greatest lower limit and the least upper limit of a form.
fn counts(form: &Form<'_>, least: &str, most: &str) -> (usize, usize) {
    let least = form.words().filter_map(|words| count(words, least)).max();
    let most = form.words().filter_map(|words| count(words, most)).min();
    (least.unwrap_or(0), most.unwrap_or(usize::MAX))
}
