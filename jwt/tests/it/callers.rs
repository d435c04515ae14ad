//! The callers whom claims name, and how they become callers of the author's own type.

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use docent::{Caller, Cx, Fault, Identity, Procedure, Service, ServiceBuilder, code};
use docent_jwt::{Claims, Jwt};
use serde_json::json;

use crate::keys::SigningKey;
use crate::{AUDIENCE, HOUR, call, claims, now};

const ISSUER: &str = "https://issuer.example";

fn builder() -> ServiceBuilder {
    Service::builder("library", "urn:uuid:41544946-415a-495a-5645-454441534673")
}

fn jwt(key: &SigningKey) -> Jwt {
    Jwt::with_keys(ISSUER, AUDIENCE, json!({"keys": [key.jwk()]}).to_string())
}

#[tokio::test]
async fn scopes_are_those_of_the_token() {
    let key = SigningKey::ec("1");
    let service = builder()
        .authenticate(jwt(&key))
        .procedure(
            Procedure::sync("whoami", |cx: Cx<(), Claims>, (): ()| {
                Ok::<_, Fault>(cx.caller().sub.clone())
            })
            .scope("books:write"),
        )
        .build()
        .expect("a service");
    let cases = [
        (json!({}), false),
        (json!({"scope": "books:read"}), false),
        (json!({"scope": "books:writer"}), false),
        (json!({"scope": "books:read books:write"}), true),
        (json!({"scp": "books:write"}), true),
        (json!({"scp": ["books:read", "books:write"]}), true),
        (json!({"scp": [["books:write"]]}), false),
        (json!({"scope": 1}), false),
    ];
    for (more, is_accepted) in cases {
        let mut claims = claims(ISSUER);
        let members = more.as_object().expect("an object").clone();
        claims.as_object_mut().expect("an object").extend(members);
        let expected = if is_accepted {
            Ok("clara".to_owned())
        } else {
            Err(code::REFUSED)
        };
        assert_eq!(
            call(&service, &key.token(&claims)).await,
            expected,
            "{more}"
        );
    }
}

/// A user of the service itself.
struct User {
    email: String,
    claims: Claims,
}

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.email)
    }

    fn valid_until(&self) -> Option<SystemTime> {
        self.claims.valid_until()
    }
}

/// Returns the seconds for which the credentials of a caller are good, in hours.
fn hours_left(user: &Caller<User>) -> u64 {
    let end = user.valid_until().expect("an end");
    let left = end
        .duration_since(SystemTime::now())
        .expect("a time to come");
    left.as_secs().div_ceil(HOUR)
}

fn whoami() -> Procedure<()> {
    Procedure::sync("whoami", |cx: Cx<(), User>, (): ()| {
        Ok::<_, Fault>(format!(
            "{} for {} h",
            cx.caller().id(),
            hours_left(cx.caller())
        ))
    })
}

#[tokio::test]
async fn claims_become_callers_of_the_authors_type_that_end_with_the_token() {
    let key = SigningKey::ec("1");
    let find = |claims: Claims| {
        Some(User {
            email: claims.get("email")?,
            claims,
        })
    };
    let at_once = builder().authenticate(jwt(&key).find_sync(find));
    let later = builder().authenticate(jwt(&key).find(move |claims| async move {
        tokio::task::yield_now().await;
        Ok::<_, Fault>(find(claims))
    }));
    for builder in [at_once, later] {
        let service = builder.procedure(whoami()).build().expect("a service");
        let mut claims = claims(ISSUER);
        assert_eq!(
            call(&service, &key.token(&claims)).await,
            Err(code::REFUSED)
        );
        claims["email"] = json!("clara@library.example");
        claims["exp"] = json!(now() + 5 * HOUR);
        let expected = "clara@library.example for 5 h".to_owned();
        assert_eq!(call(&service, &key.token(&claims)).await, Ok(expected));
        claims["email"] = json!(["clara@library.example"]);
        assert_eq!(
            call(&service, &key.token(&claims)).await,
            Err(code::REFUSED)
        );
    }
}

#[tokio::test]
async fn an_error_of_the_look_up_is_an_internal_error() {
    let key = SigningKey::ec("1");
    let jwt = jwt(&key).find(async |_| Err::<Option<User>, _>("no database"));
    let service = builder()
        .authenticate(jwt)
        .procedure(whoami())
        .build()
        .expect("a service");
    assert_eq!(
        call(&service, &key.token(&claims(ISSUER))).await,
        Err(code::INTERNAL_ERROR)
    );
}

#[tokio::test]
async fn an_expiry_has_parts_of_seconds_and_may_be_out_of_reach() {
    let key = SigningKey::ec("1");
    let service = builder()
        .authenticate(jwt(&key))
        .procedure(Procedure::sync("whoami", |cx: Cx<(), Claims>, (): ()| {
            let end = cx.caller().valid_until();
            let end = end.and_then(|end| end.duration_since(SystemTime::UNIX_EPOCH).ok());
            Ok::<_, Fault>(
                end.map(|end: Duration| end.as_millis())
                    .unwrap_or_default()
                    .to_string(),
            )
        }))
        .build()
        .expect("a service");
    let mut claims = claims(ISSUER);
    for (exp, millis) in [
        (json!(9_999_999_999.5), "9999999999500"),
        (json!(u64::MAX), "0"),
    ] {
        claims["exp"] = exp;
        assert_eq!(
            call(&service, &key.token(&claims)).await,
            Ok(millis.to_owned())
        );
    }
}
