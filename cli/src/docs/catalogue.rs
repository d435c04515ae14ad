//! `docent docs --catalogue`: the services of a folder, with the history that Git has of it.
//!
//! A service is read, built and written before the next one, so that memory does not grow with their
//! number: first only names are kept, to find out which files are versions of one service.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::slice;
use std::sync::Arc;
use std::time::Instant;

use docent_describe::{ServiceDescription, version_order};
use docent_docs_gen::{Catalogue, CatalogueUpdate, SiteBuilder, families};
use docent_tools::check::FindingKind;
use docent_tools::read::{ReadError, read};

use super::changes::changes;
use super::folder::{Folder, LIST};
use super::history::{Objects, State, States, states};
use super::output;
use super::settings::Settings;
use super::show_some;
use super::site::{Content, with_service};
use crate::args::DocsArgs;
use crate::check::deny;
use crate::failure::Failure;
use crate::files::{self, FoundFiles};
use crate::input::Described;
use crate::terminal::{Terminal, count};

/// The most changes on the catalogue's page of changes.
const LISTED: usize = 200;

/// The start of messages about files of which the site says nothing.
const LEFT_OUT: &str = "docent: left out:";

/// The most contents of a service in its history that are read.
const READ: usize = 50;

pub(super) fn run(args: &DocsArgs, folder: &Path, terminal: Terminal) -> Result<(), Failure> {
    let start = Instant::now();
    // clap requires it unless --print-templates is set.
    let target = args.output.as_deref().unwrap_or(Path::new("."));
    let output = Folder::new(target, args.force)?;
    let mut catalogue = Settings::new(args)?
        .apply(Catalogue::builder().changes(changes))?
        .catalogue()
        .map_err(Failure::of_site)?;
    let current = current(args, folder, target, terminal)?;
    let history = states(folder).unwrap_or_else(|reason| {
        terminal.warn(format_args!("{}: no history: {reason}", folder.display()));
        States::new()
    });
    let objects = (!history.is_empty()).then(|| Objects::new(folder));
    let mut contents = Contents {
        folder,
        objects: objects.transpose()?,
    };
    let sources = with_history(current, history, &mut contents);
    let services = services(&sources);
    let listed = contents
        .objects
        .as_ref()
        .map(|_| listed(&services, &sources));
    let (listed, older) = listed.unwrap_or_default();
    let mut reader = HistoryReader {
        sources: &sources,
        listed,
        versions: args.versions.into(),
        contents,
    };
    let report = output.write_all(|writing| {
        for service in &services {
            let (versions, updates) = match reader.read(service) {
                Ok(read) => read,
                Err(failure) => {
                    terminal.fail_at(LEFT_OUT, &failure);
                    continue;
                }
            };
            writing.add(
                &catalogue
                    .add(versions, &updates)
                    .map_err(Failure::of_site)?,
            )?;
        }
        writing.add(&catalogue.front(older).map_err(Failure::of_site)?)
    })?;
    output::tell(&output, &report, start, terminal);
    Ok(())
}

/// A file that describes a service, or did so in its last content.
struct SourceFile {
    /// The path in the folder.
    path: String,
    /// The description as far as it tells which service it is of.
    description: ServiceDescription,
    /// True if the file is in the folder now.
    is_current: bool,
    /// The contents that it had, the newest first.
    states: Vec<State>,
}

impl SourceFile {
    fn new(path: String, full: ServiceDescription, is_current: bool) -> Self {
        Self {
            path,
            description: ServiceDescription {
                name: full.name,
                id: full.id,
                version: full.version,
                address: full.address,
                origin: full.origin,
                ..ServiceDescription::default()
            },
            is_current,
            states: Vec::new(),
        }
    }
}

/// Reads the contents of files.
struct Contents<'f> {
    folder: &'f Path,
    /// The objects of the repository, if there is a history.
    objects: Option<Objects>,
}

impl Contents<'_> {
    fn read(&mut self, path: &str, state: &State) -> Result<Vec<u8>, Failure> {
        match (&state.object, &mut self.objects) {
            (Some(object), Some(objects)) => objects.read(object),
            _ => files::read(&self.folder.join(path)),
        }
    }
}

