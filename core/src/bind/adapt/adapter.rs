//! Adapts parameters that cannot be bound as they are sent.

use docent_describe::json::push_quoted;
use docent_describe::{Components, ParamDescription};

use super::takes::Takes;
use crate::bind::error::BindError;
use crate::bind::problems::Problems;

/// The values that each of a procedure's parameters accepts. Compiled once, when the service is
/// built.
pub(crate) struct Adapter(pub(super) Box<[Takes]>);

impl Adapter {
    /// Creates the adapter for these parameters, whose schemas may refer to `components`.
    pub(crate) fn new<'d>(
        parameters: impl IntoIterator<Item = &'d ParamDescription>,
        components: &Components,
    ) -> Self {
        let takes = |parameter: &ParamDescription| Takes::new(&parameter.schema, components);
        Self(parameters.into_iter().map(takes).collect())
    }
}

/// The parameters of a call in the form of 2.0: the text of an object or, for a list, an array.
#[derive(Debug, Default)]
pub(crate) struct Adapted {
    pub(crate) params: String,
    /// The problems with the way in which they were given. The text has the parameters without such
    /// problems.
    pub(crate) problems: Problems,
}

/// Begins a member of the object `params`.
pub(super) fn push_name(params: &mut String, name: &str) {
    if params.len() > 1 {
        params.push(',');
    }
    push_quoted(params, name);
    params.push(':');
}

pub(super) fn by_name_and_by_position(name: &str) -> BindError {
    BindError::new("this parameter is given both by name and by position").of(name)
}
