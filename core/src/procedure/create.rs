//! The constructors, with the bounds that a handler must meet.
//!
//! The bounds are generic and the rest is not: a constructor turns the handler's types into
//! functions at once, so that each procedure compiles little code of its own.

use std::any::TypeId;
use std::sync::Arc;
use std::task::Context;

use bytes::Bytes;
use docent_describe::{SubscriptionDescription, schema};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::handler::{Started, conclude, handler, open, run_async, run_blocking, run_until};
use super::{HandlerTypes, Procedure, ProcedureOptions, RegisteredProcedure};
use crate::call::Cx;
use crate::caller::CallerArg;
use crate::errors::{ErrorList, RpcError};
use crate::fault::Fault;
#[cfg(feature = "keys")]
use crate::keys::is_once;
use crate::output::Output;
use crate::subscription::ItemSource;

// If a handler does not fit, the compiler shows the lines of the bounds with their comments.
impl<S: Send + Sync + 'static> Procedure<S> {
    /// Creates a procedure with an async handler.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure};
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
        R: Serialize + JsonSchema + 'static,               // derive `Serialize` and `JsonSchema`
        E: RpcError,
        U: CallerArg,
    {
        Self::assemble::<P, R, E, U>(name.into(), move |cx, params, output, waker| {
            run_async(handler(cx, params), output, waker)
        })
    }

    /// Creates a procedure with a synchronous handler. It runs on the thread that serves the
    /// request, so it must not block; no timeout can interrupt it.
    pub fn sync<P, R, E, F, U>(name: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Cx<S, U>, P) -> Result<R, E> + Send + Sync + 'static, // async: `Procedure::new`; here: `fn(Cx, Params)`
        P: DeserializeOwned + JsonSchema + 'static, // derive `Deserialize` and `JsonSchema`
        R: Serialize + JsonSchema + 'static,        // derive `Serialize` and `JsonSchema`
        E: RpcError,
        U: CallerArg,
    {
        Self::assemble::<P, R, E, U>(name.into(), move |cx, params, output, _| {
            conclude(output, handler(cx, params)).map(|()| None)
        })
    }

    /// Creates a procedure whose results are JSON text, which is sent without being copied.
    pub(crate) fn rendered<P, R, F>(name: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Cx<S>, P) -> Result<R, Fault> + Send + Sync + 'static,
        P: DeserializeOwned + JsonSchema + 'static,
        R: Into<Bytes> + JsonSchema + 'static,
    {
        Self::assemble::<P, R, Fault, ()>(name.into(), move |cx, params, output, _| {
            output
                .set_shared(handler(cx, params)?.into())
                .map(|()| None)
        })
    }

    /// Creates a procedure with a handler that may block. It runs on a separate thread, and
    /// continues there after a timeout, unless it checks [`Cx::is_cancelled`] and returns.
    ///
    /// The time that a call waits for a thread counts toward its timeout. A call that times out
    /// before it starts never runs. Nor does an idempotent call if its caller disconnects first.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure};
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
        F: Fn(Cx<S, U>, P) -> Result<R, E> + Send + Sync + 'static, // async: `Procedure::new`; here: `fn(Cx, Params)`
        P: DeserializeOwned + JsonSchema + Send + 'static, // derive `Deserialize`, `JsonSchema`
        R: Serialize + JsonSchema + 'static,               // derive `Serialize` and `JsonSchema`
        E: RpcError,
        U: CallerArg,
    {
        // It is shared, because every call sends it to a thread.
        let handler = Arc::new(handler);
        Self::assemble::<P, R, E, U>(name.into(), move |cx, params, output, waker| {
            let handler = Arc::clone(&handler);
            run_blocking(cx.call(), move || handler(cx, params), output, waker)
        })
    }

    /// Creates a subscription whose items are JSON text already. The handler gives their source.
    #[doc(hidden)]
    pub fn subscription<P, E, F, Fut, U>(name: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Cx<S, U>, P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<ItemSource, E>> + Send + 'static,
        P: DeserializeOwned + JsonSchema + 'static,
        E: RpcError,
        U: CallerArg,
    {
        Self::subscription_of::<P, serde_json::Value, E, F, Fut, U>(name.into(), handler)
    }

    /// Creates a subscription to items of the type `T`. The handler gives their source.
    pub(crate) fn subscription_of<P, T, E, F, Fut, U>(name: String, handler: F) -> Self
    where
        F: Fn(Cx<S, U>, P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<ItemSource, E>> + Send + 'static,
        P: DeserializeOwned + JsonSchema + 'static,
        T: JsonSchema + 'static,
        E: RpcError,
        U: CallerArg,
    {
        let mut procedure = Self::assemble::<P, T, E, U>(name, move |cx, params, output, waker| {
            let call = cx.call();
            run_until(
                handler(cx, params),
                |output, source| open::<E>(call, output, source),
                output,
                waker,
            )
        });
        procedure.options.described.subscription = Some(SubscriptionDescription::default());
        procedure
    }

    /// Gives the procedure its state, so that it can be added to a service with any other state.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// let greet = Procedure::sync("greet", |cx: Cx<&'static str>, (): ()| {
    ///     Ok::<_, Fault>(format!("Hello from {}", cx.state()))
    /// });
    ///
    /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c1b")
    ///     .procedure(greet.with_state("the museum"))
    ///     .build()?;
    /// # assert_eq!(service.description().procs[0].name, "greet");
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn with_state<T>(self, state: impl Into<Arc<S>>) -> Procedure<T> {
        let bound = (self.handler)(state.into());
        Procedure {
            name: self.name,
            handler: Box::new(move |_| bound),
            types: self.types,
            options: self.options,
        }
    }

    pub(crate) fn bind(self, state: Arc<S>) -> RegisteredProcedure {
        RegisteredProcedure {
            name: self.name,
            handler: (self.handler)(state),
            types: self.types,
            options: self.options,
        }
    }

    fn assemble<P, R, E, U>(
        name: String,
        run: impl Fn(Cx<S, U>, P, &mut Output, &mut Context<'_>) -> Started + Send + Sync + 'static,
    ) -> Self
    where
        P: DeserializeOwned + JsonSchema + 'static,
        R: JsonSchema + 'static,
        E: RpcError,
        U: CallerArg,
    {
        let mut errors = ErrorList::default();
        errors.include::<E>();
        Self {
            name,
            handler: handler(run),
            types: HandlerTypes {
                params_type: TypeId::of::<P>(),
                params: schema::params_of::<P>,
                returns: schema::return_of::<R>,
                errors,
                has_plain_result: is_plain::<R>(),
                #[cfg(feature = "keys")]
                returns_once: is_once::<R>(),
                caller: U::requirement(),
            },
            options: ProcedureOptions::default(),
        }
    }
}

/// Returns whether every value of a type is known to match the schema of the type. This holds for
/// types for which no other crate can define a schema or a serializer.
fn is_plain<R: 'static>() -> bool {
    fn is<T: 'static>(result: TypeId) -> bool {
        let all = [
            TypeId::of::<T>(),
            TypeId::of::<Option<T>>(),
            TypeId::of::<Vec<T>>(),
        ];
        all.contains(&result)
    }
    macro_rules! is_any {
        ($($plain:ty)*) => { false $(|| is::<$plain>(TypeId::of::<R>()))* };
    }
    is_any!(() bool String &str f64 i32 i64 u32 u64 usize)
}
