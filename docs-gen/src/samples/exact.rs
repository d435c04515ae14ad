//! Checks whether JavaScript and Python send a value unchanged if they read it as their own.
//!
//! If they would not, a sample sends the message as text. The script of the form decides in the same
//! way.

use docent_describe::json::{Decimal, Json};

/// The maximum length of a number that is compared with its double. A longer one is sent as text.
const MAX_NUMBER_LENGTH: usize = 40;

/// Returns whether every number stays the same as a double, and no member's name has a meaning in
/// JavaScript.
pub(super) fn survives_doubles(value: &Json) -> bool {
    match value {
        Json::Number(text) => survives(text),
        Json::Array(elements) => elements.iter().all(survives_doubles),
        Json::Object(members) => members
            .iter()
            .all(|(name, member)| name != "__proto__" && survives_doubles(member)),
        _ => true,
    }
}

/// Returns whether a number stays the same as a double. JavaScript writes -0 as 0.
fn survives(text: &str) -> bool {
    let is_minus_zero =
        text.starts_with("-0") && !text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    match text.parse::<f64>() {
        Ok(double) if double.is_finite() && text.len() <= MAX_NUMBER_LENGTH && !is_minus_zero => {
            Decimal::new(&format!("{double:e}")) == Decimal::new(text)
        }
        _ => false,
    }
}
