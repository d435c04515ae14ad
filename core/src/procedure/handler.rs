//! Handlers as dispatch sees them, and the ways in which they run.
//!
//! Behind [`Invoke`], sync, async and blocking handlers look alike. It knows parameters and the
//! output, but neither guards nor limits: a call has passed those before.

use std::marker::PhantomData;
use std::sync::Arc;
use std::task::{Context, Poll};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::queue;
use crate::bind::{BindError, Params, Plan, bind};
use crate::call::{Call, Cx};
use crate::caller::CallerArg;
use crate::code;
use crate::errors::RpcError;
use crate::fault::Fault;
use crate::output::{Ended, Output, Task};
use crate::subscription::ItemSource;

/// The outcome of starting a handler: an error, or nothing if the result is in the output, or the rest
/// of a handler that waits. The output stays in its place: moving it with each return would take a
/// tenth of the time of a small call.
pub(crate) type Started = Result<Option<Task>, Fault>;

/// A handler with its state.
pub(crate) trait Invoke: Send + Sync {
    /// Binds the parameters and runs the handler until it waits for something.
    fn start(
        &self,
        call: Arc<Call>,
        plan: &Plan,
        params: Params<'_>,
        output: &mut Output,
        waker: &mut Context<'_>,
    ) -> Started;

    /// Binds the parameters without running the handler.
    fn accepts(&self, plan: &Plan, params: Params<'_>) -> Result<(), BindError>;

    /// Returns the version of the result, if it is known without running the handler.
    fn version(
        &self,
        _call: &Arc<Call>,
        _plan: &Plan,
        _params: Params<'_>,
    ) -> Option<Result<String, Fault>> {
        None
    }
}

/// A handler that waits for its state.
pub(crate) type Handler<S> = Box<dyn FnOnce(Arc<S>) -> Arc<dyn Invoke> + Send + Sync>;

/// Returns the handler that runs `run`.
pub(super) fn handler<S, P, U, F>(run: F) -> Handler<S>
where
    S: Send + Sync + 'static,
    P: DeserializeOwned + 'static,
    U: CallerArg,
    F: Fn(Cx<S, U>, P, &mut Output, &mut Context<'_>) -> Started + Send + Sync + 'static,
{
    let types = PhantomData::<fn(P, U)>;
    Box::new(move |state| Arc::new(BoundHandler { state, run, types }))
}

struct BoundHandler<S, P, U, F> {
    state: Arc<S>,
    run: F,
    types: PhantomData<fn(P, U)>,
}

impl<S, P, U, F> Invoke for BoundHandler<S, P, U, F>
where
    S: Send + Sync,
    P: DeserializeOwned,
    U: CallerArg,
    F: Fn(Cx<S, U>, P, &mut Output, &mut Context<'_>) -> Started + Send + Sync,
{
    #[inline]
    fn start(
        &self,
        call: Arc<Call>,
        plan: &Plan,
        params: Params<'_>,
        output: &mut Output,
        waker: &mut Context<'_>,
    ) -> Started {
        let caller = caller::<U>(&call)?;
        let params = bind::<P>(plan, params)?;
        call.starts();
        let cx = Cx::new(Arc::clone(&self.state), call, caller);
        (self.run)(cx, params, output, waker)
    }

    fn accepts(&self, plan: &Plan, params: Params<'_>) -> Result<(), BindError> {
        bind::<P>(plan, params).map(drop)
    }
}

/// Returns the caller in the form that the context holds.
#[inline]
pub(super) fn caller<U: CallerArg>(call: &Call) -> Result<U::ContextValue, Fault> {
    // It cannot be missing: `build()` ensures that the procedure has an authenticator.
    U::context_value(call.caller()).ok_or_else(|| Fault::protocol(code::REFUSED))
}

/// Runs a handler that returns a future.
#[inline]
pub(super) fn run_async<R: Serialize + 'static, E: RpcError>(
    handler: impl Future<Output = Result<R, E>> + Send + 'static,
    output: &mut Output,
    waker: &mut Context<'_>,
) -> Started {
    run_until(handler, conclude, output, waker)
}

/// Runs a handler that returns a future, and then concludes the call. Most do not wait: they finish here, without a
/// task, and their results are written directly to the output of the call.
#[inline]
pub(super) fn run_until<T>(
    handler: impl Future<Output = T> + Send + 'static,
    conclude: impl FnOnce(&mut Output, T) -> Result<(), Fault> + Send + 'static,
    output: &mut Output,
    waker: &mut Context<'_>,
) -> Started {
    let mut handler = Box::pin(handler);
    match handler.as_mut().poll(waker) {
        Poll::Ready(result) => conclude(output, result).map(|()| None),
        Poll::Pending => {
            let mut output = output.take();
            Ok(Some(Box::pin(async move {
                let result = conclude(&mut output, handler.await);
                Ended { output, result }
            })))
        }
    }
}

/// Runs a handler on a thread that may block, or in place without a runtime.
pub(super) fn run_blocking<R: Serialize, E: RpcError>(
    call: Arc<Call>,
    handler: impl FnOnce() -> Result<R, E> + Send + 'static,
    output: &mut Output,
    waker: &mut Context<'_>,
) -> Started {
    let Some(runtime) = call.runtime.clone() else {
        return conclude(output, handler()).map(|()| None);
    };
    let own = output.take();
    let mut task = queue::enter(&*runtime, call, move || ended(own, handler()));
    match task.as_mut().poll(waker) {
        Poll::Ready(ended) => ended.written_to(output).map(|()| None),
        Poll::Pending => Ok(Some(task)),
    }
}

/// Writes the result of a handler.
#[inline]
pub(super) fn conclude<R: Serialize, E: RpcError>(
    output: &mut Output,
    result: Result<R, E>,
) -> Result<(), Fault> {
    match result {
        Ok(value) => output.write(&value),
        Err(error) => Err(error.into_fault()),
    }
}

/// Opens the subscription with the source that its handler has given. The result is its id.
pub(super) fn open<E: RpcError>(
    call: Arc<Call>,
    output: &mut Output,
    source: Result<ItemSource, E>,
) -> Result<(), Fault> {
    let source = source.map_err(RpcError::into_fault)?;
    // It cannot be missing: dispatch creates it before the handler starts.
    let new = output
        .subscription
        .as_mut()
        .ok_or_else(|| Fault::protocol(code::NEEDS_A_CONNECTION))?;
    let id = new.open(call, source);
    output.write(&id)
}

/// Concludes as [`conclude`] does, with an output that the handler owns.
#[inline]
fn ended<R: Serialize, E: RpcError>(mut output: Output, result: Result<R, E>) -> Ended {
    let result = conclude(&mut output, result);
    Ended { output, result }
}
