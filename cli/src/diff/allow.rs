//! The changes that somebody has accepted, each with a reason.

use std::fs;
use std::path::Path;

use docent_describe::compare::{Change, Rule};
use docent_describe::json::{Json, Pointer};

use crate::failure::Failure;

/// Accepted changes.
#[derive(Default)]
pub(super) struct AllowList(Vec<Allowed>);

struct Allowed {
    rule: Rule,
    procedure: Option<String>,
    pointer: Option<String>,
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
            Allowed::parse(line, at + 1)
                .map_err(|reason| Failure::usage(format_args!("{shown}:{}: {reason}", at + 1)))
        });
        Ok(Self(entries.collect::<Result<_, _>>()?))
    }

    /// Returns why a change is allowed, if it is.
    pub(super) fn reason(&mut self, change: &Change, pointer: &Pointer) -> Option<String> {
        let mut reason = None;
        for entry in self
            .0
            .iter_mut()
            .filter(|entry| entry.allows(change, pointer))
        {
            entry.is_used = true;
            reason.get_or_insert_with(|| entry.reason.clone());
        }
        reason
    }

    /// Returns the entries that allowed nothing.
    pub(super) fn unused(&self) -> Vec<String> {
        let unused = self.0.iter().filter(|entry| !entry.is_used);
        unused
            .map(|entry| {
                let place = entry.procedure.as_deref().or(entry.pointer.as_deref());
                let place = place.unwrap_or_default();
                format!("line {}, {} {place}", entry.line, entry.rule)
            })
            .collect()
    }
}

impl Allowed {
    fn parse(line: &str, number: usize) -> Result<Self, String> {
        let json: Json = line.parse().map_err(|error| format!("not JSON: {error}"))?;
        let Json::Object(members) = &json else {
            return Err("expected an object".to_owned());
        };
        let known = ["rule", "procedure", "pointer", "reason"];
        if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(format!("unknown member `{name}`"));
        }
        let text = |name: &str| match members.get(name) {
            None => Ok(None),
            Some(Json::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
            Some(_) => Err(format!("`{name}` should be text")),
        };
        let rule = text("rule")?.ok_or("`rule` is missing")?;
        let rule = Rule::from_name(&rule).ok_or_else(|| unknown(&rule))?;
        let (procedure, pointer) = (text("procedure")?, text("pointer")?);
        if procedure.is_none() && pointer.is_none() {
            return Err("`procedure` or `pointer` is missing".to_owned());
        }
        Ok(Self {
            rule,
            procedure,
            pointer,
            reason: text("reason")?.ok_or("`reason` is missing")?,
            line: number,
            is_used: false,
        })
    }

    fn allows(&self, change: &Change, pointer: &Pointer) -> bool {
        self.rule == change.rule
            && self
                .pointer
                .as_ref()
                .is_none_or(|own| own == pointer.as_str())
            && (self.procedure.is_none() || self.procedure == change.procedure)
    }
}

fn unknown(rule: &str) -> String {
    let close = |known: &&Rule| strsim::damerau_levenshtein(known.as_str(), rule) <= 3;
    match Rule::ALL.iter().find(close) {
        Some(known) => format!("unknown rule `{rule}`; did you mean `{known}`?"),
        None => format!("unknown rule `{rule}`"),
    }
}
