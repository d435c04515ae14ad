//! The site: planned once, rendered page by page.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use docent_describe::render::{self, OpenRpcOptions};
use docent_describe::{ServiceDescription, json::Json};

use crate::assets::Asset;
use crate::call::Address;
use crate::links::{Medium, Target};
use crate::options::{Download, ServiceOptions, SiteBuilder};
use crate::plan::ServicePlan;
use crate::problem::Problem;
use crate::search;
use crate::strings::Strings;
use crate::templates::Templates;
use crate::twin;
use crate::view::{self, Scope};

const HTML: &str = "text/html; charset=utf-8";
const MARKDOWN: &str = "text/markdown; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A file of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The path: relative, with `/` between folders and otherwise only `A–Z a–z 0–9 . _ - ~`.
    pub path: String,
    /// The content.
    pub bytes: Vec<u8>,
    /// The media type.
    pub content_type: &'static str,
}

/// A service, and where its pages are.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) options: ServiceOptions,
    pub(crate) plan: ServicePlan,
    pub(crate) address: Option<Address>,
    /// The first procedure of each name.
    pub(crate) names: HashMap<String, usize>,
}

impl Service {
    pub(crate) fn new(options: ServiceOptions, prefix: String, live: bool) -> Self {
        let description = &options.description;
        let plan = ServicePlan::new(description, prefix);
        let address = options
            .address
            .as_deref()
            .or(description.address.as_deref());
        let address = address.and_then(|address| Address::new(address, live));
        let mut names = HashMap::with_capacity(description.procs.len());
        for (index, procedure) in description.procs.iter().enumerate() {
            names.entry(procedure.name.clone()).or_insert(index);
        }
        Self {
            options,
            plan,
            address,
            names,
        }
    }
}

/// What a path holds. The numbers are those of services and assets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    Catalogue,
    CatalogueTwin,
    CatalogueText,
    Page(usize, Target),
    Twin(usize, Target),
    Text(usize),
    Description(usize),
    OpenRpc(usize),
    Index,
    Asset(usize),
}

/// A reference site. Create one with [`Site::builder`].
#[derive(Debug)]
pub struct Site {
    pub(crate) services: Vec<Service>,
    pub(crate) title: String,
    pub(crate) language: (String, &'static str),
    pub(crate) strings: Arc<Strings>,
    pub(crate) templates: Templates,
    pub(crate) assets: Vec<Asset>,
    pub(crate) entries: Vec<(String, Source)>,
    by_path: HashMap<String, usize>,
    index: OnceLock<String>,
}

impl Site {
    /// Starts building the site of a service.
    pub fn builder(description: impl Into<Arc<ServiceDescription>>) -> SiteBuilder {
        SiteBuilder::new(description.into())
    }

    pub(crate) fn new(
        services: Vec<Service>,
        title: Option<String>,
        language: (String, &'static str),
        strings: Arc<Strings>,
        templates: Templates,
        assets: Vec<Asset>,
    ) -> Self {
        let title = title.unwrap_or_else(|| match services.as_slice() {
            [only] => view::shown_name(&only.options.description.name),
            _ => strings.get("catalogue").to_owned(),
        });
        let entries = entries(&services, &assets);
        let by_path = entries
            .iter()
            .enumerate()
            .map(|(index, (path, _))| (path.clone(), index))
            .collect();
        Self {
            services,
            title,
            language,
            strings,
            templates,
            assets,
            entries,
            by_path,
            index: OnceLock::new(),
        }
    }

    pub(crate) fn is_catalogue(&self) -> bool {
        self.services.len() > 1
    }

    /// Returns the paths of all files, in the order of [`pages`](Self::pages).
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.iter().map(|(path, _)| path.as_str())
    }

    /// Returns all files. Each is rendered when it is requested.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = Page> + '_ {
        self.entries
            .iter()
            .map(|(path, source)| self.render(path, *source))
    }

    /// Returns the file at a path. `""` and the path of a folder return its `index.html`.
    pub fn page(&self, path: &str) -> Option<Page> {
        let found = match self.by_path.get(path) {
            Some(&found) => found,
            None if path.is_empty() || path.ends_with('/') => {
                *self.by_path.get(&format!("{path}index.html"))?
            }
            None => return None,
        };
        let (path, source) = &self.entries[found];
        Some(self.render(path, *source))
    }

    /// Returns the path of a procedure's page, by name. In a catalogue, it is that of the first
    /// service with a procedure of this name.
    pub fn help_for(&self, procedure: &str) -> Option<String> {
        self.services.iter().find_map(|service| {
            let &index = service.names.get(procedure)?;
            Some(format!(
                "{}{}.html",
                service.plan.prefix,
                service.plan.stem(Target::Procedure(index))
            ))
        })
    }

