//! The findings or changes of a command that a user has accepted or judged, each with a reason.

use std::fs;
use std::path::Path;

use docent_describe::SimilarNames;
use docent_describe::json::{Json, Object};
use docent_tools::compare::Verdict;

use crate::failure::Failure;
use crate::files;

/// The rules of a command, by the names that an allow-list uses.
pub(crate) trait Listed: Copy + Eq + 'static {
    const ALL: &'static [Self];
    /// The members by which an entry can be limited to a part of the description.
    const PLACES: &'static [&'static str];
    /// True if the rules have verdicts, which an entry may change. One that accepts must then be limited
    /// to a part of the description: a rule that is allowed for everything would hide later changes.
    const HAS_VERDICTS: bool;

    fn name(self) -> &'static str;
}

/// Accepted findings or changes.
pub(crate) struct AllowList<R>(Vec<Allowed<R>>);

struct Allowed<R> {
    rule: R,
    procedure: Option<String>,
    pointer: Option<String>,
    reason: String,
    /// The verdict that the rule gets here. Without one, the entry accepts.
    verdict: Option<Verdict>,
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
        let entries = self.about(rule, procedure, pointer);
        let allowing = entries.iter().find(|entry| entry.verdict.is_none())?;
        Some(allowing.reason.clone())
    }

    /// Returns the verdict that a change gets, if an entry says one. The first one counts.
    pub(crate) fn verdict(
        &mut self,
        rule: R,
        procedure: Option<&str>,
        pointer: Option<&str>,
    ) -> Option<Verdict> {
        let entries = self.about(rule, procedure, pointer);
        entries.iter().find_map(|entry| entry.verdict)
    }

    fn about(
        &mut self,
        rule: R,
        procedure: Option<&str>,
        pointer: Option<&str>,
    ) -> Vec<&Allowed<R>> {
        let entries = self.0.iter_mut();
        let entries = entries.filter(|entry| entry.is_about(rule, procedure, pointer));
        let used = entries.map(|entry| {
            entry.is_used = true;
            &*entry
        });
        used.collect()
    }

    /// Returns the entries that allowed nothing. A verdict for all changes of a rule waits for them.
    pub(crate) fn unused(&self) -> Vec<String> {
        let is_settled = |entry: &&Allowed<R>| entry.verdict.is_none() || entry.has_place();
        let unused = self.0.iter().filter(|entry| !entry.is_used);
        let unused = unused.filter(is_settled);
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
        let is_known = |name: &str| {
            ["rule", "reason"].contains(&name)
                || R::PLACES.contains(&name)
                || R::HAS_VERDICTS && name == "verdict"
        };
        if let Some(name) = members.keys().find(|name| !is_known(name)) {
            return Err(format!("unknown member `{name}`"));
        }
        let rule = text(members, "rule")?.ok_or("`rule` is missing")?;
        let rule = rule_named(&rule)?;
        let entry = Self {
            rule,
            procedure: text(members, "procedure")?,
            pointer: text(members, "pointer")?,
            verdict: text(members, "verdict")?
                .as_deref()
                .map(verdict_named)
                .transpose()?,
            reason: text(members, "reason")?.ok_or("`reason` is missing")?,
            line: number,
            is_used: false,
        };
        if R::HAS_VERDICTS && entry.verdict.is_none() && !entry.has_place() {
            return Err(format!("`{}` is missing", R::PLACES.join("` or `")));
        }
        Ok(entry)
    }

    fn has_place(&self) -> bool {
        self.procedure.is_some() || self.pointer.is_some()
    }

    fn is_about(&self, rule: R, procedure: Option<&str>, pointer: Option<&str>) -> bool {
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

fn verdict_named(name: &str) -> Result<Verdict, String> {
    let mut verdicts = [Verdict::Safe, Verdict::Risky, Verdict::Breaking].into_iter();
    let verdict = verdicts.find(|verdict| verdict.as_str() == name);
    verdict.ok_or("`verdict` should be `safe`, `risky` or `breaking`".to_owned())
}
