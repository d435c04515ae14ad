//! Compiles one schema.
//!
//! The result is in its simplest form: a schema without constraints has no rules, and one that
//! only refers to another becomes a link to it. The neighbouring files compile the rules for arrays, objects and
//! alternatives.

use std::rc::Rc;

use crate::json::{Json, Object};

use super::cursor::SchemaCursor;
use super::keywords;
use super::{Compiler, Formats, MAX_UTF8_BYTES};
use crate::schema::check::choices::Choices;
use crate::schema::check::rules::{CompiledSchema, InPlace, Link};
use crate::schema::check::string::{Count, FormatRule, StringRule};
use crate::schema::component_names::{component_entered, component_name};
use crate::schema::format::Format;
use crate::schema::kinds::Kinds;
use crate::schema::limits::MAX_REFERENCES_INSIDE;
use crate::schema::tree::{Node, Reference, Target};

impl Compiler<'_> {
    /// Compiles a node.
    // It calls itself for each schema inside, and hostile schemas are as deep as JSON may be. What it calls is not
    // inlined into it, so that its frames stay small.
    pub(super) fn compile_node(&mut self, node: &Node<'_>, cursor: &mut SchemaCursor) -> Link {
        let Some(schemas_left) = self.schemas_left.checked_sub(1) else {
            return Link::Unknown;
        };
        self.schemas_left = schemas_left;
        match node.source {
            Json::Bool(true) => Link::Any,
            Json::Bool(false) => Link::Never,
            Json::Object(keywords) => {
                let mut link = self.compile_keywords(node, keywords, cursor);
                if let Link::Schema(compiled) = &mut link
                    && !self.is_for_tools
                {
                    compiled.is_beyond_decoding = self.graph().needs_check(node);
                }
                link
            }
            _ => {
                cursor.mistake("schema", "is neither an object nor a Boolean");
                Link::Unknown
            }
        }
    }

    /// Compiles the keywords of a node.
    fn compile_keywords(
        &mut self,
        node: &Node<'_>,
        keywords: &Object,
        cursor: &mut SchemaCursor,
    ) -> Link {
        let is_outer_incomplete = std::mem::take(&mut cursor.is_incomplete);
        keywords::note_unenforced(node, keywords, cursor);
        let kinds = node.types.unwrap_or(Kinds::ALL);
        let mut compiled = CompiledSchema {
            kinds,
            choices: choices(node, kinds, cursor).map(Box::new),
            number: keywords::number_rule(node, cursor)
                .filter(|_| kinds.meet(Kinds::NUMBER))
                .map(Box::new),
            string: self
                .string_rule(node, cursor)
                .filter(|_| kinds.meet(Kinds::STRING))
                .map(Box::new),
            array: self
                .array_rule(node.arrays.as_deref(), cursor)
                .filter(|_| kinds.meet(Kinds::ARRAY)),
            object: self
                .object_rule(node.objects.as_deref(), cursor)
                .filter(|_| kinds.meet(Kinds::OBJECT)),
            in_place: self.compile_in_place(node, cursor),
            is_beyond_decoding: true,
        };
        if std::mem::replace(&mut cursor.is_incomplete, is_outer_incomplete) {
            compiled.in_place.push(InPlace::All(Link::Unknown));
        }
        // The constraints in the simplest form.
        match compiled.in_place.pop() {
            None if !compiled.has_own_rules() => Link::Any,
            Some(InPlace::Not(Link::Any)) => Link::Never,
            // For a tool, each reference counts as a step: it may lead to itself.
            Some(InPlace::All(link))
                if !self.is_for_tools
                    && compiled.in_place.is_empty()
                    && !compiled.has_own_rules() =>
            {
                link
            }
            last => {
                compiled.in_place.extend(last);
                Link::Schema(Box::new(compiled))
            }
        }
    }

    /// Compiles the keywords about strings.
    #[inline(never)]
    fn string_rule(&mut self, node: &Node<'_>, cursor: &mut SchemaCursor) -> Option<StringRule> {
        let strings = node.strings.as_deref()?;
        let length = keywords::count(strings.length, ["minLength", "maxLength"], cursor);
        let mut pattern = None;
        if let Some(text) = strings.pattern {
            match self.tree.pattern(text) {
                Ok(compiled) => pattern = Some(compiled),
                Err(reason) => cursor.mistake("pattern", reason),
            }
        }
        if let Some(pattern) = &pattern
            && self.is_slow(pattern, length.max)
        {
            let most = pattern.sure_bytes() / MAX_UTF8_BYTES;
            let reason = format!(
                "takes too long to match in the longest text that is allowed: set a `maxLength` of at \
                 most {most} beside it, or use a simpler pattern"
            );
            cursor.unenforced("pattern", reason);
        }
        let format = keywords::format(node).map_or(FormatRule::Any, |name| {
            self.format_rule(name, Format::find(name))
        });
        let encoding = strings.encoding.map_or(FormatRule::Any, |name| {
            self.format_rule(name, Format::encoding(name))
        });
        if length == Count::ANY
            && pattern.is_none()
            && matches!((format, encoding), (FormatRule::Any, FormatRule::Any))
        {
            return None;
        }
        Some(StringRule {
            length,
            pattern,
            format,
            encoding,
        })
    }

    /// Returns the rule for a format or a content encoding with this name.
    fn format_rule(&self, name: &str, format: Option<&'static Format>) -> FormatRule {
        let enforceable = format.filter(|format| format.is_enforced());
        match (self.formats, enforceable) {
            (Formats::Known | Formats::Unlisted, None) => FormatRule::Any,
            (Formats::Listed(listed), _) if !listed.iter().any(|listed| listed == name) => {
                FormatRule::Any
            }
            (Formats::Known | Formats::Listed(_), Some(format)) => FormatRule::Enforced(format),
            (Formats::Listed(_) | Formats::Unlisted, format) => FormatRule::Uncertain(format),
        }
    }

    /// Compiles the keywords that hold schemas for the same value.
    #[inline(never)]
    fn compile_in_place(&mut self, node: &Node<'_>, cursor: &mut SchemaCursor) -> Vec<InPlace> {
        let mut all = Vec::new();
        if let Some(Reference::Static(reference)) = node.reference {
            all.push(self.compile_reference(reference, cursor));
        }
        all.extend(self.compile_nodes("allOf", &node.all_of, cursor));
        all.retain(|link| !link.is_any());
        let mut in_place: Vec<InPlace> = all.into_iter().map(InPlace::All).collect();
        for union in &node.unions {
            in_place.extend(self.compile_union(node, union, cursor));
        }
        if let Some(condition) = node.condition.as_deref()
            && self.is_for_tools
        {
            let links = [
                self.only("if", Some(&condition.holds), cursor),
                self.only("then", condition.then.as_ref(), cursor),
                self.only("else", condition.otherwise.as_ref(), cursor),
            ];
            in_place.push(InPlace::If(Box::new(links)));
        }
        if let Some(objects) = node.objects.as_deref() {
            if self.is_for_tools {
                in_place.extend(self.dependent(objects, cursor));
            }
            in_place.extend(self.unevaluated(node, objects, cursor));
        }
        if let Some(not) = node.not.as_deref()
            && (self.is_for_tools || keywords::negates_as_enforced(node))
        {
            in_place.push(InPlace::Not(self.only("not", Some(not), cursor)));
        }
        in_place
    }

    /// Compiles a reference. In a service, it leads to a component, and not into one.
    fn compile_reference(&mut self, reference: &str, cursor: &mut SchemaCursor) -> Link {
        let tree = Rc::clone(&self.tree);
        match tree.target(Reference::Static(reference)) {
            Target::Shared(name, _) => match self.components().get_index_of(name) {
                Some(component) => self.link_to_component(component),
                None => Link::Unknown,
            },
            Target::Inside(target) if cursor.followed < MAX_REFERENCES_INSIDE => {
                // Services refuse a reference into a component, but its meaning is clear.
                cursor.unenforced("$ref", not_followed(reference));
                let mut inside = SchemaCursor {
                    followed: cursor.followed + 1,
                    ..SchemaCursor::default()
                };
                self.compile_node(target, &mut inside)
            }
            Target::Inside(_) | Target::Lost(_) => {
                cursor.mistake("$ref", not_followed(reference));
                Link::Unknown
            }
        }
    }
}

/// Returns the reason why services do not follow a reference.
fn not_followed(reference: &str) -> String {
    match (component_name(reference), component_entered(reference)) {
        (Some(name), _) => format!("points to `{name}`, which is not a component"),
        (None, Some(_)) => format!("points into a component: `{reference}`"),
        (None, None) => {
            format!("points to `{reference}`; only `#/components/schemas/…` is followed")
        }
    }
}

/// Returns the values of `enum` and `const`.
fn choices(node: &Node<'_>, kinds: Kinds, cursor: &mut SchemaCursor) -> Option<Choices> {
    let choices = Choices::new(node.listed.as_ref()?);
    if !choices.kinds.meet(kinds) {
        cursor.unenforced(
            node.listing_keyword(),
            "has no value that matches the schema",
        );
    }
    Some(choices)
}
