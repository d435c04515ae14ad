//! Shows long pages in a pager.

use std::env;
use std::io::Write;
use std::process::{Command, Stdio};

/// Shows a text in `$DOCENT_PAGER`, `$PAGER` or `less`. Returns whether that worked; if not, nothing
/// was printed.
pub(super) fn show(text: &str) -> bool {
    let wanted = ["DOCENT_PAGER", "PAGER"]
        .into_iter()
        .find_map(|name| env::var(name).ok());
    let command = wanted.unwrap_or_else(|| "less".to_owned());
    let mut words = command.split_whitespace();
    let Some(program) = words.next().filter(|program| *program != "cat") else {
        return false;
    };
    let mut pager = Command::new(program);
    pager.args(words).stdin(Stdio::piped());
    // The same options as git and gh: quit if it fits on one screen, show colours, leave the screen as
    // it is.
    if env::var_os("LESS").is_none() {
        pager.env("LESS", "FRX");
    }
    if env::var_os("LV").is_none() {
        pager.env("LV", "-c");
    }
    let Ok(mut child) = pager.spawn() else {
        return false;
    };
    if let Some(mut stdin) = child.stdin.take() {
        // The user may quit before everything is written.
        let _ = stdin.write_all(text.as_bytes());
    }
    // If a shell does not find the command, it says so itself and ends at once.
    child.wait().is_ok()
}
