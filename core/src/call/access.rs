//! Access to procedures: authenticators, scopes and rules.

use std::any::{Any, TypeId, type_name};
use std::sync::Arc;

use crate::caller::{AnyAuthenticator, Authenticator, Verdict};
use crate::code;
use crate::credentials::Credentials;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::CallInfo;
use crate::identity::{Identity, Known};
use crate::rejection::Rejection;
use crate::runtime::BoxFuture;

/// Decides whether a known caller may make a call.
pub(crate) type Rule = dyn Fn(&Known, &CallInfo<'_>) -> Result<(), Rejection> + Send + Sync;

/// An authenticator of a service, with the fields that it declares to read.
pub(crate) struct Authority {
    pub(crate) authenticator: Arc<dyn AnyAuthenticator>,
    /// The type of the callers that it identifies.
    pub(crate) identity: TypeId,
    pub(crate) name: &'static str,
    reads: Option<Vec<String>>,
}

impl Authority {
    pub(crate) fn new<A: Authenticator>(authenticator: A) -> Self {
        let authenticator: Arc<dyn AnyAuthenticator> = Arc::new(authenticator);
        Self {
            reads: authenticator.reads(),
            authenticator,
            identity: TypeId::of::<A::Identity>(),
            name: type_name::<A::Identity>(),
        }
    }

    /// Returns the fields that the authenticator declares to read.
    pub(crate) fn reads(&self) -> Option<&[String]> {
        self.reads.as_deref()
    }

    /// Finds out who is calling. A caller that the transport has set takes precedence.
    pub(crate) fn ask(
        &self,
        extensions: Option<&Extensions>,
    ) -> Result<Verdict, BoxFuture<Verdict>> {
        if let Some(known) = self.told(extensions) {
            return Ok(Ok(Some(Arc::clone(known))));
        }
        let credentials = Credentials::new(extensions).limited_to(self.reads());
        if credentials.are_ambiguous() {
            return Ok(Err(Arc::new(self.unauthorized())));
        }
        self.authenticator.authenticate(credentials)
    }

    /// Returns the rejection of an unknown caller.
    fn unauthorized(&self) -> Rejection {
        match self.authenticator.challenge() {
            challenge if challenge.is_empty() => Rejection::forbidden(),
            challenge => Rejection::unauthorized(challenge),
        }
    }

    /// Returns whether the request may carry credentials. The credentials of an authenticator that
    /// does not declare what it reads may be anywhere.
    pub(crate) fn is_shown(&self, extensions: Option<&Extensions>) -> bool {
        let credentials = Credentials::new(extensions);
        let mut reads = self.reads().into_iter();
        self.told(extensions).is_none() && reads.all(|reads| credentials.has_any(reads))
    }

    /// Returns the caller that the transport has set, if it is of the authenticator's type.
    fn told<'a>(&self, extensions: Option<&'a Extensions>) -> Option<&'a Known> {
        let told = extensions.and_then(Extensions::caller);
        told.filter(|known| self.gives(known))
    }

    fn gives(&self, known: &Known) -> bool {
        let known: &dyn Identity = &**known;
        (known as &dyn Any).type_id() == self.identity
    }
}

/// The conditions for calling a procedure that needs to know its caller.
#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) authority: Arc<Authority>,
    /// Set if the caller must be known.
    pub(crate) required: bool,
    pub(crate) scopes: Box<[String]>,
    pub(crate) rules: Box<[Arc<Rule>]>,
}

impl Access {
    /// Returns the caller if it may make this call.
    pub(crate) fn decide(
        &self,
        verdict: Verdict,
        info: &CallInfo<'_>,
    ) -> Result<Option<Known>, Fault> {
        match verdict {
            Err(rejection) => Err(rejection.0.clone()),
            Ok(None) if self.required => Err(self.authority.unauthorized().0),
            Ok(None) => Ok(None),
            Ok(Some(known)) => self.check(&known, info).map(|()| Some(known)),
        }
    }

    fn check(&self, known: &Known, info: &CallInfo<'_>) -> Result<(), Fault> {
        if let Some(scope) = self.scopes.iter().find(|scope| !known.has_scope(scope)) {
            let reason = format_args!("the call requires the scope {scope:?}");
            let fault = Fault::explained(code::REFUSED, reason);
            return Err(Rejection::forbidden().with_fault(fault).0);
        }
        let mut rules = self.rules.iter();
        rules
            .try_for_each(|rule| rule(known, info))
            .map_err(|rejection| rejection.0)
    }
}
