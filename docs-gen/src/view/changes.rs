//! The page of the changes between a version and the previous one.
//!
//! The function that the author passes to `SiteBuilder::changes` finds them when the page is rendered; `crate::changes`
//! has the types of what it finds. Here the changes are grouped by their effects on callers, each with links to the
//! pages that it is about and, from `rewording`, the texts that changed. The changes of all services of a catalogue are
//! on a page of their own (`updates`).

use docent_describe::json::{Pointer, shorten};
use serde::Serialize;

use super::rewording::{ChangedText, changed_texts};
use super::scope::{PageContent, PageScope, PageText};
use crate::changes::{FoundChange, MAX_LISTED_CHANGES};
use crate::markup::{Markup, PageFormat};
use crate::plan::{PageTarget, ServicePlan};
use crate::service::SiteService;
use crate::templates::TemplateData;
use crate::text::display_name;

/// The maximum number of procedures that are named with a change.
const MAX_NAMED_PROCEDURES: usize = 12;

/// The data of the page of changes.
#[derive(Serialize)]
struct ChangesPage<'a> {
    name: String,
    /// The day of the version.
    date: Option<&'a str>,
    lead: &'a str,
    /// The changes, those with one effect after the other.
    parts: Vec<EffectPart>,
}

/// The changes that have one effect on callers.
#[derive(Serialize)]
struct EffectPart {
    id: String,
    href: String,
    name: String,
    count: usize,
    /// The meaning of the effect.
    text: String,
    entries: Vec<ChangeEntry>,
    /// The number of changes that are not listed.
    more: Option<String>,
}

/// A change.
#[derive(Serialize)]
struct ChangeEntry {
    /// The anchor.
    id: String,
    /// The name of the kind of change, by which it can be allowed.
    rule: &'static str,
    /// The kind of change in a few words.
    title: String,
    message: Markup,
    /// The texts of authors that changed.
    texts: Vec<ChangedText>,
    /// The pages that it is about.
    places: Vec<ChangedPage>,
    /// The number of pages that are not listed.
    more: Option<String>,
}

/// A link to the page of a procedure or type that has changed.
#[derive(Serialize)]
struct ChangedPage {
    name: String,
    href: String,
    /// The previous version, if only that has the page.
    version: Option<String>,
}

impl TemplateData for ChangesPage<'_> {
    const TEMPLATE: &'static str = "changes";
}

/// Returns the page of changes.
pub(super) fn changes(scope: &PageScope<'_>) -> PageContent {
    let parts = parts_of_changes(scope);
    let key = if parts.is_empty() {
        "changes.none"
    } else {
        "changes.lead"
    };
    let page = ChangesPage {
        name: scope.changes_name().unwrap_or_default(),
        date: scope.service.options.date.as_deref(),
        lead: scope.text.strings.get(key),
        parts,
    };
    scope.page(page.name.clone(), None, &page)
}

/// Returns the changes by their effects on callers.
fn parts_of_changes(scope: &PageScope<'_>) -> Vec<EffectPart> {
    let Some(before) = scope.before() else {
        return Vec::new();
    };
    scope
        .site
        .changes(scope.service)
        .chunk_by(|one, other| one.effect == other.effect)
        .map(|changes| part(scope, before, changes[0].effect, changes))
        .collect()
}

/// Returns the changes that have one effect on callers.
fn part(
    scope: &PageScope<'_>,
    before: &SiteService,
    key: &str,
    changes: &[FoundChange],
) -> EffectPart {
    let page = &scope.text;
    EffectPart {
        id: page.links.id(key),
        href: page.links.same_page(key),
        name: page.strings.get(&format!("changes.{key}")).to_owned(),
        count: changes.len(),
        text: page.strings.get(&format!("changes.{key}.text")).to_owned(),
        entries: changes
            .iter()
            .take(MAX_LISTED_CHANGES)
            .map(|found| change(scope, found, before))
            .collect(),
        more: page
            .strings
            .rest("changes.more", changes.len(), MAX_LISTED_CHANGES),
    }
}

/// Returns a change, with links to the pages that it is about.
fn change(scope: &PageScope<'_>, found: &FoundChange, before: &SiteService) -> ChangeEntry {
    let page = &scope.text;
    let change = &found.change;
    let procedures = &change.procedures;
    let mut pages: Vec<ChangedPage> = procedures
        .iter()
        .take(MAX_NAMED_PROCEDURES)
        .filter_map(|name| changed_page(page, name, before, ServicePlan::procedure))
        .collect();
    if let Some(name) = shared_type(&change.pointer)
        && procedures.is_empty()
    {
        pages.extend(changed_page(page, &name, before, ServicePlan::shared_type));
    }
    ChangeEntry {
        id: page.links.id(&found.anchor),
        rule: change.rule,
        title: change.title.clone(),
        message: sentence(page.format(), &change.sentence),
        texts: changed_texts(page, change, before, scope.service),
        places: pages,
        more: page
            .strings
            .rest("users.more", procedures.len(), MAX_NAMED_PROCEDURES),
    }
}

/// Returns a link to the page of a procedure or type, in this version or, if it was removed, in the previous one.
/// `find` looks the page up in the plan of a version.
fn changed_page(
    page: &PageText<'_>,
    name: &str,
    before: &SiteService,
    find: fn(&ServicePlan, &str) -> Option<PageTarget>,
) -> Option<ChangedPage> {
    if let Some(target) = find(page.links.plan, name) {
        return Some(ChangedPage {
            name: display_name(name),
            href: page.links.to(target),
            version: None,
        });
    }
    let target = find(&before.plan, name)?;
    Some(ChangedPage {
        name: display_name(name),
        href: page.links.across(&before.plan, target),
        version: Some(page.strings.with("changes.in", &before.version.name)),
    })
}

/// Renders the sentence of a change, with the parts between backticks as code. Names and values of a
/// description stay text.
pub(super) fn sentence(format: PageFormat, sentence: &str) -> Markup {
    let mut markup = Markup::new(format);
    let mut is_code = false;
    for part in shorten(sentence, 600).split('`') {
        if is_code && !part.trim().is_empty() {
            markup.code(part);
        } else {
            markup.text(part);
        }
        is_code = !is_code;
    }
    markup
}

/// Returns the shared type that a change affects.
fn shared_type(pointer: &Pointer) -> Option<String> {
    let mut tokens = pointer.tokens();
    if tokens.next()? == "components" && tokens.next()? == "schemas" {
        tokens.next()
    } else {
        None
    }
}
