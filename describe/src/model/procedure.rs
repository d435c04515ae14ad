use super::TypeCode;
use crate::json::{Json, Object};

/// A procedure: what it takes, what it gives, how it fails.
#[expect(
    clippy::struct_excessive_bools,
    reason = "the format's own members, one a Boolean each"
)]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProcedureDescription {
    /// The name by which the procedure is called.
    pub name: String,
    /// One sentence on what the procedure does.
    pub summary: Option<String>,
    /// Everything else worth saying, in Markdown.
    pub description: Option<String>,
    /// The URL of documentation for people.
    pub help: Option<String>,
    /// Whether the procedure is safe and idempotent, and so may be called with GET.
    pub idempotent: bool,
    /// Words that group procedures.
    pub tags: Vec<String>,
    /// The parameters in positional order, required ones first.
    pub params: Vec<ParamDescription>,
    /// Whether parameters can be given by name only.
    pub by_name_only: bool,
    /// What the procedure answers; absent where nothing is known about it.
    pub returns: Option<ReturnDescription>,
    /// The errors that the procedure may answer with beside the protocol's own.
    pub errors: Vec<ErrorDescription>,
    /// Whether the procedure may answer with errors that are not listed.
    pub errors_open: bool,
    /// Calls and what they answer.
    pub examples: Vec<Example>,
    /// Whether a guard stands before the procedure, so that not everybody may call it.
    pub guarded: bool,
    /// Names of the security schemes, all of which a caller must bring. A guarded procedure may
    /// have none: then the description does not know how to get in.
    pub security: Vec<String>,
    /// Set where the procedure should no longer be used.
    pub deprecated: Option<Deprecation>,
    /// Whether the procedure is meant to be called without an `id`.
    pub notification: bool,
    /// Members that the format does not define; their names start with `$`.
    pub extensions: Object,
}

impl ProcedureDescription {
    /// Whether the protocol keeps a name for itself (2.0, section 4; 1.1, section 6.2).
    pub fn reserves(name: &str) -> bool {
        name.starts_with("rpc.") || name.starts_with("system.")
    }

    /// Whether this procedure has a name that the protocol keeps for itself.
    pub fn is_reserved(&self) -> bool {
        Self::reserves(&self.name)
    }
}

/// A parameter.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParamDescription {
    /// The name by which the parameter is given.
    pub name: String,
    /// The type in the words of JSON-RPC 1.1.
    pub type_code: TypeCode,
    /// Whether a call without it is refused.
    pub required: bool,
    /// Whether this stands for a list of any length that is the whole of the parameters.
    pub variadic: bool,
    /// The value that counts where none is given.
    pub default: Option<Json>,
    /// What the parameter means, in Markdown.
    pub description: Option<String>,
    /// Whether the parameter should no longer be used.
    pub deprecated: bool,
    /// Its JSON Schema (2020-12).
    pub schema: Json,
    /// Members that the format does not define; their names start with `$`.
    pub extensions: Object,
}

/// What a procedure answers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReturnDescription {
    /// The type in the words of JSON-RPC 1.1.
    pub type_code: TypeCode,
    /// What the result means, in Markdown.
    pub description: Option<String>,
    /// Its JSON Schema (2020-12).
    pub schema: Json,
    /// Members that the format does not define; their names start with `$`.
    pub extensions: Object,
}

/// An error that a procedure may answer with.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ErrorDescription {
    /// The number that identifies the error.
    pub code: i64,
    /// What went wrong, in a short sentence.
    pub message: String,
    /// What the error means and what to do about it, in Markdown.
    pub description: Option<String>,
    /// The HTTP status with which GET answers the error; 500 where there is none.
    pub status: Option<u16>,
    /// Whether the same call may succeed when it is repeated; absent where its author does not say.
    pub retry: Option<bool>,
    /// The JSON Schema (2020-12) of the error's `data`; absent where it has none.
    pub data: Option<Json>,
    /// Members that the format does not define; their names start with `$`.
    pub extensions: Object,
}

/// A call and what it answers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Example {
    /// What the example shows.
    pub summary: Option<String>,
    /// More on it, in Markdown.
    pub description: Option<String>,
    /// The `params` of the call: an array, an object, or none.
    pub params: Option<Json>,
    /// The result; absent where the example has none, as for a notification or an error.
    pub result: Option<Json>,
    /// The error object, where the example shows a failure.
    pub error: Option<Json>,
    /// Members that the format does not define; their names start with `$`.
    pub extensions: Object,
}

/// Why a procedure should no longer be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deprecation {
    /// The service's version from which on it holds.
    pub since: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// What to use instead.
    pub instead: Option<String>,
}
