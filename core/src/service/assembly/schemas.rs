//! Checks every schema of a service once: its defaults, and what is correct but may surprise.
//!
//! The types of a service share components, so a walk from each procedure would visit them again
//! and again.

use std::collections::{BTreeSet, HashSet};

use docent_describe::Components;
use docent_describe::json::Json;
use docent_describe::schema::{
    FORMAT_EXTENSION, Format, Kinds, Node, Reference, SchemaTree, component_entered,
    is_numeric_format,
};

use super::enforce::Enforcer;
use super::findings::Findings;
use crate::service::callable::Callable;

/// The part of the description that is about the schemas of the whole service.
#[derive(Debug, Default)]
pub(super) struct Enforced {
    /// The formats that are published and checked.
    pub(super) formats: BTreeSet<&'static str>,
}

/// Visits the schemas of parameters, and then those of results and error data.
pub(super) fn check(
    callables: &[Callable],
    components: &Components,
    enforcer: &mut Enforcer<'_>,
    findings: &mut Findings,
) -> Enforced {
    let tree = SchemaTree::with_components(&components.schemas);
    let mut visitor = SchemaVisitor {
        tree: &tree,
        enforcer,
        findings,
        known: HashSet::new(),
        is_output: false,
        enforced: Enforced::default(),
    };
    for callable in callables {
        let description = &callable.callee.description;
        for param in &description.params {
            if let Some(default) = &param.default {
                let subject = format!("`{}`", param.name);
                visitor.default(
                    &description.name,
                    &subject,
                    tree.read(&param.schema),
                    default,
                );
            }
            let location = format!("parameter `{}`", param.name);
            visitor.visit(&description.name, &location, tree.read(&param.schema));
        }
    }
    visitor.is_output = true;
    for callable in callables {
        let description = &callable.callee.description;
        if let Some(returns) = &description.returns {
            visitor.visit(&description.name, "the result", tree.read(&returns.schema));
        }
        for error in &description.errors {
            if let Some(data) = &error.data {
                let location = format!("the data of the error {}", error.code);
                visitor.visit(&description.name, &location, tree.read(data));
            }
        }
    }
    visitor.enforced
}

/// A walk over the schemas of a service that visits each shared type once.
struct SchemaVisitor<'a, 't, 'c> {
    tree: &'t SchemaTree<'t>,
    enforcer: &'a mut Enforcer<'c>,
    findings: &'a mut Findings,
    /// The components that have been visited.
    known: HashSet<&'t str>,
    is_output: bool,
    enforced: Enforced,
}

impl<'t> SchemaVisitor<'_, 't, '_> {
    /// Visits a schema, and those of its components that are still to be visited.
    fn visit(&mut self, procedure: &str, location: &str, schema: &'t Node<'t>) {
        let mut entered = Vec::new();
        schema.for_each_inside(&mut |node| {
            self.visit_node(procedure, location, node);
            if let Some(Reference::Static(reference)) = node.reference {
                entered.extend(component_entered(reference));
            }
        });
        for name in entered {
            if let Some((name, node)) = self.tree.shared(&name)
                && self.known.insert(name)
            {
                self.visit(procedure, &format!("the type `{name}`"), node);
            }
        }
    }

    /// Checks one node, without those inside it.
    fn visit_node(&mut self, procedure: &str, location: &str, node: &'t Node<'t>) {
        // A property is reported by its name, which is known here.
        for (name, property) in node.objects.iter().flat_map(|objects| &objects.properties) {
            if let Some(default) = property.annotations.default {
                let subject = format!("`{name}` in {location}");
                self.default(procedure, &subject, property, default);
            }
        }
        if let Some(format) = node.strings.as_ref().and_then(|strings| strings.format) {
            self.format(procedure, location, format);
        }
        if let Some(encoding) = node.strings.as_ref().and_then(|strings| strings.encoding) {
            self.encoding(procedure, location, encoding);
        }
        if !self.is_output {
            self.bounds(procedure, location, node);
        }
    }

    /// Reports a default that breaks its own schema.
    fn default(&mut self, procedure: &str, subject: &str, schema: &'t Node<'t>, default: &Json) {
        let Err(reason) = self.enforcer.matches(schema.source, default) else {
            return;
        };
        // If null is not allowed, it is hardly what the author wrote.
        let is_not_finite =
            *default == Json::Null && self.tree.kinds(schema).some.meet(Kinds::NUMBER);
        let not_finite = if is_not_finite {
            " (NaN and the infinities become null in JSON)"
        } else {
            ""
        };
        let text =
            format!("the default of {subject} does not match its own schema: {reason}{not_finite}");
        self.findings.mistake(procedure, text);
    }

    fn format(&mut self, procedure: &str, location: &str, format: &str) {
        if let Some(known) = Format::find(format) {
            if known.is_enforced() {
                self.enforced.formats.insert(known.name);
            } else {
                let text =
                    format_args!("{location}: the format `{format}` is published but not checked");
                self.findings.warning(procedure, text);
            }
        } else if !is_numeric_format(format) {
            let text = format_args!(
                "{location}: common validators do not know the format `{format}`; it is published as \
                 `{FORMAT_EXTENSION}` and not checked. Add a pattern to have it checked"
            );
            self.findings.warning(procedure, text);
        }
    }

    fn encoding(&mut self, procedure: &str, location: &str, encoding: &str) {
        if let Some(known) = Format::encoding(encoding) {
            self.enforced.formats.insert(known.name);
        } else {
            let text = format_args!(
                "{location}: the content encoding `{encoding}` is published but not checked"
            );
            self.findings.warning(procedure, text);
        }
    }

    /// Warns about numbers that may be written as strings: the bounds of numbers do not apply to strings in JSON
    /// Schema.
    fn bounds(&mut self, procedure: &str, location: &str, node: &Node<'_>) {
        let bound = node.keywords_about(Kinds::NUMBER).next();
        if let (Some(kinds), Some(bound)) = (node.types, bound)
            && kinds.meet(Kinds::STRING)
            && kinds.meet(Kinds::NUMBER)
        {
            let text = format_args!(
                "{location}: `{bound}` does not apply to strings, which the schema also allows; allow only \
                 strings, with a pattern, or check the value in the handler"
            );
            self.findings.warning(procedure, text);
        }
    }
}
