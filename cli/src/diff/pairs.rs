//! The descriptions to compare: two, or those of two folders, file by file.

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
const JSON: &str = ".json";

/// Two states of a description. For a file that only one folder has, both have this file as input.
pub(super) struct Pair {
    pub(super) old: Described,
    pub(super) new: Described,
}

impl Pair {
    pub(super) fn described(&self, document: Document) -> &Described {
        match document {
            Document::Old => &self.old,
            Document::New => &self.new,
        }
    }

    pub(super) fn states(&self) -> [&ServiceDescription; 2] {
        [&self.old, &self.new].map(|it| &it.reading.description)
    }
}

/// Reads two descriptions, or the files of two folders that differ. Adds outlines of those that do not to `same`, if
/// there is a list.
pub(super) fn read(
    (old, new): (&Input, &Input),
    same: &mut Option<Vec<ServiceDescription>>,
    client: &Client,
    terminal: Terminal,
) -> Result<Vec<Pair>, Failure> {
    let from = at_revision(old, new);
    let (was, now) = match (from.below(JSON)?, new.below(JSON)?) {
        (Some(was), Some(now)) => (was, now),
        // The folder is new, if the revision exists.
        (None, Some(now)) if from != *old && old.below(JSON)?.is_some() => (Vec::new(), now),
        (None, None) => {
            return Ok(vec![Pair {
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
                folder.shown(),
                other.shown()
            )));
        }
    };
    let mut pairs = Vec::new();
    let mut is_empty = true;
    for name in was.iter().chain(&now).collect::<BTreeSet<_>>() {
        let fetch = |folder: &Input, names: &[String]| {
            let input = names.contains(name).then(|| folder.inside(name));
            input
                .map(|input| Ok((input.fetch(client, None)?, input)))
                .transpose()
        };
        let before = fetch(&from, &was)?;
        let after = fetch(new, &now)?;
        let [old, new] = [&before, &after].map(|it| it.as_ref().map(|(it, _)| &it.bytes));
        if name.ends_with(uses::FILE) {
            continue;
        }
        is_empty = false;
        if old != new {
            pairs.extend(pair(before, after, terminal)?);
        } else if let Some(same) = same {
            same.extend(after.and_then(outline));
        }
    }
    if is_empty {
        return Err(Failure::no_description(format!(
            "{}: no file that ends with {JSON}",
            new.shown()
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
fn outline((fetched, input): (Fetched, Input)) -> Option<ServiceDescription> {
    let full = Described::new(&input, fetched).ok()?.reading.description;
    let procs = full.procs.into_iter().map(|it| ProcedureDescription {
        name: it.name,
        ..Default::default()
    });
    Some(ServiceDescription {
        id: full.id,
        name: full.name,
        procs: procs.collect(),
        ..Default::default()
    })
}

/// Reads the states of a file. Returns `None` if it was no description. A file that only one folder has is
/// compared with itself without procedures.
fn pair(
    before: Option<(Fetched, Input)>,
    after: Option<(Fetched, Input)>,
    terminal: Terminal,
) -> Result<Option<Pair>, Failure> {
    let is_missing = [before.is_none(), after.is_none()];
    let Some((was, now)) = before.clone().or(after.clone()).zip(after.or(before)) else {
        return Ok(None);
    };
    let old = Described::new(&was.1, was.0);
    let (mut old, mut new) = match (old, Described::new(&now.1, now.0)) {
        (Ok(old), new) => (old, new?),
        (Err(_), new) => {
            // A new file may be of another kind, or broken.
            new.err()
                .iter()
                .for_each(|it| terminal.fail_at("docent: left out:", it));
            return Ok(None);
        }
    };
    for (described, is_missing) in [&mut old, &mut new].into_iter().zip(is_missing) {
        if is_missing {
            described.reading.description.procs.clear();
            // It has no version that could be kept.
            described.reading.description.version = None;
            described.reading.warnings.clear();
        }
    }
    Ok(Some(Pair { old, new }))
}
