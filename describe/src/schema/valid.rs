//! Decides whether values satisfy schemas, as far as that can be decided.
//!
//! Tools use this for any schema and value. It compiles the same checks as a service, and the outcome
//! is unknown where a service would refuse the schema.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::check::{Check, Compiler, Violation};
use super::context::SchemaContext;
use super::limits::{MAX_COMPILED, MAX_STEPS_OF_QUESTION, MAX_STEPS_OF_VALIDATOR};
use super::tree::SchemaTree;
use crate::json::{Cursor, Json};

/// Decides whether values satisfy schemas.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::{SchemaContext, Validator};
///
/// let components = indexmap::IndexMap::new();
/// let context = SchemaContext::new(&components, Some(&[]));
/// let validator = Validator::new(context);
/// let schema: Json = r#"{"type": "integer", "maximum": 3}"#.parse()?;
/// assert_eq!(validator.is_valid(&schema, &3.into()), Some(true));
/// assert_eq!(validator.is_valid(&schema, &4.into()), Some(false));
///
/// // Schemas outside the document are unknown.
/// let schema: Json = r#"{"$ref": "https://example.com/schema"}"#.parse()?;
/// assert_eq!(validator.is_valid(&schema, &3.into()), None);
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct Validator<'j> {
    /// The compiler, which remembers the components that it has compiled.
    compiler: RefCell<Compiler<'j>>,
    /// The checks so far, by the addresses of the schemas.
    checks: RefCell<HashMap<*const Json, Check>>,
    /// The number of schemas that all questions have taken.
    spent: Cell<usize>,
    /// The maximum number of schemas that all questions may take.
    max_spent: usize,
    /// True once a question was left open because it, or all of them, took too many schemas.
    is_over_budget: Cell<bool>,
}

impl<'j> Validator<'j> {
    /// Creates a validator for the schemas of a description.
    pub fn new(context: impl Into<SchemaContext<'j>>) -> Self {
        Self::for_tree(Rc::new(SchemaTree::new(context)))
    }

    /// Creates a validator for the schemas of a tree.
    pub(super) fn for_tree(tree: Rc<SchemaTree<'j>>) -> Self {
        let formats = tree.context().enforced_formats;
        let compiler = Compiler::for_tree(tree)
            .for_tools(formats)
            .at_most(MAX_COMPILED);
        Self::limited(compiler, MAX_STEPS_OF_VALIDATOR)
    }

    /// Creates a validator without limits on all questions together, which checks no formats.
    pub(super) fn of_examples(tree: Rc<SchemaTree<'j>>) -> Self {
        Self::limited(Compiler::for_tree(tree).for_tools(Some(&[])), usize::MAX)
    }

    /// Creates a validator whose questions may take so many schemas together.
    fn limited(compiler: Compiler<'j>, max_spent: usize) -> Self {
        Self {
            compiler: RefCell::new(compiler),
            checks: RefCell::default(),
            spent: Cell::new(0),
            max_spent,
            is_over_budget: Cell::new(false),
        }
    }

    /// Returns whether a value satisfies a schema. `None` if that cannot be decided, such as for a schema that
    /// refers to another document or uses an unknown format.
    pub fn is_valid(&self, schema: &'j Json, value: &Json) -> Option<bool> {
        self.holds(&self.check(schema), value)
    }

    /// Compiles a schema, to check several values.
    pub(crate) fn compile(&self, schema: &Json) -> Check {
        self.compiler.borrow_mut().compile_leniently(schema)
    }

    /// Returns whether a value satisfies a compiled schema; `None` if that cannot be decided.
    pub(crate) fn holds(&self, check: &Check, value: &Json) -> Option<bool> {
        let left_for_all = self.max_spent.saturating_sub(self.spent.get());
        let budget = MAX_STEPS_OF_QUESTION.min(left_for_all);
        let mut steps_left = budget;
        let text = value.to_string();
        let holds = check.decide(Cursor::new(&text), &mut steps_left);
        self.spend(budget - steps_left);
        if steps_left == 0 || !self.compiler.borrow().has_room() {
            self.is_over_budget.set(true);
        }
        holds
    }

    /// Returns the violations of a schema by a value, at most `most`. There are none if the value
    /// satisfies the schema, or if that cannot be decided.
    pub fn violations(&self, schema: &'j Json, value: &Json, most: usize) -> Vec<Violation> {
        if self.is_valid(schema, value) != Some(false) {
            return Vec::new();
        }
        let text = value.to_string();
        self.check(schema).violations(Cursor::new(&text), most)
    }

    /// Returns the check of a schema, which is compiled when it is first needed.
    fn check(&self, schema: &'j Json) -> Check {
        self.checks
            .borrow_mut()
            .entry(schema)
            .or_insert_with(|| self.compile(schema))
            .clone()
    }

    /// Returns whether any question was left open because it was too large.
    pub fn is_over_budget(&self) -> bool {
        self.is_over_budget.get()
    }

    /// Counts schemas that something else has taken.
    pub(in crate::schema) fn spend(&self, schemas: usize) {
        self.spent.set(self.spent.get() + schemas);
    }

    /// Returns how many schemas all questions so far have taken.
    pub fn spent(&self) -> usize {
        self.spent.get()
    }
}
