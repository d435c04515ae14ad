//! Changes as workflow commands of GitHub Actions, which shows them next to the lines of a file.

use std::fmt::Write as _;

use docent_describe::ProcedureDescription;
use docent_describe::json::Pointer;
use docent_tools::compare::{Document, Verdict};

use super::pairs::Pair;
use super::{Entry, Report, in_document, merged};
use crate::input::Input;
use crate::terminal::one_line;

pub(super) fn text(report: &Report<'_>) -> String {
    let mut text = String::new();
    for (entry, procedures) in merged(report.entries.iter()) {
        let command = match (&entry.allowed, entry.verdict) {
            (None, Verdict::Breaking) => "error",
            (None, Verdict::Risky) => "warning",
            // Safe and allowed changes need no attention.
            _ => continue,
        };
        let place = place(entry);
        let title = property(&format!("docent: {}", entry.change.rule));
        let about = report.about(entry, &procedures);
        let colon = if about.is_empty() { "" } else { ": " };
        let message = data(&format!("{about}{colon}{}", entry.message()));
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "::{command} {place}title={title}::{message}");
    }
    let _ = writeln!(text, "{}", data(&report.summary()));
    text
}

/// Writes the file and the line of a change: in the document that the change is in, if that is a file;
/// otherwise in the new one, at the procedure or at the start of all procedures.
fn place(entry: &Entry<'_>) -> String {
    let Pair { old, new } = entry.pair;
    let (file, line) = match (entry.change.document, &old.input, &new.input) {
        (Document::Old, Input::File(file), _) | (Document::New, _, Input::File(file)) => {
            (file, entry.line)
        }
        (Document::Old, _, Input::File(file)) => {
            let procs = &new.reading.description.procs;
            let is_own =
                |it: &ProcedureDescription| Some(&it.name) == entry.change.procedure.as_ref();
            let list = Pointer::root().join("procs");
            let pointer = match procs.iter().position(is_own) {
                Some(at) => list.join(at),
                None => list,
            };
            let pointer = in_document(new, &pointer);
            let lines = new.lines([pointer.as_str()].into_iter());
            (file, lines[0])
        }
        _ => return String::new(),
    };
    let file = property(&file.display().to_string());
    let line = line.map_or(String::new(), |line| format!("line={line},"));
    format!("file={file},{line}")
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
