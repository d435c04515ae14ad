//! The findings that somebody has accepted, each with a reason.

use std::fs;
use std::path::Path;

use docent_describe::json::Json;

use super::rule::Rule;
use crate::failure::Failure;

/// Accepted findings.
#[derive(Default)]
pub(super) struct AllowList(Vec<Allowed>);

struct Allowed {
    rule: Rule,
    procedure: Option<String>,
    reason: String,
    line: usize,
    is_used: bool,
}

impl AllowList {
    /// Reads a file with a JSON object on each line.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let text = fs::read_to_string(path)
            .map_err(|error| Failure::system(format_args!("{shown}: {error}")))?;
        let lines = text.lines().enumerate();
        let lines =
            lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with('#'));
        let entries = lines.map(|(at, line)| {
            parse(line, at + 1)
                .map_err(|reason| Failure::usage(format_args!("{shown}:{}: {reason}", at + 1)))
        });
        Ok(Self(entries.collect::<Result<_, _>>()?))
    }

    /// Returns why a finding is allowed, if it is.
    pub(super) fn reason(&mut self, rule: Rule, procedure: Option<&str>) -> Option<String> {
        let mut reason = None;
        for entry in &mut self.0 {
            let is_meant = entry.procedure.is_none() || entry.procedure.as_deref() == procedure;
            if entry.rule == rule && is_meant {
                entry.is_used = true;
                reason.get_or_insert_with(|| entry.reason.clone());
            }
        }
        reason
    }

    /// Returns the entries that allowed nothing.
    pub(super) fn unused(&self) -> Vec<String> {
        let unused = self.0.iter().filter(|entry| !entry.is_used);
        unused
            .map(|entry| {
                let procedure = entry.procedure.as_deref().unwrap_or_default();
                format!("line {}, {} {procedure}", entry.line, entry.rule.as_str())
            })
            .collect()
    }
}

fn parse(line: &str, number: usize) -> Result<Allowed, String> {
    let json: Json = line.parse().map_err(|error| format!("not JSON: {error}"))?;
    let Json::Object(members) = &json else {
        return Err("expected an object".to_owned());
    };
    let known = ["rule", "procedure", "reason"];
    if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("unknown member `{name}`"));
    }
    let text = |name: &str| match members.get(name) {
        None => Ok(None),
        Some(Json::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{name}` should be text")),
    };
    let rule = text("rule")?.ok_or("`rule` is missing")?;
    Ok(Allowed {
        rule: Rule::from_name(&rule).ok_or_else(|| unknown(&rule))?,
        procedure: text("procedure")?,
        reason: text("reason")?.ok_or("`reason` is missing")?,
        line: number,
        is_used: false,
    })
}

fn unknown(rule: &str) -> String {
    let close = |known: &&Rule| strsim::damerau_levenshtein(known.as_str(), rule) <= 3;
    match Rule::ALL.iter().find(close) {
        Some(known) => format!("unknown rule `{rule}`; did you mean `{}`?", known.as_str()),
        None => format!("unknown rule `{rule}`"),
    }
}
