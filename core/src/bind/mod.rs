//! Binding: from the text of a call's `params` to the type that the handler takes.
//!
//! The scanner has already checked the grammar of the text. It is read once, from left to right,
//! directly into the handler's type: without a tree or a copy, and strings borrow from the text if
//! the type allows it. The [`Plan`] lists the parameters; names, positions and values are checked
//! against it on the way.
//!
//! When something is wrong, time matters less and words more: [`blame`] reads the text again and says
//! everything that a caller has to change, names before values, and the rest in the order of the
//! description.

mod adapt;
mod again;
mod blame;
mod canonical;
mod de;
mod error;
mod known;
mod locate;
mod named;
mod names;
mod plan;
mod problems;
mod refusal;
mod trace;
mod words;

#[cfg(test)]
mod tests;

use docent_describe::json::Cursor;
use serde::de::Deserialize;

use de::{DecodeError, Decoder, Problem};
use named::Way;
use plan::{Parameter, Shape};

use crate::check::Check;
pub use adapt::Argument;
pub(crate) use adapt::{Adapted, Adapter};
pub(crate) use error::BindError;
pub(crate) use plan::Plan;
pub(crate) use problems::Problems;

/// The `params` of a call: well-formed JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Params<'a> {
    /// None were given.
    Absent,
    /// An array, from bracket to bracket.
    Array(&'a str),
    /// An object, from brace to brace.
    Object(&'a str),
}

impl<'a> Params<'a> {
    /// The parameters in a text that is an array or an object.
    #[inline]
    pub(crate) fn given(text: &'a str) -> Self {
        match text.as_bytes().first() {
            Some(b'[') => Self::Array(text),
            _ => Self::Object(text),
        }
    }

    /// The container to decode, which there is one of even where nothing was given.
    #[inline]
    fn text(self, plan: &Plan) -> &'a str {
        match self {
            Self::Absent => "[]",
            Self::Object(text) if plan.shape() == Shape::List && is_empty(text) => "[]",
            Self::Array(text) | Self::Object(text) => text,
        }
    }
}

/// Decodes the parameters of a call.
///
/// # Errors
/// What a caller has to change, as the `data` of an Invalid params error.
#[inline]
pub(crate) fn bind<'a, P: Deserialize<'a>>(
    plan: &Plan,
    params: Params<'a>,
) -> Result<P, BindError> {
    let text = params.text(plan);
    let mut decoder = Decoder::new(text);
    let mut first_error = None;
    loop {
        match decode(plan, &mut decoder) {
            Ok(parameters) => return Ok(parameters),
            Err(error) => {
                let error = first_error.get_or_insert(error);
                match decoder.again() {
                    Some(again) => decoder = again,
                    None => return Err(explain::<P>(plan, text, Problems::default(), Some(error))),
                }
            }
        }
    }
}

/// Says what is wrong with parameters that have `problems`, and with the others among them.
#[cold]
pub(crate) fn refuse<'a, P: Deserialize<'a>>(
    plan: &Plan,
    params: Params<'a>,
    problems: Problems,
) -> BindError {
    explain::<P>(plan, params.text(plan), problems, None)
}

#[cold]
fn explain<'a, P: Deserialize<'a>>(
    plan: &Plan,
    text: &'a str,
    problems: Problems,
    error: Option<&DecodeError>,
) -> BindError {
    blame::explain(
        plan,
        text,
        problems,
        error,
        &mut |again| match plan.shape() {
            Shape::List => again.list::<P>(),
            Shape::Named | Shape::ByNameOnly => again.named::<P>(),
        },
    )
}

#[inline]
fn decode<'a, P: Deserialize<'a>>(plan: &Plan, decoder: &mut Decoder<'a>) -> de::Result<P> {
    let way = match decoder.cursor.next_token() {
        b'[' => Way::ByPosition,
        _ => Way::ByName,
    };
    match (plan.shape(), way) {
        (Shape::List, Way::ByPosition) => {
            check(plan.parameters().first(), decoder)?;
            named::list(decoder)
        }
        (Shape::List, Way::ByName) => named::list_by_name(plan, decoder),
        (Shape::Named | Shape::ByNameOnly, _) => named::decode(plan, way, decoder),
    }
}

/// Runs a parameter's check on the value that comes next.
#[inline]
fn check(parameter: Option<&Parameter>, decoder: &mut Decoder<'_>) -> de::Result<()> {
    match parameter.and_then(|parameter| parameter.check.as_ref()) {
        Some(check) => run(check, decoder),
        None => Ok(()),
    }
}

fn run(check: &Check, decoder: &mut Decoder<'_>) -> de::Result<()> {
    decoder.cursor.next_token();
    if check.admits(decoder.cursor) {
        Ok(())
    } else {
        // What is wrong is said by those who explain it, with everything else that is.
        Err(DecodeError::new(Problem::Check).at(decoder.cursor.offset()))
    }
}

fn is_empty(container: &str) -> bool {
    let mut cursor = Cursor::new(container);
    cursor.step();
    matches!(cursor.next_token(), b']' | b'}')
}
