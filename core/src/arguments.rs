//! The parameters of a call, for callers that know only the description of the procedure.
//!
//! Tools and agents have names and values, not a type. This binds them with the same rules as a
//! call's parameters, but never decodes them: the types belong to the service, which may run
//! elsewhere.

use docent_describe::json::Json;
use docent_describe::schema::SchemaContext;
use docent_describe::schema::check::Compiler;
use docent_describe::{ProcedureDescription, ServiceDescription};
use serde::de::IgnoredAny;

use crate::bind::{self, Adapter, Argument, BindError, ParamCheck, Plan, Problems};
use crate::fault::Fault;

/// Builds and checks the parameters of a call from the description of its procedure.
///
/// For tools that call a service by its description, without its types. Text is converted as in a
/// query, and parameters that the service would reject are found before the call.
///
/// ```
/// use docent_core::{Argument, Arguments};
/// # use docent::{Fault, Service, procedure};
/// # /// Finds books.
/// # #[procedure(idempotent)]
/// # fn find(words: Vec<String>, #[schemars(range(min = 1))] limit: u32) -> Result<u32, Fault> {
/// #     Ok(limit + words.len() as u32)
/// # }
/// # let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c1f")
/// #     .procedure(find::procedure())
/// #     .build()?;
/// # let description = service.description();
///
/// let arguments = Arguments::new(&description.procs[0], description);
/// let params = arguments.params([
///     ("words", Argument::Text("moby")),
///     ("words", Argument::Text("12")),
///     ("limit", Argument::Json("5")),
/// ])?;
/// assert_eq!(params, r#"{"words":["moby","12"],"limit":5}"#);
/// arguments.check(&params)?;
///
/// let refused = arguments.check(r#"{"words": [], "limit": 0}"#).unwrap_err();
/// assert!(refused.data().unwrap().contains("found 0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Arguments {
    plan: Plan,
    adapter: Adapter,
}

impl Arguments {
    /// Prepares the parameters of `procedure`, one of the procedures of `service`.
    ///
    /// Two things are left to the service: constraints that Docent cannot check, and formats that the
    /// description does not list as enforced.
    pub fn new(procedure: &ProcedureDescription, service: &ServiceDescription) -> Self {
        Self::compile(procedure, &mut compiler(service))
    }

    /// Prepares the parameters of each procedure of `service`, in order. Types that procedures share are
    /// read only once.
    pub fn of_all(service: &ServiceDescription) -> impl Iterator<Item = Self> {
        let mut compiler = compiler(service);
        service
            .procs
            .iter()
            .map(move |procedure| Self::compile(procedure, &mut compiler))
    }

    fn compile(procedure: &ProcedureDescription, compiler: &mut Compiler<'_>) -> Self {
        let mut parameters = Vec::with_capacity(procedure.params.len());
        for param in &procedure.params {
            let check = compiler.compile_leniently(&param.schema);
            parameters.push((param, ParamCheck::from(Some(check))));
        }
        let mut plan = Plan::new(parameters, procedure.by_name_only);
        plan.ignores_unknown = procedure.ignores_unknown;
        Self {
            plan,
            adapter: Adapter::new(&procedure.params, compiler),
        }
    }

    /// Builds the `params` of a call as JSON text: an object, or an array for a procedure that takes a
    /// list.
    ///
    /// A name of digits is a position, as in a query. A name that is repeated makes an array. The values
    /// are converted but not checked; see [`check`](Self::check).
    ///
    /// # Errors
    /// Returns an Invalid params error (-32602) for an unknown name (unless the procedure ignores them), a
    /// parameter that must not be repeated, a position that does not exist, or text for a parameter that
    /// takes only JSON. It also reports the other problems of the parameters, such as those that are missing.
    pub fn params<'a>(
        &self,
        arguments: impl IntoIterator<Item = (&'a str, Argument<'a>)>,
    ) -> Result<String, Fault> {
        let mut problems = Problems::default();
        let mut well_formed = Vec::new();
        for (name, argument) in arguments {
            match argument {
                Argument::Json(text) if text.parse::<Json>().is_err() => {
                    problems.push(BindError::new("not well-formed JSON").for_parameter(name));
                }
                argument => well_formed.push((name, argument)),
            }
        }
        let adapted = self
            .adapter
            .adapt_arguments(&self.plan, &well_formed, problems)?;
        if adapted.problems.is_empty() {
            return Ok(adapted.params);
        }
        let error = bind::invalid_params(&self.plan, Some(&adapted.params), adapted.problems);
        Err(error.into())
    }

    /// Checks the `params` of a call, given as JSON text.
    ///
    /// # Errors
    /// Returns the error that the service would return: Invalid params (-32602), with the parameter,
    /// the pointer in it and the reason as data.
    pub fn check(&self, params: &str) -> Result<(), Fault> {
        let text = params.trim();
        let params = match text.parse::<Json>() {
            Ok(Json::Array(_) | Json::Object(_)) => Some(text),
            // Null stands for no parameters.
            Ok(Json::Null) => None,
            Ok(other) => {
                let reason = format!("params are an array or an object, not {}", other.kind());
                return Err(BindError::new(reason).into());
            }
            Err(error) => return Err(BindError::new(format!("params: {error}")).into()),
        };
        bind::bind::<IgnoredAny>(&self.plan, params)?;
        Ok(())
    }
}

/// Returns a compiler for the parameters of a service's procedures.
fn compiler(service: &ServiceDescription) -> Compiler<'_> {
    let SchemaContext {
        components,
        enforced_formats,
        ..
    } = SchemaContext::from(service);
    Compiler::new(components).for_tools(enforced_formats.or(Some(&[])))
}
