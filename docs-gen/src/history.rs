//! The changes of versions, found once for all pages, and the values that they are about.
//!
//! A version is compared with the previous one when a page first asks for its changes. Each change that is listed on
//! the page of changes has an anchor there, made of its kind and of names, so it does not depend on other changes. For
//! the marks on a version's pages, the changes of all versions up to it are looked up in it by name
//! ([`NamedLocation`]), the newest first.

use std::ptr;

use docent_describe::ServiceDescription;

use crate::changed_values::{ChangedValues, ValueChange, ValueKey};
use crate::changes::{CompareVersions, FoundChange, MAX_LISTED_CHANGES, VersionChange};
use crate::location::{LocatedPart, NamedLocation};
use crate::service::SiteService;
use crate::site::Site;
use crate::slug::Slugs;

/// The anchors of the effects of changes on callers.
const EFFECT_ANCHORS: [&str; 3] = ["breaking", "risky", "safe"];

/// The maximum number of versions whose changes are marked, from the page's version back.
const MAX_MARKED_VERSIONS: usize = 60;

/// Gives versions the function that compares them, and each after the first a page of changes.
pub(crate) fn add_changes(services: &mut [SiteService], compare: CompareVersions) {
    for service in services {
        service.plan.has_changes = service.version.before.is_some();
        let has_versions = !service.version.all.is_empty();
        service.version.history.compare = has_versions.then_some(compare);
    }
}

impl Site {
    /// Returns the changes of a version since the previous one, those that break callers first.
    pub(crate) fn changes<'s>(&self, service: &'s SiteService) -> &'s [FoundChange] {
        service
            .version
            .history
            .changes
            .get_or_init(|| self.find_changes(service))
    }

    /// Returns the values of a version that it or an earlier one has added or changed.
    pub(crate) fn changed_values<'s>(&self, service: &'s SiteService) -> &'s ChangedValues {
        service
            .version
            .history
            .changed_values
            .get_or_init(|| self.find_changed_values(service))
    }

    /// Finds the values of a version that it or an earlier one has added or changed.
    fn find_changed_values(&self, service: &SiteService) -> ChangedValues {
        let mut values = ChangedValues::default();
        let versions = &service.version.all;
        let Some(own) = versions
            .iter()
            .position(|&index| ptr::eq(&raw const self.services[index], service))
        else {
            return values;
        };
        let newest_first = versions[..=own].iter().rev().take(MAX_MARKED_VERSIONS);
        for (age, &index) in newest_first.enumerate() {
            self.add_changed_values(&mut values, service, index, age);
        }
        values
    }

    /// Adds the values of a service that the version with this index has added or changed.
    fn add_changed_values(
        &self,
        values: &mut ChangedValues,
        service: &SiteService,
        index: usize,
        age: usize,
    ) {
        let version = &self.services[index];
        let Some(before) = version.version.before else {
            return;
        };
        for found in self.changes(version) {
            let compared = if found.change.is_removal {
                &self.services[before]
            } else {
                version
            };
            let description = &compared.options.description;
            let Some(location) = NamedLocation::new(description, &found.change.pointer) else {
                continue;
            };
            // A keyword that is new is a change of its schema, and no addition of a value.
            let is_value = location.find(version).is_some();
            // A value that was removed is a change of the value that contained it.
            let Some(remaining) = location.innermost_in(version) else {
                continue;
            };
            if let Some(key) = remaining.find(service).and_then(value_key) {
                let change = ValueChange {
                    service: index,
                    age,
                    anchor: found.anchor.clone(),
                    is_addition: found.change.is_addition && is_value,
                };
                values.add(key, change);
            }
        }
    }

    /// Compares a version with the previous one.
    fn find_changes(&self, service: &SiteService) -> Vec<FoundChange> {
        let version = &service.version;
        let (Some(before), Some(compare)) = (version.before, version.history.compare) else {
            return Vec::new();
        };
        let old = &*self.services[before].options.description;
        let new = &*service.options.description;
        let changes = compare(old, new, &|key| self.strings.find(key).map(str::to_owned));
        let mut anchors = Slugs::reserving(&EFFECT_ANCHORS);
        let mut found = Vec::new();
        for (effect, changes) in [
            ("breaking", changes.breaking),
            ("risky", changes.risky),
            ("safe", changes.safe),
        ] {
            for (index, change) in changes.into_iter().enumerate() {
                let compared = if change.is_removal { old } else { new };
                let anchor = if index < MAX_LISTED_CHANGES {
                    anchors.assign(&anchor_name(&change, compared))
                } else {
                    effect.to_owned()
                };
                found.push(FoundChange {
                    change,
                    effect,
                    anchor,
                });
            }
        }
        found
    }
}

/// Returns the key of a part of a description, if it has marks.
fn value_key(part: LocatedPart<'_>) -> Option<ValueKey> {
    match part {
        LocatedPart::Param(param) => Some(ValueKey::of_schema(&param.schema)),
        LocatedPart::Return(returns) => Some(ValueKey::of_schema(&returns.schema)),
        LocatedPart::Schema(schema) => Some(ValueKey::of_schema(schema)),
        LocatedPart::Error(error) => Some(ValueKey::of_error(error)),
        LocatedPart::Service(_) | LocatedPart::Procedure(_) | LocatedPart::SecurityScheme(_) => {
            None
        }
    }
}

/// Returns the kind of a change and the names on the way to it, which do not depend on other changes. The pointer of
/// the change leads into `description`.
fn anchor_name(change: &VersionChange, description: &ServiceDescription) -> String {
    match NamedLocation::new(description, &change.pointer) {
        Some(location) => format!("{}.{}", change.rule, location.path()),
        None => format!("{}.", change.rule),
    }
}
