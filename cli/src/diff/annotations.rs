//! Changes as workflow commands of GitHub Actions, which shows them next to the lines of a file.

use std::collections::HashMap;
use std::fmt::Write as _;

use docent_describe::json::Pointer;
use docent_tools::compare::{Document, Verdict};

use super::{Entry, Report, in_document, merged};
use crate::input::Input;
use crate::terminal::one_line;

pub(super) fn text(report: &Report<'_>, old: &Input, new: &Input) -> String {
    let mut text = String::new();
    let places = Places::new(report, old, new);
    for (entry, procedures) in merged(report.entries.iter()) {
        let command = match (&entry.allowed, entry.change.verdict()) {
            (None, Verdict::Breaking) => "error",
            (None, Verdict::Risky) => "warning",
            // Safe and allowed changes need no attention.
            _ => continue,
        };
        let place = places.of(entry);
        let title = property(&format!("docent: {}", entry.change.rule));
        let about = match procedures.join(", ") {
            none if none.is_empty() => none,
            procedures => format!("{procedures}: "),
        };
        let message = data(&format!("{about}{}", entry.change.message));
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "::{command} {place}title={title}::{message}");
    }
    let _ = writeln!(text, "{}", data(&report.summary()));
    text
}

/// Finds the file and line of each change: in the document that the change is in, if that is a file;
/// otherwise in the new one, at the procedure or at the start of all procedures.
struct Places<'r> {
    old: &'r Input,
    new: &'r Input,
    /// The lines of the procedures in the new document. Empty if the old document is a file with lines
    /// of its own.
    procedures: HashMap<&'r str, usize>,
    /// The line at which the procedures start.
    list: Option<usize>,
}

impl<'r> Places<'r> {
    fn new(report: &'r Report<'_>, old: &'r Input, new: &'r Input) -> Self {
        let (mut procedures, mut list) = (HashMap::new(), None);
        if !matches!(old, Input::File(_)) {
            let procs = &report.new.reading.description.procs;
            let start = Pointer::root().join("procs");
            let inside = |pointer| in_document(report.new, &pointer);
            let pointers: Vec<Pointer> =
                (0..procs.len()).map(|at| inside(start.join(at))).collect();
            let start = inside(start);
            let all = pointers.iter().chain([&start]);
            let lines = report.new.lines(all.map(Pointer::as_str));
            let line = |pointer: &Pointer| lines.get(pointer.as_str()).copied();
            list = line(&start);
            let named = procs.iter().zip(&pointers);
            procedures = named
                .filter_map(|(procedure, at)| Some((procedure.name.as_str(), line(at)?)))
                .collect();
        }
        Self {
            old,
            new,
            procedures,
            list,
        }
    }

    fn of(&self, entry: &Entry) -> String {
        let (file, line) = match (entry.change.document, self.old, self.new) {
            (Document::Old, Input::File(file), _) | (Document::New, _, Input::File(file)) => {
                (file, entry.line)
            }
            (Document::Old, _, Input::File(file)) => {
                let name = entry.change.procedure.as_deref();
                let own = name.and_then(|name| self.procedures.get(name).copied());
                (file, own.or(self.list))
            }
            _ => return String::new(),
        };
        let file = property(&file.display().to_string());
        let line = line.map_or(String::new(), |line| format!("line={line},"));
        format!("file={file},{line}")
    }
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
