//! The colours of code: comments, keywords, strings, and any JSON in samples.
//!
//! One scanner is enough for all languages, because it knows little of each. A page's script reads samples in the
//! same way; a test in a browser compares the two byte by byte. Code in Markdown has further keywords.

use super::fill::{FilledTemplate, is_keyword};
use crate::json_text;
use crate::markup::{Markup, PageForm};

/// An address that only the browser can complete, and the text that stands for it until then.
#[derive(Clone, Copy)]
pub(super) struct IncompleteAddress<'a> {
    /// The relative address.
    pub(super) address: &'a str,
    /// The text in the code, which a script replaces.
    pub(super) placeholder: &'a str,
}

/// The keywords of code in Markdown, after the names of its languages.
const KEYWORDS: &[(&str, &str)] = &[
    ("bash console sh shell toml yaml", ""),
    ("json", "true false null"),
    (
        "rust",
        "as async await break const else enum fn for if impl in let loop match mod move mut pub return self static \
         struct trait type use where while",
    ),
    (
        "javascript js typescript ts",
        "async await catch class const else export for from function if import interface let new of return throw try \
         type",
    ),
    (
        "python py",
        "as async await class def else except for from if import in not raise return try while with",
    ),
];

/// Returns whether a word is one of a list.
fn is_listed(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// Renders code from Markdown as HTML. Without the language, it has no colours. As rustdoc does,
/// it leaves out lines of Rust that are only there to compile the rest.
pub(crate) fn from_markdown(language: &str, code: &str) -> Markup {
    let found = KEYWORDS
        .iter()
        .find(|(names, _)| is_listed(names, language));
    let Some((_, keywords)) = found else {
        return Markup::escaped(PageForm::Html, code);
    };
    let is_rust = language == "rust";
    let mut painter = Painter {
        markup: Markup::new(PageForm::Html),
        incomplete: None,
        keywords: Some(keywords),
        // A lifetime is no string.
        quotes: if is_rust { b"\"" } else { b"\"'" },
    };
    for line in code.split_inclusive('\n') {
        let is_hidden = line.starts_with("# ") || line.trim_end() == "#";
        if !is_rust || !is_hidden {
            painter.code(line);
        }
    }
    painter.markup
}

/// Renders a sample as HTML.
pub(super) fn html(filled: &FilledTemplate, incomplete: Option<IncompleteAddress<'_>>) -> Markup {
    let text = filled.text.as_str();
    let mut painter = Painter {
        markup: Markup::new(PageForm::Html),
        incomplete,
        keywords: None,
        quotes: b"\"'",
    };
    painter.code(&text[..filled.body.start]);
    painter
        .markup
        .markup(&json_text::highlight(&text[filled.body.clone()]));
    painter.code(&text[filled.body.end..]);
    painter.markup
}

/// Writes code as HTML, token by token.
struct Painter<'a> {
    /// The code so far.
    markup: Markup,
    /// The address to be marked, until it is.
    incomplete: Option<IncompleteAddress<'a>>,
    /// The keywords, or `None` for those of samples.
    keywords: Option<&'static str>,
    /// The marks that strings are in.
    quotes: &'static [u8],
}

impl Painter<'_> {
    /// Writes code that is not JSON.
    fn code(&mut self, code: &str) {
        let mut plain = 0;
        let mut at = 0;
        while let Some(start) = self.next_token(code, at) {
            let end = token_end(code, start);
            let class = end.and_then(|end| self.class_of(code, start, end));
            at = end.unwrap_or(start + 1);
            if let Some(class) = class {
                self.markup.text(&code[plain..start]);
                self.token(class, &code[start..at]);
                plain = at;
            }
        }
        self.markup.text(&code[plain..]);
    }

    /// Returns the beginning of the next token: a quotation mark, a comment, or a word.
    fn next_token(&self, code: &str, from: usize) -> Option<usize> {
        let bytes = code.as_bytes();
        (from..bytes.len()).find(|&at| match bytes[at] {
            b'/' | b'#' => is_comment(code, at),
            byte if self.quotes.contains(&byte) => true,
            byte => is_word(byte) && (at == 0 || !is_word(bytes[at - 1])),
        })
    }

    /// Returns the class that gives a token its colour.
    fn class_of(&self, code: &str, start: usize, end: usize) -> Option<&'static str> {
        let token = &code[start..end];
        match code.as_bytes()[start] {
            b'/' | b'#' => Some("c"),
            b'"' | b'\'' if code.as_bytes().get(end) == Some(&b':') => Some("k"),
            b'"' | b'\'' => Some("s"),
            _ => {
                let is_known = self
                    .keywords
                    .map_or_else(|| is_keyword(token), |list| is_listed(list, token));
                is_known.then_some("w")
            }
        }
    }

    /// Writes a token. An address that the browser completes is marked for it. It comes before any
    /// text of a description.
    fn token(&mut self, class: &'static str, text: &str) {
        if let Some(incomplete) = self.incomplete
            && let Some((before, after)) = text.split_once(incomplete.placeholder)
        {
            self.incomplete = None;
            self.markup.raw("<span class=\"").raw(class).raw("\">");
            self.markup.text(before);
            address(&mut self.markup, incomplete);
            self.markup.text(after).raw("</span>");
        } else {
            self.markup.span(class, text);
        }
    }
}

