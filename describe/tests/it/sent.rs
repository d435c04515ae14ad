//! Renderings of subscriptions, of what a service sends, and of alternatives of credentials.

use docent_describe::json::{Json, Object, Pointer};
use docent_describe::render::{
    FORMAT_SCHEMA, OpenApiOptions, OpenRpcVersion, SYSTEM_DESCRIBE_SCHEMA, describe, json_schema,
    openapi, openrpc, system_describe, tools,
};
use docent_describe::{
    Credential, Direction, ParamDescription, ProcedureDescription, Requirement, ReturnDescription,
    ServiceDescription, SubscriptionDescription,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::faults::faults;

/// A service with a call, a subscription, and what it sends.
fn service() -> ServiceDescription {
    let text: Json = r#"{"type": "string"}"#.parse().unwrap();
    let named = |name: &str| {
        let mut procedure = ProcedureDescription::new(name);
        procedure.tags = vec![name.into()];
        procedure.params = vec![ParamDescription::new("a", text.clone())];
        procedure
    };
    let subscription = SubscriptionDescription::new(ReturnDescription::new(text.clone()));
    let mut watch = named("watch");
    watch.subscription = Some(subscription);
    let mut ask = named("ask");
    ask.direction = Direction::Server;
    let mut service = ServiceDescription::default();
    service.procs = vec![named("call"), watch, ask];
    service
}

fn at<'d>(document: &'d Json, pointer: &str) -> &'d Json {
    Pointer::resolve(pointer, document).unwrap_or_else(|| panic!("{pointer}: {document}"))
}

fn names(list: &Json) -> Vec<&str> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|procedure| at(procedure, "/name").as_str().unwrap())
        .collect()
}

#[test]
fn only_what_clients_call_is_in_formats_that_know_nothing_else_and_subscriptions_in_some() {
    let service = service();
    let strict = system_describe(&service);
    assert_eq!(faults(SYSTEM_DESCRIBE_SCHEMA, &strict), [""; 0]);
    assert_eq!(names(at(&strict, "/procs")), ["call"]);
    let tools = tools(&service, |procedure| Some(&procedure.name), true);
    assert_eq!(names(&tools), ["call"]);
    let document = openapi(&service, OpenApiOptions::default());
    assert!(
        at(&document, "/paths")
            .as_object()
            .unwrap()
            .keys()
            .eq(["/call", "/watch"])
    );
    assert_eq!(names(at(&document, "/tags")), ["call", "watch"]);
}

#[test]
fn all_is_in_formats_that_can_say_who_sends_it() {
    let service = service();
    let described = describe(&service);
    assert_eq!(faults(FORMAT_SCHEMA, &described), [""; 0]);
    assert_eq!(names(at(&described, "/procs")), ["call", "watch", "ask"]);
    assert_eq!(at(&described, "/procs/2/direction"), &Json::from("server"));
    let schema = json_schema(&service);
    at(&schema, "/$defs/watch.item");
    at(&schema, "/$defs/ask.params");
    let document = openrpc(&service, OpenRpcVersion::V1_2_6);
    assert_eq!(
        at(&document, "/methods/1/result/schema/type"),
        &Json::from("string")
    );
}

#[test]
fn every_rendering_says_that_unknown_parameters_are_ignored() {
    let mut service = service();
    service.procs[0].ignores_unknown = true;
    let tool = tools(&service, |procedure| Some(&procedure.name), true);
    let schema = json_schema(&service);
    let document = openapi(&service, OpenApiOptions::default());
    let post = at(&document, "/paths/~1call/post");
    for params in [
        at(&tool, "/0/inputSchema"),
        at(&schema, "/$defs/call.params"),
        at(
            post,
            "/requestBody/content/application~1json/schema/properties/params",
        ),
    ] {
        assert!(params.get("additionalProperties").is_none(), "{params}");
    }
    assert_eq!(at(post, "/x-ignores-unknown"), &Json::Bool(true));
    let described = describe(&service);
    assert_eq!(at(&described, "/procs/0/ignoresUnknown"), &Json::Bool(true));
    let document = openrpc(&service, OpenRpcVersion::V1_3_2);
    assert_eq!(
        at(&document, "/methods/0/x-ignores-unknown"),
        &Json::Bool(true)
    );
    // Others refuse them, and say so.
    at(&schema, "/$defs/ask.params/additionalProperties");
}

#[test]
fn alternatives_of_credentials_are_alternatives_in_open_api() {
    let mut service = service();
    let [card, desk, pin] = ["card", "desk", "pin"].map(Credential::new);
    service.security_schemes = ["card", "desk", "pin"]
        .map(|name| (name, Object::new().with("type", "mutualTLS").into()))
        .into();
    let one_of = vec![card, desk];
    service.procs[0].security = vec![Requirement::new(one_of), pin.into()];
    let document = openapi(&service, OpenApiOptions::default());
    assert_eq!(
        at(&document, "/paths/~1call/post/security").to_string(),
        r#"[{"card":[],"pin":[]},{"desk":[],"pin":[]}]"#
    );
}

