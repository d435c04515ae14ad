//! A schema as the rows of a tree.
//!
//! The rows are a flat list in reading order: a row with others below it has the label of its fold,
//! and the last row below has the number of folds that end with it. So a template can write the tree
//! in one loop, however deep it is, and depth costs no call stack beyond the limit set here.

use std::collections::HashSet;

use docent_describe::json::{Json, shorten};
use docent_describe::schema::Distinction;

use super::facts::long_conditions;
use super::row::{Row, Slot};
use crate::links::Links;
use crate::schema::{
    Layers, Shape, Shared, component_name, in_list, is_null, label, list, resolve, shape,
    told_apart,
};
use crate::slug::Slugs;
use crate::strings::Strings;

/// The deepest row. Deeper values are only in the description.
const DEEPEST: usize = 64;

/// The most rows of all trees of a page.
const MOST_ROWS: usize = 1500;

/// The length of a page, in rows, up to which shared types are unfolded in place.
const MOST_UNFOLDED: usize = 90;

/// The depth to which shared types within shared types are unfolded. Deeper ones are links to their
/// pages.
const DEEPEST_UNFOLDED: usize = 2;

/// Builds the rows of a page.
pub(crate) struct Tree<'a> {
    pub(crate) links: &'a Links<'a>,
    pub(crate) shared: &'a Shared,
    pub(crate) strings: &'a Strings,
    rows: Vec<Row>,
    total: usize,
    /// Shared types that this page has unfolded already.
    unfolded: HashSet<String>,
    refs: usize,
    /// Folds down to this depth are open.
    open_to: usize,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(links: &'a Links<'a>, shared: &'a Shared, strings: &'a Strings) -> Self {
        Self {
            links,
            shared,
            strings,
            rows: Vec::new(),
            total: 0,
            unfolded: HashSet::new(),
            refs: 0,
            open_to: 1,
        }
    }

    /// Prepares for the page of a shared type, which is not unfolded again, and opens one more level.
    pub(crate) fn for_type(&mut self, name: &str) {
        self.unfolded.insert(name.to_owned());
        self.open_to = 2;
    }

    /// Returns the rows since the last call.
    pub(crate) fn take(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.rows)
    }

    /// Adds a value and everything below it.
    pub(crate) fn value(
        &mut self,
        ids: &mut Slugs,
        path: &str,
        slot: Slot<'_>,
        schema: &Json,
        depth: usize,
    ) {
        if self.total >= MOST_ROWS {
            if let Some(last) = self.rows.last_mut() {
                last.note = Some(self.strings.get("tree.more").to_owned());
            }
            return;
        }
        self.total += 1;
        let index = self.rows.len();
        let row = Row {
            depth,
            ..self.row(ids, path, slot, schema)
        };
        self.rows.push(row);
        if depth >= DEEPEST {
            self.rows[index].note = Some(self.strings.get("tree.deeper").to_owned());
            return;
        }
        let above = self.refs;
        self.below(ids, path, schema, depth, index);
        self.refs = above;
        let below = self.rows.len() - index - 1;
        if below > 0 {
            let own = component_name(innermost(schema)).is_none();
            self.finish_fold(index, schema, depth == 0 || (own && depth <= self.open_to));
        }
    }

    fn finish_fold(&mut self, index: usize, schema: &Json, open: bool) {
        let below = &self.rows[index + 1..];
        let mut depth = 0;
        let mut children = 0;
        for row in below {
            children += usize::from(depth == 0);
            depth += usize::from(row.fold.is_some());
            depth -= row.ends.len();
        }
        let key = match shape(resolve(self.shared, innermost(schema))).shape {
            Shape::Alternatives(_) => "tree.forms",
            Shape::Tuple(..) => "tree.places",
            _ => "tree.fields",
        };
        let first = &below[0];
        let each = ["tree.element", "tree.value"];
        let each = each
            .into_iter()
            .find(|key| first.name == self.strings.get(key));
        let fold = match each.filter(|_| first.label && children == 1) {
            Some(key) => self.strings.get(key).to_owned(),
            None => self.strings.count(key, children),
        };
        if let Some(last) = self.rows.last_mut() {
            last.ends.push(0);
        }
        self.rows[index].fold = Some(fold);
        self.rows[index].open = open;
    }

    fn below(&mut self, ids: &mut Slugs, path: &str, schema: &Json, depth: usize, parent: usize) {
        let layers = Layers::of(self.shared, schema);
        for layer in layers.schemas {
            if let Some(name) = component_name(layer)
                && let Some(target) = self.shared.get(name.as_ref())
                && self.may_unfold(&name)
            {
                self.refs += 1;
                self.below(ids, path, target, depth, parent);
            }
            self.layer(ids, path, layer, depth, parent);
        }
    }

    /// Adds the rows below a value that one of its schemas describes.
    fn layer(&mut self, ids: &mut Slugs, path: &str, schema: &Json, depth: usize, parent: usize) {
        self.elements(ids, path, schema, depth, parent);
        self.object(ids, path, schema, depth, parent);
        for (word, branches) in Layers::unions(schema) {
            // The values of an enumeration are in the row itself.
            if !matches!(shape(schema).shape, Shape::Enum(_)) {
                self.alternatives(ids, path, (schema, word), &branches, depth, parent);
            }
        }
        self.conditions(ids, path, schema, depth);
    }

    /// Adds the elements of a list.
    fn elements(
        &mut self,
        ids: &mut Slugs,
        path: &str,
        schema: &Json,
        depth: usize,
        parent: usize,
    ) {
        match list_shape(schema) {
            Some(Shape::Array(Some(items))) => {
                self.inside(ids, path, ("tree.element", items), depth, parent);
            }
            Some(Shape::Tuple(places, rest)) => self.tuple(ids, path, places, rest, depth),
            _ => {}
        }
    }

    /// Adds the elements of a list or the values of a map: as a row if there are details about them,
    /// otherwise only the rows below them.
    fn inside(
        &mut self,
        ids: &mut Slugs,
        path: &str,
        (key, schema): (&str, &Json),
        depth: usize,
        parent: usize,
    ) {
        if !self.has_own_row(schema) {
            return self.below(ids, path, schema, depth, parent);
        }
        let slot = Slot {
            name: self.strings.get(key),
            label: true,
            ..Slot::default()
        };
        self.value(ids, &format!("{path}.each"), slot, schema, depth + 1);
    }

    /// Adds the conditions of a schema that are too long for a fact.
    fn conditions(&mut self, ids: &mut Slugs, path: &str, schema: &Json, depth: usize) {
        for (keyword, child) in long_conditions(schema) {
            let name = self.strings.get(keyword);
            let slot = Slot {
                name,
                label: true,
                ..Slot::default()
            };
            self.value(ids, &format!("{path}.{keyword}"), slot, child, depth + 1);
        }
    }

    /// Returns whether to unfold a shared type. It is unfolded once a page, while there is room; after
    /// that, a link is enough.
    fn may_unfold(&mut self, name: &str) -> bool {
        self.refs < DEEPEST_UNFOLDED
            && self.total < MOST_UNFOLDED
            && self.unfolded.insert(name.to_owned())
    }

    fn object(&mut self, ids: &mut Slugs, path: &str, schema: &Json, depth: usize, parent: usize) {
        let required = schema
            .get("required")
            .and_then(Json::as_array)
            .unwrap_or_default();
        for (name, member) in schema
            .get("properties")
            .and_then(Json::as_object)
            .into_iter()
            .flatten()
        {
            let slot = Slot {
                name,
                required: required
                    .iter()
                    .any(|required| required.as_str() == Some(name)),
                ..Slot::default()
            };
            self.value(ids, &format!("{path}.{name}"), slot, member, depth + 1);
        }
        for (pattern, member) in schema
            .get("patternProperties")
            .and_then(Json::as_object)
            .into_iter()
            .flatten()
        {
            let name = self.strings.with("tree.matching", pattern);
            let slot = Slot {
                name: &name,
                label: true,
                ..Slot::default()
            };
            self.value(ids, &format!("{path}.{pattern}"), slot, member, depth + 1);
        }
        match schema.get("additionalProperties") {
            Some(values @ Json::Object(_)) if is_map(schema) => {
                self.inside(ids, path, ("tree.value", values), depth, parent);
            }
            Some(values @ Json::Object(_)) => {
                let slot = Slot {
                    name: self.strings.get("tree.others"),
                    label: true,
                    ..Slot::default()
                };
                self.value(ids, &format!("{path}.others"), slot, values, depth + 1);
            }
            _ => {}
        }
    }

    fn tuple(
        &mut self,
        ids: &mut Slugs,
        path: &str,
        places: &[Json],
        rest: Option<&Json>,
        depth: usize,
    ) {
        for (at, place) in places.iter().enumerate() {
            let name = format!("[{at}]");
            let path = format!("{path}.{at}");
            let slot = Slot {
                name: &name,
                required: true,
                ..Slot::default()
            };
            self.value(ids, &path, slot, place, depth + 1);
        }
        if let Some(rest) = rest {
            let slot = Slot {
                name: self.strings.get("tree.rest"),
                label: true,
                ..Slot::default()
            };
            self.value(ids, &format!("{path}.rest"), slot, rest, depth + 1);
        }
    }

    fn alternatives(
        &mut self,
        ids: &mut Slugs,
        path: &str,
        (schema, word): (&Json, &str),
        branches: &[&Json],
        depth: usize,
        parent: usize,
    ) {
        let told = told_apart(self.shared, schema, branches);
        let note = match &told {
            Distinction::Tag(member, _) => self.strings.with("tree.told.by", &shorten(member, 80)),
            Distinction::Member(_) => self.strings.get("tree.told.member").to_owned(),
            Distinction::Kind => self.strings.get("tree.told.kind").to_owned(),
            Distinction::Unsaid if word == "anyOf" => self.strings.get("tree.told.any").to_owned(),
            Distinction::Unsaid => self.strings.get("tree.told.unsaid").to_owned(),
        };
        let row = &mut self.rows[parent];
        row.note = Some(match row.note.take() {
            Some(before) if before != note => format!("{before} {note}"),
            _ => note,
        });
        for (at, branch) in branches.iter().enumerate() {
            let name = label(&told, at, branch)
                .unwrap_or_else(|| self.strings.with("tree.form", &(at + 1).to_string()));
            let slot = Slot {
                name: &name,
                label: true,
                ..Slot::default()
            };
            self.value(ids, &format!("{path}.{name}"), slot, branch, depth + 1);
        }
    }
}

