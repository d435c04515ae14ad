//! Reduces the parameters of a call to the smallest ones that lead to the same finding.

use docent_describe::json::{Decimal, Json};
use docent_describe::schema::Validator;

use super::caller::Caller;
use super::judge::{Judge, Verdict};
use super::lie::Lie;
use super::subject::Subject;
use super::task::{Expect, Trial};

/// The maximum number of calls that reducing one call may take.
const CALLS: usize = 25;

/// Returns the smallest call that was found to show the same contradiction, and its finding.
pub(super) fn reduce<'d>(
    caller: &Caller<'_>,
    judge: &Judge<'d>,
    subject: &Subject<'d>,
    mut trial: Trial,
    mut lie: Lie,
) -> (Trial, Lie) {
    let mut left = CALLS;
    let mut changed = true;
    while changed && left > 0 {
        changed = false;
        let Some(params) = &trial.params else {
            break;
        };
        for smaller in smaller(params) {
            if !is_alike(subject, &smaller, trial.expect, &judge.validator) {
                continue;
            }
            if left == 0 {
                break;
            }
            left -= 1;
            let next = Trial {
                params: Some(smaller),
                ..trial.clone()
            };
            let Some(response) = caller.call(subject, next.form, next.params.as_ref()) else {
                return (trial, lie);
            };
            // Ignore other findings: they are reported separately, and must not replace this one.
            let found = match judge.judge(subject, &next, &response) {
                Verdict::Lies(lies) => lies.into_iter().find(|found| found.is_like(&lie)),
                _ => None,
            };
            if let Some(found) = found {
                (trial, lie, changed) = (next, found, true);
                break;
            }
        }
    }
    (trial, lie)
}

fn is_alike(
    subject: &Subject<'_>,
    params: &Json,
    expect: Expect,
    validator: &Validator<'_>,
) -> bool {
    subject.takes(params, validator) == Some(expect == Expect::Taken)
}

/// Returns values that are slightly simpler, the simplest first.
fn smaller(value: &Json) -> Vec<Json> {
    match value {
        Json::Object(members) => {
            let mut all = Vec::new();
            for name in members.keys() {
                let mut fewer = members.clone();
                fewer.shift_remove(name.as_str());
                all.push(Json::Object(fewer));
            }
            for (name, inner) in members {
                for inner in smaller(inner) {
                    let mut changed = members.clone();
                    changed.insert(name.clone(), inner);
                    all.push(Json::Object(changed));
                }
            }
            all
        }
        Json::Array(elements) => {
            let mut all = Vec::new();
            if elements.len() > 3 {
                all.push(Json::Array(elements[..elements.len() / 2].to_vec()));
            }
            for at in (0..elements.len()).rev().take(8) {
                let mut fewer = elements.clone();
                fewer.remove(at);
                all.push(Json::Array(fewer));
            }
            for (at, inner) in elements.iter().enumerate().take(8) {
                for inner in smaller(inner) {
                    let mut changed = elements.clone();
                    changed[at] = inner;
                    all.push(Json::Array(changed));
                }
            }
            all
        }
        Json::String(text) => {
            let count = text.chars().count();
            let lengths = [0, 1, count / 2, count.saturating_sub(1)];
            let mut lengths: Vec<usize> = lengths.into_iter().filter(|it| *it < count).collect();
            lengths.dedup();
            let cut = |length| text.chars().take(length).collect::<String>();
            lengths.into_iter().map(|it| Json::from(cut(it))).collect()
        }
        Json::Number(text) => match Decimal::new(text).to_i128() {
            Some(0) => Vec::new(),
            Some(whole) => {
                let mut all = vec![0, whole.signum(), whole / 2, whole - whole.signum()];
                all.retain(|it| *it != whole);
                all.dedup();
                let number = |it: i128| Json::Number(it.to_string().as_str().into());
                all.into_iter().map(number).collect()
            }
            None => vec![Json::from(0), Json::from(1)],
        },
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
