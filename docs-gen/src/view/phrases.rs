//! Writes the phrases of types and the facts of values, in the language of the page.
//!
//! `crate::schema` decides what is said ([`TypePhrase`], [`Fact`]). Here it becomes text with links to shared types:
//! `Array(Shared("Book"))` is "array of Book" in a row (`markup`) and `Book[]` in a signature (`notation`).

use docent_describe::json::{Json, shorten};
use docent_describe::schema::{component_entered, decoded_name};

use super::scope::PageText;
use crate::json_text;
use crate::markdown::phrase;
use crate::markup::Markup;
use crate::schema::{Detail, Fact, Tail, TypePhrase};
use crate::strings::Strings;

/// The maximum length of a pattern or media type. A longer one is cut; the description has all of it.
const MAX_CODE: usize = 300;

/// The maximum length of a number or a name. A longer one is cut.
const MAX_LITERAL: usize = 60;

impl TypePhrase<'_> {
    /// Writes the phrase, with links to the shared types in it.
    pub(super) fn markup(&self, page: &PageText<'_>) -> Markup {
        let mut out = page.markup();
        self.add_to(page, &mut out);
        out
    }

    /// Writes the type in the notation of signatures, such as `Book[] | null`.
    pub(super) fn notation(&self, page: &PageText<'_>) -> Markup {
        let mut out = page.markup();
        match self {
            Self::Basic(kind, _) | Self::Values(Some(kind)) => _ = out.text(kind),
            Self::Either(types) => {
                out = out.joined(" | ", types.iter().map(|phrase| phrase.notation(page)));
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

    /// Adds the phrase to another.
    fn add_to(&self, page: &PageText<'_>, out: &mut Markup) {
        match self {
            Self::Any => say(page, out, "type.any"),
            Self::NotNull => say(page, out, "type.not_null"),
            Self::Nothing => say(page, out, "type.never"),
            Self::Null => say(page, out, "type.null"),
            Self::Unknown => say(page, out, "type.unknown"),
            Self::TooLong => say(page, out, "type.more"),
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
            Self::Tuple(positions, tail) => {
                out.text("[");
                write_all(page, out, positions, ", ");
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
            // Only the kind of the values, because they are listed below with their meanings.
            Self::Values(kind) => {
                let kind = kind.unwrap_or("value");
                say(page, out, &format!("type.{kind}"));
                say(page, out, "type.enum");
            }
            Self::Alternatives(count) => _ = out.text(&page.strings.count("type.forms", *count)),
            Self::Either(types) => write_all(page, out, types, page.strings.get("type.or")),
            Self::All(types) => write_all(page, out, types, page.strings.get("type.and")),
            Self::IfOfKind { phrase, takes_null } => {
                phrase.add_to(page, out);
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

    /// Adds the phrase for each element or value, in parentheses if it is of several types.
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
                let least = shorten(least, MAX_LITERAL);
                let most = shorten(most, MAX_LITERAL);
                out.text(&page.strings.with_all("fact.between", &[&least, &most]));
            }
            Self::Number(key, number) => {
                out.text(&page.strings.with(key, &shorten(number, MAX_LITERAL)));
            }
            Self::Count(unit, span) => {
                out.text(&page.strings.span(unit, *span).unwrap_or_default());
            }
            Self::Code(key, text) => {
                let code = page.written(|code| code.code(&shorten(text, MAX_CODE)));
                out = page.with_markup(key, &code);
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
                        let one = shorten(one, MAX_LITERAL);
                        let other = shorten(other, MAX_LITERAL);
                        page.strings.with_all("fact.not_both", &[&one, &other])
                    }
                    [name] => page
                        .strings
                        .with("tree.form.without", &shorten(name, MAX_LITERAL)),
                    _ => page
                        .strings
                        .with("fact.not_all", &shorten(&names.join(", "), 200)),
                };
                out.text(&text);
            }
            Self::From(name) => {
                let link = type_link(page, name, &shorten(name, 60));
                out = page.with_markup("fact.from", &link);
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
fn write_all(page: &PageText<'_>, out: &mut Markup, types: &[TypePhrase<'_>], separator: &str) {
    for (index, phrase) in types.iter().enumerate() {
        if index > 0 {
            out.text(separator);
        }
        phrase.add_to(page, out);
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

/// Returns the link of a reference into a shared type: its name, and the path from there, such as `Order.items` for
/// `#/components/schemas/Order/properties/items`.
fn reference_link(page: &PageText<'_>, reference: &str) -> Markup {
    let name = component_entered(reference).unwrap_or_default();
    let mut path = name.clone().into_owned();
    for token in reference.split('/').skip(4) {
        if token != "properties"
            && let Some(token) = decoded_name(token)
        {
            path.push('.');
            path.push_str(&token);
        }
    }
    let link = type_link(page, &name, &shorten(&path, 120));
    page.with_markup("fact.from", &link)
}
