//! The guard: compares the instructions of calls with recorded ones, as ratios to the same work by
//! hand, counted in the same run. Times depend on the machine and its load. Counts depend on the
//! machine too, because libraries choose their code by what the processor supports. Ratios hardly do.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::{Failure, calls, http, process};

/// How much a ratio may rise above the recorded one.
const MOST: f64 = 1.15;

/// The calls in process: the kind of handler and the body. Refused calls have no bar.
const CALLS: [(&str, &str); 12] = [
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

const HEADING: &str = "\
# Instructions of a call, divided by those of the same work by hand. In process, that is the floor in
# bench/src/floor.rs; over HTTP, bare actix-web handlers. `cargo xtask instructions` fails if a ratio
# rises by more than 15 %. With --write it records new ones.
";

fn file() -> PathBuf {
    process::root().join("bench/instructions.txt")
}

type Ratios = Vec<(String, f64)>;

/// Counts all calls.
fn count() -> Result<Ratios, Failure> {
    process::build(&["bench", "bench-http"])?;
    let mut ratios = Vec::new();
    for (way, case) in CALLS {
        eprintln!("compare: counting {way} {case}");
        let ratio = calls::instructions_over_floor(way, case)?;
        ratios.push((format!("{way} {case}"), ratio));
    }
    for (request, ratio) in http::instructions_over_bare()? {
        ratios.push((format!("http {request}"), ratio));
    }
    Ok(ratios)
}

pub(crate) fn write() -> Result<(), Failure> {
    let mut text = HEADING.to_owned();
    for (name, ratio) in count()? {
        println!("{name:<24} {ratio:.4}");
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{name:<24} {ratio:.4}");
    }
    Ok(fs::write(file(), text)?)
}

pub(crate) fn check() -> Result<(), Failure> {
    let recorded = read(&fs::read_to_string(file())?)?;
    let mut counted = count()?;
    if !risen(&recorded, &counted).is_empty() {
        // Hash tables have other seeds in each run, which makes up to 1 % of a small call.
        counted = lower(counted, &count()?);
    }
    println!("{:<24} {:>8} {:>8}", "", "recorded", "counted");
    for (name, ratio) in &counted {
        let before = find(&recorded, name);
        let before = before.map_or_else(|| "none".to_owned(), |before| format!("{before:.4}"));
        println!("{name:<24} {before:>8} {ratio:>8.4}");
    }
    let over = risen(&recorded, &counted);
    if over.is_empty() {
        Ok(())
    } else {
        Err(format!("more instructions than recorded: {}", over.join("; ")).into())
    }
}

fn read(text: &str) -> Result<Ratios, Failure> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, ratio) = line.rsplit_once(' ').ok_or("a line without a ratio")?;
            Ok((name.trim().to_owned(), ratio.parse()?))
        })
        .collect()
}

/// Takes the lower ratio of two counts.
fn lower(mut ratios: Ratios, again: &Ratios) -> Ratios {
    for (name, ratio) in &mut ratios {
        *ratio = find(again, name).map_or(*ratio, |again| ratio.min(again));
    }
    ratios
}

fn find(ratios: &Ratios, name: &str) -> Option<f64> {
    let (_, ratio) = ratios.iter().find(|(known, _)| known == name)?;
    Some(*ratio)
}

/// Lists the calls that cost more than recorded, and those that are only recorded or only counted.
fn risen(recorded: &Ratios, counted: &Ratios) -> Vec<String> {
    let over = counted
        .iter()
        .filter_map(|(name, now)| match find(recorded, name) {
            Some(before) if *now <= before * MOST => None,
            Some(before) => Some(format!(
                "{name}: {now:.4} times by hand, recorded are {before:.4}"
            )),
            None => Some(format!("{name}: {now:.4} times by hand, and not recorded")),
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
        let recorded = read("# Ratios\nasync sum     1.1000\nhttp post 1.0000\n").expect("ratios");
        let now = |sum, post| {
            vec![
                ("async sum".to_owned(), sum),
                ("http post".to_owned(), post),
            ]
        };
        assert!(risen(&recorded, &now(1.264, 0.5)).is_empty());
        assert_eq!(
            risen(&recorded, &now(1.266, 1.0)),
            ["async sum: 1.2660 times by hand, recorded are 1.1000"]
        );
    }

    #[test]
    fn the_lower_of_two_counts_counts() {
        let [first, second] =
            ["a 1.2\nb 1.0", "a 1.1\nb 1.3"].map(|text| read(text).expect("ratios"));
        let lowest = read("a 1.1\nb 1.0").expect("ratios");
        assert_eq!(lower(first, &second), lowest);
    }

    #[test]
    fn what_is_only_on_one_side_fails() {
        let recorded = read("a 1.0\nb 1.0").expect("ratios");
        let counted = read("b 1.0\nc 1.0").expect("ratios");
        assert_eq!(
            risen(&recorded, &counted),
            [
                "c: 1.0000 times by hand, and not recorded",
                "a: recorded, but not counted"
            ]
        );
        assert!(read("nothing").is_err());
    }
}
