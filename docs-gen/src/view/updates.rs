//! The page of the changes of all services of a catalogue, day by day.
//!
//! `crate::catalogue` compares the versions in the history of each service when it is added, and keeps an [`Update`] of
//! each change: here they are written, and `crate::discovery` writes the same into a feed. The changes of a single
//! version are on its own page (`changes`).

use serde::Serialize;

use super::changes::sentence;
use crate::markup::{Markup, PageFormat};
use crate::part::{CatalogueFront, Update};
use crate::publish;
use crate::site::Site;
use crate::strings::Strings;
use crate::templates::TemplateData;
use crate::text::{display_name, plain};

/// The keys of the effects of changes on callers.
const EFFECT_KEYS: [&str; 3] = ["changes.breaking", "changes.risky", "changes.safe"];

impl Update {
    /// Returns the effects of the change in a few words.
    pub(crate) fn summary(&self, strings: &Strings) -> String {
        let mut effects = Vec::new();
        for (key, count) in EFFECT_KEYS.into_iter().zip(self.counts) {
            if count > 0 {
                effects.push(format!("{}: {count}", strings.get(key)));
            }
        }
        if !effects.is_empty() {
            effects.join(", ")
        } else if self.is_new {
            strings.get("updates.new").to_owned()
        } else {
            strings.get("updates.none").to_owned()
        }
    }

    /// Returns the day of the change.
    fn day(&self) -> &str {
        self.date
            .as_deref()
            .unwrap_or_default()
            .split('T')
            .next()
            .unwrap_or_default()
    }
}

/// The data of the page of all changes.
#[derive(Serialize)]
struct UpdatesPage<'a> {
    name: &'a str,
    lead: &'a str,
    /// The address of the feed.
    feed: Option<&'static str>,
    days: Vec<DayOfUpdates<'a>>,
    /// The number of changes that are not listed.
    more: Option<String>,
}

/// The changes of one day.
#[derive(Serialize)]
struct DayOfUpdates<'a> {
    id: String,
    name: &'a str,
    updates: Vec<UpdateRow<'a>>,
}

/// A change of a service.
#[derive(Serialize)]
struct UpdateRow<'a> {
    /// The name of the service, and its address.
    name: String,
    href: String,
    detail: Option<&'a str>,
    /// The versions before and after the change.
    versions: String,
    /// The effects on callers.
    summary: String,
    /// The address of the version's page of changes.
    changes: Option<String>,
    sentences: Vec<Markup>,
}

impl TemplateData for UpdatesPage<'_> {
    const TEMPLATE: &'static str = "updates";
}

/// Renders the main part of the page.
pub(crate) fn updates(site: &Site, front: &CatalogueFront, format: PageFormat) -> Markup {
    let mut days = Vec::new();
    for updates in front.updates.chunk_by(|a, b| a.day() == b.day()) {
        let day = updates.first().map_or("", Update::day);
        let name = match day {
            "" => site.strings.get("updates.uncommitted"),
            day => day,
        };
        let rows = updates
            .iter()
            .map(|update| row(site, front, update, format));
        days.push(DayOfUpdates {
            id: format!("day{day}"),
            name,
            updates: rows.collect(),
        });
    }
    let page = UpdatesPage {
        name: site.strings.get("changes"),
        lead: site.strings.get("updates.lead"),
        feed: front.has_feed().then_some("changes.atom"),
        days,
        more: site.strings.rest("updates.more", front.older, 0),
    };
    site.templates.render(format, &page)
}

/// Returns the address of a page in a format, from the root of the site.
fn page_address(site: &Site, format: PageFormat, path: &str) -> String {
    match format {
        PageFormat::Html => publish::address(site.appearance.is_clean, path).to_owned(),
        PageFormat::Markdown => path.replace(".html", ".md"),
    }
}

/// Returns an update: the service, its versions, and the effects on callers.
fn row<'a>(
    site: &Site,
    front: &'a CatalogueFront,
    update: &Update,
    format: PageFormat,
) -> UpdateRow<'a> {
    let card = &front.cards[update.card];
    let page = format!("{}index.html", card.folder);
    let changes = update.changes.as_deref();
    let mut versions: Vec<String> = [&update.before, &update.version]
        .into_iter()
        .flatten()
        .map(|version| plain(version))
        .collect();
    versions.dedup();
    let sentences = update.sentences.iter().map(|text| sentence(format, text));
    UpdateRow {
        name: display_name(&card.description.name),
        href: page_address(site, format, &page),
        detail: card.detail.as_deref(),
        versions: versions.join(" → "),
        summary: update.summary(&site.strings),
        changes: changes.map(|path| page_address(site, format, path)),
        sentences: sentences.collect(),
    }
}
