//! The shapes of the types of procedures, determined once for each type.

use std::collections::HashMap;
use std::sync::Arc;

use docent_describe::schema::{ParamsShape, ReturnShape, ShapeProblem};

use crate::procedure::Types;

/// The shapes of the types of a procedure, or the problems of types that cannot be described.
pub(super) struct Shapes {
    pub(super) params: Arc<Result<ParamsShape, Vec<ShapeProblem>>>,
    pub(super) returns: Arc<Result<ReturnShape, Vec<ShapeProblem>>>,
}

/// The types that have been visited. A function that describes a type takes no arguments, so its
/// address identifies the description: two types that share one are described alike.
#[derive(Default)]
pub(super) struct Seen {
    params: HashMap<usize, Arc<Result<ParamsShape, Vec<ShapeProblem>>>>,
    returns: HashMap<usize, Arc<Result<ReturnShape, Vec<ShapeProblem>>>>,
}

impl Seen {
    pub(super) fn shapes(&mut self, types: &Types) -> Shapes {
        let Types {
            params, returns, ..
        } = types;
        let of_params = self.params.entry(*params as usize);
        let of_returns = self.returns.entry(*returns as usize);
        Shapes {
            params: Arc::clone(of_params.or_insert_with(|| Arc::new(params()))),
            returns: Arc::clone(of_returns.or_insert_with(|| Arc::new(returns()))),
        }
    }
}
