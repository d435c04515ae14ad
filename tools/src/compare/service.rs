//! Compares the service as a whole.

use std::collections::{HashMap, HashSet, VecDeque};

use super::phrase::phrase;
use super::values::SchemaComparison;
use super::{Changes, Report, Rule, procedure};
use docent_describe::ServiceDescription;
use docent_describe::json::{Json, Object, Pointer};

pub(super) fn compare<'j>(
    old: &'j ServiceDescription,
    new: &'j ServiceDescription,
    changes: &mut Changes,
) {
    let mut report = Report {
        changes,
        procedure: None,
        old: Pointer::root(),
        new: Pointer::root(),
    };
    identity(old, new, &mut report);
    formats(old, new, &mut report);
    schemes(old, new, &mut report);
    components(old, new, &mut report);
    let mut values = SchemaComparison::new(old, new);
    procedures(old, new, &mut values, report.changes);
}

fn identity(old: &ServiceDescription, new: &ServiceDescription, report: &mut Report<'_>) {
    if old.name != new.name {
        let message = phrase("change.service.named");
        let message = message.with(&new.name).with(&old.name);
        report.now(Rule::ServiceRenamed, &[&"name"], message);
    }
    if old.id != new.id && !old.id.is_empty() {
        let message = phrase("change.service.id").with(&new.id).with(&old.id);
        report.now(Rule::ServiceIdChanged, &[&"id"], message);
    }
    if old.version != new.version {
        let version = |service: &ServiceDescription| service.version.clone().unwrap_or_default();
        let (new, old) = (version(new), version(old));
        let message = phrase("change.service.version").with(new).with(old);
        report.now(Rule::VersionChanged, &[&"version"], message);
    }
    match (&old.address, &new.address) {
        (Some(old), Some(new)) if old != new => {
            let message = phrase("change.address").with(new).with(old);
            report.now(Rule::AddressChanged, &[&"address"], message);
        }
        (None, Some(new)) => {
            let message = phrase("change.address.added").with(new);
            report.now(Rule::AddressAdded, &[&"address"], message);
        }
        (Some(old), None) => {
            let message = phrase("change.address.gone").with(old);
            report.gone(Rule::AddressAdded, &[&"address"], message);
        }
        _ => {}
    }
    let words = |service: &ServiceDescription| {
        let texts = [&service.summary, &service.description, &service.help];
        (texts.map(Clone::clone), service.extensions.clone())
    };
    if words(old) != words(new) {
        let message = phrase("change.service.words");
        report.now(Rule::WordsChanged, &[], message);
    }
}

fn formats(old: &ServiceDescription, new: &ServiceDescription, report: &mut Report<'_>) {
    let (before, after) = (&old.enforced_formats, &new.enforced_formats);
    for (at, format) in after.iter().enumerate() {
        if !before.contains(format) {
            let message = phrase("change.format.checked").with(format);
            report.now(Rule::FormatEnforced, &[&"enforcedFormats", &at], message);
        }
    }
    for (at, format) in before.iter().enumerate() {
        if !after.contains(format) {
            let message = phrase("change.format.unchecked").with(format);
            report.gone(Rule::FormatNotEnforced, &[&"enforcedFormats", &at], message);
        }
    }
}

/// The members of a security scheme that say how a credential is presented.
const PRESENTED: [&str; 4] = ["type", "scheme", "in", "name"];

