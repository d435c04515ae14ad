//! Schemas of error objects: of one declared error, and of all errors of the protocol.
//!
//! Responses describe the declared errors, and the components of a document those of the protocol.
//! [`responses`](super::responses) adds the envelopes and the statuses.

use std::fmt::Write as _;

use crate::code::PROTOCOL_ERRORS;
use crate::json::{Json, Object};

/// Returns the schema of an error object. Its message is only an example, because services may word it in another way.
pub(super) fn error(description: &str, code: Object, message: &str, data: Option<Json>) -> Object {
    let examples = Some(message).filter(|message| !message.is_empty());
    let text = Object::new()
        .with("type", "string")
        .list("examples", examples);
    let properties = Object::new()
        .with("code", code)
        .with("message", text)
        .with("data", data.unwrap_or_else(|| Object::new().into()));
    Object::new()
        .with("description", description)
        .with("type", "object")
        .list("required", ["code", "message"])
        .with("properties", properties)
}

/// Returns the schema of the errors of the protocol.
pub(super) fn protocol_error() -> Object {
    let mut description = "An error of the protocol:\n".to_owned();
    for error in PROTOCOL_ERRORS {
        // Writing into memory cannot fail.
        let _ = write!(description, "\n- `{}`: {}", error.code, error.message);
    }
    let codes = PROTOCOL_ERRORS.iter().map(|error| error.code);
    let code = Object::new().with("type", "integer").list("enum", codes);
    error(&description, code, "", None)
}
