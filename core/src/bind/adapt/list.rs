//! Adapts a list of any length, which is given by positions or by its name.

use super::given::{self, GivenKey, GivenParams, PassedBy, by_name_and_by_position};
use super::takes::Takes;
use super::{Adapter, Argument, push_name};
use crate::bind::error::BindError;
use crate::bind::names::Strangers;
use crate::bind::plan::Plan;
use crate::bind::problems::Problems;

impl Adapter {
    pub(super) fn list(
        &self,
        plan: &Plan,
        way: PassedBy,
        given: &[GivenParams<'_>],
        problems: &mut Problems,
    ) -> Result<String, BindError> {
        let (Some(list), Some(takes)) = (plan.parameters().first(), self.0.first()) else {
            return Ok("[]".to_owned());
        };
        let mut strangers = Strangers::default();
        let mut positions = Vec::new();
        let mut named: Vec<&GivenParams<'_>> = Vec::new();
        for one in given {
            match &one.key {
                GivenKey::Position(position) => positions.push((*position, one.value)),
                GivenKey::Name(name) if plan.find(name).is_some() => {
                    match named.first().and_then(|first| first.conflict(one)) {
                        Some(problem) => problems.push_once(&list.name, problem),
                        None => named.push(one),
                    }
                }
                GivenKey::Name(name) => strangers.meet(plan, name, problems),
            }
        }
        if !positions.is_empty() && !named.is_empty() {
            return Err(by_name_and_by_position(&list.name));
        }
        let is_text = |value: &Argument<'_>| matches!(value, Argument::Text(_));
        let mut values = given.iter().map(|given| given.value);
        if values.any(|value| is_text(&value)) && !takes.can_be_sent_as_list() {
            return Err(way.no_text(&list.name));
        }
        let named: Vec<_> = named.iter().map(|given| given.value).collect();
        Ok(match *named {
            [] => by_positions(&list.name, takes, way, positions)?,
            [Argument::Json(array)] if way == PassedBy::Call && array.starts_with('[') => {
                let values = given::elements(array).map(|given| given.value);
                by_positions(&list.name, takes, way, values.enumerate().collect())?
            }
            [Argument::Json(value)] => {
                let mut params = String::from("{");
                push_name(&mut params, &list.name);
                params.push_str(value.trim());
                params.push('}');
                params
            }
            [Argument::Text("")] if takes.takes_empty_for_nothing(false) => "[]".to_owned(),
            _ => {
                let mut params = String::new();
                takes.push_array(&mut params, &named);
                params
            }
        })
    }
}

/// Returns the list of the values at these positions, which must have no gaps.
fn by_positions(
    list: &str,
    takes: &Takes,
    way: PassedBy,
    mut given: Vec<(usize, Argument<'_>)>,
) -> Result<String, BindError> {
    given.sort_by_key(|(position, _)| *position);
    let mut params = String::from("[");
    let groups = given.chunk_by(|(one, _), (other, _)| one == other);
    for (expected, group) in groups.enumerate() {
        let here = |problem: BindError| problem.of(list).at_position(expected);
        if group.iter().any(|(position, _)| *position != expected) {
            let reason = "no value at this position: positions must not have gaps";
            return Err(here(BindError::new(reason)));
        }
        if expected > 0 {
            params.push(',');
        }
        let values: Vec<_> = group.iter().map(|(_, value)| *value).collect();
        let pushed = takes.element(expected).push(&mut params, way, &values);
        pushed.map_err(here)?;
    }
    params.push(']');
    Ok(params)
}
