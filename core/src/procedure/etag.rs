//! Versions of results that are known before the handler runs.
//!
//! A caller that has a result need not get it again, and the service need not make it again. What a
//! version becomes on the wire (over HTTP, an `ETag`) is the transport's business.

use std::any::TypeId;
use std::fmt::Display;
use std::marker::PhantomData;
use std::sync::Arc;
use std::task::Context;

use serde::de::DeserializeOwned;

use super::Procedure;
use super::handler::{Invoke, Started, caller};
use crate::bind::{BindError, Params, Plan, bind};
use crate::call::{Call, Cx};
use crate::caller::CallerArg;
use crate::fault::Fault;
use crate::output::Output;

impl<S: Send + Sync + 'static> Procedure<S> {
    /// Sets a function that returns the version of the result, at much lower cost than the handler. If a caller
    /// already has this version, its query (over HTTP, a GET) gets 304, and the handler does not run. Guards and
    /// limits still apply. The function takes what the handler takes, and must not block.
    ///
    /// Results with the same version and the same parameters must be equal for as long as callers keep them, but
    /// for what depends on the caller: the validator also covers [`Identity::id`](crate::Identity::id), and the
    /// credentials and other fields that `Vary` names, unless the cache is [shared](Self::shared_cache). If the
    /// handler reads anything else of the request, put that into the version. The fields that an authenticator
    /// [names](crate::Authenticator::reads) do not count for the callers that it knows, so that their validators
    /// outlive their tokens.
    ///
    /// A counter that starts anew with the process needs a random prefix. The service's description is part of the
    /// validator, so a release that changes it needs no new versions. A result to which the handler [adds
    /// fields](Cx::add_field) has no validator.
    ///
    /// ```
    /// use docent::{Cx, Fault, Procedure};
    ///
    /// struct Catalogue {
    ///     revision: u64,
    ///     books: Vec<String>,
    /// }
    ///
    /// let list = Procedure::sync("list", |cx: Cx<Catalogue>, (): ()| Ok::<_, Fault>(cx.state().books.clone()))
    ///     .idempotent()
    ///     .etag_by(|cx: Cx<Catalogue>, (): ()| cx.state().revision);
    /// # let _ = list;
    /// ```
    pub fn etag_by<P, U, V>(
        mut self,
        version: impl Fn(Cx<S, U>, P) -> V + Send + Sync + 'static,
    ) -> Self
    where
        P: DeserializeOwned + 'static, // the parameters of the handler
        U: CallerArg,
        V: Display,
    {
        if self.types.params_type != TypeId::of::<P>() {
            let mistake = "etag_by must take the same type of parameters as the handler";
            self.options.mistakes.push(mistake.to_owned());
        }
        self.options.has_version = true;
        let handler = self.handler;
        self.handler = Box::new(move |state: Arc<S>| {
            Arc::new(Versioned {
                handler: handler(Arc::clone(&state)),
                state,
                version,
                types: PhantomData::<fn(P, U)>,
            })
        });
        self
    }
}

/// A handler whose results have a version.
struct Versioned<S, P, U, F> {
    handler: Arc<dyn Invoke>,
    state: Arc<S>,
    version: F,
    types: PhantomData<fn(P, U)>,
}

impl<S, P, U, V, F> Versioned<S, P, U, F>
where
    P: DeserializeOwned,
    U: CallerArg,
    V: Display,
    F: Fn(Cx<S, U>, P) -> V,
{
    fn version_for(
        &self,
        call: &Arc<Call>,
        plan: &Plan,
        params: Params<'_>,
    ) -> Result<String, Fault> {
        let caller = caller::<U>(call)?;
        let params = bind::<P>(plan, params)?;
        let cx = Cx::new(Arc::clone(&self.state), Arc::clone(call), caller);
        Ok((self.version)(cx, params).to_string())
    }
}

impl<S, P, U, V, F> Invoke for Versioned<S, P, U, F>
where
    S: Send + Sync,
    P: DeserializeOwned,
    U: CallerArg,
    V: Display,
    F: Fn(Cx<S, U>, P) -> V + Send + Sync,
{
    fn start(
        &self,
        call: Arc<Call>,
        plan: &Plan,
        params: Params<'_>,
        output: &mut Output,
        waker: &mut Context<'_>,
    ) -> Started {
        self.handler.start(call, plan, params, output, waker)
    }

    fn accepts(&self, plan: &Plan, params: Params<'_>) -> Result<(), BindError> {
        self.handler.accepts(plan, params)
    }

    fn version(
        &self,
        call: &Arc<Call>,
        plan: &Plan,
        params: Params<'_>,
    ) -> Option<Result<String, Fault>> {
        Some(self.version_for(call, plan, params))
    }
}
