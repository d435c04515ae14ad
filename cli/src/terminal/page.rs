//! Text for a person, in colour if the terminal shows any.
//!
//! A description comes from somebody else, and could contain the escape sequences of a terminal. The
//! type is the only place that writes such sequences, and removes those in the text that it is given.

use super::secrets::mask;
use docent_tools::plain::{one_line, plain};

/// The style of a piece of text: the parameters of its escape sequence.
#[derive(Clone, Copy)]
pub(crate) struct Style(&'static str);

impl Style {
    pub(crate) const HEADING: Self = Self("1");
    /// The name of something that can be called or passed.
    pub(crate) const NAME: Self = Self("1;36");
    /// A type, or a value.
    pub(crate) const VALUE: Self = Self("36");
    /// Something less important.
    pub(crate) const DIM: Self = Self("2");
    pub(crate) const WARNING: Self = Self("33");
    /// Bad news.
    pub(crate) const BAD: Self = Self("1;31");
}

/// Text for a person. Everything added to it is made safe for a terminal and secrets in it are masked,
/// so its only control characters are those that this type writes itself.
#[derive(Default)]
pub(crate) struct TextPage {
    text: String,
    in_color: bool,
}

impl TextPage {
    pub(crate) fn new(in_color: bool) -> Self {
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
        self.piece(Some(style), &one_line(text))
    }

    /// Adds a piece of a line, with the spaces around it.
    pub(super) fn piece(&mut self, style: Option<Style>, text: &str) -> &mut Self {
        let text = text.replace(['\r', '\n'], " ");
        match style.filter(|_| self.in_color && !text.is_empty()) {
            Some(style) => {
                let text = plain(&mask(&text));
                self.text
                    .extend(["\u{1b}[", style.0, "m", &text, "\u{1b}[0m"]);
                self
            }
            None => self.text(&text),
        }
    }

    /// Adds text on one line.
    pub(crate) fn line(&mut self, text: &str) -> &mut Self {
        self.text.push_str(&one_line(&mask(text)));
        self
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

#[cfg(test)]
mod tests {
    use super::{Style, TextPage};

    #[test]
    fn only_a_page_itself_writes_controls() {
        let mut page = TextPage::new(true);
        page.styled(Style::NAME, "a\u{1b}[31m\nb").text("\u{202e}");
        assert_eq!(
            page.as_str(),
            "\u{1b}[1;36ma[U+001B][31m b\u{1b}[0m[U+202E]"
        );
        let mut page = TextPage::new(false);
        page.styled(Style::BAD, "x").space(2).line("y\nz").end();
        assert_eq!(page.as_str(), "x  y z\n");
    }
}
