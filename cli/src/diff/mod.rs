//! `docent diff`: the changes between two descriptions, or the files of two folders, and whether they break
//! callers.
//!
//! ```text
//! docent diff git:main:api.json api.json --used clients/*/uses.json
//!
//! pairs of descriptions ── docent_tools::compare ──► changes ── allow-list, --used ──► report, exit code
//! ```
//!
//! `docent_tools::compare` finds the changes. This command adds to each where it stands in the file, which listed
//! clients it hits and whether it is allowed, and prints them in one of four formats, each in a file of its own. It
//! fails if a change breaks callers and is not allowed. Folders are compared file by file ([`pairs`]).

mod annotations;
mod human;
mod json;
mod markdown;
mod pairs;

use std::fmt::Write as _;

use docent_describe::json::Pointer;
use docent_tools::compare::{self, Change, Document, Rule, Verdict, openrpc_pointer};
use docent_tools::read::Format;

use crate::allow_list::AllowList;
use crate::args::{DiffArgs, DiffFormat, FailOn};
use crate::failure::Failure;
use crate::http::Client;
use crate::input::{Described, check_inputs};
use crate::terminal::{Terminal, count};
use crate::uses::UseLists;
use pairs::DescriptionPair;

/// The reason for accepting a change that hits no client.
const UNUSED_REASON: &str = "No listed client uses it.";

/// The verdicts in the order in which changes are listed.
const VERDICT_ORDER: [Verdict; 3] = [Verdict::Breaking, Verdict::Risky, Verdict::Safe];

/// Compares two inputs, prints their changes, and fails if callers break.
pub(crate) fn run(args: &DiffArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let (Some(before), Some(after)) = (&args.old, &args.new) else {
        return args.explain.map_or(Ok(()), |rule| explain(rule, terminal));
    };
    check_inputs(&[before.clone(), after.clone()], client)?;
    let mut allowed = args
        .allow
        .as_deref()
        .map(AllowList::of_changes)
        .transpose()?
        .unwrap_or_default();
    let mut used = None;
    let mut same = None;
    if !args.used.is_empty() {
        used = Some(UseLists::read(&args.used)?);
        same = Some(Vec::new());
    }
    let pairs = pairs::read(before, after, &mut same, client, terminal)?;
    let services: Vec<_> = pairs
        .iter()
        .flat_map(DescriptionPair::states)
        .chain(same.iter().flatten())
        .collect();
    for problem in used.iter().flat_map(|lists| lists.problems(&services)) {
        terminal.warn(format_args!("docent: {problem}"));
    }
    for described in pairs.iter().flat_map(|pair| [&pair.old, &pair.new]) {
        let warnings = described.reading.warnings.len();
        if warnings > 0 {
            let warnings = count(warnings, "warning");
            terminal.warn(format_args!(
                "{}: {warnings}; what was left out is not compared (see docent check)",
                described.display_name
            ));
        }
    }
    let mut changes = Vec::new();
    for pair in &pairs {
        changes.extend(reported_changes(pair, used.as_ref(), &mut allowed));
    }
    changes.sort_by_key(|change| std::cmp::Reverse(change.verdict));
    let report = DiffReport {
        old_name: before.display_name(),
        new_name: after.display_name(),
        has_several: pairs.len() > 1,
        changes,
        unused: allowed.unused(),
    };
    match args.format {
        DiffFormat::Human => terminal.print(&human::page(&report, terminal))?,
        DiffFormat::Json => terminal.write_json(&format!("{:#}", json::json(&report)))?,
        DiffFormat::Markdown => terminal.write(markdown::text(&report))?,
        DiffFormat::Annotations => terminal.write(annotations::text(&report))?,
    }
    for entry in &report.unused {
        terminal.warn(format_args!(
            "docent: not needed in the allow-list: {entry}"
        ));
    }
    fail_on(&report, args.fail_on)
}

/// Prints what a rule finds, what that means to callers, and what to do instead.
fn explain(rule: Rule, terminal: Terminal) -> Result<(), Failure> {
    let verdict = rule.verdict();
    let mut text = format!(
        "{rule}  {verdict}\n  {}\n  {}\n",
        rule.meaning(),
        verdict.meaning()
    );
    if verdict > Verdict::Safe {
        // Writing to a `String` cannot fail.
        let _ = write!(
            text,
            "  Instead: {}.\n  To accept it: --allow FILE, with a line \
             {{\"rule\": \"{rule}\", \"procedure\": \"NAME\", \"reason\": \"WHY\"}}, \
             or with a \"pointer\"\n",
            rule.advice(),
        );
    }
    terminal.write(text)
}

/// The result of a comparison.
struct DiffReport<'d> {
    /// The names of the inputs for messages.
    old_name: String,
    new_name: String,
    /// True if there are descriptions of several files.
    has_several: bool,
    /// The changes, those that break callers first.
    changes: Vec<ReportedChange<'d>>,
    /// The entries of the allow-list that allow nothing.
    unused: Vec<String>,
}

/// A change, with its location in the document that was read.
struct ReportedChange<'d> {
    pair: &'d DescriptionPair,
    change: Change,
    /// The verdict of the rule, or the one that the allow-list gives it.
    verdict: Verdict,
    /// The pointer into the document, whatever its format.
    pointer: Pointer,
    /// The line of that place, if it is known.
    line: Option<usize>,
    /// The reason for accepting it: that of the allow-list, or that it hits no client.
    allowed: Option<String>,
    /// The listed clients that it hits. `None` without lists, and for safe changes.
    hits: Option<Vec<String>>,
}

