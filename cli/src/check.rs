//! `docent check`: lists what is wrong or undocumented in a description.

use crate::args::{CheckArgs, Finding};
use crate::failure::Failure;
use crate::http::Client;
use crate::input::{Described, check_inputs, read_all};
use crate::terminal::{Terminal, count};
use crate::undocumented::undocumented;

pub(crate) fn run(args: &CheckArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    check_inputs(&args.inputs, client)?;
    // Check every description that can be read, even if others cannot.
    let (described, unreadable) = read_all(&args.inputs, client);
    let mut report = terminal.page();
    for described in &described {
        for line in list(described, &Finding::ALL) {
            report.line(&line).end();
        }
        let undocumented = undocumented(&described.reading.description).len();
        let summary = format!("{}, {undocumented} undocumented", described.summary());
        report.line(&summary).end();
    }
    terminal.print(&report)?;
    let denied: Vec<Finding> = Finding::ALL
        .into_iter()
        .filter(|finding| !args.allow.contains(finding))
        .collect();
    let mut failures = unreadable;
    failures.extend(denial(&described, &denied));
    Failure::all(failures)
}

/// Lists the findings of these kinds in a description, one on each line.
pub(crate) fn list(described: &Described, kinds: &[Finding]) -> Vec<String> {
    let mut lines = Vec::new();
    if kinds.contains(&Finding::Warnings) {
        lines.extend(described.warnings());
    }
    if kinds.contains(&Finding::Undocumented) {
        let parts = undocumented(&described.reading.description);
        let line = |part| format!("{}: undocumented: {part}", described.shown).replace('\n', " ");
        lines.extend(parts.iter().map(line));
    }
    lines
}

/// Returns the failure for denied kinds of findings, if the descriptions have any.
pub(crate) fn denial(described: &[Described], denied: &[Finding]) -> Option<Failure> {
    let number = |finding| match finding {
        Finding::Warnings => described
            .iter()
            .map(|described| described.reading.warnings.len())
            .sum::<usize>(),
        Finding::Undocumented => described
            .iter()
            .map(|described| undocumented(&described.reading.description).len())
            .sum(),
    };
    let mut found = Vec::new();
    for finding in Finding::ALL
        .iter()
        .filter(|finding| denied.contains(finding))
    {
        match (finding, number(*finding)) {
            (_, 0) => {}
            (Finding::Warnings, number) => found.push(count(number, "warning")),
            (Finding::Undocumented, number) => {
                found.push(format!("{} without documentation", count(number, "part")));
            }
        }
    }
    (!found.is_empty()).then(|| Failure::negative(found.join(" and ")))
}
