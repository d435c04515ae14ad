//! Types in words: "array of Book", "string or null".

use std::iter;

use docent_describe::json::{Json, shorten};
use docent_describe::schema::{component_entered, width};

use super::scope::PageScope;
use crate::json_text;
use crate::markup::Markup;
use crate::schema::{AllowedValue, Layers, Outline, SchemaShape, text_of};

/// The most alternatives that are listed. More are counted.
const LISTED: usize = 4;

/// The deepest nesting of a type in words. A deeper one is not readable in one line, and its tree is
/// clearer.
const DEEPEST: usize = 5;

impl PageScope<'_> {
    /// Returns the type in words, with links to the shared types in it.
    pub(super) fn words(&self, schemas: &[&Json]) -> Markup {
        let mut writer = TypeWriter {
            page: self,
            out: self.markup(),
        };
        writer.schemas(schemas, 0);
        writer.out
    }
}

struct TypeWriter<'a> {
    page: &'a PageScope<'a>,
    out: Markup,
}

impl TypeWriter<'_> {
    fn say(&mut self, key: &str) {
        self.out.text(self.page.strings.get(key));
    }

    fn schema(&mut self, schema: &Json, depth: usize) {
        self.schemas(&[schema], depth);
    }

    fn schemas(&mut self, schemas: &[&Json], depth: usize) {
        let shared = self.page.shared;
        let (Outline { shape, nullable }, schema) = Layers::of(shared, schemas).outline();
        if depth > DEEPEST {
            self.say("type.more");
            return;
        }
        self.shape(&shape, schema, depth);
        if nullable {
            self.say("type.or");
            self.say("type.null");
        }
    }

    fn shape(&mut self, shape: &SchemaShape<'_>, schema: &Json, depth: usize) {
        match shape {
            SchemaShape::Any => self.say("type.any"),
            SchemaShape::Never => self.say("type.never"),
            SchemaShape::Ref(name) => match self.page.links.type_page(name) {
                Some(href) => {
                    self.out.link(&href, &shorten(name, 60));
                }
                None => {
                    self.out.text(&shorten(name, 60));
                }
            },
            SchemaShape::Lost(reference) if self.entered(reference).is_some() => {}
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
            SchemaShape::All(shapes) => {
                for (at, (shape, schema)) in shapes.iter().take(LISTED).enumerate() {
                    if at > 0 {
                        self.say("type.and");
                    }
                    self.shape(shape, schema, depth + 1);
                }
            }
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
        match self.page.strings.find(&format!("type.{kind}")) {
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
        let shared = self.page.shared;
        let is_short = |branch: &&Json| match Layers::shape_of(shared, branch) {
            SchemaShape::Ref(_) | SchemaShape::Scalar(_) => true,
            shape => matches!(shape, SchemaShape::Array(_) | SchemaShape::Map(_)),
        };
        if branches.len() > LISTED || !branches.iter().all(is_short) {
            let count = self.page.strings.count("type.forms", branches.len());
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

    /// Writes a reference into a shared type: its name, and the path from there. Returns `None` if that
    /// is not possible.
    fn entered(&mut self, reference: &str) -> Option<()> {
        let name = component_entered(reference)?;
        let href = self.page.links.type_page(&name)?;
        let path = reference.splitn(5, '/').nth(4).unwrap_or_default();
        let tokens = path.split('/').filter(|token| *token != "properties");
        let name = shorten(&name, 60);
        let text: Vec<&str> = iter::once(&*name).chain(tokens).collect();
        self.out.link(&href, &shorten(&text.join("."), 120));
        Some(())
    }
}