/// Returns the shape of an array or a tuple, if the schema describes its elements.
fn list_shape(schema: &Json) -> Option<Shape<'_>> {
    let has = |word: &str| schema.get(word).is_some();
    (has("items") || has("prefixItems")).then(|| in_list(schema))
}

/// Returns whether an object is a map: all its keys are data, and no member has a name.
fn is_map(schema: &Json) -> bool {
    !["properties", "patternProperties"].iter().any(|name| {
        let members = schema.get(name).and_then(Json::as_object);
        members.is_some_and(|members| !members.is_empty())
    })
}

/// Returns the schema of the innermost elements of a list or a map, through lists of lists.
fn innermost(mut schema: &Json) -> &Json {
    for _ in 0..8 {
        schema = match shape(schema).shape {
            Shape::Array(Some(items)) => items,
            Shape::Map(values) => values,
            _ => match beside_null(schema) {
                Some(branch) => branch,
                None => break,
            },
        };
    }
    schema
}

/// Returns the branch besides null, if it is a reference.
fn beside_null(schema: &Json) -> Option<&Json> {
    let unions = ["oneOf", "anyOf", "allOf"].iter();
    unions.copied().find_map(|word| {
        let mut others = list(schema, word).iter().filter(|branch| !is_null(branch));
        match (others.next(), others.next()) {
            (Some(only), None) if component_name(only).is_some() => Some(only),
            _ => None,
        }
    })
}
