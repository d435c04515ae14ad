//! Several versions of one service in one site.
//!
//! The services of a site come in, in any order, and [`relate`] gives each its label and its other versions. Services
//! with the same id belong together, and documents without an id if they have the same name:
//!
//! | services | label | versions, the newest last |
//! |---|---|---|
//! | `shop` 1.0, `shop` 2.0 | `shop 1.0`, `shop 2.0` | 1.0, 2.0 |
//! | `shop` 1.0 at two addresses | `shop 1.0` | 1.0 (address), 1.0 (other address) |
//! | `bank` 1.0 | `bank` | |
//!
//! The page of changes between two versions is a view (`view/changes.rs`).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use docent_describe::{Origin, ServiceDescription, version_order};

#[cfg(feature = "publish")]
use crate::changes::VersionHistory;
use crate::service::{ServiceVersion, SiteService};
use crate::text::plain;

/// Labels services of the same name by their versions, and groups the versions of each service.
///
/// In a catalogue that is built service by service, all are versions of one, and their history has put
/// them in order.
pub(crate) fn relate(services: &mut [SiteService], is_history: bool) {
    let labels: Vec<String> = services
        .iter()
        .map(|service| service_label(services, service))
        .collect();
    let details: Vec<Option<String>> = services
        .iter()
        .map(|service| distinguishing_detail(services, service))
        .collect();
    let descriptions: Vec<_> = services
        .iter()
        .map(|service| &*service.options.description)
        .collect();
    let families = match services.len() {
        count @ 2.. if is_history => vec![(0..count).collect()],
        _ => families(&descriptions),
    };
    for ((service, label), detail) in services.iter_mut().zip(labels).zip(details) {
        service.label = label;
        service.detail = detail;
    }
    for mut family in families {
        if !is_history {
            // If versions are equal, the last one is the newest.
            family.sort_by_cached_key(|&at| version_text(&services[at]).map(version_order));
        }
        relate_family(services, family);
    }
}

/// Gives each version of a service the indexes of all. `family` has them, the newest last.
fn relate_family(services: &mut [SiteService], family: Vec<usize>) {
    let Some(&newest) = family.last() else {
        return;
    };
    let newest_version = version_text(&services[newest]).map(str::to_owned);
    let names: Vec<String> = family
        .iter()
        .map(|&at| version_name(services, &family, at))
        .collect();
    let all: Arc<[usize]> = family.into();
    for (position, name) in names.into_iter().enumerate() {
        let service = &mut services[all[position]];
        let is_older = version_text(service) != newest_version.as_deref();
        service.version = ServiceVersion {
            before: position.checked_sub(1).map(|before| all[before]),
            newest: is_older.then_some(newest),
            all: Arc::clone(&all),
            name,
            #[cfg(feature = "publish")]
            history: VersionHistory::default(),
        };
    }
}

/// Returns the version that a service's description has.
fn version_text(service: &SiteService) -> Option<&str> {
    service.options.description.version.as_deref()
}

/// Returns the name of a service's folder, which no other has.
fn folder_name(service: &SiteService) -> &str {
    service.plan.prefix.trim_end_matches('/')
}

/// Returns the indexes of services that are versions of one, in groups and in the given order. A service
/// without other versions is in no group.
///
/// Services with the same ID belong together. Descriptions in other formats may have no ID; services without
/// one belong together if they have the same name, unless two of them also have the same version.
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
    let mut families: Vec<Vec<usize>> = by_id.into_values().collect();
    for family in by_name.into_values() {
        let versions: HashSet<&str> = family.iter().map(|(_, version)| *version).collect();
        if versions.len() == family.len() {
            families.push(family.into_iter().map(|(at, _)| at).collect());
        }
    }
    families.retain(|family| family.len() > 1);
    families
}

/// Returns the name of a service, with its version if another service has the same name.
fn service_label(services: &[SiteService], service: &SiteService) -> String {
    let name = &service.options.description.name;
    let same_name = services
        .iter()
        .filter(|other| other.options.description.name == *name)
        .count();
    match version_text(service) {
        Some(version) if same_name > 1 => format!("{name} {version}"),
        _ => name.clone(),
    }
}

/// Returns the version of a service. If others of the group have the same version, the detail that
/// distinguishes it is added.
fn version_name(services: &[SiteService], family: &[usize], at: usize) -> String {
    let service = &services[at];
    let version = version_text(service);
    let same_version = family
        .iter()
        .filter(|&&other| version_text(&services[other]) == version)
        .count();
    let detail = service.detail.as_deref().unwrap_or(folder_name(service));
    match version {
        Some(version) if same_version == 1 => plain(version),
        Some(version) => format!("{} ({detail})", plain(version)),
        None => detail.to_owned(),
    }
}

/// Returns the detail of a service if another one has the same name and version: its address or its ID
/// if no other has it, otherwise its folder.
fn distinguishing_detail(services: &[SiteService], service: &SiteService) -> Option<String> {
    let own = &service.options.description;
    let same_version = services
        .iter()
        .filter(|other| {
            let other = &other.options.description;
            other.name == own.name && other.version == own.version
        })
        .count();
    if same_version < 2 {
        return None;
    }
    for (index, detail) in details(service).into_iter().enumerate() {
        let same_detail = services
            .iter()
            .filter(|other| details(other)[index] == detail)
            .count();
        if !detail.is_empty() && same_detail == 1 {
            return Some(plain(&detail));
        }
    }
    Some(plain(folder_name(service)))
}

/// Returns the details that may distinguish a service from others, the clearest first.
fn details(service: &SiteService) -> [String; 3] {
    let description = &service.options.description;
    let mount = service.options.address.as_deref().unwrap_or_default();
    [
        description.address.clone().unwrap_or_default(),
        mount.trim_start_matches("../").to_owned(),
        description.id.clone(),
    ]
}
