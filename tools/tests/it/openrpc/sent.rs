//! Subscriptions, what a service sends, and alternatives of credentials.

use docent_describe::json::{Json, Object};
use docent_describe::render::{OpenRpcVersion, describe, openrpc};
use docent_describe::{Direction, ServiceDescription};

use super::document;
use crate::read::{reading, warnings};

const EXAMPLE: &str = include_str!("../../../../spec/examples/subscriptions.json");

/// Returns the names of the methods of a document.
fn methods(service: &ServiceDescription, version: OpenRpcVersion) -> Vec<String> {
    let document = openrpc(service, version);
    let methods = document.get("methods").and_then(Json::as_array).unwrap();
    let name = |method: &Json| method.get("name").unwrap().as_str().unwrap().to_owned();
    methods.iter().map(name).collect()
}

/// Returns the names of what the service of a document sends, and whether each is a notification.
#[track_caller]
fn sent(document: &str) -> Vec<(String, bool)> {
    let reading = reading(document);
    assert_eq!(warnings(&reading), [""; 0]);
    let mut sent = Vec::new();
    for procedure in reading.description.procs {
        if procedure.direction == Direction::Server {
            sent.push((procedure.name, procedure.notification));
        }
    }
    sent
}

#[test]
fn a_document_with_every_member_comes_back_without_loss() {
    let service = reading(EXAMPLE).description;
    for version in [
        OpenRpcVersion::V1_2_6,
        OpenRpcVersion::V1_3_2,
        OpenRpcVersion::V1_4_1,
    ] {
        let again = reading(&openrpc(&service, version).to_string());
        assert_eq!(warnings(&again), [""; 0]);
        assert_eq!(again.description, service);
    }
}

