//! Changes as workflow commands of GitHub Actions, which shows them next to the lines of a file.
//!
//! A runner takes every line of the output for a command that looks like one, so all texts are escaped.

use std::fmt::Write as _;

use docent_describe::json::Pointer;
use docent_tools::compare::{Document, Verdict};

use super::pairs::DescriptionPair;
use super::{DiffReport, ReportedChange, in_document, merged};
use crate::input::Input;
use crate::terminal::one_line;

/// Returns a command for each change that needs attention, and the summary.
pub(super) fn text(report: &DiffReport<'_>) -> String {
    let mut text = String::new();
    for (reported, procedures) in merged(report.changes.iter()) {
        let command = match (&reported.allowed, reported.verdict) {
            (None, Verdict::Breaking) => "error",
            (None, Verdict::Risky) => "warning",
            // Safe and allowed changes need no attention.
            _ => continue,
        };
        let location = location(reported);
        let title = property(&format!("docent: {}", reported.change.rule));
        let mut message = report.about(reported, &procedures);
        if !message.is_empty() {
            message.push_str(": ");
        }
        message.push_str(&reported.message());
        let message = data(&message);
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "::{command} {location}title={title}::{message}");
    }
    let _ = writeln!(text, "{}", data(&report.summary()));
    text
}

/// Writes the file and the line of a change: in the document that the change is in, if that is a file;
/// otherwise in the new one, at the procedure or at the start of all procedures.
fn location(reported: &ReportedChange<'_>) -> String {
    let DescriptionPair { old, new } = reported.pair;
    let (file, line) = match (reported.change.document, &old.input, &new.input) {
        (Document::Old, Input::File(file), _) | (Document::New, _, Input::File(file)) => {
            (file, reported.line)
        }
        (Document::Old, _, Input::File(file)) => (file, line_in_new(reported)),
        _ => return String::new(),
    };
    let file = property(&file.display().to_string());
    match line {
        Some(line) => format!("file={file},line={line},"),
        None => format!("file={file},"),
    }
}

/// Returns the line of a change's procedure in the new document, or else of all procedures.
fn line_in_new(reported: &ReportedChange<'_>) -> Option<usize> {
    let new = &reported.pair.new;
    let list = Pointer::root().join("procs");
    let index = new
        .reading
        .description
        .procs
        .iter()
        .position(|procedure| Some(&procedure.name) == reported.change.procedure.as_ref());
    let described = match index {
        Some(index) => list.join(index),
        None => list,
    };
    let pointer = in_document(new, &described);
    new.lines([pointer.as_str()].into_iter())[0]
}

/// Escapes the text after `::`, so that neither the runner nor a terminal interprets it.
fn data(text: &str) -> String {
    one_line(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn no_text_becomes_a_command_or_a_property() {
        assert_eq!(data("100%\n::error::x"), "100%25 ::error::x");
        assert_eq!(property("a:b,c\r\n"), "a%3Ab%2Cc");
    }
}
