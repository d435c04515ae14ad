//! Says whether one schema includes another: whether every value of the narrower is a value of the
//! wider.
//!
//! Both answers are proved. "Yes" is derived from the keywords: what cannot be said of the narrower
//! schema is left away, which only makes it wider, and every keyword of the wider one must follow
//! from the rest. "No" comes with a value that the narrower schema takes and the wider one does not,
//! and that a [`Validator`] has checked with both. Everything else is unknown, and so is a question
//! that would take too long.

mod arrays;
mod cases;
mod disjoint;
mod numbers;
mod objects;
mod proof;
mod same;
mod samples;
mod spans;
mod strings;

use std::collections::HashMap;

use super::context::SchemaContext;
use super::valid::Validator;
use crate::json::Json;
use cases::Case;
pub(crate) use cases::{asserts, takes_all};
use proof::Proof;
pub(crate) use spans::Spans;

/// How many steps one question may take.
const MOST: usize = 4_000;
/// How many schemas may be held against values for one question.
const MOST_VALID: usize = 60_000;
/// How many of these there may be altogether.
const MOST_EVER: usize = 20_000_000;
/// How many values are tried where there is no proof.
const TRIED: usize = 60;

/// The answer to whether a schema includes another.
#[derive(Debug, Clone, PartialEq)]
pub enum Inclusion {
    /// Every value of the narrower schema is a value of the wider one.
    Yes,
    /// This value of the narrower schema is not a value of the wider one.
    No(Json),
    /// It cannot be decided.
    Unknown,
}

/// Finds out whether schemas of one description include schemas of another, and remembers what it
/// found.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::{Includes, Inclusion, SchemaContext};
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
    narrow: Side<'j>,
    wide: Side<'j>,
    /// What has been found, by the addresses of the schemas.
    known: HashMap<Key, Inclusion>,
    /// The questions under way. A question that leads back to itself is answered by the others: it
    /// counts as yes, and that answer is forgotten should it turn out not to be.
    open: Vec<Key>,
    /// Answers that hold only if an open question is answered with yes: the lowest one.
    tentative: Vec<(Key, usize)>,
    /// The lowest open question that was taken for granted since the current one began.
    lowest: usize,
    same: HashMap<(usize, usize), bool>,
    steps: usize,
    /// How many schemas had been held against values when the question was asked.
    spent: usize,
}

/// The schemas of the narrower side, which all have to hold, and the wider schema.
type Key = (Vec<usize>, usize);

#[derive(Debug)]
struct Side<'j> {
    context: SchemaContext<'j>,
    validator: Validator<'j>,
}

impl<'j> Side<'j> {
    fn new(context: SchemaContext<'j>) -> Self {
        Self {
            context,
            validator: Validator::new(context),
        }
    }

    /// Whether a value satisfies all of some schemas.
    fn takes(&self, schemas: &[&Json], value: &Json) -> Option<bool> {
        let mut all = Some(true);
        for schema in schemas {
            match self.validator.is_valid(schema, value) {
                Some(false) => return Some(false),
                Some(true) => {}
                None => all = None,
            }
        }
        all
    }
}

impl<'j> Includes<'j> {
    /// Begins with schemas in these contexts: first that of the narrower ones, then that of the
    /// wider ones.
    pub fn new(narrow: SchemaContext<'j>, wide: SchemaContext<'j>) -> Self {
        Self {
            narrow: Side::new(narrow),
            wide: Side::new(wide),
            known: HashMap::new(),
            open: Vec::new(),
            tentative: Vec::new(),
            lowest: usize::MAX,
            same: HashMap::new(),
            steps: 0,
            spent: 0,
        }
    }

    /// Returns whether every value of `narrow` is a value of `wide`.
    pub fn ask(&mut self, narrow: &'j Json, wide: &'j Json) -> Inclusion {
        self.ask_all(&[narrow], wide)
    }

