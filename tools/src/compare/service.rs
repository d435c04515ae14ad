//! Compares the service as a whole.

use docent_describe::json::{Json, Object};
use docent_describe::{ProcedureDescription, ServiceDescription, is_older};
use indexmap::IndexMap;

use super::pairs::Both;
use super::procedure;
use super::report::Report;
use super::rule::{Rule, Verdict};

pub(super) fn compare<'j>((old, new): Both<'j, ServiceDescription>, report: &mut Report<'_, 'j>) {
    identity(old, new, report);
    let formats = [old, new].map(|it| it.enforced_formats.iter().collect());
    let rules = [Rule::FormatEnforced, Rule::FormatNotEnforced];
    names("enforcedFormats", formats, rules, report);
    let carriers = [old, new].map(|it| it.carriers.iter().map(|it| &it.name).collect());
    let rules = [Rule::CarrierAdded, Rule::CarrierRemoved];
    names("carriers", carriers, rules, report);
    for (at, was) in old.carriers.iter().enumerate() {
        let mut carriers = new.carriers.iter();
        if let Some(after) = carriers.position(|now| now.name == was.name) {
            let addresses = (was.address.as_ref(), new.carriers[after].address.as_ref());
            address(addresses, &mut report.element("carriers", at, after));
        }
    }
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

/// Tells which names of a list are new, and which are gone.
fn names(
    list: &str,
    [old, new]: [Vec<&String>; 2],
    [added, gone]: [Rule; 2],
    report: &mut Report<'_, '_>,
) {
    for (at, name) in new
        .iter()
        .enumerate()
        .filter(|(_, name)| !old.contains(name))
    {
        report.element(list, at, at).now(added, "", &[name]);
    }
    for (at, name) in old
        .iter()
        .enumerate()
        .filter(|(_, name)| !new.contains(name))
    {
        report.element(list, at, at).gone(gone, "", &[name]);
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
    address((old.address.as_ref(), new.address.as_ref()), report);
    let have_others = report.extensions(&old.extensions, &new.extensions);
    if [&old.summary, &old.description, &old.help] != [&new.summary, &new.description, &new.help]
        || have_others
    {
        report.now((Rule::WordsChanged, "change.service.words"), "", &[]);
    }
}

/// Compares the address of the service or of a carrier.
fn address(addresses: (Option<&String>, Option<&String>), report: &mut Report<'_, '_>) {
    match addresses {
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
        let mut position = after.shift_remove(key);
        if position.is_none() && !before.contains_key(&other) {
            position = after.shift_remove(&other);
        }
        let mut report = report.element("procs", at, position.unwrap_or(0));
        report.procedure = Some(name);
        match position {
            Some(now) => procedure::compare((&old.procs[*at], &new.procs[now]), &mut report),
            None => report.gone(Rule::ProcedureRemoved, "", &[&name]),
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