fn schemes(old: &ServiceDescription, new: &ServiceDescription, report: &mut Report<'_>) {
    let place = |name: &str| -> [String; 2] { ["securitySchemes".to_owned(), name.to_owned()] };
    let (before, after) = (&old.security_schemes, &new.security_schemes);
    for (name, scheme) in before {
        let [list, token] = place(name);
        let Some(now) = after.get(name) else {
            let message = phrase("change.scheme.gone").with(name);
            report.gone(Rule::SchemeRemoved, &[&list, &token], message);
            continue;
        };
        if without_words(scheme) == without_words(now) {
            if scheme != now {
                let message = phrase("change.scheme.words").with(name);
                report.now(Rule::WordsChanged, &[&list, &token], message);
            }
            continue;
        }
        let requires = |service: &ServiceDescription| {
            let mut procs = service.procs.iter();
            procs.any(|procedure| procedure.security.contains_key(name.as_str()))
        };
        let is_presented = |keyword: &&str| scheme.get(keyword) != now.get(keyword);
        let is_replaced = PRESENTED.iter().any(is_presented) && requires(old) && requires(new);
        if is_replaced {
            let message = phrase("change.scheme.replaced").with(name);
            report.now(Rule::SchemeReplaced, &[&list, &token], message);
        } else {
            let message = phrase("change.scheme.changed").with(name);
            report.now(Rule::SchemeChanged, &[&list, &token], message);
        }
    }
    for name in after.keys().filter(|name| !before.contains_key(name)) {
        let [list, token] = place(name);
        let message = phrase("change.scheme.added").with(name);
        report.now(Rule::SchemeAdded, &[&list, &token], message);
    }
}

fn without_words(scheme: &Json) -> Object {
    let mut members = scheme.as_object().cloned().unwrap_or_default();
    members.shift_remove("description");
    members
}

fn components(old: &ServiceDescription, new: &ServiceDescription, report: &mut Report<'_>) {
    let (before, after) = (&old.components.schemas, &new.components.schemas);
    let fresh = after.iter().filter(|(name, _)| !before.contains_key(*name));
    // A renamed schema is written as before.
    let mut written: HashMap<String, VecDeque<&String>> = HashMap::new();
    for (name, schema) in fresh.clone() {
        written
            .entry(schema.to_string())
            .or_default()
            .push_back(name);
    }
    let mut renamed: HashSet<&String> = HashSet::new();
    let gone = before.iter().filter(|(name, _)| !after.contains_key(*name));
    for (name, schema) in gone {
        let same = written.get_mut(&schema.to_string());
        if let Some(now) = same.and_then(VecDeque::pop_front) {
            renamed.insert(now);
            let place: &[&dyn std::fmt::Display] = &[&"components", &"schemas", now];
            let message = phrase("change.component.renamed").with(name).with(now);
            report.now(Rule::ComponentRenamed, place, message);
        } else {
            let place: &[&dyn std::fmt::Display] = &[&"components", &"schemas", name];
            let message = phrase("change.component.gone").with(name);
            report.gone(Rule::ComponentRemoved, place, message);
        }
    }
    for (name, _) in fresh.filter(|(name, _)| !renamed.contains(name)) {
        let place: &[&dyn std::fmt::Display] = &[&"components", &"schemas", name];
        let message = phrase("change.component.added").with(name);
        report.now(Rule::ComponentAdded, place, message);
    }
}

fn procedures<'j>(
    old: &'j ServiceDescription,
    new: &'j ServiceDescription,
    values: &mut SchemaComparison<'j>,
    changes: &mut Changes,
) {
    let mut positions = HashMap::new();
    for (at, after) in new.procs.iter().enumerate() {
        positions.entry(after.name.as_str()).or_insert(at);
    }
    let mut named = HashSet::new();
    for (at, before) in old.procs.iter().enumerate() {
        // Only the first procedure of a name can be called.
        if !named.insert(before.name.as_str()) {
            continue;
        }
        let position = positions.get(before.name.as_str()).copied();
        let mut report = Report {
            changes,
            procedure: Some(&before.name),
            old: Pointer::root().join("procs").join(at),
            new: Pointer::root().join("procs").join(position.unwrap_or(0)),
        };
        if let Some(position) = position {
            procedure::compare(before, &new.procs[position], values, &mut report);
        } else {
            let message = phrase("change.procedure.gone").with(&before.name);
            report.gone(Rule::ProcedureRemoved, &[], message);
        }
    }
    let mut added = HashSet::new();
    for (at, after) in new.procs.iter().enumerate() {
        if named.contains(after.name.as_str()) || !added.insert(after.name.as_str()) {
            continue;
        }
        let place = Pointer::root().join("procs").join(at);
        let mut report = Report {
            changes,
            procedure: Some(&after.name),
            old: place.clone(),
            new: place,
        };
        let message = phrase("change.procedure.added").with(&after.name);
        report.now(Rule::ProcedureAdded, &[], message);
    }
}
