//! Makes Booleans, numbers and texts.

use super::{Found, counts};
use crate::json::{Decimal, Json};
use crate::schema::form::Form;
use crate::schema::texts::{matching_of_length, of_format};
use crate::schema::{Kinds, width};

/// Texts that are usual in examples.
const USUAL: [&str; 8] = ["text", "other", "word", "a", "b", "c", "A1", "0"];
/// The maximum length of a text that is made.
const LONGEST: usize = 4_000;
/// The number of integers that are tried on each side of a bound.
const STEPS: i128 = 40;

/// Offers values of one kind, the most usual first.
pub(super) fn of_kind(form: &Form<'_>, kind: Kinds, found: &mut Found<'_, '_>) {
    match kind {
        Kinds::NULL => found.offer(Json::Null),
        Kinds::BOOLEAN => {
            found.offer(Json::Bool(true));
            found.offer(Json::Bool(false));
        }
        Kinds::INTEGER => integers(form, found),
        Kinds::FRACTION => fractions(form, found),
        Kinds::STRING => texts(form, found),
        _ => {}
    }
}

/// Returns all numbers that a keyword gives.
fn numbers<'j>(form: &Form<'j>, keyword: &str) -> Vec<&'j str> {
    let words = form.words();
    words
        .filter_map(|words| match words.get(keyword)? {
            Json::Number(text) if text.len() < 400 => Some(&**text),
            _ => None,
        })
        .collect()
}

/// Returns whether bounds are only those of a type, which nobody would choose as an example.
fn is_of_width(form: &Form<'_>) -> bool {
    form.schemas.iter().any(|schema| width(schema).is_some())
}

fn integers(form: &Form<'_>, found: &mut Found<'_, '_>) {
    let mut offer = |number: i128| {
        if !found.is_done() {
            found.offer(Json::Number(number.to_string().into()));
        }
    };
    let bounds = |keywords: &[&str]| -> Vec<i128> {
        let texts = keywords.iter().flat_map(|keyword| numbers(form, keyword));
        texts.filter_map(whole).collect()
    };
    let low = bounds(&["minimum", "exclusiveMinimum"]);
    let high = bounds(&["maximum", "exclusiveMaximum"]);
    let steps = bounds(&["multipleOf"]);
    let edges = low.iter().chain(&high).chain(&steps);
    let edges: Vec<i128> = edges.copied().filter(|edge| *edge != 0).collect();
    if is_of_width(form) {
        offer(1);
    }
    for edge in edges {
        offer(edge);
    }
    offer(1);
    offer(0);
    for step in steps.iter().filter(|step| **step > 0) {
        // Multiples within the bounds.
        for edge in low.iter().chain(&high).copied().chain([0]) {
            let first = edge.div_euclid(*step);
            for at in -2..STEPS {
                let multiple = first.saturating_add(at).saturating_mul(*step);
                offer(multiple);
            }
        }
    }
    for at in 1..STEPS {
        for low in &low {
            offer(low.saturating_add(at));
        }
        for high in &high {
            offer(high.saturating_sub(at));
        }
    }
    (2..STEPS).for_each(&mut offer);
    (1..4).for_each(|number| offer(-number));
}

/// Returns the integer at a bound, or next to it.
fn whole(text: &str) -> Option<i128> {
    Decimal::new(text).to_i128().or_else(|| {
        let number = text.parse::<f64>().ok()?;
        // The nearest integer is tried together with its neighbours.
        (number.abs() < 1e18).then(|| Decimal::new(&format!("{:.0}", number.round())).to_i128())?
    })
}

fn fractions(form: &Form<'_>, found: &mut Found<'_, '_>) {
    let mut offer = |text: String| {
        if !found.is_done() && crate::json::is_number(&text) {
            found.offer(Json::Number(text.into()));
        }
    };
    let all = |keywords: [&str; 2]| -> Vec<&str> {
        let texts = keywords.into_iter();
        texts.flat_map(|keyword| numbers(form, keyword)).collect()
    };
    let low = all(["minimum", "exclusiveMinimum"]);
    let high = all(["maximum", "exclusiveMaximum"]);
    let steps = numbers(form, "multipleOf");
    if is_of_width(form) {
        offer("1.5".to_owned());
    }
    for text in low.iter().chain(&high).chain(&steps) {
        if Decimal::new(text) != Decimal::new("0") {
            offer((*text).to_owned());
        }
    }
    for text in ["1", "0.5", "1.5", "0", "2.5", "-0.5", "-1"] {
        offer(text.to_owned());
    }
    let parse = |text: &&str| text.parse::<f64>().ok().filter(|it| it.is_finite());
    let least = low
        .iter()
        .filter_map(parse)
        .fold(f64::NEG_INFINITY, f64::max);
    let most = high.iter().filter_map(parse).fold(f64::INFINITY, f64::min);
    match (least.is_finite(), most.is_finite()) {
        (true, true) => offer(f64::midpoint(least, most).to_string()),
        (true, false) => offer((least + least.abs().max(1.0)).to_string()),
        (false, true) => offer((most - most.abs().max(1.0)).to_string()),
        (false, false) => {}
    }
    for step in steps.iter().filter_map(|text| Scaled::new(text)) {
        let near = if least.is_finite() { least } else { 0.0 };
        step.multiples(near).for_each(&mut offer);
    }
}

