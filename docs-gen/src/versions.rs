//! Several versions of one service in one site.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use docent_describe::{Origin, ServiceDescription, version_order};

use crate::changes::CompareVersions;
use crate::service::{ServiceVersion, SiteService};
use crate::text::plain;

/// Labels services of the same name by their versions, and groups the versions of each service.
/// Versions after the first have a page of changes if there is a function that compares them.
///
/// In a catalogue that is built service by service, all are versions of one, and their history has put
/// them in order.
pub(crate) fn relate(
    services: &mut [SiteService],
    compare: Option<CompareVersions>,
    is_history: bool,
) {
    let labels: Vec<String> = (0..services.len()).map(|at| label(services, at)).collect();
    let details: Vec<Option<String>> = (0..services.len()).map(|at| detail(services, at)).collect();
    let descriptions: Vec<_> = services.iter().map(|it| &*it.options.description).collect();
    let families = match services.len() {
        count @ 2.. if is_history => vec![(0..count).collect()],
        _ => families(&descriptions),
    };
    for ((service, label), detail) in services.iter_mut().zip(labels).zip(details) {
        service.label = label;
        service.detail = detail;
    }
    for mut family in families {
        let text = |at: usize| services[at].options.description.version.as_deref();
        if !is_history {
            // If versions are equal, the last one is the newest.
            family.sort_by_cached_key(|at| text(*at).map(version_order));
        }
        let names: Vec<String> = family
            .iter()
            .map(|&at| name(services, &family, at))
            .collect();
        let last = family.last().copied();
        let is_older = |at: &usize| last.is_some_and(|last| text(*at) != text(last));
        let is_older: Vec<bool> = family.iter().map(is_older).collect();
        let all: Arc<[usize]> = family.into();
        for (place, name) in names.into_iter().enumerate() {
            let service = &mut services[all[place]];
            service.plan.has_changes = compare.is_some() && place > 0;
            service.version = ServiceVersion {
                before: place.checked_sub(1).map(|before| all[before]),
                newest: last.filter(|_| is_older[place]),
                compare,
                all: Arc::clone(&all),
                name,
            };
        }
    }
}

/// Returns the groups of services that are versions of one, each in the given order. A service without
/// other versions is in no group.
///
/// Services with the same ID belong together. Descriptions of other formats may have no ID; those with
/// the same name then belong together, unless two of them also have the same version.
pub fn families(services: &[&ServiceDescription]) -> Vec<Vec<usize>> {
    let mut by_id: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut by_name: HashMap<&str, Vec<(usize, &str)>> = HashMap::new();
    for (at, service) in services.iter().enumerate() {
        // If a description has no ID, the reader uses the address of the service.
        let is_own =
            service.origin == Origin::Docent || service.address.as_ref() != Some(&service.id);
        if !service.id.is_empty() && is_own {
            by_id.entry(&service.id).or_default().push(at);
        } else if let Some(version) = &service.version {
            by_name
                .entry(&service.name)
                .or_default()
                .push((at, version));
        }
    }
    let by_name = by_name.into_values().filter(|family| {
        let versions: HashSet<&str> = family.iter().map(|(_, version)| *version).collect();
        versions.len() == family.len()
    });
    let by_name = by_name.map(|family| family.into_iter().map(|(at, _)| at).collect());
    by_id
        .into_values()
        .chain(by_name)
        .filter(|family: &Vec<usize>| family.len() > 1)
        .collect()
}

/// Returns the name of a service, with its version if another service has the same name.
fn label(services: &[SiteService], at: usize) -> String {
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

/// Returns the version of a service. If others of the group have the same version, the detail that
/// distinguishes it is added.
fn name(services: &[SiteService], family: &[usize], at: usize) -> String {
    let service = &services[at];
    let version = |at: usize| services[at].options.description.version.as_deref();
    let same = family
        .iter()
        .filter(|other| version(**other) == version(at));
    let detail = || {
        service
            .detail
            .clone()
            .unwrap_or_else(|| service.plan.prefix.trim_end_matches('/').to_owned())
    };
    match version(at) {
        Some(version) if same.count() == 1 => plain(version),
        Some(version) => format!("{} ({})", plain(version), detail()),
        None => detail(),
    }
}

/// Returns the detail of a service if another one has the same name and version: its address or its ID
/// if no other has it, otherwise its folder.
fn detail(services: &[SiteService], at: usize) -> Option<String> {
    let own = &services[at].options.description;
    if services
        .iter()
        .filter(|other| {
            let other = &other.options.description;
            other.name == own.name && other.version == own.version
        })
        .count()
        < 2
    {
        return None;
    }
    let facts = |service: &SiteService| {
        let description = &service.options.description;
        let mount = service
            .options
            .address
            .as_deref()
            .unwrap_or_default()
            .trim_start_matches("../")
            .to_owned();
        let address = description.address.clone().unwrap_or_default();
        [address, mount, description.id.clone()]
    };
    let own = facts(&services[at]).into_iter().enumerate();
    let is_unique = |(place, own): &(usize, String)| {
        !own.is_empty()
            && services
                .iter()
                .filter(|other| facts(other)[*place] == *own)
                .count()
                == 1
    };
    let own = { own }.find(is_unique).map(|(_, own)| own);
    Some(plain(&own.unwrap_or_else(|| {
        services[at].plan.prefix.trim_end_matches('/').to_owned()
    })))
}
