//! Binding: from the text of a call's `params` to the type that the handler takes.
//!
//! ```text
//! {"title": "Moby-Dick", "copies": 2.0}  ─┐                ┌─► Lend { title: "Moby-Dick", copies: 2 }
//! ["Moby-Dick", 2]                       ─┼─ Plan, serde ──┤
//! ?title=Moby-Dick&copies=2   ─ adapt ────┘                └─► every problem, with its parameter and a pointer
//! ```
//!
//! The scanner has already checked the grammar of the text. It is read once, from left to right, directly into the handler's
//! type: without a tree or a copy, and strings borrow from the text if the type allows it. The [`Plan`] lists the
//! parameters; names, positions and values are checked against it on the way. What serde does not enforce of a schema is
//! checked in the text first.
//!
//! Values are decoded by [`docent_describe::json::de`]; its head says why `serde_json` would not do. Some names have a meaning of their
//! own for `serde_json`, in whose types a parameter may end; they are refused here.
//!
//! After a mistake, words matter more than time: [`explain`] reads the text again and reports everything that the caller has
//! to change, not only what serde met first. Parameters in another form than that of 2.0 are converted by [`adapt`] and then
//! bound like any other. Which error code and message a problem has is decided in [`fault`](crate::fault).

mod adapt;
#[cfg(feature = "keys")]
mod canonical;
mod error;
mod explain;
mod named;
mod names;
mod naming;
mod plan;
mod problems;

#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use docent_describe::json::de::{DecodeError, Decoder};
use docent_describe::json::{Cursor, find_private_name, pointer_to};
use serde::de::{Deserialize, DeserializeOwned};

use plan::ParamStructure;

pub use adapt::Argument;
pub(crate) use adapt::{Adapted, Adapter};
#[cfg(feature = "keys")]
pub(crate) use canonical::canonical;
pub(crate) use error::BindError;
pub(crate) use plan::{CheckExtent, ParamCheck, Plan};
pub(crate) use problems::Problems;

/// The `params` of a call, if there are any: well-formed JSON text, an array or an object.
pub(crate) type Params<'a> = Option<&'a str>;

/// Returns the text of the container to decode: an empty one if there are no parameters.
#[inline]
fn container<'a>(params: Params<'a>, plan: &Plan) -> &'a str {
    match params {
        Some(text) if plan.passing != ParamStructure::List || !is_empty(text) => text,
        _ => "[]",
    }
}

/// Decodes the parameters of a call. Every type is decoded here, whatever way its parameters came, so
/// this is also where names are refused that would make `serde_json` decode something else than what has
/// been checked.
///
/// # Errors
/// Returns everything that the caller has to change, as the `data` of an Invalid params error.
#[inline]
pub(crate) fn bind<'a, P: Deserialize<'a>>(
    plan: &'a Plan,
    params: Params<'a>,
) -> Result<P, BindError> {
    let text = container(params, plan);
    if find_private_name(text).is_some() {
        return Err(explain::explain(plan, text, Problems::default(), None));
    }
    Decoder::new(text)
        .run(|decoder| decode(plan, decoder))
        .map_err(|error| explain::explain(plan, text, Problems::default(), Some(&error)))
}

/// Decodes well-formed JSON text as parameters are decoded: `42.0` is an integer, for example. Clients read what a
/// service answers with it.
///
/// # Errors
/// Returns a pointer to the value that does not fit, and the reason.
pub fn decode_text<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    Decoder::new(text)
        .run(|decoder| decoder.value(PhantomData))
        .map_err(|error| {
            let reason = error.reason(text);
            let Some(offset) = error.offset() else {
                return reason;
            };
            match pointer_to(Cursor::new(text), offset).as_str() {
                "" => reason,
                pointer => format!("{pointer}: {reason}"),
            }
        })
}

/// Explains why parameters with these `problems` are invalid, together with all other problems.
#[cold]
pub(crate) fn invalid_params(plan: &Plan, params: Params<'_>, problems: Problems) -> BindError {
    explain::explain(plan, container(params, plan), problems, None)
}

/// Decodes the parameters at the cursor in the way in which the procedure takes them.
#[inline]
fn decode<'a, P: Deserialize<'a>>(
    plan: &'a Plan,
    decoder: &mut Decoder<'a>,
) -> Result<P, DecodeError> {
    let by_name = decoder.cursor.next_token() != b'[';
    match plan.passing {
        ParamStructure::List if by_name => named::list_by_name(plan, decoder),
        ParamStructure::List => {
            if let Some(list) = plan.parameters.first() {
                list.check(decoder)?;
            }
            named::list(decoder)
        }
        ParamStructure::Named | ParamStructure::ByNameOnly => named::decode(plan, by_name, decoder),
    }
}

fn is_empty(container: &str) -> bool {
    let mut cursor = Cursor::new(container);
    cursor.step();
    matches!(cursor.next_token(), b']' | b'}')
}
