//! The messages of a command: progress for people, warnings for everyone.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::{self, BufWriter, IsTerminal, Write};

use crate::failure::Failure;

/// Standard error and standard output, as a command uses them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    progress: bool,
}

impl Terminal {
    /// Shows progress if standard error is a terminal, or if `verbose` is set.
    pub(crate) fn new(verbose: bool) -> Self {
        Self {
            progress: verbose || io::stderr().is_terminal(),
        }
    }

    /// Prints progress if it is shown; see [`Terminal::new`].
    pub(crate) fn progress(self, text: impl fmt::Display) {
        if self.progress {
            error_line(&text.to_string());
        }
    }

    /// Prints a warning, even if the output is piped.
    #[expect(clippy::unused_self, reason = "called like `progress`")]
    pub(crate) fn warn(self, text: impl fmt::Display) {
        error_line(&text.to_string());
    }

    /// Prints why the command failed.
    pub(crate) fn fail(self, failure: &Failure) {
        for message in &failure.messages {
            self.warn(format_args!("docent: {message}"));
        }
    }

    /// Writes the result of the command to standard output.
    ///
    /// A reader that closes the pipe early (`docent describe … | head`) is not an error.
    pub(crate) fn write(self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_with(|out| out.write_all(bytes))
    }

    /// Like [`write`](Self::write), for a result that is written part by part.
    #[expect(clippy::unused_self, reason = "called like `progress`")]
    pub(crate) fn write_with(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(io::stdout().lock());
        match write(&mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::system(format_args!("standard output: {error}")))
            }
            _ => Ok(()),
        }
    }
}

/// Ignores errors: a closed standard error is no reason to fail.
fn error_line(text: &str) {
    let _ = writeln!(io::stderr(), "{}", plain(text));
}

/// Replaces the characters that a terminal would interpret, because names and messages come from
/// others' documents. Line ends and tabs stay.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_deceptive) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_deceptive(character) {
            // Writing to a `String` cannot fail.
            let _ = write!(plain, "[U+{:04X}]", u32::from(character));
        } else {
            plain.push(character);
        }
    }
    Cow::Owned(plain)
}

/// Returns whether a character is a control, or a mark that can make one text look like another.
fn is_deceptive(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
        || (character.is_control() && !matches!(character, '\n' | '\t'))
}

/// Returns a number with a noun: `1 page`, `12 pages`.
pub(crate) fn count(number: usize, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {one}{plural}")
}
