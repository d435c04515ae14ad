//! A procedure's page.
//!
//! The content of the page is found once (`ProcedureView`), and written as HTML and as Markdown.
//! Rows of values are written by `row`, examples and the form by `calls`, and errors by `errors`.

use docent_describe::json::{Json, shorten};
use docent_describe::render::INPUT_SCHEMA;
use docent_describe::schema::SchemaViews;
use docent_describe::{
    Origin, ParamDescription, ProcedureDescription, RateKey, ServiceDescription,
};
use serde_json::Value;

use super::about::related;
use super::calls::{ExampleView, FailureView, call_form, samples, websocket_message};
use super::credentials::{security, security_note};
use super::errors::ErrorView;
use super::scope::{Content, PageScope, PageText, named_link};
use super::sent::{delivery, direction};
use crate::call::{self, ShownCall};
use crate::credential::HeaderCredential;
use crate::json_text;
use crate::markdown;
use crate::markup::{Markup, PageForm};
use crate::plan::PageTarget;
use crate::samples::{self, CodeSample};
use crate::schema::{Row, RowTree, ServiceSchemas, TypeWords, is_answered};
use crate::service::SiteService;
use crate::strings::Strings;
use crate::text::{plain, shown_name};

/// The maximum number of parameters of a signature. All are in the rows.
const MAX_SIGNED: usize = 40;

/// The maximum number of characters of a signature on one line.
const MAX_LINE: usize = 64;

/// The content of a procedure's page.
pub(crate) struct ProcedureView<'a> {
    /// The position of the procedure in the description.
    index: usize,
    /// The values in its parameters.
    param_rows: Vec<Row<'a>>,
    /// The values in its result, or in an item.
    result_rows: Vec<Row<'a>>,
    /// The errors that it declares.
    errors: Vec<ErrorView<'a>>,
    /// The call for the samples and the form.
    call: ShownCall,
    /// The examples, those of the author or a made one.
    examples: Vec<ExampleView<'a>>,
    /// The responses with errors that no example shows.
    failures: Vec<FailureView>,
}

impl<'a> ProcedureView<'a> {
    /// Finds what is said of the procedure at a place in the description.
    pub(super) fn new(
        service: &'a SiteService,
        schemas: &'a ServiceSchemas<'a>,
        index: usize,
    ) -> Self {
        let description = &service.options.description;
        let procedure = &description.procs[index];
        let mut tree = RowTree::new(&schemas.views);
        tree.add_params(procedure);
        let param_rows = tree.take_rows();
        tree.add_result(procedure);
        let result_rows = tree.take_rows();
        let errors = ErrorView::of_procedure(&mut tree, schemas, procedure);
        let call = ShownCall::choose(procedure, schemas);
        let examples =
            ExampleView::of_procedure(&mut tree.ids, schemas, procedure, &call, description);
        let failures = FailureView::of_procedure(&mut tree.ids, schemas, procedure, &errors);
        Self {
            index,
            param_rows,
            result_rows,
            errors,
            call,
            examples,
            failures,
        }
    }

    /// Writes the page.
    pub(super) fn content(&self, scope: &PageScope<'_>) -> Content {
        let page = &scope.text;
        let strings = page.strings;
        let description = scope.description;
        let Self {
            index, ref call, ..
        } = *self;
        let procedure = scope.procedure(index);
        let samples = samples(scope, procedure, call);
        let note = match call.lacks {
            _ if !description.is_called_over_http(procedure) => None,
            true => Some(strings.get("samples.unknown")),
            false => Some(strings.get("samples.long")),
        };
        let name = shown_name(&procedure.name);
        let group = scope.service.plan.group_of[index];
        let errors = self
            .errors
            .iter()
            .map(|error| error.view(page, &scope.service.options, procedure));
        let examples = self.examples.iter();
        let own = view!({
            "signature": signature(page, &scope.schemas.views, procedure),
            "marks": scope.marks(index),
            "help": help(&page.links.plan.stem(scope.target), procedure),
            "message": websocket_message(scope, procedure, call),
            "params": Row::tree(page, &self.param_rows),
            "returns_title": returns_title(procedure).map(|key| strings.get(key)),
            "returns": Row::tree(page, &self.result_rows),
            "errors": errors.collect::<Value>(),
            "protocol_errors": page.links.to_overview("errors"),
            "samples_note": note.filter(|_| samples.is_none()),
            "address_note": scope.address_note(),
            "samples": samples.map(|all| all.into_iter().map(sample_view).collect::<Value>()),
            "get": get_sample(scope, index, call),
            "answers": strings.get(answers_title(description, procedure)),
            "examples": examples.map(|example| example.view(page, procedure)).collect::<Value>(),
        });
        let mut template = joined(about(scope, index), own);
        if page.form() == PageForm::Html {
            template["heading"] = page.written(|heading| heading.breakable(&name)).into();
            template["toc"] = contents(page, description, procedure).into();
            template["group"] = page.link(scope.group_name(group), PageTarget::Group(group, 0));
            let failures = self.failures.iter();
            template["failures"] = failures.map(|failure| failure.view(page)).collect();
            // A page has no session with a server of MCP.
            let is_called =
                description.origin != Origin::Mcp && description.is_called_over_http(procedure);
            let form = is_called.then(|| {
                view!({
                    "data": call_form(scope, index, call),
                    "events": procedure.subscription.is_some(),
                })
            });
            template["call"] = form.into();
            template["around"] = around(scope, group, index).into();
        }
        let summary = procedure.summary.as_deref().map(plain);
        scope.page("procedure", summary, template)
    }
}

