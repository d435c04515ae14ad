//! Says whether a value satisfies a schema, as far as that can be decided.
//!
//! This is JSON Schema 2020-12 with three answers. What is enforced while a service runs is decided
//! elsewhere, faster, and with reasons; this is for tools that have a value and any schema.

mod breach;
mod evaluated;
mod scalars;
mod structures;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

pub(in crate::schema) use structures::list;

use super::context::SchemaContext;
use super::keyword::resolve;
use super::kinds::Kinds;
use crate::json::{Json, Object};
use crate::pattern::Pattern;

/// How many schemas and references are followed inside each other.
const DEEPEST: usize = 200;
/// How many schemas one question may take.
const MOST: usize = 200_000;
/// How many schemas all questions may take; what is asked after that is not decided.
const MOST_EVER: usize = 10_000_000;

/// Decides whether values satisfy schemas.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::{SchemaContext, Validator};
///
/// let components = indexmap::IndexMap::new();
/// let context = SchemaContext { components: &components, enforced_formats: Some(&[]) };
/// let validator = Validator::new(context);
/// let schema: Json = r#"{"type": "integer", "maximum": 3}"#.parse()?;
/// assert_eq!(validator.is_valid(&schema, &3.into()), Some(true));
/// assert_eq!(validator.is_valid(&schema, &4.into()), Some(false));
///
/// // What is outside the document is unknown.
/// let schema: Json = r#"{"$ref": "https://example.com/schema"}"#.parse()?;
/// assert_eq!(validator.is_valid(&schema, &3.into()), None);
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct Validator<'j> {
    context: SchemaContext<'j>,
    /// The patterns so far; `None` for one that does not compile.
    patterns: RefCell<HashMap<String, Option<Pattern>>>,
    left: Cell<usize>,
    /// The answers to the present question, by the addresses of a reference's target and of the value. They keep
    /// alternatives that refer to each other from multiplying the work.
    known: RefCell<HashMap<(usize, usize), Option<bool>>>,
    /// Whether values are made for the question, and have no address of their own.
    is_name: Cell<bool>,
    /// How many schemas all questions have taken.
    spent: Cell<usize>,
    is_over_budget: Cell<bool>,
}

impl<'j> Validator<'j> {
    /// Creates a validator for the schemas of a description.
    pub fn new(context: SchemaContext<'j>) -> Self {
        Self {
            context,
            patterns: RefCell::default(),
            left: Cell::new(0),
            known: RefCell::default(),
            is_name: Cell::new(false),
            spent: Cell::new(0),
            is_over_budget: Cell::new(false),
        }
    }

    /// Returns whether a value satisfies a schema; `None` if that cannot be decided, such as if the
    /// schema refers to another document or uses an unknown format.
    pub fn is_valid(&self, schema: &Json, value: &Json) -> Option<bool> {
        let left = MOST.min(MOST_EVER.saturating_sub(self.spent.get()));
        self.left.set(left);
        self.known.borrow_mut().clear();
        let valid = self.schema(schema, value, 0);
        self.spent.set(self.spent.get() + left - self.left.get());
        valid
    }

    /// Returns whether questions were left open because they were too large.
    pub fn is_over_budget(&self) -> bool {
        self.is_over_budget.get()
    }

    /// Returns how many schemas all questions so far have taken.
    pub(in crate::schema) fn spent(&self) -> usize {
        self.spent.get()
    }

    fn schema(&self, schema: &Json, value: &Json, depth: usize) -> Option<bool> {
        let words = match schema {
            Json::Object(words) => words,
            Json::Bool(any) => return Some(*any),
            _ => return Some(true),
        };
        let Some(left) = self.left.get().checked_sub(1) else {
            self.is_over_budget.set(true);
            return None;
        };
        self.left.set(left);
        if depth > DEEPEST {
            return None;
        }
        all(words
            .iter()
            .map(|(keyword, asked)| self.keyword(words, keyword, asked, value, depth + 1)))
    }

    fn keyword(
        &self,
        words: &Object,
        keyword: &str,
        asked: &Json,
        value: &Json,
        depth: usize,
    ) -> Option<bool> {
        let inner = |schema: &Json| self.schema(schema, value, depth);
        match (keyword, asked) {
            ("$ref", Json::String(reference)) => self.referenced_schema(reference, value, depth),
            ("type", _) => Some(Kinds::of(value).within(Kinds::of_type(words)?)),
            ("enum", Json::Array(values)) => Some(values.contains(value)),
            ("const", only) => Some(only == value),
            ("allOf", Json::Array(schemas)) => all(schemas.iter().map(inner)),
            ("anyOf", Json::Array(schemas)) => any(schemas.iter().map(inner)),
            ("oneOf", Json::Array(schemas)) => one(schemas.iter().map(inner)),
            ("not", schema) => Some(!inner(schema)?),
            ("if", condition) => {
                let branch = if inner(condition)? { "then" } else { "else" };
                words.get(branch).map_or(Some(true), inner)
            }
            ("$dynamicRef" | "$recursiveRef", _) | ("items", Json::Array(_)) => None,
            _ => match value {
                Json::Number(number) => Some(scalars::number(keyword, asked, number)),
                Json::String(text) => self.string(keyword, asked, text),
                Json::Array(elements) => self.array(words, keyword, asked, elements, depth),
                Json::Object(members) => {
                    self.object(words, keyword, asked, (value, members), depth)
                }
                _ => Some(true),
            },
        }
    }

    fn referenced_schema(&self, reference: &str, value: &Json, depth: usize) -> Option<bool> {
        let schema = resolve(reference, self.context.components)?;
        if self.is_name.get() {
            return self.schema(schema, value, depth);
        }
        let question = (
            std::ptr::from_ref(schema).addr(),
            std::ptr::from_ref(value).addr(),
        );
        if let Some(known) = self.known.borrow().get(&question) {
            return *known;
        }
        let answer = self.schema(schema, value, depth);
        self.known.borrow_mut().insert(question, answer);
        answer
    }

    /// Returns whether a pattern matches somewhere in a text.
    pub(in crate::schema) fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        let mut patterns = self.patterns.borrow_mut();
        if !patterns.contains_key(pattern) {
            patterns.insert(pattern.to_owned(), Pattern::new(pattern).ok());
        }
        Some(patterns.get(pattern)?.as_ref()?.is_match(text))
    }
}

/// Whether all are true: false as soon as one is false.
fn all(each: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for one in each {
        match one {
            Some(true) => {}
            Some(false) => return one,
            None => all = None,
        }
    }
    all
}

/// Whether any is true: true as soon as one is true.
fn any(each: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut any = Some(false);
    for one in each {
        match one {
            Some(true) => return one,
            Some(false) => {}
            None => any = None,
        }
    }
    any
}

/// Whether exactly one is true.
fn one(each: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let (mut taken, mut unknown) = (0, 0);
    for one in each {
        match one {
            Some(true) => taken += 1,
            Some(false) => {}
            None => unknown += 1,
        }
    }
    match (taken, unknown) {
        (2.., _) => Some(false),
        (_, 0) => Some(taken == 1),
        _ => None,
    }
}
