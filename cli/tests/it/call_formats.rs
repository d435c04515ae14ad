//! Formats of parameters that are checked before a call is sent.

use crate::service::{Response, Server};
use crate::support::docent;

const SCHEMAS: [(&str, &str); 2] = [("day", "date"), ("post", "email")];

/// A description by Docent, with this member beside its name.
fn docent_description(member: &str) -> String {
    let params = SCHEMAS.map(|(name, format)| {
        format!(
            r#"{{"name": "{name}", "required": false, "type": "str",
               "schema": {{"type": "string", "format": "{format}"}}}}"#
        )
    });
    format!(
        r#"{{"sdversion": "2.0", "name": "desk", "id": "urn:desk"{member},
           "procs": [{{"name": "find", "idempotent": true, "params": [{}]}}]}}"#,
        params.join(",")
    )
}

fn openrpc_document() -> String {
    let params = SCHEMAS.map(|(name, format)| {
        format!(r#"{{"name": "{name}", "schema": {{"type": "string", "format": "{format}"}}}}"#)
    });
    format!(
        r#"{{"openrpc": "1.3.2", "info": {{"title": "desk", "version": "1"}},
           "methods": [{{"name": "find", "params": [{}], "result": {{"name": "r", "schema": {{}}}}}}]}}"#,
        params.join(",")
    )
}

/// The parameters that are refused before they are sent.
fn refused(description: &str, procedure: &'static str) -> Vec<&'static str> {
    let text = description.to_owned();
    let server = Server::start(move |request| {
        if request.body.contains(r#""method":"find""#) {
            let body = if request.body.contains(r#""version":"1.1""#) {
                r#"{"version":"1.1","result":1,"id":1}"#
            } else {
                r#"{"jsonrpc":"2.0","result":1,"id":1}"#
            };
            return Response::new(200, body);
        }
        Response::of_service(request, procedure, &text)
    });
    let url = server.url("/rpc");
    let mut refused = Vec::new();
    for (name, _) in SCHEMAS {
        let mut command = docent(["call", &url, "find", &format!("{name}=soon")]);
        let output = command.output().expect("it runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) => {}
            Some(2) if error.contains("nothing was sent") => refused.push(name),
            code => panic!("{name}: {code:?}: {error}"),
        }
    }
    refused
}

#[test]
fn only_the_formats_that_a_service_enforces_are_checked() {
    for (member, expected) in [
        ("", &[][..]),
        (r#", "enforcedFormats": []"#, &[]),
        (r#", "enforcedFormats": ["date", "uuid"]"#, &["day"]),
        (r#", "enforcedFormats": ["email"]"#, &["post"]),
        (
            r#", "enforcedFormats": ["email", "date"]"#,
            &["day", "post"],
        ),
    ] {
        let found = refused(&docent_description(member), "rpc.describe");
        assert_eq!(found, expected, "{member}");
    }
}

#[test]
fn other_descriptions_do_not_say_which_formats_are_enforced() {
    assert_eq!(refused(&openrpc_document(), "rpc.discover"), [""; 0]);
    let old = r#"{"sdversion": "1.0", "name": "desk", "id": "urn:desk", "procs": [
      {"name": "find", "params": [{"name": "day", "type": "str"}, {"name": "post", "type": "str"}]}]}"#;
    assert_eq!(refused(old, "system.describe"), [""; 0]);
}
