//! Keywords about numbers and strings.

use super::Validator;
use crate::json::{Decimal, Json};
use crate::schema::trial::of_format;

/// Whether a number satisfies a keyword.
pub(super) fn number(keyword: &str, asked: &Json, number: &str) -> bool {
    let Json::Number(bound) = asked else {
        return true;
    };
    let (number, bound) = (Decimal::new(number), Decimal::new(bound));
    match keyword {
        "minimum" => number >= bound,
        "exclusiveMinimum" => number > bound,
        "maximum" => number <= bound,
        "exclusiveMaximum" => number < bound,
        "multipleOf" => number.is_multiple_of(&bound),
        _ => true,
    }
}

impl Validator<'_> {
    pub(super) fn string(&self, keyword: &str, asked: &Json, text: &str) -> Option<bool> {
        let length = || text.chars().count();
        match (keyword, asked) {
            ("minLength", _) => Some(at_least(length(), asked)),
            ("maxLength", _) => Some(at_most(length(), asked)),
            ("pattern", Json::String(pattern)) => self.matches(pattern, text),
            ("format", Json::String(format)) => match self.context.enforces(format) {
                Some(false) => Some(true),
                Some(true) => has_format(format, text),
                // Either it is checked or not: only what has the format is valid both ways.
                None => has_format(format, text).filter(|has| *has),
            },
            _ => Some(true),
        }
    }
}

pub(super) fn at_least(count: usize, asked: &Json) -> bool {
    let Json::Number(least) = asked else {
        return true;
    };
    Decimal::new(&count.to_string()) >= Decimal::new(least)
}

pub(super) fn at_most(count: usize, asked: &Json) -> bool {
    let Json::Number(most) = asked else {
        return true;
    };
    Decimal::new(&count.to_string()) <= Decimal::new(most)
}

/// Whether a text has a format, where that is obvious.
fn has_format(format: &str, text: &str) -> Option<bool> {
    if of_format(format).iter().any(|known| known == text) {
        return Some(true);
    }
    // None of these can be written without a single letter or digit.
    let needs_letters = matches!(
        format,
        "date-time" | "date" | "time" | "duration" | "email" | "hostname" | "ipv4" | "uri" | "uuid"
    );
    let has_none = !text.chars().any(char::is_alphanumeric);
    (needs_letters && has_none).then_some(false)
}
