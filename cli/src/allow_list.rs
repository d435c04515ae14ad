//! The findings or changes of a command that a user has accepted or judged, each with a reason.
//!
//! The file has a JSON object on each line. It is read strictly: an entry with a misspelt rule or member would silently
//! have no effect. Entries that no longer apply are reported for the same reason.

use std::path::Path;

use docent_describe::SimilarNames;
use docent_describe::json::{Json, Object};
use docent_tools::check;
use docent_tools::compare::{self, Verdict};

use crate::failure::Failure;
use crate::files;

/// The member that gives a rule another verdict. Only changes have one.
const VERDICT_MEMBER: &str = "verdict";

/// Accepted findings or changes.
#[derive(Default)]
pub(crate) struct AllowList(Vec<Allowance>);

/// A line of the file.
struct Allowance {
    /// The rule of the finding or change.
    rule: String,
    /// The procedure that it is about. Without one, the entry applies to all.
    procedure: Option<String>,
    /// The place of a change in the document.
    pointer: Option<String>,
    reason: String,
    /// The verdict that the rule gets here. Without one, the entry accepts.
    verdict: Option<Verdict>,
    /// The number of the line, for messages.
    line: usize,
    /// True once it has applied. An entry that never does is reported.
    is_used: bool,
}

/// The decision of a list about one finding or change.
#[derive(Default)]
pub(crate) struct Decision {
    /// The reason for which it is allowed. `None` if it is not.
    pub(crate) reason: Option<String>,
    /// The verdict that an entry gives it, in place of that of its rule.
    pub(crate) verdict: Option<Verdict>,
}

impl AllowList {
    /// Reads accepted findings, which have no pointers.
    pub(crate) fn of_findings(path: &Path) -> Result<Self, Failure> {
        let rules: Vec<_> = check::Rule::ALL.iter().map(|rule| rule.as_str()).collect();
        Self::read(path, &rules, &["procedure"])
    }

    /// Reads changes that are accepted or judged.
    pub(crate) fn of_changes(path: &Path) -> Result<Self, Failure> {
        let rules: Vec<_> = compare::Rule::ALL
            .iter()
            .map(|rule| rule.as_str())
            .collect();
        Self::read(path, &rules, &["procedure", "pointer", VERDICT_MEMBER])
    }

    /// Reads a file with a JSON object on each line, which may have these further members.
    fn read(path: &Path, rules: &[&str], further: &[&str]) -> Result<Self, Failure> {
        let text = files::read_text(path)?;
        let mut entries = Vec::new();
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let entry = Allowance::parse(line, number, rules, further).map_err(|reason| {
                Failure::usage(format_args!("{}:{number}: {reason}", path.display()))
            })?;
            entries.push(entry);
        }
        Ok(Self(entries))
    }

    /// Returns what the list says of a finding or change. The first entry of each kind counts.
    pub(crate) fn look_up(
        &mut self,
        rule: &str,
        procedure: Option<&str>,
        pointer: Option<&str>,
    ) -> Decision {
        let mut decision = Decision::default();
        for entry in self
            .0
            .iter_mut()
            .filter(|entry| entry.is_about(rule, procedure, pointer))
        {
            entry.is_used = true;
            match entry.verdict {
                None => {
                    decision.reason.get_or_insert_with(|| entry.reason.clone());
                }
                Some(verdict) => {
                    decision.verdict.get_or_insert(verdict);
                }
            }
        }
        decision
    }

    /// Returns the entries that allowed nothing. A verdict for all changes of a rule waits for them.
    pub(crate) fn unused(&self) -> Vec<String> {
        let mut unused = Vec::new();
        for entry in &self.0 {
            if !entry.is_used && (entry.verdict.is_none() || entry.is_specific()) {
                let subject = entry
                    .procedure
                    .as_deref()
                    .or(entry.pointer.as_deref())
                    .unwrap_or_default();
                unused.push(format!("line {}, {} {subject}", entry.line, entry.rule));
            }
        }
        unused
    }
}

impl Allowance {
    /// Reads a line. Members that are neither usual nor among the further ones are mistakes.
    fn parse(line: &str, number: usize, rules: &[&str], further: &[&str]) -> Result<Self, String> {
        let json: Json = line.parse().map_err(|error| format!("not JSON: {error}"))?;
        let members = json.as_object().ok_or("expected an object")?;
        for name in members.keys() {
            if !["rule", "reason"].contains(&name.as_str()) && !further.contains(&name.as_str()) {
                return Err(format!("unknown member `{name}`"));
            }
        }
        let rule = text_member(members, "rule")?.ok_or("`rule` is missing")?;
        if !rules.contains(&&*rule) {
            let known = SimilarNames::new(rules.iter().copied());
            return Err(match known.closest(&rule, 1).first() {
                Some(known) => format!("unknown rule `{rule}`; did you mean `{known}`?"),
                None => format!("unknown rule `{rule}`"),
            });
        }
        let verdict = match text_member(members, VERDICT_MEMBER)?.as_deref() {
            None => None,
            Some("safe") => Some(Verdict::Safe),
            Some("risky") => Some(Verdict::Risky),
            Some("breaking") => Some(Verdict::Breaking),
            Some(_) => return Err("`verdict` should be `safe`, `risky` or `breaking`".to_owned()),
        };
        let entry = Self {
            rule,
            procedure: text_member(members, "procedure")?,
            pointer: text_member(members, "pointer")?,
            verdict,
            reason: text_member(members, "reason")?.ok_or("`reason` is missing")?,
            line: number,
            is_used: false,
        };
        // A rule that is accepted for everything would hide later changes.
        if further.contains(&VERDICT_MEMBER) && entry.verdict.is_none() && !entry.is_specific() {
            return Err("`procedure` or `pointer` is missing".to_owned());
        }
        Ok(entry)
    }

    /// Returns whether it is about one procedure or one place of the description.
    fn is_specific(&self) -> bool {
        self.procedure.is_some() || self.pointer.is_some()
    }

    /// Returns whether it is about a finding or change. What the line leaves out may be anything.
    fn is_about(&self, rule: &str, procedure: Option<&str>, pointer: Option<&str>) -> bool {
        self.rule == rule
            && (self.pointer.is_none() || self.pointer.as_deref() == pointer)
            && (self.procedure.is_none() || self.procedure.as_deref() == procedure)
    }
}

fn text_member(members: &Object, name: &str) -> Result<Option<String>, String> {
    match members.get(name) {
        None => Ok(None),
        Some(Json::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{name}` should be text")),
    }
}
