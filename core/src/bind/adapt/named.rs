//! Adapts parameters that have names.
//!
//! Names, aliases and positions lead to the same parameters, and a query may repeat a name to give
//! an array.

use smallvec::{SmallVec, smallvec};

use super::passed::{ParamKey, PassedBy, PassedValue};
use super::{Adapter, Argument, push_name};
use crate::bind::error::BindError;
use crate::bind::names::UnknownNames;
use crate::bind::naming;
use crate::bind::plan::{ParamStructure, Plan};
use crate::bind::problems::Problems;

/// The values for a parameter.
type ParamValues<'a> = SmallVec<[&'a PassedValue<'a>; 1]>;

/// The values for each parameter, in the order of the plan.
type ValuesByParam<'a> = SmallVec<[ParamValues<'a>; 8]>;

/// The length of the parameters of most calls, for the capacity of their text.
const SHORT_PARAMS: usize = 128;

impl Adapter {
    /// Returns the text of an object with the parameters that were given. Values that belong to no parameter are
    /// reported, and left out.
    pub(super) fn object(
        &self,
        plan: &Plan,
        way: PassedBy,
        values: &[PassedValue<'_>],
        problems: &mut Problems,
    ) -> Result<String, BindError> {
        let mut params = String::with_capacity(SHORT_PARAMS);
        params.push('{');
        let groups = group(plan, values, problems)?;
        for ((parameter, accepted), group) in plan.parameters.iter().zip(&self.0).zip(groups) {
            let values: SmallVec<[_; 1]> = group.iter().map(|passed| passed.value).collect();
            let is_absent = match *values {
                [] => true,
                [Argument::Text("")] => accepted.is_absent_if_empty,
                _ => false,
            };
            if is_absent && !parameter.required {
                continue;
            }
            let must_be_text = match values.first() {
                Some(value) => matches!(value, Argument::Text(_)),
                None => way == PassedBy::Query,
            };
            if must_be_text && !accepted.can_be_sent {
                // That it is missing would be no help: no caller could ever supply it in this way.
                problems.push(way.no_text(&parameter.name));
                continue;
            }
            if !is_absent {
                let end = params.len();
                push_name(&mut params, parameter);
                if let Err(problem) = accepted.push(&mut params, way, &values) {
                    params.truncate(end);
                    problems.push(problem.for_parameter(&*parameter.name));
                }
            } else if way == PassedBy::Call && accepted.fits("null") {
                // A missing parameter of a 1.1 call becomes null if it accepts null.
                push_name(&mut params, parameter);
                params.push_str("null");
            }
            // Any other parameter that is missing is left out, and binding reports it.
        }
        params.push('}');
        Ok(params)
    }
}

/// Returns the values for each parameter, in the order of the plan.
fn group<'a>(
    plan: &Plan,
    values: &'a [PassedValue<'a>],
    problems: &mut Problems,
) -> Result<ValuesByParam<'a>, BindError> {
    let mut unknown_names = UnknownNames::default();
    let mut groups: ValuesByParam<'a> = smallvec![ParamValues::new(); plan.parameters.len()];
    for (likely, passed) in values.iter().enumerate() {
        let index = match &passed.key {
            ParamKey::Position(_) if plan.passing == ParamStructure::ByNameOnly => {
                return Err(naming::by_name_only());
            }
            ParamKey::Position(position) => *position,
            ParamKey::Name(name) => {
                let Some(index) = plan.find_near(likely, name) else {
                    unknown_names.report(plan, name, problems);
                    continue;
                };
                index
            }
        };
        let Some(group) = groups.get_mut(index) else {
            problems.push_with(|| naming::no_position(plan, index));
            continue;
        };
        match group.first().and_then(|first| first.conflict(passed)) {
            Some(problem) => problems.push_once(&plan.parameters[index].name, problem),
            None => group.push(passed),
        }
    }
    Ok(groups)
}
