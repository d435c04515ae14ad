//! Enforces the constraints on parameters that nothing else would check.

use std::collections::HashMap;
use std::sync::Arc;

use docent_describe::json::Json;
use docent_describe::schema::for_each_reference;
use docent_describe::{Components, ParamDescription};

use super::draft::Draft;
use super::findings::Findings;
use crate::bind::{Adapter, ParamCheck, Plan};
use crate::limits::Limits;
use docent_describe::schema::check::{Check, Compiler};

/// Compiles schemas, and their shared parts only once.
pub(super) struct Enforcer<'c> {
    /// Set if the components are known. If they are not, that has been reported, and schemas that
    /// refer to them are not compiled.
    complete: bool,
    compiler: Compiler<'c>,
    /// The plans that were made without a mistake, by the address of the shape: each type has one.
    shared: HashMap<usize, Vec<(Origin, Plans)>>,
}

/// The plans for binding the parameters of a procedure.
#[derive(Clone)]
pub(super) struct Plans {
    pub(super) plan: Arc<Plan>,
    pub(super) adapter: Arc<Adapter>,
}

/// The properties of a procedure, besides the shape of its type, that its plans depend on: two
/// procedures that take the same type may name it, or let callers pass it, in different ways.
struct Origin {
    params: Vec<ParamDescription>,
    by_name_only: bool,
    unchecked: bool,
}

impl Origin {
    fn new(draft: &Draft) -> Self {
        Self {
            params: draft.description.params.clone(),
            by_name_only: draft.description.by_name_only,
            unchecked: draft.registered.about.unchecked.is_some(),
        }
    }

    fn is_that_of(&self, draft: &Draft) -> bool {
        self.by_name_only == draft.description.by_name_only
            && self.unchecked == draft.registered.about.unchecked.is_some()
            && self.params == draft.description.params
    }
}

impl<'c> Enforcer<'c> {
    pub(super) fn new(components: &'c Components, complete: bool, limits: &Limits) -> Self {
        Self {
            complete,
            compiler: Compiler::new(&components.schemas)
                .max_pattern_chars(limits.max_pattern_chars),
            shared: HashMap::new(),
        }
    }

    /// Returns the plans for binding the parameters of a procedure, from a body and from a query.
    /// Procedures that take the same type share them, unless they have mistakes: a service with
    /// thousands of procedures has far fewer types.
    pub(super) fn plans(&mut self, draft: &Draft, findings: &mut Findings) -> Plans {
        let shape = Arc::as_ptr(&draft.shapes.params).addr();
        let mut known = self.shared.get(&shape).into_iter().flatten();
        if let Some((_, plans)) = known.find(|(origin, _)| origin.is_that_of(draft)) {
            return plans.clone();
        }
        let before = findings.mistakes.len();
        let plans = self.new_plans(draft, findings);
        if findings.mistakes.len() == before {
            let alike = self.shared.entry(shape).or_default();
            alike.push((Origin::new(draft), plans.clone()));
        }
        plans
    }

    fn new_plans(&mut self, draft: &Draft, findings: &mut Findings) -> Plans {
        let description = &draft.description;
        let checked = draft.registered.about.unchecked.is_none();
        let mut parameters = Vec::with_capacity(description.params.len());
        let shape = draft.shapes.params.as_ref().as_ref();
        let loose = shape.map_or(&[][..], |shape| &shape.loose);
        for (index, param) in description.params.iter().enumerate() {
            let loose = loose.get(index).is_some_and(|loose| *loose);
            let check = match (self.is_known(&param.schema), checked) {
                (true, true) => self.compile(&param.schema).map(Some),
                // The handler checks what is not enforced.
                (true, false) => Ok(Some(self.compiler.compile_leniently(&param.schema))),
                (false, _) => Ok(None),
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
            // The whole schema must be checked if the type accepts more than the schema.
            let is_needed = loose || self.compiler.asserts_beyond_decoding(&param.schema);
            parameters.push((param, ParamCheck { check, is_needed }));
        }
        let plan = Plan::new(parameters, description.by_name_only);
        let adapter = Adapter::new(&description.params, &mut self.compiler);
        Plans {
            plan: Arc::new(plan),
            adapter: Arc::new(adapter),
        }
    }

    /// Compiles the check of a parameter.
    fn compile(&mut self, schema: &Json) -> Result<Check, Vec<String>> {
        self.compiler.compile(schema).map_err(|reasons| {
            let cure = "remove it from the schema, or call `.unchecked(reason)` on the procedure";
            let reasons = reasons.iter();
            reasons.map(|reason| format!("{reason}; {cure}")).collect()
        })
    }

    /// Returns the check of a whole schema, if it can be compiled.
    pub(super) fn full_check(&mut self, schema: &Json) -> Option<Check> {
        let known = self.is_known(schema);
        known.then(|| self.compiler.compile(schema).ok()).flatten()
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
        self.full_check(schema).map_or(Ok(()), |check| {
            check
                .check(&value.to_string())
                .map_err(|violation| violation.to_string())
        })
    }
}
