//! The questions of inclusion: their answers so far, and the limits on how long they are asked.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use indexmap::IndexSet;

use super::case::{Case, Operand, Term, followed};
use docent_describe::json::Json;
use docent_describe::schema::{Examples, SchemaContext, Validator};

/// The maximum number of steps for one question.
const MOST: usize = 4_000;
/// The maximum number of steps for all questions.
pub(super) const MOST_EVER: usize = 4_000_000;
/// The maximum number of schemas that are visited for one example.
const MOST_VISITED: usize = 5_000;
/// The maximum depth of schemas inside each other that are compared.
const DEEPEST: usize = 100;
/// The maximum number of values, with those inside them, that all known counterexamples have together. Each contains
/// those of its parts.
const MAX_COUNTEREXAMPLES_SIZE: usize = 1_000_000;

/// The answer to the question whether a schema includes another.
#[derive(Debug, Clone, PartialEq)]
pub enum Inclusion {
    /// Every value of the narrower schema is a value of the wider one.
    Yes,
    /// This value of the narrower schema is not a value of the wider one.
    No(Json),
    /// It cannot be decided.
    Unknown,
}

/// Finds out whether schemas of one description include schemas of another, and remembers the
/// answers.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::SchemaContext;
/// use docent_tools::inclusion::{Includes, Inclusion};
///
/// let components = indexmap::IndexMap::new();
/// let context = SchemaContext { components: &components, enforced_formats: Some(&[]) };
/// let narrow: Json = r#"{"type": "integer", "minimum": 1}"#.parse()?;
/// let wide: Json = r#"{"type": ["number", "null"]}"#.parse()?;
///
/// let mut includes = Includes::new(context, context);
/// assert_eq!(includes.ask(&narrow, &wide), Inclusion::Yes);
/// assert_eq!(includes.ask(&wide, &narrow), Inclusion::No(Json::Null));
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct Includes<'j> {
    pub(super) narrow: SchemaContext<'j>,
    pub(super) wide: SchemaContext<'j>,
    pub(super) narrow_validator: Validator<'j>,
    pub(super) wide_validator: Validator<'j>,
    pub(super) examples: Examples<'j>,
    /// The answers that are not yes, by the addresses of the schemas.
    pub(super) refuted: HashMap<(usize, usize), Inclusion>,
    /// The cases of each schema.
    pub(super) cases: HashMap<(Operand, usize), Rc<[Case<'j>]>>,
    /// The questions to which the answer is yes, and those under way: a question that leads back to
    /// itself is answered by the others. If the answer to one cannot be told, it is removed, with all
    /// that were answered since.
    pub(super) proved: IndexSet<Key>,
    /// The questions to which the answer cannot be told.
    pub(super) open: HashSet<Key>,
    /// The pairs of schemas that say the same, with those under way, as in `proved`.
    pub(super) same: IndexSet<(usize, usize)>,
    /// The pairs of schemas that differ.
    pub(super) different: HashSet<(usize, usize)>,
    pub(super) depth: usize,
    pub(super) steps: usize,
    pub(super) all_steps: usize,
    /// The number of values that further counterexamples may have.
    room: usize,
}

/// The addresses of the schemas of the narrower side, all of which apply, and of the wider schema.
pub(super) type Key = (Vec<usize>, usize);

impl<'j> Includes<'j> {
    /// Begins with the contexts of the narrower schemas and of the wider ones.
    pub fn new(narrow: SchemaContext<'j>, wide: SchemaContext<'j>) -> Self {
        Self {
            narrow,
            wide,
            narrow_validator: Validator::new(narrow),
            wide_validator: Validator::new(wide),
            examples: Examples::new(narrow.components).at_most(MOST_VISITED),
            refuted: HashMap::new(),
            cases: HashMap::new(),
            proved: IndexSet::new(),
            open: HashSet::new(),
            same: IndexSet::new(),
            different: HashSet::new(),
            depth: 0,
            steps: 0,
            all_steps: 0,
            room: MAX_COUNTEREXAMPLES_SIZE,
        }
    }

    /// Returns whether every value of `narrow` is a value of `wide`.
    pub fn ask(&mut self, narrow: &'j Json, wide: &'j Json) -> Inclusion {
        self.steps = 0;
        let (narrow, wide) = (followed(narrow, self.narrow).0, followed(wide, self.wide).0);
        if self.includes(&[Term::new(Operand::Narrow, narrow)], wide) {
            return Inclusion::Yes;
        }
        let key = (address(narrow), address(wide));
        if let Some(known) = self.refuted.get(&key) {
            return known.clone();
        }
        let found = self.counterexample(narrow, wide);
        let room = found
            .as_ref()
            .map(|value| self.room.checked_sub(size(value)));
        let answer = match (found, room.flatten()) {
            (Some(value), Some(room)) => {
                self.room = room;
                Inclusion::No(value)
            }
            _ => Inclusion::Unknown,
        };
        self.refuted.insert(key, answer.clone());
        answer
    }

    /// Returns whether no value satisfies a schema, as far as that can be told.
    ///
    /// ```
    /// use docent_describe::json::Json;
    /// use docent_describe::schema::SchemaContext;
    /// use docent_tools::inclusion::Includes;
    ///
    /// let components = indexmap::IndexMap::new();
    /// let context = SchemaContext { components: &components, enforced_formats: Some(&[]) };
    /// let schema: Json = r#"{"allOf": [{"minimum": 3, "type": "number"}, {"maximum": 2}]}"#.parse()?;
    /// assert!(Includes::new(context, context).is_empty(&schema));
    /// # Ok::<(), docent_describe::json::SyntaxError>(())
    /// ```
    pub fn is_empty(&mut self, schema: &'j Json) -> bool {
        self.steps = 0;
        self.are_empty(&[Term::new(Operand::Narrow, schema)])
    }

    /// Returns whether questions were left open because all of them together took too long.
    pub fn is_over_budget(&self) -> bool {
        self.all_steps > MOST_EVER
    }

    /// Counts a step, and returns whether there may be more.
    pub(super) fn step(&mut self) -> bool {
        self.steps += 1;
        self.all_steps += 1;
        self.steps <= MOST && self.all_steps <= MOST_EVER
    }

    /// Takes a step one level deeper; `None` if that is too deep, or takes too long.
    pub(super) fn deeper<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEEPEST || !self.step() {
            return None;
        }
        self.depth += 1;
        let answer = step(self);
        self.depth -= 1;
        Some(answer)
    }

    pub(super) fn context(&self, operand: Operand) -> SchemaContext<'j> {
        match operand {
            Operand::Narrow => self.narrow,
            Operand::Wide => self.wide,
        }
    }

    /// Returns whether a value satisfies all of some schemas; `None` if that cannot be decided.
    pub(super) fn takes(&self, terms: &[Term<'j>], value: &Json) -> Option<bool> {
        let mut all = Some(true);
        for term in terms {
            let validator = match term.operand {
                Operand::Narrow => &self.narrow_validator,
                Operand::Wide => &self.wide_validator,
            };
            match validator.is_valid(term.schema, value) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    pub(super) fn wide_takes(&self, wide: &'j Json, value: &Json) -> Option<bool> {
        self.wide_validator.is_valid(wide, value)
    }
}

/// Returns the number of values in a value, itself included.
fn size(value: &Json) -> usize {
    1 + match value {
        Json::Array(elements) => elements.iter().map(size).sum(),
        Json::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

pub(crate) fn address(schema: &Json) -> usize {
    std::ptr::from_ref(schema).addr()
}
