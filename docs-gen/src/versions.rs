//! Several versions of one service in one site.

use std::cmp::Ordering;

use crate::service::Service;

/// Labels services of the same name by their versions, and finds the newer ones: services with the
/// same id are versions of one.
pub(crate) fn compare(services: &mut [Service]) {
    let labels: Vec<String> = (0..services.len()).map(|at| label(services, at)).collect();
    let newest: Vec<Option<usize>> = (0..services.len()).map(|at| newest(services, at)).collect();
    for ((service, label), newest) in services.iter_mut().zip(labels).zip(newest) {
        service.label = label;
        service.newest = newest;
    }
}

/// The name of a service, with its version if another service has the same name.
fn label(services: &[Service], at: usize) -> String {
    let description = &services[at].options.description;
    let name = &description.name;
    let of_name = services
        .iter()
        .filter(|it| it.options.description.name == *name);
    match &description.version {
        Some(version) if of_name.count() > 1 => format!("{name} {version}"),
        _ => name.clone(),
    }
}

/// The newest version of a service, if that is another one. Of equal versions, the last is newer.
fn newest(services: &[Service], at: usize) -> Option<usize> {
    let description = &services[at].options.description;
    let version = |at: usize| services[at].options.description.version.as_deref();
    let is_version = |other: &usize| {
        let other = &services[*other].options.description;
        !other.id.is_empty() && other.id == description.id && other.version.is_some()
    };
    let versions = (0..services.len()).filter(is_version);
    let newest = versions.max_by(|a, b| {
        by_parts(
            version(*a).unwrap_or_default(),
            version(*b).unwrap_or_default(),
        )
    })?;
    (version(newest) != version(at)).then_some(newest)
}

/// Compares versions part by part, numbers by value. A version with a suffix, such as `2.0-rc.1`, is
/// older than the same without.
fn by_parts(a: &str, b: &str) -> Ordering {
    let mut parts = (a.split(['.', '-', '+']), b.split(['.', '-', '+']));
    loop {
        let ordering = match (parts.0.next(), parts.1.next()) {
            (None, None) => return Ordering::Equal,
            (Some(part), None) => match number(part) {
                Some(_) => Ordering::Greater,
                None => Ordering::Less,
            },
            (None, Some(part)) => match number(part) {
                Some(_) => Ordering::Less,
                None => Ordering::Greater,
            },
            (Some(a), Some(b)) => match (number(a), number(b)) {
                (Some(a), Some(b)) => a.cmp(&b),
                // A word stands for what comes before a release.
                (Some(_), None) => Ordering::Greater,
                (None, Some(_)) => Ordering::Less,
                (None, None) => a.cmp(b),
            },
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
}

/// The number of a part, which a `v` may precede.
fn number(part: &str) -> Option<u64> {
    part.strip_prefix('v').unwrap_or(part).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (older, newer) in [
            ("1", "2"),
            ("1.9", "1.10"),
            ("1.0", "1.0.1"),
            ("v1", "v2"),
            ("2.0-rc.1", "2.0"),
            ("2.0-beta", "2.0-rc"),
            ("2024-05", "2024-11"),
            ("9", "10.0"),
        ] {
            assert_eq!(by_parts(older, newer), Ordering::Less, "{older} {newer}");
            assert_eq!(by_parts(newer, older), Ordering::Greater, "{newer} {older}");
        }
        assert_eq!(by_parts("1.0", "1.0"), Ordering::Equal);
    }
}
