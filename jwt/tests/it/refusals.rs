//! Tokens that are wrong, each in one way. To callers, all are the same; the log says what is wrong.

use serde_json::{Value, json};

use crate::issuer::Issuer;
use crate::keys::{RSA_PEM, SigningKey, encode, sign_with_secret};
use crate::{AUDIENCE, HOUR, Log, REFUSED, accepted, call, claims, now, service};
use docent_jwt::Jwt;

const ISSUER: &str = "https://issuer.example";

/// An issuer with keys of three types, whose tokens are checked without a network.
struct Keys {
    ec: SigningKey,
    ed: SigningKey,
    rsa: SigningKey,
}

impl Keys {
    fn new() -> Self {
        Self {
            ec: SigningKey::ec("ec"),
            ed: SigningKey::ed("ed"),
            rsa: SigningKey::rsa("rsa"),
        }
    }

    fn jwt(&self) -> Jwt {
        let keys = json!({"keys": [self.ec.jwk(), self.ed.jwk(), self.rsa.jwk()]});
        Jwt::with_keys(ISSUER, AUDIENCE, keys.to_string())
    }

    /// Returns a token with a changed header.
    fn with_header(&self, member: &str, value: Value) -> String {
        let mut header = json!({"alg": "ES256", "kid": "ec"});
        header[member] = value;
        self.ec
            .sign(&header.to_string(), &claims(ISSUER).to_string())
    }

    /// Returns a token with a changed claim; `null` takes it away.
    fn with_claim(&self, name: &str, value: Value) -> String {
        let mut claims = claims(ISSUER);
        match value {
            Value::Null => drop(claims.as_object_mut().expect("an object").remove(name)),
            value => claims[name] = value,
        }
        self.ec.token(&claims)
    }

