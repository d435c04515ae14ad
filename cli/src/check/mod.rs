//! `docent check`: reports mistakes and missing documentation in a description, and calls a live
//! service to check whether its description is true.
//!
//! ```text
//! docent check http://localhost:8080/rpc --allow-list accepted.json
//!
//! description ── docent_tools::check ──► findings ── allow-list, --allow ──► report, exit code
//!                   ▲ CheckedService sends its calls
//! ```
//!
//! `docent_tools::check` finds everything, without a network. This command sends its requests (`service.rs`,
//! `stream.rs`), leaves out what the user has accepted, and prints the rest for people, as JSON (`report.rs`) or for CI
//! (`junit.rs`). With `--wire`, it tries the rules of JSON-RPC on any server instead, whether it describes itself or
//! not (`wire.rs`).

mod again;
mod channel;
mod junit;
mod report;
mod response;
mod service;
mod stream;
mod wire;

use std::collections::BTreeMap;

use docent_describe::json::Json;
use docent_tools::check::{
    Finding, FindingKind, LiveOptions, NotTried, Rule, check_description, check_live,
};
use url::Url;

use crate::allow_list::AllowList;
use crate::args::CheckArgs;
use crate::failure::{Failure, Result};
use crate::files;
use crate::glob;
use crate::http::{Client, without_secrets};
use crate::input::{Described, check_inputs};
use crate::mcp;
use crate::terminal::Terminal;
use again::described_otherwise;
use junit::junit;
use report::{CheckReport, counted, line};
use service::{CheckedService, bindings, select};

/// The maximum number of calls per second, unless the user gives one or the service is on this machine.
const DEFAULT_RATE: u32 = 20;

/// Checks all inputs, and fails if there are findings that are not accepted.
pub(crate) fn run(args: &CheckArgs, client: &Client, terminal: Terminal) -> Result {
    check_inputs(&args.inputs, client)?;
    if args.wire {
        return wire::run(args, client, terminal);
    }
    if args.address.is_some() && args.inputs.len() > 1 {
        return Err(Failure::usage("--address is for one input"));
    }
    let mut list = args
        .allow_list
        .as_deref()
        .map(AllowList::of_findings)
        .transpose()?
        .unwrap_or_default();
    let seed = args.seed.unwrap_or_else(|| fastrand::u32(..).into());
    // Check every description that can be read, even if others cannot.
    let checked = args.inputs.iter().map(|input| {
        let mut described = input.read(client)?;
        let skipped = select(&mut described.reading.description, args);
        Ok(CheckedInput { described, skipped })
    });
    let (checked, mut failures) = Failure::split(checked);
    for glob in args.only.iter().chain(&args.skip) {
        if failures.is_empty() && !checked.iter().any(|input| input.has_match(glob)) {
            return Err(Failure::usage(format!("no procedure is called `{glob}`")));
        }
    }
    let mut reports = Vec::new();
    for input in &checked {
        let mut report = check(&input.described, args, seed, client, terminal)?;
        if let Some(live) = &mut report.live {
            for name in &input.skipped {
                let reason = "it is left out (--only, --skip)";
                live.not_tried.push(NotTried::new(name, reason));
            }
        }
        for finding in &mut report.findings {
            finding.allowed = list
                .look_up(finding.rule.as_str(), finding.procedure.as_deref(), None)
                .reason;
        }
        reports.push(report);
    }
    if let Some(path) = &args.junit {
        let xml = junit(&reports, &args.allow);
        files::write_output(path, xml.as_bytes())?;
    }
    if args.json {
        let json: Json = reports.iter().map(CheckReport::to_json).collect();
        terminal.write_json(&format!("{json:#}"))?;
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
    let findings = reports
        .iter()
        .flat_map(|report| &report.findings)
        .filter(|finding| finding.allowed.is_none())
        .filter(|finding| !args.allow.contains(&finding.rule.kind()));
    failures.extend(negative(findings));
    Failure::all(failures)
}

/// An input that is checked.
struct CheckedInput {
    described: Described,
    /// The names of the procedures that are not checked.
    skipped: Vec<String>,
}

impl CheckedInput {
    /// Returns whether a glob matches a procedure, checked or skipped.
    fn has_match(&self, glob: &str) -> bool {
        self.described
            .reading
            .description
            .procs
            .iter()
            .map(|procedure| &procedure.name)
            .chain(&self.skipped)
            .any(|name| glob::matches(glob, name))
    }
}

/// Checks one input: its description and, if it has an address, its service.
fn check<'d>(
    described: &'d Described,
    args: &CheckArgs,
    seed: u64,
    client: &Client,
    terminal: Terminal,
) -> Result<CheckReport<'d>> {
    let mut findings = in_document(described);
    let mut live = None;
    if let Some(address) = address(described, args) {
        let service = &described.reading.description;
        let exchange = client.with_api_key(client.exchange(&address)?, service)?;
        let open = described
            .fetched
            .session
            .clone()
            .filter(|_| args.address.is_none());
        let session = mcp::session(open, service.origin, &exchange)?;
        let display_name = without_secrets(&address);
        terminal.progress(format_args!("docent: calling {display_name}, seed {seed}"));
        let mut options = LiveOptions::new(&address);
        options.is_command = !exchange.is_http();
        options.has_credentials = exchange.has_credentials();
        options.with_writes = args.r#unsafe;
        options.seed = seed;
        options.max_calls = args.max_calls;
        // Responses on a connection are told apart by their ids, of which a check has few.
        options.at_once = if exchange.is_http() { args.at_once } else { 1 };
        options.rate = call_rate(args.rate, client.is_local(&address));
        options.max_time = client.time_limit();
        let transport = CheckedService {
            exchange: &exchange,
            session: session.as_ref(),
        };
        let mut report = check_live(service, bindings(service), &transport, options);
        findings.append(&mut report.findings);
        if args.address.is_none() {
            findings.extend(described_otherwise(described, client, args));
        }
        live = Some(report);
    }
    Ok(CheckReport {
        described,
        findings,
        live,
        seed,
    })
}

