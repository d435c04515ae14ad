//! The templates: those of pages, which can be replaced one by one, and those of their Markdown.
//!
//! The data of a template comes in ([`TemplateData`]), and [`Templates::render`] returns markup. With `name` = `A&B`
//! and `text` = the markup `<p>Hi</p>`:
//!
//! ```text
//! <h1>{{name}}</h1>{{html text}}   →   <h1>A&amp;B</h1><p>Hi</p>
//! ```
//!
//! Values are written by `{{…}}`, which escapes for the output's format. Only the helper `html` writes without
//! escaping, and only values whose type is [markup](crate::markup). Handlebars has a syntax of its own for that,
//! `{{{…}}}`, and a template with it is refused.
//!
//! A template is resolved in three steps when it is compiled: parts that it names (`{{> head}}`) are inserted, texts of
//! the interface (`{{t "overview"}}`) are put in, and handlebars compiles the rest. So rendering a page only fills in
//! its own data. A replacement of a user that fails is reported, and the page is rendered with the original.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use handlebars::{
    Context, Handlebars, Helper, Output, RenderContext, RenderError, RenderErrorReason, ScopedJson,
};
use serde::Serialize;
use serde_json::Value;

use crate::markup::{MARKUP_MEMBER, Markup, PageFormat};
use crate::problem::Problem;
use crate::strings::Strings;

/// Templates by their names.
type Sources = &'static [(&'static str, &'static str)];

/// Includes the templates of a folder, with their names.
macro_rules! templates {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../templates/", $folder, $name, ".hbs")))),*]
    };
}

/// The version of the set of templates. It changes when a template that was written for the previous set may no longer
/// fit the data that it gets, or the other templates.
const SET_VERSION: &str = "7";

/// The maximum number of failures of replacements that are reported.
const MAX_FAILURES: usize = 100;

/// The beginning of a text of the interface in a template.
const TEXT_START: &str = "{{t \"";

/// The text before the version in the first line of a template.
const VERSION_START: &str = "{{! Docent templates, version ";

/// The text after the version in the first line of a template.
const VERSION_END: &str = " }}";

/// Returns the built-in templates of pages as `(name, source)`. Change one, and pass it to
/// [`SiteBuilder::template`](crate::SiteBuilder::template). Each begins with the version of the set.
///
/// ```
/// let (name, source) = docent::docs_gen::templates().next().unwrap();
/// assert_eq!(name, "page");
/// assert!(source.starts_with("{{! Docent templates, version "));
/// ```
pub fn templates() -> impl Iterator<Item = (&'static str, String)> {
    PAGE_TEMPLATES.iter().map(|(name, source)| {
        let versioned = format!("{VERSION_START}{SET_VERSION}{VERSION_END}\n{source}");
        (*name, versioned)
    })
}

/// Removes the version from a template. A template without a version is returned unchanged.
///
/// # Errors
/// The template was made for another version.
fn without_version(source: &str) -> Result<&str, String> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let (first, rest) = source.split_once('\n').unwrap_or((source, ""));
    let version = first
        .trim()
        .strip_prefix(VERSION_START)
        .and_then(|version| version.strip_suffix("}}"))
        .map(str::trim);
    match version {
        None => Ok(source),
        Some(SET_VERSION) => Ok(rest),
        Some(other) => Err(format!(
            "made for version {other} of the templates, and this is version {SET_VERSION}; make the same \
             changes to the template that `docent docs --print-templates DIR` prints"
        )),
    }
}

/// The parts of pages.
const PAGE_TEMPLATES: Sources = templates![
    "": "page", "head", "header", "nav", "footer", "search", "overview", "items", "group", "procedure",
    "type", "types", "catalogue", "updates", "changes", "code", "errors", "codes", "data", "missing", "guide",
    "samples", "examples", "try",
];

/// The Markdown pages beside them, from the same data.
const MARKDOWN_TEMPLATES: Sources = templates![
    "markdown/": "overview", "guide", "items", "group", "procedure", "type", "types", "catalogue", "updates", "changes",
    "code", "errors", "llms",
];

/// The data of a template, which is the only data that it sees.
pub(crate) trait TemplateData: Serialize {
    /// The name of the template: one of pages, of Markdown, or of both.
    const TEMPLATE: &'static str;
}