/// Appends an address that the browser completes.
pub(super) fn address(markup: &mut Markup, incomplete: IncompleteAddress<'_>) {
    markup.raw("<span data-address=\"").text(incomplete.address);
    markup
        .raw("\">")
        .text(incomplete.placeholder)
        .raw("</span>");
}

/// Returns whether a byte is part of a word.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns whether a comment begins here. The blanks around its mark tell it from an address.
fn is_comment(code: &str, at: usize) -> bool {
    let marks = ["// ", "/// ", "//! ", "# "];
    let begins = marks.iter().any(|mark| code[at..].starts_with(mark));
    begins && (at == 0 || code.as_bytes()[at - 1].is_ascii_whitespace())
}

/// Returns the end of the token at `start`, or `None` if a quotation mark has no counterpart on its
/// line.
fn token_end(code: &str, start: usize) -> Option<usize> {
    let bytes = code.as_bytes();
    let mark = bytes[start];
    let mut at = start + 1;
    if mark != b'"' && mark != b'\'' {
        let rest = bytes[at..].iter();
        let length = rest.take_while(|byte| match mark {
            b'/' | b'#' => **byte != b'\n',
            _ => is_word(**byte),
        });
        return Some(at + length.count());
    }
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            byte if byte == mark => return Some(at + 1),
            // Only the shell has strings in single quotes, and they have no escapes.
            b'\\' if mark == b'"' && bytes.get(at + 1) != Some(&b'\n') => at += 2,
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coloured(before: &str, body: &str, after: &str) -> String {
        let filled = FilledTemplate {
            text: [before, body, after].concat(),
            body: before.len()..before.len() + body.len(),
        };
        html(&filled, None).into_string()
    }

    #[test]
    fn strings_comments_and_keywords_have_colours() {
        let html = coloured(
            "let x = \"a\\\"b\"; // it's\n",
            "{\"n\": True}",
            "\n# \"x\n\"",
        );
        assert_eq!(
            html,
            "<span class=\"w\">let</span> x = <span class=\"s\">&quot;a\\&quot;b&quot;</span>; \
             <span class=\"c\">// it&#39;s</span>\n{<span class=\"k\">&quot;n&quot;</span>: \
             <span class=\"n\">True</span>}\n<span class=\"c\"># &quot;x</span>\n&quot;"
        );
    }

    #[test]
    fn code_of_markdown_has_the_colours_of_its_language() {
        for (language, code, html) in [
            (
                "rust",
                "fn f<'a>(x: &'a str) {} /// it's\n",
                "<span class=\"w\">fn</span> f&lt;&#39;a&gt;(x: &amp;&#39;a str) {} <span class=\"c\">/// it&#39;s</span>\n",
            ),
            ("rust", "# use hidden::Line;\na\n#\n", "a\n"),
            ("console", "# fn\n", "<span class=\"c\"># fn</span>\n"),
            (
                "json",
                "{\"a\": null}",
                "{<span class=\"k\">&quot;a&quot;</span>: <span class=\"w\">null</span>}",
            ),
            ("unknown", "fn \"<\"", "fn &quot;&lt;&quot;"),
        ] {
            assert_eq!(from_markdown(language, code).as_str(), html);
        }
    }

    #[test]
    fn a_mark_that_ends_nowhere_is_plain() {
        for code in ["'", "r#\"", "\"a\\", "'a\nb'", "\"a\nlet_ b\"", "é\"é"] {
            let html = coloured(code, "", "");
            assert!(!html.contains('<'), "{html}");
        }
    }

    #[test]
    fn an_address_inside_a_string_is_marked_once() {
        let filled = FilledTemplate {
            text: "f('there/x', 'there')".to_owned(),
            body: 21..21,
        };
        let incomplete = IncompleteAddress {
            address: "/rpc?a&b",
            placeholder: "there",
        };
        assert_eq!(
            html(&filled, Some(incomplete)).as_str(),
            "f(<span class=\"s\">&#39;<span data-address=\"/rpc?a&amp;b\">there</span>/x&#39;</span>, \
             <span class=\"s\">&#39;there&#39;</span>)"
        );
    }
}
