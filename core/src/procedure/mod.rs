//! Procedures as values: a handler with everything that its types and its author declare about it.
//!
//! ```text
//! Procedure::new("lend", lend)      handler, and functions that describe its types
//!     .timeout(…).example(…)        options, each in the file of its subject
//!     .bind(state)                  RegisteredProcedure, which has no type parameters
//! ```
//!
//! A constructor is generic over the handler, and turns its types into functions at once: how to start it ([`Invoke`]), and
//! how to describe its parameters, its result and its errors ([`HandlerTypes`]). Everything after it is compiled once, and not for
//! each procedure. Schemas stay functions until `build()`, so that a type that many procedures share is described once.
//!
//! Options only note what the author wants ([`ProcedureOptions`]). `build()` decides whether they fit together, because an option may
//! depend on one that comes later, or on the service, and an author wants to see all mistakes at once.
//!
//! A handler is a plain function of a context and one value. Extractors, as web frameworks have them, would need a trait
//! for each number of arguments, and the compiler could not say which argument is wrong.

mod create;
mod description;
mod etag;
mod examples;
mod handler;
#[cfg(feature = "keys")]
mod keys;
mod parameters;
mod queue;
#[cfg(feature = "rate-limits")]
mod rate;
mod rules;
#[cfg(feature = "mcp")]
mod tool;

use std::any::TypeId;
use std::sync::Arc;
use std::time::Duration;

use docent_describe::ProcedureDescription;
use docent_describe::json::Object;
use docent_describe::schema::{ParamsSchema, ReturnSchema, SchemaProblem};

use handler::Handler;
pub(crate) use handler::{Invoke, Started};

use crate::caller::CallerRequirement;
use crate::errors::ErrorList;

/// A procedure: a handler and its description.
///
/// The handler takes a context and one value with the parameters, and returns a `Result`. The
/// parameters are the fields of a struct that derives `Deserialize` and `JsonSchema`; use `()` for
/// no parameters, and `Vec<T>` for any number of values. The documentation comments of the struct
/// become the documentation of the procedure.
///
/// ```
/// use docent::{Cx, Fault, Procedure, Service};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// /// Adds two numbers.
/// #[derive(Deserialize, JsonSchema)]
/// struct Sum {
///     /// Left addend.
///     a: f64,
///     /// Right addend.
///     b: f64,
/// }
///
/// let sum = Procedure::sync("sum", |_: Cx, p: Sum| Ok::<_, Fault>(p.a + p.b))
///     .idempotent()
///     .example([1, 2], 3.0);
///
/// let service = Service::builder("calculator", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c13")
///     .procedure(sum)
///     .build()?;
/// let description = &service.description().procs[0];
/// assert_eq!(description.summary.as_deref(), Some("Adds two numbers."));
/// assert_eq!(description.params[1].name, "b");
/// # Ok::<(), docent::BuildError>(())
/// ```
#[must_use = "a procedure does nothing until it is added to a service"]
pub struct Procedure<S = ()> {
    pub(crate) name: String,
    pub(crate) handler: Handler<S>,
    pub(crate) types: HandlerTypes,
    pub(crate) options: ProcedureOptions,
}

/// A procedure with its state.
pub(crate) struct RegisteredProcedure {
    pub(crate) name: String,
    pub(crate) handler: Arc<dyn Invoke>,
    pub(crate) types: HandlerTypes,
    pub(crate) options: ProcedureOptions,
}

/// The facts about a procedure that its handler's types tell. Schemas are functions, so that `build()` evaluates each
/// type once.
pub(crate) struct HandlerTypes {
    pub(crate) params_type: TypeId,
    pub(crate) params: fn() -> Result<ParamsSchema, Vec<SchemaProblem>>,
    pub(crate) returns: fn() -> Result<ReturnSchema, Vec<SchemaProblem>>,
    pub(crate) errors: ErrorList,
    /// Set if results have a type whose values always match its schema.
    pub(crate) has_plain_result: bool,
    /// Set if the handler keeps its outcome in a transaction of its own.
    #[cfg(feature = "keys")]
    pub(crate) returns_once: bool,
    /// The type of caller that the handler takes.
    pub(crate) caller: Option<CallerRequirement>,
}

/// Returns the name of a procedure's tool, if the author chose no other.
pub(crate) fn tool_name(procedure: &str) -> String {
    procedure.replace('.', "_")
}

/// A number of calls that each caller may make in a time.
#[cfg(feature = "rate-limits")]
pub(crate) struct CallRate {
    pub(crate) calls: u32,
    pub(crate) per: Duration,
}

/// The options of a procedure, as its author has set them.
#[derive(Default)]
pub(crate) struct ProcedureOptions {
    /// The members of the description that the author sets. `build()` adds the others.
    pub(crate) described: ProcedureDescription,
    /// The text that replaces the documentation of the parameters.
    pub(crate) documentation: Option<String>,
    /// The reason for which it is idempotent although its name says that calls change something.
    pub(crate) idempotent_because: Option<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_concurrent: Option<usize>,
    #[cfg(feature = "rate-limits")]
    pub(crate) rate: Option<CallRate>,
    pub(crate) cache_for: Option<Duration>,
    pub(crate) shared_cache: bool,
    /// Set if results have a version that is known before the handler runs.
    pub(crate) has_version: bool,
    #[cfg(feature = "keys")]
    pub(crate) keys_without_caller: bool,
    pub(crate) scopes: Vec<String>,
    pub(crate) list_name: Option<String>,
    /// The names of the parameters in positional order, if the author lists them.
    pub(crate) order: Option<Vec<String>>,
    /// Pairs of a parameter and another name for it.
    pub(crate) aliases: Vec<(String, String)>,
    pub(crate) returns: Option<String>,
    /// The name of the procedure as a tool, if it is one.
    pub(crate) tool: Option<String>,
    /// Further hints for clients about the tool.
    pub(crate) tool_hints: Object,
    /// The mistakes of the registration itself. `build()` reports them.
    pub(crate) mistakes: Vec<String>,
}

impl<S> Procedure<S> {
    /// Returns the name of the procedure.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl<S> std::fmt::Debug for Procedure<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Procedure")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
