//! Identities of callers over HTTP: ready authenticators, statuses and challenges.

use std::borrow::Cow;
use std::time::Duration;

use docent::{
    ApiKey, Authentication, Authenticator, Bearer, CallInfo, Credentials, Cx, Fault, Guard,
    Identity, Procedure, Rejection, Service, either, json,
};
use serde_json::Value;

use crate::{Response, ask, get, post};

const ID: &str = "urn:uuid:41544946-415a-495a-5645-454441534606";

const WHO: &str = r#"{"jsonrpc":"2.0","method":"who","id":1}"#;

struct User(String);

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.0)
    }

    fn has_scope(&self, scope: &str) -> bool {
        self.0 == "clara" && scope == "clerk"
    }
}

/// The owner of a secret, in the way of a database.
async fn owner(secret: String) -> Result<Option<User>, String> {
    tokio::task::yield_now().await;
    match &*secret {
        "s3cret" => Ok(Some(User("clara".to_owned()))),
        "0ther" => Ok(Some(User("otto".to_owned()))),
        "broken" => Err("the database is down".to_owned()),
        _ => Ok(None),
    }
}

fn service(authenticator: impl Authenticator<Identity = User>) -> Service {
    let who = |cx: Cx<(), User>, (): ()| {
        assert!(cx.extension::<docent::Headers>().is_some());
        Ok::<_, Fault>(cx.caller().id().into_owned())
    };
    let maybe = |cx: Cx<(), Option<User>>, (): ()| Ok::<_, Fault>(cx.caller().is_some());
    Service::builder("callers", ID)
        .authenticate(authenticator)
        .procedure(Procedure::sync("who", who).idempotent())
        .procedure(Procedure::sync("maybe", maybe).idempotent())
        .procedure(Procedure::sync("file", |_: Cx, (): ()| Ok::<_, Fault>(())).scope("clerk"))
        .procedure(Procedure::sync("open", |_: Cx, (): ()| Ok::<_, Fault>(())))
        .build()
        .expect("a service")
}

async fn who(service: &Service, fields: &[(&str, &str)]) -> Response {
    let request = fields
        .iter()
        .fold(post(WHO), |request, field| request.append_header(*field));
    ask(service, request).await
}

#[actix_web::test]
async fn a_bearer_token_is_looked_up_and_only_a_whole_one_is_a_token() {
    let service = service(Bearer::new("shop", owner));
    let unknown = Some("Bearer realm=\"shop\"");
    let wrong = Some("Bearer realm=\"shop\", error=\"invalid_token\"");
    let cases = [
        (&["Bearer s3cret"][..], 200, None),
        (&["bEARER   0ther "], 200, None),
        (&[], 401, unknown),
        (&["Bearer"], 401, wrong),
        (&["s3cret"], 401, unknown),
        (&["Basic s3cret"], 401, unknown),
        (&["Bearers3cret"], 401, unknown),
        (&["Bearer s3cret", "Bearer s3cret"], 401, unknown),
        (&["Bearer s3cret, Bearer s3cret"], 401, wrong),
        (&["Bearer S3cret"], 401, wrong),
    ];
    for (credentials, status, challenge) in cases {
        let fields: Vec<_> = credentials
            .iter()
            .map(|token| ("authorization", *token))
            .collect();
        let response = who(&service, &fields).await;
        assert_eq!(response.status, status, "{credentials:?}");
        assert_eq!(
            response.header("www-authenticate"),
            challenge,
            "{credentials:?}"
        );
    }
    let clara = who(&service, &[("authorization", "Bearer s3cret")]).await;
    assert_eq!(clara.json()["result"], "clara");
    let broken = who(&service, &[("authorization", "Bearer broken")]).await;
    assert_eq!(broken.status, 200);
    assert_eq!(broken.json()["error"]["code"], -32603);
    assert!(!broken.body.contains("database"));
}

/// An authenticator that cannot find out now who is calling.
struct Away;

impl Authenticator for Away {
    type Identity = User;

    fn authenticate(&self, _: Credentials<'_>) -> Authentication<User> {
        Authentication::rejected(Rejection::busy("no database", Duration::from_secs(7)))
    }
}

#[actix_web::test]
async fn while_an_authenticator_is_busy_callers_get_the_time_to_wait() {
    let service = service(Away);
    let posted = who(&service, &[]).await;
    assert_eq!(posted.status, 200);
    let data = json!({"reason": "no database", "retryAfter": 7});
    assert_eq!(posted.json()["error"]["code"], -32002);
    assert_eq!(posted.json()["error"]["data"], data);
    let got = ask(&service, get("/rpc/who")).await;
    assert_eq!(got.status, 503);
    assert_eq!(got.header("retry-after"), Some("7"));
    for response in [posted, got] {
        assert_eq!(response.header("www-authenticate"), None);
    }
}

