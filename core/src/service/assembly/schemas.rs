//! Checks every schema of a service once: its defaults, and what is correct but may surprise.

use std::collections::{BTreeSet, HashSet};

use docent_describe::Components;
use docent_describe::json::{Json, Object};
use docent_describe::schema::{
    Format, Kinds, OWN_FORMAT, component_entered, for_each_reference, for_each_schema,
    is_numeric_format,
};

use super::enforce::Enforcer;
use super::findings::Findings;
use crate::service::callable::Callable;

/// What the description says about the schemas of the whole service.
#[derive(Debug, Default)]
pub(super) struct Enforced {
    /// The formats that are published and checked.
    pub(super) formats: BTreeSet<&'static str>,
}

/// Visits the schemas of parameters, and then those of results and error data.
pub(super) fn check<'c>(
    callables: &[Callable],
    components: &'c Components,
    enforcer: &mut Enforcer<'c>,
    findings: &mut Findings,
) -> Enforced {
    let mut visitor = Visitor {
        components,
        enforcer,
        findings,
        known: HashSet::new(),
        is_output: false,
        enforced: Enforced::default(),
    };
    let descriptions = || callables.iter().map(|it| &it.callee.description);
    for description in descriptions() {
        for param in &description.params {
            if let Some(default) = &param.default {
                let of = format!("`{}`", param.name);
                visitor.default(&description.name, &of, &param.schema, default);
            }
            let place = format!("parameter `{}`", param.name);
            visitor.visit(&description.name, &place, &param.schema);
        }
    }
    visitor.is_output = true;
    for description in descriptions() {
        if let Some(returns) = &description.returns {
            visitor.visit(&description.name, "the result", &returns.schema);
        }
        for error in &description.errors {
            if let Some(data) = &error.data {
                let place = format!("the data of the error {}", error.code);
                visitor.visit(&description.name, &place, data);
            }
        }
    }
    visitor.enforced
}

struct Visitor<'a, 'c> {
    components: &'c Components,
    enforcer: &'a mut Enforcer<'c>,
    findings: &'a mut Findings,
    /// The components that have been visited.
    known: HashSet<&'c str>,
    is_output: bool,
    enforced: Enforced,
}

impl Visitor<'_, '_> {
    /// Visits a schema, and those of its components that have not been visited.
    fn visit(&mut self, procedure: &str, place: &str, schema: &Json) {
        for_each_schema(schema, &mut |schema| {
            if let Json::Object(keywords) = schema {
                self.one(procedure, place, keywords);
            }
        });
        let mut entered = Vec::new();
        for_each_reference(schema, &mut |reference| {
            entered.extend(component_entered(reference));
        });
        for name in entered {
            let component = self.components.schemas.get_key_value(name.as_ref());
            if let Some((name, schema)) = component
                && self.known.insert(name)
            {
                self.visit(procedure, &format!("the type `{name}`"), schema);
            }
        }
    }

    fn one(&mut self, procedure: &str, place: &str, keywords: &Object) {
        let members = |keyword| keywords.get(keyword).and_then(Json::as_object);
        // A property is reported by its name, which is known here.
        for (name, property) in members("properties").into_iter().flatten() {
            if let Some(default) = property.get("default") {
                let of = format!("`{name}` in {place}");
                self.default(procedure, &of, property, default);
            }
        }
        if let Some(Json::String(format)) = keywords.get("format") {
            self.format(procedure, place, format);
        }
        if !self.is_output {
            self.bounds(procedure, place, keywords);
        }
    }

    /// Reports a default that does not match its own schema.
    fn default(&mut self, procedure: &str, of: &str, schema: &Json, default: &Json) {
        let Err(reason) = self.enforcer.matches(schema, default) else {
            return;
        };
        // If null is not allowed, it is hardly what the author wrote.
        let is_number = || Kinds::of_schema(schema, &self.components.schemas).meet(Kinds::NUMBER);
        let not_finite = if *default == Json::Null && is_number() {
            " (NaN and the infinities become null in JSON)"
        } else {
            ""
        };
        let text =
            format!("the default of {of} does not match its own schema: {reason}{not_finite}");
        self.findings.mistake(procedure, text);
    }

    fn format(&mut self, procedure: &str, place: &str, format: &str) {
        if let Some(known) = Format::named(format) {
            if known.is_enforced() {
                self.enforced.formats.insert(known.name);
            } else {
                let text =
                    format_args!("{place}: the format `{format}` is published but not checked");
                self.findings.warning(procedure, text);
            }
        } else if !is_numeric_format(format) {
            let text = format_args!(
                "{place}: common validators do not know the format `{format}`; it is published as \
                 `{OWN_FORMAT}` and not checked. Add a pattern to have it checked"
            );
            self.findings.warning(procedure, text);
        }
    }

    /// Warns about numbers that may be written as texts: the bounds of numbers do not apply to
    /// texts in JSON Schema.
    fn bounds(&mut self, procedure: &str, place: &str, keywords: &Object) {
        let kinds = keywords.get("type").and_then(|_| Kinds::of_type(keywords));
        let bound = keywords
            .keys()
            .find(|name| Kinds::of_keyword(name) == Some(Kinds::NUMBER));
        if let (Some(kinds), Some(bound)) = (kinds, bound)
            && kinds.meet(Kinds::STRING)
            && kinds.meet(Kinds::NUMBER)
        {
            let text = format_args!(
                "{place}: `{bound}` is checked for numbers alone, and the schema takes texts too; \
                 take texts alone, with a pattern, or check the value in the handler"
            );
            self.findings.warning(procedure, text);
        }
    }
}
