//! How a type begins to decode itself: the only place where serde says how the fields of a struct were
//! declared and under which names it decodes them.

use std::rc::Rc;

use super::beside::attempt;
use super::decode::{Ask, Decode};
use super::sample::{Sample, Value};

/// What was learned from one attempt to decode a type.
pub(in crate::schema) struct Probed {
    /// What the type asks for first.
    pub(in crate::schema) ask: Ask,
    /// The first field that an object without members is missing.
    pub(in crate::schema) missing: Option<&'static str>,
}

/// Decodes a type from an object without members.
pub(in crate::schema) fn probe(decode: Decode) -> Probed {
    let empty = Sample {
        form: Some(Rc::default()),
        value: Value::Object(Vec::new()),
    };
    let (asks, outcome) = attempt(&empty, decode);
    Probed {
        ask: asks.first().map_or(Ask::Any, |(_, ask)| *ask),
        missing: outcome.err().and_then(|refusal| refusal.missing),
    }
}
