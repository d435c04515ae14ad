//! Consumers, and the procedures that each uses: `docent client` writes a list, and `docent diff --used`
//! reads lists.

use std::path::PathBuf;

use docent_describe::ServiceDescription;
use docent_tools::client::NOTICE;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files;
use crate::pattern::fits;
use crate::terminal::plain_json;

/// The name of the list of a client. In folders, files whose names end like this are lists.
pub(crate) const FILE: &str = "docent-uses.json";

/// A list. Members with other names are for people.
#[derive(Serialize, Deserialize)]
struct Uses {
    #[serde(skip_deserializing)]
    generated: &'static str,
    /// The consumer. Without a name, it is called like the file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    consumer: String,
    service: UsedService,
    /// The names of procedures, or patterns.
    procedures: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct UsedService {
    id: Option<String>,
    name: String,
    #[serde(skip_deserializing)]
    version: Option<String>,
}

/// Returns the list of a client for a service.
pub(crate) fn list(
    service: &ServiceDescription,
    consumer: Option<&str>,
) -> Result<String, Failure> {
    let uses = Uses {
        generated: NOTICE,
        consumer: consumer.unwrap_or_default().to_owned(),
        service: UsedService {
            id: Some(service.id.clone()),
            name: service.name.clone(),
            version: service.version.clone(),
        },
        procedures: service.procs.iter().map(|it| it.name.clone()).collect(),
    };
    let json = serde_json::to_string_pretty(&uses).map_err(Failure::system)?;
    Ok(plain_json(&(json + "\n")))
}

/// The consumers that a comparison knows of.
pub(crate) struct Consumers(Vec<Uses>);

impl Consumers {
    /// Reads lists, and those in folders.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut all = Vec::new();
        for path in paths {
            let found = if path.is_dir() {
                files::below(path, FILE)?.all()?
            } else {
                vec![path.clone()]
            };
            for path in found {
                let uses = serde_json::from_slice(&files::read(&path)?);
                let shown = path.display().to_string();
                let mut uses: Uses =
                    uses.map_err(|error| Failure::usage(format_args!("{shown}: {error}")))?;
                if uses.consumer.is_empty() {
                    uses.consumer = shown;
                }
                all.push(uses);
            }
        }
        if all.is_empty() {
            return Err(Failure::usage(format_args!("--used: no {FILE} there")));
        }
        all.sort_by(|one, other| one.consumer.cmp(&other.consumer));
        Ok(Self(all))
    }

    /// Returns what is wrong with the lists, given the services that are compared: a list of another one, and
    /// names that its service does not have.
    pub(crate) fn problems(&self, services: &[&ServiceDescription]) -> Vec<String> {
        let mut problems = Vec::new();
        for uses in &self.0 {
            let consumer = &uses.consumer;
            let own: Vec<_> = services.iter().filter(|it| uses.is_of(it)).collect();
            if own.is_empty() {
                let service = uses.service.id.as_ref().unwrap_or(&uses.service.name);
                problems.push(format!("{consumer} uses another service, {service}"));
                continue;
            }
            let is_known = |name: &str| {
                own.iter()
                    .flat_map(|it| &it.procs)
                    .any(|it| fits(name, &it.name))
            };
            let unknown = uses.procedures.iter().filter(|name| !is_known(name));
            problems.extend(unknown.map(|it| format!("{consumer} uses `{it}`, which is unknown")));
        }
        problems
    }

    /// Returns the consumers that a change of a service hits: those that use the procedure that it is about, or
    /// all.
    pub(crate) fn hit(&self, states: [&ServiceDescription; 2], name: Option<&str>) -> Vec<String> {
        let hit = self.0.iter().filter(|uses| {
            states.iter().any(|it| uses.is_of(it))
                && name.is_none_or(|name| uses.procedures.iter().any(|it| fits(it, name)))
        });
        hit.map(|it| it.consumer.clone()).collect()
    }
}

impl Uses {
    /// Returns whether it is about a service: by its id, or by its name where one of them has no id.
    fn is_of(&self, service: &ServiceDescription) -> bool {
        match &self.service.id {
            Some(id) if !id.is_empty() && !service.id.is_empty() => *id == service.id,
            _ => self.service.name == service.name,
        }
    }
}
