//! The page of an error code: its meaning, and the procedures that return it.

use docent_describe::code;
use docent_describe::json::shorten;
use indexmap::IndexMap;
use serde::Serialize;

use super::errors::repeat;
use super::overview::PageLink;
use super::scope::{Content, Item, Scope};
use crate::markdown;
use crate::markup::Markup;
use crate::plan::{LIST_LENGTH, Target};

/// The most messages of a code that are shown, and the most descriptions of each.
const MOST_MESSAGES: usize = 50;
const MOST_TEXTS: usize = 5;

#[derive(Debug, Serialize)]
struct View {
    section: Option<String>,
    /// The list of all codes.
    overview: String,
    code: i64,
    name: String,
    lead: String,
    /// The link to the code in the list of the protocol's own.
    protocol: Option<PageLink>,
    messages: Vec<Message>,
}

/// The procedures that return a code with the same message.
#[derive(Debug, Serialize)]
struct Message {
    name: String,
    /// True if there are other messages.
    headed: bool,
    texts: Vec<Markup>,
    repeats: Vec<String>,
    items: Vec<Item>,
    more: Option<String>,
}

/// The declarations of a code with one message.
#[derive(Default)]
struct Said<'d> {
    texts: Vec<&'d str>,
    repeats: Vec<String>,
    procedures: Vec<usize>,
}

impl Scope<'_> {
    pub(super) fn code(&self, index: usize) -> Content {
        // The plan has a page for each code, so it is found.
        let found = self.service.plan.codes.get_index(index);
        let (code, users) = found.map_or((0, &[][..]), |(code, users)| (*code, &users[..]));
        let said = self.said_of_code(code, users);
        let is_one = said.len() == 1;
        let first = said.keys().next().copied().unwrap_or_default();
        let messages = said.iter().take(MOST_MESSAGES);
        let messages = messages.map(|(message, said)| self.message(code, message, said, !is_one));
        let view = View {
            section: self.section(),
            overview: self.links.to_anchor(Target::Overview, "answered"),
            code,
            name: shorten(first, 300).into_owned(),
            lead: self.strings.count("error.users", users.len()),
            protocol: self.protocol_error(code),
            messages: messages.collect(),
        };
        let title = format!("{code} {}", view.name);
        self.page("code", &title, None, &view)
    }

    fn said_of_code(&self, code: i64, users: &[usize]) -> IndexMap<&str, Said<'_>> {
        let mut all: IndexMap<&str, Said<'_>> = IndexMap::new();
        for &user in users {
            let errors = self.procedure(user).errors.iter();
            for error in errors.filter(|error| error.code == code) {
                let said = all.entry(&error.message).or_default();
                if said.procedures.last() != Some(&user) {
                    said.procedures.push(user);
                }
                if let Some(text) = error.description.as_deref()
                    && said.texts.len() < MOST_TEXTS
                    && !said.texts.contains(&text)
                {
                    said.texts.push(text);
                }
                if let Some(repeat) = repeat(self.strings, self.is_foreign(), error)
                    && !said.repeats.contains(&repeat)
                {
                    said.repeats.push(repeat);
                }
            }
        }
        all
    }

    fn message(&self, code: i64, message: &str, said: &Said<'_>, headed: bool) -> Message {
        let more = said.procedures.len().saturating_sub(LIST_LENGTH);
        let texts = said.texts.iter();
        let texts = texts.map(|text| self.links.prose(markdown::render(self.form(), text, 3)));
        // If the procedures do not agree, only their own pages say whether repeating helps.
        let repeats = if said.repeats.len() == 1 {
            said.repeats.clone()
        } else {
            Vec::new()
        };
        let items = said.procedures.iter().take(LIST_LENGTH).map(|&index| {
            let target = Target::Procedure(index);
            let anchor = format!("error.{code}");
            Item {
                href: self.links.to_anchor(target, &anchor),
                ..self.item(index)
            }
        });
        Message {
            name: shorten(message, 300).into_owned(),
            headed,
            texts: texts.collect(),
            repeats,
            items: items.collect(),
            more: (more > 0).then(|| self.strings.count("users.more", more)),
        }
    }

    /// Returns the link to a code in the list of the protocol's own.
    fn protocol_error(&self, code: i64) -> Option<PageLink> {
        let foreign = self.is_foreign();
        let is_listed = !foreign || code::SPECIFIED.contains(&code);
        let row = code::TABLE.iter().find(|row| row.code == code);
        let row = row.filter(|_| is_listed)?;
        Some(PageLink {
            name: format!("{}: {}", self.strings.get("names.code"), row.message),
            href: self
                .links
                .to_anchor(Target::Overview, &format!("code{code}")),
        })
    }
}
