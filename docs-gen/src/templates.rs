//! The templates: those of pages, which can be replaced one by one, and those of their Markdown.
//!
//! Values are written by `{{…}}`, which escapes for the output's form. Only the helper `html` writes
//! without escaping, and only values whose type is [markup](crate::markup).
//!
//! [`Engine`] renders them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::Serialize;

use crate::engine::Engine;
use crate::markup::{Form, Markup};
use crate::problem::Problem;
use crate::strings::Strings;

/// Templates by their names.
pub(crate) type Sources = &'static [(&'static str, &'static str)];

macro_rules! templates {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../templates/", $folder, $name, ".hbs")))),*]
    };
}

/// The version of the templates as a set: the data that they get, and how they fit together. It
/// changes when a template written for the previous set may no longer fit.
const VERSION: &str = "2";

/// The beginning of a template, before and after its version.
const MARKS: (&str, &str) = ("{{! Docent templates, version ", " }}\n");

/// Returns the built-in templates of pages as `(name, source)`, to be changed and given to
/// [`SiteBuilder::template`](crate::SiteBuilder::template). Each begins with the version of the set.
///
/// ```
/// let (name, source) = docent_docs_gen::templates().next().unwrap();
/// assert_eq!(name, "page");
/// assert!(source.starts_with("{{! Docent templates, version "));
/// ```
pub fn templates() -> impl Iterator<Item = (&'static str, String)> {
    let (before, behind) = MARKS;
    let sources = PAGES.iter();
    sources.map(move |(name, source)| (*name, format!("{before}{VERSION}{behind}{source}")))
}

/// Removes the version from a template. A template without a version is returned unchanged.
///
/// # Errors
/// The template was made for another version.
pub(crate) fn without_version(source: &str) -> Result<&str, String> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let (first, rest) = source.split_once('\n').unwrap_or((source, ""));
    let version = first
        .trim()
        .strip_prefix(MARKS.0)
        .and_then(|first| first.strip_suffix("}}"));
    match version.map(str::trim) {
        None => Ok(source),
        Some(VERSION) => Ok(rest),
        Some(other) => Err(format!(
            "made for version {other} of the templates, and this is version {VERSION}; make the same \
             changes to the template that `docent docs --print-templates DIR` prints"
        )),
    }
}

/// The parts of pages.
pub(crate) const PAGES: Sources = templates![
    "": "page", "head", "header", "nav", "footer", "search", "overview", "names", "group", "procedure", "type",
    "catalogue", "changes", "code", "missing", "guide", "tree", "errors", "samples", "examples", "try",
];

/// The same views as Markdown.
const TWINS: Sources = templates![
    "markdown/": "overview", "names", "guide", "items", "group", "procedure", "type", "catalogue", "changes", "code", "tree", "llms",
];

/// The compiled templates.
#[derive(Debug)]
pub(crate) struct Templates {
    strings: Arc<Strings>,
    /// Ours, compiled when they are first used: a service that starts does not wait for them.
    pages: OnceLock<Engine>,
    twins: OnceLock<Engine>,
    /// Those of pages with the replacements of users; `None` if there are no replacements.
    replaced: Option<Engine>,
}

impl Templates {
    pub(crate) fn new(
        strings: &Arc<Strings>,
        replacements: &BTreeMap<String, String>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let replaced = (!replacements.is_empty())
            .then(|| Engine::new(Form::Html, PAGES, replacements, strings, problems));
        Self {
            strings: Arc::clone(strings),
            pages: OnceLock::new(),
            twins: OnceLock::new(),
            replaced,
        }
    }

    fn own(&self, form: Form) -> &Engine {
        let (place, sources) = match form {
            Form::Html => (&self.pages, PAGES),
            Form::Markdown => (&self.twins, TWINS),
        };
        // Ours compile, or the tests would say so.
        let compile = || {
            Engine::new(
                form,
                sources,
                &BTreeMap::new(),
                &self.strings,
                &mut Vec::new(),
            )
        };
        place.get_or_init(compile)
    }

    /// Renders a template. If a replacement fails on this page, the original is used. That a
    /// replacement can fail is found when the site is built, on the first page of each kind.
    pub(crate) fn render(&self, form: Form, name: &str, view: &impl Serialize) -> Markup {
        let replaced = self.replaced.as_ref().filter(|_| form == Form::Html);
        let rendered = replaced.and_then(|engine| engine.render(name, view).ok());
        let rendered = rendered.unwrap_or_else(|| {
            // Our own templates fit their views: the tests check that.
            let own = self.own(form).render(name, view);
            own.unwrap_or_else(|error| form.escape(&format!("template {name}: {error}")))
        });
        Markup::trusted(form, rendered)
    }

    /// Returns the problem that a replaced template has with this view, if any.
    pub(crate) fn try_render(&self, name: &str, view: &impl Serialize) -> Option<Problem> {
        let error = self.replaced.as_ref()?.render(name, view).err()?;
        Some(Problem::new(format!("template {name}.hbs"), error))
    }

    pub(crate) fn are_replaced(&self) -> bool {
        self.replaced.is_some()
    }
}

/// Returns a template with the parts that it names on lines of their own inserted. Handlebars would
/// insert them too, but at each use it copies all the data of the page.
pub(crate) fn included(
    name: &str,
    sources: Sources,
    replacements: &BTreeMap<String, String>,
    depth: usize,
) -> String {
    let own = sources.iter().find(|(own, _)| *own == name);
    let own = own.map_or("", |(_, source)| *source);
    let source = replacements.get(name).map_or(own, String::as_str);
    let mut whole = String::with_capacity(source.len());
    for line in source.split_inclusive('\n') {
        let part = line
            .trim()
            .strip_prefix("{{> ")
            .and_then(|rest| rest.strip_suffix("}}"))
            .map(str::trim);
        match part.filter(|part| depth < 8 && sources.iter().any(|(own, _)| own == part)) {
            Some(part) => whole.push_str(&included(part, sources, replacements, depth + 1)),
            None => whole.push_str(line),
        }
    }
    whole
}
