//! Findings as JUnit XML, which services for continuous integration show.

use docent_tools::check::{Finding, FindingKind, ReproducingCall};
use docent_tools::plain::plain;

use super::report::CheckReport;

const KINDS: [(FindingKind, &str); 4] = [
    (FindingKind::Warnings, "warnings"),
    (FindingKind::Contradictions, "contradictions"),
    (FindingKind::Undocumented, "undocumented"),
    (FindingKind::Departures, "departures"),
];

/// Returns a test suite for each report, with a test case for each procedure and kind of finding, and for the
/// description as a whole. Findings that are allowed do not fail.
pub(super) fn junit(reports: &[CheckReport<'_>], allowed: &[FindingKind]) -> String {
    let suites = reports.iter().map(|report| {
        let names = report
            .described
            .reading
            .description
            .procs
            .iter()
            .filter(|it| !it.is_reserved())
            .map(|it| Some(&*it.name));
        let all = std::iter::once(None).chain(names);
        let cases: String = all
            .flat_map(|procedure| {
                KINDS
                    .into_iter()
                    .filter(|(kind, _)| *kind != FindingKind::Departures || report.live.is_some())
                    .map(move |kind| case(report, procedure, kind, allowed))
            })
            .collect();
        let [tests, failures, skipped] =
            ["<testcase", "<failure", "<skipped"].map(|it| cases.matches(it).count());
        let name = escaped(&report.described.shown);
        format!(
            "<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
             skipped=\"{skipped}\">\n{cases}</testsuite>\n"
        )
    });
    let suites: String = suites.collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n{suites}</testsuites>\n")
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
        .filter(|it| {
            it.procedure.as_deref() == procedure && it.rule.kind() == kind && it.allowed.is_none()
        })
        .filter(|_| !allowed.contains(&kind))
        .collect();
    let reason = report
        .live
        .iter()
        .flat_map(|live| &live.not_tried)
        .filter(|_| kind == FindingKind::Departures)
        .find(|(name, _)| Some(&**name) == procedure);
    let outcome = match (&*findings, reason) {
        ([first, ..], _) => {
            let texts: Vec<_> = findings.iter().map(|it| text(it)).collect();
            format!(
                "<failure type=\"{}\" message=\"{}\">{}</failure>",
                first.rule.as_str(),
                escaped(&first.message),
                escaped(&texts.join("\n"))
            )
        }
        ([], Some((_, reason))) => format!("<skipped message=\"{}\"/>", escaped(reason)),
        ([], None) => String::new(),
    };
    let class = escaped(procedure.unwrap_or("description"));
    format!("<testcase classname=\"{class}\" name=\"{name}\">{outcome}</testcase>\n")
}

/// Returns a finding with its advice and its call.
fn text(finding: &Finding) -> String {
    let mut lines = vec![format!("{}: {}", finding.rule.as_str(), finding.message)];
    lines.extend(finding.advice.clone());
    if let Some(ReproducingCall { docent, curl }) = &finding.call {
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
