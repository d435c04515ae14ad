//! Examples, and the form to make a call.
//!
//! The calls themselves are made in `call`, the code that sends them in `samples`, and the inputs of
//! the form in `form`.

use std::borrow::Cow;

use docent_describe::json::{Json, Object, shorten};
use docent_describe::schema::Kinds;
use docent_describe::{Example, Origin, ProcedureDescription, ServiceDescription};
use serde_json::Value;

use super::about::listed;
use super::errors::ErrorView;
use super::scope::{MAX_MESSAGE_BYTES, PageScope, PageText};
use super::sent::has_websocket;
use crate::call::{self, CallAddress, ShownCall};
use crate::credential::HeaderCredential;
use crate::form::FormKinds;
use crate::json_text::{self, Printed};
use crate::markup::Markup;
use crate::samples::{self, ClientCall, CodeSample};
use crate::schema::{ServiceSchemas, is_answered, sides};
use crate::slug::Slugs;
use crate::text;

/// The maximum number of examples that are shown.
const MAX_EXAMPLES: usize = 50;

/// The maximum number of items of an example that are shown, each in a message of its own.
const MAX_ITEMS: usize = 20;

/// The maximum number of parameters with fields of their own. The others are typed as JSON.
const MAX_FIELDS: usize = 100;

/// The maximum number of characters of an example's name on a tab.
const MAX_TAB_LABEL: usize = 32;

/// The maximum number of declared errors whose response is shown next to the examples.
const MAX_FAILURES: usize = 12;

/// The maximum number of bytes of a value that the form starts with.
const MAX_FILLED_VALUE: usize = 20_000;

/// Returns a summary as a heading, which is plain text: the backticks of code are removed.
fn heading(summary: &str) -> String {
    text::one_line(summary).replace('`', "")
}

/// An example of a call.
pub(super) struct ExampleView<'a> {
    /// The anchor.
    id: String,
    /// The number of the example in the description, from 1 on.
    number: usize,
    /// The example, as its author gave it or as it was made.
    example: Cow<'a, Example>,
    /// The message of the request.
    request: Printed,
    /// The message of the response, if there is one.
    response: Option<Printed>,
    /// The messages with the items of a subscription.
    items: Vec<Printed>,
    /// The key of the sentence that the example was made from the schemas, if it was.
    made: Option<&'static str>,
    /// True if the example does not fit the schemas.
    is_broken: bool,
}

impl<'a> ExampleView<'a> {
    /// Returns the examples of a procedure, those that break their schemas last. Without any others, one is made from
    /// the schemas.
    pub(super) fn of_procedure(
        ids: &mut Slugs,
        schemas: &'a ServiceSchemas<'a>,
        procedure: &'a ProcedureDescription,
        call: &ShownCall,
        service: &ServiceDescription,
    ) -> Vec<Self> {
        let examples = procedure.examples.iter().take(MAX_EXAMPLES).zip(1..);
        let views = examples.map(|(example, number)| Self {
            is_broken: schemas.is_broken(procedure, example),
            ..Self::new(
                ids,
                schemas,
                service,
                procedure,
                Cow::Borrowed(example),
                number,
            )
        });
        let (broken, mut shown): (Vec<_>, Vec<_>) = views.partition(|view| view.is_broken);
        if shown.is_empty() && service.origin != Origin::Mcp {
            shown.extend(Self::from_schemas(ids, schemas, procedure, call, service));
        }
        shown.extend(broken);
        shown
    }

    /// Creates an example, with the messages of its request and its response.
    fn new(
        ids: &mut Slugs,
        schemas: &'a ServiceSchemas<'a>,
        service: &ServiceDescription,
        procedure: &'a ProcedureDescription,
        example: Cow<'a, Example>,
        number: usize,
    ) -> Self {
        let request = call::request(service, schemas, procedure, example.params.as_ref());
        Self {
            id: ids.assign(&format!("example.{number}")),
            number,
            request: json_text::pretty(&request, MAX_MESSAGE_BYTES),
            response: call::response(procedure, &example)
                .map(|message| json_text::pretty(&message, MAX_MESSAGE_BYTES)),
            items: (example.items.iter().flatten().take(MAX_ITEMS))
                .filter_map(|item| call::item_message(procedure, item))
                .map(|message| json_text::pretty(&message, MAX_MESSAGE_BYTES))
                .collect(),
            example,
            made: None,
            is_broken: false,
        }
    }

