//! Documents that are small and lead a naive reader along very many ways.

use std::process::Command;

use crate::support::Folder;

fn reference(to: usize) -> String {
    format!(r##"{{"$ref":"#/components/schemas/T{to}"}}"##)
}

/// Returns a description of procedures that take and return the first of some shared schemas.
fn description(procedures: usize, schemas: &[String]) -> String {
    let first = reference(0);
    let procedures: Vec<String> = (0..procedures)
        .map(|at| {
            format!(
                r#"{{"name":"p{at}","params":[{{"name":"a","type":"any","required":true,
                "schema":{first}}}],"return":{{"type":"any","schema":{first}}}}}"#
            )
        })
        .collect();
    let schemas = schemas.iter().enumerate();
    let schemas: Vec<String> = schemas
        .map(|(at, schema)| format!(r#""T{at}":{schema}"#))
        .collect();
    format!(
        r#"{{"sdversion":"2.0","name":"chain","id":"urn:chain","procs":[{}],
        "components":{{"schemas":{{{}}}}}}}"#,
        procedures.join(","),
        schemas.join(",")
    )
}

/// Returns a description with a chain of shared schemas, each of which leads to the next one twice.
fn chain(keyword: &str, length: usize, procedures: usize) -> String {
    let link = |at: usize| {
        let next = reference(at + 1);
        format!(r#"{{"{keyword}":[{next},{next}]}}"#)
    };
    let mut schemas: Vec<String> = (0..length).map(link).collect();
    schemas.push(r#"{"type":"string"}"#.to_owned());
    description(procedures, &schemas)
}

/// Returns a description of shared schemas that all lead to each other.
fn clique(keyword: &str, size: usize) -> String {
    let schema = |at: usize| {
        let others: Vec<String> = (0..size)
            .filter(|index| *index != at)
            .map(reference)
            .collect();
        format!(
            r#"{{"{keyword}":[{},{{"type":"string"}}]}}"#,
            others.join(",")
        )
    };
    description(size, &(0..size).map(schema).collect::<Vec<_>>())
}

/// Runs a command that may take this much time of the processor, so that other programs do not count.
fn runs_within(seconds: u32, arguments: &[&str]) {
    let script = format!("ulimit -t {seconds} && exec \"$0\" \"$@\"");
    let ran = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_docent")])
        .args(arguments)
        .output()
        .expect("a shell");
    assert!(
        matches!(ran.status.code(), Some(0 | 1)),
        "{arguments:?}: {ran:?}"
    );
}

#[test]
fn a_chain_of_alternatives_costs_seconds_at_most() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let folder = Folder::new();
        let document = chain(keyword, 40, 1);
        let file = folder.write("chain.json", &document);
        let changed = folder.write("changed.json", &document.replace("string", "integer"));
        runs_within(20, &["docs", &file, "-o", &folder.arg("site")]);
        runs_within(20, &["check", &file]);
        runs_within(20, &["diff", &file, &changed]);
    }
}

#[test]
fn schemas_that_lead_to_all_others_cost_seconds_at_most() {
    let folder = Folder::new();
    let document = clique("allOf", 30);
    let file = folder.write("clique.json", &document);
    let changed = folder.write("changed.json", &document.replace("string", "integer"));
    runs_within(40, &["docs", &file, "-o", &folder.arg("site")]);
    runs_within(40, &["check", &file]);
    runs_within(40, &["diff", &file, &changed]);
}

#[test]
fn a_large_type_is_shown_on_its_own_page_only() {
    let member = |at| format!(r#""m{at}":{{"type":"string","minLength":1}}"#);
    let members: Vec<String> = (0..2_000).map(member).collect();
    let schema = format!(
        r#"{{"type":"object","properties":{{{}}}}}"#,
        members.join(",")
    );
    let folder = Folder::new();
    let file = folder.write("large.json", &description(50, &[schema]));
    runs_within(40, &["docs", &file, "-o", &folder.arg("site")]);
    assert!(folder.read("site/p0.html").contains("types/T0.html"));
    assert!(!folder.read("site/p0.html").contains("m1000"));
}
