//! The guard: compares the instructions of calls with recorded ones, as ratios to the same work by
//! hand, counted in the same run, and the calls that read a clock, allocate or write. Times depend on the
//! machine and its load. Counts of instructions depend on the machine too, because libraries choose
//! their code by what the processor supports. Ratios hardly do.

use std::fmt::{self, Write as _};
use std::fs;
use std::path::PathBuf;

use crate::process::Counts;
use crate::{BoxError, calls, http, process};

/// The limit on a ratio, or a number of allocations, relative to the recorded one.
const MAX_RISE: f64 = 1.15;

/// The tolerated rise of a count per call: timers that expire now and then read clocks and allocate, too.
const NOISE: f64 = 0.5;

/// The calls in process: the kind of handler and the body. Refused calls have no bar.
const GUARDED_CALLS: [(&str, &str); 12] = [
    ("async", "sum"),
    ("sync", "sum"),
    ("async", "named"),
    ("sync", "named"),
    ("async", "defaults"),
    ("async", "constrained"),
    ("async", "order"),
    ("sync", "order"),
    ("async", "error"),
    ("async", "batch"),
    ("async", "large-parameter"),
    ("async", "large-result"),
];

const FILE_HEADING: &str = "\
# Instructions of a call with Docent, divided by those of the same work by hand. In process, that is the floor
# in bench/src/floor.rs; over HTTP, the handlers in bench/http/src/plain.rs, or, for describe-304, in
# bench/http/src/bare.rs. Then how often Docent reads a clock and calls the allocator, and how many parts it writes: one
# with each write, and two with each write of a list.
# `cargo xtask instructions` fails if a ratio or the allocations rise by more than 15 %, or if a clock is read
# or a part written once more. With --write it records new ones.
";

fn file() -> PathBuf {
    process::root().join("bench/instructions.txt")
}

/// The cost of a call with Docent.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CallCost {
    /// The instructions, divided by those of the same work by hand.
    ratio: f64,
    clock_reads: f64,
    allocations: f64,
    written_parts: f64,
}

impl CallCost {
    fn new(docent: Counts, by_hand: Counts) -> Self {
        Self {
            ratio: docent.instructions / by_hand.instructions,
            clock_reads: docent.clock_reads,
            allocations: docent.allocations,
            written_parts: docent.written_parts,
        }
    }

    fn has_risen_above(self, recorded: Self) -> bool {
        self.ratio > recorded.ratio * MAX_RISE
            || self.clock_reads > recorded.clock_reads + NOISE
            || self.allocations > recorded.allocations * MAX_RISE + NOISE
            || self.written_parts > recorded.written_parts + NOISE
    }

    fn lower(self, other: Self) -> Self {
        Self {
            ratio: self.ratio.min(other.ratio),
            clock_reads: self.clock_reads.min(other.clock_reads),
            allocations: self.allocations.min(other.allocations),
            written_parts: self.written_parts.min(other.written_parts),
        }
    }
}

impl fmt::Display for CallCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            ratio,
            clock_reads,
            allocations,
            written_parts,
        } = self;
        write!(
            f,
            "{ratio:8.4} {clock_reads:6.1} {allocations:6.1} {written_parts:6.1}"
        )
    }
}

/// The costs of calls by their names.
type Costs = Vec<(String, CallCost)>;

/// Counts all calls.
fn count() -> Result<Costs, BoxError> {
    process::build(&["bench", "bench-http"])?;
    let mut costs = Vec::new();
    for (way, case) in GUARDED_CALLS {
        eprintln!("compare: counting {way} {case}");
        let (docent, by_hand) = calls::with_floor(way, case)?;
        costs.push((format!("{way} {case}"), CallCost::new(docent, by_hand)));
    }
    for counts in http::docent_and_by_hand()? {
        let cost = CallCost::new(counts.docent, counts.by_hand);
        costs.push((format!("http {}", counts.request), cost));
    }
    Ok(costs)
}

pub(crate) fn write() -> Result<(), BoxError> {
    let mut text = FILE_HEADING.to_owned();
    for (name, cost) in count()? {
        println!("{name:<24} {cost}");
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{name:<24} {cost}");
    }
    Ok(fs::write(file(), text)?)
}

pub(crate) fn check() -> Result<(), BoxError> {
    let recorded = read(&fs::read_to_string(file())?)?;
    let mut counted = count()?;
    if !risen(&recorded, &counted).is_empty() {
        // Hash tables have other seeds in each run, which makes up to 1 % of a small call.
        counted = lower(counted, &count()?);
    }
    println!("{:<24} {:<22} counted", "", "recorded");
    for (name, cost) in &counted {
        let before = match find(&recorded, name) {
            Some(before) => before.to_string(),
            None => "none".to_owned(),
        };
        println!("{name:<24} {before:<22} {cost}");
    }
    let over = risen(&recorded, &counted);
    if over.is_empty() {
        Ok(())
    } else {
        Err(format!("more than recorded: {}", over.join("; ")).into())
    }
}

