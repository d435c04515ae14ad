//! The changes between a version and the previous one.

use docent_describe::json::{Pointer, shorten};
use serde_json::{Value, json};

use super::scope::{Content, PageScope};
use crate::changes::VersionChange;
use crate::markup::{Markup, PageForm};
use crate::plan::{PageTarget, ServicePlan};
use crate::service::SiteService;
use crate::text::shown_name;

/// The most changes with the same verdict that are listed.
const LISTED: usize = 300;

/// The most procedures that are named with a change.
const NAMED: usize = 12;

impl PageScope<'_> {
    pub(super) fn changes(&self) -> Content {
        let name = self.changes_name().unwrap_or_default();
        let parts = self
            .before()
            .map(|before| self.parts_of_changes(before))
            .unwrap_or_default();
        let key = if parts.is_empty() {
            "changes.none"
        } else {
            "changes.lead"
        };
        let view = json!({
            "name": name,
            "date": self.service.options.date,
            "lead": self.text.strings.get(key),
            "parts": parts,
        });
        self.page("changes", None, view)
    }

    /// Returns the changes, those with one verdict after the other.
    fn parts_of_changes(&self, before: &SiteService) -> Vec<Value> {
        let Some(compare) = self.service.version.compare else {
            return Vec::new();
        };
        let translated = |key: &str| self.text.strings.find(key).map(str::to_owned);
        let found = compare(&before.options.description, self.description(), &translated);
        let part = |(key, changes): (&str, Vec<VersionChange>)| {
            let count = changes.len();
            let entries = changes
                .iter()
                .take(LISTED)
                .map(|change| self.change(change, before));
            (count > 0).then(|| {
                json!({
                    "id": self.text.links.id(key),
                    "href": self.text.links.same_page(key),
                    "name": self.text.strings.get(&format!("changes.{key}")),
                    "count": count,
                    "text": self.text.strings.get(&format!("changes.{key}.text")),
                    "entries": entries.collect::<Value>(),
                    "more": self.text.strings.rest("changes.more", count, LISTED),
                })
            })
        };
        [
            ("breaking", found.breaking),
            ("risky", found.risky),
            ("safe", found.safe),
        ]
        .into_iter()
        .filter_map(part)
        .collect()
    }

    fn change(&self, change: &VersionChange, before: &SiteService) -> Value {
        let procedures = &change.procedures;
        let named = procedures.iter().take(NAMED);
        let named =
            named.filter_map(|name| self.changed_page(name, before, ServicePlan::procedure));
        let mut places: Vec<Value> = named.collect();
        if let Some(name) = shared_type(&change.pointer)
            && procedures.is_empty()
        {
            places.extend(self.changed_page(&name, before, ServicePlan::shared_type));
        }
        json!({
            "rule": change.rule,
            "message": sentence(self.text.form(), &change.sentence),
            "places": places,
            "more": self.text.strings.rest("users.more", procedures.len(), NAMED),
        })
    }

    /// Returns a link to the page of a procedure or type, in this version or, if it was removed, in
    /// the previous one.
    fn changed_page(
        &self,
        name: &str,
        before: &SiteService,
        target: fn(&ServicePlan, &str) -> Option<PageTarget>,
    ) -> Option<Value> {
        let (href, version) = match target(&self.service.plan, name) {
            Some(target) => (self.text.links.to(target), None),
            None => (
                self.text
                    .links
                    .across(&before.plan, target(&before.plan, name)?),
                Some(self.text.strings.with("changes.in", &before.version.name)),
            ),
        };
        Some(json!({ "name": shown_name(name), "href": href, "version": version }))
    }
}

/// Renders the sentence of a change, with the parts between backticks as code. Names and values of a
/// description stay text.
pub(super) fn sentence(form: PageForm, sentence: &str) -> Markup {
    let mut markup = Markup::new(form);
    for (place, part) in shorten(sentence, 600).split('`').enumerate() {
        match place % 2 {
            1 if !part.trim().is_empty() => markup.code(part),
            _ => markup.text(part),
        };
    }
    markup
}

/// Returns the shared type that a change affects.
fn shared_type(pointer: &Pointer) -> Option<String> {
    let mut tokens = pointer.tokens();
    let is_schema = tokens.next()? == "components" && tokens.next()? == "schemas";
    tokens.next().filter(|_| is_schema)
}
