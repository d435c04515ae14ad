//! The templates: those of pages, which can be replaced one by one, and those of their Markdown.
//!
//! Values are written by `{{…}}`, which escapes for the form that is written; the helper `html` alone
//! writes without escaping, and only what is [markup](crate::markup) by its type.
//!
//! Ours are rendered by [`compiled`](crate::compiled). Where some are replaced, handlebars renders all
//! of a page (`replaced.rs`, with the feature `templates`).

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use serde::Serialize;

use crate::compiled::Compiled;
use crate::markup::{Form, Markup};
use crate::problem::Problem;
#[cfg(feature = "templates")]
use crate::replaced::Replaced;
use crate::strings::Strings;

/// Templates by their names.
pub(crate) type Sources = &'static [(&'static str, &'static str)];

macro_rules! templates {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../templates/", $folder, $name, ".hbs")))),*]
    };
}

/// The version of the templates as a set: what they are given, and how they fit together. It changes
/// when a template written for the set before may no longer fit.
#[cfg(feature = "templates")]
const VERSION: &str = "2";

/// What a template begins with, before and behind its version.
#[cfg(feature = "templates")]
const MARKS: (&str, &str) = ("{{! Docent templates, version ", " }}\n");

/// Returns the built-in templates of pages as `(name, source)`, to be changed and given to
/// [`SiteBuilder::template`](crate::SiteBuilder::template). Each begins with the version of the set.
///
/// ```
/// let (name, source) = docent_docs_gen::templates().next().unwrap();
/// assert_eq!(name, "page");
/// assert!(source.starts_with("{{! Docent templates, version "));
/// ```
#[cfg(feature = "templates")]
pub fn templates() -> impl Iterator<Item = (&'static str, String)> {
    let (before, behind) = MARKS;
    let sources = PAGES.iter();
    sources.map(move |(name, source)| (*name, format!("{before}{VERSION}{behind}{source}")))
}

/// Takes the version off a template. One without a version is taken as it is.
///
/// # Errors
/// If the template was made for another version.
#[cfg(feature = "templates")]
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
    /// Ours, from when they are first used on: a service that starts need not wait for them.
    pages: OnceLock<Own>,
    twins: OnceLock<Own>,
    /// With the replacements; absent where there are none.
    #[cfg(feature = "templates")]
    replaced: Option<Replaced>,
}

/// Templates of ours by their names, or why one cannot be rendered.
type Own = HashMap<&'static str, Result<Compiled, String>>;

impl Templates {
    pub(crate) fn new(strings: &Arc<Strings>) -> Self {
        Self {
            strings: Arc::clone(strings),
            pages: OnceLock::new(),
            twins: OnceLock::new(),
            #[cfg(feature = "templates")]
            replaced: None,
        }
    }

    #[cfg(feature = "templates")]
    pub(crate) fn replace(
        &mut self,
        replacements: &BTreeMap<String, String>,
        problems: &mut Vec<Problem>,
    ) {
        self.replaced = (!replacements.is_empty())
            .then(|| Replaced::new(replacements, &self.strings, problems));
    }

    fn own(&self, form: Form) -> &Own {
        let (place, sources) = match form {
            Form::Html => (&self.pages, PAGES),
            Form::Markdown => (&self.twins, TWINS),
        };
        let nothing = BTreeMap::new();
        let compile = |name| {
            let source = included(name, sources, &nothing, 0);
            Compiled::new(form, &source, &self.strings)
        };
        let all = sources.iter().map(|(name, _)| (*name, compile(name)));
        place.get_or_init(|| all.collect())
    }

    fn render_own(&self, form: Form, name: &str, view: &impl Serialize) -> Result<String, String> {
        match self.own(form).get(name) {
            Some(Ok(compiled)) => compiled.render(view),
            Some(Err(error)) => Err(error.clone()),
            None => Err("not there".to_owned()),
        }
    }

    /// Renders a template. A replacement that fails on this page gives way to the original; that
    /// it can fail is found when the site is built, on the first page of each kind.
    pub(crate) fn render(&self, form: Form, name: &str, view: &impl Serialize) -> Markup {
        let replaced = (form == Form::Html).then(|| self.render_replaced(name, view));
        let rendered = replaced.flatten().and_then(Result::ok).unwrap_or_else(|| {
            // Ours fit their views, or the tests would say so.
            let own = self.render_own(form, name, view);
            own.unwrap_or_else(|error| form.escape(&format!("template {name}: {error}")))
        });
        Markup::trusted(form, rendered)
    }

    /// Renders a template of a page, if templates are replaced.
    #[cfg(feature = "templates")]
    fn render_replaced(&self, name: &str, view: &impl Serialize) -> Option<Result<String, String>> {
        Some(self.replaced.as_ref()?.render(name, view))
    }

    #[cfg(not(feature = "templates"))]
    #[expect(
        clippy::unused_self,
        reason = "with the feature, it depends on the templates"
    )]
    fn render_replaced(&self, _: &str, _: &impl Serialize) -> Option<Result<String, String>> {
        None
    }

    /// What goes wrong when a replaced template meets this view.
    pub(crate) fn try_render(&self, name: &str, view: &impl Serialize) -> Option<Problem> {
        let error = self.render_replaced(name, view)?.err()?;
        Some(Problem::new(format!("template {name}.hbs"), error))
    }

    #[cfg(feature = "templates")]
    pub(crate) fn are_replaced(&self) -> bool {
        self.replaced.is_some()
    }

    #[cfg(not(feature = "templates"))]
    #[expect(
        clippy::unused_self,
        reason = "with the feature, it depends on the templates"
    )]
    pub(crate) fn are_replaced(&self) -> bool {
        false
    }
}

/// A template with the parts that it names on lines of their own put in their place. Handlebars
/// would do so too, but at each use it copies all that the page is made of.
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
