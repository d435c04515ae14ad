//! Access to procedures: authenticators, scopes and rules.
//!
//! An authenticator is asked at most once per request, and rules are asked for each call. Guards,
//! which decide without knowing the caller, are in [`guard`](crate::guard).

use std::any::{Any, TypeId, type_name};
use std::borrow::Cow;
use std::sync::Arc;

use docent_describe::json::Json;

use crate::caller::{Authenticator, Verdict};
use crate::code;
use crate::credentials::{CredentialFields, Credentials};
use crate::errors::ErrorList;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::CallInfo;
use crate::identity::{Identity, SharedIdentity};
use crate::rejection::Rejection;
use crate::runtime::BoxFuture;

/// Decides whether a known caller may make a call.
pub(crate) type Rule =
    dyn Fn(&SharedIdentity, &CallInfo<'_>) -> Result<(), Rejection> + Send + Sync;

/// An authenticator of a service, with what it says about itself.
pub(crate) struct RegisteredAuthenticator {
    authenticate: Box<dyn Fn(Credentials<'_>) -> BoxFuture<Verdict> + Send + Sync>,
    challenge: Cow<'static, str>,
    /// The type of the callers that it identifies.
    pub(crate) identity: TypeId,
    pub(crate) name: &'static str,
    /// The schemes of which one suffices.
    pub(crate) schemes: Vec<(String, Json)>,
    pub(crate) errors: ErrorList,
    pub(crate) problems: Vec<String>,
    fields: CredentialFields,
}

impl RegisteredAuthenticator {
    pub(crate) fn new<A: Authenticator>(authenticator: A) -> Self {
        let mut errors = ErrorList::default();
        authenticator.declare(&mut errors);
        let schemes = authenticator.schemes();
        Self {
            fields: CredentialFields::of_authenticator(authenticator.reads(), &schemes),
            challenge: authenticator.challenge(),
            identity: TypeId::of::<A::Identity>(),
            name: type_name::<A::Identity>(),
            schemes,
            errors,
            problems: authenticator.problems(),
            authenticate: Box::new(move |credentials| {
                let verdict = authenticator.authenticate(credentials);
                Box::pin(async move {
                    let found = verdict.found().await;
                    Ok(found?.map(|caller| Arc::new(caller) as SharedIdentity))
                })
            }),
        }
    }

    /// Returns the fields that the authenticator declares to read.
    pub(crate) fn reads(&self) -> Option<&[String]> {
        self.fields.reads()
    }

    /// Returns the fields that only say who the caller is: none if the authenticator may have read others, or
    /// if the transport has set the caller.
    pub(crate) fn identifying(&self, extensions: &Extensions) -> &[String] {
        match self.caller_of_transport(Some(extensions)) {
            Some(_) => &[],
            None => self.reads().unwrap_or_default(),
        }
    }

    /// Finds out who is calling. A caller that the transport has set takes precedence.
    pub(crate) fn ask(&self, credentials: Credentials<'_>) -> BoxFuture<Verdict> {
        if let Some(known) = self.caller_of_transport(credentials.extensions()) {
            return Box::pin(std::future::ready(Ok(Some(Arc::clone(known)))));
        }
        (self.authenticate)(credentials.limited_to(self.reads()))
    }

    /// Returns whether the request may carry credentials. The credentials of an authenticator that
    /// does not declare what it reads may be anywhere.
    #[cfg(feature = "rate-limits")]
    pub(crate) fn is_presented(&self, credentials: &Credentials<'_>) -> bool {
        self.caller_of_transport(credentials.extensions()).is_none()
            && (self.reads().is_none() || self.fields.are_presented(credentials))
    }

    /// Returns the challenge, if the request has a credential twice that the authenticator may read.
    pub(crate) fn ambiguity(&self, credentials: &Credentials<'_>) -> Option<&str> {
        if self.caller_of_transport(credentials.extensions()).is_some()
            || !self.fields.are_ambiguous(credentials)
        {
            return None;
        }
        Some(&self.challenge)
    }

    /// Returns the caller that the transport has set, if it is of the authenticator's type.
    fn caller_of_transport<'a>(
        &self,
        extensions: Option<&'a Extensions>,
    ) -> Option<&'a SharedIdentity> {
        extensions.and_then(Extensions::caller).filter(|known| {
            let known: &dyn Identity = &***known;
            (known as &dyn Any).type_id() == self.identity
        })
    }
}

/// The conditions for calling a procedure that needs to know its caller.
#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) authenticator: Arc<RegisteredAuthenticator>,
    /// Set if the caller must be known.
    pub(crate) required: bool,
    pub(crate) scopes: Box<[String]>,
    pub(crate) rules: Box<[Arc<Rule>]>,
}

impl Access {
    /// Rejects a caller whose credentials have ended.
    pub(crate) fn ended(&self) -> Rejection {
        Rejection::challenged(self.authenticator.challenge.clone())
    }

    /// Returns the caller if it may make this call.
    pub(crate) fn decide(
        &self,
        verdict: Verdict,
        info: &CallInfo<'_>,
    ) -> Result<Option<SharedIdentity>, Rejection> {
        let Some(known) = verdict? else {
            if self.required {
                return Err(Rejection::challenged(self.authenticator.challenge.clone()));
            }
            return Ok(None);
        };
        if let Some(scope) = self.scopes.iter().find(|scope| !known.has_scope(scope)) {
            let reason = format_args!("the call requires the scope {scope:?}");
            return Err(Rejection::forbidden().with_fault(Fault::explained(code::REFUSED, reason)));
        }
        for rule in &self.rules {
            rule(&known, info)?;
        }
        Ok(Some(known))
    }
}
