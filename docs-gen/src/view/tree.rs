//! A schema as the rows of a tree.
//!
//! The rows are a flat list in reading order: a row that has others below it says what its fold is
//! called, and the last row below says how many folds end with it. A template then writes the tree
//! in one loop, however deep it is, and depth costs no call stack beyond the limit set here.

use std::collections::HashSet;

use docent_describe::ParamAlias;
use docent_describe::json::{Json, shorten};
use docent_describe::schema::Distinction;
use serde::Serialize;

use super::facts::facts;
use super::words::words;
use crate::json_text;
use crate::links::{Ids, Links};
use crate::markdown;
use crate::markup::Markup;
use crate::schema::{
    Outline, Shape, Shared, Value, component_name, label, resolve, shape, text_of, told_apart,
};
use crate::strings::Strings;

/// Rows below rows beyond this are left to the description itself.
const DEEPEST: usize = 64;

/// A page's trees together have at most so many rows.
const MOST_ROWS: usize = 1500;

/// Shared types are unfolded in place only while the page is shorter than this.
const MOST_UNFOLDED: usize = 90;

/// Shared types within shared types are unfolded to this depth; then their pages are linked.
const DEEPEST_UNFOLDED: usize = 2;

/// More values of an enumeration than this are counted.
const MOST_VALUES: usize = 200;

/// One line of a tree, with what is said about it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what a template asks about a row, one a question"
)]
#[derive(Debug, Default, Serialize)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) href: String,
    /// How many rows it is below.
    pub(crate) depth: usize,
    pub(crate) name: String,
    /// The name is a label of ours or of an alternative, not a key of JSON.
    pub(crate) label: bool,
    pub(crate) kind: Markup,
    pub(crate) required: bool,
    pub(crate) deprecated: bool,
    pub(crate) default: Option<String>,
    pub(crate) facts: Vec<Markup>,
    pub(crate) values: Vec<ValueRow>,
    pub(crate) text: Option<Markup>,
    pub(crate) note: Option<String>,
    /// What the fold with the rows below is called.
    pub(crate) fold: Option<String>,
    pub(crate) open: bool,
    /// One element for each fold that ends behind this row.
    pub(crate) ends: Vec<u8>,
}

/// A value that is allowed.
#[derive(Debug, Serialize)]
pub(crate) struct ValueRow {
    pub(crate) value: String,
    pub(crate) text: Option<Markup>,
}

