//! Adapts a list of any length, which is given by positions or by its name.
//!
//! Positions may come in any order in a query, but a list has no gaps, so one is a problem here and
//! nowhere else.

use std::collections::BTreeMap;

use super::passed::{self, ParamKey, PassedBy, PassedValue, by_name_and_by_position};
use super::{Adapter, Argument, push_name};
use crate::bind::error::BindError;
use crate::bind::names::UnknownNames;
use crate::bind::plan::Plan;
use crate::bind::problems::Problems;

/// The values for each position.
type Positions<'a> = BTreeMap<usize, Vec<Argument<'a>>>;

impl Adapter {
    /// Returns the parameters of a procedure that takes a list: an array, or an object with the list under its name.
    pub(super) fn list(
        &self,
        plan: &Plan,
        way: PassedBy,
        values: &[PassedValue<'_>],
        problems: &mut Problems,
    ) -> Result<String, BindError> {
        let (Some(list), Some(accepted)) = (plan.parameters.first(), self.0.first()) else {
            return Ok("[]".to_owned());
        };
        let mut unknown_names = UnknownNames::default();
        let mut positions = Positions::new();
        let mut named: Vec<&PassedValue<'_>> = Vec::new();
        for passed in values {
            match &passed.key {
                ParamKey::Position(position) => {
                    positions.entry(*position).or_default().push(passed.value);
                }
                ParamKey::Name(name) if plan.find(name).is_some() => {
                    match named.first().and_then(|first| first.conflict(passed)) {
                        Some(problem) => problems.push_once(&list.name, problem),
                        None => named.push(passed),
                    }
                }
                ParamKey::Name(name) => unknown_names.report(plan, name, problems),
            }
        }
        if !positions.is_empty() && !named.is_empty() {
            return Err(by_name_and_by_position(&list.name));
        }
        if values.iter().any(PassedValue::is_text) && !accepted.can_be_sent_as_list() {
            return Err(way.no_text(&list.name));
        }
        let values_by_name: Vec<_> = named.iter().map(|passed| passed.value).collect();
        let mut params = String::new();
        match *values_by_name {
            [] => {}
            [Argument::Json(array)] if way == PassedBy::Call && array.starts_with('[') => {
                positions = passed::elements(array)
                    .map(|element| vec![element.value])
                    .enumerate()
                    .collect();
            }
            [Argument::Json(value)] => {
                params.push('{');
                push_name(&mut params, list);
                params.push_str(value.trim());
                params.push('}');
                return Ok(params);
            }
            [Argument::Text("")] if accepted.is_absent_if_empty => {}
            _ => {
                accepted.push_array(&mut params, &values_by_name);
                return Ok(params);
            }
        }
        params.push('[');
        for (expected, (position, values)) in positions.iter().enumerate() {
            if *position != expected {
                let gap = "no value at this position: positions must not have gaps";
                return Err(BindError::new(gap)
                    .for_parameter(&*list.name)
                    .at_position(expected));
            }
            if expected > 0 {
                params.push(',');
            }
            accepted
                .element(expected)
                .push(&mut params, way, values)
                .map_err(|problem| problem.for_parameter(&*list.name).at_position(expected))?;
        }
        params.push(']');
        Ok(params)
    }
}
