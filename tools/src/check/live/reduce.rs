//! Makes simpler values, to find the smallest call that leads to a finding.

use docent_describe::json::{Decimal, Json};

/// The number of elements of an array that are left out or made simpler in turn.
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
            let without = (0..elements.len()).rev().take(ELEMENTS).map(|at| {
                let mut fewer = elements.clone();
                fewer.remove(at);
                Json::Array(fewer)
            });
            let half = Json::Array(elements[..elements.len() / 2].to_vec());
            let half = Some(half).filter(|_| elements.len() > 3);
            let changed = elements
                .iter()
                .enumerate()
                .take(ELEMENTS)
                .flat_map(|(at, inner)| {
                    smaller(inner).into_iter().map(move |inner| {
                        let mut changed = elements.clone();
                        changed[at] = inner;
                        Json::Array(changed)
                    })
                });
            half.into_iter().chain(without).chain(changed).collect()
        }
        Json::String(text) => {
            let count = text.chars().count();
            let cut = |length: usize| Json::from(text.chars().take(length).collect::<String>());
            steps(count as i128)
                .map(|it| cut(usize::try_from(it).unwrap_or(0)))
                .collect()
        }
        Json::Number(text) => match Decimal::new(text).to_i128() {
            Some(whole) => {
                let number = |it: i128| Json::Number(it.to_string().as_str().into());
                steps(whole).map(number).collect()
            }
            None => vec![Json::from(0), Json::from(1)],
        },
        Json::Bool(true) => vec![Json::Bool(false)],
        Json::Bool(false) | Json::Null => Vec::new(),
    }
}

/// Returns numbers closer to zero, the closest first.
fn steps(from: i128) -> impl Iterator<Item = i128> {
    let mut steps = vec![0, from.signum(), from / 2, from - from.signum()];
    steps.retain(|step| *step != from);
    steps.dedup();
    steps.into_iter()
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
