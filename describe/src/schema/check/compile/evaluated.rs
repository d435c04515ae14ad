//! Compiles `unevaluatedProperties`: the members that a schema's other keywords evaluate.
//!
//! They may depend on the object, as with alternatives, so the check finds them anew for each object.
//! The compiler lists the names of members that are always evaluated.

use std::rc::Rc;

use crate::schema::kinds::Kinds;
use crate::schema::limits::{MAX_EVALUATING, MAX_EVALUATING_DEPTH};
use crate::schema::tree::{Node, ObjectKeywords};

use super::Compiler;
use super::cursor::SchemaCursor;
use crate::schema::check::rules::{CompiledSchema, Evaluated, EvaluatedPart, InPlace, Link};

impl Compiler<'_> {
    /// Compiles `unevaluatedProperties`, which schemars writes for structs that are flattened into
    /// others.
    pub(super) fn unevaluated(
        &mut self,
        node: &Node<'_>,
        objects: &ObjectKeywords<'_>,
        cursor: &mut SchemaCursor,
    ) -> Option<InPlace> {
        let link = self.only(
            "unevaluatedProperties",
            objects.unevaluated.as_deref(),
            cursor,
        );
        if link.is_any() {
            return None;
        }
        let mut schemas_left = MAX_EVALUATING;
        let Some(evaluated) = self.evaluated(node, MAX_EVALUATING_DEPTH, &mut schemas_left) else {
            let reason = "is not enforced beside so many schemas, or beside `dependentSchemas`";
            cursor.mistake("unevaluatedProperties", reason);
            return None;
        };
        Some(InPlace::Unevaluated(evaluated, link))
    }

    /// Returns the members that a schema's keywords evaluate, or `None` if there are too many schemas to look into.
    fn evaluated(
        &mut self,
        node: &Node<'_>,
        depth: usize,
        schemas_left: &mut usize,
    ) -> Option<Evaluated> {
        *schemas_left = schemas_left.checked_sub(1)?;
        let is_inside = depth < MAX_EVALUATING_DEPTH;
        let depth = depth.checked_sub(1)?;
        let mut evaluated = Evaluated::default();
        if let Some(objects) = node.objects.as_deref() {
            if !objects.dependent.is_empty() {
                return None;
            }
            // The outermost `unevaluatedProperties` is the one that is compiled.
            evaluated.all = objects.others.is_some() || is_inside && objects.unevaluated.is_some();
            evaluated.names = objects
                .properties
                .keys()
                .map(|name| (*name).into())
                .collect();
            evaluated.names.sort_unstable();
            for (pattern, _) in &objects.patterns {
                // One that does not compile is a mistake already.
                evaluated.patterns.extend(self.tree.pattern(pattern));
            }
        }
        let branches = node.unions.iter().flat_map(|union| &union.branches);
        for part in node.all_of.iter().chain(branches) {
            evaluated.parts.push(self.part(part, depth, schemas_left)?);
        }
        let tree = Rc::clone(&self.tree);
        if let Some(reference) = node.reference
            && let Some(target) = tree.target(reference).node()
        {
            evaluated
                .parts
                .push(self.part(target, depth, schemas_left)?);
        }
        if let Some(condition) = node.condition.as_deref() {
            let mut holds = self.part(&condition.holds, depth, schemas_left)?;
            if let Some(then) = &condition.then {
                let then = self.part(then, depth, schemas_left)?;
                holds.evaluated.parts.push(then);
            }
            evaluated.parts.push(holds);
            if let Some(otherwise) = &condition.otherwise {
                let otherwise = self.part(otherwise, depth, schemas_left)?;
                let condition = self.compile_node(&condition.holds, &mut SchemaCursor::default());
                let fails = CompiledSchema {
                    in_place: vec![InPlace::Not(condition)],
                    ..CompiledSchema::of_kinds(Kinds::ALL)
                };
                evaluated.parts.push(EvaluatedPart {
                    schema: Link::Schema(Box::new(fails)),
                    evaluated: Evaluated {
                        parts: vec![otherwise],
                        ..Evaluated::default()
                    },
                });
            }
        }
        Some(evaluated)
    }

    /// Returns a schema for the same value, and the members that it evaluates.
    fn part(
        &mut self,
        node: &Node<'_>,
        depth: usize,
        schemas_left: &mut usize,
    ) -> Option<EvaluatedPart> {
        let evaluated = self.evaluated(node, depth, schemas_left)?;
        // Its mistakes are noted when it is compiled as a keyword.
        let schema = self.compile_node(node, &mut SchemaCursor::default());
        Some(EvaluatedPart { schema, evaluated })
    }
}
