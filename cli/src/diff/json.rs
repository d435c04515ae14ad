//! Changes for a program.

use docent_describe::json::{Json, Object};

use super::{Entry, Report};
use crate::terminal::number;

pub(super) fn json(report: &Report<'_>) -> Json {
    let changes = report.entries.iter().map(change);
    let unused = report.unused.iter().map(|entry| Json::from(entry.as_str()));
    let mut members = Object::new()
        .with("old", report.shown[0].as_str())
        .with("new", report.shown[1].as_str());
    members.extend(super::VERDICTS.map(|it| (it.as_str(), number(report.number(it)))));
    let members = members.with("changes", changes.collect::<Json>());
    Json::Object(members.with("unusedAllowances", unused.collect::<Json>()))
}

fn change(entry: &Entry<'_>) -> Json {
    let change = &entry.change;
    let hits = entry
        .hits
        .as_ref()
        .map(|hits| hits.iter().map(|hit| Json::from(hit.as_str())));
    let members = Object::new()
        .with("rule", change.rule.as_str())
        .with("verdict", entry.verdict.as_str())
        .with("document", change.document.as_str())
        .with("pointer", entry.pointer.as_str())
        .maybe("procedure", change.procedure.as_deref())
        .with("message", &*change.message)
        .maybe("allowed", entry.allowed.as_deref())
        .with("file", &*entry.pair.described(change.document).shown)
        .maybe("line", entry.line.map(number))
        .maybe("hits", hits.map(Iterator::collect::<Json>));
    Json::Object(members)
}
