//! Finds values that a service's description allows and its types refuse.
//!
//! A description that promises more than its types accept is a trap for callers. This tries values
//! that the schemas allow, for a test of the author: `build()` cannot call serde with every value.

use docent_describe::json::{Json, Object, shorten};
use docent_describe::schema::check::{Check, Compiler};
use docent_describe::schema::{Examples, SchemaViews, variations};
use docent_describe::{ParamDescription, ProcedureDescription};

use super::callable::Callable;
use super::state::Service;

/// The maximum number of values of one parameter that are reported.
const MAX_REPORTED_VALUES: usize = 3;
/// The maximum number of characters of a value that are reported.
const MAX_VALUE_CHARS: usize = 120;

/// Asserts that the types of a service accept the values that its description allows. Use it in a test.
///
/// A schema comes from the declaration of a type, but decoding can be stricter, for example because of
/// `#[serde(try_from = "…")]`. A caller who follows the description would then be rejected. The assertion
/// decodes sample values that the schema of each parameter allows. No handler runs, and procedures with
/// [`Procedure::unchecked`](crate::Procedure::unchecked) are skipped.
///
/// ```
/// use docent::{Cx, Fault, Procedure, Service, testing::assert_description_holds};
///
/// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c20")
///     .procedure(Procedure::sync("hello", |_: Cx, names: Vec<String>| Ok::<_, Fault>(names.len())))
///     .build()?;
/// assert_description_holds(&service);
/// # Ok::<(), docent::BuildError>(())
/// ```
///
/// # Panics
/// Panics if a type rejects a value that its schema allows. The message lists these values, each with its
/// procedure, its parameter and the reason.
#[track_caller]
pub fn assert_description_holds(service: &Service) {
    let description = service.description();
    let components = &description.components.schemas;
    let mut compiler = Compiler::new(components);
    let views = SchemaViews::new(description);
    let examples = Examples::new(components);
    let mut rejected_values = Vec::new();
    for procedure in &description.procs {
        let Some(callable) = service.callable(&procedure.name) else {
            continue;
        };
        if procedure.unchecked.is_some() {
            continue;
        }
        let mut values = Vec::with_capacity(procedure.params.len());
        for param in &procedure.params {
            let view = views.view_of_schema(&param.schema);
            let mut candidates = examples.of_each_form(view);
            if let Some(first) = candidates.first().cloned() {
                candidates.extend(variations(view, &first));
            }
            values.push(match compiler.compile(&param.schema) {
                Ok(check) => accepted(candidates, &check),
                Err(_) => Vec::new(),
            });
        }
        report_rejected(procedure, callable, &values, &mut rejected_values);
    }
    assert!(
        rejected_values.is_empty(),
        "the description of {:?} is not true:\n{}\nDescribe what the types accept, with `range`, \
         `regex`, `extend(\"pattern\" = \"…\")` or `with = \"…\"` in `#[schemars(…)]`, or call \
         `.unchecked(reason)` on the procedure",
        description.name,
        rejected_values.join("\n")
    );
}

/// Returns those of some values that a schema allows.
fn accepted(mut values: Vec<Json>, check: &Check) -> Vec<Json> {
    values.retain(|value| check.check(&value.to_string()).is_ok());
    values
}

/// Binds the values of each parameter, and reports those that its type refuses.
fn report_rejected(
    procedure: &ProcedureDescription,
    callable: &Callable,
    values: &[Vec<Json>],
    rejected_values: &mut Vec<String>,
) {
    for (index, param) in procedure.params.iter().enumerate() {
        let mut reported = 0;
        for value in &values[index] {
            let params = call(&procedure.params, values, index, value).to_string();
            let Err(error) = callable.handler.accepts(&callable.plan, Some(&params)) else {
                continue;
            };
            // Mistakes in other parameters are reported when those are tried.
            let Some(problem) = error.concerning(&param.name) else {
                continue;
            };
            let at = match problem.pointer() {
                "" => String::new(),
                pointer => format!(" at {pointer}"),
            };
            rejected_values.push(format!(
                "- procedure {:?}, parameter `{}`: the schema allows {}, but its type refuses it{at}: {}",
                procedure.name,
                param.name,
                shorten(&value.to_string(), MAX_VALUE_CHARS),
                problem.reason()
            ));
            reported += 1;
            if reported == MAX_REPORTED_VALUES {
                break;
            }
        }
    }
}

/// Returns the parameters of a call that gives one of them this value, and no other that is optional.
fn call(params: &[ParamDescription], values: &[Vec<Json>], tried: usize, value: &Json) -> Json {
    if params[tried].variadic {
        return value.clone();
    }
    // The value that is tried comes first, so that it is refused before any other.
    let mut call = Object::new();
    call.insert(params[tried].name.as_str(), value.clone());
    for (other, values) in params.iter().zip(values) {
        if other.required
            && !call.contains_key(&other.name)
            && let Some(first) = values.first()
        {
            call.insert(other.name.as_str(), first.clone());
        }
    }
    Json::Object(call)
}