/// Returns what is said of a procedure as a whole, beside its parameters, its result, its errors and its examples.
pub(crate) fn about(scope: &PageScope<'_>, index: usize) -> Value {
    let page = &scope.text;
    let strings = page.strings;
    let is_foreign = scope.is_foreign();
    let procedure = scope.procedure(index);
    let group = scope.service.plan.group_of[index];
    let note = security_note(strings, procedure);
    let refusal = note.filter(|_| !is_foreign);
    view!({
        "name": shown_name(&procedure.name),
        "summary": page.prose(procedure.summary.as_deref(), 2),
        "sent": direction(procedure).map(|key| strings.get(key)),
        "delivery": delivery(page, scope.description, procedure),
        "deprecated": deprecated(page, procedure),
        "description": page.prose(procedure.description.as_deref(), 2),
        "params_note": params_note(strings, procedure),
        "unknown_note": procedure.ignores_unknown.then(|| strings.get("params.unknown")),
        "returns_note": returns_note(strings, procedure),
        "access": procedure.reads_credentials(),
        "security": security(page, scope.description, procedure),
        "security_note": note,
        "security_refusal": refusal.map(|_| strings.get("access.refused")),
        "limits": limits(strings, is_foreign, procedure),
        "links": related(page, procedure),
        "tags": other_groups(scope, group, index),
        "repeating": repeating(strings, procedure),
        "errors_note": errors_note(is_foreign, procedure).map(|key| strings.get(key)),
    })
}

/// Returns a view with the members of another.
fn joined(mut view: Value, other: Value) -> Value {
    if let (Value::Object(members), Value::Object(others)) = (&mut view, other) {
        members.extend(others);
    }
    view
}

/// Returns a sample, for a template.
fn sample_view(sample: CodeSample) -> Value {
    let CodeSample { key, name, code } = sample;
    view!({ "key": key, "name": name, "code": code })
}

/// Returns the call with GET, if it can be made that way and nothing is missing.
fn get_sample(scope: &PageScope<'_>, index: usize, call: &ShownCall) -> Option<Markup> {
    if call.lacks || !scope.service.plan.takes_get(index) {
        return None;
    }
    let procedure = scope.procedure(index);
    let target = call::get(procedure, call.params.as_ref())?;
    let credentials = HeaderCredential::of_procedure(scope.description, procedure);
    let address = scope.address();
    samples::get(
        scope.text.form(),
        address.as_ref(),
        &target,
        procedure.subscription.is_some(),
        &credentials,
    )
}

/// Returns the page's own table of contents.
fn contents(
    page: &PageText<'_>,
    service: &ServiceDescription,
    procedure: &ProcedureDescription,
) -> Vec<Value> {
    let call = if service.is_called_over_http(procedure) {
        "call"
    } else {
        answers_title(service, procedure)
    };
    let returns = returns_title(procedure);
    let parts = [
        ("params", "params", true),
        (returns.unwrap_or_default(), "returns", returns.is_some()),
        ("delivery", "delivery", procedure.subscription.is_some()),
        ("access", "access", procedure.reads_credentials()),
        ("limits.own", "limits", procedure.limits.is_some()),
        ("repeating", "repeating", procedure.repeatable.is_some()),
        ("errors", "errors", procedure.is_called_by_clients()),
        (call, "call", true),
    ];
    parts
        .into_iter()
        .filter(|(.., is_there)| *is_there)
        .map(|(key, anchor, _)| named_link(page.strings.get(key), page.links.same_page(anchor)))
        .collect()
}

