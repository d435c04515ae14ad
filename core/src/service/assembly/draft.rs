//! Procedures that are being assembled.
//!
//! `build()` works on all drafts step by step. Only once every step has been made do they become
//! procedures that can be called.

use std::collections::HashMap;
use std::sync::Arc;

use docent_describe::CachePolicy;
use docent_describe::schema::{ParamsSchema, ReturnSchema, SchemaProblem};

use crate::call::Callee;
use crate::errors::ErrorList;
use crate::procedure::RegisteredProcedure;
use crate::service::reserved;
use crate::service::state::Frame;

/// The schema of a type, or the problems of one that cannot be described.
pub(super) type TypeSchema<T> = Arc<Result<T, Vec<SchemaProblem>>>;

/// The schemas of types that have been visited. A function that describes a type takes no arguments,
/// so its address identifies the description: two types that share one are described alike.
#[derive(Default)]
pub(super) struct VisitedTypes {
    params: HashMap<usize, TypeSchema<ParamsSchema>>,
    returns: HashMap<usize, TypeSchema<ReturnSchema>>,
}

/// A procedure that is being assembled: described, then planned.
pub(super) struct Draft {
    pub(super) registered: Arc<RegisteredProcedure>,
    pub(super) callee: Callee,
    pub(super) params: TypeSchema<ParamsSchema>,
    pub(super) returns: TypeSchema<ReturnSchema>,
    /// The errors that the procedure and its guards declare.
    pub(super) errors: ErrorList,
}

impl Draft {
    /// Describes a procedure as far as its author does. Its types and guards follow.
    pub(super) fn new(
        registered: Arc<RegisteredProcedure>,
        frame: &Frame,
        visited: &mut VisitedTypes,
    ) -> Self {
        let RegisteredProcedure {
            name,
            types,
            options,
            ..
        } = &*registered;
        let mut description = options.described.clone();
        description.name.clone_from(name);
        description.errors_open = types.errors.open;
        if options.cache_for.is_some() || options.shared_cache {
            let mut policy = CachePolicy::default();
            policy.max_age = options.cache_for.unwrap_or_default();
            policy.shared = options.shared_cache;
            description.cache = Some(policy);
        }
        let is_alias = frame.registration.unsubscribe_aliases.contains(name);
        let params = visited.params.entry(types.params as usize);
        let returns = visited.returns.entry(types.returns as usize);
        let timeout = options.timeout.unwrap_or(frame.registration.limits.timeout);
        let gauge = Arc::clone(&frame.gauge);
        let incidents = Arc::clone(&frame.incidents);
        Self {
            callee: Callee {
                cache_for: options.cache_for,
                shared_cache: options.shared_cache,
                has_plain_result: types.has_plain_result,
                is_always_admitted: name == reserved::UNSUBSCRIBE || is_alias,
                ..Callee::new(description, timeout, gauge, incidents)
            },
            params: Arc::clone(params.or_insert_with(|| Arc::new((types.params)()))),
            returns: Arc::clone(returns.or_insert_with(|| Arc::new((types.returns)()))),
            errors: types.errors.clone(),
            registered,
        }
    }
}
