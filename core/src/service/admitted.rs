//! A call on its way to its handler.

use std::future::IntoFuture;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::future::{Either, Ready};

use super::callable::Callable;
use super::running::Running;
use crate::bind::{Adapted, BindError, Params};
use crate::call::{Call, Ended, Started};
use crate::output::Output;
use crate::procedure::Task;

/// A call that has its place among the running calls.
pub(super) struct Accepted<'a> {
    pub(super) call: Arc<Call>,
    pub(super) callable: &'a Callable,
    pub(super) output: Output,
}

/// A call that has started, or starts when its caller is known.
pub(super) enum Starting<'a, 's> {
    Now(Started<Running<'s>>),
    Later(Pin<Box<dyn Future<Output = Ended> + Send + 'a>>),
}

impl<'a, 's> IntoFuture for Starting<'a, 's> {
    type Output = Ended;
    type IntoFuture =
        Either<Either<Ready<Ended>, Running<'s>>, Pin<Box<dyn Future<Output = Ended> + Send + 'a>>>;

    #[inline]
    fn into_future(self) -> Self::IntoFuture {
        match self {
            Self::Now(started) => Either::Left(started.into_future()),
            Self::Later(waiting) => Either::Right(waiting),
        }
    }
}

/// A call that may run and waits for its parameters.
pub(super) struct Admitted<'a> {
    pub(super) call: &'a Arc<Call>,
    pub(super) callable: &'a Callable,
    pub(super) output: Output,
}

impl Admitted<'_> {
    #[inline]
    pub(super) fn with(self, params: Params<'_>) -> Started<Task> {
        let Callable { handler, plan, .. } = self.callable;
        handler.start(Arc::clone(self.call), plan, params, self.output)
    }

    /// Goes on with parameters that were adapted, or refuses them for what was wrong with them and
    /// everything else that is.
    pub(super) fn with_adapted(self, adapted: Result<Adapted, BindError>) -> Started<Task> {
        let error = match adapted {
            Ok(Adapted { params, problems }) => {
                let params = Params::given(&params);
                if problems.is_empty() {
                    return self.with(params);
                }
                let Callable { handler, plan, .. } = self.callable;
                handler.refuse(plan, params, problems)
            }
            Err(error) => error,
        };
        Started::Ended(Ended::failed(self.output, error.into()))
    }
}
