//! Our own templates, compiled and rendered.
//!
//! They use a small part of handlebars' language: `{{a.b}}`, `../`, `@root` and `@first`, the blocks
//! `if`, `unless`, `each` and `with`, and the helpers of [`templates`](crate::templates). Handlebars
//! itself takes several times as long for it, because it copies values, builds a path for each and
//! looks every name up by way of it, and a large site is made of little else. It reads the templates
//! that users bring, and a test compares the two.

use std::fmt::Write;

use serde::Serialize;

use crate::markup::{Form, MARK, Markup};
use crate::strings::Strings;
use crate::view::Value;

/// A template.
#[derive(Debug)]
pub(crate) struct Compiled {
    form: Form,
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    /// Written as it is: the template's own text, and texts of the interface.
    Raw(String),
    /// A value, escaped.
    Text(Path),
    Html(Path),
    Verbatim(Path),
    Indent(Path),
    Block(Block, Path, Vec<Step>, Vec<Step>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    If,
    Unless,
    Each,
    With,
}

/// Where a value is, from the value that a block is about.
#[derive(Debug)]
struct Path {
    start: Start,
    names: Vec<String>,
}

#[derive(Debug)]
enum Start {
    /// So many blocks further out.
    Up(usize),
    Root,
    /// Whether this is an `each`'s first element.
    First,
}

impl Compiled {
    /// # Errors
    /// If the source uses more of handlebars than is known here, or a text that does not exist.
    pub(crate) fn new(form: Form, source: &str, strings: &Strings) -> Result<Self, String> {
        let mut reader = Reader {
            rest: source,
            at_line_start: true,
            form,
            strings,
        };
        let (steps, end) = reader.steps()?;
        match end {
            None => Ok(Self { form, steps }),
            Some(tag) => Err(format!("{tag} without a block")),
        }
    }

    /// # Errors
    /// If the view lacks a value.
    pub(crate) fn render(&self, view: &impl Serialize) -> Result<String, String> {
        let root = Value::of(view).map_err(|error| error.to_string())?;
        let mut page = Rendering {
            form: self.form,
            written: String::with_capacity(4096),
            around: vec![(&root, false)],
        };
        page.steps(&self.steps)?;
        Ok(page.written)
    }
}

struct Reader<'s> {
    rest: &'s str,
    /// Whether only blanks are between the last line end and what comes next.
    at_line_start: bool,
    form: Form,
    strings: &'s Strings,
}

impl<'s> Reader<'s> {
    /// Reads up to the end, or to the tag that ends the block or its first half.
    fn steps(&mut self) -> Result<(Vec<Step>, Option<&'s str>), String> {
        let mut steps = Vec::new();
        while let Some((before, tag, after)) = split(self.rest)? {
            let is_block = tag.starts_with(['#', '/']) || tag == "else";
            let own_line = is_block.then(|| self.own_line(before, after)).flatten();
            let (before, after) = own_line.unwrap_or((before, after));
            if !before.is_empty() {
                steps.push(Step::Raw(before.to_owned()));
            }
            self.at_line_start = own_line.is_some();
            self.rest = after;
            if is_block && !tag.starts_with('#') {
                return Ok((steps, Some(tag)));
            }
            let step = match tag.strip_prefix('#') {
                Some(block) => self.block(block)?,
                None => self.expression(tag)?,
            };
            steps.push(step);
        }
        if !self.rest.is_empty() {
            steps.push(Step::Raw(self.rest.to_owned()));
        }
        Ok((steps, None))
    }

    /// A block's tag on a line of its own takes the line with it: returns what is before and behind.
    fn own_line(&self, before: &'s str, after: &'s str) -> Option<(&'s str, &'s str)> {
        let kept = before.trim_end_matches([' ', '\t']);
        let starts = kept.ends_with('\n') || (kept.is_empty() && self.at_line_start);
        let behind = after.trim_start_matches([' ', '\t']);
        let behind = behind
            .strip_prefix('\n')
            .or(behind.is_empty().then_some(behind));
        behind.filter(|_| starts).map(|behind| (kept, behind))
    }

