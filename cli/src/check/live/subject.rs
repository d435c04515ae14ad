//! A procedure to check, and the values that its description allows.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use docent_core::Arguments;
use docent_describe::json::{Json, Object, Pointer};
use docent_describe::schema::{Validator, candidates, for_each_schema, variations};
use docent_describe::{Origin, ParamDescription, ProcedureDescription, ServiceDescription};

use super::lie::{outline, place, without_values};
use super::met::Met;
use super::quote::value;
use super::response::place_and_reason;

/// A parameter that no procedure has.
pub(super) const UNKNOWN: &str = "noSuchParameter";
/// The number of values of a parameter that are varied.
const VARIED: usize = 4;
/// The maximum number of valid values that are kept of a parameter, and also of other values.
const KEPT: usize = 150;

pub(super) struct Subject<'d> {
    pub(super) procedure: &'d ProcedureDescription,
    pub(super) arguments: Arguments,
    /// The values to call the procedure with, by parameter.
    pub(super) pools: Vec<Pool>,
    /// The reason for which the procedure is no longer called.
    given_up: Mutex<Option<String>>,
    /// The findings so far.
    met: Mutex<Met>,
    /// The values that the schemas of the service list.
    listed: Arc<HashSet<String>>,
    is_docent: bool,
}

/// Values to try for a parameter.
#[derive(Debug, Default, Clone)]
pub(super) struct Pool {
    pub(super) valid: Vec<Json>,
    /// The values that violate the schema, or for which the schema cannot be decided.
    pub(super) others: Vec<Json>,
}

impl<'d> Subject<'d> {
    pub(super) fn new(
        procedure: &'d ProcedureDescription,
        service: &'d ServiceDescription,
        validator: &Validator<'d>,
        listed: &Arc<HashSet<String>>,
    ) -> Self {
        let components = &service.components;
        let examples: Vec<Object> = procedure
            .examples
            .iter()
            .filter_map(|example| named(procedure, example.params.as_ref()))
            .collect();
        let pools = procedure.params.iter().map(|param| {
            let known = examples
                .iter()
                .filter_map(|it| it.get(&param.name).cloned());
            let mut values: Vec<Json> = known.collect();
            values.extend(param.default.clone());
            values.extend(candidates(&param.schema, &components.schemas));
            let mut pool = Pool::default();
            let mut varied = 0;
            for value in values {
                let is_valid = pool.add(&value, param, validator);
                if is_valid && varied < VARIED {
                    varied += 1;
                    for other in variations(&param.schema, &value, &components.schemas) {
                        pool.add(&other, param, validator);
                    }
                }
            }
            pool
        });
        Self {
            procedure,
            arguments: Arguments::new(procedure, service),
            pools: pools.collect(),
            given_up: Mutex::default(),
            met: Mutex::default(),
            listed: Arc::clone(listed),
            is_docent: service.origin == Origin::Docent,
        }
    }

    /// Returns the reason for which the procedure is no longer called.
    pub(super) fn given_up(&self) -> Option<String> {
        self.reason().clone()
    }

    /// Gives up the procedure. Only the first reason is kept.
    pub(super) fn give_up(&self, why: String) {
        self.reason().get_or_insert(why);
    }

    fn reason(&self) -> MutexGuard<'_, Option<String>> {
        self.given_up.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn met(&self) -> MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an outline of a parameter's value.
    pub(super) fn outline(&self, param: &ParamDescription, value: &Json) -> String {
        let is_listed = |value: &Json| self.listed.contains(&value.to_string());
        format!("{}={}", param.name, outline(value, &is_listed))
    }

    /// Explains why the description does not allow parameters. Also returns a key that distinguishes
    /// the reason from others.
    pub(super) fn objection(
        &self,
        params: Option<&Json>,
        validator: &Validator<'d>,
    ) -> Option<(String, String)> {
        let text = params.map_or("null".to_owned(), Json::to_string);
        if let Err(fault) = self.arguments.check(&text) {
            let data: Option<Json> = fault.data().and_then(|data| data.parse().ok());
            let (at, reason) = place_and_reason(data.as_ref())?;
            let key = format!("{} {}", place(&at), without_values(&reason));
            let separator = if at.is_empty() { "" } else { ": " };
            return Some((format!("{at}{separator}{reason}"), key));
        }
        let given = named(self.procedure, params)?;
        self.procedure.params.iter().find_map(|param| {
            let found = given.get(&param.name)?;
            let (pointer, asked) = validator.breach(&param.schema, found)?;
            let at = Pointer::resolve(pointer.as_str(), found).unwrap_or(found);
            let why = format!(
                "{}{pointer}: {} is not {}",
                param.name,
                value(at),
                value(&asked)
            );
            Some((
                why,
                format!("{}{} {asked}", param.name, place(pointer.as_str())),
            ))
        })
    }

    /// Returns whether the procedure takes a list of any length as its only parameter.
    pub(super) fn is_list(&self) -> bool {
        matches!(&*self.procedure.params, [list] if list.variadic)
    }

