//! Enforces the constraints on parameters that nothing else would check.

use docent_describe::Components;
use docent_describe::json::Json;
use docent_describe::schema::check::Compiler;
use docent_describe::schema::for_each_reference;

use super::draft::Draft;
use super::findings::Findings;
use crate::bind::{Adapter, ParamCheck, Plan};
use crate::limits::Limits;

/// Compiles schemas, and their shared parts only once.
pub(super) struct Enforcer<'c> {
    /// Set if the components are known. If they are not, that has been reported, and schemas that
    /// refer to them are not compiled.
    complete: bool,
    compiler: Compiler<'c>,
}

impl<'c> Enforcer<'c> {
    pub(super) fn new(components: &'c Components, complete: bool, limits: &Limits) -> Self {
        Self {
            complete,
            compiler: Compiler::new(&components.schemas)
                .max_pattern_chars(limits.max_pattern_chars),
        }
    }

    /// Returns the plan for binding the parameters of a procedure, and the adapter for those of a
    /// query.
    pub(super) fn plan(&mut self, draft: &Draft, findings: &mut Findings) -> (Plan, Adapter) {
        let description = &draft.callee.description;
        let mut parameters = Vec::with_capacity(description.params.len());
        let loose = draft
            .params
            .as_ref()
            .as_ref()
            .map_or(&[][..], |shape| &shape.loose);
        for (index, param) in description.params.iter().enumerate() {
            let loose = loose.get(index).is_some_and(|loose| *loose);
            let check = if !self.is_known(&param.schema) {
                None
            } else if description.unchecked.is_some() {
                // The handler checks what is not enforced.
                Some(self.compiler.compile_leniently(&param.schema))
            } else {
                let compiled = self.compiler.compile(&param.schema);
                compiled.map_err(|reasons| {
                    let cure =
                        "remove it from the schema, or call `.unchecked(reason)` on the procedure";
                    let reasons = reasons.iter();
                    let texts = reasons
                        .map(|reason| format!("parameter `{}`: {reason}; {cure}", param.name));
                    findings.mistakes(&description.name, texts);
                }).ok()
            };
            // The whole schema must be checked if the type accepts more than the schema.
            let is_needed = loose || self.compiler.asserts_beyond_decoding(&param.schema);
            parameters.push((param, ParamCheck { check, is_needed }));
        }
        let plan = Plan::new(parameters, description.by_name_only);
        (plan, Adapter::new(&description.params, &mut self.compiler))
    }

    /// Returns whether all components that a schema refers to are known.
    fn is_known(&self, schema: &Json) -> bool {
        let mut refers = false;
        for_each_reference(schema, &mut |_| refers = true);
        self.complete || !refers
    }

    /// Checks that a value matches a schema, as far as the schema can be checked.
    pub(super) fn matches(&mut self, schema: &Json, value: &Json) -> Result<(), String> {
        // The schema of a result may have constraints that cannot be enforced.
        match self.is_known(schema).then(|| self.compiler.compile(schema)) {
            Some(Ok(check)) => {
                let checked = check.check(&value.to_string());
                checked.map_err(|violation| violation.to_string())
            }
            _ => Ok(()),
        }
    }
}