/// Returns the maximum number of calls per second. Without one of the user, it is low enough for a service that others
/// use, and there is none for a service on this machine.
fn call_rate(given: Option<u32>, is_local: bool) -> Option<u32> {
    given.or((!is_local).then_some(DEFAULT_RATE))
}

/// Returns the address to call a service, or `None` if it should not be called.
fn address(described: &Described, args: &CheckArgs) -> Option<Url> {
    if args.r#static || described.is_1_1() {
        return None;
    }
    args.address
        .clone()
        .or_else(|| described.fetched.service.clone())
}

/// Returns the findings that the description alone shows.
fn in_document(described: &Described) -> Vec<Finding> {
    let service = &described.reading.description;
    described
        .all_warnings()
        .into_iter()
        .map(|line| Finding::new(Rule::Warning, line))
        .chain(check_description(service, bindings(service)))
        .collect()
}

/// Fails if descriptions have findings of these kinds, and prints them.
pub(crate) fn deny(described: &[Described], denied: &[FindingKind], terminal: Terminal) -> Result {
    let mut found = Vec::new();
    for described in described.iter().filter(|_| !denied.is_empty()) {
        let mut findings = in_document(described);
        findings.retain(|finding| denied.contains(&finding.rule.kind()));
        for finding in &findings {
            terminal.warn(line(finding, &described.display_name));
        }
        found.extend(findings);
    }
    negative(found.iter()).map_or(Ok(()), Err)
}

/// Returns the failure for findings, if there are any.
fn negative<'f>(findings: impl Iterator<Item = &'f Finding>) -> Option<Failure> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.rule.kind()).or_default() += 1;
    }
    let mut parts: Vec<String> = counts
        .into_iter()
        .map(|(kind, number)| counted(kind, number))
        .collect();
    let last = parts.pop()?;
    Some(Failure::negative(match &*parts {
        [] => last,
        before => format!("{} and {last}", before.join(", ")),
    }))
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT_RATE, call_rate};

    #[test]
    fn calls_have_a_rate_unless_the_service_is_on_this_machine() {
        assert_eq!(call_rate(None, true), None);
        assert_eq!(call_rate(None, false), Some(DEFAULT_RATE));
        assert_eq!(call_rate(Some(7), true), Some(7));
        assert_eq!(call_rate(Some(7), false), Some(7));
    }
}
