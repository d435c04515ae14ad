//! Changes for a program. Members are only ever added, because workflows read them.

use docent_describe::json::{Json, Object};

use super::{DiffReport, ReportedChange};
use crate::terminal::number;

pub(super) fn json(report: &DiffReport<'_>) -> Json {
    let mut members = Object::new()
        .with("old", report.old_name.as_str())
        .with("new", report.new_name.as_str());
    for verdict in super::VERDICT_ORDER {
        members.insert(verdict.as_str(), number(report.number(verdict)));
    }
    let changes: Json = report.changes.iter().map(to_json).collect();
    members.insert("changes", changes);
    members.insert("unusedAllowances", texts(&report.unused));
    Json::Object(members)
}

fn to_json(reported: &ReportedChange<'_>) -> Json {
    let change = &reported.change;
    let members = Object::new()
        .with("rule", change.rule.as_str())
        .with("verdict", reported.verdict.as_str())
        .with("document", change.document.as_str())
        .with("pointer", reported.pointer.as_str())
        .maybe("procedure", change.procedure.as_deref())
        .with("message", &*change.message)
        .maybe("allowed", reported.allowed.as_deref())
        .with(
            "file",
            &*reported.pair.described(change.document).display_name,
        )
        .maybe("line", reported.line.map(number))
        .maybe("hits", reported.hits.as_deref().map(texts));
    Json::Object(members)
}

fn texts(texts: &[String]) -> Json {
    texts.iter().map(|text| Json::from(text.as_str())).collect()
}
