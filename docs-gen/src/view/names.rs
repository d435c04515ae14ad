//! The page that lists everything on the pages of a service, for readers without scripts.
//!
//! It has the same entries as the search index (`search`), in alphabetical order.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use super::scope::{Content, PageScope, PageText};
use crate::links::Links;
use crate::markup::{Markup, PageForm};
use crate::plan::PageTarget;
use crate::search::{SearchEntry, SearchKind, SearchTexts, guides};
use crate::site::Site;
use crate::text::shown_name;

/// The maximum number of places of one name that are listed.
const MAX_PLACES: usize = 12;

/// The pages and places of a name.
#[derive(Default)]
struct NameEntry {
    /// The pages with that name, each with the key of its kind.
    pages: Vec<(String, &'static str)>,
    /// The places with that name: the address of each, and the name of its page.
    places: Vec<(String, String)>,
}

/// A name, by which entries are sorted: under its initial, regardless of case and of marks before it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct NameKey {
    /// The letter or digit under which the name is listed.
    initial: String,
    /// The name in lower case, from its first letter or digit on.
    sorted: String,
    /// The name as it is shown.
    name: String,
}

/// Returns the page, with a section for each initial.
pub(super) fn names(scope: &PageScope<'_>, found: &[SearchEntry<'_>]) -> Content {
    let page = &scope.text;
    // The rows are rendered here: a template would take longer for them than for everything else.
    let mut letters: BTreeMap<String, Markup> = BTreeMap::new();
    for (key, entry) in entries(scope.site, &page.links, found) {
        let rows = letters.entry(key.initial).or_insert_with(|| page.markup());
        add_row(page, rows, &key.name, &entry);
    }
    let letters = letters.into_iter().zip(1..).map(|((name, rows), number)| {
        let anchor = format!("letter.{number}");
        view!({
            "id": page.links.id(&anchor),
            "href": page.links.same_page(&anchor),
            "name": name,
            "rows": rows,
        })
    });
    let view = view!({
        "name": page.strings.get("names"),
        "lead": page.strings.get("names.lead"),
        "letters": letters.collect::<Value>(),
    });
    scope.page("names", None, view)
}

/// Returns the names of everything that a reader may look for, with the pages and places of each.
fn entries(
    site: &Site,
    links: &Links<'_>,
    found: &[SearchEntry<'_>],
) -> BTreeMap<NameKey, NameEntry> {
    let mut entries: BTreeMap<NameKey, NameEntry> = BTreeMap::new();
    let mut page = String::new();
    let guides = guides(site, &mut SearchTexts::default());
    for found in found.iter().chain(&guides) {
        let kind = found.kind;
        let name = match kind {
            SearchKind::Error => format!("{} {}", found.name, found.summary).into(),
            _ => Cow::from(&*found.name),
        };
        if !kind.is_part() {
            page = shown_name(&name);
        }
        // The page does not list itself.
        if name.is_empty() || found.target == PageTarget::Names || kind == SearchKind::Example {
            continue;
        }
        let entry = entries.entry(NameKey::new(&name)).or_default();
        let href = found.href(links);
        if kind.is_part() {
            entry.places.push((href, page.clone()));
        } else {
            entry.pages.push((href, kind.keys().1));
        }
    }
    entries
}

/// Adds a name: linked to its page, or followed by the places where it is found.
fn add_row(page: &PageText<'_>, rows: &mut Markup, name: &str, entry: &NameEntry) {
    if page.form() == PageForm::Markdown {
        rows.item(0);
    }
    rows.raw("<li>");
    let name = shown_name(name);
    match entry.pages.first() {
        Some((href, _)) => rows.link(href, &name),
        None => rows.code(&name),
    };
    for (at, (href, word)) in entry.pages.iter().enumerate() {
        let word = page.strings.get(word);
        match at {
            0 => rows.text(" ").span("kind", word),
            _ => rows.text(" ").link(href, word),
        };
    }
    for (at, (href, page)) in entry.places.iter().take(MAX_PLACES).enumerate() {
        rows.text(if at == 0 { ": " } else { ", " })
            .link(href, page);
    }
    if let Some(more) = page
        .strings
        .rest("users.more", entry.places.len(), MAX_PLACES)
    {
        rows.text(" ").text(&more);
    }
    rows.raw("</li>\n");
}

impl NameKey {
    /// Creates the key of a name.
    fn new(name: &str) -> Self {
        let from = name.find(char::is_alphanumeric).unwrap_or_default();
        let initial = match name[from..].chars().next() {
            Some(letter) if letter.is_alphabetic() => letter.to_uppercase().collect(),
            Some(digit) if digit.is_numeric() => "0–9".to_owned(),
            _ => "#".to_owned(),
        };
        Self {
            initial,
            sorted: name[from..].to_lowercase(),
            name: name.to_owned(),
        }
    }
}
