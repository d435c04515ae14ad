//! Guards: who may call what, decided before a handler runs.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use docent_describe::ProcedureDescription;
use docent_describe::json::Json;

use crate::code;
use crate::denial::Denial;
use crate::errors::ErrorList;
use crate::extensions::{Extensions, Fields};
use crate::fault::Fault;
use crate::wire::Protocol;

/// Decides before a handler runs whether a call may go on.
///
/// It runs for every entry of a batch and for GET, and must not block: what has to ask somebody
/// else (a session store, say) belongs in the transport, which leaves what it learnt in the call's
/// [`Extensions`].
///
/// ```
/// use docent_core::{Attempt, Cx, Fault, Guard, Procedure, Refused, Service};
///
/// /// Accepts calls with the right API key.
/// struct ApiKey(&'static str);
///
/// impl Guard for ApiKey {
///     fn check(&self, attempt: &Attempt<'_>) -> Result<(), Refused> {
///         match attempt.field("X-Api-Key").next() {
///             Some(key) if key == self.0.as_bytes() => Ok(()),
///             _ => Err(Refused::forbidden()),
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
/// assert_eq!(error.code(), Some(docent_core::code::REFUSED));
/// # Ok(())
/// # }
/// ```
pub trait Guard: Send + Sync + 'static {
    /// Lets a call go on, or refuses it.
    ///
    /// # Errors
    /// The refusal, which is what the caller gets.
    fn check(&self, attempt: &Attempt<'_>) -> Result<(), Refused>;

    /// Whether the guard stands before this procedure; asked once, when the service is built.
    ///
    /// Unless told otherwise it stands before every procedure that the service registers and not
    /// before `rpc.` and `system.` procedures: a description is public unless a guard covers
    /// `rpc.describe`. One that does covers its siblings and the reference site too.
    fn covers(&self, procedure: &ProcedureDescription) -> bool {
        !procedure.is_reserved()
    }

    /// What a caller must bring: the name of a security scheme, and the scheme as the description
    /// publishes it.
    fn scheme(&self) -> Option<(String, Json)> {
        None
    }

    /// Declares the errors with codes of its own that the guard answers, if any, for every
    /// procedure that it covers.
    fn declare(&self, errors: &mut ErrorList) {
        let _ = errors;
    }

    /// The names of the fields by which the guard decides (over HTTP, header fields such as
    /// `X-Api-Key`), where it decides by nothing else that the caller sends or is; asked when the
    /// service is built.
    ///
    /// A guard that names them is shown these and no others, with [`Attempt::field`], and no
    /// [extension](Attempt::extension). Answers then say that they depend on them (`Vary`), and
    /// procedures behind the guard may have a [shared cache](crate::Procedure::shared_cache). One
    /// that names none may look at everything.
    fn reads(&self) -> Option<Vec<String>> {
        None
    }

    /// What is wrong with how the guard was made, in sentences such as `the token is empty`; asked
    /// once, when the service is built. Each is a mistake of `build()`.
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A call that a guard looks at.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Attempt<'a> {
    /// The procedure that is called.
    pub procedure: &'a ProcedureDescription,
    /// The version of the protocol.
    pub protocol: Protocol,
    /// Whether nobody will see the answer.
    pub notification: bool,
    /// What the transport has left; nothing for a guard that says what it [reads](Guard::reads).
    pub extensions: Option<&'a Extensions>,
    fields: Option<&'a dyn Fields>,
    /// The fields that the guard has named; none where it may look at everything.
    reads: Option<&'a [String]>,
}

impl<'a> Attempt<'a> {
    pub(crate) fn new(
        procedure: &'a ProcedureDescription,
        protocol: Protocol,
        notification: bool,
        extensions: Option<&'a Extensions>,
    ) -> Self {
        Self {
            procedure,
            protocol,
            notification,
            extensions,
            fields: extensions.and_then(Extensions::fields),
            reads: None,
        }
    }

    /// The values of a field of what carried the call, in the order in which they came: over HTTP, of
    /// a header field. The name may be written in any case.
    ///
    /// A guard that says what it [reads](Guard::reads) sees nothing of a field that it has not named.
    pub fn field(&self, name: &str) -> impl Iterator<Item = &'a [u8]> {
        let named = |reads: &[String]| reads.iter().any(|own| own.eq_ignore_ascii_case(name));
        let visible = self.reads.is_none_or(named);
        let fields = self.fields.filter(|_| visible);
        (0..).map_while(move |place| fields?.value(name, place))
    }

    /// What the transport has left, by type, such as the peer's address. A guard that says what it
    /// [reads](Guard::reads) finds nothing here.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&'a T> {
        self.extensions?.get()
    }
}

impl fmt::Debug for Attempt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt")
            .field("procedure", &self.procedure.name)
            .field("protocol", &self.protocol)
            .field("notification", &self.notification)
            .finish_non_exhaustive()
    }
}

/// A guard before a procedure, with what it has said that it reads.
#[derive(Clone)]
pub(crate) struct Posted {
    guard: Arc<dyn Guard>,
    reads: Option<Vec<String>>,
}

impl Posted {
    pub(crate) fn new(guard: Arc<dyn Guard>) -> Self {
        let reads = guard.reads();
        Self { guard, reads }
    }

    /// Asks the guard, which sees what it has said that it reads.
    pub(crate) fn check(&self, attempt: &Attempt<'_>) -> Result<(), Refused> {
        let reads = self.reads.as_deref();
        self.guard.check(&Attempt {
            extensions: attempt.extensions.filter(|_| reads.is_none()),
            reads,
            ..*attempt
        })
    }

    /// The fields that the guard has named.
    pub(crate) fn reads(&self) -> Option<&[String]> {
        self.reads.as_deref()
    }
}

/// A guard's refusal.
#[derive(Debug)]
pub struct Refused(pub(crate) Fault);

impl Refused {
    /// The caller did not say who they are, or not convincingly. The challenge says how to: over HTTP,
    /// a text such as `Bearer realm="library"` (RFC 9110, section 11.6.1).
    pub fn unauthorized(challenge: impl Into<Cow<'static, str>>) -> Self {
        Self::denied(Some(challenge.into()))
    }

    /// The caller may not make the call, whoever they are.
    pub fn forbidden() -> Self {
        Self::denied(None)
    }

    fn denied(challenge: Option<Cow<'static, str>>) -> Self {
        Self(Fault::protocol(code::REFUSED).denied(Box::new(Denial::new(challenge))))
    }

    /// Answers with an error of the guard's own, which it has to [declare](Guard::declare) unless its
    /// code is [left to servers](crate::code::is_left_to_servers).
    pub fn with_fault(mut self, fault: Fault) -> Self {
        match self.0.take_denial() {
            Some(denial) => Self(fault.denied(denial)),
            None => Self(fault),
        }
    }
}
