//! Examples must hold: their parameters decode, and their results and errors match the description.
//!
//! Readers copy them, so an example that no longer works is worse than none.

use std::sync::Arc;

use docent_describe::ErrorDescription;
use docent_describe::json::{Json, Object};

use super::enforce::Enforcer;
use super::findings::Findings;
use crate::bind::BindError;
use crate::code;
use crate::fault::Fault;
use crate::service::callable::Callable;

/// The text of a mistake in an example, which follows its number, as in "example 1".
type ExampleMistake = String;

/// Checks the examples of a procedure, and completes them: those of errors with the declared message, and with
/// the error data for parameters that do not decode; those of parameters alone with a result.
pub(super) fn check(callable: &mut Callable, enforcer: &mut Enforcer<'_>, findings: &mut Findings) {
    let mut examples = callable.callee.description.examples.clone();
    for (index, example) in examples.iter_mut().enumerate() {
        let params = example.params.as_ref();
        let checked = match (&mut example.error, &example.items, &mut example.result) {
            (Some(Json::Object(error)), ..) => check_failure(callable, enforcer, params, error),
            (_, Some(items), _) => check_items(callable, enforcer, params, items),
            (.., Some(result)) => check_success(callable, enforcer, params, result),
            (.., result) => complete_success(callable, enforcer, params, result),
        };
        if let Err(wrong) = checked {
            let text = format_args!("example {}: {wrong}", index + 1);
            findings.mistake(&callable.callee.description.name, text);
        }
    }
    if !examples.is_empty() {
        Arc::make_mut(&mut callable.callee).description.examples = examples;
    }
}

/// Checks an example with a result.
fn check_success(
    callable: &Callable,
    enforcer: &mut Enforcer<'_>,
    params: Option<&Json>,
    result: &Json,
) -> Result<(), ExampleMistake> {
    must_decode(callable, params)?;
    match &callable.callee.description.returns {
        Some(returns) => enforcer
            .matches(&returns.schema, result)
            .map_err(|reason| format!("the result does not match the return type: {reason}")),
        None => Ok(()),
    }
}

/// Checks an example with the items of a subscription.
fn check_items(
    callable: &Callable,
    enforcer: &mut Enforcer<'_>,
    params: Option<&Json>,
    items: &[Json],
) -> Result<(), ExampleMistake> {
    must_decode(callable, params)?;
    let Some(subscription) = &callable.callee.description.subscription else {
        return Ok(());
    };
    for (index, item) in items.iter().enumerate() {
        enforcer
            .matches(&subscription.item.schema, item)
            .map_err(|reason| {
                format!(
                    "item {} does not match the type of the items: {reason}",
                    index + 1
                )
            })?;
    }
    Ok(())
}

/// Checks an example of parameters alone, and adds the result that the examples of the return type make. A
/// notification has none.
fn complete_success(
    callable: &Callable,
    enforcer: &Enforcer<'_>,
    params: Option<&Json>,
    result: &mut Option<Json>,
) -> Result<(), ExampleMistake> {
    must_decode(callable, params)?;
    let description = &callable.callee.description;
    if let Some(returns) = &description.returns
        && !description.notification
    {
        let text = "it has no result, and the return type has no example; give the type \
                    `#[schemars(example = …)]`, or the example a result";
        *result = Some(enforcer.written_result(&returns.schema).ok_or(text)?);
    }
    Ok(())
}

/// Checks an example with an error, and completes the error: its message is the declared one.
fn check_failure(
    callable: &Callable,
    enforcer: &mut Enforcer<'_>,
    params: Option<&Json>,
    error: &mut Object,
) -> Result<(), ExampleMistake> {
    let code = error.get("code").and_then(Json::as_i64).unwrap_or_default();
    let data = error.shift_remove("data");
    let (message, data) = if code == code::INVALID_PARAMS {
        let data = invalid_params_data(callable, params, data)?;
        (code::message(code).to_owned(), Some(data))
    } else {
        must_decode(callable, params)?;
        let Some(declared) = callable.callee.declared(code) else {
            return Err(format!(
                "the procedure does not declare the error {code}; declare it, or remove the example"
            ));
        };
        check_data(declared, data.as_ref(), enforcer)?;
        (declared.message.clone(), data)
    };
    error.insert("message".to_owned(), Json::from(message));
    error.extend(data.map(|data| ("data".to_owned(), data)));
    Ok(())
}

/// Checks the data of an error against its declaration.
fn check_data(
    declared: &ErrorDescription,
    data: Option<&Json>,
    enforcer: &mut Enforcer<'_>,
) -> Result<(), ExampleMistake> {
    let code = declared.code;
    match (&declared.data, data) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(format!(
            "the error {code} is declared without data; leave the data out, or declare its type"
        )),
        // Data may be left out if it may be null.
        (Some(schema), data) => enforcer
            .matches(schema, data.unwrap_or(&Json::Null))
            .map_err(|reason| {
                format!("the data does not match the type that the error {code} declares: {reason}")
            }),
    }
}

/// Returns the data of an example with invalid parameters: that of the binding if they do
/// not decode, or else the data that the author gave for the handler.
fn invalid_params_data(
    callable: &Callable,
    params: Option<&Json>,
    declared: Option<Json>,
) -> Result<Json, ExampleMistake> {
    let bound = match decode(callable, params)? {
        Ok(()) => None,
        Err(error) => Fault::from(error).data().and_then(|data| data.parse().ok()),
    };
    let members = ["parameter", "pointer", "reason"];
    match (bound, declared) {
        (Some(data), None) => Ok(data),
        (Some(data), Some(declared)) if data == declared => Ok(data),
        (Some(data), Some(_)) => Err(format!(
            "the data is not what callers get for these params, {data}; leave the data out, and Docent fills it in"
        )),
        (None, Some(declared)) if members.iter().all(|member| declared.get(member).is_some()) => {
            Ok(declared)
        }
        (None, _) => Err(
            "the params decode, so only the handler can reject them; give the data of \
             `Fault::invalid_params`, with `parameter`, `pointer` and `reason`"
                .to_owned(),
        ),
    }
}

fn must_decode(callable: &Callable, params: Option<&Json>) -> Result<(), ExampleMistake> {
    decode(callable, params)?.map_err(|error| format!("the params do not decode: {error}"))
}

/// Binds parameters. The outer error says that they are neither an array nor an object.
fn decode(
    callable: &Callable,
    params: Option<&Json>,
) -> Result<Result<(), BindError>, ExampleMistake> {
    let text = params.map(Json::to_string).unwrap_or_default();
    let params = match params {
        None => None,
        Some(Json::Array(_) | Json::Object(_)) => Some(&*text),
        Some(other) => {
            let kind = other.kind();
            return Err(format!(
                "the params must be an array or an object, not {kind}"
            ));
        }
    };
    Ok(callable.handler.accepts(&callable.plan, params))
}
