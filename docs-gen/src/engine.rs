//! The template engine: handlebars, for our templates and for those of users.
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
use crate::templates::{PAGES, Sources, included};

/// All templates of pages or of their twins, some of them replaced.
#[derive(Debug)]
pub(crate) struct Engine(Handlebars<'static>);

impl Engine {
    /// Compiles templates, with replacements for some.
    pub(crate) fn new(
        form: Form,
        sources: Sources,
        replacements: &BTreeMap<String, String>,
        strings: &Arc<Strings>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        check(replacements, problems);
        let mut registry = registry(form, strings);
        for (name, _) in sources {
            let source = included(name, sources, replacements, 0);
            match Template::compile_with_name(source, (*name).to_owned()) {
                Ok(template) => registry.register_template(name, template),
                Err(error) => {
                    let place = format!("template {name}.hbs");
                    problems.push(Problem::new(place, error.to_string()));
                }
            }
        }
        Self(registry)
    }

    /// Renders a template.
    ///
    /// # Errors
    /// The view lacks a value that the template asks for, or the template uses one in a way that it
    /// does not have.
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

fn registry(form: Form, strings: &Arc<Strings>) -> Handlebars<'static> {
    let mut registry = Handlebars::new();
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
    registry
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

    fn render(source: &str) -> Result<String, String> {
        let item = |name: &str| Item {
            name: name.to_owned(),
            mark: Markup::of_text(Form::Html, "<"),
            words: vec!["x", "y"],
        };
        let view = View {
            name: "<a>",
            none: None,
            number: 2,
            items: vec![item("b"), item("{\"$markup\":\"<i>\"}")],
            empty: Vec::new(),
            only: item("o"),
        };
        let mut registry = registry(Form::Html, &Arc::default());
        let compiled = registry.register_template_string("view", source);
        compiled.map_err(|error| error.to_string())?;
        Engine(registry).render("view", &view)
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
            (
                "{{verbatim name}}{{indent number}}.",
                "<code>&lt;a&gt;</code>    .",
            ),
        ] {
            let rendered = render(source).unwrap_or_default();
            assert_eq!(rendered, written, "{source}");
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
