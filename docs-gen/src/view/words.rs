//! Writes types in words.

use docent_describe::json::shorten;

use super::scope::PageScope;
use crate::json_text;
use crate::markup::Markup;
use crate::schema::{Detail, Tail, TypeWords};

impl PageScope<'_> {
    /// Writes a type in words, with links to the shared types in it.
    pub(super) fn words(&self, words: &TypeWords<'_>) -> Markup {
        let mut out = self.text.markup();
        self.write_words(&mut out, words);
        out
    }

    /// Returns a text with a link to a shared type, if that has a page.
    pub(super) fn type_link(&self, name: &str, text: &str) -> Markup {
        match self.text.links.type_page(name) {
            Some(href) => self.text.written(|link| link.link(&href, text)),
            None => Markup::of_text(self.text.form(), text),
        }
    }

    fn write_words(&self, out: &mut Markup, words: &TypeWords<'_>) {
        match words {
            TypeWords::Any => self.say(out, "type.any"),
            TypeWords::NotNull => self.say(out, "type.not_null"),
            TypeWords::Nothing => self.say(out, "type.never"),
            TypeWords::Null => self.say(out, "type.null"),
            TypeWords::Unknown => self.say(out, "type.unknown"),
            TypeWords::More => self.say(out, "type.more"),
            TypeWords::Basic(kind, detail) => {
                self.say(out, &format!("type.{kind}"));
                if let Some(detail) = detail {
                    out.text(&self.detail(*detail));
                }
            }
            TypeWords::Shared(name) => {
                out.markup(&self.type_link(name, &shorten(name, 60)));
            }
            TypeWords::Lost(reference) => {
                self.say(out, "type.lost");
                out.code(&shorten(reference, 80));
            }
            TypeWords::Titled(title) => _ = out.text(&shorten(title, 60)),
            TypeWords::Array(elements) => {
                self.say(out, "type.array_of");
                self.write_words(out, elements);
            }
            TypeWords::Tuple(places, tail) => {
                out.text("[");
                self.write_all(out, places, ", ");
                out.text(match tail {
                    Tail::Open => ", …]",
                    Tail::Closed => "]",
                });
            }
            TypeWords::Map(values) => {
                self.say(out, "type.map_of");
                self.write_words(out, values);
            }
            TypeWords::Value(value) => _ = out.code(&json_text::brief(value, 40)),
            // Only their kind, because they are listed below with their meanings.
            TypeWords::Values(kind) => {
                let kind = kind.unwrap_or("value");
                self.say(out, &format!("type.{kind}"));
                self.say(out, "type.enum");
            }
            TypeWords::Forms(count) => _ = out.text(&self.text.strings.count("type.forms", *count)),
            TypeWords::Either(types) => {
                self.write_all(out, types, self.text.strings.get("type.or"));
            }
            TypeWords::All(types) => self.write_all(out, types, self.text.strings.get("type.and")),
            TypeWords::IfOfKind { words, takes_null } => {
                self.write_words(out, words);
                self.say(out, "type.or");
                let others = if *takes_null {
                    "type.others"
                } else {
                    "type.others_not_null"
                };
                self.say(out, others);
            }
        }
    }

    fn say(&self, out: &mut Markup, key: &str) {
        out.text(self.text.strings.get(key));
    }

    fn write_all(&self, out: &mut Markup, types: &[TypeWords<'_>], separator: &str) {
        for (at, words) in types.iter().enumerate() {
            if at > 0 {
                out.text(separator);
            }
            self.write_words(out, words);
        }
    }

    fn detail(&self, detail: Detail<'_>) -> String {
        match detail {
            Detail::Format(format) => format!(" ({})", shorten(format, 40)),
            Detail::Encoding(encoding) => {
                self.text.strings.with("type.bytes", &shorten(encoding, 40))
            }
            Detail::Bits(bits) => self.text.strings.with("type.bits", bits),
            Detail::NotWhole => self.text.strings.get("type.not_whole").to_owned(),
        }
    }
}
