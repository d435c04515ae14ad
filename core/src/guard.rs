//! Guards decide, before a handler runs, who may call a procedure.
//!
//! A guard decides from the request alone, for calls of all kinds. It need not know who is calling:
//! that is found out by an [`Authenticator`](crate::Authenticator).

use std::borrow::Cow;
use std::sync::Arc;

use docent_describe::ProcedureDescription;
use docent_describe::json::Json;

use crate::credentials::{CredentialFields, Credentials};
use crate::errors::ErrorList;
use crate::rejection::Rejection;
use crate::wire::Protocol;

/// Decides whether a call may run.
///
/// Guards run for each call, also in batches and queries, and must not block. If the decision needs another
/// service, such as a session store, use an [`Authenticator`](crate::Authenticator), which can wait, or let
/// the transport query it and pass on the answer in the [`Extensions`](crate::Extensions).
///
/// A guard is not asked if a credential that it may read is there twice, which is never right: the field
/// `Authorization`, or that of an API key that its [scheme](Self::scheme) describes. The call is rejected with
/// the guard's [challenge](Self::challenge). Other fields may be repeated.
///
/// ```
/// use docent::{CallInfo, Cx, Fault, Guard, Procedure, Rejection, Service};
///
/// /// Accepts calls with the right API key.
/// struct ApiKey(&'static str);
///
/// impl Guard for ApiKey {
///     fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
///         match attempt.field("X-Api-Key").next() {
///             Some(key) if key == self.0.as_bytes() => Ok(()),
///             _ => Err(Rejection::forbidden()),
///         }
///     }
///
///     fn reads(&self) -> Option<Vec<String>> {
///         Some(vec!["X-Api-Key".to_owned()])
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("vault", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c16")
///     .procedure(Procedure::sync("open", |_: Cx, (): ()| Ok::<_, Fault>(())))
///     .guard(ApiKey("s3cret"))
///     .build()?;
///
/// // A call in process has no header fields, so the guard rejects it.
/// let error = service.call::<()>("open", &()).await.unwrap_err();
/// assert_eq!(error.code(), Some(docent::code::REFUSED));
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a guard",
    label = "does not implement `Guard`",
    note = "use `BearerToken` for one secret token, or pass a function to \
            `ServiceBuilder::authorize` for a rule about callers that an authenticator knows; \
            for anything else, implement `Guard` for your own type"
)]
pub trait Guard: Send + Sync + 'static {
    /// Accepts or rejects a call.
    ///
    /// # Errors
    /// Returns the rejection that is sent to the caller.
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection>;

    /// Returns whether the guard protects this procedure. Called only when the service is built,
    /// possibly more than once per procedure.
    ///
    /// By default, a guard protects every registered procedure, but not the `rpc.` and `system.`
    /// procedures, so the description is public. A guard that covers `rpc.describe` also covers the
    /// other renderings and the reference site.
    fn covers(&self, procedure: &ProcedureDescription) -> bool {
        !procedure.is_reserved()
    }

    /// Returns the challenge for calls whose credentials are refused before the guard is asked: over HTTP,
    /// text such as `Bearer realm="library"` (RFC 9110, section 11.6.1). Without one, such calls are
    /// [forbidden](Rejection::forbidden).
    fn challenge(&self) -> Cow<'static, str> {
        Cow::Borrowed("")
    }

    /// Returns the security scheme for the description: its name and its definition.
    fn scheme(&self) -> Option<(String, Json)> {
        None
    }

    /// Declares the error codes that the guard returns, for every procedure that it covers.
    fn declare(&self, errors: &mut ErrorList) {
        let _ = errors;
    }

    /// Returns the names of the fields (over HTTP, header fields such as `X-Api-Key`) that the
    /// guard reads, if its decision depends on nothing else about the caller. The default, `None`,
    /// lets the guard read everything. Called when the service is built.
    ///
    /// A guard that names its fields can read only these, with [`CallInfo::field`], and no
    /// [extensions](CallInfo::extension). In return, the transport tells caches which fields
    /// matter, and procedures behind the guard may have a
    /// [shared cache](crate::Procedure::shared_cache).
    fn reads(&self) -> Option<Vec<String>> {
        None
    }

    /// Returns the problems with the configuration of the guard, such as `the token is empty`.
    /// Called once, when the service is built; each problem becomes an error of `build()`.
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A call for a guard to accept or reject.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CallInfo<'a> {
    /// The called procedure.
    pub procedure: &'a ProcedureDescription,
    /// The protocol version.
    pub protocol: Protocol,
    /// Set if the call is a notification.
    pub notification: bool,
    /// The credentials of the request, as far as the guard may see them.
    pub credentials: Credentials<'a>,
}

impl<'a> CallInfo<'a> {
    /// Returns the values of a field of the message; see [`Credentials::field`].
    pub fn field(&self, name: &str) -> impl Iterator<Item = &'a [u8]> {
        self.credentials.field(name)
    }

    /// Returns a value attached by the transport; see [`Credentials::extension`].
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&'a T> {
        self.credentials.extension()
    }
}

/// A guard with what it says about itself.
#[derive(Clone)]
pub(crate) struct RegisteredGuard {
    guard: Arc<dyn Guard>,
    fields: CredentialFields,
    challenge: Cow<'static, str>,
}

impl RegisteredGuard {
    pub(crate) fn new(guard: Arc<dyn Guard>) -> Self {
        Self {
            fields: CredentialFields::of_guard(guard.reads(), guard.scheme().as_ref()),
            challenge: guard.challenge(),
            guard,
        }
    }

    /// Runs the guard, which sees only the fields that it declares to read.
    pub(crate) fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        let credentials = attempt.credentials.limited_to(self.reads());
        self.guard.check(&CallInfo {
            credentials,
            ..*attempt
        })
    }

    /// Returns whether the request has credentials in one of the fields that the guard declares to read.
    pub(crate) fn is_presented(&self, credentials: &Credentials<'_>) -> bool {
        self.fields.are_presented(credentials)
    }

    /// Returns the challenge, if the request has a credential twice that the guard may read.
    pub(crate) fn ambiguity(&self, credentials: &Credentials<'_>) -> Option<&str> {
        self.fields
            .are_ambiguous(credentials)
            .then_some(&*self.challenge)
    }

    /// Returns whether this is `guard`.
    pub(crate) fn is(&self, guard: &Arc<dyn Guard>) -> bool {
        Arc::ptr_eq(&self.guard, guard)
    }

    /// Returns the fields that the guard declares to read.
    pub(crate) fn reads(&self) -> Option<&[String]> {
        self.fields.reads()
    }
}