impl<'d> ReportedChange<'d> {
    /// Finds out the verdict on a change and whom it hits. Its line is not known yet, because lines are looked up for all
    /// changes at once.
    fn new(
        pair: &'d DescriptionPair,
        change: Change,
        used: Option<&UseLists>,
        list: &mut AllowList,
    ) -> Self {
        let pointer = in_document(pair.described(change.document), &change.pointer);
        let procedure = change.procedure.as_deref();
        let decision = list.look_up(change.rule.as_str(), procedure, Some(pointer.as_str()));
        let verdict = decision.verdict.unwrap_or(change.verdict());
        let hits = used
            .filter(|_| verdict > Verdict::Safe)
            .map(|lists| lists.hit_clients(pair.states(), procedure));
        let mut allowed = decision.reason;
        if allowed.is_none() && hits.as_ref().is_some_and(Vec::is_empty) {
            allowed = Some(UNUSED_REASON.to_owned());
        }
        Self {
            pair,
            change,
            verdict,
            pointer,
            line: None,
            allowed,
            hits,
        }
    }

    /// Returns the sentence, and whom the change hits.
    fn message(&self) -> String {
        let message = &self.change.message;
        match self.hits.as_deref() {
            None | Some([]) => message.clone(),
            Some(hits) => format!("{message} Hits {}.", hits.join(", ")),
        }
    }

    /// Returns whether the change has this verdict and is not allowed.
    fn is(&self, verdict: Verdict) -> bool {
        self.allowed.is_none() && self.verdict == verdict
    }
}

impl DiffReport<'_> {
    /// Returns the number of changes with a verdict, without those that are allowed.
    fn number(&self, verdict: Verdict) -> usize {
        self.changes
            .iter()
            .filter(|change| change.is(verdict))
            .count()
    }

    /// Returns the procedures of a change, after the service if there are several.
    fn about(&self, change: &ReportedChange<'_>, procedures: &[&str]) -> String {
        let mut about = Vec::new();
        if self.has_several {
            about.push(change.pair.states()[0].name.clone());
        }
        if !procedures.is_empty() {
            about.push(procedures.join(", "));
        }
        about.join(": ")
    }

    /// Returns a summary such as `2 breaking, 1 risky, 5 safe`.
    fn summary(&self) -> String {
        let mut parts = Vec::new();
        for verdict in VERDICT_ORDER {
            parts.push(format!("{} {verdict}", self.number(verdict)));
        }
        let allowed = self
            .changes
            .iter()
            .filter(|change| change.allowed.is_some())
            .count();
        if allowed > 0 {
            parts.push(format!("{allowed} allowed"));
        }
        parts.join(", ")
    }
}

/// Compares two states of a description.
fn reported_changes<'d>(
    pair: &'d DescriptionPair,
    used: Option<&UseLists>,
    list: &mut AllowList,
) -> Vec<ReportedChange<'d>> {
    let [old, new] = pair.states();
    let mut changes: Vec<ReportedChange<'d>> = compare::compare(old, new)
        .into_iter()
        .map(|change| ReportedChange::new(pair, change, used, list))
        .collect();
    for document in [Document::Old, Document::New] {
        let in_document: Vec<_> = changes
            .iter_mut()
            .filter(|reported| reported.change.document == document)
            .collect();
        let pointers = in_document.iter().map(|reported| reported.pointer.as_str());
        let lines = pair.described(document).lines(pointers);
        for (reported, line) in in_document.into_iter().zip(lines) {
            reported.line = line;
        }
    }
    // The list may leave nothing that breaks callers.
    if !changes
        .iter()
        .any(|reported| reported.is(Verdict::Breaking))
    {
        changes.retain(|reported| reported.change.rule != Rule::VersionKept);
    }
    changes
}

/// Merges equal changes: returns the first of each, with all procedures.
fn merged<'e, 'd: 'e>(
    changes: impl Iterator<Item = &'e ReportedChange<'d>>,
) -> Vec<(&'e ReportedChange<'d>, Vec<&'e str>)> {
    compare::merged(changes, |reported| {
        let allowed = reported.allowed.as_deref();
        let pair = std::ptr::from_ref(reported.pair);
        (&reported.change, (allowed, pair, &reported.hits))
    })
}

/// Returns the pointer to a change in the document that was read.
fn in_document(described: &Described, pointer: &Pointer) -> Pointer {
    match described.reading.format {
        Format::OpenRpc => openrpc_pointer(pointer),
        _ => pointer.clone(),
    }
}

/// Fails if there are changes that the command should fail on.
fn fail_on(report: &DiffReport<'_>, fail_on: FailOn) -> Result<(), Failure> {
    let breaking = report.number(Verdict::Breaking);
    let risky = report.number(Verdict::Risky);
    let (number, effect) = match (fail_on, breaking, risky) {
        (FailOn::None, ..) | (FailOn::Breaking, 0, _) | (_, 0, 0) => return Ok(()),
        (FailOn::Risky, 0, risky) => (risky, "may break callers"),
        (_, 1, _) => (1, "breaks callers"),
        (_, breaking, _) => (breaking, "break callers"),
    };
    let changes = count(number, "change");
    Err(Failure::negative(format_args!("{changes} {effect}")))
}
