//! The authenticator: from the token of a request to its caller.

use std::borrow::Cow;
use std::fmt;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use docent_core::{
    Authentication, Authenticator, BoxFuture, Credentials, Identity, Json, Rejection,
};
use jsonwebtoken::Algorithm;
use serde_json::json;

use crate::claims::Claims;
use crate::issuer::{IssuerKeys, MIN_INTERVAL, Source};
use crate::key_set::KeySet;
use crate::provider;
use crate::token::Rules;

/// The default maximum age of the keys of an issuer.
const MAX_AGE: Duration = Duration::from_secs(10 * 60);

/// The default leeway, in seconds.
const LEEWAY: u64 = 60;

/// The maximum leeway, in seconds.
const MAX_LEEWAY: u64 = 24 * 60 * 60;

/// The algorithms that are accepted by default: all with public keys.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// The maximum number of characters that a log has of why a token is wrong.
const MAX_REASON: usize = 200;

/// Identifies callers by a JSON Web Token in `Authorization: Bearer …` (RFC 7519, RFC 6750).
///
/// ```
/// use docent::{Caller, Fault, Service, procedure};
/// use docent_jwt::{Claims, Jwt};
///
/// /// Returns the ID of the caller.
/// #[procedure]
/// fn whoami(user: Caller<Claims>) -> Result<String, Fault> {
///     Ok(user.sub.clone())
/// }
///
/// let service = Service::builder("library", "urn:uuid:41544946-415a-495a-5645-454441534670")
///     .authenticate(Jwt::issuer("https://issuer.example", "library"))
///     .procedure(whoami::procedure())
///     .build()?;
/// # Ok::<(), docent::BuildError>(())
/// ```
///
/// A token is accepted if
///
/// - one of the issuer's keys has signed it, with an algorithm that this key is for,
/// - `iss` is the issuer, `aud` names the audience, and there is a `sub`,
/// - `exp` is in the future and `nbf`, if there is one, in the past, give or take the [leeway](Self::leeway),
/// - `typ` is `JWT` or `at+jwt`, if there is one.
///
/// Any other gets 401, always with the same challenge. The log says why, at the level `info`.
///
/// The algorithms are RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384 and EdDSA with Ed25519. None of them has a
/// shared secret, as HS256 has.
pub struct Jwt<U = Claims> {
    checks: Checks<U>,
    description: Option<Box<str>>,
    problems: Vec<String>,
}

/// The checks of a token. The parts are shared with the requests that wait.
struct Checks<U> {
    keys: Keys,
    rules: Arc<Rules>,
    find: Find<U>,
}

/// Finds the caller whom claims name; `None` if they name none.
type Find<U> = Arc<dyn Fn(Claims) -> BoxFuture<Result<Option<U>, Rejection>> + Send + Sync>;

#[derive(Clone)]
enum Keys {
    Fixed(Arc<KeySet>),
    Issuer(Arc<IssuerKeys>),
}

impl Jwt {
    /// Accepts the tokens of an issuer for an audience: the texts that `iss` and `aud` have in tokens. The audience is
    /// often the address or the name of your service.
    ///
    /// The issuer says where its keys are at `/.well-known/openid-configuration`, below its address (OpenID Connect
    /// Discovery 1.0). For one that does not, set [`jwks_url`](Self::jwks_url).
    ///
    /// - Nothing is fetched before the first token comes. Fetching needs a Tokio runtime, such as that of your host.
    /// - Keys that are 5 minutes old are fetched again in the background. For those that are 10 minutes old
    ///   ([`max_age`](Self::max_age)), calls wait until they are, so no key is good for longer once the issuer has
    ///   withdrawn it. A token that names an unknown key has them fetched at once, at most every 10 s.
    /// - A fetch takes 5 s at most and follows no redirect. Proxies from the environment are not used.
    /// - While the issuer does not answer, known keys are good for one hour since they were fetched. Without them, calls
    ///   get -32002, with the seconds to wait in `data.retryAfter`, and may be repeated.
    pub fn issuer(issuer: impl Into<String>, audience: impl Into<String>) -> Self {
        let issuer = issuer.into();
        let source = Source {
            issuer: issuer.clone(),
            jwks_url: None,
            allows_http: false,
            max_age: MAX_AGE,
        };
        let keys = Keys::Issuer(Arc::new(IssuerKeys::new(source)));
        Self::new(keys, issuer, audience.into())
    }

