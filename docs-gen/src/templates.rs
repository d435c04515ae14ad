//! The templates: those of pages, which can be replaced one by one, and those of their Markdown.
//!
//! Values are written by `{{…}}`, which escapes for the form that is written; the helper `html` alone
//! writes without escaping, and only what is [markup](crate::markup) by its type. A template that asks
//! for handlebars' own way around the escaping is refused.
//!
//! Ours are rendered by [`compiled`](crate::compiled). Where some are replaced, handlebars renders all
//! of a page.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use handlebars::{
    Context, Handlebars, Helper, Output, RenderContext, RenderError, RenderErrorReason, ScopedJson,
    Template,
};
use serde::Serialize;
use serde_json::Value;

use crate::compiled::Compiled;
use crate::markup::{Form, MARK, Markup};
use crate::problem::Problem;
use crate::strings::Strings;

/// Templates by their names.
type Sources = &'static [(&'static str, &'static str)];

macro_rules! templates {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../templates/", $folder, $name, ".hbs")))),*]
    };
}

/// The parts of pages.
const PAGES: Sources = templates![
    "": "page", "head", "header", "nav", "footer", "search", "overview", "group", "procedure", "type",
    "catalogue", "tree", "errors", "samples", "examples", "try",
];

/// The same views as Markdown.
const TWINS: Sources = templates![
    "markdown/": "overview", "items", "group", "procedure", "type", "catalogue", "tree", "llms",
];

/// The compiled templates.
#[derive(Debug)]
pub(crate) struct Templates {
    strings: Arc<Strings>,
    /// Ours, from when they are first used on: a service that starts need not wait for them.
    pages: OnceLock<Own>,
    twins: OnceLock<Own>,
    /// With the replacements; absent where there are none.
    replaced: Option<Handlebars<'static>>,
}

/// Templates of ours by their names, or why one cannot be rendered.
type Own = HashMap<&'static str, Result<Compiled, String>>;

impl Templates {
    pub(crate) fn new(
        replacements: &BTreeMap<String, String>,
        strings: &Arc<Strings>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let replaced = (!replacements.is_empty()).then(|| {
            check(replacements, problems);
            let mut compiled = Vec::with_capacity(PAGES.len());
            for (name, _) in PAGES {
                match compile(name, PAGES, replacements) {
                    Ok(template) => compiled.push((*name, template)),
                    Err(error) => {
                        problems.push(Problem::new(format!("template {name}.hbs"), error));
                    }
                }
            }
            registry(strings, compiled)
        });
        Self {
            strings: Arc::clone(strings),
            pages: OnceLock::new(),
            twins: OnceLock::new(),
            replaced,
        }
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
        let replaced = self.replaced.as_ref().filter(|_| form == Form::Html);
        let replaced = replaced.and_then(|replaced| replaced.render(name, view).ok());
        let rendered = replaced.unwrap_or_else(|| {
            // Ours fit their views, or the tests would say so.
            let own = self.render_own(form, name, view);
            own.unwrap_or_else(|error| form.escape(&format!("template {name}: {error}")))
        });
        Markup::trusted(form, rendered)
    }

    /// What goes wrong when a replaced template meets this view.
    pub(crate) fn try_render(&self, name: &str, view: &impl Serialize) -> Option<Problem> {
        let error = self.replaced.as_ref()?.render(name, view).err()?;
        Some(Problem::new(
            format!("template {name}.hbs"),
            error.to_string(),
        ))
    }

    pub(crate) fn are_replaced(&self) -> bool {
        self.replaced.is_some()
    }
}

fn check(replacements: &BTreeMap<String, String>, problems: &mut Vec<Problem>) {
    for (name, source) in replacements {
        let place = format!("template {name}.hbs");
        if !PAGES.iter().any(|(own, _)| own == name) {
            let names: Vec<_> = PAGES.iter().map(|(name, _)| *name).collect();
            problems.push(Problem::new(
                &place,
                format!("unknown part; the parts are {}", names.join(", ")),
            ));
        }
        let squeezed: String = source.split_whitespace().collect();
        if ["{{{", "{{&", "{{~&", "{{~{"]
            .iter()
            .any(|raw| squeezed.contains(raw))
        {
            problems.push(Problem::new(
                &place,
                "writes a value without escaping it; use `{{…}}`, or `{{html …}}` for values that \
                 are markup",
            ));
        }
    }
}

fn registry(
    strings: &Arc<Strings>,
    templates: impl IntoIterator<Item = (&'static str, Template)>,
) -> Handlebars<'static> {
    let mut registry = Handlebars::new();
    let form = Form::Html;
    registry.set_strict_mode(true);
    registry.register_escape_fn(move |text| form.escape(text));
    help(&mut registry, "html", move |value, out| {
        html(form, value, out)
    });
    help(&mut registry, "verbatim", move |value, out| {
        let mut code = Markup::new(form);
        code.code(value.as_str().unwrap_or_default());
        Ok(out.write(code.as_str())?)
    });
    // Two spaces for each level.
    help(&mut registry, "indent", |depth, out| {
        let depth = usize::try_from(depth.as_u64().unwrap_or_default()).unwrap_or_default();
        Ok(out.write(&"  ".repeat(depth))?)
    });
    let strings = Arc::clone(strings);
    help(&mut registry, "t", move |key, out| {
        let key = key.as_str().unwrap_or_default();
        let found = strings.find(key);
        let found = found.ok_or_else(|| RenderErrorReason::Other(format!("no text {key:?}")))?;
        Ok(out.write(&form.escape(found))?)
    });
    for (name, template) in templates {
        registry.register_template(name, template);
    }
    registry
}

fn compile(
    name: &str,
    sources: Sources,
    replacements: &BTreeMap<String, String>,
) -> Result<Template, String> {
    let source = included(name, sources, replacements, 0);
    Template::compile_with_name(source, name.to_owned()).map_err(|error| error.to_string())
}

/// A template with the parts that it names on lines of their own put in their place. Handlebars
/// would do so too, but at each use it copies all that the page is made of.
fn included(
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

/// Adds a helper that writes its one argument in a way of its own.
fn help(
    registry: &mut Handlebars<'_>,
    name: &'static str,
    write: impl Fn(&Value, &mut dyn Output) -> Result<(), RenderError> + Send + Sync + 'static,
) {
    let helper = move |helper: &Helper<'_>,
                       _: &Handlebars<'_>,
                       _: &Context,
                       _: &mut RenderContext<'_, '_>,
                       out: &mut dyn Output|
          -> Result<(), RenderError> {
        let Some(param) = helper.param(0) else {
            return Err(RenderErrorReason::ParamNotFoundForIndex(name, 0).into());
        };
        if param.is_value_missing() {
            return Err(RenderErrorReason::MissingVariable(param.relative_path().cloned()).into());
        }
        write(param.value(), out)
    };
    registry.register_helper(name, Box::new(helper));
}

/// The one way around the escaping. Only [`Markup`] serialises to an object with this member; a
/// text of a description is always a string, so whatever it says, it is escaped here too.
fn html(form: Form, value: &Value, out: &mut dyn Output) -> Result<(), RenderError> {
    match value.get(MARK).and_then(Value::as_str) {
        Some(markup) => out.write(markup)?,
        None if value.is_null() => {}
        None => out.write(&form.escape(&ScopedJson::from(value.clone()).render()))?,
    }
    Ok(())
}
