//! `docent docs --catalogue`: the services of a folder, with the history that Git has of it.
//!
//! A service is read, built and written before the next one, so that memory does not grow with their
//! number: first only names are kept, to find out which files are versions of one service.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;
use std::time::Instant;

use docent_describe::{ServiceDescription, version_order};
use docent_docs_gen::{Catalogue, CatalogueUpdate, SiteBuilder, families};
use docent_tools::read::{Format, ReadError, read};

use super::changes::changes;
use super::folder::{Folder, LIST};
use super::history::{Objects, State, States, states};
use super::output;
use super::settings::Settings;
use super::show_some;
use super::site::with_service;
use crate::args::DocsArgs;
use crate::check::deny;
use crate::failure::Failure;
use crate::files;
use crate::input::{Described, Fetched, Input};
use crate::terminal::Terminal;

/// The most changes on the catalogue's page of changes.
const LISTED: usize = 200;

/// The most contents of a service in its history that are read.
const READ: usize = 50;

pub(super) fn run(args: &DocsArgs, folder: &Path, terminal: Terminal) -> Result<(), Failure> {
    let start = Instant::now();
    // clap requires it unless --print-templates is set.
    let target = args.output.as_deref().unwrap_or(Path::new("."));
    let output = Folder::new(target, args.force)?;
    let options = Settings::new(args)?.apply(Catalogue::builder().changes(changes))?;
    let mut catalogue = options.catalogue().map_err(Failure::of_site)?;
    let mut sources = current(args, folder, target, terminal)?;
    let history = states(folder).unwrap_or_else(|reason| {
        terminal.warn(format_args!("{}: no history: {reason}", folder.display()));
        States::new()
    });
    let mut objects = (!history.is_empty())
        .then(|| Objects::new(folder))
        .transpose()?;
    if let Some(objects) = &mut objects {
        add_former(&mut sources, &history, objects);
    }
    let services = services(&sources);
    let (listed, older) = listed(&services, &sources, &history);
    let mut reader = HistoryReader {
        folder,
        history: &history,
        listed,
        versions: args.versions.into(),
        objects,
    };
    let report = output.write_all(|writing| {
        for service in &services {
            let (versions, updates) = reader.read(service, &sources)?;
            let site = catalogue
                .add(versions, &updates)
                .map_err(Failure::of_site)?;
            writing.add(&site)?;
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
}

impl SourceFile {
    fn new(path: &str, full: ServiceDescription, is_current: bool) -> Self {
        Self {
            path: path.to_owned(),
            description: ServiceDescription {
                name: full.name,
                id: full.id,
                version: full.version,
                address: full.address,
                origin: full.origin,
                ..ServiceDescription::default()
            },
            is_current,
        }
    }
}

/// Reads the descriptions in the folder, and reports findings. Other JSON is left out with a warning;
/// what is not JSON fails, because a service would vanish otherwise.
fn current(
    args: &DocsArgs,
    folder: &Path,
    target: &Path,
    terminal: Terminal,
) -> Result<Vec<SourceFile>, Failure> {
    let mut sources = Vec::new();
    let mut failures = Vec::new();
    for path in json_files(folder, target)? {
        let bytes = files::read(&path)?;
        let fetched = Fetched {
            bytes,
            ..Fetched::default()
        };
        let described = match Described::new(&Input::File(path.clone()), fetched.clone()) {
            Ok(described) => described,
            Err(failure) => {
                if matches!(read(&fetched.bytes), Err(ReadError::NoDescription { .. })) {
                    terminal.warn(format_args!("{}; left out", failure.messages.join(" ")));
                } else {
                    failures.push(failure);
                }
                continue;
            }
        };
        terminal.progress(described.summary());
        failures.extend(deny(slice::from_ref(&described), &args.deny, terminal).err());
        show_some(&described.warnings(), &described.shown, terminal);
        let inside = path.strip_prefix(folder).unwrap_or(&path);
        let inside = inside.to_string_lossy().replace('\\', "/");
        sources.push(SourceFile::new(
            &inside,
            described.into_parts().0.description,
            true,
        ));
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

/// Lists the JSON files below a folder in the order of their paths, without those of sites.
fn json_files(folder: &Path, target: &Path) -> Result<Vec<PathBuf>, Failure> {
    let target = fs::canonicalize(target).ok();
    let is_site = |folder: &Path| {
        folder.join(LIST).exists() || target.is_some() && fs::canonicalize(folder).ok() == target
    };
    let mut found = files::below(folder, ".json")?;
    found.retain(|path| {
        let mut folders = path.ancestors().skip(1).take_while(|it| *it != folder);
        !folders.any(is_site)
    });
    found.sort();
    Ok(found)
}

/// Adds the files that the folder had before: under another name, they may be history of a service.
fn add_former(sources: &mut Vec<SourceFile>, history: &States, objects: &mut Objects) {
    let current: HashSet<String> = sources.iter().map(|it| it.path.clone()).collect();
    for (path, states) in history.iter().filter(|(path, _)| !current.contains(*path)) {
        let last = states.iter().find_map(|state| state.object.as_ref());
        // What cannot be read is of no service.
        let bytes = last.and_then(|object| objects.read(object).ok());
        if let Some(reading) = bytes.and_then(|bytes| read(&bytes).ok()) {
            sources.push(SourceFile::new(path, reading.description, false));
        }
    }
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

/// Returns the newest changes of all services, as paths and commits, and the number of the others.
fn listed(
    services: &[Vec<usize>],
    sources: &[SourceFile],
    history: &States,
) -> (HashSet<(usize, usize)>, usize) {
    let of_file = |&at: &usize| {
        let states = history.get(&sources[at].path).into_iter().flatten();
        let states = states.filter(|state| state.object.is_some());
        states.map(move |state| (at, state.commit))
    };
    let mut all: Vec<_> = services.iter().flatten().flat_map(of_file).collect();
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
    /// The state in Git, or `None` for a file that differs from its last commit.
    state: Option<&'h State>,
    has_before: bool,
}

impl Entry<'_> {
    /// Returns the number of newer commits.
    fn commit(&self) -> usize {
        self.state.map_or(0, |state| state.commit)
    }
}

/// A content that was read.
struct Content {
    description: Arc<ServiceDescription>,
    format: Format,
    text: String,
}

impl Content {
    fn new(path: &Path, bytes: Vec<u8>) -> Option<Self> {
        let fetched = Fetched {
            bytes,
            ..Fetched::default()
        };
        let described = Described::new(&Input::File(path.to_owned()), fetched).ok()?;
        let format = described.reading.format;
        let (reading, text) = described.into_parts();
        Some(Self {
            description: Arc::new(reading.description),
            format,
            text,
        })
    }
}

/// Reads the history of one service after the other.
struct HistoryReader<'h> {
    folder: &'h Path,
    history: &'h States,
    /// The files and commits of the changes that the catalogue lists.
    listed: HashSet<(usize, usize)>,
    versions: usize,
    objects: Option<Objects>,
}

impl<'h> HistoryReader<'h> {
    /// Reads the versions of a service, the newest last, and its changes that the catalogue lists.
    fn read(
        &mut self,
        service: &[usize],
        sources: &[SourceFile],
    ) -> Result<(SiteBuilder, Vec<CatalogueUpdate>), Failure> {
        let entries = self.entries(service, sources)?;
        let contents = self.contents(&entries, sources)?;
        // What came before the oldest content is not known if some were not read.
        let is_whole = entries.len() <= READ;
        let listed = contents.iter().enumerate();
        let listed = listed.filter(|(_, (entry, _))| self.is_listed(entry));
        let updates = listed.filter_map(|(at, (entry, content))| {
            let before = contents[at + 1..].iter().find(|(older, _)| {
                if entry.has_before {
                    older.source == entry.source
                } else {
                    older.commit() >= entry.commit()
                }
            });
            (is_whole || before.is_some()).then(|| CatalogueUpdate {
                date: entry.state.map(|state| state.date.clone()),
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
            let (description, format) = (content.description, content.format);
            let site = with_service(builder, description, format, content.text);
            let day = entry.state.and_then(|it| it.date.split('T').next());
            builder = Some(day.into_iter().fold(site, SiteBuilder::date));
        }
        let builder = builder.ok_or_else(|| {
            let path = self.folder.join(&sources[service[0]].path);
            Failure::system(format_args!("{}: changed during the build", path.display()))
        })?;
        Ok((builder, updates))
    }

    /// Returns whether the catalogue lists the change that brought a content.
    fn is_listed(&self, entry: &Entry<'_>) -> bool {
        let commit = entry.commit();
        self.objects.is_some() && (commit == 0 || self.listed.contains(&(entry.source, commit)))
    }

    /// Reads the contents of a service, from the newest on, as far as they are needed.
    fn contents<'e>(
        &mut self,
        entries: &'e [Entry<'h>],
        sources: &[SourceFile],
    ) -> Result<Vec<(&'e Entry<'h>, Content)>, Failure> {
        let has_listed = entries.iter().any(|entry| self.is_listed(entry));
        let mut versions = HashSet::new();
        let mut contents = Vec::new();
        for entry in entries.iter().take(READ) {
            if versions.len() >= self.versions && !entry.is_top && !has_listed {
                break;
            }
            let path = &sources[entry.source].path;
            let bytes = self.bytes(entry, path)?;
            // A description that was broken once is no state of the service.
            if let Some(content) = Content::new(Path::new(path), bytes) {
                versions.insert(content.description.version.clone());
                contents.push((entry, content));
            }
        }
        Ok(contents)
    }

    /// Lists the contents of a service: what the folder has now, then the others from the newest on.
    fn entries(
        &mut self,
        service: &[usize],
        sources: &[SourceFile],
    ) -> Result<Vec<Entry<'h>>, Failure> {
        let history = self.history;
        let mut entries = Vec::new();
        for &source in service {
            let SourceFile {
                path, is_current, ..
            } = &sources[source];
            let states = history.get(path).map_or(&[][..], Vec::as_slice);
            let first = entries.len();
            entries.extend(
                states
                    .iter()
                    .filter(|it| it.object.is_some())
                    .map(|state| Entry {
                        source,
                        is_top: false,
                        state: Some(state),
                        has_before: true,
                    }),
            );
            if *is_current {
                let is_same = match entries.get(first) {
                    Some(newest) => {
                        let work = files::read(&self.folder.join(path))?;
                        self.bytes(newest, path)? == work
                    }
                    None => false,
                };
                if !is_same {
                    let work = Entry {
                        source,
                        is_top: false,
                        state: None,
                        has_before: true,
                    };
                    entries.insert(first, work);
                }
                entries[first].is_top = true;
            }
            if let Some(last) = entries[first..].last_mut() {
                last.has_before = false;
            }
        }
        entries.sort_by_key(|entry| (!entry.is_top, entry.commit()));
        Ok(entries)
    }

    fn bytes(&mut self, entry: &Entry<'_>, path: &str) -> Result<Vec<u8>, Failure> {
        let object = entry.state.and_then(|state| state.object.as_ref());
        match (object, &mut self.objects) {
            (Some(object), Some(objects)) => objects.read(object),
            _ => files::read(&self.folder.join(path)),
        }
    }
}

/// Returns what orders versions: those in the folder are newer than those of its history.
fn age<'c>(entry: &Entry<'_>, content: &'c Content) -> impl Ord + use<'c> {
    let version = content.description.version.as_deref().map(version_order);
    let commit = Reverse(entry.commit());
    if entry.is_top {
        (true, Reverse(0), version)
    } else {
        (false, commit, None)
    }
}
