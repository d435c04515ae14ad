//! The key of a call, with which the caller can repeat the call without its being done twice.
//!
//! The key goes into a header field, so that it is the same for a call in any version of the protocol. On the lines of
//! a command it becomes a member of the call.

use docent_describe::ProcedureDescription;
use reqwest::header::{HeaderMap, HeaderValue};

use crate::failure::Failure;
use crate::http::KEY_FIELD;
use crate::terminal::Terminal;

/// Returns the header field with the key of a call, if it has one.
pub(super) fn header(
    given: Option<&str>,
    procedure: Option<&ProcedureDescription>,
    terminal: Terminal,
) -> Result<HeaderMap, Failure> {
    let Some(given) = given else {
        return Ok(HeaderMap::new());
    };
    if let Some(procedure) = procedure
        && procedure.repeatable.is_none()
        && !procedure.idempotent
    {
        return Err(Failure::usage(format_args!(
            "`{}` cannot have a key: the description does not say that it is repeatable",
            procedure.name
        )));
    }
    let key = match given {
        "auto" => {
            let key = format!("{:032x}", fastrand::u128(..));
            // Programs need it too, to repeat the call.
            terminal.warn(format_args!("docent: the key of the call is {key}"));
            key
        }
        given => given.to_owned(),
    };
    let is_key = (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let value = HeaderValue::from_str(&key)
        .ok()
        .filter(|_| is_key)
        .ok_or_else(|| {
            Failure::usage("--idempotency-key takes 1 to 255 visible ASCII characters, or auto")
        })?;
    Ok(HeaderMap::from_iter([(KEY_FIELD, value)]))
}
