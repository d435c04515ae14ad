//! The table of odd values, to which the clients of all languages are held.

use std::fs;
use std::process::Command;

use crate::command::{self, Failure, root};

/// The table: a procedure, a value, and what becomes of it.
const TABLE: &str = "cli/tests/odd_values.json";
/// The outcome of a value that a type of Rust does not have.
const NO_VALUE: &str = "no such value";

/// Runs a program that sends the values of the table with a generated client, and prints what becomes of each.
pub(super) fn test(program: &mut Command, url: &str) -> Result<(), Failure> {
    let table = root().join(TABLE).canonicalize()?;
    let printed = command::output(program.arg(url).arg(&table))?;
    let rows: Vec<[String; 3]> = serde_json::from_slice(&fs::read(&table)?)?;
    let outcomes = printed.lines().map(serde_json::from_str);
    let outcomes: Vec<[String; 3]> = outcomes.collect::<Result<_, _>>()?;
    let mut differing = Vec::new();
    for [procedure, given, expected] in &rows {
        let is_refused = expected.starts_with("Invalid params") || expected.starts_with("not sent");
        let own = outcomes
            .iter()
            .filter(|it| it[0] == *procedure && it[1] == *given);
        let outcomes: Vec<&String> = own.map(|[.., outcome]| outcome).collect();
        if outcomes.is_empty() {
            differing.push(format!("{procedure}({given}): not tried"));
        }
        for outcome in outcomes {
            if outcome != expected && !(is_refused && outcome == NO_VALUE) {
                differing.push(format!(
                    "{procedure}({given}): {outcome}, instead of {expected}"
                ));
            }
        }
    }
    if differing.is_empty() {
        return Ok(());
    }
    Err(format!("odd values:\n{}", differing.join("\n")).into())
}
