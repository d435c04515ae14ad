//! The kinds of handlers, and the interface that dispatch uses.

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::queue;
use super::task::Task;
use crate::bind::{BindError, Params, Plan, bind};
use crate::call::{Call, Cx, Ended, Started};
use crate::caller::CallerArg;
use crate::code;
use crate::errors::RpcError;
use crate::fault::Fault;
use crate::output::Output;

/// A handler with its state, as dispatch sees it.
pub(crate) trait Invoke: Send + Sync {
    /// Binds the parameters and runs the handler until it waits for something.
    fn start(
        &self,
        call: Arc<Call>,
        plan: &Plan,
        params: Params<'_>,
        output: &mut Output,
        waker: &mut Context<'_>,
    ) -> Started<Task>;

    /// Binds the parameters without running the handler, to check examples.
    fn accepts(&self, plan: &Plan, params: Params<'_>) -> Result<(), BindError>;
}

/// A handler, before or after it gets its state.
pub(crate) enum Handler<S> {
    Unbound(Box<dyn Unbound<S>>),
    Bound(Box<dyn Invoke>),
}

impl<S> Handler<S> {
    /// Returns the handler with its state: its own if it has one, or else `state`.
    pub(crate) fn with_state(self, state: Arc<S>) -> Box<dyn Invoke> {
        match self {
            Self::Unbound(handler) => handler.with_state(state),
            Self::Bound(handler) => handler,
        }
    }
}

/// A handler without its state.
pub(crate) trait Unbound<S>: Send + Sync {
    fn with_state(self: Box<Self>, state: Arc<S>) -> Box<dyn Invoke>;
}

/// A handler function and its way of running.
pub(crate) trait Handle<S>: Send + Sync + 'static {
    type Params: DeserializeOwned;
    type Caller: CallerArg;

    /// Runs the handler until it waits for something.
    fn run(
        &self,
        cx: Cx<S, Self::Caller>,
        params: Self::Params,
        output: &mut Output,
        waker: &mut Context<'_>,
    ) -> Started<Task>;
}

impl<S: Send + Sync + 'static, H: Handle<S>> Unbound<S> for H {
    fn with_state(self: Box<Self>, state: Arc<S>) -> Box<dyn Invoke> {
        Box::new(Bound {
            state,
            handler: *self,
        })
    }
}

struct Bound<S, H> {
    state: Arc<S>,
    handler: H,
}

impl<S: Send + Sync + 'static, H: Handle<S>> Invoke for Bound<S, H> {
    #[inline]
    fn start(
        &self,
        call: Arc<Call>,
        plan: &Plan,
        params: Params<'_>,
        output: &mut Output,
        waker: &mut Context<'_>,
    ) -> Started<Task> {
        let Some(caller) = H::Caller::hold(call.caller()) else {
            // Cannot happen: `build()` ensures that this handler has an authenticator.
            let fault = Fault::protocol(code::REFUSED);
            return Started::Ended(Err(fault));
        };
        match bind::<H::Params>(plan, params) {
            Ok(params) => {
                let cx = Cx::new(Arc::clone(&self.state), call, caller);
                self.handler.run(cx, params, output, waker)
            }
            Err(error) => Started::Ended(Err(error.into())),
        }
    }

    fn accepts(&self, plan: &Plan, params: Params<'_>) -> Result<(), BindError> {
        bind::<H::Params>(plan, params).map(drop)
    }
}

/// A function that returns a future.
pub(crate) struct Asynchronous<F, P, U>(pub(crate) F, pub(crate) PhantomData<fn(P, U)>);

