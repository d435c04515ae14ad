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
use super::folder::{LIST_FILE, SiteFolder};
use super::history::{FileState, GitObjects, States, states};
use super::output;
use super::settings::Settings;
use super::site::{Content, with_service};
use super::{show_some, warn_of_site};
use crate::args::DocsArgs;
use crate::check::deny;
use crate::failure::Failure;
use crate::files::{self, FoundFiles};
use crate::input::Described;
use crate::terminal::{Terminal, count};

/// The maximum number of changes on the catalogue's page of changes.
const MAX_LISTED_CHANGES: usize = 200;

/// The start of messages about files of which the site says nothing.
const LEFT_OUT_LABEL: &str = "docent: left out:";

/// The maximum number of contents of a service in its history that are read.
const MAX_READ_STATES: usize = 50;

/// Builds the catalogue of a folder. A service that cannot be read is left out with a message.
pub(super) fn run(args: &DocsArgs, folder: &Path, terminal: Terminal) -> Result<(), Failure> {
    let start = Instant::now();
    // clap requires it unless --print-templates is set.
    let target = args.output.as_deref().unwrap_or(Path::new("."));
    let output = SiteFolder::new(target, args.force)?;
    let mut catalogue = Settings::new(args)?
        .apply(Catalogue::builder().changes(changes))?
        .catalogue()
        .map_err(Failure::of_site)?;
    let current = current(args, folder, target, terminal)?;
    let history = states(folder).unwrap_or_else(|reason| {
        terminal.warn(format_args!("{}: no history: {reason}", folder.display()));
        States::new()
    });
    let has_history = !history.is_empty();
    let mut contents = FileContents {
        folder,
        objects: if has_history {
            Some(GitObjects::new(folder)?)
        } else {
            None
        },
    };
    let sources = with_history(current, history, &mut contents);
    let services = services(&sources);
    let mut newest = NewestChanges::default();
    if has_history {
        newest = newest_changes(&services, &sources);
    }
    let mut reader = HistoryReader {
        sources: &sources,
        listed: newest.listed,
        versions: args.versions.into(),
        contents,
    };
    let report = output.write_all(|writer| {
        for service in &services {
            let (versions, updates) = match reader.read(service) {
                Ok(read) => read,
                Err(failure) => {
                    terminal.fail_at(LEFT_OUT_LABEL, &failure);
                    continue;
                }
            };
            let site = catalogue.add(versions, &updates);
            writer.add(&site.map_err(Failure::of_site)?)?;
        }
        let front = catalogue.front(newest.unlisted).map_err(Failure::of_site)?;
        warn_of_site(&front, &args.deny, terminal)?;
        writer.add(&front)
    })?;
    output::report_output(&output, &report, start, terminal);
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
    states: Vec<FileState>,
}

impl SourceFile {
    fn new(path: String, full: ServiceDescription, is_current: bool) -> Self {
        let mut description = ServiceDescription::new(full.name, full.id);
        description.version = full.version;
        description.address = full.address;
        description.origin = full.origin;
        Self {
            path,
            description,
            is_current,
            states: Vec::new(),
        }
    }
}

/// Reads the contents of files.
struct FileContents<'f> {
    folder: &'f Path,
    /// The objects of the repository, if there is a history.
    objects: Option<GitObjects>,
}

impl FileContents<'_> {
    /// Reads a content of a file: of the repository, or what the folder has now.
    fn read(&mut self, path: &str, state: &FileState) -> Result<Vec<u8>, Failure> {
        match (&state.object, &mut self.objects) {
            (Some(object), Some(objects)) => objects.read(object),
            _ => files::read(&self.folder.join(path)),
        }
    }
}

