//! Writes types, and what is asked of values, in words.
//!
//! `schema` decides what is said. Here it becomes text in the language of the page, with links to shared types.

use std::borrow::Cow;
use std::iter;

use docent_describe::json::{Json, shorten};
use docent_describe::schema::{component_entered, decoded_name};

use super::scope::PageText;
use crate::json_text;
use crate::markdown::phrase;
use crate::markup::Markup;
use crate::schema::{Detail, Fact, Tail, TypeWords};
use crate::strings::Strings;

/// The maximum length of a pattern or media type. A longer one is cut; the description has all of it.
const MAX_CODE: usize = 300;

/// The maximum length of a number or a name. A longer one is cut.
const MAX_LITERAL: usize = 60;

impl TypeWords<'_> {
    /// Writes a type in words, with links to the shared types in it.
    pub(super) fn markup(&self, page: &PageText<'_>) -> Markup {
        let mut out = page.markup();
        self.add_to(page, &mut out);
        out
    }

    /// Writes a type in the notation of signatures, such as `Book[] | null`.
    pub(super) fn notation(&self, page: &PageText<'_>) -> Markup {
        let mut out = page.markup();
        match self {
            Self::Basic(kind, _) | Self::Values(Some(kind)) => _ = out.text(kind),
            Self::Either(types) => {
                out = out.joined(" | ", types.iter().map(|words| words.notation(page)));
            }
            Self::Array(elements) => {
                let inner = elements.notation(page);
                match **elements {
                    Self::Either(_) => out.text("(").markup(&inner).text(")[]"),
                    _ => out.markup(&inner).text("[]"),
                };
            }
            _ => self.add_to(page, &mut out),
        }
        out
    }

    /// Adds the words to others.
    fn add_to(&self, page: &PageText<'_>, out: &mut Markup) {
        match self {
            Self::Any => say(page, out, "type.any"),
            Self::NotNull => say(page, out, "type.not_null"),
            Self::Nothing => say(page, out, "type.never"),
            Self::Null => say(page, out, "type.null"),
            Self::Unknown => say(page, out, "type.unknown"),
            Self::More => say(page, out, "type.more"),
            Self::Basic(kind, detail) => {
                say(page, out, &format!("type.{kind}"));
                if let Some(detail) = detail {
                    out.text(&about_detail(page.strings, *detail));
                }
            }
            Self::Shared(name) => {
                out.markup(&type_link(page, name, &shorten(name, 60)));
            }
            Self::Lost(reference) => {
                say(page, out, "type.lost");
                out.code(&shorten(reference, 80));
            }
            Self::Titled(title) => {
                let title = phrase::plain(title);
                out.raw("<span dir=\"auto\">").text(&shorten(&title, 60));
                out.raw("</span>");
            }
            Self::Array(elements) => {
                say(page, out, "type.array_of");
                elements.add_inner(page, out);
            }
            Self::Tuple(places, tail) => {
                out.text("[");
                write_all(page, out, places, ", ");
                out.text(match tail {
                    Tail::Open => ", …]",
                    Tail::Closed => "]",
                });
            }
            Self::Map(values) => {
                say(page, out, "type.map_of");
                values.add_inner(page, out);
            }
            Self::Value(value) => _ = out.code(&json_text::brief(value, 40)),
            // Only their kind, because they are listed below with their meanings.
            Self::Values(kind) => {
                let kind = kind.unwrap_or("value");
                say(page, out, &format!("type.{kind}"));
                say(page, out, "type.enum");
            }
            Self::Forms(count) => _ = out.text(&page.strings.count("type.forms", *count)),
            Self::Either(types) => write_all(page, out, types, page.strings.get("type.or")),
            Self::All(types) => write_all(page, out, types, page.strings.get("type.and")),
            Self::IfOfKind { words, takes_null } => {
                words.add_to(page, out);
                say(page, out, "type.or");
                let others = if *takes_null {
                    "type.others"
                } else {
                    "type.others_not_null"
                };
                say(page, out, others);
            }
        }
    }

    /// Adds the words for each element or value, in parentheses if they are several types.
    fn add_inner(&self, page: &PageText<'_>, out: &mut Markup) {
        match self {
            Self::Either(_) | Self::All(_) | Self::IfOfKind { .. } => {
                out.text("(");
                self.add_to(page, out);
                out.text(")");
            }
            _ => self.add_to(page, out),
        }
    }
}

