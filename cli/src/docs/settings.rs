//! The settings of a site, from the command line and from `docent.toml`.
//!
//! The file may come from somebody else together with a description, so it can only refer to files in
//! its own folder: a path that leaves the folder, directly or through a symbolic link, is an error.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use docent_docs_gen::SiteBuilder;

use crate::args::{DocsArgs, SiteSettings};
use crate::failure::Failure;
use crate::files;

/// The file that is read unless another is named.
const DEFAULT_FILE: &str = "docent.toml";

/// The settings of a site, and the file that they were read from.
#[derive(Default)]
pub(super) struct Settings {
    /// The file, so that it can be watched: its changes change the site.
    file: Option<PathBuf>,
    settings: SiteSettings,
}

impl Settings {
    /// Reads the settings file. Options of the command line override it, except that lists in both are joined.
    pub(super) fn new(args: &DocsArgs) -> Result<Self, Failure> {
        let usual = Some(PathBuf::from(DEFAULT_FILE)).filter(|file| file.exists());
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
            // The texts of the interface have no option.
            strings: read.strings,
        };
        if settings.address.is_some() && (args.inputs.len() > 1 || args.catalogue.is_some()) {
            return Err(Failure::usage(
                "an address belongs to one service, and there are several; leave it out",
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
        let settings = self.settings;
        site = site.clean_addresses(settings.clean_addresses);
        if let Some(title) = settings.title {
            site = site.title(title);
        }
        if let Some(address) = settings.address {
            site = site.address(address);
        }
        if let Some(base_url) = settings.base_url {
            site = site.base_url(base_url);
        }
        if let Some(footer) = settings.footer {
            site = site.footer(footer);
        }
        for tag in settings.hidden_tags {
            site = site.hide_tag(tag);
        }
        for (name, value) in settings.colours {
            site = site.colour(name, value);
        }
        for (key, text) in settings.strings {
            site = site.string(key, text);
        }
        if let Some(tag) = settings.language {
            let right_to_left = is_right_to_left(&tag);
            site = site.language(tag, right_to_left);
        }
        // All failures are reported together, so that they can be fixed together.
        let mut failures = Vec::new();
        if let Some(path) = settings.logo {
            match files::read(&path) {
                Ok(image) => site = site.logo(image),
                Err(failure) => failures.push(failure),
            }
        }
        if let Some(path) = settings.favicon {
            match files::read(&path) {
                Ok(image) => site = site.favicon(image),
                Err(failure) => failures.push(failure),
            }
        }
        for path in all_listed(&settings.guides, "md") {
            match files::read_text(&path) {
                Ok(text) => site = site.guide(path.to_string_lossy().replace('\\', "/"), text),
                Err(failure) => failures.push(failure),
            }
        }
        if let Some(folder) = settings.templates {
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
    let display_name = path.display();
    let text = files::read_text(path)?;
    let mut settings: SiteSettings = toml::from_str(&text).map_err(|error| {
        let reason = error.to_string();
        Failure::system(format_args!("{display_name}: {}", reason.trim_end()))
    })?;
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut failures = Vec::new();
    for (name, setting) in [
        ("logo", &mut settings.logo),
        ("favicon", &mut settings.favicon),
        ("templates", &mut settings.templates),
    ] {
        let Some(path) = setting else { continue };
        match inside(folder, path) {
            Ok(found) => *path = found,
            Err(reason) => {
                failures.push(Failure::system(format_args!(
                    "{display_name}: {name}: {reason}"
                )));
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
            Err(reason) => {
                failures.push(Failure::system(format_args!(
                    "{display_name}: guides: {reason}"
                )));
            }
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
        .filter(|path| path.extension() == Some(OsStr::new(extension)))
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

/// Returns the path within the folder. Both are resolved before they are compared, because `..` or a symbolic link
/// may lead out of the folder.
fn inside(folder: &Path, path: &Path) -> Result<PathBuf, String> {
    let found = folder.join(path);
    match (fs::canonicalize(&found), fs::canonicalize(folder)) {
        (Ok(whole), Ok(around)) if whole.starts_with(&around) => Ok(found),
        (Ok(_), Ok(_)) => Err(format!("{} is outside of the folder", path.display())),
        (Err(error), _) | (_, Err(error)) => Err(format!("{}: {error}", found.display())),
    }
}

/// Returns whether the language is usually written from right to left. A script in the tag is ignored.
fn is_right_to_left(tag: &str) -> bool {
    let language = tag.split(['-', '_']).next().unwrap_or_default();
    matches!(
        &*language.to_ascii_lowercase(),
        "ar" | "ckb" | "dv" | "fa" | "he" | "nqo" | "ps" | "sd" | "syr" | "ug" | "ur" | "yi"
    )
}
