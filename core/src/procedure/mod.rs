//! Procedures as values: a handler with everything that its types and its author say about it.

mod handler;
mod handover;
mod queue;
mod task;
#[cfg(feature = "mcp")]
mod tool;

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use docent_describe::json::{Json, Object};
use docent_describe::schema::{self, ParamsShape, ReturnShape, ShapeProblem};
use docent_describe::{Deprecation, Example, split_documentation};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use handler::{Asynchronous, Blocking, Handler, Rendering, Synchronous};
pub(crate) use handler::{Invoke, Unbound};
pub(crate) use task::{Because, Stage, Task};

use crate::call::Cx;
use crate::caller::{CallerArg, Wanted};
use crate::errors::{ErrorList, RpcError};
use crate::fault::Fault;

/// A procedure: a handler and its description.
///
/// The handler takes a context and one value with the parameters, and returns a `Result`. The
/// parameters are the fields of a struct that derives `Deserialize` and `JsonSchema`; use `()` for
/// no parameters, and `Vec<T>` for any number of values. The documentation comments of the struct
/// become the documentation of the procedure.
///
/// ```
/// use docent_core::{Cx, Fault, Procedure, Service};
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
/// # Ok::<(), docent_core::BuildError>(())
/// ```
#[must_use = "a procedure does nothing until it is added to a service"]
pub struct Procedure<S = ()> {
    pub(crate) name: String,
    pub(crate) handler: Handler<S>,
    pub(crate) types: Types,
    pub(crate) about: About,
}

/// A procedure with its state.
pub(crate) struct Registered {
    pub(crate) name: String,
    pub(crate) handler: Arc<dyn Invoke>,
    pub(crate) types: Types,
    pub(crate) about: About,
}

/// What the handler's types say, as functions, so that `build()` evaluates each type once.
pub(crate) struct Types {
    pub(crate) params: fn() -> Result<ParamsShape, Vec<ShapeProblem>>,
    pub(crate) returns: fn() -> Result<ReturnShape, Vec<ShapeProblem>>,
    pub(crate) errors: ErrorList,
    /// The caller that the handler asks for.
    pub(crate) caller: Option<Wanted>,
}

/// What the author says.
#[expect(clippy::struct_excessive_bools, reason = "a setter each")]
#[derive(Default)]
pub(crate) struct About {
    pub(crate) summary: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) idempotent: bool,
    pub(crate) notification: bool,
    pub(crate) tags: Vec<String>,
    pub(crate) examples: Vec<Example>,
    pub(crate) deprecated: Option<Deprecation>,
    pub(crate) unchecked: Option<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_concurrent: Option<usize>,
    #[cfg(feature = "rate-limits")]
    pub(crate) rate: Option<(u32, Duration)>,
    pub(crate) cache_for: Option<Duration>,
    pub(crate) shared_cache: bool,
    pub(crate) repeatable: Option<Duration>,
    pub(crate) keys_without_caller: bool,
    pub(crate) scopes: Vec<String>,
    pub(crate) list_name: Option<String>,
    pub(crate) by_name_only: bool,
    /// The names of the parameters in positional order, where the author lists them.
    pub(crate) order: Option<Vec<String>>,
    /// Parameters, and their other names.
    pub(crate) aliases: Vec<(String, String)>,
    pub(crate) returns: Option<String>,
    /// The name of the tool that the procedure is.
    pub(crate) tool: Option<String>,
    /// What is wrong with the registration itself. `build()` reports it.
    pub(crate) mistakes: Vec<String>,
}