impl Fact<'_> {
    /// Writes a fact as a short phrase.
    pub(super) fn markup(&self, page: &PageText<'_>) -> Markup {
        let mut out = page.markup();
        match self {
            Self::Between(least, most) => {
                let bounds = [shorten(least, MAX_LITERAL), shorten(most, MAX_LITERAL)];
                out.text(
                    &page
                        .strings
                        .with_all("fact.between", &[&bounds[0], &bounds[1]]),
                );
            }
            Self::Number(key, number) => {
                out.text(&page.strings.with(key, &shorten(number, MAX_LITERAL)));
            }
            Self::Count(unit, span) => {
                out.text(&page.strings.span(unit, *span).unwrap_or_default());
            }
            Self::Code(key, text) => {
                let code = page.written(|code| code.code(&shorten(text, MAX_CODE)));
                out = page.around(key, &code);
            }
            Self::Phrase(key) => _ = out.text(page.strings.get(key)),
            Self::Requires(name, others) => {
                let others = shorten(&others.join(", "), 200).into_owned();
                let name = shorten(name, MAX_LITERAL);
                out.text(&page.strings.with_all("fact.requires", &[&name, &others]));
            }
            Self::NotTogether(names) => {
                let text = match &names[..] {
                    [one, other] => {
                        let names = [shorten(one, MAX_LITERAL), shorten(other, MAX_LITERAL)];
                        let names = [&*names[0], &*names[1]];
                        page.strings.with_all("fact.not_both", &names)
                    }
                    [name] => (page.strings).with("tree.form.without", &shorten(name, MAX_LITERAL)),
                    _ => (page.strings).with("fact.not_all", &shorten(&names.join(", "), 200)),
                };
                out.text(&text);
            }
            Self::From(name) => {
                let link = type_link(page, name, &shorten(name, 60));
                out = page.around("fact.from", &link);
            }
            Self::Inside(reference) => out = reference_link(page, reference),
            Self::Tag(path, values) => {
                let values: Vec<String> = values
                    .iter()
                    .map(|value| json_text::brief(value, 60))
                    .collect();
                let tag = format!("{}: {}", path.join("."), values.join(" | "));
                out.code(&shorten(&tag, 140));
            }
            Self::DeclaredTag(name, value) => {
                let value = json_text::brief(&Json::from(*value), 60);
                out.code(&format!("{}: {value}", shorten(name, 80)));
            }
            Self::Keyword(name, value) => {
                let value = json_text::brief(value, 120);
                out.code(&format!("{}: {value}", shorten(name, MAX_LITERAL)));
            }
        }
        out
    }
}

/// Returns a text with a link to a shared type, if that has a page.
fn type_link(page: &PageText<'_>, name: &str, text: &str) -> Markup {
    match page.links.type_page(name) {
        Some(href) => page.linked(&href, text),
        None => page.escaped(text),
    }
}

/// Adds a text of the interface.
fn say(page: &PageText<'_>, out: &mut Markup, key: &str) {
    out.text(page.strings.get(key));
}

/// Adds several types, with a separator between them.
fn write_all(page: &PageText<'_>, out: &mut Markup, types: &[TypeWords<'_>], separator: &str) {
    for (at, words) in types.iter().enumerate() {
        if at > 0 {
            out.text(separator);
        }
        words.add_to(page, out);
    }
}

/// Returns the detail that narrows a type.
fn about_detail(strings: &Strings, detail: Detail<'_>) -> String {
    match detail {
        Detail::Format(format) => format!(" ({})", shorten(format, 40)),
        Detail::Encoding(encoding) => strings.with("type.bytes", &shorten(encoding, 40)),
        Detail::Bits { count, is_unsigned } => {
            let key = if is_unsigned {
                "type.bits.unsigned"
            } else {
                "type.bits"
            };
            strings.with(key, count)
        }
        Detail::NotWhole => strings.get("type.not_whole").to_owned(),
    }
}

/// Returns the link of a reference into a shared type: its name, and the path from there.
fn reference_link(page: &PageText<'_>, reference: &str) -> Markup {
    let name = component_entered(reference).unwrap_or_default();
    let tokens = reference
        .splitn(5, '/')
        .nth(4)
        .unwrap_or_default()
        .split('/')
        .filter(|token| *token != "properties")
        .filter_map(decoded_name);
    let text: Vec<Cow<'_, str>> = iter::once(name.clone()).chain(tokens).collect();
    let link = type_link(page, &name, &shorten(&text.join("."), 120));
    page.around("fact.from", &link)
}
