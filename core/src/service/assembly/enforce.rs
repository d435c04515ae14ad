//! Enforces the constraints on parameters that would otherwise go unchecked.
//!
//! serde enforces the kinds of values and little else. What remains of a schema is compiled here,
//! and what cannot be checked is a mistake, unless the author says that the handler checks it.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

use docent_describe::json::Json;
use docent_describe::schema::check::Compiler;
use docent_describe::schema::{
    Examples, ParamsSchema, SchemaContext, SchemaViews, Side, all_references,
};
use docent_describe::{Components, ParamDescription};

use super::draft::{Draft, TypeSchema};
use super::findings::Findings;
use crate::bind::{Adapter, CheckExtent, ParamCheck, Plan};
use crate::limits::Limits;

/// Compiles schemas, and their shared parts only once.
pub(super) struct Enforcer<'c> {
    /// Set if the components are known. If they are not, that has been reported, and schemas that
    /// refer to them are not compiled.
    complete: bool,
    components: &'c Components,
    compiler: Compiler<'c>,
    /// The plans so far, by the addresses of the schemas of parameters.
    plans: HashMap<usize, SharedPlan>,
}

/// The plan of the procedures that take a type in the same way.
struct SharedPlan {
    /// The schema is kept, so that no other one gets its address.
    _schema: TypeSchema<ParamsSchema>,
    params: Vec<ParamDescription>,
    by_name_only: bool,
    ignores_unknown: bool,
    plans: ParamPlans,
}

/// The plans for taking the parameters of a procedure: in the form of 2.0, and in others.
#[derive(Clone)]
pub(super) struct ParamPlans {
    pub(super) plan: Arc<Plan>,
    pub(super) adapter: Arc<Adapter>,
}

/// The checks of a procedure's parameters, in their order.
struct CompiledChecks {
    by_param: Vec<ParamCheck>,
    /// True if no constraint is left unchecked.
    enforce_all: bool,
}

impl<'c> Enforcer<'c> {
    pub(super) fn new(components: &'c Components, complete: bool, limits: &Limits) -> Self {
        Self {
            complete,
            components,
            compiler: Compiler::new(&components.schemas).max_text_bytes(limits.max_body_bytes),
            plans: HashMap::new(),
        }
    }

    /// Returns the plan for binding the parameters of a procedure, and the adapter for those of a
    /// query.
    pub(super) fn plan(&mut self, draft: &Draft, findings: &mut Findings) -> ParamPlans {
        let description = &draft.callee.description;
        let address = Arc::as_ptr(&draft.params).addr();
        if description.unchecked.is_none()
            && let Some(known) = self.plans.get(&address)
            && are_named_alike(&known.params, &description.params)
            && known.by_name_only == description.by_name_only
            && known.ignores_unknown == description.ignores_unknown
        {
            return known.plans.clone();
        }
        let checks = self.checks(draft, findings);
        if description.unchecked.is_some() && checks.enforce_all && !has_doubts(draft) {
            findings.warning(
                &description.name,
                "unchecked has no effect, because every constraint of the parameters is enforced; remove it",
            );
        }
        let parameters = description.params.iter().zip(checks.by_param);
        let mut plan = Plan::new(parameters, description.by_name_only);
        plan.ignores_unknown = description.ignores_unknown;
        let adapter = Adapter::new(&description.params, &mut self.compiler);
        let plans = ParamPlans {
            plan: Arc::new(plan),
            adapter: Arc::new(adapter),
        };
        // A type with mistakes is compiled again, so that each of its procedures reports them.
        if description.unchecked.is_none() && checks.enforce_all {
            let shared = SharedPlan {
                _schema: Arc::clone(&draft.params),
                params: description.params.clone(),
                by_name_only: description.by_name_only,
                ignores_unknown: description.ignores_unknown,
                plans: plans.clone(),
            };
            self.plans.insert(address, shared);
        }
        plans
    }

    /// Compiles the checks of a procedure's parameters. A schema that cannot be enforced is a mistake, unless the
    /// handler checks its parameters itself.
    fn checks(&mut self, draft: &Draft, findings: &mut Findings) -> CompiledChecks {
        let description = &draft.callee.description;
        let loose: &[bool] = match &*draft.params {
            Ok(schema) => &schema.loose,
            Err(_) => &[],
        };
        let mut checks = CompiledChecks {
            by_param: Vec::with_capacity(description.params.len()),
            enforce_all: true,
        };
        for (index, param) in description.params.iter().enumerate() {
            let check = if !self.is_known(&param.schema) {
                None
            } else if description.unchecked.is_some() {
                checks.enforce_all &= self.compiler.compile(&param.schema).is_ok();
                Some(self.compiler.compile_leniently(&param.schema))
            } else {
                match self.compiler.compile(&param.schema) {
                    Ok(check) => Some(check),
                    Err(reasons) => {
                        checks.enforce_all = false;
                        for reason in reasons {
                            findings.mistake(&description.name, unenforceable(param, &reason));
                        }
                        None
                    }
                }
            };
            let extent = if loose.get(index) == Some(&true) {
                CheckExtent::Everything
            } else if self.compiler.asserts_beyond_decoding(&param.schema) {
                CheckExtent::BeyondDecoding
            } else {
                CheckExtent::Nothing
            };
            checks.by_param.push(ParamCheck { check, extent });
        }
        checks
    }

    /// Returns whether all components that a schema refers to are known.
    fn is_known(&self, schema: &Json) -> bool {
        self.complete || all_references(schema, &|_| false)
    }

    /// Returns the result that the examples of a type make, or `None` if a part of it has none.
    pub(super) fn written_result(&self, schema: &Json) -> Option<Json> {
        if !self.is_known(schema) {
            return None;
        }
        let schemas = &self.components.schemas;
        let views = SchemaViews::new(SchemaContext::new(schemas, Some(&[])));
        Examples::new(schemas)
            .only_written()
            .value_for(views.view_of_schema(schema), Some(Side::Output))
    }

    /// Checks that a value matches a schema, as far as the schema can be checked.
    pub(super) fn matches(&mut self, schema: &Json, value: &Json) -> Result<(), String> {
        // The schema of a result may have constraints that cannot be enforced.
        match self.is_known(schema).then(|| self.compiler.compile(schema)) {
            Some(Ok(check)) => check
                .check(&value.to_string())
                .map_err(|violation| violation.to_string()),
            _ => Ok(()),
        }
    }
}

/// Returns whether a part of the parameters' schemas may not say what their types accept.
fn has_doubts(draft: &Draft) -> bool {
    matches!(&*draft.params, Ok(schema) if !schema.doubts.is_empty())
}

/// Returns the mistake in the schema of a parameter that cannot be enforced for this reason.
fn unenforceable(param: &ParamDescription, reason: &impl Display) -> String {
    format!(
        "parameter `{}`: {reason}; remove it from the schema, or call `.unchecked(reason)` on the procedure",
        param.name
    )
}

/// Returns whether two procedures that take the same type give its parameters the same names. Nothing else
/// can differ, and comparing schemas would take almost half of the time of `build()`.
fn are_named_alike(params: &[ParamDescription], others: &[ParamDescription]) -> bool {
    params.len() == others.len()
        && params
            .iter()
            .zip(others)
            .all(|(param, other)| param.name == other.name && param.aliases == other.aliases)
}