// The compiler shows the lines of the bounds where a handler does not fit, with their comments.
impl<S: Send + Sync + 'static> Procedure<S> {
    /// Creates a procedure with an async handler.
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, Procedure};
    /// async fn load(_: Cx, id: [u32; 1]) -> Result<String, Fault> {
    ///     // Wait for a database or another service here.
    ///     Ok(format!("book {}", id[0]))
    /// }
    ///
    /// let procedure: Procedure = Procedure::new("book.load", load);
    /// assert_eq!(procedure.name(), "book.load");
    /// ```
    pub fn new<P, R, E, F, Fut, U>(name: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Cx<S, U>, P) -> Fut + Send + Sync + 'static, // `async fn(Cx, Params)`
        Fut: Future<Output = Result<R, E>> + Send + 'static, // not async: `Procedure::sync`
        P: DeserializeOwned + JsonSchema + 'static,        // derive `Deserialize` and `JsonSchema`
        R: Serialize + JsonSchema,                         // derive `Serialize` and `JsonSchema`
        E: RpcError,
        U: CallerArg,
    {
        let handler = Asynchronous(handler, PhantomData::<fn(P, U)>);
        Self::assemble(
            name.into(),
            Box::new(handler),
            Types::of::<P, R, E>(U::wanted()),
        )
    }

    /// Creates a procedure with a synchronous handler. It runs on the thread that serves the
    /// request, so it must not block; no timeout can interrupt it.
    pub fn sync<P, R, E, F, U>(name: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Cx<S, U>, P) -> Result<R, E> + Send + Sync + 'static, // async: `Procedure::new`
        P: DeserializeOwned + JsonSchema + 'static, // derive `Deserialize` and `JsonSchema`
        R: Serialize + JsonSchema,                  // derive `Serialize` and `JsonSchema`
        E: RpcError,
        U: CallerArg,
    {
        let handler = Synchronous(handler, PhantomData::<fn(P, U)>);
        Self::assemble(
            name.into(),
            Box::new(handler),
            Types::of::<P, R, E>(U::wanted()),
        )
    }

    /// Creates a procedure whose results are JSON text that is sent as it is.
    pub(crate) fn rendered<P, R, F>(name: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Cx<S>, P) -> Result<R, Fault> + Send + Sync + 'static,
        P: DeserializeOwned + JsonSchema + 'static,
        R: Into<Bytes> + JsonSchema,
    {
        let handler = Rendering(handler, PhantomData::<fn(P)>);
        Self::assemble(
            name.into(),
            Box::new(handler),
            Types::of::<P, R, Fault>(None),
        )
    }

    /// Creates a procedure with a handler that may block. It runs on a separate thread, and
    /// continues there after a timeout unless it checks [`Cx::is_cancelled`].
    ///
    /// The time that a call waits for a thread counts toward its timeout. A call that times out
    /// before it starts never runs, and neither does an idempotent call whose caller has
    /// disconnected.
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, Procedure};
    /// fn count_lines(_: Cx, (): ()) -> Result<usize, Fault> {
    ///     let text = std::fs::read_to_string("Cargo.toml").map_err(Fault::internal)?;
    ///     Ok(text.lines().count())
    /// }
    ///
    /// let procedure: Procedure = Procedure::blocking("count_lines", count_lines);
    /// # let _ = procedure;
    /// ```
    pub fn blocking<P, R, E, F, U>(name: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Cx<S, U>, P) -> Result<R, E> + Send + Sync + 'static, // async: `Procedure::new`
        P: DeserializeOwned + JsonSchema + Send + 'static, // derive `Deserialize`, `JsonSchema`
        R: Serialize + JsonSchema,                         // derive `Serialize` and `JsonSchema`
        E: RpcError,
        U: CallerArg,
    {
        let handler = Blocking(Arc::new(handler), PhantomData::<fn(P, U)>);
        Self::assemble(
            name.into(),
            Box::new(handler),
            Types::of::<P, R, E>(U::wanted()),
        )
    }

    /// Gives the procedure its state, so that it can be added to a service with any other state.
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// let greet = Procedure::sync("greet", |cx: Cx<&'static str>, (): ()| {
    ///     Ok::<_, Fault>(format!("Hello from {}", cx.state()))
    /// });
    ///
    /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c1b")
    ///     .procedure(greet.with_state("the museum"))
    ///     .build()?;
    /// # assert_eq!(service.description().procs[0].name, "greet");
    /// # Ok::<(), docent_core::BuildError>(())
    /// ```
    pub fn with_state<T>(self, state: impl Into<Arc<S>>) -> Procedure<T> {
        let Self {
            name,
            handler,
            types,
            about,
        } = self;
        Procedure {
            name,
            handler: Handler::Bound(handler.with_state(state.into())),
            types,
            about,
        }
    }

    pub(crate) fn bind(self, state: Arc<S>) -> Registered {
        let Self {
            name,
            handler,
            types,
            about,
        } = self;
        Registered {
            name,
            handler: handler.with_state(state).into(),
            types,
            about,
        }
    }

    fn assemble(name: String, handler: Box<dyn Unbound<S>>, types: Types) -> Self {
        Self {
            name,
            handler: Handler::Unbound(handler),
            types,
            about: About::default(),
        }
    }
}

impl Types {
    fn of<P, R, E>(caller: Option<Wanted>) -> Self
    where
        P: DeserializeOwned + JsonSchema,
        R: JsonSchema,
        E: RpcError,
    {
        let mut errors = ErrorList::default();
        E::declare(&mut errors);
        Self {
            params: schema::params_of::<P>,
            returns: schema::return_of::<R>,
            errors,
            caller,
        }
    }
}

