//! Changes for a program.

use docent_describe::json::{Json, Object};
use docent_tools::compare::Verdict;

use super::{Entry, Report};

pub(super) fn json(report: &Report<'_>) -> Json {
    let number = |verdict| Json::Number(report.number(verdict).to_string().into());
    let mut members = Object::new();
    members.insert("old", Json::from(report.old.shown.as_str()));
    members.insert("new", Json::from(report.new.shown.as_str()));
    for verdict in super::VERDICTS {
        members.insert(verdict.as_str(), number(verdict));
    }
    let changes = report.entries.iter().map(change);
    members.insert("changes", Json::Array(changes.collect()));
    let unused = report.unused.iter().map(|entry| Json::from(entry.as_str()));
    members.insert("unusedAllowances", Json::Array(unused.collect()));
    Json::Object(members)
}

fn change(entry: &Entry) -> Json {
    let change = &entry.change;
    let verdict: Verdict = change.verdict();
    let mut members = Object::new();
    let mut text = |name: &str, text: &str| members.insert(name, Json::from(text));
    text("rule", change.rule.as_str());
    text("verdict", verdict.as_str());
    text("document", change.document.as_str());
    text("pointer", entry.pointer.as_str());
    if let Some(procedure) = &change.procedure {
        text("procedure", procedure);
    }
    text("message", &change.message);
    if let Some(reason) = &entry.allowed {
        text("allowed", reason);
    }
    if let Some(line) = entry.line {
        members.insert("line", Json::Number(line.to_string().into()));
    }
    Json::Object(members)
}