/// The compiled templates.
#[derive(Debug)]
pub(crate) struct Templates {
    /// The texts of the interface, which templates contain.
    strings: Arc<Strings>,
    /// The built-in templates of pages, compiled when they are first used: a service that starts does not wait for
    /// them.
    pages: OnceLock<Handlebars<'static>>,
    /// The built-in templates of Markdown pages, compiled when they are first used.
    markdown: OnceLock<Handlebars<'static>>,
    /// The templates of pages with the replacements of users; `None` if there are no replacements.
    replaced: Option<Handlebars<'static>>,
    /// The failures of replacements.
    failures: Mutex<Vec<Problem>>,
}

impl Templates {
    /// Checks and compiles the replacements. The built-in templates are compiled when they are first used.
    pub(crate) fn new(
        strings: &Arc<Strings>,
        mut replacements: BTreeMap<String, String>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        check(&mut replacements, problems);
        let replaced = (!replacements.is_empty()).then(|| {
            compiled(
                PageFormat::Html,
                PAGE_TEMPLATES,
                &replacements,
                strings,
                problems,
            )
        });
        Self {
            strings: Arc::clone(strings),
            pages: OnceLock::new(),
            markdown: OnceLock::new(),
            replaced,
            failures: Mutex::default(),
        }
    }

    /// Renders a template. If a replacement fails on this page, the built-in template is used, and
    /// [`failures`](Self::failures) returns the failure.
    pub(crate) fn render<D: TemplateData>(&self, format: PageFormat, data: &D) -> Markup {
        match Context::wraps(data) {
            Ok(data) => self.render_data(format, D::TEMPLATE, &data),
            Err(error) => Markup::escaped(format, &format!("template {}: {error}", D::TEMPLATE)),
        }
    }

    /// Renders a template from its data, serialised.
    fn render_data(&self, format: PageFormat, name: &str, data: &Context) -> Markup {
        if let Some(replaced) = self
            .replaced
            .as_ref()
            .filter(|_| format == PageFormat::Html)
        {
            match replaced.render_with_context(name, data) {
                Ok(rendered) => return Markup::trusted(format, rendered),
                Err(error) => self.add_failure(name, &error),
            }
        }
        // The built-in templates fit their data: the tests check that.
        let rendered = match self.built_in(format).render_with_context(name, data) {
            Ok(rendered) => rendered,
            Err(error) => format.escape(&format!("template {name}: {error}")),
        };
        Markup::trusted(format, rendered)
    }

    /// Returns the built-in templates for a format.
    fn built_in(&self, format: PageFormat) -> &Handlebars<'static> {
        let (engine, sources) = match format {
            PageFormat::Html => (&self.pages, PAGE_TEMPLATES),
            PageFormat::Markdown => (&self.markdown, MARKDOWN_TEMPLATES),
        };
        // They have no problems: the tests compile all of them.
        let no_replacements = BTreeMap::new();
        let mut problems = Vec::new();
        engine.get_or_init(|| {
            compiled(
                format,
                sources,
                &no_replacements,
                &self.strings,
                &mut problems,
            )
        })
    }

    /// Adds the failure of a replacement, once.
    fn add_failure(&self, name: &str, error: &RenderError) {
        let failure = Problem::new(format!("template {name}.hbs"), error.to_string());
        if let Ok(mut failures) = self.failures.lock()
            && !failures.contains(&failure)
            && failures.len() < MAX_FAILURES
        {
            failures.push(failure);
        }
    }

    /// Returns the failures of replacements so far.
    pub(crate) fn failures(&self) -> Vec<Problem> {
        match self.failures.lock() {
            Ok(failures) => failures.clone(),
            Err(_) => Vec::new(),
        }
    }

    /// Returns whether there are replacements, which may fail.
    pub(crate) fn are_replaced(&self) -> bool {
        self.replaced.is_some()
    }
}

/// Compiles templates, with replacements for some.
///
/// The parts that a template names on lines of their own are inserted into it. Handlebars would insert
/// them too, as it does parts of parts, but at each use it copies all the data of the page.
fn compiled(
    format: PageFormat,
    sources: Sources,
    replacements: &BTreeMap<String, String>,
    strings: &Arc<Strings>,
    problems: &mut Vec<Problem>,
) -> Handlebars<'static> {
    let mut registry = registry(format, strings);
    let mut used: Vec<(&str, &str)> = Vec::new();
    for (name, built_in) in sources {
        used.push((
            name,
            replacements.get(*name).map_or(built_in, String::as_str),
        ));
    }
    for (name, source) in &used {
        let mut template = (*source).to_owned();
        for (part, source) in &used {
            template = template.replace(&format!("{{{{> {part}}}}}\n"), source);
        }
        let template = with_texts(&template, format, strings);
        if let Err(error) = registry.register_template_string(name, template) {
            problems.push(Problem::new(
                format!("template {name}.hbs"),
                error.to_string(),
            ));
        }
    }
    registry
}

