//! `docent check`: reports mistakes and missing documentation in a description, and calls a live
//! service to find out whether its description is true.

mod again;
mod found;
mod lint;
mod lint_schemas;
mod live;
mod rule;

use std::time::{SystemTime, UNIX_EPOCH};

use docent_describe::json::Json;
use url::Url;

use crate::allow_list::AllowList;
use crate::args::{CheckArgs, Finding};
use crate::failure::Failure;
use crate::http::{Client, without_secrets};
use crate::input::{Described, Input, check_inputs, read_all};
use crate::terminal::{Page, Style, Terminal, count};
use crate::undocumented::undocumented;
use again::described_otherwise;
use found::{Found, in_document, object};
use live::{Checked, Options};
use rule::Rule;

/// The kinds of findings, in the order in which they are counted.
const KINDS: [Finding; 4] = [
    Finding::Warnings,
    Finding::Contradictions,
    Finding::Undocumented,
    Finding::Lies,
];

pub(crate) fn run(args: &CheckArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    check_inputs(&args.inputs, client)?;
    if args.address.is_some() && args.inputs.len() > 1 {
        return Err(Failure::usage("--address is for one input"));
    }
    let list = args
        .allow_list
        .as_deref()
        .map(AllowList::read)
        .transpose()?;
    let mut list = list.unwrap_or_default();
    let seed = args.seed.unwrap_or_else(seed_of_now);
    // Check every description that can be read, even if others cannot.
    let (described, mut failures) = read_all(&args.inputs, client);
    let mut reports = Vec::new();
    for (input, described) in &described {
        let (report, failure) =
            Report::new(input, described, args, seed, (client, terminal), &mut list)?;
        failures.extend(failure);
        reports.push(report);
    }
    if args.json {
        let json = Json::Array(reports.iter().map(Report::to_json).collect());
        terminal.write_json(|out| writeln!(out, "{json:#}"))?;
    } else {
        let mut page = terminal.page();
        for report in &reports {
            report.write(&mut page);
        }
        terminal.print(&page)?;
    }
    for entry in list.unused() {
        terminal.warn(format_args!(
            "docent: not needed in the allow-list: {entry}"
        ));
    }
    let all: Vec<&Found> = reports.iter().flat_map(|report| &report.found).collect();
    failures.extend(negative(&all, &args.allow));
    Failure::all(failures)
}

/// The findings in one input.
struct Report<'d> {
    described: &'d Described,
    found: Vec<Found>,
    live: Option<Checked>,
    seed: u64,
}

impl<'d> Report<'d> {
    fn new(
        input: &Input,
        described: &'d Described,
        args: &CheckArgs,
        seed: u64,
        (client, terminal): (&Client, Terminal),
        list: &mut AllowList<Rule>,
    ) -> Result<(Self, Option<Failure>), Failure> {
        let mut found = in_document(described, &Finding::ALL);
        let mut live = None;
        let mut failure = None;
        if let Some(address) = address(input, described, args) {
            let exchange = client.trials(&address)?;
            let shown = without_secrets(&address);
            terminal.progress(format_args!("docent: calling {shown}, seed {seed}"));
            let options = Options {
                seed,
                calls: args.max_calls,
                at_once: args.at_once.into(),
                rate: args.rate,
                is_unsafe: args.r#unsafe,
            };
            let mut checked =
                live::check(&described.reading.description, &exchange, &address, options);
            let lies = std::mem::take(&mut checked.lies).into_iter();
            found.extend(lies.map(|lie| Found::lie(&lie, &described.shown)));
            if args.address.is_none() {
                found.extend(described_otherwise(input, described, client));
            }
            failure = checked.failure.take();
            live = Some(checked);
        }
        for found in &mut found {
            found.allowed = list.reason(found.rule, found.procedure.as_deref(), None);
        }
        let report = Self {
            described,
            found,
            live,
            seed,
        };
        Ok((report, failure))
    }

    fn write(&self, page: &mut Page) {
        for found in &self.found {
            page.line(&found.line);
            if let Some(reason) = &found.allowed {
                page.line(&format!(" (allowed: {reason})")).end();
                continue;
            }
            if let Some(advice) = &found.advice {
                page.line(&format!("; {advice}"));
            }
            page.end();
            if let Some(shown) = &found.shown {
                for call in shown.docent.iter().chain([&shown.curl]) {
                    // `line` would change the spaces in values.
                    page.space(4).text(call).end();
                }
            }
        }
        if let Some(live) = &self.live {
            for (procedure, reason) in &live.not_tried {
                let line = format!(
                    "{}: not tried: procedure `{procedure}`: {reason}",
                    self.described.shown
                );
                page.styled(Style::Dim, &line).end();
            }
        }
        let undocumented = undocumented(&self.described.reading.description).len();
        let mut parts = vec![
            self.described.summary(),
            format!("{undocumented} undocumented"),
        ];
        let contradictions = self.number(Finding::Contradictions);
        if contradictions > 0 {
            parts.push(count(contradictions, "contradiction"));
        }
        page.line(&parts.join(", ")).end();
        if let Some(live) = &self.live {
            page.line(&self.live_summary(live)).end();
        }
    }

