//! `docent check`: reports mistakes and missing documentation in a description, and calls a live
//! service to find out whether its description is true.

mod again;
mod junit;
mod report;
mod service;
mod wire;

use std::collections::BTreeMap;

use docent_describe::json::Json;
use docent_tools::check::{Finding, FindingKind, LiveOptions, Rule, check_description, check_live};
use url::Url;

use crate::allow_list::AllowList;
use crate::args::CheckArgs;
use crate::failure::{Failure, Result};
use crate::files;
use crate::http::{Client, without_secrets};
use crate::input::{Described, check_inputs};
use crate::mcp;
use crate::pattern::fits;
use crate::terminal::Terminal;
use again::described_otherwise;
use junit::junit;
use report::{CheckReport, counted, line};
use service::{bindings, select, send};

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
    let described = args.inputs.iter().map(|input| {
        let mut described = input.read(client)?;
        let skipped = select(&mut described.reading.description, args);
        Ok((described, skipped))
    });
    let (described, mut failures) = Failure::split(described);
    let is_lost = |pattern: &&String| {
        !described.iter().any(|(described, skipped)| {
            described
                .reading
                .description
                .procs
                .iter()
                .map(|it| &it.name)
                .chain(skipped)
                .any(|name| fits(pattern, name))
        })
    };
    let mut patterns = args.only.iter().chain(&args.skip);
    if let Some(lost) = patterns.find(is_lost).filter(|_| failures.is_empty()) {
        return Err(Failure::usage(format!("no procedure is called `{lost}`")));
    }
    let mut reports = Vec::new();
    for (described, skipped) in &described {
        let mut report = check(described, args, seed, client, terminal)?;
        if let Some(live) = &mut report.live {
            let reason = "it is left out (--only, --skip)";
            live.not_tried
                .extend(skipped.iter().map(|name| (name.clone(), reason.to_owned())));
        }
        for finding in &mut report.findings {
            (finding.allowed, _) =
                list.judge(finding.rule.as_str(), finding.procedure.as_deref(), None);
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
        .filter(|it| it.allowed.is_none() && !args.allow.contains(&it.rule.kind()));
    failures.extend(negative(findings));
    Failure::all(failures)
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
        let exchange = client.exchange(&address)?;
        let open = described
            .fetched
            .session
            .clone()
            .filter(|_| args.address.is_none());
        let session = mcp::session(open, described.reading.description.origin, &exchange)?;
        let shown = without_secrets(&address);
        terminal.progress(format_args!("docent: calling {shown}, seed {seed}"));
        let service = &described.reading.description;
        let options = LiveOptions {
            address: &address,
            has_credentials: exchange.has_credentials(),
            with_writes: args.r#unsafe,
            seed,
            max_calls: args.max_calls,
            at_once: args.at_once,
            rate: args.rate,
            max_time: client.time(),
        };
        let request = |url: &_, body: Option<&_>, etag: Option<&_>| {
            send(&exchange, session.as_ref(), url, body, etag)
        };
        let mut report = check_live(service, bindings(service), &request, options);
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
        .warnings()
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
            terminal.warn(line(finding, &described.shown));
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
    let mut said: Vec<String> = counts
        .into_iter()
        .map(|(kind, number)| counted(kind, number))
        .collect();
    let last = said.pop()?;
    Some(Failure::negative(match &*said {
        [] => last,
        before => format!("{} and {last}", before.join(", ")),
    }))
}