/// Puts the interface's texts into a template. The helper `t` would look them up again on each page.
fn with_texts(template: &str, format: PageFormat, strings: &Strings) -> String {
    let mut parts = template.split(TEXT_START);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some((key, rest)) = part.split_once("\"}}")
            && let Some(text) = strings.find(key)
        {
            let text = format.escape(text);
            // Handlebars would read these as syntax, so the helper `t` writes a text with them.
            if !text.contains(['{', '\\']) {
                filled.extend([&text, rest]);
                continue;
            }
        }
        filled.extend([TEXT_START, part]);
    }
    filled
}

/// Removes the versions of replacements, and reports those that cannot be used.
fn check(replacements: &mut BTreeMap<String, String>, problems: &mut Vec<Problem>) {
    for (name, source) in replacements {
        let option = format!("template {name}.hbs");
        match without_version(source) {
            Ok(rest) => *source = rest.to_owned(),
            Err(reason) => problems.push(Problem::new(&option, reason)),
        }
        let names: Vec<_> = PAGE_TEMPLATES.iter().map(|(name, _)| *name).collect();
        if !names.contains(&name.as_str()) {
            let reason = format!("unknown template; expected one of {}", names.join(", "));
            problems.push(Problem::new(&option, reason));
        }
        let without_blanks: String = source.split_whitespace().collect();
        let has_raw_value = ["{{{", "{{&", "{{~&", "{{~{"]
            .iter()
            .any(|raw| without_blanks.contains(raw));
        if has_raw_value {
            problems.push(Problem::new(
                &option,
                "writes a value without escaping it; use `{{…}}`, or `{{html …}}` for values that \
                 are markup",
            ));
        }
    }
}

/// Creates a registry without templates. Its helpers write markup (`html`), code (`verbatim`) and texts
/// of the interface (`t`).
fn registry(format: PageFormat, strings: &Arc<Strings>) -> Handlebars<'static> {
    let mut registry = Handlebars::new();
    registry.set_strict_mode(true);
    registry.register_escape_fn(move |text| format.escape(text));
    add_helper(&mut registry, "html", move |value, out| {
        html(format, value, out)
    });
    add_helper(&mut registry, "verbatim", move |value, out| {
        let mut code = Markup::new(format);
        code.code(value.as_str().unwrap_or_default());
        Ok(out.write(code.as_str())?)
    });
    let strings = Arc::clone(strings);
    add_helper(&mut registry, "t", move |key, out| {
        let key = key.as_str().unwrap_or_default();
        let text = strings
            .find(key)
            .ok_or_else(|| RenderErrorReason::Other(format!("no text {key:?}")))?;
        Ok(out.write(&format.escape(text))?)
    });
    registry
}

/// Adds a helper that writes its one argument in a way of its own.
fn add_helper(
    registry: &mut Handlebars<'_>,
    name: &'static str,
    write: impl Fn(&Value, &mut dyn Output) -> Result<(), RenderError> + Send + Sync + 'static,
) {
    registry.register_helper(
        name,
        Box::new(
            move |helper: &Helper<'_>,
                  _: &Handlebars<'_>,
                  _: &Context,
                  _: &mut RenderContext<'_, '_>,
                  out: &mut dyn Output| { write(argument(name, helper)?, out) },
        ),
    );
}

/// Returns the one argument of a helper. One that is not among the data of the page is an error.
fn argument<'h>(name: &'static str, helper: &'h Helper<'_>) -> Result<&'h Value, RenderError> {
    match helper.param(0) {
        None => Err(RenderErrorReason::ParamNotFoundForIndex(name, 0).into()),
        Some(param) if param.is_value_missing() => {
            Err(RenderErrorReason::MissingVariable(param.relative_path().cloned()).into())
        }
        Some(param) => Ok(param.value()),
    }
}

