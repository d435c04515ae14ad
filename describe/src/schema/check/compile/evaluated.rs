//! Compiles `unevaluatedProperties`: the members that a schema's other keywords evaluate.

use crate::json::{Json, Object};
use crate::schema::keyword::{list, named, target};
use crate::schema::kinds::Kinds;

use super::Compiler;
use super::place::SchemaPlace;
use crate::schema::check::node::{Evaluated, InPlace, Link, Node};

/// The maximum number of schemas for the same value that are looked into, and of references and
/// alternatives inside each other.
const MOST: usize = 1_000;
const DEEPEST: usize = 64;

impl Compiler<'_> {
    /// Compiles `unevaluatedProperties`, which schemars writes for structs that are flattened into
    /// others.
    pub(super) fn unevaluated(
        &mut self,
        words: &Object,
        place: &mut SchemaPlace,
    ) -> Option<InPlace> {
        let link = self.only("unevaluatedProperties", words, place);
        if link.is_any() {
            return None;
        }
        let mut left = MOST;
        let Some(evaluated) = self.evaluated(words, DEEPEST, &mut left) else {
            let reason = "is not enforced beside so many schemas, or beside `dependentSchemas`";
            place.mistake("unevaluatedProperties", reason);
            return None;
        };
        Some(InPlace::Unevaluated(evaluated, link))
    }

    /// Returns what a schema's keywords evaluate. Returns `None` if that is too much to look into.
    fn evaluated(&mut self, words: &Object, depth: usize, left: &mut usize) -> Option<Evaluated> {
        *left = left.checked_sub(1)?;
        let is_inside = depth < DEEPEST;
        let depth = depth.checked_sub(1)?;
        if words.contains_key("dependentSchemas") {
            return None;
        }
        let keys = |keyword| named(words, keyword).map(|(name, _)| name);
        let mut names: Vec<Box<str>> = keys("properties").map(Into::into).collect();
        names.sort_unstable();
        let mut evaluated = Evaluated {
            // The outermost `unevaluatedProperties` is the one that asks.
            all: words.contains_key("additionalProperties")
                || is_inside && words.contains_key("unevaluatedProperties"),
            names,
            // Patterns that do not compile are mistakes already.
            patterns: keys("patternProperties")
                .filter_map(|it| self.pattern(it).ok())
                .collect(),
            inside: Vec::new(),
        };
        let components = self.components();
        let lists = ["allOf", "anyOf", "oneOf"].map(|keyword| list(words, keyword));
        for schema in lists.into_iter().flatten().chain(target(words, components)) {
            evaluated.inside.push(self.inside(schema, depth, left)?);
        }
        if let Some(condition) = words.get("if") {
            let mut holds = self.inside(condition, depth, left)?;
            if let Some(then) = words.get("then") {
                holds.1.inside.push(self.inside(then, depth, left)?);
            }
            evaluated.inside.push(holds);
            if let Some(otherwise) = words.get("else") {
                let mut inside = Evaluated::default();
                inside.inside.push(self.inside(otherwise, depth, left)?);
                let condition = self.link(condition, &mut SchemaPlace::default());
                let fails = Node {
                    in_place: vec![InPlace::Not(condition)],
                    ..Node::of_kinds(Kinds::ALL)
                };
                evaluated.inside.push((Link::Node(Box::new(fails)), inside));
            }
        }
        Some(evaluated)
    }

    /// Returns a schema for the same value and what it evaluates.
    fn inside(
        &mut self,
        schema: &Json,
        depth: usize,
        left: &mut usize,
    ) -> Option<(Link, Evaluated)> {
        let evaluated = match schema {
            Json::Object(words) => self.evaluated(words, depth, left)?,
            _ => Evaluated::default(),
        };
        // Its mistakes are noted where it stands.
        let link = self.link(schema, &mut SchemaPlace::default());
        Some((link, evaluated))
    }
}
