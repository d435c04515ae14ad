//! The report of a check on one input, and each of its findings, for people and as JSON.
//!
//! Members of the JSON are only ever added, because programs read them. The verdict, which decides about the
//! exit code, is not here but in [`super::run`].

use docent_describe::json::{Json, Object};
use docent_tools::check::{Finding, FindingKind, LiveReport, NotTried, Rule};
use indexmap::{IndexMap, IndexSet};

use crate::input::Described;
use crate::terminal::{Style, TextPage, count, number, text_or_null};

/// The findings in one input.
pub(super) struct CheckReport<'d> {
    pub(super) described: &'d Described,
    pub(super) findings: Vec<Finding>,
    /// The report of the calls, unless only the description was checked.
    pub(super) live: Option<LiveReport>,
    /// The seed of the random values, with which the calls can be repeated.
    pub(super) seed: u64,
}

impl CheckReport<'_> {
    /// Writes the findings, then what was not tried and why, then a summary.
    pub(super) fn write(&self, page: &mut TextPage) {
        let mut warnings = self.findings.iter().filter(|finding| is_warning(finding));
        let allowed = warnings.next().and_then(|warning| warning.allowed.as_ref());
        for warning in self.described.warnings() {
            page.line(&warning);
            if let Some(reason) = allowed {
                page.line(&format!(" (allowed: {reason})"));
            }
            page.end();
        }
        for finding in self.findings.iter().filter(|finding| !is_warning(finding)) {
            page.line(&line(finding, &self.described.display_name));
            if let Some(reason) = &finding.allowed {
                page.line(&format!(" (allowed: {reason})")).end();
                continue;
            }
            if let Some(advice) = &finding.advice {
                page.line(&format!("; {advice}"));
            }
            page.end();
            if let Some(call) = &finding.call {
                for call in call.docent.iter().chain([&call.curl]) {
                    if !call.is_empty() {
                        // `line` would change the spaces in values.
                        page.space(4).text(call).end();
                    }
                }
            }
        }
        let mut not_tried = IndexMap::<&str, Vec<String>>::new();
        for note in self.live.iter().flat_map(|live| &live.notes) {
            let line = line(note, &self.described.display_name);
            page.styled(Style::DIM, &line).end();
        }
        for NotTried {
            procedure, reason, ..
        } in self.live.iter().flat_map(|live| &live.not_tried)
        {
            not_tried
                .entry(reason)
                .or_default()
                .push(format!("`{procedure}`"));
        }
        for (reason, procedures) in not_tried {
            let plural = if procedures.len() == 1 { "" } else { "s" };
            let line = format!(
                "{}: not tried: procedure{plural} {}: {reason}",
                self.described.display_name,
                procedures.join(", ")
            );
            page.styled(Style::DIM, &line).end();
        }
        let undocumented = self.number(FindingKind::Undocumented, true);
        let mut parts = vec![
            self.described.summary(),
            format!("{undocumented} undocumented"),
        ];
        let contradictions = self.number(FindingKind::Contradictions, false);
        if contradictions > 0 {
            parts.push(counted(FindingKind::Contradictions, contradictions));
        }
        page.line(&parts.join(", ")).end();
        if let Some(live) = &self.live {
            page.line(&self.live_summary(live)).end();
        }
    }

    /// Returns what the calls of a live service have shown. Only with calls that show something does the
    /// description hold.
    fn live_summary(&self, live: &LiveReport) -> String {
        let shows_nothing = self
            .findings
            .iter()
            .any(|finding| finding.rule == Rule::NothingTried);
        let cures: IndexSet<&str> = live.not_tried.iter().map(|why_not| why_not.cure).collect();
        let cures: Vec<&str> = cures.into_iter().filter(|cure| !cure.is_empty()).collect();
        let cures = match &*cures {
            [] => String::new(),
            cures => format!(" ({})", cures.join(", ")),
        };
        let mut parts = vec![format!(
            "{}: {} of {} in {:.1} s, {} not tried{cures}, seed {}: {}",
            &self.described.display_name,
            count(live.calls, "call"),
            count(live.procedures, "procedure"),
            live.time.as_secs_f64(),
            live.not_tried.len(),
            self.seed,
            match self.number(FindingKind::Departures, false) {
                _ if live.calls == 0 => "nothing was tried".to_owned(),
                _ if shows_nothing => "nothing was shown".to_owned(),
                0 if live.undecided > 0 => "no departure was found".to_owned(),
                0 if live.not_tried.is_empty() => "the description holds".to_owned(),
                0 => "the description holds where it was tried".to_owned(),
                number => counted(FindingKind::Departures, number),
            }
        )];
        if live.undecided > 0 {
            parts.push(format!("{} undecided", count(live.undecided, "response")));
        }
        if live.further > 0 {
            let further = count(live.further, "further departure");
            parts.push(format!("{further} not shown"));
        }
        if live.is_cut {
            parts.push("--max-calls ended the check early".to_owned());
        }
        parts.join("; ")
    }

    /// Counts the findings of a kind, with or without the allowed ones.
    fn number(&self, kind: FindingKind, with_allowed: bool) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.rule.kind() == kind)
            .filter(|finding| with_allowed || finding.allowed.is_none())
            .count()
    }

    pub(super) fn to_json(&self) -> Json {
        let display_name = &self.described.display_name;
        let findings: Json = self
            .findings
            .iter()
            .map(|finding| finding_to_json(finding, display_name))
            .collect();
        let live = match &self.live {
            Some(live) => self.live_to_json(live),
            None => Json::Null,
        };
        Object::new()
            .with("input", display_name.as_str())
            .with("findings", findings)
            .with("live", live)
            .into()
    }

    fn live_to_json(&self, live: &LiveReport) -> Json {
        let not_tried = live.not_tried.iter().map(|why_not| {
            let members = Object::new()
                .with("procedure", why_not.procedure.as_str())
                .with("reason", why_not.reason.as_str());
            Json::Object(members)
        });
        let notes = live
            .notes
            .iter()
            .map(|note| finding_to_json(note, &self.described.display_name));
        Object::new()
            .with("calls", number(live.calls))
            .with("procedures", number(live.procedures))
            .with("seed", Json::Number(self.seed.to_string().into()))
            .with("undecided", number(live.undecided))
            .with("further", number(live.further))
            .with("complete", !live.is_cut)
            .with("notTried", not_tried.collect::<Json>())
            .with("notes", notes.collect::<Json>())
            .into()
    }
}

