//! Writes what is asked of values, in words.

use std::iter;

use docent_describe::json::{Json, shorten};
use docent_describe::schema::facts::count;
use docent_describe::schema::{Span, component_entered};

use super::scope::PageScope;
use crate::json_text;
use crate::markup::Markup;
use crate::schema::Fact;

/// The longest pattern that is shown. A longer one is cut; the description has all of it.
const MAX_PATTERN: usize = 300;

/// The longest number and the longest name that are shown.
const MAX_LITERAL: usize = 60;

impl PageScope<'_> {
    /// Writes a fact as a short phrase.
    pub(super) fn fact(&self, fact: &Fact<'_>) -> Markup {
        let mut out = self.markup();
        match fact {
            Fact::Between(least, most) => {
                let bounds = [shorten(least, MAX_LITERAL), shorten(most, MAX_LITERAL)];
                out.text(
                    &self
                        .strings
                        .with_all("fact.between", &[&bounds[0], &bounds[1]]),
                );
            }
            Fact::Number(key, number) => {
                out.text(&self.strings.with(key, &shorten(number, MAX_LITERAL)));
            }
            Fact::Count(unit, span) => _ = out.text(&self.count(unit, *span)),
            Fact::Pattern(pattern) => {
                self.with_code(&mut out, "fact.pattern", &shorten(pattern, MAX_PATTERN));
            }
            Fact::MediaType(media_type) => {
                self.with_code(
                    &mut out,
                    "fact.media_type",
                    &shorten(media_type, MAX_LITERAL),
                );
            }
            Fact::Phrase(key) => _ = out.text(self.strings.get(key)),
            Fact::Requires(name, others) => {
                let others = shorten(&others.join(", "), 200).into_owned();
                let name = shorten(name, MAX_LITERAL);
                out.text(&self.strings.with_all("fact.requires", &[&name, &others]));
            }
            Fact::From(name) => {
                self.from(&mut out, self.links.type_page(name), &shorten(name, 60));
            }
            Fact::Inside(reference) => self.inside(&mut out, reference),
            Fact::Tag(path, values) => {
                let values: Vec<String> = values
                    .iter()
                    .map(|value| json_text::brief(value, 60))
                    .collect();
                let tag = format!("{}: {}", path.join("."), values.join(" | "));
                out.code(&shorten(&tag, 140));
            }
            Fact::DeclaredTag(name, value) => {
                let value = json_text::brief(&Json::from(*value), 60);
                out.code(&format!("{}: {value}", shorten(name, 80)));
            }
            Fact::Keyword(name, value) => {
                let value = json_text::brief(value, 120);
                out.code(&format!("{}: {value}", shorten(name, MAX_LITERAL)));
            }
        }
        out
    }

    fn count(&self, unit: &str, span: Span) -> String {
        let least = span.least.map(|least| least.to_string());
        let most = span.most.map(|most| most.to_string());
        count(unit, least.as_deref(), most.as_deref()).map_or_else(String::new, |(key, values)| {
            self.strings.with_all(&key, &values)
        })
    }

    fn with_code(&self, out: &mut Markup, key: &str, code: &str) {
        let text = self.strings.get(key);
        let (before, after) = text.split_once("{}").unwrap_or((text, ""));
        out.text(before).code(code).text(after);
    }

    fn from(&self, out: &mut Markup, href: Option<String>, name: &str) {
        let text = self.strings.get("fact.from");
        let (before, after) = text.split_once("{}").unwrap_or((text, ""));
        out.text(before);
        match href {
            Some(href) => _ = out.link(&href, name),
            None => _ = out.text(name),
        }
        out.text(after);
    }

    /// Writes a reference into a shared type: its name, and the path from there.
    fn inside(&self, out: &mut Markup, reference: &str) {
        let name = component_entered(reference).unwrap_or_default();
        let tokens = reference
            .splitn(5, '/')
            .nth(4)
            .unwrap_or_default()
            .split('/')
            .filter(|token| *token != "properties");
        let text: Vec<&str> = iter::once(&*name).chain(tokens).collect();
        self.from(
            out,
            self.links.type_page(&name),
            &shorten(&text.join("."), 120),
        );
    }
}
