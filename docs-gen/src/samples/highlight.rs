//! The colours of code: comments, keywords, strings, and JSON.
//!
//! Two expressions find the tokens, because colours need to know little of a language. A page's script reads samples
//! in the same way; a test in a browser compares the two byte by byte. Code in Markdown has further keywords.

use std::sync::LazyLock;

use regex_automata::meta::Regex;

use super::fill::{FilledTemplate, is_keyword};
use crate::markup::{Markup, PageFormat};

/// Finds comments, strings and words. The blank before a comment sets its mark apart from `//` in an address. Only the
/// shell and Python have strings in single quotes, and samples no escapes in them.
static CODE_TOKENS: LazyLock<Regex> = LazyLock::new(|| {
    tokens(
        r#"(?:^|(?-u:\s))(?://[/!]?|#) [^\n]*|"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|'[^'\n]*'|[0-9A-Za-z_]+"#,
    )
});

/// Finds the same in Rust, where single quotes mark lifetimes.
static RUST_TOKENS: LazyLock<Regex> = LazyLock::new(|| {
    tokens(r#"(?:^|(?-u:\s))(?://[/!]?|#) [^\n]*|"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|[0-9A-Za-z_]+"#)
});

/// Finds strings and scalars in JSON: everything that neither separates nor encloses.
static JSON_TOKENS: LazyLock<Regex> =
    LazyLock::new(|| tokens(r#""[^"\\]*(?:\\(?s:.)[^"\\]*)*"?|[!-~&&[^"\[\]{},:]]+"#));

/// Compiles an expression of this file.
fn tokens(expression: &str) -> Regex {
    #[expect(
        clippy::expect_used,
        reason = "part of the program, and read by every test"
    )]
    Regex::new(expression).expect("a regular expression")
}

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

/// The syntax of code, as far as colours need it.
#[derive(Clone, Copy)]
enum Syntax {
    /// JSON, or the same value in the spelling of another language.
    Json,
    /// A sample, without the JSON in it.
    Sample,
    /// Rust in Markdown, with its keywords.
    Rust(&'static str),
    /// Another language in Markdown, with its keywords.
    Other(&'static str),
}

impl Syntax {
    /// Returns the expression that finds tokens.
    fn tokens(self) -> &'static Regex {
        match self {
            Self::Json => &JSON_TOKENS,
            Self::Sample | Self::Other(_) => &CODE_TOKENS,
            Self::Rust(_) => &RUST_TOKENS,
        }
    }

    /// Returns the class that gives a token its colour.
    fn class_of(self, token: &str, is_name: bool) -> Option<&'static str> {
        let is_keyword = match (token.as_bytes()[0], self) {
            (b'"' | b'\'', _) => return Some(if is_name { "k" } else { "s" }),
            // Languages spell scalars differently.
            (_, Self::Json) => return Some("n"),
            (b'/' | b'#', _) => return Some("c"),
            (_, Self::Sample) => is_keyword(token),
            (_, Self::Rust(keywords) | Self::Other(keywords)) => is_listed(keywords, token),
        };
        is_keyword.then_some("w")
    }
}

/// Renders code from Markdown as HTML. Without the language, it has no colours. As rustdoc does,
/// it leaves out lines of Rust that are only there to compile the rest.
pub(crate) fn from_markdown(language: &str, code: &str) -> Markup {
    let Some((_, keywords)) = KEYWORDS
        .iter()
        .find(|(names, _)| is_listed(names, language))
    else {
        return Markup::escaped(PageFormat::Html, code);
    };
    let is_rust = language == "rust";
    let syntax = if is_rust {
        Syntax::Rust(keywords)
    } else {
        Syntax::Other(keywords)
    };
    let mut painter = Painter::default();
    for line in code.split_inclusive('\n') {
        let is_hidden = line.starts_with("# ") || line.trim_end() == "#";
        if !is_rust || !is_hidden {
            painter.paint(line, syntax);
        }
    }
    painter.markup
}

/// Renders JSON text as a block of code.
pub(crate) fn json(format: PageFormat, text: &str) -> Markup {
    if format == PageFormat::Markdown {
        return Markup::block(format, "json", text);
    }
    let mut painter = Painter::default();
    painter.paint(text, Syntax::Json);
    painter.markup
}

/// Renders a sample as HTML.
pub(super) fn html(filled: &FilledTemplate, incomplete: Option<IncompleteAddress<'_>>) -> Markup {
    let FilledTemplate { text, body } = filled;
    let mut painter = Painter {
        incomplete,
        ..Painter::default()
    };
    painter.paint(&text[..body.start], Syntax::Sample);
    painter.paint(&text[body.clone()], Syntax::Json);
    painter.paint(&text[body.end..], Syntax::Sample);
    painter.markup
}

/// Writes code as HTML, token by token.
#[derive(Default)]
struct Painter<'a> {
    /// The code so far.
    markup: Markup,
    /// The address to be marked, until it is.
    incomplete: Option<IncompleteAddress<'a>>,
}

impl Painter<'_> {
    /// Writes code of one syntax.
    fn paint(&mut self, code: &str, syntax: Syntax) {
        let mut plain = 0;
        for found in syntax.tokens().find_iter(code) {
            // The blank before a comment is no part of it.
            let token = code[found.range()].trim_start();
            let is_name = code[found.end()..].starts_with(':');
            if let Some(class) = syntax.class_of(token, is_name) {
                self.markup.text(&code[plain..found.end() - token.len()]);
                self.token(class, token);
                plain = found.end();
            }
        }
        self.markup.text(&code[plain..]);
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
    fn colours_change_no_character_of_json() {
        let text = "{\n  \"a<b\": [1, true, \"x\\\"y\"],\n  \"n\": null\n}";
        let html = json(PageFormat::Html, text).into_string();
        assert!(html.contains(
            "<span class=\"k\">&quot;a&lt;b&quot;</span>: [<span class=\"n\">1</span>, "
        ));
        assert!(
            html.contains("<span class=\"s\">&quot;x\\&quot;y&quot;</span>]"),
            "{html}"
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
