//! Findings in words and as JSON.

use docent_describe::json::{Json, Object};
use docent_tools::check::{Finding, FindingKind, Rule};

use crate::terminal::{count, text_or_null};

/// Returns one line of text that locates and describes a finding in an input.
pub(super) fn line(finding: &Finding, input: &str) -> String {
    match finding.rule {
        // The reader's warnings have a line and a column in front.
        Rule::Warning => finding.message.clone(),
        rule => format!("{input}: {}: {}", rule.as_str(), finding.message),
    }
}

/// Returns a finding as JSON, for programs.
pub(super) fn to_json(finding: &Finding, input: &str) -> Json {
    let call = finding.call.as_ref().map_or(Json::Null, |call| {
        Json::from(Object::from([
            ("docent", text_or_null(call.docent.as_ref())),
            ("curl", Json::from(call.curl.as_str())),
        ]))
    });
    Json::from(Object::from([
        ("rule", Json::from(finding.rule.as_str())),
        ("procedure", text_or_null(finding.procedure.as_ref())),
        ("message", Json::from(line(finding, input))),
        ("advice", text_or_null(finding.advice.as_ref())),
        ("call", call),
        ("allowed", text_or_null(finding.allowed.as_ref())),
    ]))
}

/// Returns a number of findings of a kind in words.
pub(super) fn counted(kind: FindingKind, number: usize) -> String {
    match kind {
        FindingKind::Warnings => count(number, "warning"),
        FindingKind::Contradictions => count(number, "contradiction"),
        FindingKind::Undocumented => format!("{} without documentation", count(number, "part")),
        FindingKind::Departures => format!("{} from the description", count(number, "departure")),
    }
}
