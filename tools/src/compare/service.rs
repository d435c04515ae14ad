//! Compares the service as a whole.

use docent_describe::json::{Json, Object};
use docent_describe::{ServiceDescription, is_older};
use indexmap::IndexMap;

use super::phrase::phrase;
use super::procedure;
use super::report::Report;
use super::rule::{Rule, Verdict};

pub(super) fn compare<'j>(
    old: &'j ServiceDescription,
    new: &'j ServiceDescription,
    report: &mut Report<'_, 'j>,
) {
    identity(old, new, report);
    for (at, format) in new.enforced_formats.iter().enumerate() {
        if !old.enforced_formats.contains(format) {
            let message = phrase("change.format.checked", &[format]);
            let mut report = report.element("enforcedFormats", at, at);
            report.now(Rule::FormatEnforced, "", message);
        }
    }
    for (at, format) in old.enforced_formats.iter().enumerate() {
        if !new.enforced_formats.contains(format) {
            let message = phrase("change.format.unchecked", &[format]);
            let mut report = report.element("enforcedFormats", at, at);
            report.gone(Rule::FormatNotEnforced, "", message);
        }
    }
    schemes(old, new, report);
    components(old, new, report);
    procedures(old, new, report);
    let mut changes = report.changes.iter();
    if let Some(version) = &new.version
        && new.version == old.version
        && changes.any(|change| change.verdict() == Verdict::Breaking)
    {
        let message = phrase("change.service.version.kept", &[version]);
        report.now(Rule::VersionKept, "version", message);
    }
}

fn identity(old: &ServiceDescription, new: &ServiceDescription, report: &mut Report<'_, '_>) {
    if old.name != new.name {
        let message = phrase("change.service.named", &[&new.name, &old.name]);
        report.now(Rule::ServiceRenamed, "name", message);
    }
    if old.id != new.id && !old.id.is_empty() {
        let message = phrase("change.service.id", &[&new.id, &old.id]);
        report.now(Rule::ServiceIdChanged, "id", message);
    }
    if old.version != new.version {
        let (now, was) = (new.version.as_deref(), old.version.as_deref());
        let values = [now.unwrap_or_default(), was.unwrap_or_default()];
        let (rule, key) = if is_older(values[0], values[1]) {
            (Rule::VersionLowered, "change.service.version.lowered")
        } else {
            (Rule::VersionChanged, "change.service.version")
        };
        report.now(rule, "version", phrase(key, &[&values[0], &values[1]]));
    }
    match (&old.address, &new.address) {
        (Some(old), Some(new)) if old != new => {
            let message = phrase("change.address", &[new, old]);
            report.now(Rule::AddressChanged, "address", message);
        }
        (None, Some(new)) => {
            let message = phrase("change.address.added", &[new]);
            report.now(Rule::AddressAdded, "address", message);
        }
        (Some(old), None) => {
            let message = phrase("change.address.gone", &[old]);
            report.gone(Rule::AddressAdded, "address", message);
        }
        _ => {}
    }
    if [&old.summary, &old.description, &old.help] != [&new.summary, &new.description, &new.help]
        || old.extensions != new.extensions
    {
        report.now(Rule::WordsChanged, "", phrase("change.service.words", &[]));
    }
}

/// The members of a security scheme that say how a credential is presented.
const PRESENTED: [&str; 4] = ["type", "scheme", "in", "name"];

fn schemes(old: &ServiceDescription, new: &ServiceDescription, report: &mut Report<'_, '_>) {
    let requires = |service: &ServiceDescription, name: &str| {
        let mut procs = service.procs.iter();
        procs.any(|procedure| procedure.security.contains_key(name))
    };
    for (name, scheme) in &old.security_schemes {
        let mut report = report.element("securitySchemes", name, name);
        let Some(now) = new.security_schemes.get(name) else {
            let message = phrase("change.scheme.gone", &[name]);
            report.gone(Rule::SchemeRemoved, "", message);
            continue;
        };
        let mut presented = PRESENTED.iter();
        let (rule, key) = if scheme == now {
            continue;
        } else if without_words(scheme) == without_words(now) {
            (Rule::WordsChanged, "change.scheme.words")
        } else if presented.any(|keyword| scheme.get(keyword) != now.get(keyword))
            && requires(old, name)
            && requires(new, name)
        {
            (Rule::SchemeReplaced, "change.scheme.replaced")
        } else {
            (Rule::SchemeChanged, "change.scheme.changed")
        };
        report.now(rule, "", phrase(key, &[name]));
    }
    for name in new.security_schemes.keys() {
        if !old.security_schemes.contains_key(name) {
            let mut report = report.element("securitySchemes", name, name);
            let message = phrase("change.scheme.added", &[name]);
            report.now(Rule::SchemeAdded, "", message);
        }
    }
}

fn without_words(scheme: &Json) -> Object {
    let mut members = scheme.as_object().cloned().unwrap_or_default();
    members.shift_remove("description");
    members
}

fn components(old: &ServiceDescription, new: &ServiceDescription, report: &mut Report<'_, '_>) {
    let (before, after) = (&old.components.schemas, &new.components.schemas);
    let mut report = report.inside("components");
    let fresh = after.iter().filter(|(name, _)| !before.contains_key(*name));
    let mut fresh: Vec<(&String, &Json)> = fresh.collect();
    let gone = before.iter().filter(|(name, _)| !after.contains_key(*name));
    for (name, schema) in gone {
        // A renamed component has the same schema as before.
        let same = fresh.iter().position(|(_, other)| *other == schema);
        if let Some((now, _)) = same.map(|at| fresh.remove(at)) {
            let message = phrase("change.component.renamed", &[name, now]);
            let mut report = report.element("schemas", name, now);
            report.now(Rule::ComponentRenamed, "", message);
        } else {
            let message = phrase("change.component.gone", &[name]);
            let mut report = report.element("schemas", name, name);
            report.gone(Rule::ComponentRemoved, "", message);
        }
    }
    for (name, _) in fresh {
        let message = phrase("change.component.added", &[name]);
        let mut report = report.element("schemas", name, name);
        report.now(Rule::ComponentAdded, "", message);
    }
}

fn procedures<'j>(
    old: &'j ServiceDescription,
    new: &'j ServiceDescription,
    report: &mut Report<'_, 'j>,
) {
    let (before, after) = (callable(old), callable(new));
    for (name, at) in &before {
        let position = after.get(name).copied();
        let mut report = report.element("procs", at, position.unwrap_or(0));
        report.procedure = Some(name);
        if let Some(position) = position {
            procedure::compare(&old.procs[*at], &new.procs[position], &mut report);
        } else {
            let message = phrase("change.procedure.gone", &[name]);
            report.gone(Rule::ProcedureRemoved, "", message);
        }
    }
    for (name, at) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        let mut report = report.element("procs", at, at);
        report.procedure = Some(name);
        let message = phrase("change.procedure.added", &[name]);
        report.now(Rule::ProcedureAdded, "", message);
    }
}

/// Returns the positions of the procedures by name. Only the first of a name can be called.
fn callable(service: &ServiceDescription) -> IndexMap<&str, usize> {
    let mut positions = IndexMap::new();
    for (at, procedure) in service.procs.iter().enumerate() {
        positions.entry(procedure.name.as_str()).or_insert(at);
    }
    positions
}
