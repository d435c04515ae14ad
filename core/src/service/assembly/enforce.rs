//! What the description promises about parameters and nothing else would check.

use docent_describe::Components;
use docent_describe::json::Json;
use docent_describe::schema::for_each_reference;

use super::{Draft, Findings};
use crate::bind::{ParamCheck, Plan, QueryPlan};
use crate::check::Compiler;

/// Compiles schemas, with what they share compiled once.
pub(super) struct Enforcer<'c> {
    components: &'c Components,
    /// Whether the components are known. Where they are not, that has been said once already, and
    /// what refers to them is left alone.
    complete: bool,
    compiler: Compiler<'c>,
}

impl<'c> Enforcer<'c> {
    pub(super) fn new(components: &'c Components, complete: bool) -> Self {
        Self {
            components,
            complete,
            compiler: Compiler::new(&components.schemas),
        }
    }

    /// How the parameters of a procedure are bound, from a body and from a query.
    pub(super) fn plans(&mut self, draft: &Draft, findings: &mut Findings) -> (Plan, QueryPlan) {
        let description = &draft.description;
        let checked = draft.registered.about.unchecked.is_none();
        let mut parameters = Vec::with_capacity(description.params.len());
        for param in &description.params {
            let check = if checked && self.is_known(&param.schema) {
                self.compile(&param.schema)
            } else {
                Ok(None)
            };
            let check = check.unwrap_or_else(|reasons| {
                for reason in reasons {
                    let param = &param.name;
                    findings.mistake(
                        &description.name,
                        format_args!("parameter `{param}`: {reason}"),
                    );
                }
                None
            });
            parameters.push((param, check));
        }
        let plan = Plan::new(parameters, description.by_name_only);
        (plan, QueryPlan::new(&description.params, self.components))
    }

    fn compile(&mut self, schema: &Json) -> Result<Option<ParamCheck>, Vec<String>> {
        match self.compiler.compile(schema) {
            Ok(check) => {
                Ok(check.map(|check| -> ParamCheck { Box::new(move |text| check.check(text)) }))
            }
            Err(reasons) => Err(reasons
                .iter()
                .map(|reason| {
                    format!(
                        "{reason}; drop the promise, or say `.unchecked(reason)` on the procedure"
                    )
                })
                .collect()),
        }
    }

    /// Whether everything that a schema refers to is there.
    fn is_known(&self, schema: &Json) -> bool {
        let mut refers = false;
        for_each_reference(schema, &mut |_| refers = true);
        self.complete || !refers
    }

    /// Whether a value is what a schema says, as far as that can be told.
    pub(super) fn matches(&mut self, schema: &Json, value: &Json) -> Result<(), String> {
        if !self.is_known(schema) {
            return Ok(());
        }
        match self.compiler.compile_full(schema) {
            Ok(check) => check
                .check(&value.to_string())
                .map_err(|violation| violation.to_string()),
            // A result may be described with more than is enforced of parameters.
            Err(_) => Ok(()),
        }
    }
}
