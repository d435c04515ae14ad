//! The rules: for each keyword of the wider schema, whether the narrower one implies it.

use std::collections::HashMap;

use super::bounds::{Measure, NumberBounds};
use super::case::{Case, Term, asserts, takes_all};
use super::includes::{Includes, Key, address};
use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::Kinds;
use docent_describe::schema::resolve;

/// The question whether the values of a case that are of one kind satisfy a wider schema.
pub(super) struct Question<'q, 'j> {
    pub(super) case: &'q Case<'j>,
    pub(super) kind: Kinds,
    /// The answers for the parts of the wider schema, by their addresses.
    known: HashMap<usize, bool>,
}

impl<'q, 'j> Question<'q, 'j> {
    pub(super) fn new(case: &'q Case<'j>, kind: Kinds) -> Self {
        Self {
            case,
            kind,
            known: HashMap::new(),
        }
    }

    /// Returns whether the narrower schema implies bounds.
    fn keeps_bounds(&self, words: &Object, measure: Measure) -> bool {
        let has = NumberBounds::of(self.case.words(), measure, self.kind);
        has.are_within(&NumberBounds::of([words].into_iter(), measure, self.kind))
    }
}

impl<'j> Includes<'j> {
    /// Returns whether every value that satisfies all of `narrow` is a value of `wide`, as far as
    /// that can be told.
    pub(super) fn includes(&mut self, narrow: &[Term<'j>], wide: &'j Json) -> bool {
        if takes_all(wide) || narrow.iter().any(|term| self.is_same(term.schema, wide)) {
            return true;
        }
        let key = key(narrow, wide);
        if self.open.contains(&key) {
            return false;
        }
        let before = self.proved.len();
        if !self.proved.insert(key.clone()) {
            return true;
        }
        let holds = self.deeper(|includes| includes.includes_cases(narrow, wide)) == Some(true);
        if !holds {
            self.proved.truncate(before);
            self.open.insert(key);
        }
        holds
    }

    fn includes_cases(&mut self, narrow: &[Term<'j>], wide: &'j Json) -> bool {
        self.cases(narrow).iter().all(|case| {
            case.each_kind().all(|kind| match case.values(kind) {
                Some(values) => values.iter().all(|value| {
                    self.step()
                        && (self.takes(&case.terms, value) == Some(false)
                            || self.wide_takes(wide, value) == Some(true))
                }),
                None => self.follows(&mut Question::new(case, kind), wide),
            })
        })
    }

    /// Returns whether the values satisfy a schema for certain.
    pub(super) fn follows(&mut self, question: &mut Question<'_, 'j>, wide: &'j Json) -> bool {
        let Json::Object(words) = wide else {
            return *wide != Json::Bool(false);
        };
        if let Some(known) = question.known.get(&address(wide)) {
            return *known;
        }
        let (case, kind) = (question.case, question.kind);
        let mut terms = case.terms.iter();
        let holds = terms.any(|term| self.is_same(term.schema, wide))
            || self.is_never(case, kind)
            || self.deeper(|includes| includes.keywords(question, words)) == Some(true);
        question.known.insert(address(wide), holds);
        holds
    }

    fn keywords(&mut self, question: &mut Question<'_, 'j>, words: &'j Object) -> bool {
        let has_structure = match question.kind {
            Kinds::INTEGER | Kinds::FRACTION => question.keeps_bounds(words, Measure::Number),
            Kinds::STRING => question.keeps_bounds(words, Measure::Length),
            Kinds::ARRAY => self.array(question.case, words),
            _ => self.object(question.case, words),
        };
        let mut asserted = words.iter().filter(|(keyword, _)| asserts(keyword));
        has_structure
            && asserted
                .all(|(keyword, asked)| self.keyword(question, words, (keyword.as_str(), asked)))
    }

    fn keyword(
        &mut self,
        question: &mut Question<'_, 'j>,
        words: &'j Object,
        (keyword, asked): (&str, &'j Json),
    ) -> bool {
        let (case, kind) = (question.case, question.kind);
        let is_about = Kinds::of_keyword(keyword).is_none_or(|kinds| kind.within(kinds));
        match (keyword, asked) {
            ("$ref", Json::String(reference)) => match resolve(reference, self.wide.components) {
                Some(target) => self.follows(question, target),
                None => self.is_stated(case, words, &["$ref"]),
            },
            ("type", _) => Kinds::of_type(words).is_none_or(|kinds| kind.within(kinds)),
            ("allOf", Json::Array(schemas)) => {
                schemas.iter().all(|schema| self.follows(question, schema))
            }
            ("anyOf", Json::Array(schemas)) => {
                schemas.iter().any(|schema| self.follows(question, schema))
            }
            ("oneOf", Json::Array(schemas)) => {
                let taken = { schemas.iter() }.position(|schema| self.follows(question, schema));
                taken.is_some_and(|taken| {
                    let mut others = schemas.iter().enumerate();
                    others.all(|(at, other)| at == taken || self.is_apart(case, kind, other))
                })
            }
            ("not", schema) => self.is_apart(case, kind, schema),
            ("if", _) => self.is_stated(case, words, &["if", "then", "else"]),
            ("$dynamicRef" | "$recursiveRef" | "enum" | "const", _) => false,
            _ if !is_about => true,
            ("multipleOf", Json::Number(step)) => {
                let step = Decimal::new(step);
                let is_multiple = |text: &str| Decimal::new(text).is_multiple_of(&step);
                kind == Kinds::INTEGER && is_multiple("1")
                    || case.words().any(|own| {
                        let own = own.get("multipleOf");
                        matches!(own, Some(Json::Number(text)) if is_multiple(text))
                    })
            }
            ("format", Json::String(format)) => {
                self.wide.enforces(format) == Some(false)
                    || self.narrow.enforces(format) != Some(false)
                        && self.is_stated(case, words, &["format"])
            }
            ("contains", _) => {
                self.is_stated(case, words, &["contains", "minContains", "maxContains"])
            }
            ("unevaluatedItems" | "unevaluatedProperties", schema) => takes_all(schema),
            _ => match keyword {
                // The bounds, and the structure of arrays and objects, are judged together.
                "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum" | "minLength"
                | "maxLength" | "prefixItems" | "items" | "minItems" | "maxItems"
                | "uniqueItems" | "properties" | "required" | "patternProperties"
                | "propertyNames" | "minProperties" | "maxProperties" => true,
                _ => keyword == "additionalProperties" || self.is_stated(case, words, &[keyword]),
            },
        }
    }

    /// Returns whether a schema of the case says the same with some keywords.
    pub(super) fn is_stated(
        &mut self,
        case: &Case<'j>,
        words: &'j Object,
        keywords: &[&str],
    ) -> bool {
        case.words().any(|other| {
            let mut keywords = keywords.iter();
            keywords.all(|keyword| match (other.get(keyword), words.get(keyword)) {
                (Some(said), Some(asked)) => self.is_same_value(keyword, said, asked),
                (said, asked) => said.is_none() && asked.is_none(),
            })
        })
    }
}

fn key(narrow: &[Term<'_>], wide: &Json) -> Key {
    let mut places: Vec<usize> = narrow.iter().map(|term| address(term.schema)).collect();
    places.sort_unstable();
    places.dedup();
    (places, address(wide))
}
