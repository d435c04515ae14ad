//! Writes what is asked of values, in words.

use std::iter;

use docent_describe::json::{Json, shorten};
use docent_describe::schema::component_entered;

use super::scope::PageScope;
use crate::json_text;
use crate::markup::Markup;
use crate::schema::Fact;

/// The longest pattern or media type that is shown. A longer one is cut; the description has all of it.
const MAX_CODE: usize = 300;

/// The longest number and the longest name that are shown.
const MAX_LITERAL: usize = 60;

impl PageScope<'_> {
    /// Writes a fact as a short phrase.
    pub(super) fn fact(&self, fact: &Fact<'_>) -> Markup {
        let mut out = self.text.markup();
        match fact {
            Fact::Between(least, most) => {
                let bounds = [shorten(least, MAX_LITERAL), shorten(most, MAX_LITERAL)];
                out.text(
                    &self
                        .text
                        .strings
                        .with_all("fact.between", &[&bounds[0], &bounds[1]]),
                );
            }
            Fact::Number(key, number) => {
                out.text(&self.text.strings.with(key, &shorten(number, MAX_LITERAL)));
            }
            Fact::Count(unit, span) => {
                out.text(&self.text.strings.span(unit, *span).unwrap_or_default());
            }
            Fact::Code(key, text) => {
                let code = self
                    .text
                    .written(|code| code.code(&shorten(text, MAX_CODE)));
                self.write_around(&mut out, key, &code);
            }
            Fact::Phrase(key) => _ = out.text(self.text.strings.get(key)),
            Fact::Requires(name, others) => {
                let others = shorten(&others.join(", "), 200).into_owned();
                let name = shorten(name, MAX_LITERAL);
                out.text(
                    &self
                        .text
                        .strings
                        .with_all("fact.requires", &[&name, &others]),
                );
            }
            Fact::From(name) => {
                let link = self.type_link(name, &shorten(name, 60));
                self.write_around(&mut out, "fact.from", &link);
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

    /// Writes a text of the interface around a value.
    fn write_around(&self, out: &mut Markup, key: &str, value: &Markup) {
        let text = self.text.strings.get(key);
        let (before, after) = text.split_once("{}").unwrap_or((text, ""));
        out.text(before).markup(value).text(after);
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
        let link = self.type_link(&name, &shorten(&text.join("."), 120));
        self.write_around(out, "fact.from", &link);
    }
}
