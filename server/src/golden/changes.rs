//! The changes between two descriptions, in readable lines.

use docent_describe::json::{Json, shorten};

/// The most characters of a value that are shown.
const SHOWN: usize = 80;

/// Returns the differences between two JSON values, each with its position. Elements of arrays that
/// have names or codes, such as procedures, parameters and errors, are compared by these.
pub(super) fn changes(old: &Json, new: &Json) -> Vec<String> {
    let mut found = Vec::new();
    compare("", old, new, &mut found);
    found
}

fn compare(place: &str, old: &Json, new: &Json, found: &mut Vec<String>) {
    match (old, new) {
        (Json::Object(before), Json::Object(after)) => {
            for (name, value) in before {
                match after.get(name) {
                    Some(other) => compare(&member(place, name), value, other, found),
                    None => found.push(format!("{}: removed", member(place, name))),
                }
            }
            let added = after.iter().filter(|(name, _)| !before.contains_key(name));
            found.extend(
                added.map(|(name, value)| {
                    format!("{}: added, {}", member(place, name), brief(value))
                }),
            );
        }
        (Json::Array(before), Json::Array(after)) => match (keyed(before), keyed(after)) {
            (Some(before), Some(after)) => compare_keyed(place, &before, &after, found),
            _ if old != new => {
                found.push(format!("{place}: {} → {}", brief(old), brief(new)));
            }
            _ => {}
        },
        _ if old == new => {}
        _ => found.push(format!("{place}: {} → {}", brief(old), brief(new))),
    }
}

fn compare_keyed(
    place: &str,
    before: &[(String, &Json)],
    after: &[(String, &Json)],
    found: &mut Vec<String>,
) {
    let find = |all: &[(String, &Json)], key: &str| all.iter().any(|(other, _)| other == key);
    for (key, value) in before {
        let place = format!("{place}[{key}]");
        match after.iter().find(|(other, _)| other == key) {
            Some((_, other)) => compare(&place, value, other, found),
            None => found.push(format!("{place}: removed")),
        }
    }
    let added = after.iter().filter(|(key, _)| !find(before, key));
    found.extend(added.map(|(key, _)| format!("{place}[{key}]: added")));
    let common = |all: &[(String, &Json)], others: &[(String, &Json)]| {
        let keys = all.iter().map(|(key, _)| key.clone());
        keys.filter(|key| find(others, key)).collect::<Vec<_>>()
    };
    let (old_order, new_order) = (common(before, after), common(after, before));
    if old_order != new_order {
        found.push(format!(
            "{place}: order {} → {}",
            old_order.join(", "),
            new_order.join(", ")
        ));
    }
}

/// Returns the elements by name or code, if every element has one and no two are the same.
fn keyed(elements: &[Json]) -> Option<Vec<(String, &Json)>> {
    let mut keyed: Vec<(String, &Json)> = Vec::with_capacity(elements.len());
    for element in elements {
        let key = ["name", "code"]
            .into_iter()
            .find_map(|name| element.get(name));
        let key = key?.to_string();
        if keyed.iter().any(|(other, _)| *other == key) {
            return None;
        }
        keyed.push((key, element));
    }
    Some(keyed)
}

fn member(place: &str, name: &str) -> String {
    if place.is_empty() {
        name.to_owned()
    } else {
        format!("{place}.{name}")
    }
}

fn brief(value: &Json) -> String {
    shorten(&value.to_string(), SHOWN).into_owned()
}
