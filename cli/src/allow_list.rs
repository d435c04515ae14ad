//! The findings or changes of a command that a user has accepted or judged, each with a reason.

use std::path::Path;

use docent_describe::SimilarNames;
use docent_describe::json::{Json, Object};
use docent_tools::check;
use docent_tools::compare::{self, Verdict};

use crate::failure::Failure;
use crate::files;

/// The member that gives a rule another verdict. Only changes have one.
const VERDICT: &str = "verdict";

/// Accepted findings or changes.
#[derive(Default)]
pub(crate) struct AllowList(Vec<Allowed>);

struct Allowed {
    rule: String,
    procedure: Option<String>,
    pointer: Option<String>,
    reason: String,
    /// The verdict that the rule gets here. Without one, the entry accepts.
    verdict: Option<Verdict>,
    line: usize,
    is_used: bool,
}

impl AllowList {
    /// Reads accepted findings, which have no pointers.
    pub(crate) fn of_findings(path: &Path) -> Result<Self, Failure> {
        let rules: Vec<_> = check::Rule::ALL.iter().map(|rule| rule.as_str()).collect();
        Self::read(path, &rules, &["procedure"])
    }

    /// Reads changes that are accepted or judged.
    pub(crate) fn of_changes(path: &Path) -> Result<Self, Failure> {
        let rules: Vec<_> = compare::Rule::ALL.iter().map(|it| it.as_str()).collect();
        Self::read(path, &rules, &["procedure", "pointer", VERDICT])
    }

    /// Reads a file with a JSON object on each line, which may have these further members.
    fn read(path: &Path, rules: &[&str], further: &[&str]) -> Result<Self, Failure> {
        let text = files::read_text(path)?;
        let lines = (1..)
            .zip(text.lines().map(str::trim))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let entries = lines.map(|(number, line)| {
            Allowed::parse(line, number, rules, further).map_err(|reason| {
                Failure::usage(format_args!("{}:{number}: {reason}", path.display()))
            })
        });
        Ok(Self(entries.collect::<Result<_, _>>()?))
    }

    /// Returns why a finding or change is allowed, if it is, and the verdict that an entry gives it. The
    /// first entry of each kind counts.
    pub(crate) fn judge(
        &mut self,
        rule: &str,
        procedure: Option<&str>,
        pointer: Option<&str>,
    ) -> (Option<String>, Option<Verdict>) {
        let mut reason = None;
        let mut verdict = None;
        for entry in self
            .0
            .iter_mut()
            .filter(|entry| entry.is_about(rule, procedure, pointer))
        {
            entry.is_used = true;
            match entry.verdict {
                None => reason = reason.or_else(|| Some(entry.reason.clone())),
                found => verdict = verdict.or(found),
            }
        }
        (reason, verdict)
    }

    /// Returns the entries that allowed nothing. A verdict for all changes of a rule waits for them.
    pub(crate) fn unused(&self) -> Vec<String> {
        let is_lost =
            |entry: &&Allowed| !entry.is_used && (entry.verdict.is_none() || entry.has_place());
        self.0
            .iter()
            .filter(is_lost)
            .map(|entry| {
                let place = entry
                    .procedure
                    .as_deref()
                    .or(entry.pointer.as_deref())
                    .unwrap_or_default();
                format!("line {}, {} {place}", entry.line, entry.rule)
            })
            .collect()
    }
}

impl Allowed {
    fn parse(line: &str, number: usize, rules: &[&str], further: &[&str]) -> Result<Self, String> {
        let json: Json = line.parse().map_err(|error| format!("not JSON: {error}"))?;
        let members = json.as_object().ok_or("expected an object")?;
        let is_known = |name: &str| ["rule", "reason"].contains(&name) || further.contains(&name);
        if let Some(name) = members.keys().find(|name| !is_known(name)) {
            return Err(format!("unknown member `{name}`"));
        }
        let rule = text(members, "rule")?.ok_or("`rule` is missing")?;
        if !rules.contains(&&*rule) {
            let known = SimilarNames::new(rules.iter().copied());
            return Err(match known.closest(&rule, 1).first() {
                Some(known) => format!("unknown rule `{rule}`; did you mean `{known}`?"),
                None => format!("unknown rule `{rule}`"),
            });
        }
        let verdict = text(members, VERDICT)?.map(|name| {
            let verdict = [Verdict::Safe, Verdict::Risky, Verdict::Breaking]
                .into_iter()
                .find(|it| it.as_str() == name);
            verdict.ok_or("`verdict` should be `safe`, `risky` or `breaking`")
        });
        let entry = Self {
            rule,
            procedure: text(members, "procedure")?,
            pointer: text(members, "pointer")?,
            verdict: verdict.transpose()?,
            reason: text(members, "reason")?.ok_or("`reason` is missing")?,
            line: number,
            is_used: false,
        };
        // A rule that is accepted for everything would hide later changes.
        if further.contains(&VERDICT) && entry.verdict.is_none() && !entry.has_place() {
            return Err("`procedure` or `pointer` is missing".to_owned());
        }
        Ok(entry)
    }

    fn has_place(&self) -> bool {
        self.procedure.is_some() || self.pointer.is_some()
    }

    fn is_about(&self, rule: &str, procedure: Option<&str>, pointer: Option<&str>) -> bool {
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