/// Returns since when and why the procedure is deprecated, and what to call instead.
fn deprecated(page: &PageText<'_>, procedure: &ProcedureDescription) -> Option<Value> {
    let deprecated = procedure.deprecated.as_ref()?;
    let instead =
        deprecated
            .instead
            .as_deref()
            .map(|instead| match page.links.plan.procedure(instead) {
                Some(target) => page.linked(&page.links.to(target), instead),
                None => page.inline(instead),
            });
    let title = match &deprecated.since {
        Some(since) => page.strings.with("deprecated.since", since),
        None => page.strings.get("deprecated.now").to_owned(),
    };
    Some(view!({
        "title": title,
        "reason": page.prose(deprecated.reason.as_deref(), 2),
        "instead": instead,
    }))
}

/// Returns the author's own page about the procedure, unless that is this page.
fn help<'p>(stem: &str, procedure: &'p ProcedureDescription) -> Option<&'p str> {
    let help = procedure.help.as_deref()?;
    let here = format!("/{stem}.html");
    (markdown::is_allowed(help) && !help.ends_with(&here)).then_some(help)
}

/// Returns a sentence about how parameters are given.
fn params_note<'s>(strings: &'s Strings, procedure: &ProcedureDescription) -> Option<&'s str> {
    match procedure.params.as_slice() {
        [] if procedure.extensions.contains_key(INPUT_SCHEMA) => None,
        [] if !procedure.is_called_by_clients() => Some(strings.get("params.none.sent")),
        [] => Some(strings.get("params.none")),
        [only] if only.variadic => Some(strings.get("params.variadic")),
        _ if procedure.by_name_only => Some(strings.get("params.by_name")),
        _ => call::is_by_position(procedure).then(|| strings.get("params.by_position")),
    }
}

/// Returns the key of the heading above the result, or `None` for a notification by the service.
fn returns_title(procedure: &ProcedureDescription) -> Option<&'static str> {
    match procedure.subscription {
        Some(_) => Some("items"),
        None if procedure.is_called_by_clients() => Some("returns"),
        None => is_answered(procedure).then_some("returns.of_client"),
    }
}

/// Returns the key of the heading above the examples.
fn answers_title(service: &ServiceDescription, procedure: &ProcedureDescription) -> &'static str {
    if service.is_called_over_http(procedure) {
        "answers"
    } else {
        "example"
    }
}

/// Returns a sentence about the result, if its type is not shown.
fn returns_note<'s>(strings: &'s Strings, procedure: &ProcedureDescription) -> Option<&'s str> {
    match procedure.output() {
        _ if !is_answered(procedure) => Some(strings.get("returns.silent")),
        None => Some(strings.get("returns.unsaid")),
        Some(_) => None,
    }
}

/// Returns the key of a sentence about further errors, or `None` for what clients do not call.
fn errors_note(is_foreign: bool, procedure: &ProcedureDescription) -> Option<&'static str> {
    // Only Docent's own server ensures that a procedure returns no other errors than those that it
    // declares.
    Some(match (procedure.errors_open, procedure.errors.is_empty()) {
        _ if !procedure.is_called_by_clients() => return None,
        (true, _) => "errors.open",
        (false, true) if is_foreign => "errors.unlisted",
        (false, false) if is_foreign => "errors.listed",
        (false, true) => "errors.none",
        (false, false) => "errors.closed",
    })
}

/// Returns links to the groups of a procedure other than `own`.
fn other_groups(scope: &PageScope<'_>, own: usize, index: usize) -> Vec<Value> {
    let groups = scope.service.plan.groups.iter().enumerate();
    let others =
        groups.filter(|(at, group)| *at != own && group.members.binary_search(&index).is_ok());
    others
        .map(|(at, _)| {
            scope
                .text
                .link(scope.group_name(at), PageTarget::Group(at, 0))
        })
        .collect()
}

/// Returns links to the procedures before and after this one in its group.
fn around(scope: &PageScope<'_>, group: usize, index: usize) -> Vec<Value> {
    let members = &scope.service.plan.groups[group].members;
    let at = members.binary_search(&index).unwrap_or_default();
    let before = at.checked_sub(1).and_then(|at| members.get(at));
    let after = members.get(at + 1);
    [("before", before), ("after", after)]
        .into_iter()
        .filter_map(|(class, member)| Some(neighbour(scope, class, *member?)))
        .collect()
}

