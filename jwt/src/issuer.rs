//! An issuer and its keys, which it may change at any time.
//!
//! Keys are fetched when a call needs them, and kept. They are fetched again in the background after half of their
//! maximum age, and before the call goes on once they are older, or when a token names a key that is not among them.
//! Fetches are tasks of their own, so that a caller that leaves cannot stop one; at most one runs, and the next does not
//! begin before [`MIN_INTERVAL`] is over, whatever callers send.
//!
//! While the issuer does not answer, known keys are good for [`MAX_OUTAGE`]. Without keys a token
//! cannot be checked, so it is not called wrong: the call may be repeated.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use docent_client::Http;
use jsonwebtoken::Header;
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use url::{Host, Url};

use crate::key_set::KeySet;

/// The minimum time between the beginnings of two fetches.
pub(crate) const MIN_INTERVAL: Duration = Duration::from_secs(10);

/// The maximum duration of a fetch, all documents together. It is less than what a call has by default, 30 s.
const MAX_FETCH: Duration = Duration::from_secs(5);

/// The age up to which keys are used while they cannot be fetched.
const MAX_OUTAGE: Duration = Duration::from_secs(60 * 60);

/// The maximum size of a document of the issuer.
const MAX_DOCUMENT_BYTES: usize = 256 * 1024;

/// The place of an issuer's keys.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The issuer, as tokens name it.
    pub(crate) issuer: String,
    /// The address of the keys, if the issuer does not say it.
    pub(crate) jwks_url: Option<String>,
    /// Set if documents may be fetched without TLS.
    pub(crate) allows_http: bool,
    pub(crate) max_age: Duration,
}

/// The keys of an issuer, as they are now.
pub(crate) struct IssuerKeys {
    source: Source,
    http: Http,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    fetched: Option<Fetched>,
    last_fetch: Option<Fetch>,
    /// Set if the last fetch that ended has failed.
    has_failed: bool,
}

struct Fetched {
    keys: Arc<KeySet>,
    at: Instant,
}

/// A fetch that runs or has ended.
struct Fetch {
    began: Instant,
    /// Closed once the fetch has ended, in whatever way.
    running: watch::Receiver<()>,
}

impl Source {
    /// Returns the address that is fetched first.
    fn first_url(&self) -> String {
        if let Some(url) = &self.jwks_url {
            return url.clone();
        }
        // OpenID Connect Discovery 1.0, section 4.
        let issuer = self.issuer.trim_end_matches('/');
        format!("{issuer}/.well-known/openid-configuration")
    }

    /// Returns whether the first address can be fetched, or why not.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.permitted(&self.first_url()).map(drop)
    }

    /// Returns an address if it may be fetched: over TLS, or without if the first one is on this machine or the author
    /// permits it. So an issuer cannot lead from TLS to an address without.
    fn permitted(&self, url: &str) -> Result<Url, String> {
        let parsed: Url = url.parse().map_err(|error| format!("{url}: {error}"))?;
        let starts_without_tls = self.first_url().starts_with("http:");
        match parsed.scheme() {
            "https" => Ok(parsed),
            "http" if starts_without_tls && (self.allows_http || is_loopback(&parsed)) => {
                Ok(parsed)
            }
            _ => Err(format!(
                "{url}: only `https` is fetched, unless `allow_http` is set"
            )),
        }
    }
}

