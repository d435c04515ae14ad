//! Changes for a program.

use docent_describe::json::{Json, Object};

use super::{Entry, Report};
use crate::terminal::number;

pub(super) fn json(report: &Report<'_>) -> Json {
    let changes = report.entries.iter().map(change);
    let unused = report.unused.iter().map(|entry| Json::from(entry.as_str()));
    let mut members = Object::from([
        ("old", Json::from(report.shown[0].as_str())),
        ("new", Json::from(report.shown[1].as_str())),
    ]);
    members.extend(super::VERDICTS.map(|it| (it.as_str(), number(report.number(it)))));
    members.extend([
        ("changes", changes.collect()),
        ("unusedAllowances", unused.collect()),
    ]);
    Json::Object(members)
}

fn change(entry: &Entry<'_>) -> Json {
    let change = &entry.change;
    let text = |name, text: &str| Some((name, Json::from(text)));
    let hits = entry
        .hits
        .as_ref()
        .map(|hits| hits.iter().map(|hit| Json::from(hit.as_str())));
    let members = [
        text("rule", change.rule.as_str()),
        text("verdict", entry.verdict.as_str()),
        text("document", change.document.as_str()),
        text("pointer", entry.pointer.as_str()),
        change
            .procedure
            .as_deref()
            .and_then(|it| text("procedure", it)),
        text("message", &change.message),
        entry.allowed.as_deref().and_then(|it| text("allowed", it)),
        text("file", &entry.pair.described(change.document).shown),
        entry.line.map(|line| ("line", number(line))),
        hits.map(|hits| ("hits", hits.collect())),
    ];
    Json::Object(members.into_iter().flatten().collect())
}
