//! The output of a command: its result, progress for people, and warnings for everyone.
//!
//! | method | stream | when |
//! |---|---|---|
//! | `write`, `write_json`, `print` | standard output | always: the result |
//! | `progress` | standard error | if a person sees it, or with `--verbose` |
//! | `detail` | standard error | with `--verbose` |
//! | `warn`, `fail` | standard error | always |
//!
//! All output passes through here, where it is made safe ([`docent_tools::plain`]) and secrets are masked
//! ([`secrets`]): names and messages come from other people's services, and a terminal obeys control characters. Only a
//! result that a program reads is written unchanged. Nothing else prints, so nothing else can forget it.
//!
//! Text for people is put together on a [`TextPage`], which knows whether there are colours. [`markdown`] writes
//! documentation onto one.

mod markdown;
mod page;
pub(crate) mod secrets;

use std::env;
use std::fmt;
use std::io::{self, IsTerminal, Write};

use clap::ColorChoice;
use docent_describe::json::Json;

use crate::failure::Failure;
pub(crate) use docent_tools::plain::{one_line, plain, plain_json};
pub(crate) use markdown::push as push_markdown;
pub(crate) use page::{Style, TextPage};

/// Standard error and standard output, as a command uses them.
#[expect(clippy::struct_excessive_bools, reason = "facts about streams")]
#[derive(Clone, Copy)]
pub(crate) struct Terminal {
    /// True if requests are shown.
    is_verbose: bool,
    /// True if progress is shown, which would only disturb programs.
    has_progress: bool,
    /// True if standard output is a terminal, so that results are written for a person.
    for_person: bool,
    /// True if standard output has colours.
    in_color: bool,
    /// True if standard error has colours. One of the two may be piped.
    in_color_of_errors: bool,
}

impl Terminal {
    /// Shows progress if standard error is a terminal, or if `is_verbose` is set.
    pub(crate) fn new(is_verbose: bool, color: ColorChoice) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let is_terminal_of_errors = io::stderr().is_terminal();
        Self {
            is_verbose,
            has_progress: is_verbose || is_terminal_of_errors,
            for_person: is_terminal,
            in_color: is_in_color(color, is_terminal),
            in_color_of_errors: is_in_color(color, is_terminal_of_errors),
        }
    }

    /// Returns whether a person rather than a program reads standard output.
    pub(crate) fn is_terminal(self) -> bool {
        self.for_person
    }

    /// Prints progress if it is enabled; see [`Terminal::new`].
    pub(crate) fn progress(self, text: impl fmt::Display) {
        if self.has_progress {
            error_line(text);
        }
    }

    /// Prints a detail of a request if details are enabled.
    pub(crate) fn detail(self, text: impl fmt::Display) {
        if self.is_verbose {
            error_line(text);
        }
    }

    /// Prints a warning, even if the output is piped.
    #[expect(clippy::unused_self, reason = "called like `progress`")]
    pub(crate) fn warn(self, text: impl fmt::Display) {
        error_line(text);
    }

    /// Prints several warnings.
    pub(crate) fn warn_all(self, texts: impl IntoIterator<Item = String>) {
        for text in texts {
            self.warn(text);
        }
    }

    /// Prints the reason for which the command failed.
    pub(crate) fn fail(self, failure: &Failure) {
        self.fail_at("docent:", failure);
    }

    /// Prints a failure after a label.
    pub(crate) fn fail_at(self, label: &str, failure: &Failure) {
        let mut page = TextPage::new(self.in_color_of_errors);
        for message in &failure.messages {
            page.styled(Style::BAD, label).text(" ").text(message).end();
        }
        // A closed standard error is no reason to fail.
        let _ = io::stderr().write_all(page.as_str().as_bytes());
    }

    /// Returns an empty page, in colour if the terminal shows any.
    pub(crate) fn page(self) -> TextPage {
        TextPage::new(self.in_color)
    }

    /// Prints a page.
    pub(crate) fn print(self, page: &TextPage) -> Result<(), Failure> {
        self.write(page.as_str())
    }

    /// Writes JSON text, and ends its line. At a terminal, characters that it would interpret are
    /// escaped.
    pub(crate) fn write_json(self, text: &str) -> Result<(), Failure> {
        self.write_item(text).map(drop)
    }

    /// Writes JSON text as [`write_json`](Self::write_json) does, and returns whether there is still a reader.
    pub(crate) fn write_item(self, text: &str) -> Result<bool, Failure> {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let mut line = format!("{text}{end}");
        if self.for_person {
            line = plain_json(&line);
        }
        write_out(line.as_bytes())
    }

    /// Writes the result of the command to standard output, unchanged.
    ///
    /// A reader that closes the pipe early (`docent describe … | head`) is not an error.
    #[expect(clippy::unused_self, reason = "called like `progress`")]
    pub(crate) fn write(self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        write_out(bytes.as_ref()).map(drop)
    }
}

/// Writes to standard output, and returns whether there is still a reader.
fn write_out(bytes: &[u8]) -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::system(format_args!("standard output: {error}"))),
    }
}

fn is_in_color(color: ColorChoice, is_terminal: bool) -> bool {
    match color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => wants_color(is_terminal, |name| env::var(name).ok()),
    }
}

/// Decides about colour by the common conventions (<https://no-color.org>,
/// <https://bixense.com/clicolors/>).
fn wants_color(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        return false;
    }
    if variable("CLICOLOR_FORCE").is_some_and(|value| !matches!(value.as_str(), "" | "0")) {
        return true;
    }
    is_terminal
        && variable("CLICOLOR").as_deref() != Some("0")
        && variable("TERM").as_deref() != Some("dumb")
}

/// Ignores errors: a closed standard error is no reason to fail.
fn error_line(text: impl fmt::Display) {
    let text = secrets::mask(&text.to_string());
    let _ = writeln!(io::stderr(), "{}", plain(&text));
}

/// Returns a number as JSON.
pub(crate) fn number(number: usize) -> Json {
    Json::Number(number.to_string().into())
}

/// Returns a text as JSON, or null.
pub(crate) fn text_or_null(text: Option<&String>) -> Json {
    text.map_or(Json::Null, |text| Json::from(text.as_str()))
}

/// Returns a number with a noun: `1 page`, `12 pages`.
pub(crate) fn count(number: usize, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {one}{plural}")
}

#[cfg(test)]
mod tests {
    use super::wants_color;

    #[test]
    fn colour_is_for_those_who_see_it() {
        for (is_terminal, variables, expected) in [
            (true, vec![], true),
            (false, vec![], false),
            (true, vec![("NO_COLOR", "1")], false),
            (true, vec![("NO_COLOR", "")], true),
            (true, vec![("CLICOLOR", "0")], false),
            (true, vec![("TERM", "dumb")], false),
            (false, vec![("CLICOLOR_FORCE", "1")], true),
            (false, vec![("CLICOLOR_FORCE", "0")], false),
            (
                false,
                vec![("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
                false,
            ),
        ] {
            let variable = |name: &str| {
                variables
                    .iter()
                    .find(|(known, _)| *known == name)
                    .map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(
                wants_color(is_terminal, variable),
                expected,
                "{variables:?}"
            );
        }
    }
}
