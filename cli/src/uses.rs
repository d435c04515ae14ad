//! The procedures that clients use: `docent client` writes a list for the client that it makes, and
//! `docent diff --used` reads lists, to tell which clients a change hits.
//!
//! Lists are made to be kept by people too, so they may have globs and members of their own.

use std::path::{Path, PathBuf};

use docent_describe::ServiceDescription;
use docent_tools::client::GENERATED_NOTICE;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files;
use crate::glob;
use crate::terminal::plain_json;

/// The name of the list of a client. In folders, files whose names end like this are lists.
pub(crate) const LIST_FILE: &str = "docent-uses.json";

/// The list of a client. Members with other names are for people.
#[derive(Serialize, Deserialize)]
struct UseList {
    /// A notice for readers: the file is generated, and not to be edited.
    #[serde(skip_deserializing)]
    generated: &'static str,
    /// The name of the client. Without one, it is called like the file. Earlier lists call it `consumer`.
    #[serde(alias = "consumer", default, skip_serializing_if = "String::is_empty")]
    client: String,
    service: UsedService,
    /// The names of procedures, or globs.
    procedures: Vec<String>,
}

/// The service that a client uses, by what identifies it in later descriptions.
#[derive(Serialize, Deserialize)]
struct UsedService {
    /// The id, which stays the same if the service is renamed.
    id: Option<String>,
    name: String,
    /// The version that the client was written for. It is only for people.
    #[serde(skip_deserializing)]
    version: Option<String>,
}

/// Returns the list of a client for a service, as JSON.
pub(crate) fn list(service: &ServiceDescription, client: Option<&str>) -> Result<String, Failure> {
    let list = UseList {
        generated: GENERATED_NOTICE,
        client: client.unwrap_or_default().to_owned(),
        service: UsedService {
            id: Some(service.id.clone()),
            name: service.name.clone(),
            version: service.version.clone(),
        },
        procedures: service
            .procs
            .iter()
            .map(|procedure| procedure.name.clone())
            .collect(),
    };
    let json = serde_json::to_string_pretty(&list).map_err(Failure::system)?;
    Ok(plain_json(&(json + "\n")))
}

/// The lists of the clients that a comparison knows of.
pub(crate) struct UseLists(Vec<UseList>);

impl UseLists {
    /// Reads lists, and those in folders.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut lists = Vec::new();
        for path in paths {
            if path.is_dir() {
                for path in files::below(path, LIST_FILE)?.all()? {
                    lists.push(UseList::read(&path)?);
                }
            } else {
                lists.push(UseList::read(path)?);
            }
        }
        if lists.is_empty() {
            return Err(Failure::usage(format_args!("--used: no {LIST_FILE} there")));
        }
        lists.sort_by(|one, other| one.client.cmp(&other.client));
        Ok(Self(lists))
    }

    /// Returns what is wrong with the lists, given the services that are compared: a list of another one, and
    /// names that its service does not have.
    pub(crate) fn problems(&self, services: &[&ServiceDescription]) -> Vec<String> {
        let mut problems = Vec::new();
        for list in &self.0 {
            let client = &list.client;
            let mut known_names = Vec::new();
            let mut has_service = false;
            for service in services.iter().filter(|service| list.is_about(service)) {
                has_service = true;
                known_names.extend(service.procs.iter().map(|procedure| &procedure.name));
            }
            if !has_service {
                let service = list.service.id.as_ref().unwrap_or(&list.service.name);
                problems.push(format!("{client} uses another service, {service}"));
                continue;
            }
            for used in &list.procedures {
                if !known_names.iter().any(|name| glob::matches(used, name)) {
                    problems.push(format!("{client} uses `{used}`, which is unknown"));
                }
            }
        }
        problems
    }

    /// Returns the clients that a change of a service hits: those that use the procedure that it is about, or
    /// all.
    pub(crate) fn hit_clients(
        &self,
        states: [&ServiceDescription; 2],
        procedure: Option<&str>,
    ) -> Vec<String> {
        self.0
            .iter()
            .filter(|list| states.iter().any(|service| list.is_about(service)))
            .filter(|list| procedure.is_none_or(|name| list.uses(name)))
            .map(|list| list.client.clone())
            .collect()
    }
}

impl UseList {
    fn read(path: &Path) -> Result<Self, Failure> {
        let display_name = path.display().to_string();
        let mut list: Self = serde_json::from_slice(&files::read(path)?)
            .map_err(|error| Failure::usage(format_args!("{display_name}: {error}")))?;
        if list.client.is_empty() {
            list.client = display_name;
        }
        Ok(list)
    }

    fn uses(&self, procedure: &str) -> bool {
        self.procedures
            .iter()
            .any(|used| glob::matches(used, procedure))
    }

    /// Returns whether it is about a service: by its id, or by its name where one of them has no id.
    fn is_about(&self, service: &ServiceDescription) -> bool {
        match &self.service.id {
            Some(id) if !id.is_empty() && !service.id.is_empty() => *id == service.id,
            _ => self.service.name == service.name,
        }
    }
}
