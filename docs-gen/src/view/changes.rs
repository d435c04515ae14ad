//! The changes between a version and the previous one, by the rules of `docent diff`.

use docent_describe::compare::{Change, Verdict, compare, merged};
use docent_describe::json::{Pointer, shorten};
use serde::Serialize;

use super::scope::{Content, Scope};
use crate::markup::Markup;
use crate::plan::Target;
use crate::service::Service;
use crate::text::shown_name;

/// The most changes with the same verdict that are listed.
const LISTED: usize = 300;

/// The most procedures that are named with a change.
const NAMED: usize = 12;

#[derive(Debug, Serialize)]
struct View {
    section: Option<String>,
    overview: String,
    name: String,
    lead: String,
    parts: Vec<Part>,
}

/// The changes with one verdict.
#[derive(Debug, Serialize)]
struct Part {
    id: String,
    href: String,
    name: String,
    count: usize,
    text: String,
    entries: Vec<Entry>,
    more: Option<String>,
}

#[derive(Debug, Serialize)]
struct Entry {
    rule: &'static str,
    message: Markup,
    /// The pages of the procedures and types that have changed.
    places: Vec<Place>,
    more: Option<String>,
}

#[derive(Debug, Serialize)]
struct Place {
    name: String,
    href: String,
    /// The version that has the page, if it is not the current one.
    version: Option<String>,
}

impl Scope<'_> {
    pub(super) fn changes(&self) -> Content {
        let name = self.changes_name().unwrap_or_default();
        let parts = self.before().map(|before| self.parts_of_changes(before));
        let parts = parts.unwrap_or_default();
        let key = if parts.is_empty() {
            "changes.none"
        } else {
            "changes.lead"
        };
        let view = View {
            section: self.section(),
            overview: self.links.to(Target::Overview),
            lead: self.strings.get(key).to_owned(),
            name,
            parts,
        };
        self.page("changes", &view.name, None, &view)
    }

    fn parts_of_changes(&self, before: &Service) -> Vec<Part> {
        let changes = compare(&before.options.description, self.description());
        let merged = merged(&changes, |change| (change, ()));
        let mut parts = Vec::new();
        for verdict in [Verdict::Breaking, Verdict::Risky, Verdict::Safe] {
            let of_verdict: Vec<_> = merged
                .iter()
                .filter(|(change, _)| change.verdict() == verdict)
                .collect();
            if of_verdict.is_empty() {
                continue;
            }
            let key = verdict.as_str();
            let more = of_verdict.len().saturating_sub(LISTED);
            let listed = of_verdict.iter().take(LISTED);
            parts.push(Part {
                id: self.links.id(key),
                href: self.links.same_page(key),
                name: self.strings.get(&format!("changes.{key}")).to_owned(),
                count: of_verdict.len(),
                text: self.strings.get(&format!("changes.{key}.text")).to_owned(),
                entries: listed
                    .map(|(change, procedures)| self.entry(change, procedures, before))
                    .collect(),
                more: (more > 0).then(|| self.strings.count("changes.more", more)),
            });
        }
        parts
    }

    fn entry(&self, change: &Change, procedures: &[&str], before: &Service) -> Entry {
        let named = procedures.iter().take(NAMED);
        let mut places: Vec<Place> = named
            .filter_map(|name| {
                let target = |service: &Service| {
                    let found = service.plan.names.get(*name);
                    found.map(|index| Target::Procedure(*index))
                };
                self.place(name, before, target)
            })
            .collect();
        if let Some(name) = shared_type(&change.pointer)
            && procedures.is_empty()
        {
            places.extend(self.place(&name, before, |service| {
                service.plan.types.get_index_of(&name).map(Target::Type)
            }));
        }
        let more = procedures.len().saturating_sub(NAMED);
        Entry {
            rule: change.rule.as_str(),
            message: self.sentence(change),
            places,
            more: (more > 0).then(|| self.strings.count("users.more", more)),
        }
    }

    /// Renders the sentence of a change, with the parts between backticks as code. Names and values of a
    /// description stay text.
    fn sentence(&self, change: &Change) -> Markup {
        let text = |key: &str| self.strings.find(key).unwrap_or_default();
        let sentence = change.phrase.tell(&text);
        let mut markup = Markup::new(self.form());
        for (place, part) in shorten(&sentence, 600).split('`').enumerate() {
            match place % 2 {
                1 if !part.trim().is_empty() => markup.code(part),
                _ => markup.text(part),
            };
        }
        markup
    }

    /// Returns the page of a procedure or type, in this version or, if it was removed, in the previous
    /// one.
    fn place(
        &self,
        name: &str,
        before: &Service,
        target: impl Fn(&Service) -> Option<Target>,
    ) -> Option<Place> {
        let name = shown_name(name);
        if let Some(target) = target(self.service) {
            let href = self.links.to(target);
            let version = None;
            return Some(Place {
                name,
                href,
                version,
            });
        }
        let gone = target(before)?;
        Some(Place {
            name,
            href: self.links.across(&before.plan, gone),
            version: Some(self.strings.with("changes.in", &before.version.name)),
        })
    }
}

/// Returns the shared type that a change affects.
fn shared_type(pointer: &Pointer) -> Option<String> {
    let mut tokens = pointer.tokens();
    let is_schema = tokens.next()? == "components" && tokens.next()? == "schemas";
    tokens.next().filter(|_| is_schema)
}