    fn block(&mut self, tag: &str) -> Result<Step, String> {
        let (name, path) = tag.split_once(' ').ok_or_else(|| unknown(tag))?;
        let block = match name {
            "if" => Block::If,
            "unless" => Block::Unless,
            "each" => Block::Each,
            "with" => Block::With,
            _ => return Err(unknown(tag)),
        };
        let path = Path::new(path)?;
        let (steps, mut end) = self.steps()?;
        let mut otherwise = Vec::new();
        if end == Some("else") {
            (otherwise, end) = self.steps()?;
        }
        match end.and_then(|end| end.strip_prefix('/')) {
            Some(ended) if ended == name => Ok(Step::Block(block, path, steps, otherwise)),
            _ => Err(format!("`{tag}` does not end")),
        }
    }

    fn expression(&self, tag: &str) -> Result<Step, String> {
        let Some((helper, argument)) = tag.split_once(' ') else {
            return Ok(Step::Text(Path::new(tag)?));
        };
        Ok(match helper {
            "html" => Step::Html(Path::new(argument)?),
            "verbatim" => Step::Verbatim(Path::new(argument)?),
            "indent" => Step::Indent(Path::new(argument)?),
            "t" => {
                let key = argument.trim_matches('"');
                let text = self.strings.find(key);
                let text = text.ok_or_else(|| format!("no text {key:?}"))?;
                Step::Raw(self.form.escape(text))
            }
            _ => return Err(unknown(tag)),
        })
    }
}

/// What is before the next tag, the tag, and what is behind it.
fn split(source: &str) -> Result<Option<(&str, &str, &str)>, String> {
    let Some((before, rest)) = source.split_once("{{") else {
        return Ok(None);
    };
    let (tag, after) = rest.split_once("}}").ok_or_else(|| unknown(rest))?;
    Ok(Some((before, tag.trim(), after)))
}

fn unknown(tag: &str) -> String {
    format!("`{tag}` is not known here")
}

impl Path {
    fn new(path: &str) -> Result<Self, String> {
        let mut names = path.trim();
        let mut up = 0;
        while let Some(rest) = names.strip_prefix("../") {
            names = rest;
            up += 1;
        }
        let start = if names == "@first" {
            names = "";
            Start::First
        } else if let Some(rest) = names.strip_prefix("@root.") {
            names = rest;
            Start::Root
        } else {
            names = if names == "this" { "" } else { names };
            Start::Up(up)
        };
        let is_name = |name: &str| {
            name.bytes()
                .all(|it| it.is_ascii_alphanumeric() || it == b'_')
        };
        if !names.split('.').all(is_name) {
            return Err(unknown(path));
        }
        let names = names.split('.').filter(|name| !name.is_empty());
        Ok(Self {
            start,
            names: names.map(str::to_owned).collect(),
        })
    }

    fn missing(&self) -> String {
        format!("no `{}`", self.names.join("."))
    }
}

/// A page that is being written.
struct Rendering<'v> {
    form: Form,
    written: String,
    /// What the blocks around here are about, and whether each is an `each`'s first element.
    around: Vec<(&'v Value, bool)>,
}

impl<'v> Rendering<'v> {
    fn steps(&mut self, steps: &[Step]) -> Result<(), String> {
        for step in steps {
            match step {
                Step::Raw(text) => self.written.push_str(text),
                Step::Text(path) => {
                    let value = self.find(path)?;
                    self.escaped(value)?;
                }
                Step::Html(path) => match self.find(path)? {
                    Value::Nothing => {}
                    // Only markup serialises to an object with this member; a text of a description
                    // is always a string, so whatever it says, it is escaped here too.
                    value => match value.member(MARK) {
                        Some(Value::Text(markup)) => self.written.push_str(markup),
                        _ => self.escaped(value)?,
                    },
                },
                Step::Verbatim(path) => {
                    let text = match self.find(path)? {
                        Value::Text(text) => text,
                        _ => "",
                    };
                    let mut code = Markup::new(self.form);
                    self.written.push_str(code.code(text).as_str());
                }
                Step::Indent(path) => {
                    if let Value::Number(depth) = self.find(path)? {
                        (0..*depth).for_each(|_| self.written.push_str("  "));
                    }
                }
                Step::Block(block, path, steps, otherwise) => {
                    self.block(*block, path, steps, otherwise)?;
                }
            }
        }
        Ok(())
    }

