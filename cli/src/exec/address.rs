//! The URLs of commands.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use url::Url;

/// The characters that a URL would change or take for the end of its path.
const ESCAPED_CHARACTERS: &AsciiSet = &CONTROLS.add(b'%').add(b'?').add(b'#');

/// Returns the URL for a command.
pub(crate) fn command_url(command: &str) -> Result<Url, String> {
    let encoded = utf8_percent_encode(command.trim(), ESCAPED_CHARACTERS).to_string();
    // A slash at the beginning would make it a path, in which `..` and spaces are changed.
    let space = if encoded.starts_with('/') { " " } else { "" };
    let url = Url::parse(&format!("exec:{space}{encoded}")).map_err(|error| error.to_string())?;
    command_words(&url).map(|_| url)
}

/// Returns whether a URL stands for a command.
pub(crate) fn is_command(url: &Url) -> bool {
    url.scheme() == "exec"
}

/// Returns the command of a URL, as it was typed.
pub(crate) fn command_of(url: &Url) -> String {
    let command = percent_decode_str(url.path()).decode_utf8_lossy();
    command.trim().to_owned()
}

/// Returns the words of a command, as a shell splits them.
pub(crate) fn command_words(url: &Url) -> Result<Vec<String>, String> {
    let words = shlex::split(&command_of(url)).ok_or("a quotation mark is missing")?;
    if words.is_empty() {
        return Err("expected a command after exec:".to_owned());
    }
    Ok(words)
}