impl IssuerKeys {
    pub(crate) fn new(source: Source) -> Self {
        Self {
            http: Http::new(source.first_url())
                .timeout(MAX_FETCH)
                .max_response_bytes(MAX_DOCUMENT_BYTES),
            source,
            state: Mutex::default(),
        }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the keys that decide about a token with this header, and waits until they are fetched if need be. Returns
    /// `None` if that fails.
    pub(crate) async fn for_token(self: &Arc<Self>, header: &Header) -> Option<Arc<KeySet>> {
        if let Some(mut running) = self.begin_fetch_for(header) {
            // The fetch holds the sender and never sends.
            let _ = running.changed().await;
        }
        let state = self.state();
        let keys = state.usable()?;
        let may_have_another = state.has_failed && !keys.knows(header);
        (!may_have_another).then(|| Arc::clone(keys))
    }

    /// Begins a fetch if keys are missing or old, and returns it if the token has to wait for it.
    fn begin_fetch_for(self: &Arc<Self>, header: &Header) -> Option<watch::Receiver<()>> {
        let mut state = self.state();
        let age = state.age();
        let max_age = self.source.max_age;
        let is_known = state.usable().is_some_and(|keys| keys.knows(header));
        if is_known && age < max_age / 2 {
            return None;
        }
        let running = self.begin_fetch(&mut state)?;
        // While the issuer does not answer, calls do not wait for it again and again.
        let needs_no_other = is_known && (age < max_age || state.has_failed);
        (!needs_no_other).then_some(running)
    }

    /// Returns the fetch that runs, or begins one unless the last one began too recently.
    fn begin_fetch(self: &Arc<Self>, state: &mut State) -> Option<watch::Receiver<()>> {
        if let Some(last) = &state.last_fetch {
            if last.running.has_changed().is_ok() {
                return Some(last.running.clone());
            }
            if last.began.elapsed() < MIN_INTERVAL {
                return None;
            }
        }
        let (ended, running) = watch::channel(());
        let began = Instant::now();
        let issuer = Arc::clone(self);
        tokio::spawn(async move {
            let fetched = timeout(MAX_FETCH, issuer.fetch()).await;
            issuer.store(fetched.unwrap_or_else(|_| Err(format!("no answer in {MAX_FETCH:?}"))));
            drop(ended);
        });
        state.last_fetch = Some(Fetch {
            began,
            running: running.clone(),
        });
        Some(running)
    }

    fn store(&self, result: Result<KeySet, String>) {
        let issuer = &*self.source.issuer;
        let mut state = self.state();
        let had_failed = std::mem::replace(&mut state.has_failed, result.is_err());
        match result {
            Ok(keys) => {
                if had_failed {
                    tracing::info!(issuer, "the keys of the issuer are fetched again");
                }
                if keys.is_empty() {
                    tracing::warn!(issuer, "the issuer has no key that verifies tokens");
                }
                let keys = Arc::new(keys);
                let at = Instant::now();
                state.fetched = Some(Fetched { keys, at });
            }
            Err(error) => {
                tracing::warn!(issuer, error, "the keys of the issuer cannot be fetched");
            }
        }
    }

    async fn fetch(&self) -> Result<KeySet, String> {
        let url = match &self.source.jwks_url {
            Some(url) => url.clone(),
            None => self.discover().await?,
        };
        KeySet::from_jwks(&self.get(&url).await?).map_err(|error| format!("{url}: {error}"))
    }

    /// Asks the issuer for the address of its keys.
    async fn discover(&self) -> Result<String, String> {
        #[derive(Deserialize)]
        struct Configuration {
            issuer: String,
            jwks_uri: String,
        }
        let url = self.source.first_url();
        let configuration: Configuration = serde_json::from_slice(&self.get(&url).await?)
            .map_err(|error| format!("{url}: {error}"))?;
        // OpenID Connect Discovery 1.0, section 4.3.
        if configuration.issuer != self.source.issuer {
            return Err(format!(
                "{url}: the issuer calls itself {:?}",
                configuration.issuer
            ));
        }
        Ok(configuration.jwks_uri)
    }

    async fn get(&self, url: &str) -> Result<Vec<u8>, String> {
        let permitted = self.source.permitted(url)?;
        let received = self.http.fetch(permitted.as_str()).await;
        let received = received.map_err(|error| format!("{url}: {error}"))?;
        match received.status {
            Some(200) => Ok(received.body.into()),
            status => Err(format!("{url}: status {}", status.unwrap_or_default())),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // A panic leaves nothing in it that the next fetch does not replace.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns how long ago the keys were fetched.
    fn age(&self) -> Duration {
        match &self.fetched {
            Some(fetched) => fetched.at.elapsed(),
            None => Duration::MAX,
        }
    }

    /// Returns the keys that were fetched last, unless that is too long ago.
    fn usable(&self) -> Option<&Arc<KeySet>> {
        let fetched = self.fetched.as_ref()?;
        (self.age() < MAX_OUTAGE).then_some(&fetched.keys)
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
