//! Tokens in descriptions, and settings that are mistakes.

use std::time::Duration;

use docent::{Cx, Fault, Procedure, Service};
use docent_jwt::{Claims, Jwt};

use crate::keys::{RSA_PEM, SigningKey};
use crate::{AUDIENCE, service};

const ISSUER: &str = "https://issuer.example";

#[test]
fn the_description_names_the_scheme() {
    let described = |jwt| {
        let service = service(jwt);
        service.description().security_schemes["bearer"].to_string()
    };
    assert_eq!(
        described(Jwt::issuer(ISSUER, AUDIENCE)),
        r#"{"bearerFormat":"JWT","description":"A JSON Web Token of https://issuer.example for `library`.","scheme":"bearer","type":"http"}"#
    );
    let described = described(Jwt::issuer(ISSUER, AUDIENCE).description("Ask at the desk."));
    assert!(
        described.contains(r#""description":"Ask at the desk.""#),
        "{described}"
    );
}

/// Returns the mistakes of a service with this authenticator.
fn mistakes(jwt: Jwt) -> Vec<String> {
    let built = Service::builder("library", "urn:uuid:41544946-415a-495a-5645-454441534674")
        .authenticate(jwt)
        .procedure(Procedure::sync("whoami", |cx: Cx<(), Claims>, (): ()| {
            Ok::<_, Fault>(cx.caller().sub.clone())
        }))
        .build();
    let Err(error) = built else {
        return Vec::new();
    };
    error.mistakes().iter().map(ToString::to_string).collect()
}

#[test]
fn settings_that_cannot_work_are_mistakes() {
    let private =
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n";
    let certificate = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
    let cases = [
        (
            Jwt::issuer("http://issuer.example", AUDIENCE),
            "only `https` is fetched",
        ),
        (
            Jwt::issuer("issuer", AUDIENCE),
            "issuer/.well-known/openid-configuration",
        ),
        (
            Jwt::issuer("ftp://issuer.example", AUDIENCE).allow_http(),
            "only `https` is fetched",
        ),
        (
            Jwt::issuer(ISSUER, AUDIENCE).jwks_url("http://issuer.example/jwks"),
            "only `https` is fetched",
        ),
        (
            Jwt::issuer(ISSUER, AUDIENCE).algorithms(["ES256", "HS256"]),
            "\"HS256\" is no algorithm with a public key",
        ),
        (
            Jwt::issuer(ISSUER, AUDIENCE).algorithms(["none"]),
            "\"none\"",
        ),
        (
            Jwt::with_keys(ISSUER, AUDIENCE, ""),
            "neither a JWKS nor a public key",
        ),
        (
            Jwt::with_keys(ISSUER, AUDIENCE, private),
            "neither a JWKS nor a public key",
        ),
        (
            Jwt::with_keys(ISSUER, AUDIENCE, certificate),
            "neither a JWKS nor a public key",
        ),
        (
            Jwt::with_keys(
                ISSUER,
                AUDIENCE,
                "-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----\n",
            ),
            "the public key in PEM format",
        ),
        (Jwt::with_keys(ISSUER, AUDIENCE, "{}"), "no JWKS"),
        (
            Jwt::with_keys(ISSUER, AUDIENCE, r#"{"keys": []}"#),
            "no key verifies tokens",
        ),
        (
            Jwt::with_keys(ISSUER, AUDIENCE, RSA_PEM).max_age(Duration::from_secs(60)),
            "no setting about fetching them",
        ),
    ];
    for (jwt, mistake) in cases {
        let name = format!("{jwt:?}: {mistake}");
        let mistakes = mistakes(jwt);
        assert_eq!(mistakes.len(), 1, "{name}: {mistakes:?}");
        assert!(mistakes[0].contains(mistake), "{name}: {mistakes:?}");
        assert!(!mistakes[0].contains("MC4CAQAwBQYDK2VwBCIEIA"), "{name}");
    }
    for jwt in [
        Jwt::issuer(ISSUER, AUDIENCE),
        Jwt::issuer("http://localhost:9000", AUDIENCE),
        Jwt::issuer("http://[::1]:9000/realms/a", AUDIENCE),
        Jwt::issuer("http://issuer.example", AUDIENCE).allow_http(),
        Jwt::issuer("issuer", AUDIENCE).jwks_url("https://issuer.example/jwks"),
        Jwt::with_keys("issuer", AUDIENCE, SigningKey::ed("1").pem()),
    ] {
        let name = format!("{jwt:?}");
        assert_eq!(mistakes(jwt), [""; 0], "{name}");
    }
}
