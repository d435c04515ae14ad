//! The settings of a site, from the command line and from `docent.toml`.
//!
//! The file may come from somebody else together with a description, so it can only refer to files in
//! its own folder: a path that leaves the folder, directly or through a symbolic link, is an error.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use docent_docs_gen::SiteBuilder;
use serde::Deserialize;

use crate::args::DocsArgs;
use crate::failure::{Failure, Kind};
use crate::files::failed;

/// The file that is read unless another is named.
const FILE: &str = "docent.toml";

/// The texts and the appearance of a site.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Settings {
    title: Option<String>,
    address: Option<String>,
    base_url: Option<String>,
    clean_addresses: Option<bool>,
    language: Option<String>,
    logo: Option<PathBuf>,
    favicon: Option<PathBuf>,
    footer: Option<String>,
    templates: Option<PathBuf>,
    #[serde(default)]
    guides: Vec<PathBuf>,
    #[serde(default)]
    hidden_tags: Vec<String>,
    #[serde(default, alias = "colors")]
    colours: BTreeMap<String, String>,
    #[serde(default)]
    strings: BTreeMap<String, String>,
    /// All files that were read, starting with the settings file.
    #[serde(skip)]
    files: Vec<PathBuf>,
}

impl Settings {
    /// Reads the settings file. Options of the command line override it.
    pub(super) fn new(args: &DocsArgs) -> Result<Self, Failure> {
        let mut settings = match &args.config {
            Some(path) => Self::read(path)?,
            None if Path::new(FILE).exists() => Self::read(Path::new(FILE))?,
            None => Self::default(),
        };
        let look = &args.look;
        set(&mut settings.title, look.title.as_ref());
        set(&mut settings.address, look.address.as_ref());
        set(&mut settings.base_url, look.base_url.as_ref());
        if look.clean_addresses {
            settings.clean_addresses = Some(true);
        }
        set(&mut settings.language, look.language.as_ref());
        set(&mut settings.logo, look.logo.as_ref());
        set(&mut settings.favicon, look.favicon.as_ref());
        set(&mut settings.footer, look.footer.as_ref());
        set(&mut settings.templates, args.templates.as_ref());
        settings.colours.extend(look.colours.iter().cloned());
        settings.guides.extend(look.guides.iter().cloned());
        settings
            .hidden_tags
            .extend(look.hidden_tags.iter().cloned());
        if settings.address.is_some() && args.inputs.len() > 1 {
            return Err(Failure::usage(
                "an address is that of one service, and there are several inputs",
            ));
        }
        Ok(settings)
    }

    fn read(path: &Path) -> Result<Self, Failure> {
        let fail = |reason: String| Failure::system(format_args!("{}: {reason}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
        let mut settings: Self =
            toml::from_str(&text).map_err(|error| fail(error.to_string().trim_end().to_owned()))?;
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let paths = [
            ("logo", &mut settings.logo),
            ("favicon", &mut settings.favicon),
            ("templates", &mut settings.templates),
        ];
        let mut failures = Vec::new();
        for (name, path) in paths {
            if let Some(given) = path.take() {
                match inside(folder, &given) {
                    Ok(found) => *path = Some(found),
                    Err(reason) => failures.push(fail(format!("{name}: {reason}"))),
                }
            }
        }
        for given in std::mem::take(&mut settings.guides) {
            // Check this before listing a folder, and again for each file in it, which may be a link.
            let found = inside(folder, &given).and_then(|_| {
                let guides = listed(folder, &given);
                let guides = guides.iter().map(|guide| inside(folder, guide));
                guides.collect::<Result<Vec<_>, _>>()
            });
            match found {
                Ok(found) => settings.guides.extend(found),
                Err(reason) => failures.push(fail(format!("guides: {reason}"))),
            }
        }
        Failure::all(failures)?;
        settings.files.push(path.to_owned());
        Ok(settings)
    }

    /// Returns the files and folders whose changes change the site.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let images = self.logo.iter().chain(&self.favicon);
        let images = images.chain(&self.guides);
        self.files.iter().chain(images).map(PathBuf::as_path)
    }

    /// Returns the folder with templates.
    pub(super) fn templates(&self) -> Option<&Path> {
        self.templates.as_deref()
    }

    /// Applies the settings to a site.
    pub(super) fn apply(self, mut site: SiteBuilder) -> Result<SiteBuilder, Failure> {
        if let Some(title) = self.title {
            site = site.title(title);
        }
        if let Some(address) = self.address {
            site = site.address(address);
        }
        if let Some(url) = self.base_url {
            site = site.base_url(url);
        }
        if let Some(clean) = self.clean_addresses {
            site = site.clean_addresses(clean);
        }
        if let Some(tag) = self.language {
            let right_to_left = is_right_to_left(&tag);
            site = site.language(tag, right_to_left);
        }
        if let Some(footer) = self.footer {
            site = site.footer(footer);
        }
        let mut failures = Vec::new();
        let mut read = |path: &Path| {
            let content = fs::read(path).map_err(|error| failed(path, &error));
            content.map_err(|failure| failures.push(failure)).ok()
        };
        if let Some(image) = self.logo.as_deref().and_then(&mut read) {
            site = site.logo(image);
        }
        if let Some(image) = self.favicon.as_deref().and_then(&mut read) {
            site = site.favicon(image);
        }
        for path in self
            .guides
            .iter()
            .flat_map(|given| listed(Path::new(""), given))
        {
            match fs::read_to_string(&path) {
                Ok(text) => site = site.guide(path.to_string_lossy().replace('\\', "/"), text),
                Err(error) => failures.push(failed(&path, &error)),
            }
        }
        for tag in self.hidden_tags {
            site = site.hide_tag(tag);
        }
        for (name, value) in self.colours {
            site = site.colour(name, value);
        }
        for (key, text) in self.strings {
            site = site.string(key, text);
        }
        if let Some(folder) = self.templates {
            if let Err(error) = fs::read_dir(&folder) {
                failures.push(Failure {
                    kind: Kind::System,
                    messages: vec![format!("templates {}: {error}", folder.display())],
                });
            }
            site = site.templates(folder);
        }
        Failure::all(failures).map(|()| site)
    }
}

fn set<T: Clone>(setting: &mut Option<T>, option: Option<&T>) {
    if let Some(option) = option {
        *setting = Some(option.clone());
    }
}

/// Returns the path itself, or the guides in that folder, sorted by name. They are relative to the same
/// folder as the given path.
fn listed(folder: &Path, given: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder.join(given)) else {
        return vec![given.to_owned()];
    };
    let names = entries.flatten().map(|entry| given.join(entry.file_name()));
    let is_guide = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let mut guides: Vec<PathBuf> = names.filter(is_guide).collect();
    guides.sort();
    guides
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
    let mut parts = tag.split(['-', '_']);
    let language = parts.next().unwrap_or_default().to_ascii_lowercase();
    let script = parts.find(|part| part.len() == 4);
    match script.map(str::to_ascii_lowercase).as_deref() {
        Some(script) => matches!(script, "arab" | "hebr" | "thaa" | "syrc" | "nkoo" | "adlm"),
        None => matches!(
            language.as_str(),
            "ar" | "ckb" | "dv" | "fa" | "he" | "nqo" | "ps" | "sd" | "syr" | "ug" | "ur" | "yi"
        ),
    }
}
