//! Runs every stored input through its check, on the stable toolchain.

use std::panic::{AssertUnwindSafe, catch_unwind};

use docent_fuzz::stored_inputs;

/// Checks every stored input of a target and reports which ones failed.
fn check(target: &str, check: fn(&[u8]), at_least: usize) {
    let inputs = stored_inputs(target).expect("stored inputs");
    let count = inputs.len();
    assert!(count >= at_least, "only {count} inputs of {target}");
    let mut failed = Vec::new();
    for input in inputs {
        if catch_unwind(AssertUnwindSafe(|| check(&input.bytes))).is_err() {
            failed.push(input.file);
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn every_body_is_answered_as_the_contract_says() {
    check("body", docent_fuzz::body, 300);
}

#[test]
fn every_query_is_answered_as_the_contract_says() {
    check("query", docent_fuzz::query, 80);
}

#[test]
fn every_message_of_an_agent_is_answered_as_the_contract_says() {
    check("mcp", docent_fuzz::mcp, 60);
}

#[test]
fn every_connection_is_framed_as_the_contract_says() {
    check("connection", docent_fuzz::connection, 40);
}

#[test]
fn every_description_reads_back_as_what_it_was() {
    check("description", docent_fuzz::description, 30);
}

#[test]
fn every_description_has_a_site() {
    check("description", docent_fuzz::site, 30);
}
