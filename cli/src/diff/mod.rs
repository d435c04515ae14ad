//! `docent diff`: the changes between two descriptions, or the files of two folders, and whether they break
//! callers.

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
use crate::uses::Consumers;
use pairs::Pair;

/// The reason for accepting a change that hits no consumer.
const UNUSED: &str = "No listed consumer uses it.";

/// The verdicts in the order in which changes are listed.
const VERDICTS: [Verdict; 3] = [Verdict::Breaking, Verdict::Risky, Verdict::Safe];

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
    let used = (!args.used.is_empty())
        .then(|| Consumers::read(&args.used))
        .transpose()?;
    let mut same = used.as_ref().map(|_| Vec::new());
    let pairs = pairs::read((before, after), &mut same, client, terminal)?;
    let services: Vec<_> = pairs
        .iter()
        .flat_map(Pair::states)
        .chain(same.iter().flatten())
        .collect();
    for problem in used.iter().flat_map(|it| it.problems(&services)) {
        terminal.warn(format_args!("docent: {problem}"));
    }
    for described in pairs.iter().flat_map(|pair| [&pair.old, &pair.new]) {
        let warnings = described.reading.warnings.len();
        if warnings > 0 {
            let warnings = count(warnings, "warning");
            terminal.warn(format_args!(
                "{}: {warnings}; what was left out is not compared (see docent check)",
                described.shown
            ));
        }
    }
    let mut entries: Vec<Entry<'_>> = pairs
        .iter()
        .flat_map(|it| changes(it, used.as_ref(), &mut allowed))
        .collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.verdict));
    let report = Report {
        shown: [before.shown(), after.shown()],
        has_several: pairs.len() > 1,
        entries,
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
    verdict(&report, args.fail_on)
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
struct Report<'d> {
    /// The inputs, as they are shown.
    shown: [String; 2],
    /// True if there are descriptions of several files.
    has_several: bool,
    /// The changes, those that break callers first.
    entries: Vec<Entry<'d>>,
    /// The entries of the allow-list that allow nothing.
    unused: Vec<String>,
}

/// A change, with its location in the document that was read.
struct Entry<'d> {
    pair: &'d Pair,
    change: Change,
    verdict: Verdict,
    pointer: Pointer,
    line: Option<usize>,
    /// The reason for accepting it: that of the allow-list, or that it hits no consumer.
    allowed: Option<String>,
    /// The listed consumers that it hits. `None` without lists, and for safe changes.
    hits: Option<Vec<String>>,
}

impl Entry<'_> {
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

impl Report<'_> {
    /// Returns the number of changes with a verdict, without those that are allowed.
    fn number(&self, verdict: Verdict) -> usize {
        self.entries
            .iter()
            .filter(|entry| entry.is(verdict))
            .count()
    }

    /// Returns the procedures of a change, after the service if there are several.
    fn about(&self, entry: &Entry<'_>, procedures: &[&str]) -> String {
        let mut about = Vec::new();
        if self.has_several {
            about.push(entry.pair.states()[0].name.clone());
        }
        if !procedures.is_empty() {
            about.push(procedures.join(", "));
        }
        about.join(": ")
    }

    /// Returns a summary such as `2 breaking, 1 risky, 5 safe`.
    fn summary(&self) -> String {
        let parts = VERDICTS.map(|it| format!("{} {it}", self.number(it)));
        let mut parts = Vec::from(parts);
        let allowed = self
            .entries
            .iter()
            .filter(|entry| entry.allowed.is_some())
            .count();
        if allowed > 0 {
            parts.push(format!("{allowed} allowed"));
        }
        parts.join(", ")
    }
}

/// Compares two states of a description.
fn changes<'d>(pair: &'d Pair, used: Option<&Consumers>, list: &mut AllowList) -> Vec<Entry<'d>> {
    let [old, new] = pair.states();
    let changes = compare::compare(old, new);
    let changes = changes.into_iter().map(|change| {
        let pointer = in_document(pair.described(change.document), &change.pointer);
        let procedure = change.procedure.as_deref();
        let (allowed, verdict) =
            list.judge(change.rule.as_str(), procedure, Some(pointer.as_str()));
        let verdict = verdict.unwrap_or(change.verdict());
        let hits = used
            .filter(|_| verdict > Verdict::Safe)
            .map(|it| it.hit(pair.states(), procedure));
        let is_unused = hits.as_ref().is_some_and(Vec::is_empty);
        Entry {
            pair,
            allowed: allowed.or_else(|| is_unused.then(|| UNUSED.to_owned())),
            hits,
            verdict,
            change,
            pointer,
            line: None,
        }
    });
    let mut entries: Vec<Entry<'d>> = changes.collect();
    for document in [Document::Old, Document::New] {
        let inside: Vec<_> = entries
            .iter_mut()
            .filter(|it| it.change.document == document)
            .collect();
        let pointers = inside.iter().map(|it| it.pointer.as_str());
        let lines = pair.described(document).lines(pointers);
        for (entry, line) in inside.into_iter().zip(lines) {
            entry.line = line;
        }
    }
    // The list may leave nothing that breaks callers.
    if !entries.iter().any(|entry| entry.is(Verdict::Breaking)) {
        entries.retain(|entry| entry.change.rule != Rule::VersionKept);
    }
    entries
}

/// Merges equal changes: returns the first of each, with all procedures.
fn merged<'e, 'd: 'e>(
    entries: impl Iterator<Item = &'e Entry<'d>>,
) -> Vec<(&'e Entry<'d>, Vec<&'e str>)> {
    compare::merged(entries, |entry| {
        (
            &entry.change,
            (
                entry.allowed.as_deref(),
                std::ptr::from_ref(entry.pair),
                &entry.hits,
            ),
        )
    })
}

/// Returns the pointer to a change in the document that was read.
fn in_document(described: &Described, pointer: &Pointer) -> Pointer {
    match described.reading.format {
        Format::OpenRpc => openrpc_pointer(pointer),
        _ => pointer.clone(),
    }
}

fn verdict(report: &Report<'_>, fail_on: FailOn) -> Result<(), Failure> {
    let [breaking, risky] = [Verdict::Breaking, Verdict::Risky].map(|it| report.number(it));
    let (number, what) = match (fail_on, breaking, risky) {
        (FailOn::None, ..) | (FailOn::Breaking, 0, _) | (_, 0, 0) => return Ok(()),
        (FailOn::Risky, 0, risky) => (risky, "may break callers"),
        (_, 1, _) => (1, "breaks callers"),
        (_, breaking, _) => (breaking, "break callers"),
    };
    let changes = count(number, "change");
    Err(Failure::negative(format_args!("{changes} {what}")))
}