    /// Returns whether every value that satisfies all of `narrow` is a value of `wide`.
    pub(crate) fn ask_all(&mut self, narrow: &[&'j Json], wide: &'j Json) -> Inclusion {
        self.begin();
        let found = self.includes(narrow, wide);
        if found == Inclusion::Unknown {
            // Asked again, it would take as long.
            self.known.insert(key(narrow, wide), Inclusion::Unknown);
        }
        found
    }

    /// Begins a question.
    fn begin(&mut self) {
        self.steps = 0;
        self.spent = self.spent();
    }

    /// Counts a step. False once there have been too many.
    fn step(&mut self) -> bool {
        self.steps += 1;
        self.has_time()
    }

    fn has_time(&self) -> bool {
        let spent = self.spent();
        self.steps <= MOST && spent - self.spent <= MOST_VALID && spent <= MOST_EVER
    }

    fn spent(&self) -> usize {
        self.narrow.validator.spent() + self.wide.validator.spent()
    }

    fn includes(&mut self, narrow: &[&'j Json], wide: &'j Json) -> Inclusion {
        if takes_all(wide) || narrow.iter().any(|schema| self.is_same(schema, wide)) {
            return Inclusion::Yes;
        }
        if !self.step() {
            return Inclusion::Unknown;
        }
        let key = key(narrow, wide);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if let Some(at) = self.open.iter().position(|open| *open == key) {
            self.lowest = self.lowest.min(at);
            return Inclusion::Yes;
        }
        if let Some((_, lowest)) = self.tentative.iter().find(|(known, _)| *known == key) {
            self.lowest = self.lowest.min(*lowest);
            return Inclusion::Yes;
        }
        let (at, outer) = (self.open.len(), self.lowest);
        self.open.push(key.clone());
        self.lowest = usize::MAX;
        let found = self.decide(narrow, wide);
        self.open.pop();
        let lowest = self.lowest;
        self.remember(key, at, lowest, &found);
        // What this one took for granted of itself is settled now.
        self.lowest = outer.min(if lowest < at { lowest } else { usize::MAX });
        found
    }

    /// Remembers an answer, and what depends on it.
    fn remember(&mut self, key: Key, at: usize, lowest: usize, found: &Inclusion) {
        match found {
            Inclusion::Yes if lowest >= at => {
                let (settled, left) = std::mem::take(&mut self.tentative)
                    .into_iter()
                    .partition(|(_, lowest)| *lowest >= at);
                self.tentative = left;
                let settled: Vec<(Key, usize)> = settled;
                for (key, _) in settled {
                    self.known.insert(key, Inclusion::Yes);
                }
                self.known.insert(key, Inclusion::Yes);
            }
            Inclusion::Yes => self.tentative.push((key, lowest)),
            _ => {
                self.tentative.retain(|(_, lowest)| *lowest < at);
                // A value is proof enough; but without one, and too early to tell, another way may
                // lead to an answer.
                if self.has_time() {
                    self.known.insert(key, found.clone());
                }
            }
        }
    }

    fn decide(&mut self, narrow: &[&'j Json], wide: &'j Json) -> Inclusion {
        let mut candidates = Vec::new();
        let mut is_open = false;
        for case in cases::cases(self.narrow.context, narrow) {
            match self.case(&case, wide) {
                Proof::Done => {}
                Proof::Open(found) => {
                    is_open = true;
                    candidates.extend(found);
                }
            }
            if !self.step() {
                is_open = true;
                break;
            }
        }
        if !is_open {
            return Inclusion::Yes;
        }
        // Where parts of arrays and objects are undecided, so are these.
        let is_part = self.open.len() > 1 && candidates.is_empty();
        candidates.truncate(TRIED);
        let refuted = self.refute(narrow, wide, candidates);
        if refuted != Inclusion::Unknown || is_part {
            return refuted;
        }
        let samples = self.samples(narrow);
        self.refute(narrow, wide, samples)
    }

    /// Looks for a value that only the narrower side takes.
    fn refute(&mut self, narrow: &[&'j Json], wide: &'j Json, values: Vec<Json>) -> Inclusion {
        for value in values {
            if !self.has_time() {
                break;
            }
            if self.narrow.takes(narrow, &value) == Some(true)
                && self.wide.takes(&[wide], &value) == Some(false)
            {
                return Inclusion::No(value);
            }
        }
        Inclusion::Unknown
    }

    fn case(&mut self, case: &Case<'j>, wide: &'j Json) -> Proof {
        let mut proof = Proof::Done;
        if let Some(values) = case.finite() {
            for value in values {
                let is_taken = self.narrow.takes(&case.schemas, &value);
                if is_taken != Some(false) && self.wide.takes(&[wide], &value) != Some(true) {
                    proof = proof.and(Proof::Open(vec![value]));
                }
            }
            return proof;
        }
        for kind in case.each_kind() {
            proof = proof.and(self.kind(case, kind, wide, 0));
        }
        proof
    }
}

fn key(narrow: &[&Json], wide: &Json) -> Key {
    let mut places: Vec<usize> = narrow.iter().map(|schema| address(schema)).collect();
    places.sort_unstable();
    places.dedup();
    (places, address(wide))
}

fn address(schema: &Json) -> usize {
    std::ptr::from_ref(schema).addr()
}
