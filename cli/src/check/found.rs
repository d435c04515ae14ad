//! The findings of a check, from a description itself and from calls to its service.

use docent_describe::json::Json;

use super::lint::contradictions;
use super::lint_schemas::in_schemas;
use super::live::{Shortfall, Shown};
use super::rule::Rule;
use crate::args::Finding;
use crate::input::Described;
use crate::undocumented::undocumented;

/// A finding.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) kind: Finding,
    pub(super) rule: Rule,
    pub(super) procedure: Option<String>,
    /// One line of text that locates and describes the finding.
    pub(super) line: String,
    /// A suggestion of how to fix it.
    pub(super) advice: Option<String>,
    /// The call that reproduces it.
    pub(super) shown: Option<Shown>,
    /// The reason that the allow-list gives for accepting it.
    pub(super) allowed: Option<String>,
}

impl Found {
    pub(super) fn new(kind: Finding, rule: Rule, procedure: Option<&str>, line: &str) -> Self {
        Self {
            kind,
            rule,
            procedure: procedure.map(str::to_owned),
            line: line.replace('\n', " "),
            advice: Some(rule.advice().to_owned()).filter(|advice| !advice.is_empty()),
            shown: None,
            allowed: None,
        }
    }

    /// Creates the finding for a promise of the description that the service breaks.
    pub(super) fn lie(shortfall: &Shortfall, shown: &str) -> Self {
        let Shortfall {
            rule,
            procedure,
            message,
            ..
        } = shortfall;
        let line = format!(
            "{shown}: {}: procedure `{procedure}`: {message}",
            rule.as_str()
        );
        Self {
            shown: Some(shortfall.shown.clone()),
            ..Self::new(Finding::Lies, *rule, Some(procedure), &line)
        }
    }

    /// Returns the finding as JSON, for programs.
    pub(super) fn to_json(&self) -> Json {
        let text = |text: &Option<String>| text.as_deref().map_or(Json::Null, Json::from);
        let call = self.shown.as_ref().map_or(Json::Null, |shown| {
            let members = [
                ("docent", text(&shown.docent)),
                ("curl", Json::from(shown.curl.as_str())),
            ];
            object(members)
        });
        object([
            ("rule", Json::from(self.rule.as_str())),
            ("procedure", text(&self.procedure)),
            ("message", Json::from(self.line.as_str())),
            ("advice", text(&self.advice)),
            ("call", call),
            ("allowed", text(&self.allowed)),
        ])
    }
}

pub(super) fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    let members = members.into_iter();
    Json::Object(
        members
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}

/// Returns the findings of these kinds that the description alone shows.
pub(super) fn in_document(described: &Described, kinds: &[Finding]) -> Vec<Found> {
    let service = &described.reading.description;
    let shown = &described.shown;
    let mut found = Vec::new();
    if kinds.contains(&Finding::Warnings) {
        let lines = described.warnings().into_iter();
        found.extend(lines.map(|line| Found::new(Finding::Warnings, Rule::Warning, None, &line)));
    }
    if kinds.contains(&Finding::Contradictions) {
        let contradictions = contradictions(service)
            .into_iter()
            .chain(in_schemas(service));
        found.extend(contradictions.map(|it| {
            let line = format!(
                "{shown}: {}: {}: {}",
                it.rule.as_str(),
                it.subject,
                it.message
            );
            Found::new(
                Finding::Contradictions,
                it.rule,
                it.subject.procedure(),
                &line,
            )
        }));
    }
    if kinds.contains(&Finding::Undocumented) {
        found.extend(undocumented(service).into_iter().map(|part| {
            let line = format!("{shown}: undocumented: {part}");
            let procedure = Some(part.procedure());
            Found {
                advice: Some(part.advice(service.origin)),
                ..Found::new(Finding::Undocumented, Rule::Undocumented, procedure, &line)
            }
        }));
    }
    found
}
