//! Types in words: "array of Book", "string or null".

use docent_describe::json::{Json, shorten};
use docent_describe::schema::{component_entered, width};

use crate::json_text;
use crate::links::Links;
use crate::markup::Markup;
use crate::schema::{AllowedValue, Outline, SchemaShape, outline, own_outline, shape, text_of};
use crate::strings::Strings;

/// The most alternatives that are listed. More are counted.
const LISTED: usize = 4;

/// The deepest nesting of a type in words. A deeper one is not readable in one line, and its tree is
/// clearer.
const DEEPEST: usize = 5;

/// Returns the type in words, with links to the shared types in it.
pub(crate) fn words(links: &Links<'_>, strings: &Strings, schemas: &[&Json]) -> Markup {
    let mut writer = TypeWriter {
        links,
        strings,
        out: Markup::new(links.medium.form()),
    };
    writer.schemas(schemas, 0);
    writer.out
}

struct TypeWriter<'a> {
    links: &'a Links<'a>,
    strings: &'a Strings,
    out: Markup,
}

impl TypeWriter<'_> {
    fn say(&mut self, key: &str) {
        self.out.text(self.strings.get(key));
    }

    fn schema(&mut self, schema: &Json, depth: usize) {
        self.schemas(&[schema], depth);
    }

    fn schemas(&mut self, schemas: &[&Json], depth: usize) {
        let Outline { shape, nullable } = outline(schemas);
        if depth > DEEPEST {
            self.say("type.more");
            return;
        }
        self.shape(&shape, schemas[0], depth);
        if nullable {
            self.say("type.or");
            self.say("type.null");
        }
    }

    fn shape(&mut self, shape: &SchemaShape<'_>, schema: &Json, depth: usize) {
        match shape {
            SchemaShape::Any => self.say("type.any"),
            SchemaShape::Never => self.say("type.never"),
            SchemaShape::Ref(name) => match self.links.type_page(name) {
                Some(href) => {
                    self.out.link(&href, &shorten(name, 60));
                }
                None => {
                    self.out.text(&shorten(name, 60));
                }
            },
            SchemaShape::Lost(reference) if self.entered(reference) => {}
            SchemaShape::Lost(reference) => {
                self.say("type.lost");
                self.out.code(&shorten(reference, 80));
            }
            SchemaShape::Scalar(kind) => self.scalar(kind, schema),
            SchemaShape::Array(None) => self.say("type.array"),
            SchemaShape::Array(Some(items)) => {
                self.say("type.array_of");
                self.schema(items, depth + 1);
            }
            SchemaShape::Tuple(places, rest) => self.tuple(places, rest.is_some(), depth),
            SchemaShape::Map(values) => {
                self.say("type.map_of");
                self.schema(values, depth + 1);
            }
            SchemaShape::Object => match text_of(schema, "title") {
                Some(title) if depth > 0 => {
                    self.out.text(&shorten(title, 60));
                }
                _ => self.say("type.object"),
            },
            SchemaShape::Enum(values) => self.values(values),
            SchemaShape::Alternatives(branches) => self.alternatives(branches, depth),
            SchemaShape::All(branches) => self.all(schema, branches, depth),
            SchemaShape::Kinds(kinds) => {
                for (at, kind) in kinds.iter().enumerate() {
                    if at > 0 {
                        self.say("type.or");
                    }
                    self.kind(kind);
                }
            }
        }
    }

    fn scalar(&mut self, kind: &str, schema: &Json) {
        self.kind(kind);
        if let Some(format) = text_of(schema, "format").or_else(|| width(schema)) {
            self.out.text(" (").text(&shorten(format, 40)).text(")");
        }
    }

    fn kind(&mut self, kind: &str) {
        match self.strings.find(&format!("type.{kind}")) {
            Some(word) => self.out.text(word),
            None => self.out.text(&shorten(kind, 40)),
        };
    }

    fn tuple(&mut self, places: &[Json], open: bool, depth: usize) {
        self.out.text("[");
        for (at, place) in places.iter().take(LISTED).enumerate() {
            if at > 0 {
                self.out.text(", ");
            }
            self.schema(place, depth + 1);
        }
        if open || places.len() > LISTED {
            self.out.text(", …");
        }
        self.out.text("]");
    }

    fn values(&mut self, values: &[AllowedValue<'_>]) {
        match values {
            [] => self.say("type.never"),
            [only] => {
                self.out.code(&json_text::brief(only.value, 40));
            }
            // Only the kind of the values, because they are listed below with their meanings.
            [first, others @ ..] => {
                let kind = first.value.kind();
                if others.iter().all(|value| value.value.kind() == kind) {
                    self.kind(kind);
                } else {
                    self.say("type.value");
                }
                self.say("type.enum");
            }
        }
    }

    fn alternatives(&mut self, branches: &[&Json], depth: usize) {
        let listable = branches.len() <= LISTED
            && branches.iter().all(|branch| {
                matches!(
                    shape(branch).shape,
                    SchemaShape::Ref(_)
                        | SchemaShape::Scalar(_)
                        | SchemaShape::Array(_)
                        | SchemaShape::Map(_)
                )
            });
        if !listable {
            let count = self.strings.count("type.forms", branches.len());
            self.out.text(&count);
            return;
        }
        for (at, branch) in branches.iter().enumerate() {
            if at > 0 {
                self.say("type.or");
            }
            self.schema(branch, depth + 1);
        }
    }

    /// Writes an `allOf`: the shared types by their names, or else the most specific schema.
    fn all(&mut self, schema: &Json, branches: &[&Json], depth: usize) {
        let mut named = branches
            .iter()
            .filter(|branch| matches!(shape(branch).shape, SchemaShape::Ref(_)))
            .peekable();
        if named.peek().is_none() {
            let narrowest = branches
                .iter()
                .min_by_key(|branch| shape(branch).vagueness());
            let own = own_outline(schema);
            return match narrowest {
                Some(branch) if own.vagueness() > shape(branch).vagueness() => {
                    self.schema(branch, depth + 1);
                }
                _ => self.shape(&own.shape, schema, depth),
            };
        }
        for (at, branch) in named.take(LISTED).enumerate() {
            if at > 0 {
                self.say("type.and");
            }
            self.schema(branch, depth + 1);
        }
    }

    /// Writes a reference into a shared type: its name, and the path from there. Returns whether that
    /// is possible.
    fn entered(&mut self, reference: &str) -> bool {
        let Some(name) = component_entered(reference) else {
            return false;
        };
        let Some(href) = self.links.type_page(&name) else {
            return false;
        };
        let path = reference.splitn(5, '/').nth(4).unwrap_or_default();
        let tokens = path.split('/').filter(|token| *token != "properties");
        let mut text = shorten(&name, 60).into_owned();
        for token in tokens {
            text.push('.');
            text.push_str(token);
        }
        self.out.link(&href, &shorten(&text, 120));
        true
    }
}
