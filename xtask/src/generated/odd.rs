//! The table of odd values, to which the clients of all languages are held.

use std::fs;
use std::process::Command;

use crate::command::{self, BoxError, root};

/// The table: a procedure, a value, and what becomes of it.
const TABLE_FILE: &str = "cli/tests/odd_values.json";
/// The outcome of a value that a type of Rust does not have.
const NO_VALUE: &str = "no such value";

/// Runs a program that sends the values of the table with a generated client, and prints what becomes of each.
pub(super) fn test(program: &mut Command, url: &str) -> Result<(), BoxError> {
    let table = root().join(TABLE_FILE).canonicalize()?;
    let printed = command::output(program.arg(url).arg(&table))?;
    let rows: Vec<[String; 3]> = serde_json::from_slice(&fs::read(&table)?)?;
    let printed_rows: Vec<[String; 3]> = printed
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let mut differing = Vec::new();
    for [procedure, given, expected] in &rows {
        let is_rejected =
            expected.starts_with("Invalid params") || expected.starts_with("not sent");
        let mut is_tried = false;
        for [called, sent, outcome] in &printed_rows {
            if called != procedure || sent != given {
                continue;
            }
            is_tried = true;
            if outcome != expected && !(is_rejected && outcome == NO_VALUE) {
                differing.push(format!(
                    "{procedure}({given}): {outcome}, instead of {expected}"
                ));
            }
        }
        if !is_tried {
            differing.push(format!("{procedure}({given}): not tried"));
        }
    }
    if differing.is_empty() {
        return Ok(());
    }
    Err(format!("odd values:\n{}", differing.join("\n")).into())
}
