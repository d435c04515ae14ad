//! Checks whether JavaScript and Python send a value unchanged if they read it as their own.

use docent_describe::json::{Decimal, Json};

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

fn survives(text: &str) -> bool {
    let is_minus_zero = text.starts_with("-0") && !text.contains(|it| ('1'..='9').contains(&it));
    let double = text.parse::<f64>().ok().filter(|it| it.is_finite());
    text.len() <= 40
        && !is_minus_zero
        && double.is_some_and(|it| Decimal::new(&format!("{it:e}")) == Decimal::new(text))
}
