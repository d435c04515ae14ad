//! Bearer tokens: which credentials are accepted.

use actix_web::http::header::HeaderValue;
use docent::{BearerToken, CallInfo, Guard, Rejection, Service};

use crate::guards::{ID, Runs, WRITE, procedures};
use crate::{Response, ask, post};

/// Returns the response to a write with these values of `Authorization`, for a service with this
/// token.
async fn write_with(token: &str, credentials: &[&[u8]]) -> Response {
    let service = Service::builder("guarded", ID)
        .procedures(procedures(&Runs::default()))
        .guard(BearerToken::new("shop", token, |_| true))
        .build()
        .expect("a service");
    let request = credentials.iter().fold(post(WRITE), |request, credential| {
        let value = HeaderValue::from_bytes(credential).expect("a header field's value");
        request.append_header(("authorization", value))
    });
    ask(&service, request).await
}

const UNKNOWN: &str = "Bearer realm=\"shop\"";
const WRONG: &str = "Bearer realm=\"shop\", error=\"invalid_token\"";

#[actix_web::test]
async fn only_one_whole_credential_with_the_right_token_gets_in() {
    let cases: [(&[&[u8]], Option<&str>); 20] = [
        (&[b"Bearer s3cret"], None),
        (&[b"bearer s3cret"], None),
        (&[b"BEARER s3cret"], None),
        (&[b"Bearer   s3cret  "], None),
        (&[], Some(UNKNOWN)),
        (&[b""], Some(UNKNOWN)),
        (&[b"Bearer"], Some(WRONG)),
        (&[b"Bearer "], Some(WRONG)),
        (&[b"s3cret"], Some(UNKNOWN)),
        (&[b"Basic s3cret"], Some(UNKNOWN)),
        (&[b"Bearers3cret"], Some(UNKNOWN)),
        (&[b"Bearer\ts3cret"], Some(WRONG)),
        (&[b"Bearer s3cre"], Some(WRONG)),
        (&[b"Bearer s3cret2"], Some(WRONG)),
        (&[b"Bearer S3CRET"], Some(WRONG)),
        (&[b"Bearer s3 cret"], Some(WRONG)),
        (&[b"Bearer s3cret, Bearer s3cret"], Some(WRONG)),
        (&[b"Bearer s3cret\xff"], Some(WRONG)),
        (&[b"Bearer s3cret", b"Bearer s3cret"], Some(UNKNOWN)),
        (&[b"Basic eDp5", b"Bearer s3cret"], Some(UNKNOWN)),
    ];
    for (credentials, challenge) in cases {
        let response = write_with("s3cret", credentials).await;
        let shown: Vec<_> = credentials
            .iter()
            .map(|value| value.escape_ascii())
            .map(|value| value.to_string())
            .collect();
        let status = if challenge.is_some() { 401 } else { 200 };
        assert_eq!(response.status, status, "{shown:?}");
        assert_eq!(response.header("www-authenticate"), challenge, "{shown:?}");
    }
}

#[actix_web::test]
async fn an_invalid_token_is_a_mistake_that_does_not_reveal_it() {
    let built = |token: &str| {
        Service::builder("guarded", ID)
            .procedures(procedures(&Runs::default()))
            .guard(BearerToken::new("shop", token, |_| true))
            .build()
    };
    for token in ["=", "two words", " s3cret", "schlüssel", "s3cret\n", "a=b"] {
        let mistakes = built(token).expect_err("no caller can send it").to_string();
        assert!(
            mistakes.contains("\"shop\": the token has characters"),
            "{mistakes}"
        );
        assert!(
            token == "=" || !mistakes.contains(token.trim()),
            "{mistakes}"
        );
    }
    let mistakes = built("").expect_err("no caller can send it").to_string();
    assert!(
        mistakes.contains("\"shop\": the token is empty"),
        "{mistakes}"
    );

    let response = write_with("aZ0-._~+/==", &[b"Bearer aZ0-._~+/=="]).await;
    assert_eq!(response.status, 200);
}

/// Returns a challenge that is invalid in a header field.
struct Broken;
impl Guard for Broken {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Err(Rejection::unauthorized("Bearer\r\nX-Evil: 1"))
    }
}

#[actix_web::test]
async fn a_realm_is_quoted_and_a_challenge_that_no_header_can_carry_is_left_out() {
    let realm = "a \"quoted\" \\ realm, zu Köln\r\nX-Evil: 1";
    let service = Service::builder("guarded", ID)
        .procedures(procedures(&Runs::default()))
        .guard(BearerToken::new(realm, "s3cret", |_| true))
        .build()
        .expect("a service");
    let response = ask(&service, post(WRITE)).await;
    assert_eq!(
        response.header("www-authenticate"),
        Some(r#"Bearer realm="a \"quoted\" \\ realm, zu KlnX-Evil: 1""#)
    );

    let service = Service::builder("guarded", ID)
        .procedures(procedures(&Runs::default()))
        .guard(Broken)
        .build()
        .expect("a service");
    let response = ask(&service, post(WRITE)).await;
    assert_eq!(
        (response.status.as_u16(), response.header("x-evil")),
        (401, None)
    );
}
