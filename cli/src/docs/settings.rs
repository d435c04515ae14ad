//! The settings of a site, from the command line and from `docent.toml`.
//!
//! The file may come from somebody else together with a description, so it can only refer to files in
//! its own folder: a path that leaves the folder, directly or through a symbolic link, is an error.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use docent_docs_gen::SiteBuilder;

use crate::args::{DocsArgs, SiteSettings};
use crate::failure::Failure;
use crate::files;

/// The file that is read unless another is named.
const FILE: &str = "docent.toml";

/// The settings of a site, and the file that they were read from.
#[derive(Default)]
pub(super) struct Settings {
    file: Option<PathBuf>,
    settings: SiteSettings,
}

impl Settings {
    /// Reads the settings file. Options of the command line override it.
    pub(super) fn new(args: &DocsArgs) -> Result<Self, Failure> {
        let usual = Some(PathBuf::from(FILE)).filter(|file| file.exists());
        let file = args.config.clone().or(usual);
        let read = file.as_deref().map(read).transpose()?.unwrap_or_default();
        let given = args.settings.clone();
        let settings = SiteSettings {
            title: given.title.or(read.title),
            address: given.address.or(read.address),
            base_url: given.base_url.or(read.base_url),
            clean_addresses: given.clean_addresses || read.clean_addresses,
            language: given.language.or(read.language),
            logo: given.logo.or(read.logo),
            favicon: given.favicon.or(read.favicon),
            footer: given.footer.or(read.footer),
            guides: [read.guides, given.guides].concat(),
            colours: [read.colours, given.colours].concat(),
            hidden_tags: [read.hidden_tags, given.hidden_tags].concat(),
            templates: given.templates.or(read.templates),
            strings: read.strings,
        };
        if settings.address.is_some() && (args.inputs.len() > 1 || args.catalogue.is_some()) {
            return Err(Failure::usage(
                "an address is that of one service, and there are several",
            ));
        }
        Ok(Self { file, settings })
    }

    /// Returns the files whose changes change the site.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let SiteSettings {
            logo,
            favicon,
            guides,
            templates,
            ..
        } = &self.settings;
        [&self.file, logo, favicon]
            .into_iter()
            .flatten()
            .cloned()
            .chain(all_listed(guides, "md"))
            .chain(all_listed(templates, "hbs"))
            .collect()
    }

    /// Applies the settings to a site.
    pub(super) fn apply(self, mut site: SiteBuilder) -> Result<SiteBuilder, Failure> {
        let it = self.settings;
        site = site.clean_addresses(it.clean_addresses);
        site = it.title.into_iter().fold(site, SiteBuilder::title);
        site = it.address.into_iter().fold(site, SiteBuilder::address);
        site = it.base_url.into_iter().fold(site, SiteBuilder::base_url);
        site = it.footer.into_iter().fold(site, SiteBuilder::footer);
        for tag in it.hidden_tags {
            site = site.hide_tag(tag);
        }
        for (name, value) in it.colours {
            site = site.colour(name, value);
        }
        for (key, text) in it.strings {
            site = site.string(key, text);
        }
        if let Some(tag) = it.language {
            let right_to_left = is_right_to_left(&tag);
            site = site.language(tag, right_to_left);
        }
        let mut failures = Vec::new();
        let mut read = |path| {
            files::read(path)
                .map_err(|failure| failures.push(failure))
                .ok()
        };
        let logo = it.logo.as_deref().and_then(&mut read);
        site = logo.into_iter().fold(site, SiteBuilder::logo);
        let favicon = it.favicon.as_deref().and_then(&mut read);
        site = favicon.into_iter().fold(site, SiteBuilder::favicon);
        for path in all_listed(&it.guides, "md") {
            match files::read_text(&path) {
                Ok(text) => site = site.guide(path.to_string_lossy().replace('\\', "/"), text),
                Err(failure) => failures.push(failure),
            }
        }
        if let Some(folder) = it.templates {
            if let Err(error) = fs::read_dir(&folder) {
                let folder = folder.display();
                failures.push(Failure::system(format_args!("templates {folder}: {error}")));
            }
            site = site.templates(folder);
        }
        Failure::all(failures).map(|()| site)
    }
}

/// Reads a file of settings. Its paths are relative to its folder, and must not leave it.
fn read(path: &Path) -> Result<SiteSettings, Failure> {
    let fail = |reason: String| Failure::system(format_args!("{}: {reason}", path.display()));
    let text = files::read_text(path)?;
    let mut settings: SiteSettings =
        toml::from_str(&text).map_err(|error| fail(error.to_string().trim_end().to_owned()))?;
    let folder = path
        .parent()
        .filter(|it| !it.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let paths = [
        ("logo", &mut settings.logo),
        ("favicon", &mut settings.favicon),
        ("templates", &mut settings.templates),
    ];
    let mut failures = Vec::new();
    for (name, path) in paths {
        if let Some(path) = path {
            match inside(folder, path) {
                Ok(found) => *path = found,
                Err(reason) => failures.push(fail(format!("{name}: {reason}"))),
            }
        }
    }
    for given in std::mem::take(&mut settings.guides) {
        // Check this before listing a folder, and again for each file in it, which may be a link.
        let found = inside(folder, &given).and_then(|_| {
            listed(folder, &given, "md")
                .iter()
                .map(|guide| inside(folder, guide))
                .collect::<Result<Vec<_>, _>>()
        });
        match found {
            Ok(found) => settings.guides.extend(found),
            Err(reason) => failures.push(fail(format!("guides: {reason}"))),
        }
    }
    Failure::all(failures).map(|()| settings)
}

/// Returns the path itself, or the files with this extension in that folder, sorted by name. They are
/// relative to the same folder as the given path.
fn listed(folder: &Path, given: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder.join(given)) else {
        return vec![given.to_owned()];
    };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| given.join(entry.file_name()))
        .filter(|path| path.extension().is_some_and(|it| it == extension))
        .collect();
    files.sort();
    files
}

/// Returns the paths themselves, or the files with this extension in those folders.
fn all_listed<'p>(
    given: impl IntoIterator<Item = &'p PathBuf>,
    extension: &str,
) -> impl Iterator<Item = PathBuf> {
    let given = given.into_iter();
    given.flat_map(move |given| listed(Path::new(""), given, extension))
}

/// Returns the path within the folder.
fn inside(folder: &Path, path: &Path) -> Result<PathBuf, String> {
    let found = folder.join(path);
    let fail = |error: io::Error| format!("{}: {error}", found.display());
    let whole = fs::canonicalize(&found).map_err(fail)?;
    let around = fs::canonicalize(folder).map_err(fail)?;
    if whole.starts_with(around) {
        Ok(found)
    } else {
        Err(format!("{} is outside of the folder", path.display()))
    }
}

/// Returns whether the language is usually written from right to left.
fn is_right_to_left(tag: &str) -> bool {
    let language = tag.split(['-', '_']).next().unwrap_or_default();
    matches!(
        &*language.to_ascii_lowercase(),
        "ar" | "ckb" | "dv" | "fa" | "he" | "nqo" | "ps" | "sd" | "syr" | "ug" | "ur" | "yi"
    )
}
