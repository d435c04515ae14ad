//! Proves one keyword of the wider schema after the other.

use super::Includes;
use super::cases::{Case, asserts};
use crate::json::{Json, Object};
use crate::schema::keyword::resolve;
use crate::schema::kinds::Kinds;

/// How many references and alternatives of the wider schema are followed inside each other.
const DEEPEST: usize = 40;

/// How far a proof has come.
#[derive(Debug, Clone)]
pub(super) enum Proof {
    /// It is done.
    Done,
    /// It is not, and these values might refute it.
    Open(Vec<Json>),
}

impl Proof {
    pub(super) fn open() -> Self {
        Self::Open(Vec::new())
    }

    /// The proof of both.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Done, other) | (other, Self::Done) => other,
            (Self::Open(mut values), Self::Open(more)) => {
                values.extend(more);
                Self::Open(values)
            }
        }
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self, Self::Done)
    }

    pub(super) fn of(holds: bool, candidates: impl FnOnce() -> Vec<Json>) -> Self {
        if holds {
            Self::Done
        } else {
            Self::Open(candidates())
        }
    }
}

impl<'j> Includes<'j> {
    /// Proves that a case's values of one kind satisfy a schema.
    pub(super) fn kind(
        &mut self,
        case: &Case<'j>,
        kind: Kinds,
        wide: &'j Json,
        depth: usize,
    ) -> Proof {
        let words = match wide {
            Json::Object(words) => words,
            Json::Bool(false) => return Proof::Open(self.samples_of(case, kind)),
            _ => return Proof::Done,
        };
        if depth > DEEPEST || !self.step() {
            return Proof::open();
        }
        if kind.within(Kinds::NULL | Kinds::BOOLEAN) {
            return self.tried(kind, wide, case);
        }
        if self.is_never(case, kind) || case.schemas.iter().any(|one| self.is_same(one, wide)) {
            return Proof::Done;
        }
        let mut proof = Proof::Done;
        for (keyword, asked) in words.iter().filter(|(keyword, _)| asserts(keyword)) {
            proof = proof.and(self.keyword(case, kind, words, keyword, asked, depth));
        }
        proof.and(self.structure(case, kind, words))
    }

    /// Tries the values of a kind that has few.
    fn tried(&self, kind: Kinds, wide: &'j Json, case: &Case<'j>) -> Proof {
        let values = [Json::Null, Json::Bool(false), Json::Bool(true)];
        let mut open = Vec::new();
        for value in values.into_iter().filter(|value| Kinds::of(value) == kind) {
            if self.narrow.takes(&case.schemas, &value) != Some(false)
                && self.wide.takes(&[wide], &value) != Some(true)
            {
                open.push(value);
            }
        }
        Proof::of(open.is_empty(), || open)
    }

    fn structure(&mut self, case: &Case<'j>, kind: Kinds, words: &'j Object) -> Proof {
        match kind {
            Kinds::INTEGER | Kinds::FRACTION => super::numbers::prove(case, kind, words),
            Kinds::STRING => self.string(case, words),
            Kinds::ARRAY => self.array(case, words),
            Kinds::OBJECT => self.object(case, words),
            _ => Proof::Done,
        }
    }

    /// Proves a keyword that is about values of any kind.
    fn keyword(
        &mut self,
        case: &Case<'j>,
        kind: Kinds,
        words: &'j Object,
        keyword: &str,
        asked: &'j Json,
        depth: usize,
    ) -> Proof {
        match (keyword, asked) {
            ("$ref", Json::String(reference)) => {
                match resolve(reference, self.wide.context.components) {
                    Some(target) => self.kind(case, kind, target, depth + 1),
                    None => self.said_too(case, words, &["$ref"]),
                }
            }
            ("type", _) => {
                let kinds = Kinds::of_type(words).unwrap_or(Kinds::ALL);
                Proof::of(kind.within(kinds), || self.samples_of(case, kind))
            }
            ("enum" | "const", _) => Proof::Open(self.samples_of(case, kind)),
            ("allOf", Json::Array(schemas)) => schemas.iter().fold(Proof::Done, |proof, schema| {
                proof.and(self.kind(case, kind, schema, depth + 1))
            }),
            ("anyOf", Json::Array(schemas)) => {
                self.alternative(case, kind, schemas, depth, |_, _| true)
            }
            ("oneOf", Json::Array(schemas)) => {
                self.alternative(case, kind, schemas, depth, |includes, taken| {
                    let others = schemas.iter().enumerate();
                    let mut others = others.filter(|(at, _)| *at != taken);
                    others.all(|(_, other)| includes.is_apart(case, kind, other, depth + 1))
                })
            }
            ("not", schema) => Proof::of(self.is_apart(case, kind, schema, depth + 1), || {
                self.samples_of(case, kind)
            }),
            ("if", condition) => {
                let branch = |name: &str| words.get(name);
                let proof = self.said_too(case, words, &["if", "then", "else"]);
                if proof.is_done() {
                    return proof;
                }
                let mut needed = Vec::new();
                if !self.is_apart(case, kind, condition, depth + 1) {
                    needed.extend(branch("then"));
                }
                if !self.kind(case, kind, condition, depth + 1).is_done() {
                    needed.extend(branch("else"));
                }
                needed.into_iter().fold(Proof::Done, |proof, schema| {
                    proof.and(self.kind(case, kind, schema, depth + 1))
                })
            }
            ("$dynamicRef" | "$recursiveRef", _) => Proof::open(),
            _ => Proof::Done,
        }
    }

    /// Proves that one of some alternatives takes all values.
    fn alternative(
        &mut self,
        case: &Case<'j>,
        kind: Kinds,
        schemas: &'j [Json],
        depth: usize,
        is_enough: impl Fn(&mut Self, usize) -> bool,
    ) -> Proof {
        let mut open = Vec::new();
        for (at, schema) in schemas.iter().enumerate() {
            match self.kind(case, kind, schema, depth + 1) {
                Proof::Done if is_enough(self, at) => return Proof::Done,
                Proof::Done => {}
                Proof::Open(values) => open.extend(values),
            }
        }
        open.truncate(super::TRIED);
        open.extend(self.samples_of(case, kind));
        Proof::Open(open)
    }

    /// Proves keywords by finding a schema of the case that says the same with them.
    pub(super) fn said_too(
        &mut self,
        case: &Case<'j>,
        words: &'j Object,
        keywords: &[&str],
    ) -> Proof {
        let says = |includes: &mut Self, other: &'j Object| {
            keywords
                .iter()
                .all(|keyword| match (other.get(keyword), words.get(keyword)) {
                    (Some(said), Some(asked)) => includes.is_same_word(keyword, said, asked),
                    (None, None) => true,
                    _ => false,
                })
        };
        let all: Vec<&'j Object> = case.words().collect();
        let holds = all.into_iter().any(|other| says(self, other));
        Proof::of(holds, Vec::new)
    }
}
