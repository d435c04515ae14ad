//! Changes for a person, grouped by what they mean to callers.
//!
//! Changes of a type that many procedures use are one entry, with the first of their names.

use docent_tools::compare::Verdict;

use super::{DiffReport, ReportedChange, merged};
use crate::terminal::{Style, Terminal, TextPage};

/// The maximum number of procedures that are named for a change of a type that many use.
const MAX_NAMED: usize = 5;

pub(super) fn page(report: &DiffReport<'_>, terminal: Terminal) -> TextPage {
    let mut page = terminal.page();
    for (verdict, heading, style) in [
        (Verdict::Breaking, "Breaking", Style::BAD),
        (Verdict::Risky, "Risky", Style::WARNING),
        (Verdict::Safe, "Safe", Style::HEADING),
    ] {
        let changes = report.changes.iter().filter(|change| change.is(verdict));
        section(&mut page, heading, style, changes);
    }
    let allowed = report
        .changes
        .iter()
        .filter(|change| change.allowed.is_some());
    section(&mut page, "Allowed", Style::HEADING, allowed);
    page.line(&report.summary()).end();
    page
}

/// Adds the changes of one kind under a heading, if there are any.
fn section<'e, 'd: 'e>(
    page: &mut TextPage,
    heading: &str,
    style: Style,
    changes: impl Iterator<Item = &'e ReportedChange<'d>>,
) {
    let groups = merged(changes);
    if groups.is_empty() {
        return;
    }
    page.styled(style, heading).end();
    for (reported, procedures) in groups {
        page.space(2)
            .styled(Style::VALUE, reported.change.rule.as_str());
        if let Some(names) = first_names(&procedures) {
            page.text("  ").styled(Style::NAME, &names);
        }
        page.end();
        page.space(4).line(&reported.message()).end();
        page.space(4).styled(Style::DIM, &location(reported)).end();
        if let Some(reason) = &reported.allowed {
            page.space(4).line(&format!("Allowed: {reason}")).end();
        }
    }
    page.end();
}

/// Returns the first names of procedures, and the number of the others.
fn first_names(procedures: &[&str]) -> Option<String> {
    let count = procedures.len().min(MAX_NAMED);
    let named = procedures[..count].join(", ");
    match procedures.len() {
        0 => None,
        number if number > MAX_NAMED => Some(format!("{named} and {} more", number - MAX_NAMED)),
        _ => Some(named),
    }
}

/// Returns the document, the line if it has any, and the pointer.
fn location(reported: &ReportedChange<'_>) -> String {
    let display_name = &reported
        .pair
        .described(reported.change.document)
        .display_name;
    match reported.line {
        Some(line) => format!("{display_name}:{line} {}", reported.pointer),
        None => format!("{display_name} {}", reported.pointer),
    }
}