    /// Makes an example from the schemas.
    fn from_schemas(
        ids: &mut Slugs,
        schemas: &'a ServiceSchemas<'a>,
        procedure: &'a ProcedureDescription,
        call: &ShownCall,
        service: &ServiceDescription,
    ) -> Option<Self> {
        if !call.made || call.lacks {
            return None;
        }
        let (_, side) = sides(procedure);
        let returns = procedure.output().filter(|_| is_answered(procedure));
        let result = returns.and_then(|returns| {
            let view = schemas.views.view_of_schema(&returns.schema);
            schemas.examples.value_for(view, Some(side))
        });
        if returns.is_some() && result.is_none() {
            // Half an example would suggest that there is no response.
            return None;
        }
        let number = procedure.examples.len() + 1;
        let key = match procedure.examples.len() {
            0 => "example.made",
            _ => "example.made.instead",
        };
        let params = call.params.clone();
        let mut example = Example::default();
        example.params = params;
        if procedure.subscription.is_some() {
            example.items = result.map(|item| vec![item]);
        } else {
            example.result = result;
        }
        Some(Self {
            made: Some(key),
            ..Self::new(
                ids,
                schemas,
                service,
                procedure,
                Cow::Owned(example),
                number,
            )
        })
    }

    /// Returns an example for a template, as a call and its response.
    pub(super) fn view(&self, page: &PageText<'_>, procedure: &ProcedureDescription) -> Value {
        let Self {
            example,
            request,
            response,
            items,
            ..
        } = self;
        let request_key = if procedure.is_called_by_clients() {
            "example.request"
        } else {
            "example.message"
        };
        let is_silent = procedure.is_called_by_clients() && response.is_none();
        let numbered = match procedure.examples.len() {
            ..2 => page.strings.get("example").to_owned(),
            _ => page
                .strings
                .with("example.numbered", &self.number.to_string()),
        };
        let summary = example.summary.as_deref().map(heading);
        let title = match &summary {
            Some(summary) => page.strings.with("example.titled", &shorten(summary, 120)),
            None => numbered.clone(),
        };
        let summary = summary.filter(|summary| !summary.trim().is_empty());
        let (label, name) = match summary {
            Some(summary) if summary.chars().count() <= MAX_TAB_LABEL => (summary, None),
            // A name that is too long for a tab is above the example.
            summary => (numbered, summary),
        };
        let all_items = example.items.as_ref().map_or(0, Vec::len);
        let cut = response.as_ref().is_some_and(|response| !response.whole);
        view!({
            "href": page.links.same_page(&self.id),
            "id": page.links.id(&self.id),
            "label": label,
            "name": name.map(|name| shorten(&name, 200).into_owned()),
            "title": title,
            "text": about_example(page, example),
            "made": self.made.map(|key| page.strings.get(key)),
            "broken": self.is_broken,
            "cut": cut || !request.whole || all_items > MAX_ITEMS,
            "request_title": page.strings.get(request_key),
            "request": page.json(request),
            "response": response.as_ref().map(|response| page.json(response)),
            "items": items.iter().map(|item| page.json(item)).collect::<Value>(),
            "silent": is_silent.then(|| page.strings.get("example.silent")),
        })
    }
}

/// The response with a declared error that no example shows.
pub(super) struct FailureView {
    /// The anchor.
    id: String,
    /// The anchor of the error.
    declared: String,
    /// The code and the message of the error.
    label: String,
    /// The message of the response.
    response: Printed,
}

impl FailureView {
    /// Makes the responses with the errors that a procedure declares.
    pub(super) fn of_procedure<'a>(
        ids: &mut Slugs,
        schemas: &'a ServiceSchemas<'a>,
        procedure: &'a ProcedureDescription,
        errors: &[ErrorView<'a>],
    ) -> Vec<Self> {
        let shown: Vec<i64> = procedure
            .examples
            .iter()
            .filter_map(call::error_code)
            .collect();
        let hidden = errors
            .iter()
            .filter(|error| !shown.contains(&error.error.code));
        let failures = hidden.take(MAX_FAILURES).filter_map(|declared| {
            let error = declared.error;
            let id = ids.assign(&format!("answer.{}", error.code));
            Some(Self {
                id,
                declared: declared.id.clone(),
                label: format!("{} {}", error.code, shorten(&error.message, MAX_TAB_LABEL)),
                response: json_text::pretty(
                    &call::made_failure(schemas, procedure, error)?,
                    MAX_MESSAGE_BYTES,
                ),
            })
        });
        failures.collect()
    }

    /// Returns the response with a declared error, for a template.
    pub(super) fn view(&self, page: &PageText<'_>) -> Value {
        view!({
            "id": page.links.id(&self.id),
            "href": page.links.same_page(&self.declared),
            "label": &*self.label,
            "response": page.json(&self.response),
        })
    }
}

/// Returns the details of an example besides its summary: its name in OpenRPC, and its
/// description.
fn about_example(page: &PageText<'_>, example: &Example) -> Option<Markup> {
    let mut about = page.markup();
    let name = example.extensions.get("$exampleName");
    if let Some(name) = name.and_then(Json::as_str) {
        about.raw("<p>").code(&shorten(name, 200)).raw("</p>");
    }
    if let Some(text) = &example.description {
        about.paragraph(&page.rendered(text));
    }
    (!about.is_empty()).then_some(about)
}