fn read(text: &str) -> Result<Costs, BoxError> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(read_line)
        .collect()
}

/// Reads the name of a call and its four numbers.
fn read_line(line: &str) -> Result<(String, CallCost), BoxError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some((name, [ratio, clock_reads, allocations, written_parts])) = words.split_last_chunk()
    else {
        return Err(format!("{line:?}: a ratio, clock reads, allocations and parts").into());
    };
    let cost = CallCost {
        ratio: ratio.parse()?,
        clock_reads: clock_reads.parse()?,
        allocations: allocations.parse()?,
        written_parts: written_parts.parse()?,
    };
    Ok((name.join(" "), cost))
}

/// Takes the lower of two counts.
fn lower(mut costs: Costs, again: &Costs) -> Costs {
    for (name, cost) in &mut costs {
        *cost = find(again, name).map_or(*cost, |again| cost.lower(again));
    }
    costs
}

fn find(costs: &Costs, name: &str) -> Option<CallCost> {
    let (_, cost) = costs.iter().find(|(known, _)| known == name)?;
    Some(*cost)
}

/// Lists the calls that cost more than recorded, and those that are only recorded or only counted.
fn risen(recorded: &Costs, counted: &Costs) -> Vec<String> {
    let over = counted
        .iter()
        .filter_map(|(name, now)| match find(recorded, name) {
            Some(before) if !now.has_risen_above(before) => None,
            Some(before) => Some(format!("{name}: {now}, recorded are {before}")),
            None => Some(format!("{name}: {now}, and not recorded")),
        });
    let gone = recorded
        .iter()
        .filter(|(name, _)| find(counted, name).is_none())
        .map(|(name, _)| format!("{name}: recorded, but not counted"));
    over.chain(gone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rise_of_more_than_fifteen_percent_fails_and_shows_both() {
        let costs = |text| read(text).expect("costs");
        let recorded = costs("# Costs\nasync sum 1.1000 0 2 0\nhttp post 1.0 2.0 20.0 1.0\n");
        for (counted, risen_calls) in [
            ("async sum 1.264 0.0 2 0\nhttp post 0.5 2.4 23.4 1.4", 0),
            ("async sum 1.266 0.0 2 0\nhttp post 1.0 2.0 20.0 1.0", 1),
            ("async sum 1.1 0.6 2 0\nhttp post 1.0 2.0 23.6 1.0", 2),
            ("async sum 1.1 0.0 2 0\nhttp post 1.0 2.0 20.0 2.0", 1),
        ] {
            assert_eq!(risen(&recorded, &costs(counted)).len(), risen_calls);
        }
        assert_eq!(
            risen(
                &recorded,
                &costs("async sum 1.266 0 2 0\nhttp post 1 2 20 1")
            ),
            [
                "async sum:   1.2660    0.0    2.0    0.0, recorded are   1.1000    0.0    2.0    0.0"
            ]
        );
    }

    #[test]
    fn the_lower_of_two_counts_counts() {
        let [first, second, lowest] = [
            "a 1.2 1 9 1\nb 1.0 2 9 2",
            "a 1.1 1 8 1\nb 1.3 1 9 1",
            "a 1.1 1 8 1\nb 1.0 1 9 1",
        ]
        .map(|text| read(text).expect("costs"));
        assert_eq!(lower(first, &second), lowest);
    }

    #[test]
    fn what_is_only_on_one_side_fails() {
        let costs = |text| read(text).expect("costs");
        let recorded = costs("a 1.0 0 1 1\nb 1.0 0 1 1");
        assert_eq!(
            risen(&recorded, &costs("b 1.0 0 1 1\nc 1.0 0 1 1")),
            [
                "c:   1.0000    0.0    1.0    1.0, and not recorded",
                "a: recorded, but not counted"
            ]
        );
        for wrong in ["nothing", "a 1.0", "a 1.0 2 3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_recorded_is_read_back() {
        let cost = CallCost {
            ratio: 0.9777,
            clock_reads: 2.0,
            allocations: 13.5,
            written_parts: 1.0,
        };
        let line = format!("{:<24} {cost}", "http get-304");
        let read = read(&line).expect("costs");
        assert_eq!(read, [("http get-304".to_owned(), cost)]);
    }
}
