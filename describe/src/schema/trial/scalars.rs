//! Samples of scalars.

use super::text;
use crate::json::{Decimal, Json};
use crate::schema::Kinds;
use crate::schema::form::Form;

/// How many values of an `enum` are tried.
const LISTED: usize = 40;

/// The scalars of a form.
pub(super) fn scalars(form: &Form<'_>) -> Vec<Json> {
    if form.is_free() {
        return vec![Json::Null];
    }
    if let Some(listed) = form.listed() {
        return listed.into_iter().take(LISTED).cloned().collect();
    }
    let mut values = Vec::new();
    if form.is(Kinds::STRING) {
        values.extend(text::strings(form).into_iter().map(Json::String));
    }
    if form.is(Kinds::INTEGER) || form.is(Kinds::FRACTION) {
        numbers(form, &mut values);
    }
    if form.is(Kinds::BOOLEAN) {
        values.extend([Json::Bool(false), Json::Bool(true)]);
    }
    if form.is(Kinds::NULL) {
        values.push(Json::Null);
    }
    values
}

fn numbers(form: &Form<'_>, values: &mut Vec<Json>) {
    let bound = |keyword| match form.word(keyword) {
        Some(Json::Number(text)) => Some(text.to_string()),
        _ => None,
    };
    let low = [bound("minimum"), bound("exclusiveMinimum")];
    let high = [bound("maximum"), bound("exclusiveMaximum")];
    let mut texts: Vec<String> = low.iter().chain(&high).flatten().cloned().collect();
    for edge in texts.clone() {
        if let Some(edge) = Decimal::new(&edge).to_i128() {
            texts.extend([1, -1].map(|step| edge.saturating_add(step).to_string()));
        }
    }
    if let Some(step) = bound("multipleOf") {
        texts.push(step);
    }
    texts.extend(["0", "1", "-1", "5", "100", "2.0", "1e1", "-0"].map(str::to_owned));
    if form.is(Kinds::FRACTION) {
        texts.extend(["0.5", "-1.5", "1e-3", "1e300", "12345678901234567890"].map(str::to_owned));
    }
    let [low, high] = [low, high].map(|bounds| {
        let bounds = bounds.iter().flatten().map(|bound| Decimal::new(bound));
        bounds.collect::<Vec<_>>()
    });
    let has_fractions = form.is(Kinds::FRACTION);
    let fits = |text: &String| {
        let value = Decimal::new(text);
        low.iter().all(|bound| value >= *bound)
            && high.iter().all(|bound| value <= *bound)
            && (has_fractions || value.is_integer())
    };
    texts.retain(fits);
    texts.sort_by_key(String::len);
    texts.dedup();
    values.extend(texts.into_iter().map(|text| Json::Number(text.into())));
}
