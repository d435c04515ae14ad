//! Functions that make calls, and the class that sends them.
//!
//! A call is a value, so that calls can be sent alone, together, or as notifications. A subscription is called alone,
//! so it is only a method. How calls are sent is the same for every service, and stands in `rpc.ts`.

use super::source::{comment_lines, docs, quoted, write_comment};
use super::types::write_type;
use crate::client::model::{ClientProcedure, Model, ParamPassing, Type};
use crate::client::names::typescript_methods;
use crate::client::shapes::Shapes;
use std::fmt::Write as _;

/// Writes the calls and the class that sends them.
pub(super) fn client(out: &mut String, model: &Model, shapes: &Shapes<'_>) {
    let names = typescript_methods(model.procedures.iter().map(|procedure| &*procedure.wire));
    let mut calls = String::new();
    let mut methods = String::new();
    for (procedure, name) in model.procedures.iter().zip(names) {
        if !procedure.is_subscription {
            write_call(&mut calls, model, shapes, procedure, &name);
        }
        methods.push('\n');
        let mut lines = comment_lines(&procedure.docs);
        if procedure.is_deprecated {
            lines.push("@deprecated".to_owned());
        }
        write_comment(&mut methods, "  ", &lines);
        write_method(&mut methods, model, shapes, procedure, &name);
    }
    let mut class_docs = String::new();
    docs(&mut class_docs, "", &model.docs);
    let constructor = constructor(model);
    let _ = write!(
        out,
        "
/** The calls, to be sent together with `batch` or as notifications with `notify`. */
export const calls = {{
{calls}}};

{class_docs}export class Client extends Rpc {{
{constructor}{methods}}}
"
    );
}

/// Writes the function that makes a call.
fn write_call(
    out: &mut String,
    model: &Model,
    shapes: &Shapes<'_>,
    procedure: &ClientProcedure,
    name: &str,
) {
    let declared = parameters(model, procedure).declared;
    let output = write_type(model, &procedure.output);
    docs(out, "  ", &format!("Calls `{}`.", procedure.wire));
    let call = call(model, shapes, procedure);
    let _ = write!(
        out,
        "  {name}({declared}): Call<{output}> {{\n    return {call};\n  }},\n"
    );
}

/// Writes the method that sends a call, or that subscribes.
fn write_method(
    out: &mut String,
    model: &Model,
    shapes: &Shapes<'_>,
    procedure: &ClientProcedure,
    name: &str,
) {
    let MethodParams { declared, passed } = parameters(model, procedure);
    let (declared, options) = match &*declared {
        "" => ("options?: CallOptions".to_owned(), ", options"),
        _ if procedure.passing == ParamPassing::Variadic => (declared, ""),
        _ => (format!("{declared}, options?: CallOptions"), ", options"),
    };
    let output = write_type(model, &procedure.output);
    let (returns, sent) = if procedure.is_subscription {
        let call = call(model, shapes, procedure);
        (
            format!("AsyncIterableIterator<SubscriptionItem<{output}>>"),
            format!("subscribe({call}{options})"),
        )
    } else if procedure.notification {
        (
            "Promise<void>".to_owned(),
            format!("notify(calls.{name}({passed}){options})"),
        )
    } else {
        (
            format!("Promise<{output}>"),
            format!("send(calls.{name}({passed}){options})"),
        )
    };
    let _ = write!(
        out,
        "  {name}({declared}): {returns} {{
    return this.{sent};
  }}
"
    );
}

/// Returns the constructor of the class, with an option for the API key if the description names its header field.
fn constructor(model: &Model) -> String {
    let mut text = "Creates a client for the service at this URL.".to_owned();
    let mut key_option = "";
    let mut key_field = String::new();
    if let Some(field) = &model.api_key_field {
        let _ = write!(text, " `apiKey` is sent in the header field `{field}`.");
        key_option = " & { apiKey?: ClientCredential }";
        key_field = format!(", {}", quoted(field));
    }
    let mut out = String::new();
    docs(&mut out, "  ", &text);
    let busy = model.busy_codes();
    let _ = write!(
        out,
        "  constructor(url: ServiceAddress, options: ClientOptions{key_option} = {{}}) {{
    super(url, options, [{busy}]{key_field});
  }}
"
    );
    out
}

/// Returns whether a call needs parameters.
fn has_required(procedure: &ClientProcedure) -> bool {
    procedure.params.iter().any(|param| param.required)
}

/// The parameters of a method.
#[derive(Default)]
struct MethodParams {
    /// Their declaration.
    declared: String,
    /// The expression that passes them on.
    passed: &'static str,
}

/// Returns the parameters of a method.
fn parameters(model: &Model, procedure: &ClientProcedure) -> MethodParams {
    if procedure.passing == ParamPassing::Variadic {
        let list = Type::List(Box::new(model.variadic(procedure).clone()));
        let list = write_type(model, &list);
        return MethodParams {
            declared: format!("...values: {list}"),
            passed: "...values",
        };
    }
    let Some(ty) = &procedure.params_type else {
        return MethodParams::default();
    };
    // A default of `{}` would have members of its own, such as `constructor`.
    let optional = if has_required(procedure) { "" } else { "?" };
    let ty = write_type(model, ty);
    MethodParams {
        declared: format!("params{optional}: {ty}"),
        passed: "params",
    }
}

/// Returns the member that says how a subscription resumes, if it can.
fn resume(model: &Model, procedure: &ClientProcedure) -> Option<String> {
    let field = &procedure.params[procedure.resume?];
    let param = quoted(&field.wire);
    let ty = model.resolve(model.resolve(&field.ty).not_null());
    let is_number = matches!(ty, Type::Integer(_) | Type::Number);
    Some(format!(
        "resume: {{ param: {param}, isNumber: {is_number} }}"
    ))
}

/// Returns the expression for a call.
fn call(model: &Model, shapes: &Shapes<'_>, procedure: &ClientProcedure) -> String {
    let mut members = vec![format!("method: {}", quoted(&procedure.wire))];
    match procedure.passing {
        ParamPassing::Variadic => members.push("params: values".to_owned()),
        _ if procedure.params.is_empty() => {}
        ParamPassing::ByName | ParamPassing::Whole => members.push("params".to_owned()),
        ParamPassing::ByPosition => {
            let maybe = if has_required(procedure) { "" } else { "?." };
            let mut values = Vec::new();
            for param in &procedure.params {
                values.push(format!("params{maybe}[{}]", quoted(&param.wire)));
            }
            members.push(format!("params: positions([{}])", values.join(", ")));
        }
    }
    for option in procedure.options() {
        members.push(format!("{option}: true"));
    }
    members.extend(resume(model, procedure));
    if let Some(shape) = shapes.write_used(&procedure.output) {
        members.push(format!("shape: {shape}"));
    }
    let errors: Vec<&str> = model
        .errors_of(procedure)
        .map(|error| &*error.name)
        .collect();
    if !errors.is_empty() {
        members.push(format!("errors: [{}]", errors.join(", ")));
    }
    format!("{{ {} }}", members.join(", "))
}
