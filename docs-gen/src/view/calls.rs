//! Samples of a call, and the data of the form to make it.
//!
//! Each function takes the [`SampleCall`] of a procedure and returns what a page shows of it: the request in the
//! languages of the page ([`samples`]), with GET ([`get_sample`]), as a message over a WebSocket
//! ([`websocket_message`]), or as the JSON from which a script builds the form ([`call_form`]). `crate::call` chooses
//! the parameters and makes the messages, `crate::samples` writes the code that sends them, and `crate::form` describes
//! the inputs.

use docent_describe::json::{Json, Object, shorten};
use docent_describe::schema::Kinds;
use docent_describe::{Origin, ProcedureDescription, ServiceDescription};

use super::about::extension_elements;
use super::scope::{MAX_MESSAGE_BYTES, PageScope};
use super::sent::has_websocket;
use crate::call::{self, CallAddress, SampleCall};
use crate::credential::HeaderCredential;
use crate::form::FormKinds;
use crate::json_text;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::samples::{self, ClientCall, CodeSample, SampleLanguages};
use crate::text;

/// The maximum number of parameters with fields of their own. The others are typed as JSON.
const MAX_FIELDS: usize = 100;

/// The maximum number of bytes of a value that the form starts with.
const MAX_FILLED_VALUE: usize = 20_000;

/// Returns the message that begins a subscription over a WebSocket, unless there is none, it lacks a parameter, or it
/// is too long.
pub(super) fn websocket_message<'s>(
    scope: &PageScope<'s>,
    procedure: &'s ProcedureDescription,
    call: &SampleCall,
) -> Option<Markup> {
    if call.lacks_params || !has_websocket(scope.description, procedure) {
        return None;
    }
    let params = call.params.as_ref();
    let request = call::request(scope.description, scope.schemas, procedure, params);
    let printed = json_text::pretty(&request, MAX_MESSAGE_BYTES);
    printed.is_complete.then(|| scope.text.json(&printed))
}

/// Returns a call in the languages of the page, unless it lacks a parameter, is too long, or is not called over HTTP.
pub(super) fn samples<'s>(
    scope: &PageScope<'s>,
    procedure: &'s ProcedureDescription,
    call: &SampleCall,
) -> Option<Vec<CodeSample>> {
    samples_in(SampleLanguages::OfPage, scope, procedure, call)
}

/// Returns a call in the first language, where it has [`samples`].
pub(super) fn first_sample<'s>(
    scope: &PageScope<'s>,
    procedure: &'s ProcedureDescription,
    call: &SampleCall,
) -> Option<Markup> {
    let mut samples = samples_in(SampleLanguages::First, scope, procedure, call)?;
    samples.pop().map(|sample| sample.code)
}

/// Returns a call in these languages.
fn samples_in<'s>(
    languages: SampleLanguages,
    scope: &PageScope<'s>,
    procedure: &'s ProcedureDescription,
    call: &SampleCall,
) -> Option<Vec<CodeSample>> {
    if call.lacks_params || !scope.description.is_called_over_http(procedure) {
        return None;
    }
    let request = call::request(
        scope.description,
        scope.schemas,
        procedure,
        call.params.as_ref(),
    );
    if scope.description.origin == Origin::Mcp {
        // A program would need a session first.
        return Some(vec![CodeSample {
            key: "json",
            name: "JSON",
            code: scope
                .text
                .json(&json_text::pretty(&request, MAX_MESSAGE_BYTES)),
        }]);
    }
    samples::in_languages(
        languages,
        scope.text.format(),
        scope.address().as_ref(),
        &request,
        procedure.subscription.is_some(),
        &HeaderCredential::of_procedure(scope.description, procedure),
        client_method(scope, procedure)
            .map(|method| ClientCall {
                method,
                arguments: call::client_arguments(procedure, request.get("params")),
            })
            .as_ref(),
    )
}

/// Returns the call with GET, if it can be made that way and nothing is missing.
pub(super) fn get_sample(scope: &PageScope<'_>, index: usize, call: &SampleCall) -> Option<Markup> {
    if call.lacks_params || !scope.service.plan.takes_get(index) {
        return None;
    }
    let procedure = scope.procedure(index);
    let target = call::get(procedure, call.params.as_ref())?;
    let credentials = HeaderCredential::of_procedure(scope.description, procedure);
    let address = scope.address();
    samples::get(
        scope.text.format(),
        address.as_ref(),
        &target,
        procedure.subscription.is_some(),
        &credentials,
    )
}

/// Returns the name of the generated client's method, unless it takes values that are not written as in JSON, or a list
/// of any length.
fn client_method<'s>(
    scope: &PageScope<'s>,
    procedure: &'s ProcedureDescription,
) -> Option<&'s str> {
    for param in &procedure.params {
        let view = scope.schemas.views.view_of_schema(&param.schema);
        if param.variadic || !view.is_json_in_typescript() {
            return None;
        }
    }
    Some(scope.service.client_method(&procedure.name))
}