    /// Returns a token with claims that no `Value` can hold.
    fn with_text(&self, claims: &str) -> String {
        self.ec.sign(r#"{"alg":"ES256","kid":"ec"}"#, claims)
    }
}

#[tokio::test]
async fn tokens_of_each_type_of_key_are_accepted_without_a_network() {
    let keys = Keys::new();
    let service = service(keys.jwt());
    for key in [&keys.ec, &keys.ed, &keys.rsa] {
        assert_eq!(
            call(&service, &key.token(&claims(ISSUER))).await,
            accepted(),
            "{}",
            key.id
        );
    }
    let ways = [
        ("aud", json!([AUDIENCE, "another"])),
        ("exp", json!(now() - 30)),
        ("exp", json!(9_999_999_999.5)),
        ("nbf", json!(now() + 30)),
        ("nbf", json!(now() - HOUR)),
    ];
    for (claim, value) in ways {
        let token = keys.with_claim(claim, value.clone());
        assert_eq!(call(&service, &token).await, accepted(), "{claim}: {value}");
    }
    for name in ["JWT", "jwt", "at+jwt", "application/at+jwt"] {
        assert_eq!(
            call(&service, &keys.with_header("typ", json!(name))).await,
            accepted(),
            "{name}"
        );
    }
    // What leads to other keys is not followed.
    let other = SigningKey::ec("ec");
    for (member, value) in [
        ("jku", json!("http://127.0.0.1:1/jwks")),
        ("x5u", json!("http://127.0.0.1:1/certificate")),
        ("jwk", other.jwk()),
    ] {
        let token = keys.with_header(member, value);
        assert_eq!(call(&service, &token).await, accepted(), "{member}");
    }
}

#[tokio::test]
async fn tokens_that_the_issuer_has_not_signed_are_refused_alike_and_the_log_says_why() {
    let keys = Keys::new();
    let other = SigningKey::ec("ec");
    let good = claims(ISSUER).to_string();
    let cases = [
        ("no token", String::new(), "InvalidToken"),
        ("a text", "u7Qz.2fK~9".to_owned(), "InvalidToken"),
        (
            "four parts",
            format!("{}.a", keys.ec.token(&claims(ISSUER))),
            "Base64",
        ),
        (
            "`alg: none`",
            format!(
                "{}.{}.",
                encode(r#"{"alg":"none","kid":"ec"}"#),
                encode(&good)
            ),
            "unknown variant `none`",
        ),
        (
            "an RSA public key as a secret",
            sign_with_secret(r#"{"alg":"HS256","kid":"rsa"}"#, &good, RSA_PEM.as_bytes()),
            "HS256 is not accepted",
        ),
        (
            "a key of another type",
            keys.ed.sign(r#"{"alg":"EdDSA","kid":"ec"}"#, &good),
            "not for the algorithm EdDSA",
        ),
        (
            "another algorithm than that of the key",
            keys.rsa.sign(r#"{"alg":"ES256","kid":"rsa"}"#, &good),
            "not for the algorithm ES256",
        ),
        (
            "an algorithm twice",
            keys.ec
                .sign(r#"{"alg":"ES256","alg":"none","kid":"ec"}"#, &good),
            "duplicate field",
        ),
        (
            "a key that is not there",
            keys.with_header("kid", json!("old")),
            "no key",
        ),
        (
            "a path as a key ID",
            keys.with_header("kid", json!("../../../dev/null")),
            "no key",
        ),
        (
            "a giant key ID",
            keys.with_header("kid", json!("k".repeat(9000))),
            "no key",
        ),
        (
            "a giant token",
            keys.with_header("kid", json!("k".repeat(20_000))),
            "16384 bytes",
        ),
        (
            "a line break in the log",
            keys.with_header("alg", json!("\nall is well")),
            "\\nall is well",
        ),
        (
            "the key in the token",
            {
                let header = json!({"alg": "ES256", "kid": "ec", "jwk": other.jwk()});
                other.sign(&header.to_string(), &good)
            },
            "InvalidSignature",
        ),
        ("`crit`", keys.with_header("crit", json!(["exp"])), "`crit`"),
        (
            "`crit` with `b64`",
            {
                let header = r#"{"alg":"ES256","kid":"ec","crit":["b64"],"b64":true}"#;
                keys.ec.sign(header, &good)
            },
            "`crit`",
        ),
        (
            "another `typ`",
            keys.with_header("typ", json!("logout+jwt")),
            "`typ`",
        ),
        (
            "another signature",
            other.token(&claims(ISSUER)),
            "InvalidSignature",
        ),
    ];
    refuses(&keys, cases).await;
}

#[tokio::test]
async fn tokens_with_wrong_claims_are_refused_alike_and_the_log_says_why() {
    let keys = Keys::new();
    let good = claims(ISSUER).to_string();
    let twice = format!(r#"{{"exp":{},"#, now() + HOUR);
    let cases = [
        ("no `exp`", keys.with_claim("exp", Value::Null), "exp"),
        (
            "an `exp` that is a text",
            keys.with_claim("exp", json!("9999999999")),
            "exp",
        ),
        ("an `exp` below 0", keys.with_claim("exp", json!(-1)), "exp"),
        (
            "`exp` twice",
            keys.with_text(&good.replacen('{', &twice, 1)),
            "duplicate field `exp`",
        ),
        (
            "`exp` over",
            keys.with_claim("exp", json!(now() - HOUR)),
            "ExpiredSignature",
        ),
        (
            "`nbf` to come",
            keys.with_claim("nbf", json!(now() + HOUR)),
            "ImmatureSignature",
        ),
        (
            "an `nbf` that is a text",
            keys.with_claim("nbf", json!("0")),
            "nbf",
        ),
        ("no `aud`", keys.with_claim("aud", Value::Null), "aud"),
        (
            "another `aud`",
            keys.with_claim("aud", json!("archive")),
            "InvalidAudience",
        ),
        (
            "other `aud`s",
            keys.with_claim("aud", json!(["archive", "librar"])),
            "InvalidAudience",
        ),
        ("no `iss`", keys.with_claim("iss", Value::Null), "iss"),
        (
            "another `iss`",
            keys.with_claim("iss", json!("https://issuer.example/")),
            "InvalidIssuer",
        ),
        (
            "several `iss`",
            keys.with_claim("iss", json!([ISSUER])),
            "expected a string",
        ),
        ("no `sub`", keys.with_claim("sub", Value::Null), "sub"),
        ("no object", keys.with_text("[]"), "JSON"),
    ];
    refuses(&keys, cases).await;
}

/// Calls with wrong tokens, each with its name and a part of what the log says.
async fn refuses<const N: usize>(keys: &Keys, cases: [(&str, String, &str); N]) {
    let service = service(keys.jwt());
    let (log, _guard) = Log::start();
    for (name, token, reason) in cases {
        assert_eq!(call(&service, &token).await, REFUSED, "{name}");
        let logged = log.take();
        assert!(logged.contains("a token was refused"), "{name}: {logged}");
        assert!(logged.contains(reason), "{name}: {logged}");
        assert_eq!(logged.lines().count(), 1, "{name}: {logged}");
    }
}

#[tokio::test]
async fn what_a_key_says_of_itself_limits_its_use() {
    let key = SigningKey::rsa("rsa");
    let token = key.token(&claims(ISSUER));
    let cases = [
        ("alg", json!("RS256"), true),
        ("alg", json!("PS256"), false),
        ("alg", json!("RSA-OAEP"), false),
        ("alg", json!("new"), false),
        ("use", json!("sig"), true),
        ("use", json!("enc"), false),
        ("key_ops", json!(["verify"]), true),
        ("key_ops", json!(["encrypt"]), false),
    ];
    for (member, value, is_accepted) in cases {
        let mut jwk = key.jwk();
        jwk[member] = value.clone();
        let other = SigningKey::ed("other");
        let keys = json!({"keys": [jwk, other.jwk()]});
        let service = service(Jwt::with_keys(ISSUER, AUDIENCE, keys.to_string()));
        let expected = if is_accepted { accepted() } else { REFUSED };
        assert_eq!(call(&service, &token).await, expected, "{member}: {value}");
    }
}

#[tokio::test]
async fn keys_of_unknown_types_are_left_out() {
    let key = SigningKey::ec("ec");
    let keys = json!({"keys": [
        {"kty": "oct", "kid": "secret", "k": encode("secret")},
        {"kty": "EC", "crv": "secp256k1", "kid": "curve", "x": "AA", "y": "AA"},
        {"kty": "EC", "crv": "P-521", "kid": "large", "x": "AA", "y": "AA"},
        {"kty": "OKP", "crv": "X25519", "kid": "exchange", "x": "AA"},
        {"kty": "AKP", "kid": "new", "pub": "AA"},
        {"kid": 3},
        "a text",
        key.jwk(),
    ]});
    let service = service(Jwt::with_keys(ISSUER, AUDIENCE, keys.to_string()));
    assert_eq!(
        call(&service, &key.token(&claims(ISSUER))).await,
        accepted()
    );
    let header = r#"{"alg":"HS256","kid":"secret"}"#;
    let token = sign_with_secret(header, &claims(ISSUER).to_string(), b"secret");
    assert_eq!(call(&service, &token).await, REFUSED);
}

#[tokio::test]
async fn a_token_without_a_key_id_is_held_against_the_keys_of_its_algorithm() {
    let keys = Keys::new();
    let service = service(keys.jwt());
    for (key, header) in [
        (&keys.ec, r#"{"alg":"ES256"}"#),
        (&keys.rsa, r#"{"alg":"RS256"}"#),
    ] {
        let token = key.sign(header, &claims(ISSUER).to_string());
        assert_eq!(call(&service, &token).await, accepted(), "{header}");
    }
    let token = keys
        .ed
        .sign(r#"{"alg":"RS256"}"#, &claims(ISSUER).to_string());
    assert_eq!(call(&service, &token).await, REFUSED);
}

#[tokio::test]
async fn a_key_in_pem_format_verifies_tokens_with_any_key_id() {
    for key in [
        SigningKey::ec("ec"),
        SigningKey::ed("ed"),
        SigningKey::rsa("rsa"),
    ] {
        let service = service(Jwt::with_keys(ISSUER, AUDIENCE, key.pem()));
        assert_eq!(
            call(&service, &key.token(&claims(ISSUER))).await,
            accepted(),
            "{}",
            key.id
        );
        let header = format!(r#"{{"alg":"HS256","kid":"{}"}}"#, key.id);
        let good = claims(ISSUER).to_string();
        let token = sign_with_secret(&header, &good, key.pem().as_bytes());
        assert_eq!(call(&service, &token).await, REFUSED, "{}", key.id);
    }
}

#[tokio::test]
async fn only_the_named_algorithms_are_accepted() {
    let keys = Keys::new();
    let service = service(keys.jwt().algorithms(["ES256", "PS256"]));
    assert_eq!(
        call(&service, &keys.ec.token(&claims(ISSUER))).await,
        accepted()
    );
    assert_eq!(
        call(&service, &keys.ed.token(&claims(ISSUER))).await,
        REFUSED
    );
    assert_eq!(
        call(&service, &keys.rsa.token(&claims(ISSUER))).await,
        REFUSED
    );
}

#[tokio::test]
async fn the_leeway_can_be_set() {
    let keys = Keys::new();
    let minute = std::time::Duration::from_secs(60);
    let patient = service(keys.jwt().leeway(120 * minute));
    let strict = service(keys.jwt().leeway(minute));
    for token in [
        keys.with_claim("exp", json!(now() - HOUR)),
        keys.with_claim("nbf", json!(now() + HOUR)),
    ] {
        assert_eq!(call(&patient, &token).await, accepted());
        assert_eq!(call(&strict, &token).await, REFUSED);
    }
    assert_eq!(
        call(&patient, &keys.with_claim("exp", json!(now() - 3 * HOUR))).await,
        REFUSED
    );
}

#[tokio::test]
async fn a_token_of_another_issuer_that_has_the_same_key_id_is_refused() {
    let key = SigningKey::ec("1");
    let other = SigningKey::ec("1");
    let issuer = Issuer::start(&[&key]);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
    assert_eq!(
        call(&service, &other.token(&claims(&issuer.url))).await,
        REFUSED
    );
    assert_eq!(
        call(&service, &key.token(&claims(&issuer.url))).await,
        accepted()
    );
}
