//! Compares the service as a whole.

use docent_describe::json::{Json, Object};
use docent_describe::{ProcedureDescription, ServiceDescription, is_older};
use indexmap::IndexMap;

use super::pairs::Both;
use super::procedure;
use super::report::Report;
use super::rule::{Rule, Verdict};
use super::sent;

pub(super) fn compare<'j>((old, new): Both<'j, ServiceDescription>, report: &mut Report<'_, 'j>) {
    identity(old, new, report);
    for (at, format) in new.enforced_formats.iter().enumerate() {
        if !old.enforced_formats.contains(format) {
            report
                .element("enforcedFormats", at, at)
                .now(Rule::FormatEnforced, "", &[format]);
        }
    }
    for (at, format) in old.enforced_formats.iter().enumerate() {
        if !new.enforced_formats.contains(format) {
            report
                .element("enforcedFormats", at, at)
                .gone(Rule::FormatNotEnforced, "", &[format]);
        }
    }
    sent::compare_carriers((&old.carriers, &new.carriers), report);
    schemes(old, new, report);
    components(old, new, report);
    procedures((old, new), report);
    let mut changes = report.changes.all.iter();
    if let Some(version) = &new.version
        && new.version == old.version
        && changes.any(|change| change.verdict() == Verdict::Breaking)
    {
        report.now(Rule::VersionKept, "version", &[version]);
    }
}

fn identity(old: &ServiceDescription, new: &ServiceDescription, report: &mut Report<'_, '_>) {
    if old.name != new.name {
        report.now(Rule::ServiceRenamed, "name", &[&new.name, &old.name]);
    }
    if old.id != new.id && !old.id.is_empty() {
        report.now(Rule::ServiceIdChanged, "id", &[&new.id, &old.id]);
    }
    if old.version != new.version {
        let (now, was) = (new.version.as_deref(), old.version.as_deref());
        let values = [now.unwrap_or_default(), was.unwrap_or_default()];
        let rule = if is_older(values[0], values[1]) {
            Rule::VersionLowered
        } else {
            Rule::VersionChanged
        };
        report.now(rule, "version", &[&values[0], &values[1]]);
    }
    match (&old.address, &new.address) {
        (Some(old), Some(new)) if old != new => {
            report.now(Rule::AddressChanged, "address", &[new, old]);
        }
        (None, Some(new)) => {
            let words = (Rule::AddressAdded, "change.address.added");
            report.now(words, "address", &[new]);
        }
        (Some(old), None) => {
            let words = (Rule::AddressAdded, "change.address.gone");
            report.gone(words, "address", &[old]);
        }
        _ => {}
    }
    let have_others = report.extensions(&old.extensions, &new.extensions);
    if [&old.summary, &old.description, &old.help] != [&new.summary, &new.description, &new.help]
        || have_others
    {
        report.now((Rule::WordsChanged, "change.service.words"), "", &[]);
    }
}

/// The members of a security scheme that say how a credential is presented.
const PRESENTED: [&str; 4] = ["type", "scheme", "in", "name"];

fn schemes(old: &ServiceDescription, new: &ServiceDescription, report: &mut Report<'_, '_>) {
    let requires = |service: &ServiceDescription, name: &str| {
        service
            .procs
            .iter()
            .flat_map(ProcedureDescription::credentials)
            .any(|credential| credential.scheme == name)
    };
    for (name, scheme) in &old.security_schemes {
        let mut report = report.element("securitySchemes", name, name);
        let Some(now) = new.security_schemes.get(name) else {
            report.gone(Rule::SchemeRemoved, "", &[name]);
            continue;
        };
        let mut presented = PRESENTED.iter();
        let words = if scheme == now {
            continue;
        } else if without_words(scheme) == without_words(now) {
            (Rule::WordsChanged, "change.scheme.words")
        } else if presented.any(|keyword| scheme.get(keyword) != now.get(keyword))
            && requires(old, name)
            && requires(new, name)
        {
            Rule::SchemeReplaced.into()
        } else {
            Rule::SchemeChanged.into()
        };
        report.now(words, "", &[name]);
    }
    for name in new.security_schemes.keys() {
        if !old.security_schemes.contains_key(name) {
            report
                .element("securitySchemes", name, name)
                .now(Rule::SchemeAdded, "", &[name]);
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
    let mut fresh: Vec<(&String, &Json)> = after
        .iter()
        .filter(|(name, _)| !before.contains_key(*name))
        .collect();
    let gone = before.iter().filter(|(name, _)| !after.contains_key(*name));
    for (name, schema) in gone {
        // A renamed component has the same schema as before.
        let same = fresh.iter().position(|(_, other)| *other == schema);
        if let Some((now, _)) = same.map(|at| fresh.remove(at)) {
            report
                .element("schemas", name, now)
                .now(Rule::ComponentRenamed, "", &[name, now]);
        } else {
            report
                .element("schemas", name, name)
                .gone(Rule::ComponentRemoved, "", &[name]);
        }
    }
    for (name, _) in fresh {
        report
            .element("schemas", name, name)
            .now(Rule::ComponentAdded, "", &[name]);
    }
}

fn procedures<'j>((old, new): Both<'j, ServiceDescription>, report: &mut Report<'_, 'j>) {
    let (before, mut after) = (positions(old), positions(new));
    for (key, at) in &before {
        let (name, is_called) = *key;
        let other = (name, !is_called);
        let turned = after.get(&other).filter(|_| !before.contains_key(&other));
        let turned = turned.copied();
        let position = after.shift_remove(key);
        let mut report = report.element("procs", at, position.or(turned).unwrap_or(0));
        report.procedure = Some(name);
        if let Some(position) = position {
            procedure::compare((&old.procs[*at], &new.procs[position]), &mut report);
        } else if turned.is_some() {
            after.shift_remove(&other);
            let key = if is_called {
                "change.direction.server"
            } else {
                "change.direction.client"
            };
            report.now((Rule::DirectionChanged, key), "", &[]);
        } else {
            report.gone(Rule::ProcedureRemoved, "", &[&name]);
        }
    }
    for ((name, is_called), at) in after {
        let mut report = report.element("procs", at, at);
        report.procedure = Some(name);
        if is_called || new.procs[at].notification {
            report.now(Rule::ProcedureAdded, "", &[&name]);
        } else {
            let words = (Rule::ClientsAsked, "change.clients.asked.new");
            report.now(words, "", &[&name]);
        }
    }
}

/// Returns the positions of the procedures by name, and by whether clients call them. Only the first of a name can be
/// called.
fn positions(service: &ServiceDescription) -> IndexMap<(&str, bool), usize> {
    let mut positions = IndexMap::new();
    for (at, procedure) in service.procs.iter().enumerate() {
        let key = (procedure.name.as_str(), procedure.is_called_by_clients());
        positions.entry(key).or_insert(at);
    }
    positions
}
