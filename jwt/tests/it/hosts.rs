//! Tokens over HTTP.

use std::net::TcpStream;

use docent::testing::TestServer;
use docent_jwt::Jwt;
use raw_http::{Request, Response};

use crate::issuer::{Issuer, Manner};
use crate::keys::SigningKey;
use crate::{AUDIENCE, claims, service};

#[test]
fn over_http_a_wrong_token_is_401_with_its_challenge_and_missing_keys_are_503() {
    let key = SigningKey::ec("1");
    let issuer = Issuer::start(&[&key]);
    let running = |jwt| TestServer::start(service(jwt)).expect("a server");
    let server = running(Jwt::issuer(&issuer.url, AUDIENCE));
    issuer.set(Manner::IsDown);
    let other = running(Jwt::issuer(&issuer.url, "\"the\"\nlibrary"));
    let get = |server: &TestServer, token: Option<&str>| {
        let mut connection = TcpStream::connect(server.address()).expect("a connection");
        let value = token.map(|token| format!("Bearer {token}"));
        let mut request = Request::new("GET", "/rpc/whoami");
        if let Some(value) = &value {
            request = request.header("Authorization", value);
        }
        Response::exchange(&mut connection, &request)
    };
    let token = key.token(&claims(&issuer.url));
    let busy = get(&server, Some(&token));
    assert_eq!((busy.status, busy.header("retry-after")), (503, Some("10")));
    assert_eq!(busy.header("www-authenticate"), None);

    issuer.set(Manner::Answers);
    let absent = get(&other, None);
    let challenge = r#"Bearer realm="\"the\"\nlibrary""#;
    assert_eq!(
        (absent.status, absent.header("www-authenticate")),
        (401, Some(challenge))
    );
    let wrong = get(&other, Some(&token));
    let challenge = r#"Bearer realm="\"the\"\nlibrary", error="invalid_token""#;
    assert_eq!(
        (wrong.status, wrong.header("www-authenticate")),
        (401, Some(challenge))
    );
    let server = running(Jwt::issuer(&issuer.url, AUDIENCE));
    assert_eq!(get(&server, Some(&token)).status, 200);
}