    pub(crate) fn render(&self, path: &str, source: Source) -> Page {
        let (text, content_type) = match source {
            Source::Catalogue => (self.shell(&view::catalogue(self)), HTML),
            Source::CatalogueTwin => (twin::catalogue(self), MARKDOWN),
            Source::CatalogueText => (twin::catalogue(self), TEXT),
            Source::Page(service, target) => (self.html(service, target), HTML),
            Source::Twin(service, target) => (
                twin::page(&Scope::new(
                    self,
                    &self.services[service],
                    Medium::Folder,
                    target,
                )),
                MARKDOWN,
            ),
            Source::Text(service) => (twin::list(self, &self.services[service]), TEXT),
            Source::Index => (search::script(self.index()), SCRIPT),
            Source::Asset(asset) => (
                self.assets[asset].text.clone(),
                self.assets[asset].content_type,
            ),
            Source::Description(service) => {
                let options = &self.services[service].options;
                let given = options.description_json.as_ref();
                return download(path, given, || render::describe(&options.description));
            }
            Source::OpenRpc(service) => {
                let options = &self.services[service].options;
                let given = options.openrpc_json.as_ref();
                return download(path, given, || {
                    render::openrpc(&options.description, OpenRpcOptions::default())
                });
            }
        };
        Page {
            path: path.to_owned(),
            bytes: text.into_bytes(),
            content_type,
        }
    }

    /// The search index, made on first use.
    pub(crate) fn index(&self) -> &str {
        self.index
            .get_or_init(|| search::index(self, Medium::Folder))
    }

    fn html(&self, service: usize, target: Target) -> String {
        let scope = Scope::new(self, &self.services[service], Medium::Folder, target);
        let content = scope.content();
        self.shell(&view::shell(&scope, content))
    }

    pub(crate) fn shell(&self, shell: &view::Shell) -> String {
        self.templates.render("page", shell).into_string()
    }

    /// Renders the first page of each kind, to find what replaced templates cannot do.
    pub(crate) fn try_templates(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if !self.templates.are_replaced() {
            return problems;
        }
        for service in &self.services {
            let plan = &service.plan;
            let mut targets = vec![Target::Overview];
            targets.extend((!plan.groups.is_empty()).then_some(Target::Group(0, 0)));
            targets.extend((!plan.procedures.is_empty()).then_some(Target::Procedure(0)));
            targets.extend((!plan.types.is_empty()).then_some(Target::Type(0)));
            for target in targets {
                let scope = Scope::new(self, service, Medium::Folder, target);
                let mut content = scope.content();
                problems.extend(content.problem.take());
                problems.extend(
                    self.templates
                        .try_render("page", &view::shell(&scope, content)),
                );
            }
        }
        if self.is_catalogue() {
            problems.extend(self.templates.try_render("page", &view::catalogue(self)));
        }
        problems.dedup();
        problems
    }
}

/// On one line: indentation grows with the square of a hostile nesting.
fn download(path: &str, given: Option<&Download>, rendered: impl FnOnce() -> Json) -> Page {
    let rendered = || format!("{}\n", rendered()).into_bytes();
    Page {
        path: path.to_owned(),
        bytes: given.map_or_else(rendered, Download::bytes),
        content_type: JSON,
    }
}

fn entries(services: &[Service], assets: &[Asset]) -> Vec<(String, Source)> {
    let mut entries = Vec::new();
    if services.len() > 1 {
        entries.push(("index.html".to_owned(), Source::Catalogue));
        entries.push(("index.md".to_owned(), Source::CatalogueTwin));
        entries.push(("llms.txt".to_owned(), Source::CatalogueText));
    }
    for (at, service) in services.iter().enumerate() {
        let prefix = &service.plan.prefix;
        for target in service.plan.targets() {
            let stem = service.plan.stem(target);
            entries.push((format!("{prefix}{stem}.html"), Source::Page(at, target)));
            entries.push((format!("{prefix}{stem}.md"), Source::Twin(at, target)));
        }
        entries.push((format!("{prefix}llms.txt"), Source::Text(at)));
        entries.push((format!("{prefix}description.json"), Source::Description(at)));
        entries.push((format!("{prefix}openrpc.json"), Source::OpenRpc(at)));
    }
    entries.push(("assets/index.js".to_owned(), Source::Index));
    for (at, asset) in assets.iter().enumerate() {
        entries.push((format!("assets/{}", asset.name), Source::Asset(at)));
    }
    entries
}
