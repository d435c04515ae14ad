//! A call on its way to its handler.

use std::sync::Arc;
use std::task::Context;

use super::callable::Callable;
use crate::bind::{Adapted, BindError, Params, refuse};
use crate::call::{Call, Started};
use crate::output::Output;
use crate::procedure::Task;

/// A call that has a place among the running calls.
pub(super) struct Accepted<'s> {
    pub(super) call: Arc<Call>,
    pub(super) callable: &'s Callable,
}

/// A call that may run and waits for its parameters.
pub(super) struct Admitted<'a, 'w> {
    pub(super) call: &'a Arc<Call>,
    pub(super) callable: &'a Callable,
    pub(super) output: &'a mut Output,
    pub(super) waker: &'a mut Context<'w>,
}

impl Admitted<'_, '_> {
    #[inline]
    pub(super) fn with(self, params: Params<'_>) -> Started<Task> {
        let Callable { handler, plan, .. } = self.callable;
        let call = Arc::clone(self.call);
        handler.start(call, plan, params, self.output, self.waker)
    }

    /// Continues with adapted parameters, or refuses them with all their problems, those found
    /// during adapting and all others.
    pub(super) fn with_adapted(self, adapted: Result<Adapted, BindError>) -> Started<Task> {
        let error = match adapted {
            Ok(Adapted { params, problems }) => {
                let params = Params::given(&params);
                if problems.is_empty() {
                    return self.with(params);
                }
                refuse(&self.callable.plan, params, problems)
            }
            Err(error) => error,
        };
        Started::Ended(Err(error.into()))
    }
}