impl<S, F, Fut, P, R, E, U> Handle<S> for Asynchronous<F, P, U>
where
    F: Fn(Cx<S, U>, P) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, E>> + Send + 'static,
    P: DeserializeOwned + 'static,
    R: Serialize,
    E: RpcError,
    U: CallerArg,
{
    type Params = P;
    type Caller = U;

    #[inline]
    fn run(
        &self,
        cx: Cx<S, U>,
        params: P,
        output: &mut Output,
        waker: &mut Context<'_>,
    ) -> Started<Task> {
        let mut future = Box::pin((self.0)(cx, params));
        // Most handlers do not wait. They finish here, without a task, and their results are written
        // directly to the output of the call.
        match future.as_mut().poll(waker) {
            Poll::Ready(result) => Started::Ended(conclude(output, result)),
            Poll::Pending => {
                let own = output.take();
                let rest = async move { ended(own, future.await) };
                Started::Running(Task::begun(Box::pin(rest)))
            }
        }
    }
}

/// A function that runs in place.
pub(crate) struct Synchronous<F, P, U>(pub(crate) F, pub(crate) PhantomData<fn(P, U)>);

impl<S, F, P, R, E, U> Handle<S> for Synchronous<F, P, U>
where
    F: Fn(Cx<S, U>, P) -> Result<R, E> + Send + Sync + 'static,
    P: DeserializeOwned + 'static,
    R: Serialize,
    E: RpcError,
    U: CallerArg,
{
    type Params = P;
    type Caller = U;

    #[inline]
    fn run(
        &self,
        cx: Cx<S, U>,
        params: P,
        output: &mut Output,
        _: &mut Context<'_>,
    ) -> Started<Task> {
        Started::Ended(conclude(output, (self.0)(cx, params)))
    }
}

/// A function that runs in place and returns JSON text, which is sent without being copied.
pub(crate) struct Rendering<F, P>(pub(crate) F, pub(crate) PhantomData<fn(P)>);

impl<S, F, P, R> Handle<S> for Rendering<F, P>
where
    F: Fn(Cx<S>, P) -> Result<R, Fault> + Send + Sync + 'static,
    P: DeserializeOwned + 'static,
    R: Into<Bytes>,
{
    type Params = P;
    type Caller = ();

    fn run(&self, cx: Cx<S>, params: P, output: &mut Output, _: &mut Context<'_>) -> Started<Task> {
        let result = (self.0)(cx, params).and_then(|text| output.share(text.into()));
        Started::Ended(result)
    }
}

/// A function that runs on a thread that may block. It is shared, because every call sends it to a
/// thread.
pub(crate) struct Blocking<F, P, U>(pub(crate) Arc<F>, pub(crate) PhantomData<fn(P, U)>);

impl<S, F, P, R, E, U> Handle<S> for Blocking<F, P, U>
where
    S: Send + Sync + 'static,
    F: Fn(Cx<S, U>, P) -> Result<R, E> + Send + Sync + 'static,
    P: DeserializeOwned + Send + 'static,
    R: Serialize,
    E: RpcError,
    U: CallerArg,
{
    type Params = P;
    type Caller = U;

    fn run(
        &self,
        cx: Cx<S, U>,
        params: P,
        output: &mut Output,
        waker: &mut Context<'_>,
    ) -> Started<Task> {
        let call = cx.call();
        let function = Arc::clone(&self.0);
        match call.runtime.clone() {
            Some(runtime) => {
                let own = output.take();
                let work = move || ended(own, function(cx, params));
                let mut task = queue::enter(&*runtime, call, work);
                match task.poll(waker) {
                    Poll::Ready(ended) => Started::Ended(ended.written_to(output)),
                    Poll::Pending => Started::Running(task),
                }
            }
            None => Started::Ended(conclude(output, function(cx, params))),
        }
    }
}

#[inline]
fn conclude<R: Serialize, E: RpcError>(
    output: &mut Output,
    result: Result<R, E>,
) -> Result<(), Fault> {
    match result {
        Ok(value) => output.write(&value),
        Err(error) => Err(error.into_fault()),
    }
}

/// Does the same as [`conclude`], with an output that the handler owns.
#[inline]
fn ended<R: Serialize, E: RpcError>(mut output: Output, result: Result<R, E>) -> Ended {
    let result = conclude(&mut output, result);
    Ended { output, result }
}