/// What is known of a value beside its schema.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slot<'a> {
    pub(crate) name: &'a str,
    pub(crate) label: bool,
    pub(crate) required: bool,
    pub(crate) deprecated: bool,
    pub(crate) default: Option<&'a Json>,
    pub(crate) aliases: &'a [ParamAlias],
    pub(crate) text: Option<&'a str>,
}

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

    /// The page is that of a shared type: it does not unfold it again, and begins a level below.
    pub(crate) fn for_type(&mut self, name: &str) {
        self.unfolded.insert(name.to_owned());
        self.open_to = 2;
    }

    /// The rows since the last call.
    pub(crate) fn take(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.rows)
    }

    /// Adds a value and everything below it.
    pub(crate) fn value(
        &mut self,
        ids: &mut Ids,
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
        let fold = self.strings.count(key, children);
        if let Some(last) = self.rows.last_mut() {
            last.ends.push(0);
        }
        self.rows[index].fold = Some(fold);
        self.rows[index].open = open;
    }

    fn row(&self, ids: &mut Ids, path: &str, slot: Slot<'_>, schema: &Json) -> Row {
        let form = self.links.medium.form();
        let id = ids.assign(path);
        let description = slot.text.or_else(|| text_of(schema, "description"));
        let is_true = |member: &str| schema.get(member).and_then(Json::as_bool) == Some(true);
        let default = slot.default.or_else(|| schema.get("default"));
        let mut row = Row {
            href: self.links.same_page(&id),
            id: self.links.id(&id),
            name: shorten(slot.name, 200).into_owned(),
            label: slot.label,
            kind: words(self.links, self.strings, schema),
            required: slot.required,
            deprecated: slot.deprecated || is_true("deprecated"),
            default: default.map(|value| json_text::brief(value, 120)),
            facts: facts(form, self.strings, schema),
            text: description.map(|text| markdown::in_row(form, text, 4)),
            ..Row::default()
        };
        // A list says what it asks of its elements; a name for a simple type, what that asks.
        let inner = resolve(self.shared, innermost(schema));
        if !std::ptr::eq(inner, schema) && !matches!(shape(inner).shape, Shape::Object) {
            row.facts.extend(facts(form, self.strings, inner));
        }
        row.facts
            .extend(slot.aliases.iter().map(|it| self.alias(it)));
        if let Shape::Enum(values) = shape(inner).shape {
            self.values(&mut row, &values);
        }
        row
    }

    fn alias(&self, alias: &ParamAlias) -> Markup {
        let mut line = Markup::of_text(self.links.medium.form(), self.strings.get("alias"));
        line.text(" ").code(&shorten(&alias.name, 200));
        if alias.deprecated {
            line.text(&format!(" ({})", self.strings.get("deprecated")));
        }
        line
    }

    fn values(&self, row: &mut Row, values: &[Value<'_>]) {
        if values.len() < 2 && values.iter().all(|value| value.about.is_none()) {
            return;
        }
        row.values = values
            .iter()
            .take(MOST_VALUES)
            .map(|value| ValueRow {
                value: json_text::brief(value.value, 200),
                text: value
                    .about
                    .and_then(|about| {
                        text_of(about, "description").or_else(|| text_of(about, "title"))
                    })
                    .map(|text| markdown::inline(self.links.medium.form(), text)),
            })
            .collect();
        if values.len() > MOST_VALUES {
            row.note = Some(
                self.strings
                    .count("tree.values", values.len() - MOST_VALUES),
            );
        }
    }

    fn below(&mut self, ids: &mut Ids, path: &str, schema: &Json, depth: usize, parent: usize) {
        let Outline { shape, .. } = shape(schema);
        match shape {
            Shape::Ref(name) => {
                if let Some(target) = self.shared.get(name.as_ref())
                    && self.may_unfold(&name)
                {
                    self.refs += 1;
                    self.below(ids, path, target, depth, parent);
                }
            }
            Shape::Array(Some(items)) => self.below(ids, path, items, depth, parent),
            Shape::Map(values) => self.below(ids, path, values, depth, parent),
            Shape::Tuple(places, rest) => self.tuple(ids, path, places, rest, depth),
            Shape::Object => self.object(ids, path, schema, depth, parent),
            Shape::Alternatives(branches) => {
                self.alternatives(ids, path, schema, &branches, depth, parent);
            }
            Shape::All(branches) => {
                for branch in branches {
                    self.below(ids, path, branch, depth, parent);
                }
                self.object(ids, path, schema, depth, parent);
            }
            _ => {}
        }
    }

    /// A shared type is unfolded once a page, while there is room; after that its link is enough.
    fn may_unfold(&mut self, name: &str) -> bool {
        self.refs < DEEPEST_UNFOLDED
            && self.total < MOST_UNFOLDED
            && self.unfolded.insert(name.to_owned())
    }

    fn object(&mut self, ids: &mut Ids, path: &str, schema: &Json, depth: usize, parent: usize) {
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
        if let Some(values @ Json::Object(_)) = schema.get("additionalProperties") {
            let slot = Slot {
                name: self.strings.get("tree.others"),
                label: true,
                ..Slot::default()
            };
            self.value(ids, &format!("{path}.others"), slot, values, depth + 1);
        }
        for word in ["oneOf", "anyOf", "allOf"] {
            let Some(branches) = schema.get(word).and_then(Json::as_array) else {
                continue;
            };
            if !matches!(shape(schema).shape, Shape::Object) {
                continue;
            }
            if word == "allOf" {
                for branch in branches {
                    self.below(ids, path, branch, depth, parent);
                }
            } else {
                let branches: Vec<&Json> = branches.iter().collect();
                self.alternatives(ids, path, schema, &branches, depth, parent);
            }
        }
    }

    fn tuple(
        &mut self,
        ids: &mut Ids,
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
        ids: &mut Ids,
        path: &str,
        schema: &Json,
        branches: &[&Json],
        depth: usize,
        parent: usize,
    ) {
        let told = told_apart(self.shared, schema, branches);
        let note = match &told {
            Distinction::Tag(member, _) => self.strings.with("tree.told.by", &shorten(member, 80)),
            Distinction::Member(_) => self.strings.get("tree.told.member").to_owned(),
            Distinction::Kind => self.strings.get("tree.told.kind").to_owned(),
            Distinction::Unsaid if schema.get("anyOf").is_some() => {
                self.strings.get("tree.told.any").to_owned()
            }
            Distinction::Unsaid => self.strings.get("tree.told.unsaid").to_owned(),
        };
        self.rows[parent].note = Some(note);
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

/// What a list is a list of, through lists of lists; a map likewise.
fn innermost(mut schema: &Json) -> &Json {
    for _ in 0..8 {
        schema = match shape(schema).shape {
            Shape::Array(Some(items)) => items,
            Shape::Map(values) => values,
            _ => match nullable_branch(schema) {
                Some(branch) => branch,
                None => break,
            },
        };
    }
    schema
}

/// The branch beside null, where it is a reference.
fn nullable_branch(schema: &Json) -> Option<&Json> {
    ["oneOf", "anyOf", "allOf"].iter().find_map(|word| {
        let branches = schema.get(word)?.as_array()?;
        let mut others = branches
            .iter()
            .filter(|branch| text_of(branch, "type") != Some("null"));
        match (others.next(), others.next()) {
            (Some(only), None) if component_name(only).is_some() => Some(only),
            _ => None,
        }
    })
}