#[actix_web::test]
async fn a_caller_without_the_scope_is_forbidden_and_one_without_a_token_unauthorised() {
    let service = service(Bearer::sync("shop", |token| {
        (token == "s3cret")
            .then(|| User("clara".to_owned()))
            .or_else(|| (token == "0ther").then(|| User("otto".to_owned())))
    }));
    let file = r#"{"jsonrpc":"2.0","method":"file","id":1}"#;
    for (token, status) in [("s3cret", 200), ("0ther", 403), ("w", 401)] {
        let request = post(file).insert_header(("authorization", format!("Bearer {token}")));
        let response = ask(&service, request).await;
        assert_eq!(response.status, status, "{token}");
        assert_eq!(response.header("www-authenticate").is_some(), status == 401);
    }
    let request = post(&format!("[{file},{WHO}]")).insert_header(("authorization", "Bearer 0ther"));
    let response = ask(&service, request).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.json()[0]["error"]["code"], -32007);
    assert_eq!(response.json()[1]["result"], "otto");
}

#[actix_web::test]
async fn what_get_answers_a_caller_is_private_and_varies_by_what_shows_who_it_is() {
    let service = service(ApiKey::new("X-Shop-Key", owner));
    for procedure in ["who", "maybe"] {
        let request = get(&format!("/rpc/{procedure}")).insert_header(("x-shop-key", "s3cret"));
        let response = ask(&service, request).await;
        assert_eq!(response.status, 200);
        let control = response.header("cache-control").expect("a cache's rule");
        assert!(control.contains("private"), "{control}");
        let vary = response.header("vary").expect("a list");
        assert!(vary.contains("X-Shop-Key"), "{vary}");
    }
    let refused = ask(&service, get("/rpc/who")).await;
    assert_eq!(refused.status, 401);
    assert_eq!(
        refused.header("www-authenticate"),
        Some("ApiKey realm=\"X-Shop-Key\"")
    );
    assert_eq!(
        ask(&service, get("/rpc/maybe")).await.json()["result"],
        false
    );
}

#[test]
fn a_key_in_a_field_that_no_request_has_is_a_mistake() {
    for field in ["", "*", "X Key", "X-Key:", "Schlüssel", "x\r\ny"] {
        let refused = Service::builder("callers", ID)
            .authenticate(ApiKey::new(field, owner))
            .procedure(Procedure::sync("open", |_: Cx, (): ()| Ok::<_, Fault>(())).scope("clerk"))
            .build()
            .expect_err("no field");
        let text = refused.to_string();
        assert!(text.contains("is not a valid field name"), "{text}");
        assert!(text.contains(&format!("{field:?}")), "{text}");
    }
}

#[actix_web::test]
async fn a_protected_description_is_protected_wherever_it_is_served() {
    let service = Service::builder("callers", ID)
        .authenticate(Bearer::new("shop", owner))
        .protect(|procedure| procedure.name == "rpc.describe")
        .procedure(Procedure::sync("open", |_: Cx, (): ()| Ok::<_, Fault>(())))
        .build()
        .expect("a service");
    for target in ["/rpc", "/rpc/rpc.describe", "/rpc/rpc.discover"] {
        assert_eq!(ask(&service, get(target)).await.status, 401, "{target}");
        let request = get(target).insert_header(("authorization", "Bearer s3cret"));
        assert_eq!(ask(&service, request).await.status, 200, "{target}");
    }
}

#[actix_web::test]
async fn a_name_and_a_password_are_decoded_as_utf_8() {
    use docent::Basic;

    let service = service(Basic::sync("shop", |login| {
        let known = login.name == "clara" && login.password == "pä:ss";
        known.then_some(User(login.name))
    }));
    let challenge = Some("Basic realm=\"shop\", charset=\"UTF-8\"");
    // Passwords may contain colons and be empty; `clara` alone has none.
    for (credential, status) in [
        ("Basic Y2xhcmE6cMOkOnNz", 200),
        ("basic  Y2xhcmE6cMOkOnNz", 200),
        ("Basic Y2xhcmE6cOQ6c3M=", 401),
        ("Basic Y2xhcmE6", 401),
        ("Basic Y2xhcmE=", 401),
        ("Basic !", 401),
        ("Basic ", 401),
        ("Bearer Y2xhcmE6cMOkOnNz", 401),
    ] {
        let response = who(&service, &[("authorization", credential)]).await;
        assert_eq!(response.status, status, "{credential}");
        let challenge = challenge.filter(|_| status == 401);
        assert_eq!(
            response.header("www-authenticate"),
            challenge,
            "{credential}"
        );
    }
}

