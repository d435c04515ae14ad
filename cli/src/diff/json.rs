//! Changes for a program.

use docent_describe::json::{Json, Object};

use super::{Entry, Report};
use crate::terminal::number;

pub(super) fn json(report: &Report<'_>) -> Json {
    let unused = report.unused.iter().map(|entry| Json::from(entry.as_str()));
    let mut members = Object::from([
        ("old", Json::from(report.old.shown.as_str())),
        ("new", Json::from(report.new.shown.as_str())),
    ]);
    members.extend(super::VERDICTS.map(|it| (it.as_str(), number(report.number(it)))));
    members.extend([
        (
            "changes",
            Json::Array(report.entries.iter().map(change).collect()),
        ),
        ("unusedAllowances", Json::Array(unused.collect())),
    ]);
    Json::Object(members)
}

fn change(entry: &Entry) -> Json {
    let change = &entry.change;
    let text = |name, text: &str| Some((name, Json::from(text)));
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
        entry.line.map(|line| ("line", number(line))),
    ];
    Json::Object(members.into_iter().flatten().collect())
}