/// Reads the descriptions in the folder, and reports findings. Files that cannot be read are left out with a message, so
/// that one of them does not stop the site of all others. They fail the command if warnings are denied.
fn current(
    args: &DocsArgs,
    folder: &Path,
    target: &Path,
    terminal: Terminal,
) -> Result<Vec<SourceFile>, Failure> {
    let mut sources = Vec::new();
    let mut failures = Vec::new();
    let FoundFiles { files, refused } = json_files(folder, target)?;
    let mut bad_files = refused.len();
    for failure in refused {
        terminal.fail_at(LEFT_OUT, &failure);
    }
    for path in &files {
        let described = match files::read(path).and_then(|it| Described::of_file(path, it)) {
            Ok(described) => described,
            Err(failure) => {
                terminal.fail_at(LEFT_OUT, &failure);
                bad_files += usize::from(!is_other_json(path));
                continue;
            }
        };
        terminal.progress(described.summary());
        failures.extend(deny(slice::from_ref(&described), &args.deny, terminal).err());
        show_some(&described, terminal);
        let inside = path
            .strip_prefix(folder)
            .unwrap_or(path)
            .to_string_lossy()
            .replace('\\', "/");
        sources.push(SourceFile::new(inside, described.reading.description, true));
    }
    if bad_files > 0 && args.deny.contains(&FindingKind::Warnings) {
        let files = count(bad_files, "file");
        failures.push(Failure::negative(format_args!("{files} left out")));
    }
    Failure::all(failures)?;
    if sources.is_empty() {
        return Err(Failure::no_description(format_args!(
            "{}: no description in a file `*.json`",
            folder.display()
        )));
    }
    Ok(sources)
}

/// Returns whether a file is JSON of another kind, which a folder may have beside descriptions.
fn is_other_json(path: &Path) -> bool {
    matches!(
        read(&files::read(path).unwrap_or_default()),
        Err(ReadError::NoDescription { .. })
    )
}

/// Lists the JSON files below a folder in the order of their paths, without those of sites.
fn json_files(folder: &Path, target: &Path) -> Result<FoundFiles, Failure> {
    let target = fs::canonicalize(target).ok();
    let mut found = files::below(folder, ".json")?;
    found.files.retain(|path| {
        let mut folders = path.ancestors().skip(1).take_while(|it| *it != folder);
        !folders.any(|folder| {
            folder.join(LIST).exists()
                || target.is_some() && fs::canonicalize(folder).ok() == target
        })
    });
    Ok(found)
}

/// Adds the history of each file, and the files that the folder had before: under another name, they may
/// be history of a service.
fn with_history(
    mut sources: Vec<SourceFile>,
    mut history: States,
    contents: &mut Contents<'_>,
) -> Vec<SourceFile> {
    for source in &mut sources {
        let path = &source.path;
        let now = State::default();
        source.states = history.remove(path).unwrap_or_default();
        let is_committed = match source.states.first() {
            Some(newest) => match (contents.read(path, newest), contents.read(path, &now)) {
                (Ok(newest), Ok(now)) => newest == now,
                _ => false,
            },
            None => false,
        };
        if !is_committed {
            source.states.insert(0, now);
        }
    }
    for (path, states) in history {
        let last = states.first().map(|last| contents.read(&path, last));
        // What cannot be read is of no service.
        if let Some(Ok(reading)) = last.and_then(Result::ok).map(|bytes| read(&bytes)) {
            let former = SourceFile::new(path, reading.description, false);
            sources.push(SourceFile { states, ..former });
        }
    }
    sources
}

/// Groups the files by service, in the order of names. Services that have no file now are left out.
fn services(sources: &[SourceFile]) -> Vec<Vec<usize>> {
    let described: Vec<_> = sources.iter().map(|it| &it.description).collect();
    let mut services = families(&described);
    let grouped: HashSet<usize> = services.iter().flatten().copied().collect();
    services.extend(
        (0..sources.len())
            .filter(|at| !grouped.contains(at))
            .map(|at| vec![at]),
    );
    services.retain(|service| service.iter().any(|&at| sources[at].is_current));
    services.sort_by_cached_key(|service| {
        let first = &sources[service[0]];
        (first.description.name.to_lowercase(), first.path.clone())
    });
    services
}

/// Returns the newest changes of all services, as files and commits, and the number of the others.
fn listed(services: &[Vec<usize>], sources: &[SourceFile]) -> (HashSet<(usize, usize)>, usize) {
    let mut all: Vec<_> = services
        .iter()
        .flatten()
        .flat_map(|&at| {
            sources[at]
                .states
                .iter()
                .map(move |state| (at, state.commit))
        })
        .collect();
    // The order of services stays among the changes of one commit.
    all.sort_by_key(|(_, commit)| *commit);
    let older = all.len().saturating_sub(LISTED);
    (all.into_iter().take(LISTED).collect(), older)
}