/// A decimal fraction as an integer and the number of its decimal places, so that its multiples are
/// exact.
struct Scaled {
    digits: i128,
    places: usize,
}

impl Scaled {
    fn new(text: &str) -> Option<Self> {
        let (before, after) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{before}{after}").parse().ok()?;
        (after.len() < 18).then_some(Self {
            digits,
            places: after.len(),
        })
    }

    fn multiples(&self, near: f64) -> impl Iterator<Item = String> {
        let step = format!("{}e-{}", self.digits, self.places).parse::<f64>();
        let first = step.map_or(0.0, |step| (near / step).floor());
        let first = Decimal::new(&format!("{first:.0}")).to_i128().unwrap_or(0);
        (-1..STEPS).map(move |at| {
            let number = first.saturating_add(at).saturating_mul(self.digits);
            let sign = if number < 0 { "-" } else { "" };
            let digits = format!(
                "{:0>width$}",
                number.unsigned_abs(),
                width = self.places + 1
            );
            let (before, after) = digits.split_at(digits.len() - self.places);
            let point = if after.is_empty() { "" } else { "." };
            format!("{sign}{before}{point}{after}")
        })
    }
}

fn texts(form: &Form<'_>, found: &mut Found<'_, '_>) {
    let (least, most) = counts(form, "minLength", "maxLength");
    let said = |keyword: &'static str| {
        let words = form.words();
        words.filter_map(move |words| words.get(keyword)?.as_str())
    };
    let formats = said("format")
        .map(of_format)
        .filter(|texts| !texts.is_empty());
    let mut has_format = false;
    for texts in formats {
        has_format = true;
        for text in texts {
            found.offer(Json::from(text));
        }
    }
    if has_format {
        // Any other text might not have the format.
        return;
    }
    if least > LONGEST {
        return;
    }
    let patterns: Vec<&str> = said("pattern").collect();
    if !patterns.is_empty() {
        of_patterns(&patterns, least, most.min(LONGEST), found);
        return;
    }
    let usual = USUAL.into_iter().map(str::to_owned);
    let numbered = (2..=STEPS).map(|number| format!("text{number}"));
    // In case only few letters are allowed.
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    let letters = letters.map(|letter| letter.to_string());
    let empty = std::iter::once(String::new());
    for text in usual.chain(numbered).chain(letters).chain(empty) {
        if found.is_done() {
            return;
        }
        found.offer(Json::from(fitted(&text, least, most)));
    }
}

/// Offers texts that match patterns. They get the right length by repeating a part that a pattern
/// repeats, or else by letters before or after.
fn of_patterns(patterns: &[&str], least: usize, most: usize, found: &mut Found<'_, '_>) {
    let mut parts: Vec<String> = Vec::new();
    for pattern in patterns {
        for text in matching_of_length(pattern, least..=most) {
            found.offer(Json::from(text));
        }
        parts.extend(matching_of_length(pattern, 0..=most).into_iter().take(2));
    }
    if found.is_done() {
        return;
    }
    let mut both = Vec::new();
    for first in &parts {
        both.extend(parts.iter().map(|second| format!("{first}{second}")));
    }
    for text in parts.iter().chain(&both) {
        let missing = least.saturating_sub(text.chars().count());
        for letter in ["a", "0"] {
            let more = letter.repeat(missing);
            found.offer(Json::from(format!("{text}{more}")));
            found.offer(Json::from(format!("{more}{text}")));
        }
    }
}

/// Returns the text, repeated or cut to a length.
fn fitted(text: &str, least: usize, most: usize) -> String {
    if text.is_empty() {
        return String::new();
    }
    let length = text.len().clamp(least, most.max(least));
    text.chars().cycle().take(length).collect()
}