    /// Accepts the tokens of an issuer for an audience, with keys that do not change and are not fetched: a public key in
    /// PEM format, or a set of keys (JWKS). A single key in PEM format verifies tokens with any `kid`.
    ///
    /// ```
    /// use docent_jwt::Jwt;
    ///
    /// let keys = r#"{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;
    /// let tokens = Jwt::with_keys("https://issuer.example", "library", keys);
    /// # let _ = tokens;
    /// ```
    pub fn with_keys(
        issuer: impl Into<String>,
        audience: impl Into<String>,
        keys: impl AsRef<str>,
    ) -> Self {
        let read = KeySet::read(keys.as_ref());
        let problem = read.as_ref().err().cloned();
        let keys = Keys::Fixed(Arc::new(read.unwrap_or_default()));
        let mut jwt = Self::new(keys, issuer.into(), audience.into());
        jwt.problems.extend(problem);
        jwt
    }

    fn new(keys: Keys, issuer: String, audience: String) -> Self {
        provider::ensure();
        let rules = Rules {
            issuer,
            audience,
            algorithms: ALGORITHMS.to_vec(),
            leeway: LEEWAY,
        };
        Self {
            checks: Checks {
                keys,
                rules: Arc::new(rules),
                find: Arc::new(|claims| Box::pin(ready(Ok(Some(claims))))),
            },
            description: None,
            problems: Vec::new(),
        }
    }
}

impl<U: Identity> Jwt<U> {
    /// Finds the callers of your own type with an async function, such as by asking a database. It takes the claims of a
    /// token, and returns `None` if they name no caller. An error becomes an Internal error.
    ///
    /// Return [`claims.valid_until()`](Identity::valid_until) from the method of your type, so that subscriptions end
    /// when the token expires.
    pub fn find<V, E, F, Fut>(self, find: F) -> Jwt<V>
    where
        V: Identity,
        E: fmt::Display,
        F: Fn(Claims) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<V>, E>> + Send + 'static, // not async: `find_sync`
    {
        self.with_find(Arc::new(move |claims| {
            let found = find(claims);
            Box::pin(async move { found.await.map_err(Rejection::internal) })
        }))
    }

    /// Finds the callers of your own type with a function that does not block. See [`find`](Self::find).
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use std::time::SystemTime;
    ///
    /// use docent::Identity;
    /// use docent_jwt::{Claims, Jwt};
    ///
    /// struct User {
    ///     email: String,
    ///     claims: Claims,
    /// }
    ///
    /// impl Identity for User {
    ///     fn id(&self) -> Cow<'_, str> {
    ///         self.claims.id()
    ///     }
    ///
    ///     fn valid_until(&self) -> Option<SystemTime> {
    ///         self.claims.valid_until()
    ///     }
    /// }
    ///
    /// let tokens = Jwt::issuer("https://issuer.example", "library").find_sync(|claims: Claims| {
    ///     Some(User { email: claims.get("email")?, claims })
    /// });
    /// # let _ = tokens;
    /// ```
    pub fn find_sync<V: Identity>(
        self,
        find: impl Fn(Claims) -> Option<V> + Send + Sync + 'static,
    ) -> Jwt<V> {
        self.with_find(Arc::new(move |claims| Box::pin(ready(Ok(find(claims))))))
    }

    fn with_find<V>(self, find: Find<V>) -> Jwt<V> {
        let Checks { keys, rules, .. } = self.checks;
        Jwt {
            checks: Checks { keys, rules, find },
            description: self.description,
            problems: self.problems,
        }
    }

    /// Sets the address of the issuer's keys, for an issuer that does not say it.
    pub fn jwks_url(self, url: impl Into<String>) -> Self {
        self.with_source(|source| source.jwks_url = Some(url.into()))
    }

    /// Sets how long keys are used before they are fetched again: 10 minutes by default, and an hour at most. It is also how
    /// long a token is accepted, at most, after its issuer has withdrawn the key.
    pub fn max_age(self, max_age: Duration) -> Self {
        self.with_source(|source| source.max_age = max_age)
    }

    /// Allows an address that starts with `http:`, which is otherwise for this machine alone. The network in between
    /// can then replace the keys.
    pub fn allow_http(self) -> Self {
        self.with_source(|source| source.allows_http = true)
    }