fn description(service: &Service) -> Value {
    serde_json::from_slice(&service.rendered_description()).expect("JSON")
}

#[test]
fn the_description_names_the_scheme_of_each_authenticator() {
    let description = description(&service(ApiKey::new("X-Shop-Key", owner)));
    assert_eq!(
        description["securitySchemes"],
        json!({"apiKey": {"type": "apiKey", "in": "header", "name": "X-Shop-Key"}})
    );
    for (index, security) in [
        json!(["apiKey"]),
        json!([{"oneOf": ["apiKey", {}]}]),
        json!([{"apiKey": ["clerk"]}]),
        Value::Null,
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(description["procs"][index]["security"], security);
    }
}

#[test]
fn the_description_of_a_scheme_is_published() {
    let bearer = Bearer::new("shop", owner).description("Ask Clara.");
    assert_eq!(
        description(&service(bearer))["securitySchemes"]["bearer"],
        json!({"type": "http", "scheme": "bearer", "description": "Ask Clara."})
    );
}

/// Rejects wrong bands, and lets callers without one pass.
struct Wristband;

impl Guard for Wristband {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        match attempt.field("authorization").next() {
            Some(b"Band 7") | None => Ok(()),
            Some(_) => Err(Rejection::unauthorized("Band")),
        }
    }
}

#[actix_web::test]
async fn two_authorization_fields_are_wrong_credentials_whatever_they_hold() {
    let wristband = Service::builder("callers", ID)
        .procedure(Procedure::sync("maybe", |_: Cx, (): ()| Ok::<_, Fault>(false)).idempotent())
        .guard(Wristband)
        .build()
        .expect("a service");
    let services = [
        (service(Bearer::new("shop", owner)), "Bearer s3cret"),
        (service(ApiKey::new("Authorization", owner)), "s3cret"),
        (wristband, "Band 7"),
    ];
    let maybe = r#"{"jsonrpc":"2.0","method":"maybe","id":1}"#;
    for (service, right) in &services {
        assert_eq!(ask(service, post(maybe)).await.status, 200);
        for second in [right, "", "Basic Og==", "Bearer w"] {
            for fields in [[right, second], [second, right], [second, second]] {
                for request in [post(maybe), get("/rpc/maybe"), get("/rpc/maybe?x=1")] {
                    let request = fields.iter().fold(request, |request, value| {
                        request.append_header(("authorization", *value))
                    });
                    let response = ask(service, request).await;
                    let status = response.status.as_u16();
                    assert!(
                        [401, 403].contains(&status),
                        "{fields:?}: {}",
                        response.body
                    );
                    assert_eq!(response.json()["error"]["code"], -32007, "{fields:?}");
                }
            }
        }
        // Everything else is as it was.
        let open = r#"{"jsonrpc":"2.0","method":"nothing","id":1}"#;
        let request = post(open).append_header(("authorization", "a"));
        let response = ask(service, request.append_header(("authorization", "b"))).await;
        assert_eq!(response.json()["error"]["code"], -32601);
    }
}

/// A service whose callers show a bearer token, a key or a card.
fn service_with_alternatives() -> Service {
    let key = ApiKey::sync("X-Api-Key", |key: String| {
        (key == "k3y").then(|| User("otto".to_owned()))
    });
    let card = ApiKey::sync("X-Card", |card: String| {
        (card == "c4rd").then(|| User("carl".to_owned()))
    });
    service(either(Bearer::new("shop", owner), either(key, card)))
}

#[actix_web::test]
async fn one_of_several_credentials_suffices_and_the_first_identifies_the_caller() {
    let service = service_with_alternatives();
    for (fields, caller) in [
        (&[("authorization", "Bearer s3cret")][..], "clara"),
        (&[("x-api-key", "k3y")], "otto"),
        (&[("x-card", "c4rd")], "carl"),
        (
            &[("authorization", "Bearer s3cret"), ("x-api-key", "k3y")],
            "clara",
        ),
    ] {
        let response = who(&service, fields).await;
        assert_eq!(response.json()["result"], caller, "{fields:?}");
    }
}