/// Returns one line of text that locates and describes a finding in an input.
pub(super) fn line(finding: &Finding, input: &str) -> String {
    match finding.rule {
        // The reader's warnings have a line and a column in front.
        Rule::Warning => finding.message.clone(),
        rule => format!("{input}: {}: {}", rule.as_str(), finding.message),
    }
}

/// Returns whether a finding is a warning of the reader. All of one kind are printed together.
fn is_warning(finding: &Finding) -> bool {
    finding.rule == Rule::Warning
}

/// Returns a finding as JSON, for programs.
fn finding_to_json(finding: &Finding, input: &str) -> Json {
    let call = match &finding.call {
        Some(call) => Object::new()
            .with("docent", text_or_null(call.docent.as_ref()))
            .with("curl", call.curl.as_str())
            .into(),
        None => Json::Null,
    };
    Object::new()
        .with("rule", finding.rule.as_str())
        .with("procedure", text_or_null(finding.procedure.as_ref()))
        .with("message", line(finding, input))
        .with("advice", text_or_null(finding.advice.as_ref()))
        .with("call", call)
        .with("allowed", text_or_null(finding.allowed.as_ref()))
        .into()
}

/// Returns a number of findings of a kind in words.
pub(super) fn counted(kind: FindingKind, number: usize) -> String {
    match kind {
        FindingKind::Warnings => count(number, "warning"),
        FindingKind::Contradictions => count(number, "contradiction"),
        FindingKind::Undocumented => format!("{} without documentation", count(number, "part")),
        FindingKind::Departures => format!("{} from the description", count(number, "departure")),
    }
}
