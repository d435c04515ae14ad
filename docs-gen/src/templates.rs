//! The templates, which can be replaced one by one.
//!
//! Values are written by `{{…}}`, which escapes; the helper `html` alone writes without escaping,
//! and only what is [markup](crate::markup) by its type. A template that asks for handlebars' own
//! way around the escaping is refused.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use handlebars::{
    Context, Handlebars, Helper, Output, RenderContext, RenderError, RenderErrorReason, ScopedJson,
    Template,
};
use serde::Serialize;

use crate::markup::{MARK, Markup};
use crate::problem::Problem;
use crate::strings::Strings;
use crate::text;

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        /// Every template by its name.
        pub(crate) const ALL: &[(&str, &str)] = &[$(($name, include_str!(concat!("../templates/", $name, ".hbs")))),*];
    };
}

templates![
    "page",
    "head",
    "header",
    "nav",
    "footer",
    "search",
    "overview",
    "group",
    "procedure",
    "type",
    "catalogue",
    "tree",
    "errors",
    "samples",
    "examples",
    "try",
];

/// The compiled templates.
#[derive(Debug)]
pub(crate) struct Templates {
    own: Handlebars<'static>,
    /// With the replacements; absent where there are none.
    replaced: Option<Handlebars<'static>>,
}

impl Templates {
    pub(crate) fn new(
        replacements: &BTreeMap<String, String>,
        strings: &Arc<Strings>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let own = registry(strings, &BTreeMap::new(), problems);
        let replaced = (!replacements.is_empty()).then(|| {
            check(replacements, problems);
            registry(strings, replacements, problems)
        });
        Self { own, replaced }
    }

    /// Renders a template. A replacement that fails on this page gives way to the original; that
    /// it can fail is found when the site is built, on the first page of each kind.
    pub(crate) fn render(&self, name: &str, view: &impl Serialize) -> Markup {
        let replaced = self
            .replaced
            .as_ref()
            .and_then(|replaced| replaced.render(name, view).ok());
        Markup::trusted(replaced.unwrap_or_else(|| {
            self.own
                .render(name, view)
                .unwrap_or_else(|error| text::escape(&format!("template {name}: {error}")))
        }))
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
        if !ALL.iter().any(|(own, _)| own == name) {
            let names: Vec<_> = ALL.iter().map(|(name, _)| *name).collect();
            problems.push(Problem::new(
                &place,
                format!("unknown part; the parts are {}", names.join(", ")),
            ));
        }
        let squeezed: String = source.split_whitespace().collect();
        if squeezed.contains("{{{")
            || squeezed.contains("{{&")
            || squeezed.contains("{{~&")
            || squeezed.contains("{{~{")
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
    replacements: &BTreeMap<String, String>,
    problems: &mut Vec<Problem>,
) -> Handlebars<'static> {
    let mut registry = Handlebars::new();
    registry.set_strict_mode(true);
    registry.register_escape_fn(text::escape);
    registry.register_helper("html", Box::new(html));
    let strings = Arc::clone(strings);
    registry.register_helper(
        "t",
        Box::new(
            move |helper: &Helper<'_>,
                  _: &Handlebars<'_>,
                  _: &Context,
                  _: &mut RenderContext<'_, '_>,
                  out: &mut dyn Output|
                  -> Result<(), RenderError> {
                let key = helper
                    .param(0)
                    .and_then(|key| key.value().as_str())
                    .unwrap_or_default();
                let found = strings
                    .find(key)
                    .ok_or_else(|| RenderErrorReason::Other(format!("no text {key:?}")))?;
                out.write(&text::escape(found))?;
                Ok(())
            },
        ),
    );
    for (at, (name, _)) in ALL.iter().enumerate() {
        let compiled = if replacements.is_empty() {
            OWN[at].clone()
        } else {
            compile(name, replacements)
        };
        match compiled {
            Ok(template) => registry.register_template(name, template),
            Err(error) => problems.push(Problem::new(format!("template {name}.hbs"), error)),
        }
    }
    registry
}

/// What is compiled of [`ALL`], in its order. Compiling takes far longer than generating a small site,
/// so it happens once per process.
static OWN: LazyLock<Vec<Result<Template, String>>> = LazyLock::new(|| {
    let nothing = BTreeMap::new();
    ALL.iter()
        .map(|(name, _)| compile(name, &nothing))
        .collect()
});

fn compile(name: &str, replacements: &BTreeMap<String, String>) -> Result<Template, String> {
    let source = included(name, replacements, 0);
    Template::compile_with_name(source, name.to_owned()).map_err(|error| error.to_string())
}

/// A template with the parts that it names on lines of their own put in their place. Handlebars
/// would do so too, but at each use it copies all that the page is made of.
fn included(name: &str, replacements: &BTreeMap<String, String>, depth: usize) -> String {
    let own = ALL
        .iter()
        .find(|(own, _)| *own == name)
        .map_or("", |(_, source)| *source);
    let source = replacements.get(name).map_or(own, String::as_str);
    let mut whole = String::with_capacity(source.len());
    for line in source.split_inclusive('\n') {
        let part = line
            .trim()
            .strip_prefix("{{> ")
            .and_then(|rest| rest.strip_suffix("}}"))
            .map(str::trim);
        match part.filter(|part| depth < 8 && ALL.iter().any(|(own, _)| own == part)) {
            Some(part) => whole.push_str(&included(part, replacements, depth + 1)),
            None => whole.push_str(line),
        }
    }
    whole
}

/// The one way around the escaping. Only [`Markup`] serialises to an object with this member; a
/// text of a description is always a string, so whatever it says, it is escaped here too.
fn html(
    helper: &Helper<'_>,
    _: &Handlebars<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> Result<(), RenderError> {
    let Some(param) = helper.param(0) else {
        return Err(RenderErrorReason::ParamNotFoundForIndex("html", 0).into());
    };
    if param.is_value_missing() {
        return Err(RenderErrorReason::MissingVariable(param.relative_path().cloned()).into());
    }
    let value = param.value();
    match value.get(MARK).and_then(|markup| markup.as_str()) {
        Some(markup) => out.write(markup)?,
        None if value.is_null() => {}
        None => out.write(&text::escape(&ScopedJson::from(value.clone()).render()))?,
    }
    Ok(())
}
