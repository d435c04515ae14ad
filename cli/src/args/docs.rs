//! The arguments of `docent docs`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer};

use super::check::finding_kind;
use super::{EXIT_CODES_HELP, INPUTS_HELP, input_parser};
use crate::input::Input;
use docent_tools::check::FindingKind;

/// Build the reference site of a service, or a catalogue of several
///
/// The new site replaces the old one only once it is complete: a failed build leaves the old site
/// unchanged. Other files in DIR are kept; pages that are no longer part of the site are removed.
#[derive(clap::Args)]
#[command(after_help = format!("{INPUTS_HELP}\n\n{EXIT_CODES_HELP}"))]
pub(crate) struct DocsArgs {
    /// Files, `-` for standard input, or URLs of live services
    #[arg(required_unless_present_any = ["print_templates", "catalogue"], value_name = "INPUT", value_parser = input_parser())]
    pub(crate) inputs: Vec<Input>,
    /// Build the catalogue of all descriptions (`*.json`) in FOLDER and the folders in it
    ///
    /// If FOLDER is under Git, its history gives the versions of each service, and the dates of their
    /// changes.
    #[arg(long, alias = "catalog", value_name = "FOLDER", conflicts_with_all = ["inputs", "single_file", "watch"])]
    pub(crate) catalogue: Option<PathBuf>,
    /// The maximum number of versions of each service in a catalogue that get pages
    #[arg(long, value_name = "NUMBER", default_value_t = 5, requires = "catalogue", value_parser = clap::value_parser!(u8).range(1..=60))]
    pub(crate) versions: u8,
    /// The folder to write to; with --single-file, the file, or `-` for standard output
    ///
    /// A folder with files that this command did not write is rejected unless --force is given.
    #[arg(
        short,
        long,
        value_name = "DIR",
        required_unless_present = "print_templates"
    )]
    pub(crate) output: Option<PathBuf>,
    /// Write the whole site as one self-contained HTML file
    #[arg(long)]
    pub(crate) single_file: bool,
    /// Write into a folder that has other files, and overwrite files with the same names
    #[arg(long, conflicts_with = "single_file")]
    pub(crate) force: bool,
    /// A TOML file with the settings of the site [default: docent.toml, if there is one here]
    ///
    /// It can have the settings below: title, address, base-url, clean-addresses, language, logo,
    /// favicon, footer, templates, guides, hidden-tags, and tables of colours and strings. Options
    /// override the file. Paths are relative to the file, and must stay in its folder.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Write the built-in templates to a folder, to edit and use with --templates
    #[arg(long, value_name = "DIR", conflicts_with_all = ["inputs", "output", "catalogue"])]
    pub(crate) print_templates: Option<PathBuf>,
    /// Fail and write nothing if the description, or a link of a guide, has findings of this kind
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = finding_kind())]
    pub(crate) deny: Vec<FindingKind>,
    /// Serve the site locally, and rebuild it when an input or a template changes
    ///
    /// Open pages reload automatically. Live services are polled every few seconds.
    #[arg(long, conflicts_with = "single_file")]
    pub(crate) watch: bool,
    /// The port for --watch [default: 8917, or any free port]
    #[arg(long, value_name = "PORT", requires = "watch")]
    pub(crate) port: Option<u16>,
    #[command(flatten)]
    pub(crate) settings: SiteSettings,
}

/// The texts and the appearance of a site. Each field is an option, and a member of the settings file.
#[derive(Default, Clone, clap::Args, Deserialize)]
#[command(next_help_heading = "Settings")]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SiteSettings {
    /// The title of the site [default: the name of the service]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The address of the service in samples and in the form [default: the one in the description]
    #[arg(long, value_name = "URL")]
    pub(crate) address: Option<String>,
    /// The URL of the folder of the site, such as `https://example.com/docs/`, for canonical addresses
    /// and a sitemap
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Leave `.html` out of links, for hosts that find the file without it
    #[arg(long)]
    pub(crate) clean_addresses: bool,
    /// The language of the interface: `en` or `de`, or another with texts of your own [default: en]
    #[arg(long, value_name = "TAG")]
    pub(crate) language: Option<String>,
    /// An image before the title: SVG, PNG, JPEG, GIF or WebP
    #[arg(long, value_name = "FILE")]
    pub(crate) logo: Option<PathBuf>,
    /// The icon of the site: SVG, PNG, JPEG, GIF, WebP or ICO
    #[arg(long, value_name = "FILE")]
    pub(crate) favicon: Option<PathBuf>,
    /// The footer of every page, as Markdown
    #[arg(long, value_name = "MARKDOWN")]
    pub(crate) footer: Option<String>,
    /// A guide: a page of Markdown, or a folder of them; repeatable
    #[arg(long = "guide", value_name = "PATH")]
    pub(crate) guides: Vec<PathBuf>,
    /// A colour, as CSS: `accent=#0b6b47`, or `accent=light-dark(#0b6b47, #6bd6a7)`; repeatable
    #[arg(long = "set-colour", alias = "set-color", value_name = "NAME=VALUE", value_parser = named)]
    #[serde(alias = "colors", deserialize_with = "table")]
    pub(crate) colours: Vec<(String, String)>,
    /// Leave out the procedures with this tag; repeatable
    #[arg(long = "hide-tag", value_name = "TAG")]
    pub(crate) hidden_tags: Vec<String>,
    /// A folder of templates (`*.hbs`) that replace the built-in ones with the same names
    #[arg(long, value_name = "DIR")]
    pub(crate) templates: Option<PathBuf>,
    /// The texts of the interface, by key.
    #[arg(skip)]
    pub(crate) strings: BTreeMap<String, String>,
}

/// Reads a table of names and values.
fn table<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<(String, String)>, D::Error> {
    let table = BTreeMap::deserialize(deserializer)?;
    Ok(table.into_iter().collect())
}

/// Reads `NAME=VALUE`.
fn named(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
