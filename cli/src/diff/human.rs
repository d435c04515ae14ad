//! Changes for a person.

use docent_tools::compare::Verdict;

use super::{Entry, Report, merged};
use crate::terminal::{Style, Terminal, TextPage};

/// The maximum number of procedures that are named for a change of a type that many use.
const NAMED: usize = 5;

pub(super) fn page(report: &Report<'_>, terminal: Terminal) -> TextPage {
    let mut page = terminal.page();
    for (verdict, heading, style) in [
        (Verdict::Breaking, "Breaking", Style::BAD),
        (Verdict::Risky, "Risky", Style::WARNING),
        (Verdict::Safe, "Safe", Style::HEADING),
    ] {
        let entries = report.entries.iter().filter(|entry| entry.is(verdict));
        section(&mut page, (heading, style), entries.collect());
    }
    let allowed = report
        .entries
        .iter()
        .filter(|entry| entry.allowed.is_some());
    section(&mut page, ("Allowed", Style::HEADING), allowed.collect());
    page.line(&report.summary()).end();
    page
}

fn section(page: &mut TextPage, (heading, style): (&str, Style), entries: Vec<&Entry<'_>>) {
    let groups = merged(entries.into_iter());
    if groups.is_empty() {
        return;
    }
    page.styled(style, heading).end();
    for (entry, procedures) in groups {
        page.space(2)
            .styled(Style::VALUE, entry.change.rule.as_str());
        if let Some(named) = names(&procedures) {
            page.text("  ").styled(Style::NAME, &named);
        }
        page.end();
        page.space(4).line(&entry.message()).end();
        page.space(4).styled(Style::DIM, &place(entry)).end();
        if let Some(reason) = &entry.allowed {
            page.space(4).line(&format!("Allowed: {reason}")).end();
        }
    }
    page.end();
}

fn names(procedures: &[&str]) -> Option<String> {
    let shown = procedures.len().min(NAMED);
    let named = procedures[..shown].join(", ");
    match procedures.len() {
        0 => None,
        number if number > NAMED => Some(format!("{named} and {} more", number - NAMED)),
        _ => Some(named),
    }
}

/// Returns the document, the line if it has any, and the pointer.
fn place(entry: &Entry<'_>) -> String {
    let described = entry.pair.described(entry.change.document);
    let line = entry.line.map_or(String::new(), |line| format!(":{line}"));
    format!("{}{line} {}", described.shown, entry.pointer)
}