/// A content in the history of a service.
struct Entry<'h> {
    source: usize,
    /// True if this is what the folder has now.
    is_top: bool,
    state: &'h State,
    has_before: bool,
}

/// Reads the history of one service after the other.
struct HistoryReader<'h> {
    sources: &'h [SourceFile],
    /// The files and commits of the changes that the catalogue lists.
    listed: HashSet<(usize, usize)>,
    versions: usize,
    contents: Contents<'h>,
}

impl<'h> HistoryReader<'h> {
    /// Reads the versions of a service, the newest last, and its changes that the catalogue lists.
    fn read(&mut self, service: &[usize]) -> Result<(SiteBuilder, Vec<CatalogueUpdate>), Failure> {
        let entries = self.entries(service);
        let contents = self.contents(&entries);
        // What came before the oldest content is not known if some were not read.
        let is_whole = entries.len() <= READ;
        let listed = contents
            .iter()
            .enumerate()
            .filter(|(_, (entry, _))| self.is_listed(entry));
        let updates = listed.filter_map(|(at, (entry, content))| {
            let before = contents[at + 1..].iter().find(|(older, _)| {
                if entry.has_before {
                    older.source == entry.source
                } else {
                    older.state.commit >= entry.state.commit
                }
            });
            (is_whole || before.is_some()).then(|| CatalogueUpdate {
                date: entry.state.date.clone(),
                before: before.map(|(_, older)| Arc::clone(&older.description)),
                after: Arc::clone(&content.description),
            })
        });
        let updates = updates.collect();
        let mut versions: Vec<(&Entry<'_>, Content)> = Vec::new();
        for (entry, content) in contents {
            let version = &content.description.version;
            let mut known = versions.iter().map(|(_, it)| &it.description.version);
            let is_new = known.len() < self.versions && !known.any(|known| known == version);
            if entry.is_top || is_new {
                versions.push((entry, content));
            }
        }
        versions.sort_by(|(a, one), (b, other)| age(a, one).cmp(&age(b, other)));
        let mut builder = None;
        for (entry, content) in versions {
            let mut site = with_service(builder, content);
            if let Some(date) = &entry.state.date {
                site = site.date(date.split('T').next().unwrap_or_default());
            }
            builder = Some(site);
        }
        let builder = builder.ok_or_else(|| {
            let path = &self.sources[service[0]].path;
            Failure::system(format_args!("{path}: changed during the build"))
        })?;
        Ok((builder, updates))
    }

    /// Returns whether the catalogue lists the change that brought a content.
    fn is_listed(&self, entry: &Entry<'_>) -> bool {
        self.listed.contains(&(entry.source, entry.state.commit))
    }

    /// Reads the contents of a service, from the newest on, as far as they are needed.
    fn contents<'e>(&mut self, entries: &'e [Entry<'h>]) -> Vec<(&'e Entry<'h>, Content)> {
        let has_listed = entries.iter().any(|entry| self.is_listed(entry));
        let mut versions = HashSet::new();
        let mut contents = Vec::new();
        for entry in entries.iter().take(READ) {
            if versions.len() >= self.versions && !entry.is_top && !has_listed {
                break;
            }
            let path = &self.sources[entry.source].path;
            let bytes = self.contents.read(path, entry.state);
            // A description that was broken once is no state of the service.
            let described = bytes.and_then(|bytes| Described::of_file(Path::new(path), bytes));
            if let Ok(described) = described {
                let content = Content::from(described);
                versions.insert(content.description.version.clone());
                contents.push((entry, content));
            }
        }
        contents
    }

    /// Lists the contents of a service: what the folder has now, then the others from the newest on.
    fn entries(&self, service: &[usize]) -> Vec<Entry<'h>> {
        let sources = self.sources;
        let mut entries: Vec<_> = service
            .iter()
            .flat_map(|&source| {
                let SourceFile {
                    states, is_current, ..
                } = &sources[source];
                states.iter().enumerate().map(move |(at, state)| Entry {
                    source,
                    is_top: *is_current && at == 0,
                    state,
                    has_before: at + 1 < states.len(),
                })
            })
            .collect();
        entries.sort_by_key(|entry| (!entry.is_top, entry.state.commit));
        entries
    }
}

/// Returns what orders versions: those in the folder are newer than those of its history.
fn age<'c>(entry: &Entry<'_>, content: &'c Content) -> impl Ord + use<'c> {
    let version = content.description.version.as_deref().map(version_order);
    if entry.is_top {
        (true, Reverse(0), version)
    } else {
        (false, Reverse(entry.state.commit), None)
    }
}