#[test]
fn a_notification_with_a_name_of_its_own_is_a_method_once() {
    let mut service = reading(EXAMPLE).description;
    let own = [
        "loan.watch",
        "visitors.watch",
        "book.move",
        "closing",
        "desk.ask",
    ];
    assert_eq!(methods(&service, OpenRpcVersion::V1_2_6), own);
    let with_visitors = [&own[..], &["visitors"]].concat();
    assert_eq!(methods(&service, OpenRpcVersion::V1_3_2), with_visitors);
    let document = openrpc(&service, OpenRpcVersion::V1_4_1);
    let visitors = &document.get("methods").and_then(Json::as_array).unwrap()[5];
    let params = visitors.get("params").and_then(Json::as_array).unwrap();
    let params: Vec<String> = params
        .iter()
        .map(|param| param.get("schema").unwrap().to_string())
        .collect();
    assert_eq!(
        params,
        [r#"{"type":"string"}"#, r#"{"type":"integer","minimum":0}"#]
    );
    assert!(visitors.get("result").is_none());
    assert_eq!(visitors.get("x-direction"), Some(&Json::from("server")));

    // Two subscriptions may share a notification.
    let mut twin = service.procs[1].clone();
    twin.name = "guests.watch".into();
    service.procs.push(twin);
    assert_eq!(
        methods(&service, OpenRpcVersion::V1_3_2).last().unwrap(),
        "visitors"
    );
    let again = reading(&openrpc(&service, OpenRpcVersion::V1_3_2).to_string());
    assert_eq!(again.description, service);

    // A method of that name already says what there is to say.
    service.procs[3].name = "visitors".into();
    let names = methods(&service, OpenRpcVersion::V1_3_2);
    assert_eq!(names.iter().filter(|name| *name == "visitors").count(), 1);
    let again = reading(&openrpc(&service, OpenRpcVersion::V1_3_2).to_string());
    assert_eq!(again.description, service);
}

#[test]
fn what_other_authors_list_apart_is_sent_by_the_service() {
    let document = document(
        r#"{"name": "ask", "params": [], "result": {"name": "r", "schema": {}}}"#,
        r#", "x-notifications": [{"name": "ready", "summary": "s"}, {"name": "gone", "params": []}],
            "x-server-requests": [{"name": "ask", "params": [], "result": {"name": "r", "schema": {"type": "string"}}}]"#,
    );
    let expected = [("ready", true), ("gone", true), ("ask", false)];
    let expected = expected.map(|(name, is_notification)| (name.to_owned(), is_notification));
    assert_eq!(sent(&document), expected);
    let service = reading(&document).description;
    for text in [
        openrpc(&service, OpenRpcVersion::V1_3_2).to_string(),
        describe(&service).to_string(),
    ] {
        let again = reading(&text);
        assert_eq!(warnings(&again), [""; 0]);
        assert_eq!(again.description, service);
    }
}

#[test]
fn a_notification_of_subscriptions_is_known_by_its_name_and_only_without_a_result() {
    let result = r#""result": {"name": "r", "schema": {"type": "string"}}"#;
    for (methods, expected) in [
        // Starknet.
        (
            vec![
                ("a_subscribeHeads", true),
                ("a_subscriptionHeads", false),
                ("a_subscriptionReorg", false),
            ],
            vec!["a_subscriptionHeads", "a_subscriptionReorg"],
        ),
        // Ethereum describes what it sends in words.
        (
            vec![("eth_subscribe", true), ("eth_unsubscribe", true)],
            vec![],
        ),
        (
            vec![("eth_subscribe", true), ("eth_subscription", true)],
            vec![],
        ),
        (
            vec![("eth_subscribe", true), ("cancelSubscription", false)],
            vec![],
        ),
        (vec![("a_subscriptionHeads", false)], vec![]),
    ] {
        let methods: Vec<String> = methods
            .into_iter()
            .map(|(name, has_result)| {
                let result = if has_result {
                    format!(", {result}")
                } else {
                    String::new()
                };
                format!(r#"{{"name": "{name}", "params": []{result}}}"#)
            })
            .collect();
        let document = document(&methods.join(","), "");
        let names: Vec<String> = sent(&document).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, expected, "{document}");
    }
}

#[test]
fn alternatives_of_credentials_are_requirements() {
    for (ways, required) in [
        (r#"{"a":[],"b":["x"]}"#, r#"["a",{"b":["x"]}]"#),
        (
            r#"[{"a":[]},{"b":["x"]}]"#,
            r#"[{"oneOf":["a",{"b":["x"]}]}]"#,
        ),
        (
            r#"[{"a":[],"c":[]},{"b":[],"c":[]}]"#,
            r#"[{"oneOf":["a","b"]},"c"]"#,
        ),
        (
            r#"[{"a":[]},{"b":[],"c":[]}]"#,
            r#"[{"oneOf":["a","b"]},{"oneOf":["a","c"]}]"#,
        ),
        (
            r#"[{"a":["x"]},{"a":["y"]}]"#,
            r#"[{"oneOf":[{"a":["x"]},{"a":["y"]}]}]"#,
        ),
        // An empty alternative makes the others optional.
        (r#"[{"a":[]},{}]"#, r#"[{"oneOf":["a",{}]}]"#),
        (
            r#"[{"a":[]},{"b":["x"]},{}]"#,
            r#"[{"oneOf":["a",{"b":["x"]},{}]}]"#,
        ),
        (
            r#"[{"b":[],"a":[]},{"b":[]}]"#,
            r#"["b",{"oneOf":["a",{}]}]"#,
        ),
    ] {
        let method = format!(r#"{{"name": "m", "params": [], "x-security": {ways}}}"#);
        let reading = reading(&document(&method, ""));
        assert_eq!(warnings(&reading), [""; 0]);
        let member = |document: &Json, list: &str, name: &str| {
            let procs = document.get(list).and_then(Json::as_array).unwrap();
            procs[0].get(name).unwrap().to_string()
        };
        let described = describe(&reading.description);
        assert_eq!(member(&described, "procs", "security"), required);
        let again = openrpc(&reading.description, OpenRpcVersion::V1_3_2);
        assert_eq!(member(&again, "methods", "x-security"), ways);
    }
}

#[test]
fn a_procedure_without_alternatives_needs_no_credentials() {
    for ways in ["[]", "{}", "[{}]"] {
        let method = format!(r#"{{"name": "m", "params": [], "x-security": {ways}}}"#);
        let reading = reading(&document(&method, ""));
        assert_eq!(reading.description.procs[0].security, []);
    }
}

#[test]
fn too_many_alternatives_are_told_and_the_procedure_stays_restricted() {
    let ways: Vec<Json> = (0..10)
        .map(|way| {
            let schemes =
                (0..10).map(|scheme| (format!("{way}-{scheme}"), Json::Array(Vec::new())));
            Json::Object(schemes.collect::<Object>())
        })
        .collect();
    let method = format!(
        r#"{{"name": "m", "params": [], "x-security": {}}}"#,
        Json::from(ways)
    );
    let reading = reading(&document(&method, ""));
    assert_eq!(
        warnings(&reading),
        ["/methods/0/x-security: these are too many alternatives; left out"]
    );
    assert!(reading.description.procs[0].is_restricted());
}