/// Returns the message that begins a subscription over a WebSocket, unless there is none, it lacks a parameter, or it is
/// too long.
pub(super) fn websocket_message<'s>(
    scope: &PageScope<'s>,
    procedure: &'s ProcedureDescription,
    call: &ShownCall,
) -> Option<Markup> {
    if call.lacks || !has_websocket(scope.description, procedure) {
        return None;
    }
    let params = call.params.as_ref();
    let request = call::request(scope.description, scope.schemas, procedure, params);
    let printed = json_text::pretty(&request, MAX_MESSAGE_BYTES);
    printed.whole.then(|| scope.text.json(&printed))
}

/// Returns a call in every language, unless it lacks a parameter, is too long, or is not called over HTTP.
pub(super) fn samples<'s>(
    scope: &PageScope<'s>,
    procedure: &'s ProcedureDescription,
    call: &ShownCall,
) -> Option<Vec<CodeSample>> {
    if call.lacks || !scope.description.is_called_over_http(procedure) {
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
    samples::in_every_language(
        scope.text.form(),
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

/// Returns the name of the generated client's method, unless it takes values that are not written as in JSON, or a list
/// of any length.
fn client_method<'s>(
    scope: &PageScope<'s>,
    procedure: &'s ProcedureDescription,
) -> Option<&'s str> {
    let views = &scope.schemas.views;
    let mut params = procedure.params.iter();
    params
        .all(|param| !param.variadic && views.view_of_schema(&param.schema).is_json_in_typescript())
        .then(|| scope.service.client_method(&procedure.name))
}

/// Returns the data from which the script builds the form of a call, as JSON. The members have
/// short names because they are in every page; `form-panel.js` reads them.
pub(super) fn call_form(scope: &PageScope<'_>, index: usize, call: &ShownCall) -> String {
    let procedure = scope.procedure(index);
    let mut kinds = FormKinds::new();
    let params = procedure.params.iter().take(MAX_FIELDS).map(|param| {
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
        Json::Array(entry)
    });
    let params: Json = params.collect();
    let message = json_text::compact(&call::request(
        scope.description,
        scope.schemas,
        procedure,
        call.params.as_ref(),
    ));
    let is_short = message.len() <= MAX_FILLED_VALUE;
    let servers = Some(servers(scope.description)).filter(|servers| servers.len() > 1);
    let credentials = HeaderCredential::of_procedure(scope.description, procedure);
    let credentials: Vec<Json> = credentials.iter().map(HeaderCredential::for_form).collect();
    let form = Object::new()
        .with("method", &*procedure.name)
        .with("params", params)
        .with("types", kinds.types())
        .maybe("message", is_short.then_some(message))
        .with("by", params_by(procedure))
        .maybe("address", scope.address().map(|address| address.text))
        .maybe("servers", servers)
        .flag("get", scope.service.plan.takes_get(index))
        .flag("repeatable", procedure.repeatable.is_some())
        .flag("restricted", procedure.is_restricted())
        .maybe(
            "credentials",
            (!credentials.is_empty()).then_some(credentials),
        )
        .flag("live", scope.site.appearance.is_live)
        .flag("foreign", scope.is_foreign())
        .flag("lacks", call.lacks)
        .flag("events", procedure.subscription.is_some())
        .flag("untold", is_untold(procedure))
        .maybe("resume", resume(scope, procedure))
        .maybe("client", client_method(scope, procedure))
        .with("codes", scope.text.links.to_overview("code"));
    json_text::compact(&Json::Object(form))
}

/// Returns whether a procedure is a subscription whose end is not told.
fn is_untold(procedure: &ProcedureDescription) -> bool {
    let subscription = procedure.subscription.as_ref();
    subscription.is_some_and(|subscription| subscription.ends_untold)
}

/// Returns the parameter with which a subscription resumes, and whether it takes text. Another takes the number that the
/// cursor is.
fn resume<'s>(scope: &PageScope<'s>, procedure: &'s ProcedureDescription) -> Option<Json> {
    let name = procedure.subscription.as_ref()?.resume.as_ref()?;
    let param = procedure.params.iter().find(|param| param.name == *name)?;
    let kinds = scope
        .schemas
        .views
        .view_of_schema(&param.schema)
        .all_kinds();
    let takes_text = kinds.meet(Kinds::STRING);
    Some(Json::Array(vec![Json::from(&**name), takes_text.into()]))
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
    listed(&description.extensions, "$servers")
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
    let name = server.get_str("name");
    let name = text::one_line(name.unwrap_or(&address));
    let shown = shorten(&name, 60).into_owned();
    Some(Json::Array(vec![Json::from(shown), Json::from(address)]))
}
