//! The statements about a procedure, beside its values: its description, its access, its limits, and how to repeat a
//! call.
//!
//! Parameters, the result, errors and examples have views of their own. The page and the search both read the
//! statements from here, so that the search finds what the page says.

use docent_describe::render::INPUT_SCHEMA;
use docent_describe::{ProcedureDescription, RateKey};
use serde::Serialize;

use crate::call;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::schema::is_answered;
use crate::strings::Strings;
use crate::view::about::{LinkedCall, related};
use crate::view::credentials::{RequiredCredential, security, security_note};
use crate::view::scope::{Link, PageScope, PageText};
use crate::view::sent::{delivery, direction};

/// The statements about a procedure, for a template.
#[derive(Serialize)]
pub(crate) struct AboutProcedure<'a> {
    /// The sentence that the service sends this.
    sent: Option<&'a str>,
    /// The sentences on how the items of a subscription arrive.
    delivery: Vec<Markup>,
    deprecated: Option<Deprecated>,
    description: Option<Markup>,
    params_note: Option<&'a str>,
    unknown_note: Option<&'a str>,
    returns_note: Option<&'a str>,
    /// True if callers may bring credentials.
    access: bool,
    security: Vec<RequiredCredential>,
    security_note: Option<&'a str>,
    /// The sentence on what happens to a call without credentials.
    security_refusal: Option<&'a str>,
    limits: Vec<String>,
    /// The calls that OpenRPC links with it.
    links: Vec<LinkedCall>,
    /// The links to its other groups.
    tags: Vec<Link>,
    /// The sentence on how to repeat a call.
    repeating: Option<String>,
    errors_note: Option<&'a str>,
}

/// The deprecation of a procedure: since when, why, and what to call instead.
#[derive(Serialize)]
struct Deprecated {
    title: String,
    reason: Option<Markup>,
    instead: Option<Markup>,
}

impl<'a> AboutProcedure<'a> {
    /// Writes the statements about a procedure, by its index in the description.
    pub(crate) fn new(scope: &PageScope<'a>, index: usize) -> Self {
        let page = &scope.text;
        let strings = page.strings;
        let is_foreign = scope.is_foreign();
        let procedure = scope.procedure(index);
        let group = scope.service.plan.group_of[index];
        let security_note = security_note(strings, procedure);
        let says_refusal = security_note.is_some() && !is_foreign;
        Self {
            sent: direction(procedure).map(|key| strings.get(key)),
            delivery: delivery(page, scope.description, procedure),
            deprecated: deprecated(page, procedure),
            description: page.prose(procedure.description.as_deref(), 2),
            params_note: params_note(strings, procedure),
            unknown_note: procedure
                .ignores_unknown
                .then(|| strings.get("params.unknown")),
            returns_note: returns_note(strings, procedure),
            access: procedure.reads_credentials(),
            security: security(page, scope.description, procedure),
            security_note,
            security_refusal: says_refusal.then(|| strings.get("access.refused")),
            limits: limits(strings, is_foreign, procedure),
            links: related(page, procedure),
            tags: other_groups(scope, group, index),
            repeating: repeating(strings, procedure),
            errors_note: errors_note(is_foreign, procedure).map(|key| strings.get(key)),
        }
    }
}

/// Returns the deprecation of a procedure, if it is deprecated.
fn deprecated(page: &PageText<'_>, procedure: &ProcedureDescription) -> Option<Deprecated> {
    let deprecated = procedure.deprecated.as_ref()?;
    let instead = deprecated
        .instead
        .as_deref()
        .map(|name| match page.links.plan.procedure(name) {
            Some(target) => page.linked(&page.links.to(target), name),
            None => page.inline(name),
        });
    let title = match &deprecated.since {
        Some(since) => page.strings.with("deprecated.since", since),
        None => page.strings.get("deprecated.now").to_owned(),
    };
    Some(Deprecated {
        title,
        reason: page.prose(deprecated.reason.as_deref(), 2),
        instead,
    })
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

/// Returns a sentence about the result, if it has no rows.
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
fn other_groups(scope: &PageScope<'_>, own: usize, index: usize) -> Vec<Link> {
    let mut links = Vec::new();
    for (at, group) in scope.service.plan.groups.iter().enumerate() {
        if at != own && group.members.binary_search(&index).is_ok() {
            let target = PageTarget::Group(at, 0);
            links.push(scope.text.link(scope.group_name(at), target));
        }
    }
    links
}

/// Returns a sentence for each limit. For Docent's own services, it also says what happens above the limit.
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
    if time.subsec_nanos() > 0 {
        let seconds = time.as_secs_f64().to_string();
        let text = strings.with("repeating.seconds.many", &seconds);
        return Some(strings.with("repeating.text", &text));
    }
    // The largest unit of which the time is a whole number. Seconds always fit.
    let (key, length) = TIME_UNITS
        .into_iter()
        .find(|(_, length)| seconds % length == 0)?;
    let count = usize::try_from(seconds / length).unwrap_or(usize::MAX);
    Some(strings.with("repeating.text", &strings.count(key, count)))
}
