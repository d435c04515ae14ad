//! The findings or changes of a command that a user has accepted, each with a reason.

use std::fs;
use std::path::Path;

use docent_describe::SimilarNames;
use docent_describe::json::{Json, Object};

use crate::failure::Failure;
use crate::files;

/// The rules of a command, by the names that an allow-list uses.
pub(crate) trait Listed: Copy + Eq + 'static {
    const ALL: &'static [Self];
    /// The members by which an entry can be limited to a part of the description.
    const PLACES: &'static [&'static str];
    /// True if an entry must be limited to a part of the description.
    const NEEDS_PLACE: bool;

    fn name(self) -> &'static str;
}

/// Accepted findings or changes.
pub(crate) struct AllowList<R>(Vec<Allowed<R>>);

struct Allowed<R> {
    rule: R,
    procedure: Option<String>,
    pointer: Option<String>,
    reason: String,
    line: usize,
    is_used: bool,
}

impl<R> Default for AllowList<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: Listed> AllowList<R> {
    /// Reads a file with a JSON object on each line.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let text = fs::read_to_string(path).map_err(|error| files::failed(path, &error))?;
        let lines = text.lines().enumerate();
        let lines =
            lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with('#'));
        let entries = lines.map(|(at, line)| {
            Allowed::parse(line, at + 1)
                .map_err(|reason| Failure::usage(format_args!("{shown}:{}: {reason}", at + 1)))
        });
        Ok(Self(entries.collect::<Result<_, _>>()?))
    }

    /// Returns why a finding or change is allowed, if it is.
    pub(crate) fn reason(
        &mut self,
        rule: R,
        procedure: Option<&str>,
        pointer: Option<&str>,
    ) -> Option<String> {
        let mut reason = None;
        for entry in &mut self.0 {
            if entry.allows(rule, procedure, pointer) {
                entry.is_used = true;
                reason.get_or_insert_with(|| entry.reason.clone());
            }
        }
        reason
    }

    /// Returns the entries that allowed nothing.
    pub(crate) fn unused(&self) -> Vec<String> {
        let unused = self.0.iter().filter(|entry| !entry.is_used);
        unused
            .map(|entry| {
                let place = entry.procedure.as_deref().or(entry.pointer.as_deref());
                let place = place.unwrap_or_default();
                format!("line {}, {} {place}", entry.line, entry.rule.name())
            })
            .collect()
    }
}

impl<R: Listed> Allowed<R> {
    fn parse(line: &str, number: usize) -> Result<Self, String> {
        let json: Json = line.parse().map_err(|error| format!("not JSON: {error}"))?;
        let Json::Object(members) = &json else {
            return Err("expected an object".to_owned());
        };
        let is_known = |name: &str| ["rule", "reason"].contains(&name) || R::PLACES.contains(&name);
        if let Some(name) = members.keys().find(|name| !is_known(name)) {
            return Err(format!("unknown member `{name}`"));
        }
        let rule = text(members, "rule")?.ok_or("`rule` is missing")?;
        let rule = rule_named(&rule)?;
        let procedure = text(members, "procedure")?;
        let pointer = text(members, "pointer")?;
        if R::NEEDS_PLACE && procedure.is_none() && pointer.is_none() {
            return Err(format!("`{}` is missing", R::PLACES.join("` or `")));
        }
        Ok(Self {
            rule,
            procedure,
            pointer,
            reason: text(members, "reason")?.ok_or("`reason` is missing")?,
            line: number,
            is_used: false,
        })
    }

    fn allows(&self, rule: R, procedure: Option<&str>, pointer: Option<&str>) -> bool {
        self.rule == rule
            && (self.pointer.is_none() || self.pointer.as_deref() == pointer)
            && (self.procedure.is_none() || self.procedure.as_deref() == procedure)
    }
}

fn text(members: &Object, name: &str) -> Result<Option<String>, String> {
    match members.get(name) {
        None => Ok(None),
        Some(Json::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{name}` should be text")),
    }
}

fn rule_named<R: Listed>(name: &str) -> Result<R, String> {
    let mut rules = R::ALL.iter().copied();
    if let Some(rule) = rules.find(|rule| rule.name() == name) {
        return Ok(rule);
    }
    let known = SimilarNames::new(R::ALL.iter().map(|rule| rule.name()));
    Err(match known.closest(name, 1).first() {
        Some(known) => format!("unknown rule `{name}`; did you mean `{known}`?"),
        None => format!("unknown rule `{name}`"),
    })
}