/// Returns the data from which the script builds the form of a call, as JSON. The members have
/// short names because they are in every page; `form-panel.js` reads them.
pub(super) fn call_form(scope: &PageScope<'_>, index: usize, call: &SampleCall) -> String {
    let procedure = scope.procedure(index);
    let mut kinds = FormKinds::new();
    let mut params = Vec::new();
    for param in procedure.params.iter().take(MAX_FIELDS) {
        let view = scope.schemas.views.view_of_schema(&param.schema);
        let mut entry = vec![
            Json::from(&*param.name),
            kinds.kind(view, 0).into(),
            Json::from(i64::from(param.required)),
        ];
        // As text, so that the script reads it without rounding a number.
        let stand_in = call::stand_in(param, scope.schemas)
            .map(|value| json_text::compact(&value))
            .filter(|text| text.len() <= MAX_FILLED_VALUE);
        entry.extend(stand_in.map(Json::from));
        params.push(Json::Array(entry));
    }
    let message = json_text::compact(&call::request(
        scope.description,
        scope.schemas,
        procedure,
        call.params.as_ref(),
    ));
    let is_short = message.len() <= MAX_FILLED_VALUE;
    let servers = servers(scope.description);
    let credentials: Vec<Json> = HeaderCredential::of_procedure(scope.description, procedure)
        .iter()
        .map(HeaderCredential::for_form)
        .collect();
    let form = Object::new()
        .with("method", &*procedure.name)
        .with("params", params)
        .with("types", kinds.types())
        .maybe("message", is_short.then_some(message))
        .with("by", params_by(procedure))
        .maybe("address", scope.address().map(|address| address.text))
        .maybe("servers", (servers.len() > 1).then_some(servers))
        .flag("get", scope.service.plan.takes_get(index))
        .flag("repeatable", procedure.repeatable.is_some())
        .flag("restricted", procedure.is_restricted())
        .maybe(
            "credentials",
            (!credentials.is_empty()).then_some(credentials),
        )
        .flag("live", scope.site.appearance.is_live)
        .flag("foreign", scope.is_foreign())
        .flag("lacks", call.lacks_params)
        .flag("events", procedure.subscription.is_some())
        .flag("untold", ends_silently(procedure))
        .maybe("resume", resume(scope, procedure))
        .maybe("client", client_method(scope, procedure))
        .with(
            "codes",
            scope.text.links.to_anchor(PageTarget::Errors, "code"),
        );
    json_text::compact(&Json::Object(form))
}

/// Returns whether a procedure is a subscription that ends without a message about it.
fn ends_silently(procedure: &ProcedureDescription) -> bool {
    procedure
        .subscription
        .as_ref()
        .is_some_and(|subscription| subscription.ends_untold)
}

/// Returns the parameter with which a subscription resumes, and whether it takes the cursor as text. If not, it takes
/// the cursor as a number.
fn resume<'s>(scope: &PageScope<'s>, procedure: &'s ProcedureDescription) -> Option<Json> {
    let name = procedure.subscription.as_ref()?.resume.as_ref()?;
    let param = procedure.params.iter().find(|param| param.name == *name)?;
    let view = scope.schemas.views.view_of_schema(&param.schema);
    Some(Json::Array(vec![
        Json::from(&**name),
        view.all_kinds().meet(Kinds::STRING).into(),
    ]))
}

/// Returns how the form sends parameters: as a list, by name, by position, or as the reader chooses.
fn params_by(procedure: &ProcedureDescription) -> &'static str {
    if procedure.params.iter().any(|param| param.variadic) {
        "list"
    } else if procedure.by_name_only {
        "name"
    } else if call::is_by_position(procedure) {
        "position"
    } else {
        "either"
    }
}

/// Returns the addresses of a document that has several, with their names.
fn servers(description: &ServiceDescription) -> Vec<Json> {
    extension_elements(&description.extensions, "$servers")
        .filter_map(named_address)
        .collect()
}

/// Returns the name and the address of a server of OpenRPC, with the defaults of its variables.
fn named_address(server: &Json) -> Option<Json> {
    let mut url = server.get_str("url")?.to_owned();
    let variables = server.get("variables").and_then(Json::as_object);
    for (name, variable) in variables.into_iter().flatten() {
        let default = variable.get_str("default");
        for slot in [format!("{{{name}}}"), format!("${{{name}}}")] {
            url = url.replace(&slot, default.unwrap_or_default());
        }
    }
    let address = CallAddress::new(&url, false)?.text;
    let name = text::one_line(server.get_str("name").unwrap_or(&address));
    Some(Json::Array(vec![
        Json::from(shorten(&name, 60).into_owned()),
        Json::from(address),
    ]))
}
