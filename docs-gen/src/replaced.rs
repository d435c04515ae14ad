//! Templates that users have replaced, which handlebars renders.
//!
//! The helper `html` alone writes without escaping, and only what is [markup](crate::markup) by its
//! type. A template that asks for handlebars' own way around the escaping is refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use handlebars::{
    Context, Handlebars, Helper, Output, RenderContext, RenderError, RenderErrorReason, ScopedJson,
    Template,
};
use serde::Serialize;
use serde_json::Value;

use crate::markup::{Form, MARK, Markup};
use crate::problem::Problem;
use crate::strings::Strings;
use crate::templates::{PAGES, included};

/// All templates of pages, where some are replaced.
#[derive(Debug)]
pub(crate) struct Replaced(Handlebars<'static>);

impl Replaced {
    pub(crate) fn new(
        replacements: &BTreeMap<String, String>,
        strings: &Arc<Strings>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        check(replacements, problems);
        let mut compiled = Vec::with_capacity(PAGES.len());
        for (name, _) in PAGES {
            match compile(name, replacements) {
                Ok(template) => compiled.push((*name, template)),
                Err(error) => {
                    problems.push(Problem::new(format!("template {name}.hbs"), error));
                }
            }
        }
        Self(registry(strings, compiled))
    }

    pub(crate) fn render(&self, name: &str, view: &impl Serialize) -> Result<String, String> {
        self.0.render(name, view).map_err(|error| error.to_string())
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

fn compile(name: &str, replacements: &BTreeMap<String, String>) -> Result<Template, String> {
    let source = included(name, PAGES, replacements, 0);
    Template::compile_with_name(source, name.to_owned()).map_err(|error| error.to_string())
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
