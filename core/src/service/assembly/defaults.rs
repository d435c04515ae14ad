//! Defaults must satisfy the constraints of their own fields: those of parameters, and those of
//! nested members, which come from fields with `#[serde(default = …)]`.

use std::collections::HashSet;

use docent_describe::json::Json;
use docent_describe::schema::{Kinds, component_entered, for_each_reference, for_each_schema};
use docent_describe::{Components, ProcedureDescription};

use super::enforce::Enforcer;
use super::findings::Findings;

/// Checks defaults, and those of a shared type only once.
pub(super) struct Defaults<'c> {
    components: &'c Components,
    seen: HashSet<&'c str>,
}

impl<'c> Defaults<'c> {
    pub(super) fn new(components: &'c Components) -> Self {
        Self {
            components,
            seen: HashSet::new(),
        }
    }

    /// Reports the defaults of a procedure that do not match their own schemas. Those of a shared
    /// type are reported for the first procedure that uses it.
    pub(super) fn check(
        &mut self,
        description: &ProcedureDescription,
        enforcer: &mut Enforcer<'_>,
        findings: &mut Findings,
    ) {
        let components = self.components;
        let numbers =
            |schema: &Json| Kinds::of_schema(schema, &components.schemas).meet(Kinds::NUMBER);
        let mut check = |place: &str, schema: &Json, default: &Json| {
            let Err(reason) = enforcer.matches(schema, default) else {
                return;
            };
            // If null is not allowed, it is hardly what the author wrote.
            let not_finite = if *default == Json::Null && numbers(schema) {
                " (NaN and the infinities become null in JSON)"
            } else {
                ""
            };
            findings.mistake(
                &description.name,
                format_args!(
                    "the default of {place} does not match its own schema: {reason}{not_finite}"
                ),
            );
        };
        let mut reached = Vec::new();
        for param in &description.params {
            let name = format!("`{}`", param.name);
            if let Some(default) = &param.default {
                check(&name, &param.schema, default);
            }
            within(&param.schema, &format!("in {name}"), &mut check);
            self.reach(&param.schema, &mut reached);
        }
        if let Some(returns) = &description.returns {
            within(&returns.schema, "in the result", &mut check);
            self.reach(&returns.schema, &mut reached);
        }
        for error in &description.errors {
            if let Some(data) = &error.data {
                let place = format!("in the data of the error {}", error.code);
                within(data, &place, &mut check);
                self.reach(data, &mut reached);
            }
        }
        while let Some((name, schema)) = reached.pop() {
            within(schema, &format!("in the type `{name}`"), &mut check);
            self.reach(schema, &mut reached);
        }
    }

    /// Collects the shared types that a schema refers to and that have not been visited.
    fn reach(&mut self, schema: &Json, reached: &mut Vec<(&'c str, &'c Json)>) {
        for_each_reference(schema, &mut |reference| {
            let name = component_entered(reference);
            let entry = name.and_then(|name| self.components.schemas.get_key_value(&*name));
            if let Some((name, schema)) = entry
                && self.seen.insert(name)
            {
                reached.push((name, schema));
            }
        });
    }
}

/// Checks the defaults inside a schema: calls `check` with the place of each, its schema and the
/// value.
fn within(schema: &Json, place: &str, check: &mut dyn FnMut(&str, &Json, &Json)) {
    for_each_schema(schema, &mut |schema| {
        // A member is reported by its name, so it is checked here, where the name is known.
        let members = schema.get("properties").and_then(Json::as_object);
        for (name, member) in members.into_iter().flatten() {
            if let Some(default) = member.get("default") {
                check(&format!("`{name}` {place}"), member, default);
            }
        }
    });
}
