//! Parameters that are not in the form of 2.0, converted into that form: those of a query string
//! (JSON-RPC 1.1, section 6.3), those of a 1.1 call, which a server should adapt if nothing is lost
//! (section 6.6.1), and those that tools put together from text and JSON.
//!
//! ```text
//! ?words=7&limit=7&tag=a&tag=b   ─►   {"words": "7", "limit": 7, "tag": ["a", "b"]}
//! {"0": "7", "limit": "7"}       ─►   {"words": "7", "limit": 7}
//! ```
//!
//! [`passed`] reads what was given, by name or by position; [`named`] and [`list`] find the parameter of each value; and
//! [`accepted`] decides what text stands for: text has no kind, so the schema does.
//!
//! The result is JSON text, which is bound like any other. Handing values to serde would save that text, and need a second
//! decoder with the same messages. Values that no type accepts are passed on too, because binding says what a parameter
//! expects.

mod accepted;
mod form;
mod list;
mod named;
mod passed;

use docent_describe::ParamDescription;
use docent_describe::schema::check::Compiler;
use smallvec::SmallVec;

pub use passed::Argument;

use super::Params;
use super::error::BindError;
use super::plan::{ParamStructure, Plan, PlannedParameter};
use super::problems::Problems;
use accepted::AcceptedValues;
use passed::{PassedBy, PassedValue};

/// The values that each of a procedure's parameters accepts. Compiled once, when the service is
/// built.
pub(crate) struct Adapter(Box<[AcceptedValues]>);

/// The parameters of a call in the form of 2.0: the text of an object or, for a list, an array.
#[derive(Debug, Default)]
pub(crate) struct Adapted {
    pub(crate) params: String,
    /// The problems with the way in which they were given. The text has the parameters without such
    /// problems.
    pub(crate) problems: Problems,
}

impl Adapter {
    /// Creates the adapter for these parameters.
    pub(crate) fn new<'d>(
        parameters: impl IntoIterator<Item = &'d ParamDescription>,
        compiler: &mut Compiler<'_>,
    ) -> Self {
        Self(
            parameters
                .into_iter()
                .map(|parameter| AcceptedValues::new(parameter, compiler))
                .collect(),
        )
    }

    /// Returns the parameters of a raw query string, without its question mark.
    ///
    /// # Errors
    /// Returns an error if the query is not form-encoded UTF-8, or if its parameters are given in a
    /// way that cannot be interpreted.
    pub(crate) fn adapt_query(&self, plan: &Plan, query: &str) -> Result<Adapted, BindError> {
        let pairs = form::pairs(query)?;
        let values: SmallVec<[_; 4]> = pairs
            .iter()
            .map(|(name, value)| PassedValue::new(&**name, Argument::Text(value)))
            .collect();
        self.adapt(plan, PassedBy::Query, &values, Problems::default())
    }

    /// Converts the parameters of a 1.1 call to those of a 2.0 call.
    ///
    /// # Errors
    /// Returns an error if they cannot be interpreted.
    pub(crate) fn adapt_call(&self, plan: &Plan, params: Params<'_>) -> Result<Adapted, BindError> {
        self.adapt(
            plan,
            PassedBy::Call,
            &passed::in_call(params, plan.passing == ParamStructure::List),
            Problems::default(),
        )
    }

    /// Sets a parameter of a 2.0 call to a text, whatever the call has for it. It is converted as the value of a query
    /// would be.
    ///
    /// # Errors
    /// Returns an error if the parameters cannot be interpreted.
    pub(crate) fn replace(
        &self,
        plan: &Plan,
        params: Params<'_>,
        name: &str,
        text: &str,
    ) -> Result<Adapted, BindError> {
        let mut values = passed::values(params);
        values.retain(|passed| !passed.is_for(plan, name));
        values.push(PassedValue::new(name, Argument::Text(text)));
        self.adapt(plan, PassedBy::Arguments, &values, Problems::default())
    }

    /// Converts the arguments of a tool, whose JSON is well-formed, to the parameters of a call.
    ///
    /// # Errors
    /// Returns an error if they cannot be interpreted.
    pub(crate) fn adapt_arguments(
        &self,
        plan: &Plan,
        arguments: &[(&str, Argument<'_>)],
        problems: Problems,
    ) -> Result<Adapted, BindError> {
        let values: Vec<_> = arguments
            .iter()
            .map(|(name, argument)| PassedValue::new(*name, *argument))
            .collect();
        self.adapt(plan, PassedBy::Arguments, &values, problems)
    }

    fn adapt(
        &self,
        plan: &Plan,
        way: PassedBy,
        values: &[PassedValue<'_>],
        mut problems: Problems,
    ) -> Result<Adapted, BindError> {
        let params = match plan.passing {
            ParamStructure::List => self.list(plan, way, values, &mut problems)?,
            ParamStructure::Named | ParamStructure::ByNameOnly => {
                self.object(plan, way, values, &mut problems)?
            }
        };
        Ok(Adapted { params, problems })
    }
}

/// Begins a member of the object `params`.
fn push_name(params: &mut String, parameter: &PlannedParameter) {
    if params.len() > 1 {
        params.push(',');
    }
    params.push_str(&parameter.written);
    params.push(':');
}