    fn structure(&self) -> Option<&str> {
        self.procedure.extensions.get("$paramStructure")?.as_str()
    }

    pub(super) fn takes_names(&self) -> bool {
        self.structure() != Some("by-position")
    }

    pub(super) fn takes_positions(&self) -> bool {
        !self.procedure.by_name_only && self.structure() != Some("by-name")
    }

    pub(super) fn is_unchecked(&self) -> bool {
        self.procedure.unchecked.is_some()
    }

    /// Returns parameters by name, or by position if the procedure does not take names.
    pub(super) fn by_name(&self, params: &Object) -> Option<Json> {
        if !self.takes_names() {
            return self.by_position(params);
        }
        Some(Json::Object(params.clone()))
    }

    /// Returns parameters by position, or `None` if the call cannot pass them by position.
    pub(super) fn by_position(&self, params: &Object) -> Option<Json> {
        if !self.takes_positions() {
            return None;
        }
        let names = self.procedure.params.iter().map(|param| &param.name);
        let values = names.map_while(|name| params.get(name)).cloned();
        let values: Vec<Json> = values.collect();
        if values.len() < params.len() {
            return None;
        }
        if self.is_list() {
            return values
                .into_iter()
                .next()
                .filter(|it| it.as_array().is_some());
        }
        Some(Json::Array(values))
    }

    /// Returns whether the description allows parameters, by name or by position. Returns `None` if
    /// that cannot be decided.
    pub(super) fn takes(&self, params: &Json, validator: &Validator<'_>) -> Option<bool> {
        let taken = self.takes_by_schema(params, validator);
        let accepted = self.arguments.check(&params.to_string()).is_ok();
        match taken {
            // Docent's own checks go beyond the schema: formats, and the names of parameters.
            Some(true) if self.is_docent && !accepted => None,
            None if self.is_docent && !accepted => Some(false),
            taken => taken,
        }
    }

    fn takes_by_schema(&self, params: &Json, validator: &Validator<'_>) -> Option<bool> {
        let params = match params {
            Json::Array(_) if !self.takes_positions() => return Some(false),
            Json::Array(values)
                if !self.is_list() && values.len() > self.procedure.params.len() =>
            {
                return if self.is_docent { Some(false) } else { None };
            }
            params => params,
        };
        let given = named(self.procedure, Some(params))?;
        let mut all = Some(true);
        for name in given.keys() {
            let known = self.procedure.params.iter().any(|it| is_called(it, name));
            if !known {
                // Only Docent guarantees that these are rejected.
                all = if self.is_docent {
                    return Some(false);
                } else {
                    None
                };
            }
        }
        for param in &self.procedure.params {
            let names = given.keys().filter(|name| is_called(param, name));
            let names: Vec<_> = names.collect();
            match &*names {
                [] if param.required => return Some(false),
                [] => {}
                [name] => match validator.is_valid(&param.schema, &given[name.as_str()]) {
                    Some(false) => return Some(false),
                    Some(true) => {}
                    None => all = None,
                },
                _ => return Some(false),
            }
        }
        all
    }
}

impl Pool {
    /// Adds a value, and returns whether it satisfies the schema.
    fn add(&mut self, value: &Json, param: &ParamDescription, validator: &Validator<'_>) -> bool {
        let is_valid = validator.is_valid(&param.schema, value) == Some(true);
        let kept = if is_valid {
            &mut self.valid
        } else {
            &mut self.others
        };
        if kept.len() < KEPT && !kept.contains(value) {
            kept.push(value.clone());
        }
        is_valid
    }
}

/// Returns the JSON text of all values that the schemas of a service list.
pub(super) fn listed(service: &ServiceDescription) -> HashSet<String> {
    let mut listed = HashSet::new();
    let params = service.procs.iter().flat_map(|it| &it.params);
    let params = params.map(|param| &param.schema);
    for schema in service.components.schemas.values().chain(params) {
        for_each_schema(schema, &mut |schema| {
            let values = schema.get("enum").and_then(Json::as_array);
            let values = values.unwrap_or_default().iter().chain(schema.get("const"));
            listed.extend(values.map(Json::to_string));
        });
    }
    listed
}

/// Returns whether a parameter has this name or alias.
fn is_called(param: &ParamDescription, name: &str) -> bool {
    param.name == name || param.aliases.iter().any(|alias| alias.name == name)
}

/// Returns parameters by name, from parameters by name or by position.
pub(super) fn named(procedure: &ProcedureDescription, params: Option<&Json>) -> Option<Object> {
    match params {
        None => Some(Object::new()),
        Some(Json::Object(members)) => Some(members.clone()),
        Some(Json::Array(values)) => match &*procedure.params {
            [list] if list.variadic => Some(
                [(list.name.clone(), Json::Array(values.clone()))]
                    .into_iter()
                    .collect(),
            ),
            params => {
                let names = params.iter().map(|param| param.name.clone());
                Some(names.zip(values.iter().cloned()).collect())
            }
        },
        Some(_) => None,
    }
}
