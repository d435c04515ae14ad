//! Pages that list procedures: those of a group, and those that can be called with GET.
//!
//! Each row has what a reader needs to recognise a procedure: the signature, a sentence and the marks. Beside the list,
//! the first procedures are called as a reader would call them. A list that is too long for one page continues on
//! further ones, which the plan has already counted.

use serde::Serialize;

use super::calls::{first_sample, get_sample};
use super::items::ProcedureItem;
use super::procedure::listed_signature;
use super::scope::{Link, PageContent, PageScope};
use crate::call::{self, SampleCall};
use crate::json_text;
use crate::markup::Markup;
use crate::plan::{LIST_LENGTH, PageTarget};
use crate::templates::TemplateData;
use crate::text::display_name;

/// The maximum number of procedures of a list with signatures. In a longer one, a reader looks for a name.
const MAX_SIGNED: usize = 200;

/// The maximum number of calls beside a list.
const MAX_CALLS: usize = 3;

/// The maximum number of procedures that are tried to find calls.
const MAX_TRIED_PROCEDURES: usize = 10;

/// The maximum number of bytes of the response to a call.
const MAX_RESPONSE: usize = 2_000;

/// The data of a page that lists procedures.
#[derive(Serialize)]
struct GroupPage<'a> {
    name: String,
    /// The sentence above the list.
    lead: String,
    /// The description of the group's tag.
    text: Option<Markup>,
    #[serde(flatten)]
    list: ProcedureList<'a>,
    /// The pages of the list, if it has several.
    parts: Vec<ListPart>,
}

/// The procedures on a page, and calls of the first ones.
#[derive(Serialize)]
struct ProcedureList<'a> {
    items: Vec<GroupRow>,
    /// True if the procedures have their signatures.
    signed: bool,
    calls: Vec<ListedCall>,
    /// The sentence that the address in the calls is made up.
    address_note: Option<&'a str>,
}

/// A procedure in a list, with its signature behind the name.
#[derive(Serialize)]
struct GroupRow {
    #[serde(flatten)]
    item: ProcedureItem,
    signature: Option<Markup>,
}

/// A call beside a list.
#[derive(Serialize)]
struct ListedCall {
    #[serde(flatten)]
    procedure: Link,
    /// The code that sends it.
    request: Markup,
    /// The message of the response in the author's example, for the first call.
    response: Option<Markup>,
}

/// The link to one of the pages of a list.
#[derive(Serialize)]
struct ListPart {
    name: String,
    href: String,
    /// True on this page itself.
    current: bool,
}

impl TemplateData for GroupPage<'_> {
    const TEMPLATE: &'static str = "group";
}

/// Returns a part of the list of a group.
pub(super) fn group(scope: &PageScope<'_>, group: usize, part: usize) -> PageContent {
    let plan = &scope.service.plan.groups[group];
    let start = part * LIST_LENGTH;
    let end = plan.members.len().min(start + LIST_LENGTH);
    let mut parts = Vec::new();
    if plan.parts() > 1 {
        parts.extend((0..plan.parts()).map(|at| ListPart {
            name: (at + 1).to_string(),
            href: scope.text.links.to(PageTarget::Group(group, at)),
            current: at == part,
        }));
    }
    let page = GroupPage {
        name: display_name(scope.group_name(group)),
        lead: scope.text.strings.count("group.lead", plan.members.len()),
        text: scope.tag(group),
        list: list(scope, &plan.members[start..end]),
        parts,
    };
    scope.page(page.name.clone(), None, &page)
}

/// Returns the list of procedures that can be called with GET.
pub(super) fn idempotent(scope: &PageScope<'_>) -> PageContent {
    let page = GroupPage {
        name: scope.text.strings.get("get.title").to_owned(),
        lead: scope.text.strings.get("mark.get.meaning").to_owned(),
        text: None,
        list: list(scope, &scope.service.plan.idempotent),
        parts: Vec::new(),
    };
    scope.page(page.name.clone(), None, &page)
}

/// Returns the list of these procedures, with calls of the first ones.
fn list<'a>(scope: &PageScope<'a>, members: &[usize]) -> ProcedureList<'a> {
    let is_signed = members.len() <= MAX_SIGNED;
    let mut items = Vec::new();
    for &index in members {
        items.push(GroupRow {
            item: scope.item(index),
            signature: is_signed.then(|| {
                listed_signature(&scope.text, &scope.schemas.views, scope.procedure(index))
            }),
        });
    }
    let mut calls: Vec<ListedCall> = members
        .iter()
        .take(MAX_TRIED_PROCEDURES)
        .filter_map(|&index| listed_call(scope, index))
        .take(MAX_CALLS)
        .collect();
    for further in calls.iter_mut().skip(1) {
        further.response = None;
    }
    ProcedureList {
        items,
        signed: is_signed,
        address_note: scope.address_note().filter(|_| !calls.is_empty()),
        calls,
    }
}

/// Returns a call of a procedure if there is a sample of it. On the page of what takes GET, it is made with GET.
fn listed_call(scope: &PageScope<'_>, index: usize) -> Option<ListedCall> {
    let procedure = scope.procedure(index);
    let call = SampleCall::choose(procedure, scope.schemas);
    let request = if scope.target == PageTarget::Idempotent {
        get_sample(scope, index, &call)?
    } else {
        first_sample(scope, procedure, &call)?
    };
    let authors_example = procedure
        .examples
        .iter()
        .find(|example| !call.is_made && example.error.is_none() && example.params == call.params);
    let response = authors_example.and_then(|example| call::response(procedure, example));
    Some(ListedCall {
        procedure: scope
            .text
            .link(&procedure.name, PageTarget::Procedure(index)),
        request,
        response: response
            .map(|message| scope.text.json(&json_text::pretty(&message, MAX_RESPONSE))),
    })
}
