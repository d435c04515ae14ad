//! Findings as JUnit XML, which services for continuous integration show.
//!
//! There is no schema for the format. What is written here is what GitLab, Jenkins and GitHub's reporters
//! all read: suites, cases, failures and skipped cases.

use docent_tools::check::{Finding, FindingKind, ReproducingCall};
use docent_tools::plain::plain;

use super::report::CheckReport;

/// The kinds of findings, with the names of their test cases.
const TESTED_KINDS: [(FindingKind, &str); 4] = [
    (FindingKind::Warnings, "warnings"),
    (FindingKind::Contradictions, "contradictions"),
    (FindingKind::Undocumented, "undocumented"),
    (FindingKind::Departures, "departures"),
];

/// Returns a test suite for each report, with a test case for each procedure and kind of finding, and for the
/// description as a whole. Findings that are allowed do not fail.
pub(super) fn junit(reports: &[CheckReport<'_>], allowed: &[FindingKind]) -> String {
    let suites: String = reports
        .iter()
        .map(|report| suite(report, allowed))
        .collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n{suites}</testsuites>\n")
}

/// Returns the test suite of a report.
fn suite(report: &CheckReport<'_>, allowed: &[FindingKind]) -> String {
    let procedures = &report.described.reading.description.procs;
    let names = procedures
        .iter()
        .filter(|procedure| !procedure.is_reserved())
        .map(|procedure| Some(&*procedure.name));
    let mut cases = String::new();
    for name in std::iter::once(None).chain(names) {
        for kind in TESTED_KINDS {
            if kind.0 != FindingKind::Departures || report.live.is_some() {
                cases.push_str(&case(report, name, kind, allowed));
            }
        }
    }
    let tests = cases.matches("<testcase").count();
    let failures = cases.matches("<failure").count();
    let skipped = cases.matches("<skipped").count();
    let name = escaped(&report.described.display_name);
    format!(
        "<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
         skipped=\"{skipped}\">\n{cases}</testsuite>\n"
    )
}

/// Returns the test case for a procedure, or the description as a whole, and a kind of finding.
fn case(
    report: &CheckReport<'_>,
    procedure: Option<&str>,
    (kind, name): (FindingKind, &str),
    allowed: &[FindingKind],
) -> String {
    let findings: Vec<_> = report
        .findings
        .iter()
        .filter(|finding| finding.procedure.as_deref() == procedure)
        .filter(|finding| finding.rule.kind() == kind && finding.allowed.is_none())
        .filter(|_| !allowed.contains(&kind))
        .collect();
    let not_tried = report
        .live
        .iter()
        .flat_map(|live| &live.not_tried)
        .filter(|_| kind == FindingKind::Departures)
        .find(|why_not| Some(&*why_not.procedure) == procedure);
    let outcome = match (&*findings, not_tried) {
        ([first, ..], _) => {
            let texts: Vec<_> = findings.iter().copied().map(text).collect();
            format!(
                "<failure type=\"{}\" message=\"{}\">{}</failure>",
                first.rule.as_str(),
                escaped(&first.message),
                escaped(&texts.join("\n"))
            )
        }
        ([], Some(why_not)) => format!("<skipped message=\"{}\"/>", escaped(&why_not.reason)),
        ([], None) => String::new(),
    };
    let class = escaped(procedure.unwrap_or("description"));
    format!("<testcase classname=\"{class}\" name=\"{name}\">{outcome}</testcase>\n")
}

/// Returns a finding with its advice and its call.
fn text(finding: &Finding) -> String {
    let mut lines = vec![format!("{}: {}", finding.rule.as_str(), finding.message)];
    lines.extend(finding.advice.clone());
    if let Some(ReproducingCall { docent, curl, .. }) = &finding.call {
        lines.extend(docent.iter().chain([curl]).cloned());
    }
    lines.join("\n")
}

/// Escapes text for XML, which has no control characters.
fn escaped(text: &str) -> String {
    plain(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