    fn block(
        &mut self,
        block: Block,
        path: &Path,
        steps: &[Step],
        otherwise: &[Step],
    ) -> Result<(), String> {
        if let (Block::If, Start::First) = (block, &path.start) {
            return self.steps(if self.is_first() { steps } else { otherwise });
        }
        if let (Block::Unless, Start::First) = (block, &path.start) {
            return self.steps(if self.is_first() { otherwise } else { steps });
        }
        let value = self.find(path)?;
        match (block, value) {
            (Block::If, value) if value.is_truthy() => self.steps(steps),
            (Block::Unless, value) if !value.is_truthy() => self.steps(steps),
            (Block::If | Block::Unless, _) => self.steps(otherwise),
            (Block::Each, Value::List(elements)) if elements.is_empty() => self.steps(otherwise),
            (Block::Each, Value::List(elements)) => {
                let mut elements = elements.iter().enumerate();
                elements.try_for_each(|(at, element)| self.inside(element, at == 0, steps))
            }
            (Block::With, value) if value.is_truthy() => self.inside(value, self.is_first(), steps),
            (Block::Each | Block::With, _) if !otherwise.is_empty() => self.steps(otherwise),
            (Block::Each | Block::With, _) => Err(path.missing()),
        }
    }

    fn inside(&mut self, value: &'v Value, is_first: bool, steps: &[Step]) -> Result<(), String> {
        self.around.push((value, is_first));
        let done = self.steps(steps);
        self.around.pop();
        done
    }

    fn is_first(&self) -> bool {
        self.around.last().is_some_and(|(_, is_first)| *is_first)
    }

    fn find(&self, path: &Path) -> Result<&'v Value, String> {
        let start = match path.start {
            Start::Root => self.around.first(),
            Start::Up(up) => self.around.iter().rev().nth(up),
            Start::First => None,
        };
        let mut value = start.ok_or_else(|| path.missing())?.0;
        for name in &path.names {
            value = value.member(name).ok_or_else(|| path.missing())?;
        }
        Ok(value)
    }

    fn escaped(&mut self, value: &Value) -> Result<(), String> {
        match value {
            Value::Nothing => Ok(()),
            Value::Text(text) => {
                self.form.escape_into(text, &mut self.written);
                Ok(())
            }
            Value::Truth(truth) => write!(self.written, "{truth}").map_err(|it| it.to_string()),
            Value::Number(number) => write!(self.written, "{number}").map_err(|it| it.to_string()),
            Value::List(_) | Value::Members(_) => Err("a list or an object as text".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::Compiled;
    use crate::markup::{Form, Markup};
    use crate::strings::Strings;

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
        Compiled::new(Form::Html, source, &Strings::default())?.render(&view)
    }

    #[test]
    fn values_are_escaped_unless_they_are_markup() {
        for (source, written) in [
            ("{{name}} {{html name}}", "&lt;a&gt; &lt;a&gt;"),
            ("{{only.mark}}", ""),
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
            "{{../name}}",
            "{{#with none}}{{/with}}",
            "{{#each none}}{{/each}}",
            "{{#each name}}{{/each}}",
            "{{items}}",
            "{{t \"no such text\"}}",
            "{{lookup items 0}}",
            "{{{name}}}",
            "{{#if name}}",
            "{{#if name}}{{/each}}",
            "{{/if}}",
            "{{name",
        ] {
            assert!(render(source).is_err(), "{source}: {:?}", render(source));
        }
    }
}