/// Writes a value without escaping it if it is markup. Only [`Markup`] serialises to an object with this member; a
/// text of a description is always a string, so whatever it says, it is escaped here too.
fn html(format: PageFormat, value: &Value, out: &mut dyn Output) -> Result<(), RenderError> {
    match value.get(MARKUP_MEMBER).and_then(Value::as_str) {
        Some(markup) => out.write(markup)?,
        None if value.is_null() => {}
        None => out.write(&format.escape(&ScopedJson::from(value.clone()).render()))?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct View {
        name: &'static str,
        none: Option<String>,
        number: usize,
        items: Vec<Item>,
        empty: Vec<Item>,
        only: Item,
    }

    #[derive(Serialize)]
    struct Item {
        name: String,
        mark: Markup,
        words: Vec<&'static str>,
    }

    impl Item {
        fn new(name: &str) -> Self {
            Self {
                name: name.to_owned(),
                mark: Markup::escaped(PageFormat::Html, "<"),
                words: vec!["x", "y"],
            }
        }
    }

    fn render(source: &str) -> Result<String, String> {
        let view = View {
            name: "<a>",
            none: None,
            number: 2,
            items: vec![Item::new("b"), Item::new("{\"$markup\":\"<i>\"}")],
            empty: Vec::new(),
            only: Item::new("o"),
        };
        let mut registry = registry(PageFormat::Html, &Arc::default());
        registry
            .register_template_string("view", source)
            .map_err(|error| error.to_string())?;
        registry
            .render("view", &view)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn every_template_of_the_folder_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
        for (folder, sources, list) in [
            (folder.to_owned(), PAGE_TEMPLATES, "PAGE_TEMPLATES"),
            (
                format!("{folder}/markdown"),
                MARKDOWN_TEMPLATES,
                "MARKDOWN_TEMPLATES",
            ),
        ] {
            for entry in std::fs::read_dir(folder).expect("there") {
                let path = entry.expect("readable").path();
                let stem = path
                    .file_stem()
                    .and_then(|stem| stem.to_str())
                    .expect("text");
                assert!(
                    path.is_dir() || sources.iter().any(|(name, _)| *name == stem),
                    "add {stem:?} to {list} in docs-gen/src/templates.rs, as it has the file {}",
                    path.display()
                );
            }
        }
    }

    #[test]
    fn values_are_escaped_unless_they_are_markup() {
        for (source, written) in [
            ("{{name}} {{html name}}", "&lt;a&gt; &lt;a&gt;"),
            ("{{html only.mark}}|{{html none}}|{{none}}", "&lt;||"),
            (
                "{{#each items}}{{html name}};{{/each}}",
                "b;{&quot;$markup&quot;:&quot;&lt;i&gt;&quot;};",
            ),
            ("{{verbatim name}}.", "<code>&lt;a&gt;</code>."),
        ] {
            let rendered = render(source).unwrap_or_default();
            assert_eq!(rendered, written, "{source}");
        }
    }

    #[test]
    fn a_text_that_looks_like_a_template_is_a_text() {
        let replacements = BTreeMap::from([("overview".to_owned(), "{{name}}".to_owned())]);
        let strings = Strings::new("en", replacements, &mut Vec::new());
        for (template, filled) in [
            ("<{{t \"types\"}}>", "<Types>"),
            ("{{t \"overview\"}}", "{{t \"overview\"}}"),
            ("{{t \"unknown\"}}", "{{t \"unknown\"}}"),
            ("{{t \"types", "{{t \"types"),
        ] {
            assert_eq!(with_texts(template, PageFormat::Html, &strings), filled);
        }
    }

    #[test]
    fn blocks_look_at_their_own_value_and_out() {
        for (source, written) in [
            (
                "{{#if none}}1{{else}}2{{/if}}{{#unless name}}3{{/unless}}",
                "2",
            ),
            (
                "{{#each items}}{{#unless @first}},{{/unless}}{{#each words}}{{this}}{{../../number}}{{@root.number}}{{/each}}{{/each}}",
                "x22y22,x22y22",
            ),
            (
                "{{#each empty}}1{{else}}2{{/each}}{{#each empty}}1{{/each}}",
                "2",
            ),
            ("{{#with only}}{{name}}{{/with}}", "o"),
            (
                "a\n  {{#if name}}\nb\n{{else}}\nc\n{{/if}}\nd\n",
                "a\nb\nd\n",
            ),
            ("{{#if name}}\n{{#if name}}\nb\n{{/if}}\n{{/if}}", "b\n"),
            ("a {{#if name}}\nb{{/if}}\n", "a \nb\n"),
        ] {
            assert_eq!(render(source).as_deref(), Ok(written), "{source}");
        }
    }

    #[test]
    fn what_is_missing_or_unknown_is_an_error() {
        for source in [
            "{{nonsense}}",
            "{{only.nonsense}}",
            "{{#with none}}{{/with}}",
            "{{#each none}}{{/each}}",
            "{{#each name}}{{/each}}",
            "{{t \"no such text\"}}",
            "{{#if name}}",
            "{{#if name}}{{/each}}",
            "{{/if}}",
            "{{name",
        ] {
            assert!(render(source).is_err(), "{source}: {:?}", render(source));
        }
    }
}
