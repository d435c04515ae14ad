//! Guards: who may call what, decided before a handler runs.

use std::borrow::Cow;

use docent_describe::ProcedureDescription;
use docent_describe::json::Json;

use crate::code;
use crate::cx::Extensions;
use crate::errors::ErrorList;
use crate::fault::Fault;
use crate::wire::Protocol;

/// Decides before a handler runs whether a call may go on.
///
/// It runs for every entry of a batch and for GET, and must not block: what has to ask somebody
/// else (a session store, say) belongs in the transport, which leaves what it learnt in the call's
/// [`Extensions`].
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

    /// What is wrong with how the guard was made, in sentences such as `the token is empty`; asked
    /// once, when the service is built. Each is a mistake of `build()`.
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A call that a guard looks at.
#[derive(Debug)]
#[non_exhaustive]
pub struct Attempt<'a> {
    /// The procedure that is called.
    pub procedure: &'a ProcedureDescription,
    /// The version of the protocol.
    pub protocol: Protocol,
    /// Whether nobody will see the answer.
    pub notification: bool,
    /// What the transport has left, such as header fields.
    pub extensions: Option<&'a Extensions>,
}

impl Attempt<'_> {
    /// What the transport has left, by type.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.extensions?.get()
    }
}

/// A guard's refusal.
#[derive(Debug)]
pub struct Refused(pub(crate) Fault);

/// What a transport says when a guard has refused a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Denial {
    /// The HTTP status: 401 or 403.
    pub status: u16,
    /// How to do better (`WWW-Authenticate`), with 401.
    pub challenge: Option<Cow<'static, str>>,
}

impl Refused {
    /// The caller did not say who they are, or not convincingly: 401, with a challenge such as
    /// `Bearer realm="library"` (RFC 9110, section 11.6.1).
    pub fn unauthorized(challenge: impl Into<Cow<'static, str>>) -> Self {
        let challenge = Some(challenge.into());
        Self(Fault::protocol(code::REFUSED).denied(Denial {
            status: 401,
            challenge,
        }))
    }

    /// The caller may not: 403.
    pub fn forbidden() -> Self {
        Self(Fault::protocol(code::REFUSED).denied(Denial {
            status: 403,
            challenge: None,
        }))
    }

    /// Answers with an error of the guard's own, which it has to [declare](Guard::declare) unless its
    /// code is [left to servers](crate::code::is_left_to_servers).
    pub fn with_fault(self, fault: Fault) -> Self {
        match self.0.into_denial() {
            Some(denial) => Self(fault.denied(denial)),
            None => Self(fault),
        }
    }
}