/// Returns the link to a procedure beside this one.
fn neighbour(scope: &PageScope<'_>, class: &str, index: usize) -> Value {
    let mut link = scope.item(index);
    link["class"] = Value::from(class);
    link["label"] = Value::from(scope.text.strings.get(class));
    link
}

/// Writes the signature: `find(words: string, limit?: integer = 20) → Book[]`. One that is too long for a line has a line
/// for each parameter.
fn signature<'a>(
    page: &PageText<'_>,
    views: &'a SchemaViews<'a>,
    procedure: &'a ProcedureDescription,
) -> Markup {
    let mut signature = page.markup();
    signature.raw("<b>").text(&shown_name(&procedure.name));
    signature.raw("</b>").text("(");
    let shown = procedure.params.iter().take(MAX_SIGNED);
    let mut params: Vec<Markup> = shown.map(|param| signed(page, views, param)).collect();
    if procedure.params.len() > MAX_SIGNED {
        params.push(page.escaped("…"));
    }
    let width = signature.width() + params.iter().map(|param| param.width() + 2).sum::<usize>();
    if width > MAX_LINE && page.form() == PageForm::Html {
        signature.text("\n  ");
        signature = signature.joined(",\n  ", params);
        signature.text("\n)");
    } else {
        signature = signature.joined(", ", params);
        signature.text(")");
    }
    if let Some(returns) = procedure.output().filter(|_| is_answered(procedure)) {
        signature.text(" → ");
        if procedure.subscription.is_some() {
            signature.text(page.strings.get("items.each"));
        }
        let words = TypeWords::new(views.view_of_schema(&returns.schema));
        signature.markup(&words.notation(page));
    }
    signature
}

/// Writes a parameter of a signature, with its default.
fn signed<'a>(
    page: &PageText<'_>,
    views: &'a SchemaViews<'a>,
    param: &'a ParamDescription,
) -> Markup {
    let view = views.view_of_schema(&param.schema);
    let name = shorten(&param.name, 60);
    let marked = match (param.variadic, param.required) {
        (true, _) => format!("…{name}"),
        (false, true) => name.into_owned(),
        (false, false) => format!("{name}?"),
    };
    let mut signed = page.markup();
    signed.span("k", &marked).text(": ");
    signed.markup(&TypeWords::new(view).notation(page));
    if let Some(default) = view
        .default_of(param)
        .filter(|default| **default != Json::Null)
    {
        signed.text(" = ").span("n", &json_text::brief(default, 30));
    }
    signed
}

/// Returns a sentence for each limit. For Docent's own services it also tells what happens above
/// the limit.
fn limits(strings: &Strings, is_foreign: bool, procedure: &ProcedureDescription) -> Vec<String> {
    let Some(limits) = &procedure.limits else {
        return Vec::new();
    };
    let mut sentences = Vec::new();
    if let Some(calls) = limits.concurrent {
        let calls = usize::try_from(calls).unwrap_or(usize::MAX);
        let mut sentence = strings.count("limits.concurrent", calls);
        if !is_foreign {
            sentence = sentence + " " + strings.get("limits.concurrent.busy");
        }
        sentences.push(sentence);
    }
    if let Some(rate) = &limits.rate {
        let key = match rate.by {
            RateKey::Caller => "limits.rate.caller",
            RateKey::Peer => "limits.rate.peer",
        };
        let calls = rate.calls.to_string();
        let seconds = rate.per.as_secs_f64().to_string();
        let mut sentence = strings.with_all(key, &[&calls, &seconds]);
        if !is_foreign {
            sentence = sentence + " " + strings.get("limits.rate.refused");
        }
        sentences.push(sentence);
    }
    sentences
}

/// The units of time, each with the key of its text and its length in seconds.
const TIME_UNITS: [(&str, u64); 4] = [
    ("repeating.days", 86_400),
    ("repeating.hours", 3_600),
    ("repeating.minutes", 60),
    ("repeating.seconds", 1),
];

/// Returns a sentence about how to repeat a call.
fn repeating(strings: &Strings, procedure: &ProcedureDescription) -> Option<String> {
    let time = procedure.repeatable?;
    let seconds = time.as_secs();
    // The largest unit of which the time is a whole number.
    let unit = TIME_UNITS
        .into_iter()
        .find(|(_, length)| seconds % length == 0);
    let text = if let Some((key, length)) = unit.filter(|_| time.subsec_nanos() == 0) {
        let count = usize::try_from(seconds / length).unwrap_or(usize::MAX);
        strings.count(key, count)
    } else {
        strings.with("repeating.seconds.many", &time.as_secs_f64().to_string())
    };
    Some(strings.with("repeating.text", &text))
}