#[actix_web::test]
async fn a_caller_without_a_right_credential_gets_the_challenges_of_all() {
    let service = service_with_alternatives();
    for (fields, first) in [
        (&[][..], "Bearer realm"),
        (&[("authorization", "Basic s3cret")], "Bearer realm"),
        (&[("authorization", "Bearer no")], "invalid_token"),
        (&[("x-api-key", "no")], "ApiKey realm"),
        // A wrong token is wrong, whatever else is sent.
        (
            &[("authorization", "Bearer no"), ("x-api-key", "k3y")],
            "invalid_token",
        ),
        (&[("x-api-key", "no"), ("x-card", "c4rd")], "ApiKey realm"),
    ] {
        let response = who(&service, fields).await;
        assert_eq!(response.status, 401, "{fields:?}");
        let challenge = response.header("www-authenticate").expect("a challenge");
        for expected in [
            first,
            "Bearer realm=\"shop\"",
            "realm=\"X-Api-Key\"",
            "realm=\"X-Card\"",
        ] {
            assert!(challenge.contains(expected), "{fields:?}: {challenge}");
        }
    }
    let anonymous = who(&service, &[]).await;
    assert_eq!(
        anonymous.header("www-authenticate"),
        Some(r#"Bearer realm="shop", ApiKey realm="X-Api-Key", ApiKey realm="X-Card""#)
    );
}

#[actix_web::test]
async fn a_known_caller_without_the_scope_gets_no_challenge() {
    let service = service_with_alternatives();
    let file = r#"{"jsonrpc":"2.0","method":"file","id":1}"#;
    let response = ask(&service, post(file).insert_header(("x-api-key", "k3y"))).await;
    assert_eq!(response.status, 403);
    assert_eq!(response.header("www-authenticate"), None);
}

#[actix_web::test]
async fn descriptions_list_the_credentials_of_which_one_suffices() {
    let service = service_with_alternatives();
    let described = ask(&service, get("/rpc/rpc.describe")).await.json();
    let schemes = &described["result"]["securitySchemes"];
    let names: Vec<&String> = schemes.as_object().expect("schemes").keys().collect();
    assert_eq!(names, ["apiKey", "apiKey2", "bearer"], "{schemes}");
    let [who, maybe, file, open] = &described["result"]["procs"].as_array().expect("a list")[..4]
    else {
        panic!("four procedures");
    };
    assert_eq!(
        who["security"],
        json!([{"oneOf": ["bearer", "apiKey", "apiKey2"]}])
    );
    assert_eq!(
        maybe["security"],
        json!([{"oneOf": ["bearer", "apiKey", "apiKey2", {}]}])
    );
    assert_eq!(maybe.get("guarded"), None);
    assert_eq!(
        file["security"][0]["oneOf"][0],
        json!({"bearer": ["clerk"]})
    );
    assert_eq!(open.get("security"), None);

    let openapi = ask(&service, get("/rpc/rpc.openapi")).await.json();
    let paths = &openapi["result"]["paths"];
    assert_eq!(
        paths["/rpc/who"]["post"]["security"],
        json!([{"bearer": []}, {"apiKey": []}, {"apiKey2": []}])
    );
    assert_eq!(
        paths["/rpc/maybe"]["post"]["security"],
        json!([{"bearer": []}, {"apiKey": []}, {"apiKey2": []}, {}])
    );
}

/// A caller of another type.
struct Robot(String);

impl Identity for Robot {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.0)
    }
}

#[test]
fn keys_in_different_fields_have_different_names_in_the_description() {
    let service = Service::builder("callers", ID)
        .authenticate(ApiKey::sync("X-Key", |key| Some(User(key))).description("A reader's."))
        .authenticate(ApiKey::sync("X-Robot", |key| Some(Robot(key))))
        .procedure(Procedure::sync("read", |_: Cx<(), User>, (): ()| {
            Ok::<_, Fault>(())
        }))
        .procedure(Procedure::sync("sort", |_: Cx<(), Robot>, (): ()| {
            Ok::<_, Fault>(())
        }))
        .build()
        .expect("a service");
    let description = service.description();
    for (procedure, scheme, field) in [
        (&description.procs[0], "apiKey", "X-Key"),
        (&description.procs[1], "apiKey2", "X-Robot"),
    ] {
        let credential = procedure.credentials().next().expect("a credential");
        assert_eq!(credential.scheme, scheme);
        let definition = &description.security_schemes[scheme];
        assert_eq!(definition.get_str("name"), Some(field));
    }
}