/// Reads the descriptions in the folder, and reports findings. Files that cannot be read are left out with a message,
/// so that one of them does not stop the site of all others. They fail the command if warnings are denied.
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
        terminal.fail_at(LEFT_OUT_LABEL, &failure);
    }
    for path in &files {
        let described = match files::read(path).and_then(|bytes| Described::of_file(path, bytes)) {
            Ok(described) => described,
            Err(failure) => {
                terminal.fail_at(LEFT_OUT_LABEL, &failure);
                bad_files += usize::from(!is_other_json(path));
                continue;
            }
        };
        terminal.progress(described.summary());
        failures.extend(deny(slice::from_ref(&described), &args.deny, terminal).err());
        show_some(&described, terminal);
        let path_in_folder = path
            .strip_prefix(folder)
            .unwrap_or(path)
            .to_string_lossy()
            .replace('\\', "/");
        let description = described.reading.description;
        sources.push(SourceFile::new(path_in_folder, description, true));
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
        !path
            .ancestors()
            .skip(1)
            .take_while(|path| *path != folder)
            .any(|parent| {
                parent.join(LIST_FILE).exists()
                    || target.is_some() && fs::canonicalize(parent).ok() == target
            })
    });
    Ok(found)
}

/// Adds the history of each file, and the files that the folder had before: under another name, they may
/// be history of a service.
fn with_history(
    mut sources: Vec<SourceFile>,
    mut history: States,
    contents: &mut FileContents<'_>,
) -> Vec<SourceFile> {
    for source in &mut sources {
        let path = &source.path;
        let now = FileState::default();
        source.states = history.remove(path).unwrap_or_default();
        let mut is_committed = false;
        if let Some(newest) = source.states.first()
            && let Ok(newest_bytes) = contents.read(path, newest)
            && let Ok(bytes_now) = contents.read(path, &now)
        {
            is_committed = newest_bytes == bytes_now;
        }
        if !is_committed {
            source.states.insert(0, now);
        }
    }
    for (path, states) in history {
        // Unreadable files belong to no service.
        if let Some(last) = states.first()
            && let Ok(bytes) = contents.read(&path, last)
            && let Ok(reading) = read(&bytes)
        {
            let former = SourceFile::new(path, reading.description, false);
            sources.push(SourceFile { states, ..former });
        }
    }
    sources
}

/// Groups the files by service, in the order of names. Services that have no file now are left out.
fn services(sources: &[SourceFile]) -> Vec<Vec<usize>> {
    let described: Vec<_> = sources.iter().map(|source| &source.description).collect();
    let mut services = families(&described);
    let grouped: HashSet<usize> = services.iter().flatten().copied().collect();
    for index in 0..sources.len() {
        if !grouped.contains(&index) {
            services.push(vec![index]);
        }
    }
    services.retain(|service| service.iter().any(|&index| sources[index].is_current));
    services.sort_by_cached_key(|service| {
        let first = &sources[service[0]];
        (first.description.name.to_lowercase(), first.path.clone())
    });
    services
}

/// A change of a file in the history.
#[derive(PartialEq, Eq, Hash)]
struct SourceChange {
    /// The index of the file.
    source: usize,
    /// The number of the commit, from the newest on.
    commit: usize,
}

/// The changes of all services, the newest of which the catalogue lists.
#[derive(Default)]
struct NewestChanges {
    /// The changes that are listed.
    listed: HashSet<SourceChange>,
    /// The number of the others.
    unlisted: usize,
}

fn newest_changes(services: &[Vec<usize>], sources: &[SourceFile]) -> NewestChanges {
    let mut changes = Vec::new();
    for &source in services.iter().flatten() {
        for state in &sources[source].states {
            changes.push(SourceChange {
                source,
                commit: state.commit,
            });
        }
    }
    // The order of services stays among the changes of one commit.
    changes.sort_by_key(|change| change.commit);
    NewestChanges {
        unlisted: changes.len().saturating_sub(MAX_LISTED_CHANGES),
        listed: changes.into_iter().take(MAX_LISTED_CHANGES).collect(),
    }
}

/// A content in the history of a service.
struct HistoryEntry<'h> {
    /// The index of the file.
    source: usize,
    /// True if this is what the folder has now.
    is_top: bool,
    state: &'h FileState,
    /// True if its file has an older content.
    has_before: bool,
}

