//! Pages, each rendered when it is requested.

use std::io::{self, Write};

use docent_describe::json::Layout;
use docent_describe::render::{self, OpenRpcOptions};

use crate::links::Medium;
use crate::markup::Form;
use crate::plan::Target;
use crate::problem::Problem;
use crate::publish::Base;
use crate::search;
use crate::site::{Page, Site, Source};
use crate::view::{self, Scope};

const HTML: &str = "text/html; charset=utf-8";
const MARKDOWN: &str = "text/markdown; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const XML: &str = "application/xml";
const SCRIPT: &str = "text/javascript; charset=utf-8";

impl Site {
    /// Returns all files. Each is rendered when it is requested.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = Page> + '_ {
        self.entries
            .iter()
            .map(|(path, source)| self.render(path, *source))
    }

    /// Returns the file at a path. `""` and the path of a folder return its `index.html`; with clean
    /// addresses, a page is found without its extension, too.
    pub fn page(&self, path: &str) -> Option<Page> {
        let found = match self.by_path.get(path) {
            Some(&found) => found,
            None if path.is_empty() || path.ends_with('/') => {
                *self.by_path.get(&format!("{path}index.html"))?
            }
            None if self.is_clean => *self.by_path.get(&format!("{path}.html"))?,
            None => return None,
        };
        let (path, source) = &self.entries[found];
        Some(self.render(path, *source))
    }

    /// Returns the page for addresses that do not exist, for a request this many folders below the
    /// site's own.
    pub fn not_found(&self, folders: usize) -> Page {
        let root = "../".repeat(folders);
        Page {
            path: "404.html".to_owned(),
            bytes: self.shell(&view::missing(self, &root)).into_bytes(),
            content_type: HTML,
        }
    }

    pub(crate) fn render(&self, path: &str, source: Source) -> Page {
        let (text, content_type) = match source {
            Source::Catalogue => (self.shell(&view::catalogue(self)), HTML),
            Source::CatalogueTwin => (view::catalogue_twin(self).into_string(), MARKDOWN),
            Source::CatalogueText => (view::catalogue_twin(self).into_string(), TEXT),
            Source::Page(service, target) => (self.html(service, target), HTML),
            Source::Twin(service, target) => {
                let content = self.twin(service, target).content();
                (content.main.into_string(), MARKDOWN)
            }
            Source::Text(service) => {
                let all = self.twin(service, Target::Overview).everything();
                (all.into_string(), TEXT)
            }
            Source::Guide(guide) => (self.html(self.lead_index(), Target::Guide(guide)), HTML),
            Source::GuideTwin(guide) => {
                let content = self.twin(self.lead_index(), Target::Guide(guide)).content();
                (content.main.into_string(), MARKDOWN)
            }
            Source::Index => (search::script(self.index()), SCRIPT),
            Source::Sitemap(part) => {
                let base = self.look.base.as_ref();
                (
                    base.map(|base| self.sitemap(base, part))
                        .unwrap_or_default(),
                    XML,
                )
            }
            Source::Robots => (
                self.look
                    .base
                    .as_ref()
                    .map(Self::robots)
                    .unwrap_or_default(),
                TEXT,
            ),
            Source::Missing => {
                let root = self.look.base.as_ref().map_or("", Base::path);
                (self.shell(&view::missing(self, root)), HTML)
            }
            Source::Asset(asset) => (
                self.assets[asset].text.clone(),
                self.assets[asset].content_type,
            ),
            Source::Image(image) => {
                // The entries are made from the images.
                let image = self.look.images().nth(image);
                return Page {
                    path: path.to_owned(),
                    bytes: image.map_or_else(Vec::new, |image| image.bytes.clone()),
                    content_type: image.map_or("application/octet-stream", |it| it.content_type),
                };
            }
            Source::Description(_) | Source::OpenRpc(_) => {
                let mut bytes = Vec::new();
                // Writing to memory does not fail.
                let _ = self.download(source, &mut bytes);
                return Page {
                    path: path.to_owned(),
                    bytes,
                    content_type: JSON,
                };
            }
        };
        Page {
            path: path.to_owned(),
            bytes: text.into_bytes(),
            content_type,
        }
    }

    /// Writes a description, and returns whether the source is one. It may be too large to be in
    /// memory together with the model.
    pub(crate) fn download(&self, source: Source, out: &mut dyn Write) -> io::Result<bool> {
        // The output is one line, because indentation grows with the square of a hostile nesting.
        let layout = Layout::Line;
        match source {
            Source::Description(service) => {
                let options = &self.services[service].options;
                if let Some(given) = &options.description_json {
                    given.write(out)?;
                } else {
                    render::write_describe(&options.description, &mut *out, layout)?;
                    out.write_all(b"\n")?;
                }
            }
            Source::OpenRpc(service) => {
                let options = &self.services[service].options;
                if let Some(given) = &options.openrpc_json {
                    given.write(out)?;
                } else {
                    let version = OpenRpcOptions::default();
                    render::write_openrpc(&options.description, version, &mut *out, layout)?;
                    out.write_all(b"\n")?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the search index, which is built on first use.
    pub(crate) fn index(&self) -> &str {
        self.index
            .get_or_init(|| search::index(self, Medium::Folder))
    }

    /// Returns the scope of a page's Markdown twin.
    fn twin(&self, service: usize, target: Target) -> Scope<'_> {
        Scope::new(self, &self.services[service], Medium::Twins, target)
    }

    fn html(&self, service: usize, target: Target) -> String {
        let scope = Scope::new(self, &self.services[service], Medium::Folder, target);
        let content = scope.content();
        self.shell(&view::shell(&scope, content))
    }

    pub(crate) fn shell(&self, shell: &view::Shell) -> String {
        self.templates
            .render(Form::Html, "page", shell)
            .into_string()
    }

    /// Renders the first page of each kind, and returns the failures of replaced templates.
    pub(crate) fn try_templates(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if !self.templates.are_replaced() {
            return problems;
        }
        for service in &self.services {
            let plan = &service.plan;
            let mut targets = vec![Target::Overview, Target::Names];
            targets.extend((!plan.groups.is_empty()).then_some(Target::Group(0, 0)));
            targets.extend((!plan.procedures.is_empty()).then_some(Target::Procedure(0)));
            targets.extend((!plan.types.is_empty()).then_some(Target::Type(0)));
            targets.extend(plan.has_changes.then_some(Target::Changes));
            targets.extend((!plan.codes.is_empty()).then_some(Target::Code(0)));
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
        if !self.guides.is_empty() {
            let scope = Scope::new(self, self.lead(), Medium::Folder, Target::Guide(0));
            problems.extend(scope.content().problem);
        }
        if self.is_catalogue() {
            problems.extend(self.templates.try_render("page", &view::catalogue(self)));
        }
        problems.extend(self.templates.try_render("page", &view::missing(self, "")));
        problems.dedup();
        problems
    }
}
