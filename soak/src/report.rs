//! The report of a soak, and the minimum that must have happened for it to prove anything.
//!
//! A soak that killed nothing and wrote nothing would pass, so there are minimums.

use std::fs;
use std::time::Duration;

use super::memory::Memory;
use super::program::Program;
use super::world::{LibraryProcess, World};

/// The minimum number of kills, and of each kind of event.
const MIN_KILLS: u32 = 2;
const MIN_EVENTS: u64 = 100;

/// The events of a soak.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The number of processes so far.
    incarnations: u32,
    /// The process that is left running.
    calm: u32,
    kills: u32,
    slowest_start: Duration,
    audits: u32,
    slowest_audit: Duration,
    records: usize,
    shutdown_times: Vec<Duration>,
}

impl Report {
    /// Records that a process was started, and how long it took to become healthy.
    pub(crate) fn started(&mut self, time: Duration, program: &Program) -> LibraryProcess {
        self.incarnations += 1;
        self.slowest_start = self.slowest_start.max(time);
        self.at(program)
    }

    /// Returns the current process.
    pub(crate) fn at(&self, program: &Program) -> LibraryProcess {
        LibraryProcess {
            incarnation: self.incarnations,
            process: program.id(),
            address: program.address(),
        }
    }

    pub(crate) fn audited(&mut self, time: Duration, records: usize) {
        self.audits += 1;
        self.slowest_audit = self.slowest_audit.max(time);
        self.records = records;
    }

    pub(crate) fn killed(&mut self) {
        self.kills += 1;
    }

    pub(crate) fn shut_down(&mut self, time: Duration) {
        self.shutdown_times.push(time);
    }

    /// Returns whether there were enough kills for the soak to prove anything.
    pub(crate) fn has_enough_kills(&self) -> bool {
        self.kills >= MIN_KILLS
    }

    /// Marks the current process as the one that is left running.
    pub(crate) fn begin_calm(&mut self) {
        self.calm = self.incarnations;
    }

    /// Returns the process that was left running.
    pub(crate) fn calm(&self) -> u32 {
        self.calm
    }

    pub(crate) fn print(&self, world: &World, memory: &Memory, time: Duration) {
        let tally = world.tally();
        tally.print();
        memory.print(self.calm);
        let ledger = world.ledger();
        let (open, refused) = ledger.rest();
        println!();
        row("seconds of traffic", &time.as_secs().to_string());
        row("kills", &self.kills.to_string());
        row("starts", &self.incarnations.to_string());
        row("slowest start", &milliseconds(self.slowest_start));
        row("honest requests", &tally.sent("honest").to_string());
        row("worst honest wait", &milliseconds(tally.worst("honest")));
        row("honest responses lost", &tally.lost("honest").to_string());
        row("hostile requests", &tally.sent("hostile").to_string());
        row("writes acknowledged", &ledger.acknowledged().to_string());
        row("outcomes replayed with a key", &tally.replays().to_string());
        row("writes refused", &refused.to_string());
        row("writes with an unknown outcome", &open.to_string());
        row("records found at the end", &self.records.to_string());
        row("comparisons with the ledger", &self.audits.to_string());
        row("slowest comparison", &milliseconds(self.slowest_audit));
        for (index, time) in self.shutdown_times.iter().enumerate() {
            let when = ["during traffic", "at rest"].get(index).unwrap_or(&"");
            row(&format!("leaving {when}"), &milliseconds(*time));
        }
    }

    /// Returns what is missing or wrong. A soak that killed nothing and wrote nothing proves nothing.
    pub(crate) fn problems(&self, world: &World) -> Vec<String> {
        let mut wrong = Vec::new();
        if !self.has_enough_kills() {
            wrong.push(format!("only {} kills", self.kills));
        }
        if world.ledger().acknowledged() < MIN_EVENTS {
            wrong.push("too few writes were acknowledged".to_owned());
        }
        if world.tally().replays() == 0 {
            wrong.push("no call was repeated with its key".to_owned());
        }
        if world.tally().sent("hostile") < MIN_EVENTS {
            wrong.push("too few requests were hostile".to_owned());
        }
        let children = children();
        if !children.is_empty() {
            wrong.push(format!("processes are still there: {children:?}"));
        }
        wrong
    }
}

fn row(name: &str, value: &str) {
    println!("{name:<34} {value:>9}");
}

fn milliseconds(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

/// Returns the child processes that still exist, dead or alive. Only Linux lists them.
fn children() -> Vec<String> {
    let parent = format!("PPid:\t{}", std::process::id());
    let mut children = Vec::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let status = fs::read_to_string(process.path().join("status")).unwrap_or_default();
        if status.lines().any(|line| line == parent) {
            children.extend(status.lines().next().map(str::to_owned));
        }
    }
    children
}