    fn with_source(mut self, change: impl FnOnce(&mut Source)) -> Self {
        match &mut self.checks.keys {
            Keys::Issuer(issuer) => {
                let mut source = issuer.source().clone();
                change(&mut source);
                *issuer = Arc::new(IssuerKeys::new(source));
            }
            Keys::Fixed(_) => {
                let problem = "the keys are given, so no setting about fetching them has an effect";
                self.problems.push(problem.to_owned());
            }
        }
        self
    }

    /// Accepts only these algorithms, such as `["ES256"]`.
    pub fn algorithms<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut algorithms = Vec::new();
        for name in names {
            match name.parse::<Algorithm>() {
                Ok(algorithm) if ALGORITHMS.contains(&algorithm) => algorithms.push(algorithm),
                _ => self
                    .problems
                    .push(format!("{name:?} is no algorithm with a public key")),
            }
        }
        Arc::make_mut(&mut self.checks.rules).algorithms = algorithms;
        self
    }

    /// Sets by how much the clocks of the issuer and of this machine may differ: 60 s by default, and a day at most.
    pub fn leeway(mut self, leeway: Duration) -> Self {
        Arc::make_mut(&mut self.checks.rules).leeway = leeway.as_secs().min(MAX_LEEWAY);
        self
    }

    /// Describes where callers get a token, in Markdown. By default, it says who the issuer is.
    pub fn description(mut self, description: impl Into<Box<str>>) -> Self {
        self.description = Some(description.into());
        self
    }
}

impl<U: Identity> Checks<U> {
    async fn identify(&self, token: &[u8]) -> Result<Option<U>, Rejection> {
        let header = self.rules.read_header(token);
        let header = header.map_err(|reason| self.refused(&reason))?;
        let keys = match &self.keys {
            Keys::Fixed(keys) => Arc::clone(keys),
            Keys::Issuer(issuer) => issuer.for_token(&header).await.ok_or_else(|| {
                Rejection::busy("the keys of the issuer cannot be fetched", MIN_INTERVAL)
            })?,
        };
        let claims = self.rules.verify(token, &header, &keys);
        let claims = claims.map_err(|reason| self.refused(&reason))?;
        match (self.find)(claims).await? {
            Some(caller) => Ok(Some(caller)),
            None => Err(self.refused("the claims name no caller")),
        }
    }

    /// Returns the rejection of a wrong token, for a reason that only the log tells.
    fn refused(&self, reason: &str) -> Rejection {
        let issuer = &*self.rules.issuer;
        // A field, which logs escape: it may have words of the caller.
        let reason = &*format!("{reason:.MAX_REASON$}");
        tracing::info!(issuer, reason, "a token was refused");
        // RFC 6750, section 3.1.
        let challenge = self.rules.challenge() + ", error=\"invalid_token\"";
        Rejection::unauthorized(challenge)
    }
}

impl<U: Identity> Authenticator for Jwt<U> {
    type Identity = U;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<U> {
        let Some(token) = credentials.of_scheme("Bearer") else {
            return Authentication::ready(None);
        };
        let token = token.to_vec();
        let checks = self.checks.clone();
        Authentication::pending(async move { checks.identify(&token).await })
    }

    fn challenge(&self) -> Cow<'static, str> {
        self.checks.rules.challenge().into()
    }

    fn scheme(&self) -> Option<(String, Json)> {
        let Rules {
            issuer, audience, ..
        } = &*self.checks.rules;
        let description = match &self.description {
            Some(description) => description.to_string(),
            None => format!("A JSON Web Token of {issuer} for `{audience}`."),
        };
        let scheme = json!({
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": description,
        });
        Some(("bearer".to_owned(), Json::from(&scheme)))
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["Authorization".to_owned()])
    }

    fn problems(&self) -> Vec<String> {
        let mut problems = self.problems.clone();
        if let Keys::Issuer(issuer) = &self.checks.keys {
            problems.extend(issuer.source().check().err());
        }
        let issuer = &self.checks.rules.issuer;
        problems
            .into_iter()
            .map(|problem| format!("`Jwt` {issuer:?}: {problem}"))
            .collect()
    }
}

impl<U> Clone for Checks<U> {
    fn clone(&self) -> Self {
        Self {
            keys: self.keys.clone(),
            rules: Arc::clone(&self.rules),
            find: Arc::clone(&self.find),
        }
    }
}

impl<U> fmt::Debug for Jwt<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jwt")
            .field("issuer", &self.checks.rules.issuer)
            .finish_non_exhaustive()
    }
}