    fn live_summary(&self, live: &Checked) -> String {
        let mut parts = vec![format!(
            "{}: {} of {}, {}, seed {}: {}",
            self.described.shown,
            count(live.calls, "call"),
            count(live.procedures, "procedure"),
            format_args!("{} not tried", live.not_tried.len()),
            self.seed,
            match self.number(Finding::Lies) {
                0 if live.calls == 0 => "nothing was tried".to_owned(),
                0 => "the description holds".to_owned(),
                number => format!("{} from the description", count(number, "departure")),
            }
        )];
        if live.undecided > 0 {
            parts.push(format!("{} undecided", count(live.undecided, "response")));
        }
        if live.further > 0 {
            parts.push(format!(
                "{} not shown",
                count(live.further, "further departure")
            ));
        }
        if live.is_cut {
            parts.push("there was more to try (--max-calls)".to_owned());
        }
        parts.join("; ")
    }

    fn number(&self, kind: Finding) -> usize {
        let is_meant = |found: &&Found| found.kind == kind && found.allowed.is_none();
        self.found.iter().filter(is_meant).count()
    }

    fn to_json(&self) -> Json {
        let live = self.live.as_ref().map_or(Json::Null, |live| {
            let not_tried = live.not_tried.iter().map(|(procedure, reason)| {
                object([
                    ("procedure", Json::from(procedure.as_str())),
                    ("reason", Json::from(reason.as_str())),
                ])
            });
            object([
                ("calls", number(live.calls)),
                ("procedures", number(live.procedures)),
                ("seed", Json::Number(self.seed.to_string().as_str().into())),
                ("undecided", number(live.undecided)),
                ("further", number(live.further)),
                ("complete", Json::Bool(!live.is_cut)),
                ("notTried", Json::Array(not_tried.collect())),
            ])
        });
        object([
            ("input", Json::from(self.described.shown.as_str())),
            (
                "findings",
                Json::Array(self.found.iter().map(Found::to_json).collect()),
            ),
            ("live", live),
        ])
    }
}

fn number(number: usize) -> Json {
    Json::Number(number.to_string().as_str().into())
}

/// Returns the address to call the service of an input, or `None` if it should not be called.
fn address(input: &Input, described: &Described, args: &CheckArgs) -> Option<Url> {
    if args.r#static || described.is_1_1() {
        return None;
    }
    match (&args.address, input) {
        (Some(address), _) => Some(address.clone()),
        (None, Input::Live(url)) if described.is_service() => Some(url.clone()),
        _ => None,
    }
}

fn seed_of_now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.subsec_nanos().into())
}

/// Lists the findings of these kinds in a description, one on each line.
pub(crate) fn list(described: &Described, kinds: &[Finding]) -> Vec<String> {
    let found = in_document(described, kinds).into_iter();
    found.map(|found| found.line).collect()
}

/// Returns the failure for denied kinds of findings, if the descriptions have any.
pub(crate) fn denial(described: &[Described], denied: &[Finding]) -> Option<Failure> {
    let found: Vec<Found> = described
        .iter()
        .flat_map(|described| in_document(described, denied))
        .collect();
    negative(&found.iter().collect::<Vec<_>>(), &[])
}

/// Returns the failure for findings, if there are any that are not allowed.
fn negative(found: &[&Found], allowed: &[Finding]) -> Option<Failure> {
    let mut said = Vec::new();
    for kind in KINDS.iter().filter(|kind| !allowed.contains(kind)) {
        let counts = |found: &&&Found| found.kind == *kind && found.allowed.is_none();
        let number = found.iter().filter(counts).count();
        match (kind, number) {
            (_, 0) => {}
            (Finding::Warnings, number) => said.push(count(number, "warning")),
            (Finding::Contradictions, number) => said.push(count(number, "contradiction")),
            (Finding::Undocumented, number) => {
                said.push(format!("{} without documentation", count(number, "part")));
            }
            (Finding::Lies, number) => {
                said.push(format!(
                    "{} from the description",
                    count(number, "departure")
                ));
            }
        }
    }
    let last = said.pop()?;
    let all = if said.is_empty() {
        last
    } else {
        format!("{} and {last}", said.join(", "))
    };
    Some(Failure::negative(all))
}
