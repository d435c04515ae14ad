//! Documents that are small and lead a naive reader along very many ways.

use std::process::Command;

use crate::support::Folder;

/// Returns a description with a chain of shared schemas, each of which leads to the next one twice.
fn chain(keyword: &str) -> String {
    let reference = |at: usize| format!(r##"{{"$ref":"#/components/schemas/T{at}"}}"##);
    let schemas: Vec<String> = (0..100)
        .map(|at| {
            let next = reference(at + 1);
            format!(r#""T{at}":{{"{keyword}":[{next},{next}]}}"#)
        })
        .collect();
    let first = reference(0);
    format!(
        r#"{{"sdversion":"2.0","name":"chain","id":"urn:chain","procs":[{{"name":"p",
        "params":[{{"name":"a","type":"any","required":true,"schema":{first}}}],
        "return":{{"type":"any","schema":{first}}}}}],
        "components":{{"schemas":{{{},"T100":{{"type":"string"}}}}}}}}"#,
        schemas.join(",")
    )
}

#[test]
fn a_chain_of_alternatives_costs_seconds_at_most() {
    // The limit is on the time of the processor, so other programs do not count.
    let script = "ulimit -t 20 && exec \"$0\" \"$@\"";
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let folder = Folder::new();
        let file = folder.write("chain.json", &chain(keyword));
        let other_end = chain(keyword).replace("string", "integer");
        let changed = folder.write("changed.json", &other_end);
        let site = folder.arg("site");
        for arguments in [
            &["docs", &file, "-o", &site][..],
            &["check", &file],
            &["diff", &file, &changed],
        ] {
            let ran = Command::new("sh")
                .args(["-c", script, env!("CARGO_BIN_EXE_docent")])
                .args(arguments)
                .output()
                .expect("a shell");
            assert!(
                matches!(ran.status.code(), Some(0 | 1)),
                "{keyword}: {arguments:?}: {ran:?}"
            );
        }
    }
}
