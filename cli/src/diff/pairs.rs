//! The descriptions to compare: two, or those of two folders, file by file.
//!
//! A folder may have other JSON beside descriptions, which is left out. Files that are equal are not
//! compared; only their names of procedures are kept, for lists of used procedures.

use std::collections::BTreeSet;
use std::env;

use docent_describe::{ProcedureDescription, ServiceDescription};
use docent_tools::compare::Document;

use crate::failure::Failure;
use crate::http::Client;
use crate::input::{Described, Fetched, Input};
use crate::terminal::Terminal;
use crate::uses;

/// The end of the names of files that may be descriptions.
const JSON_SUFFIX: &str = ".json";

/// Two states of a description. For a file that only one folder has, both have this file as input.
pub(super) struct DescriptionPair {
    pub(super) old: Described,
    pub(super) new: Described,
}

impl DescriptionPair {
    pub(super) fn described(&self, document: Document) -> &Described {
        match document {
            Document::Old => &self.old,
            Document::New => &self.new,
        }
    }

    pub(super) fn states(&self) -> [&ServiceDescription; 2] {
        [&self.old, &self.new].map(|described| &described.reading.description)
    }
}

/// A file of a folder, and its text.
#[derive(Clone)]
struct FetchedFile {
    input: Input,
    fetched: Fetched,
}

impl FetchedFile {
    /// Fetches a file of a folder, if it is among the names.
    fn fetch(
        folder: &Input,
        name: &String,
        names: &[String],
        client: &Client,
    ) -> Result<Option<Self>, Failure> {
        if !names.contains(name) {
            return Ok(None);
        }
        let input = folder.file(name);
        let fetched = input.fetch(client, None)?;
        Ok(Some(Self { input, fetched }))
    }

    fn read(self) -> Result<Described, Failure> {
        Described::new(&self.input, self.fetched)
    }
}

/// Reads two descriptions, or the files of two folders that differ. Adds outlines of those that do not to `same`, if
/// there is a list.
pub(super) fn read(
    old: &Input,
    new: &Input,
    same: &mut Option<Vec<ServiceDescription>>,
    client: &Client,
    terminal: Terminal,
) -> Result<Vec<DescriptionPair>, Failure> {
    let from = at_revision(old, new);
    let (was, now) = match (from.below(JSON_SUFFIX)?, new.below(JSON_SUFFIX)?) {
        (Some(was), Some(now)) => (was, now),
        // The folder is new, if the revision exists.
        (None, Some(now)) if from != *old && old.below(JSON_SUFFIX)?.is_some() => (Vec::new(), now),
        (None, None) => {
            return Ok(vec![DescriptionPair {
                old: from.read(client)?,
                new: new.read(client)?,
            }]);
        }
        (was, _) => {
            let [folder, other] = match was {
                Some(_) => [&from, new],
                None => [new, &from],
            };
            other.fetch(client, None)?;
            return Err(Failure::usage(format_args!(
                "{} is a folder, and {} is not",
                folder.display_name(),
                other.display_name()
            )));
        }
    };
    let mut pairs = Vec::new();
    let mut is_empty = true;
    for name in was.iter().chain(&now).collect::<BTreeSet<_>>() {
        if name.ends_with(uses::LIST_FILE) {
            continue;
        }
        is_empty = false;
        let before = FetchedFile::fetch(&from, name, &was, client)?;
        let after = FetchedFile::fetch(new, name, &now, client)?;
        let is_same = match (&before, &after) {
            (Some(before), Some(after)) => before.fetched.bytes == after.fetched.bytes,
            _ => false,
        };
        if !is_same {
            pairs.extend(pair(before, after, terminal)?);
        } else if let Some(same) = same {
            same.extend(after.and_then(outline));
        }
    }
    if is_empty {
        return Err(Failure::no_description(format!(
            "{}: no file that ends with {JSON_SUFFIX}",
            new.display_name()
        )));
    }
    Ok(pairs)
}

/// Returns `git:REV:PATH` for `git:REV`, with the path of the new state.
fn at_revision(old: &Input, new: &Input) -> Input {
    match (old, new) {
        (Input::Git(revision), Input::File(path)) if !revision.contains(':') => {
            let path = path
                .strip_prefix(env::current_dir().unwrap_or_default())
                .unwrap_or(path)
                .display();
            Input::Git(format!("{revision}:./{path}"))
        }
        _ => old.clone(),
    }
}

/// Returns whose a description is, and the names of its procedures.
fn outline(file: FetchedFile) -> Option<ServiceDescription> {
    let full = file.read().ok()?.reading.description;
    let procs = full
        .procs
        .into_iter()
        .map(|procedure| ProcedureDescription::new(procedure.name));
    let mut service = ServiceDescription::new(full.name, full.id);
    service.procs = procs.collect();
    Some(service)
}

/// Reads the states of a file. Returns `None` if it was no description. A file that only one folder has is
/// compared with itself without procedures.
fn pair(
    before: Option<FetchedFile>,
    after: Option<FetchedFile>,
    terminal: Terminal,
) -> Result<Option<DescriptionPair>, Failure> {
    let is_added = before.is_none();
    let is_removed = after.is_none();
    let Some((was, now)) = before.clone().or(after.clone()).zip(after.or(before)) else {
        return Ok(None);
    };
    let (mut old, mut new) = match (was.read(), now.read()) {
        (Ok(old), new) => (old, new?),
        (Err(_), new) => {
            // A new file may be of another kind, or broken.
            if let Err(failure) = new {
                terminal.fail_at("docent: left out:", &failure);
            }
            return Ok(None);
        }
    };
    if is_added {
        empty(&mut old);
    }
    if is_removed {
        empty(&mut new);
    }
    Ok(Some(DescriptionPair { old, new }))
}

/// Turns a description into the state of a file that does not exist. It has no version that could be
/// kept.
fn empty(described: &mut Described) {
    described.reading.description.procs.clear();
    described.reading.description.version = None;
    described.reading.warnings.clear();
}
