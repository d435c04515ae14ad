//! Text for a person, in colour if the terminal shows any.

use docent_describe::json::Json;
use unicode_width::UnicodeWidthStr;

use super::secrets::mask;
use super::text::{one_line, plain, plain_json};

/// The style of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// A heading.
    Heading,
    /// The name of something that can be called or passed.
    Name,
    /// A type, or a value.
    Value,
    /// A string in JSON.
    String,
    /// Something less important.
    Dim,
    /// A warning.
    Warning,
    /// Bad news.
    Bad,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Heading => "1",
            Self::Name => "1;36",
            Self::Value => "36",
            Self::String => "32",
            Self::Dim => "2",
            Self::Warning => "33",
            Self::Bad => "1;31",
        }
    }
}

/// Text for a person. Everything added to it is made safe for a terminal and secrets in it are masked,
/// so its only control characters are those that this type writes itself.
#[derive(Debug, Clone)]
pub(crate) struct TextPage {
    text: String,
    in_color: bool,
}

impl TextPage {
    pub(super) fn new(in_color: bool) -> Self {
        Self {
            text: String::new(),
            in_color,
        }
    }

    /// Adds text, which may have several lines.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.text.push_str(&plain(&mask(text)));
        self
    }

    /// Adds text on one line, in a style.
    pub(crate) fn styled(&mut self, style: Style, text: &str) -> &mut Self {
        let text = one_line(&mask(text));
        if self.in_color && !text.is_empty() {
            self.text
                .extend(["\u{1b}[", style.code(), "m", &text, "\u{1b}[0m"]);
        } else {
            self.text.push_str(&text);
        }
        self
    }

    /// Adds text on one line.
    pub(crate) fn line(&mut self, text: &str) -> &mut Self {
        self.text.push_str(&one_line(&mask(text)));
        self
    }

    /// Adds a JSON value, indented.
    pub(crate) fn json(&mut self, json: &Json) -> &mut Self {
        self.json_at(json, 0);
        self
    }

    fn json_at(&mut self, json: &Json, depth: usize) {
        match json {
            Json::Object(members) if !members.is_empty() => {
                for (index, (name, value)) in members.iter().enumerate() {
                    self.text.push_str(if index == 0 { "{" } else { "," });
                    self.end().space(2 * depth + 2);
                    self.literal(Style::Name, &Json::from(name.as_str()));
                    self.text.push_str(": ");
                    self.json_at(value, depth + 1);
                }
                self.end().space(2 * depth).text.push('}');
            }
            Json::Array(values) if !values.is_empty() => {
                for (index, value) in values.iter().enumerate() {
                    self.text.push_str(if index == 0 { "[" } else { "," });
                    self.end().space(2 * depth + 2);
                    self.json_at(value, depth + 1);
                }
                self.end().space(2 * depth).text.push(']');
            }
            Json::String(_) => self.literal(Style::String, json),
            scalar => self.literal(Style::Value, scalar),
        }
    }

    fn literal(&mut self, style: Style, json: &Json) {
        let json = json.to_string();
        let text = plain_json(&json);
        if self.in_color {
            self.text
                .extend(["\u{1b}[", style.code(), "m", &*text, "\u{1b}[0m"]);
        } else {
            self.text.push_str(&text);
        }
    }

    /// Ends the line.
    pub(crate) fn end(&mut self) -> &mut Self {
        self.text.push('\n');
        self
    }

    /// Adds spaces.
    pub(crate) fn space(&mut self, count: usize) -> &mut Self {
        self.text.extend(std::iter::repeat_n(' ', count));
        self
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

/// Returns the width of a text at a terminal, in columns, once it is on one line and safe.
pub(crate) fn width(text: &str) -> usize {
    one_line(text).width()
}

/// Puts a text on one line and cuts it to a maximum width, in columns.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    let text = one_line(text);
    if text.width() <= columns {
        return text;
    }
    let mut cut = String::new();
    for character in text.chars() {
        cut.push(character);
        if cut.width() >= columns {
            cut.pop();
            break;
        }
    }
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::{Style, TextPage, fit, width};

    #[test]
    fn only_a_page_itself_writes_controls() {
        let mut page = TextPage::new(true);
        page.styled(Style::Name, "a\u{1b}[31m\nb").text("\u{202e}");
        assert_eq!(
            page.as_str(),
            "\u{1b}[1;36ma[U+001B][31m b\u{1b}[0m[U+202E]"
        );
        let mut page = TextPage::new(false);
        page.styled(Style::Bad, "x").space(2).line("y\nz").end();
        assert_eq!(page.as_str(), "x  y z\n");
    }

    #[test]
    fn columns_are_what_a_terminal_counts() {
        assert_eq!((width("日本"), width("é"), width("a\u{1b}")), (4, 1, 9));
        assert_eq!(fit("日本語", 5), "日本…");
        assert_eq!(fit("abc", 3), "abc");
        assert_eq!(fit("abcd", 3), "ab…");
    }
}
