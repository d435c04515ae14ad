//! Tests of binding, by subject.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod adapt;
mod blame;
mod calls;
mod hostile;
mod once;
mod properties;
mod several;
mod whole;

use docent_describe::ParamDescription;
use docent_describe::json::Json;
use docent_describe::schema::params_of;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{BindError, CheckExtent, ParamCheck, Params, Plan};
use docent_describe::schema::check::{Check, Compiler};

/// Describes a parameter. A question mark after the name marks it as optional.
fn described(name: &str) -> ParamDescription {
    let required = !name.ends_with('?');
    let mut param = ParamDescription::new(name.trim_end_matches('?'), Json::Bool(true));
    param.required = required;
    param
}

fn plan<S: AsRef<str>>(names: &[S]) -> Plan {
    plan_with_checks(names.iter().map(|name| (name, None)).collect())
}

fn plan_by_name_only(names: &[&str]) -> Plan {
    let parameters: Vec<_> = names.iter().map(|name| described(name)).collect();
    Plan::new(
        parameters
            .iter()
            .map(|parameter| (parameter, ParamCheck::default())),
        true,
    )
}

fn plan_with_checks(parameters: Vec<(impl AsRef<str>, Option<Check>)>) -> Plan {
    let mut descriptions = Vec::new();
    let mut checks = Vec::new();
    for (name, check) in parameters {
        descriptions.push(described(name.as_ref()));
        checks.push(ParamCheck::from(check));
    }
    Plan::new(descriptions.iter().zip(checks), false)
}

fn list() -> Plan {
    list_with(None)
}

fn list_with(check: Option<Check>) -> Plan {
    let mut values = ParamDescription::new("values", Json::Bool(true));
    values.variadic = true;
    Plan::new([(&values, check.into())], false)
}

/// Returns the plan of a type, with the checks of its schema.
fn plan_of<P: DeserializeOwned + JsonSchema>() -> Plan {
    let schema = params_of::<P>().unwrap();
    let mut compiler = Compiler::new(&schema.definitions);
    let mut parameters = Vec::new();
    for parameter in &schema.params {
        let check = Some(compiler.compile(&parameter.schema).unwrap());
        let extent = if compiler.asserts_beyond_decoding(&parameter.schema) {
            CheckExtent::BeyondDecoding
        } else {
            CheckExtent::Nothing
        };
        parameters.push((parameter, ParamCheck { check, extent }));
    }
    Plan::new(parameters, schema.by_name_only)
}

/// Returns the check of everything in a schema.
fn check(schema: &str) -> Check {
    let schema: Json = schema.parse().unwrap();
    Compiler::new(&IndexMap::new()).compile(&schema).unwrap()
}

fn params(text: &str) -> Params<'_> {
    match text.trim_start().as_bytes().first() {
        Some(b'[' | b'{') => Some(text),
        _ => None,
    }
}

fn bind<P: DeserializeOwned>(plan: &Plan, text: &str) -> Result<P, BindError> {
    super::bind(plan, params(text))
}

/// Returns the `data` of a rejected call.
#[track_caller]
fn error_data<P: DeserializeOwned>(plan: &Plan, text: &str) -> Value {
    match bind::<P>(plan, text) {
        Ok(_) => panic!("{text} was taken"),
        Err(error) => serde_json::to_value(&error).unwrap(),
    }
}
