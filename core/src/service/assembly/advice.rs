//! Warnings about schemas that are correct and enforced, but may surprise.

use std::collections::{BTreeSet, HashSet};

use docent_describe::Components;
use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::{
    Kinds, OWN_FORMAT, component_name, for_each_schema, is_defined_format, is_numeric_format,
};

use super::enforce::Enforcer;
use super::findings::Findings;
use crate::limits::Limits;
use crate::service::callable::Callable;
use docent_describe::schema::check::Format;

/// The properties of schemas that concern the whole service.
#[derive(Debug, Default)]
pub(super) struct Advice {
    /// Set if texts of callers are matched against patterns.
    pub(super) has_patterns: bool,
    /// The formats that are published and checked.
    pub(super) formats: BTreeSet<&'static str>,
}

/// Visits every schema of the procedures once.
pub(super) fn advise<'c>(
    callables: &[Callable],
    components: &'c Components,
    enforcer: &mut Enforcer<'c>,
    limits: &Limits,
    findings: &mut Findings,
) -> Advice {
    let mut adviser = Adviser {
        components,
        enforcer,
        limits,
        findings,
        known: HashSet::new(),
        is_given: false,
        advice: Advice::default(),
    };
    for callable in callables {
        for param in &callable.callee.description.params {
            let place = Place {
                procedure: &callable.callee.description.name,
                what: format!("parameter `{}`", param.name),
            };
            adviser.schema(&place, &param.schema);
        }
    }
    adviser.is_given = true;
    for callable in callables {
        let place = |what: String| Place {
            procedure: &callable.callee.description.name,
            what,
        };
        if let Some(returns) = &callable.callee.description.returns {
            adviser.schema(&place("the result".to_owned()), &returns.schema);
        }
        for error in &callable.callee.description.errors {
            if let Some(data) = &error.data {
                let what = format!("the data of the error {}", error.code);
                adviser.schema(&place(what), data);
            }
        }
    }
    adviser.advice
}

/// The location of a schema, for a warning.
struct Place<'e> {
    procedure: &'e str,
    what: String,
}

struct Adviser<'a, 'c> {
    components: &'c Components,
    enforcer: &'a mut Enforcer<'c>,
    limits: &'a Limits,
    findings: &'a mut Findings,
    /// The components that have been visited.
    known: HashSet<&'c str>,
    /// Set for schemas of output, and not for those of input.
    is_given: bool,
    advice: Advice,
}

impl Adviser<'_, '_> {
    /// Visits a schema, and those of its components that have not been visited.
    fn schema(&mut self, place: &Place<'_>, schema: &Json) {
        let mut open = Vec::new();
        for_each_schema(schema, &mut |schema| {
            if let Json::Object(words) = schema {
                self.words(place, words);
                let reference = words.get("$ref").and_then(Json::as_str);
                open.extend(reference.and_then(component_name));
            }
        });
        for name in open {
            let component = self.components.schemas.get_key_value(name.as_ref());
            if let Some((name, schema)) = component
                && self.known.insert(name)
            {
                let place = Place {
                    procedure: place.procedure,
                    what: format!("the type `{name}`"),
                };
                self.schema(&place, schema);
            }
        }
    }

    fn words(&mut self, place: &Place<'_>, words: &Object) {
        if let Some(Json::String(format)) = words.get("format") {
            self.format(place, format);
        }
        if self.is_given {
            return;
        }
        self.bounds(place, words);
        if let Some(Json::String(pattern)) = words.get("pattern") {
            self.pattern(place, pattern, longest(words));
        }
        let by_name = words.get("patternProperties").and_then(Json::as_object);
        for pattern in by_name.into_iter().flat_map(Object::keys) {
            self.pattern(place, pattern, None);
        }
    }

    fn format(&mut self, place: &Place<'_>, format: &str) {
        let what = &place.what;
        if let Some(enforced) = Format::named(format) {
            self.advice.formats.insert(enforced.name());
        } else if is_defined_format(format) {
            self.findings.warning(
                place.procedure,
                format_args!("{what}: the format `{format}` is published but not checked"),
            );
        } else if !is_numeric_format(format) {
            self.findings.warning(
                place.procedure,
                format_args!(
                    "{what}: common validators do not know the format `{format}`; it is published \
                     as `{OWN_FORMAT}` and not checked. Add a pattern to have it checked"
                ),
            );
        }
    }

    /// Warns about numbers that may be written as texts: the bounds of numbers do not apply to
    /// texts in JSON Schema.
    fn bounds(&mut self, place: &Place<'_>, words: &Object) {
        let kinds = words.get("type").and_then(|_| Kinds::of_type(words));
        let mut keywords = words.keys();
        let bound = keywords.find(|word| Kinds::of_keyword(word) == Some(Kinds::NUMBER));
        if let (Some(kinds), Some(bound)) = (kinds, bound)
            && kinds.meet(Kinds::STRING)
            && kinds.meet(Kinds::NUMBER)
        {
            let what = &place.what;
            self.findings.warning(
                place.procedure,
                format_args!(
                    "{what}: `{bound}` is checked for numbers alone, and the schema takes texts too; \
                     take texts alone, with a pattern, or check the value in the handler"
                ),
            );
        }
    }

    fn pattern(&mut self, place: &Place<'_>, pattern: &str, longest: Option<Decimal>) {
        self.advice.has_patterns = true;
        let what = &place.what;
        let most = self.limits.max_pattern_chars;
        if longest
            .as_ref()
            .is_some_and(|longest| *longest > Decimal::new(&most.to_string()))
        {
            self.findings.warning(
                place.procedure,
                format_args!(
                    "{what}: `maxLength` allows longer text than is matched against a pattern, \
                     which is at most {most} characters (`Limits::max_pattern_chars`)"
                ),
            );
        }
        if let (Some(parts), None) = (self.enforcer.burden(pattern), longest) {
            self.findings.warning(
                place.procedure,
                format_args!(
                    "{what}: the pattern has {parts} parts and matches texts of any length; limit \
                     the length with `maxLength`"
                ),
            );
        }
    }
}

/// Returns the `maxLength` of a schema.
fn longest(words: &Object) -> Option<Decimal> {
    match words.get("maxLength") {
        Some(Json::Number(text)) => Some(Decimal::new(text)),
        _ => None,
    }
}