/// An entry whose content was read.
struct ReadEntry<'e, 'h> {
    entry: &'e HistoryEntry<'h>,
    content: Content,
}

impl ReadEntry<'_, '_> {
    fn version(&self) -> Option<&str> {
        self.content.description.version.as_deref()
    }

    /// Returns what orders versions: those in the folder are newer than those of its history.
    fn age(&self) -> impl Ord {
        if self.entry.is_top {
            (true, Reverse(0), self.version().map(version_order))
        } else {
            (false, Reverse(self.entry.state.commit), None)
        }
    }
}

/// Reads the history of one service after the other.
struct HistoryReader<'h> {
    sources: &'h [SourceFile],
    /// The changes that the catalogue lists.
    listed: HashSet<SourceChange>,
    /// The maximum number of versions of a service. Current ones are kept in any case.
    versions: usize,
    contents: FileContents<'h>,
}

impl<'h> HistoryReader<'h> {
    /// Reads the versions of a service, the newest last, and its changes that the catalogue lists.
    fn read(&mut self, service: &[usize]) -> Result<(SiteBuilder, Vec<CatalogueUpdate>), Failure> {
        let entries = self.entries(service);
        let contents = self.contents(&entries);
        // The content before the oldest one is not known if some were not read.
        let is_whole = entries.len() <= MAX_READ_STATES;
        let mut updates = Vec::new();
        for (index, read) in contents.iter().enumerate() {
            let entry = read.entry;
            let before = contents[index + 1..].iter().find(|older| {
                if entry.has_before {
                    older.entry.source == entry.source
                } else {
                    older.entry.state.commit >= entry.state.commit
                }
            });
            if self.is_listed(entry) && (is_whole || before.is_some()) {
                updates.push(CatalogueUpdate {
                    date: entry.state.date.clone(),
                    before: before.map(|older| Arc::clone(&older.content.description)),
                    after: Arc::clone(&read.content.description),
                });
            }
        }
        let mut versions: Vec<ReadEntry<'_, '_>> = Vec::new();
        for read in contents {
            let is_known = versions
                .iter()
                .any(|known| known.version() == read.version());
            if read.entry.is_top || versions.len() < self.versions && !is_known {
                versions.push(read);
            }
        }
        versions.sort_by(|one, other| one.age().cmp(&other.age()));
        let mut builder = None;
        for ReadEntry { entry, content } in versions {
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
    fn is_listed(&self, entry: &HistoryEntry<'_>) -> bool {
        self.listed.contains(&SourceChange {
            source: entry.source,
            commit: entry.state.commit,
        })
    }

    /// Reads the contents of a service, from the newest on, as far as they are needed.
    fn contents<'e>(&mut self, entries: &'e [HistoryEntry<'h>]) -> Vec<ReadEntry<'e, 'h>> {
        let has_listed = entries.iter().any(|entry| self.is_listed(entry));
        let mut versions = HashSet::new();
        let mut contents = Vec::new();
        for entry in entries.iter().take(MAX_READ_STATES) {
            if versions.len() >= self.versions && !entry.is_top && !has_listed {
                break;
            }
            let path = &self.sources[entry.source].path;
            // A description that was broken once is no state of the service.
            if let Ok(bytes) = self.contents.read(path, entry.state)
                && let Ok(described) = Described::of_file(Path::new(path), bytes)
            {
                let content = Content::from(described);
                versions.insert(content.description.version.clone());
                contents.push(ReadEntry { entry, content });
            }
        }
        contents
    }

    /// Lists the contents of a service: what the folder has now, then the others from the newest on.
    fn entries(&self, service: &[usize]) -> Vec<HistoryEntry<'h>> {
        let mut entries = Vec::new();
        for &source in service {
            let file = &self.sources[source];
            for (index, state) in file.states.iter().enumerate() {
                entries.push(HistoryEntry {
                    source,
                    is_top: file.is_current && index == 0,
                    state,
                    has_before: index + 1 < file.states.len(),
                });
            }
        }
        entries.sort_by_key(|entry| (!entry.is_top, entry.state.commit));
        entries
    }
}
