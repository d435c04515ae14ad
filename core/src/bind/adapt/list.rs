//! Adapts a list of any length, which is given by positions or by its name.

use std::collections::BTreeMap;

use super::given::{self, GivenKey, GivenParams, PassedBy, by_name_and_by_position};
use super::{Adapter, Argument, push_name};
use crate::bind::error::BindError;
use crate::bind::names::Strangers;
use crate::bind::plan::Plan;
use crate::bind::problems::Problems;

/// The values for each position.
type Positions<'a> = BTreeMap<usize, Vec<Argument<'a>>>;

impl Adapter {
    pub(super) fn list(
        &self,
        plan: &Plan,
        way: PassedBy,
        given: &[GivenParams<'_>],
        problems: &mut Problems,
    ) -> Result<String, BindError> {
        let (Some(list), Some(takes)) = (plan.parameters.first(), self.0.first()) else {
            return Ok("[]".to_owned());
        };
        let mut strangers = Strangers::default();
        let mut positions = Positions::new();
        let mut named: Vec<&GivenParams<'_>> = Vec::new();
        for one in given {
            match &one.key {
                GivenKey::Position(position) => {
                    positions.entry(*position).or_default().push(one.value);
                }
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
        if given.iter().any(GivenParams::is_text) && !takes.can_be_sent_as_list() {
            return Err(way.no_text(&list.name));
        }
        let values_by_name: Vec<_> = named.iter().map(|given| given.value).collect();
        let mut params = String::new();
        match *values_by_name {
            [] => {}
            [Argument::Json(array)] if way == PassedBy::Call && array.starts_with('[') => {
                let values = given::elements(array).map(|given| vec![given.value]);
                positions = values.enumerate().collect();
            }
            [Argument::Json(value)] => {
                params.push('{');
                push_name(&mut params, list);
                params.push_str(value.trim());
                params.push('}');
                return Ok(params);
            }
            [Argument::Text("")] if takes.is_absent_if_empty => {}
            _ => {
                takes.push_array(&mut params, &values_by_name);
                return Ok(params);
            }
        }
        params.push('[');
        for (expected, (position, values)) in positions.iter().enumerate() {
            if *position != expected {
                let gap = "no value at this position: positions must not have gaps";
                return Err(BindError::new(gap).of(&*list.name).at_position(expected));
            }
            if expected > 0 {
                params.push(',');
            }
            takes
                .element(expected)
                .push(&mut params, way, values)
                .map_err(|problem| problem.of(&*list.name).at_position(expected))?;
        }
        params.push(']');
        Ok(params)
    }
}