prop_compose! {
    fn credential()(scheme in "[ab]", scopes in vec("[xy]", 0..3)) -> Credential {
        let mut credential = Credential::new(scheme);
        credential.scopes = scopes;
        credential
    }
}

/// All that a caller can bring: of each scheme nothing, or a credential with some of the scopes.
fn brought() -> Vec<Vec<Credential>> {
    let mut brought = Vec::new();
    for first in credentials_of("a") {
        for second in credentials_of("b") {
            brought.push(first.iter().cloned().chain(second).collect());
        }
    }
    brought
}

/// Returns no credential of a scheme, and one with each combination of scopes.
fn credentials_of(scheme: &str) -> Vec<Option<Credential>> {
    let mut credentials = vec![None];
    for scopes in [&[][..], &["x"], &["y"], &["x", "y"]] {
        let mut credential = Credential::new(scheme);
        credential.scopes = scopes.iter().map(|&scope: &&str| scope.into()).collect();
        credentials.push(Some(credential));
    }
    credentials
}

/// Returns whether credentials include one that is needed.
fn has(brought: &[Credential], needed: &Credential) -> bool {
    brought.iter().any(|own| own.includes(needed))
}

/// Returns whether credentials meet all requirements.
fn meets_all(brought: &[Credential], requirements: &[Requirement]) -> bool {
    requirements.iter().all(|requirement| {
        requirement.optional || requirement.one_of.iter().any(|needed| has(brought, needed))
    })
}

proptest! {
    #[test]
    fn alternatives_let_in_whom_requirements_let_in(
        required in vec(vec(credential(), 1..4).prop_map(Requirement::new), 0..4),
        optional in vec(vec(credential(), 1..3).prop_map(Requirement::optional), 0..2),
    ) {
        let required = [required, optional].concat();
        let alternatives = Requirement::alternatives(&required).unwrap();
        let again = Requirement::from_alternatives(&alternatives).unwrap();
        for brought in brought() {
            let meets_one = alternatives
                .iter()
                .any(|alternative| alternative.iter().all(|needed| has(&brought, needed)));
            prop_assert_eq!(meets_all(&brought, &required), meets_one, "{:?} {:?}", required, alternatives);
            prop_assert_eq!(meets_all(&brought, &again), meets_one, "{:?} {:?}", required, again);
        }
    }
}

#[test]
fn an_optional_caller_may_bring_credentials_or_nothing() {
    let mut service = service();
    let [card, pin] = ["card", "pin"].map(Credential::new);
    service.security_schemes = ["card", "pin"]
        .map(|name| (name, Object::new().with("type", "mutualTLS").into()))
        .into();
    for (security, listed, ways) in [
        (
            vec![Requirement::optional(vec![card.clone()])],
            r#"[{"oneOf":["card",{}]}]"#,
            r#"[{"card":[]},{}]"#,
        ),
        (
            vec![Requirement::optional(vec![card.clone(), pin.clone()])],
            r#"[{"oneOf":["card","pin",{}]}]"#,
            r#"[{"card":[]},{"pin":[]},{}]"#,
        ),
        (
            vec![pin.into(), Requirement::optional(vec![card])],
            r#"["pin",{"oneOf":["card",{}]}]"#,
            r#"[{"pin":[],"card":[]},{"pin":[]}]"#,
        ),
    ] {
        let is_restricted = security.len() > 1;
        service.procs[0].security = security;
        assert_eq!(service.procs[0].is_restricted(), is_restricted);
        let described = describe(&service);
        assert_eq!(at(&described, "/procs/0/security").to_string(), listed);
        let document = openapi(&service, OpenApiOptions::default());
        let post = at(&document, "/paths/~1call/post");
        assert_eq!(at(post, "/security").to_string(), ways);
        // A wrong credential is rejected.
        at(post, "/responses/401");
        let document = openrpc(&service, OpenRpcVersion::V1_3_2);
        assert_eq!(at(&document, "/methods/0/x-security").to_string(), ways);
        assert!(at(&document, "/methods/0").get("x-guarded").is_none());
    }
}

#[test]
fn requirements_with_too_many_alternatives_are_not_converted() {
    let mut required = Vec::new();
    for number in 0..10 {
        let mut credentials = Vec::new();
        for scheme in 0..10 {
            credentials.push(Credential::new(format!("{number}-{scheme}")));
        }
        required.push(Requirement::new(credentials));
    }
    assert_eq!(Requirement::alternatives(&required), None);
    let mut service = service();
    service.procs[0].security = required;
    // A rendering does not deny what it cannot say.
    let document = openrpc(&service, OpenRpcVersion::V1_3_2);
    assert_eq!(at(&document, "/methods/0/x-guarded"), &Json::Bool(true));
}