impl<S> Procedure<S> {
    /// Marks the procedure as safe and idempotent (JSON-RPC 1.1, section 6.3.2): it changes nothing
    /// on the server, so callers may use GET.
    pub fn idempotent(mut self) -> Self {
        self.about.idempotent = true;
        self
    }

    /// Sets the summary, one sentence. By default, it is the first paragraph of the documentation
    /// of the parameters.
    pub fn summary(mut self, sentence: impl Into<String>) -> Self {
        self.about.summary = Some(sentence.into());
        self
    }

    /// Sets the description, in Markdown. By default, it is the rest of the documentation of the
    /// parameters.
    pub fn description(mut self, markdown: impl Into<String>) -> Self {
        self.about.description = Some(markdown.into());
        self
    }

    /// Documents the procedure in Markdown: the first paragraph is the summary, and the rest is the
    /// description. It replaces the documentation of the parameters.
    pub fn documentation(mut self, markdown: &str) -> Self {
        let (summary, description) = split_documentation(markdown);
        self.about.summary = summary;
        self.about.description = description;
        self
    }

    /// Describes the result, in Markdown.
    pub fn returns(mut self, markdown: impl Into<String>) -> Self {
        self.about.returns = Some(markdown.into());
        self
    }

    /// Adds the procedure to a group.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.about.tags.push(tag.into());
        self
    }

    /// Adds an example: parameters and a result. `build()` checks that the parameters decode and
    /// that the result matches the description. It does not run the handler.
    pub fn example(self, params: impl Serialize, result: impl Serialize) -> Self {
        self.example_titled(None, params, result)
    }

    /// Adds an example with a summary.
    pub fn example_with_summary(
        self,
        summary: impl Into<String>,
        params: impl Serialize,
        result: impl Serialize,
    ) -> Self {
        self.example_titled(Some(summary.into()), params, result)
    }

    /// Adds an example of a call that fails: parameters, the error code, and its `data` (`()` for
    /// none).
    ///
    /// `build()` checks that the code is declared, that the data has the declared type, and that
    /// the parameters decode. The message is taken from the declaration. The code -32602 needs no
    /// declaration: if the parameters do not decode, leave the data out, and Docent fills it in; if
    /// they do, the handler must reject them, and the data must be that of
    /// [`Fault::invalid_params`](crate::Fault::invalid_params).
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// let lend = Procedure::sync("lend", |_: Cx, _: Vec<u32>| Err::<(), _>(Fault::new(1404, "No such book")))
    ///     .error(1404, "No such book")
    ///     .example_error([7], 1404, ());
    ///
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c14")
    ///     .procedure(lend)
    ///     .build()?;
    /// assert_eq!(service.description().procs[0].examples.len(), 1);
    /// # Ok::<(), docent_core::BuildError>(())
    /// ```
    pub fn example_error(self, params: impl Serialize, code: i64, data: impl Serialize) -> Self {
        self.failure_titled(None, params, code, data)
    }

    /// Adds an example of a call that fails, with a summary.
    pub fn example_error_with_summary(
        self,
        summary: impl Into<String>,
        params: impl Serialize,
        code: i64,
        data: impl Serialize,
    ) -> Self {
        self.failure_titled(Some(summary.into()), params, code, data)
    }

    fn example_titled(
        self,
        summary: Option<String>,
        params: impl Serialize,
        result: impl Serialize,
    ) -> Self {
        self.add_example(summary, &params, &result, |result| Example {
            result: Some(result),
            ..Example::default()
        })
    }

    fn failure_titled(
        self,
        summary: Option<String>,
        params: impl Serialize,
        code: i64,
        data: impl Serialize,
    ) -> Self {
        self.add_example(summary, &params, &data, |data| {
            let mut error = Object::new();
            // The message is added once all errors are known.
            error.insert("code".to_owned(), Json::from(code));
            if !matches!(data, Json::Null) {
                error.insert("data".to_owned(), data);
            }
            Example {
                error: Some(Json::Object(error)),
                ..Example::default()
            }
        })
    }

    fn add_example(
        mut self,
        summary: Option<String>,
        params: &impl Serialize,
        outcome: &impl Serialize,
        example: impl FnOnce(Json) -> Example,
    ) -> Self {
        match (to_json(params), to_json(outcome)) {
            (Ok(params), Ok(outcome)) => self.about.examples.push(Example {
                summary,
                params: (!matches!(params, Json::Null)).then_some(params),
                ..example(outcome)
            }),
            (params, outcome) => {
                let errors = [params.err(), outcome.err()].into_iter().flatten();
                let mistakes =
                    errors.map(|error| format!("an example cannot be written as JSON: {error}"));
                self.about.mistakes.extend(mistakes);
            }
        }
        self
    }

    /// Declares an error without data that the handler returns as a [`Fault`](crate::Fault).
    pub fn error(mut self, code: i64, message: &str) -> Self {
        let _ = self.types.errors.add(code, message);
        self
    }

    /// Declares an error with data of type `D`.
    pub fn error_with_data<D: JsonSchema>(mut self, code: i64, message: &str) -> Self {
        let _ = self.types.errors.add(code, message).data::<D>();
        self
    }

    /// Declares that the handler may return any code that is not [reserved](crate::code::RESERVED),
    /// and those that are [left to servers](crate::code::is_implementation_defined).
    pub fn errors_open(mut self) -> Self {
        self.types.errors.open();
        self
    }

    /// Documents that the procedure is meant to be called without an `id`.
    pub fn notification(mut self) -> Self {
        self.about.notification = true;
        self
    }

    /// Marks the procedure as deprecated.
    pub fn deprecated(mut self, deprecation: Deprecation) -> Self {
        self.about.deprecated = Some(deprecation);
        self
    }

    /// Sets the timeout, in place of the service's. The caller gets -32001 after it. A procedure
    /// that is not idempotent still runs to completion, and counts as running until then.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.about.timeout = Some(timeout);
        self
    }

    /// Limits how many calls of the procedure run at the same time, beside the
    /// [limit of the service](crate::Limits::max_concurrent_calls). Others get -32002. Calls count from
    /// when the guards and the authenticator have accepted them.
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// let report = Procedure::blocking("report", |_: Cx, (): ()| Ok::<_, Fault>("as expected"));
    /// let service = Service::builder("sales", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c23")
    ///     .procedure(report.max_concurrent(2))
    ///     .build()?;
    /// let limits = service.description().procs[0].limits.as_ref().unwrap();
    /// assert_eq!(limits.concurrent, Some(2));
    /// # Ok::<(), docent_core::BuildError>(())
    /// ```
    pub fn max_concurrent(mut self, calls: usize) -> Self {
        self.about.max_concurrent = Some(calls);
        self
    }

    /// Limits how often each caller may call the procedure. Others get -32008, with the seconds to wait
    /// in `data.retryAfter`.
    ///
    /// A caller may make all `calls` at once. From then on, one more is accepted each time that the
    /// time for one call (`per` divided by `calls`) has passed. Callers are told apart by
    /// [`Identity::id`](crate::Identity::id) if the procedure knows its caller, and otherwise by the
    /// [address](crate::Extensions::client_address) that they call from: for IPv6, by its /64 network.
    /// Calls without an address count together. Calls that a guard or the authenticator rejects do
    /// not count.
    ///
    /// A service without a [runtime](crate::Runtime) has no clock and accepts every call.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// let search = Procedure::sync("search", |_: Cx, _: Vec<String>| Ok::<_, Fault>("Moby-Dick"));
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c24")
    ///     .procedure(search.rate(100, Duration::from_secs(60)))
    ///     .build()?;
    /// let limits = service.description().procs[0].limits.as_ref().unwrap();
    /// assert_eq!(limits.rate.as_ref().unwrap().calls, 100);
    /// # Ok::<(), docent_core::BuildError>(())
    /// ```
    #[cfg(feature = "rate-limits")]
    pub fn rate(mut self, calls: u32, per: Duration) -> Self {
        self.about.rate = Some((calls, per));
        self
    }

    /// Lets callers repeat a call safely if they have lost its response: the procedure does not run
    /// again, and they get the same result or error. For procedures that are not
    /// [idempotent](Self::idempotent).
    ///
    /// The caller gives the call a key of its own: in the member `x-idempotency-key` of a 2.0
    /// request, or in the field `Idempotency-Key` (over HTTP, a header field) of a request that is
    /// not a batch. A call with the same key and the same parameters is a repetition of the first,
    /// for at least this long after that has ended. Before it has ended, repetitions get -32009; a
    /// call with the same key that asks for something else gets -32010. Guards decide on each
    /// repetition. Outcomes are in the service's [store](crate::ServiceBuilder::key_store).
    ///
    /// A key belongs to its caller, whom the service's
    /// [authenticator](crate::ServiceBuilder::authenticate) must know: `build()` returns an error for
    /// a procedure that anyone may call, unless it has
    /// [`keys_without_caller`](Self::keys_without_caller).
    ///
    /// What is not kept: errors of calls that did not run, such as -32602 or those of guards, and
    /// errors that are [declared](crate::DeclaredError::retry) with `retry = true`. A call that is
    /// repeated after one of these runs. If the handler panics, repetitions get the same -32603,
    /// whose `data.outcome` is `unknown`.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// let pay = Procedure::sync("pay", |_: Cx, p: Vec<u32>| Ok::<_, Fault>(p.len()));
    /// let service = Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c30")
    ///     .procedure(pay.repeatable(Duration::from_secs(86_400)).keys_without_caller())
    ///     .build()?;
    /// assert!(service.description().procs[0].repeatable.is_some());
    /// # Ok::<(), docent_core::BuildError>(())
    /// ```
    pub fn repeatable(mut self, time: Duration) -> Self {
        self.about.repeatable = Some(time);
        self
    }

    /// Lets callers that the service does not know repeat calls of a
    /// [repeatable](Self::repeatable) procedure.
    ///
    /// Keys then belong to nobody: whoever sends a key that another caller has used, with the same
    /// parameters, gets that caller's result. Use it only if results are not secret, or if keys
    /// cannot be guessed and callers are trusted to make them so.
    pub fn keys_without_caller(mut self) -> Self {
        self.about.keys_without_caller = true;
        self
    }

    /// Sets how long caches may use the result of a query (over HTTP, a GET) without revalidating
    /// it. Without this, caches revalidate before each use.
    pub fn cache_for(mut self, age: Duration) -> Self {
        self.about.cache_for = Some(age);
        self
    }

    /// Declares that every caller that the guards accept gets the same result, so a shared cache
    /// may store it, whatever credentials the caller sent. Without this, only the caller's own cache
    /// stores results behind a guard.
    ///
    /// `build()` returns an error if a guard of the procedure does not declare what it
    /// [reads](crate::Guard::reads), because a cache would bypass it. The handler learns nothing
    /// about the caller: its only [extension](Cx::extension) is the trace.
    pub fn shared_cache(mut self) -> Self {
        self.about.shared_cache = true;
        self
    }

    /// Requires that the caller has this scope or role ([`Identity::has_scope`]). Others get 403. Call
    /// this several times to require several. The service needs an
    /// [authenticator](crate::ServiceBuilder::authenticate).
    ///
    /// [`Identity::has_scope`]: crate::Identity::has_scope
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.about.scopes.push(scope.into());
        self
    }

    /// Sets the name of the parameter if the procedure takes a list. The default is `values`.
    pub fn list_name(mut self, name: impl Into<String>) -> Self {
        self.about.list_name = Some(name.into());
        self
    }

    /// Lets callers pass the parameters by name only. Required parameters may then follow optional
    /// ones.
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Find {
    ///     language: Option<String>,
    ///     words: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let find = Procedure::sync("find", |_: Cx, p: Find| Ok::<_, Fault>((p.language, p.words)));
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c20")
    ///     .procedure(find.by_name_only())
    ///     .build()?;
    /// let refused = service.call::<()>("find", &["en", "whale"]).await.unwrap_err();
    /// assert_eq!(refused.code(), Some(-32602));
    /// # Ok(())
    /// # }
    /// ```
    pub fn by_name_only(mut self) -> Self {
        self.about.by_name_only = true;
        self
    }

    /// Sets the positional order of the parameters: all of their names, required ones first.
    ///
    /// By default, it is the order of the fields. A flattened field hides that order: its procedure
    /// then takes parameters by name only, unless you set an order.
    pub fn order(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.about.order = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Keeps another name for a parameter, such as the one that it had before. The description lists
    /// it as deprecated. A call that uses both names is rejected.
    ///
    /// `#[serde(alias = "…")]` on a field does the same, unless the struct has a flattened field.
    pub fn alias(mut self, parameter: impl Into<String>, alias: impl Into<String>) -> Self {
        self.about.aliases.push((parameter.into(), alias.into()));
        self
    }

    /// Allows the schema to have constraints that Docent cannot enforce, because the handler checks
    /// them. The reason is published.
    pub fn unchecked(mut self, reason: impl Into<String>) -> Self {
        self.about.unchecked = Some(reason.into());
        self
    }

    /// The name of the procedure.
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

/// Converts `value` to JSON and keeps the text of its numbers.
fn to_json(value: &impl Serialize) -> Result<Json, String> {
    let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
    text.parse()
        .map_err(|error: docent_describe::json::SyntaxError| error.to_string())
}
