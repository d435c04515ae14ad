//! Makes simpler values, to find the smallest call that leads to a finding.

use docent_describe::json::{Decimal, Json};

/// The number of elements of an array that are changed.
const ELEMENTS: usize = 8;

/// Returns values that are slightly simpler, the simplest first.
pub(super) fn smaller(value: &Json) -> Vec<Json> {
    match value {
        Json::Object(members) => {
            let without = members.keys().map(|name| {
                let mut fewer = members.clone();
                fewer.shift_remove(name.as_str());
                Json::Object(fewer)
            });
            let changed = members.iter().flat_map(|(name, inner)| {
                smaller(inner).into_iter().map(|inner| {
                    let mut changed = members.clone();
                    changed.insert(name.clone(), inner);
                    Json::Object(changed)
                })
            });
            without.chain(changed).collect()
        }
        Json::Array(elements) => {
            let half = (elements.len() > 3).then(|| elements[..elements.len() / 2].to_vec());
            let without = (0..elements.len()).rev().take(ELEMENTS).map(|at| {
                let mut fewer = elements.clone();
                fewer.remove(at);
                fewer
            });
            let changed = elements.iter().enumerate().take(ELEMENTS);
            let changed = changed.flat_map(|(at, inner)| {
                smaller(inner).into_iter().map(move |inner| {
                    let mut changed = elements.clone();
                    changed[at] = inner;
                    changed
                })
            });
            let all = half.into_iter().chain(without).chain(changed);
            all.map(Json::Array).collect()
        }
        Json::String(text) => {
            let count = text.chars().count();
            let mut lengths = vec![0, 1, count / 2, count.saturating_sub(1)];
            lengths.retain(|length| *length < count);
            lengths.dedup();
            let cut = |length| text.chars().take(length).collect::<String>();
            lengths.into_iter().map(|it| Json::from(cut(it))).collect()
        }
        Json::Number(text) => {
            let Some(whole) = Decimal::new(text).to_i128() else {
                return vec![Json::from(0), Json::from(1)];
            };
            let mut numbers = vec![0, whole.signum(), whole / 2, whole - whole.signum()];
            numbers.retain(|number| *number != whole);
            numbers.dedup();
            let number = |it: i128| Json::Number(it.to_string().as_str().into());
            numbers.into_iter().map(number).collect()
        }
        Json::Bool(true) => vec![Json::Bool(false)],
        Json::Bool(false) | Json::Null => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::smaller;
    use docent_describe::json::Json;

    #[test]
    fn smaller_values_end() {
        let mut value: Json = r#"{"a": [1, 22, "text"], "b": {"c": true, "d": 0.5}, "e": -40}"#
            .parse()
            .expect("JSON");
        let mut steps = 0;
        while let Some(next) = smaller(&value).into_iter().last() {
            value = next;
            steps += 1;
            assert!(steps < 500, "{value}");
        }
        assert!(smaller(&value).is_empty());
    }
}
