//! A value and all values in it, in reading order.
//!
//! The entries are a flat list: an entry with others below it has the label of its fold, and the last
//! one below has the number of folds that end with it. So the tree is written in one loop, however deep
//! it is, and depth costs no call stack beyond the limit set here.

use std::collections::HashSet;

use docent_describe::json::{Json, shorten};
use docent_describe::schema::Distinction;
use docent_describe::{ParamAlias, ParamDescription, ReturnDescription};

use super::layers::{self, Layers, SchemaUnion, needs_row};
use super::refs::SharedSchemas;
use super::shape::{SchemaShape, in_list};
use crate::slug::Slugs;
use crate::strings::Strings;

/// The deepest entry. Deeper values are only in the description.
const DEEPEST: usize = 64;

/// The most entries of all trees of a page.
const MOST: usize = 1500;

/// The length of a page, in entries, up to which shared types are unfolded in place. A type with more
/// members than that is never unfolded.
const MOST_UNFOLDED: usize = 90;

/// The depth to which shared types within shared types are unfolded. Deeper ones are links to their
/// pages.
const DEEPEST_UNFOLDED: usize = 2;

/// A value, with what is known of it besides its schemas.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what is known of a value, one fact each"
)]
#[derive(Debug, Default)]
pub(crate) struct TreeEntry<'j> {
    /// The anchor.
    pub(crate) id: String,
    /// The number of entries that it is nested in.
    pub(crate) depth: usize,
    pub(crate) name: String,
    /// True if the name is a label, and not a key of JSON: one of ours, or that of an alternative.
    pub(crate) label: bool,
    pub(crate) required: bool,
    pub(crate) schemas: Vec<&'j Json>,
    /// The schemas of the value that this is an alternative of.
    pub(crate) outside: Vec<&'j Json>,
    /// The member that tells this alternative from others, and its value.
    pub(crate) tag: Option<(&'j str, String)>,
    pub(crate) deprecated: bool,
    pub(crate) default: Option<&'j Json>,
    pub(crate) aliases: &'j [ParamAlias],
    pub(crate) text: Option<&'j str>,
    /// True if the title and the description of the schema itself are already shown above the tree.
    pub(crate) headed: bool,
    pub(crate) note: Option<String>,
    /// The label of the fold with the entries below.
    pub(crate) fold: Option<String>,
    pub(crate) open: bool,
    /// The number of folds that end after this entry.
    pub(crate) ends: usize,
}

impl<'j> TreeEntry<'j> {
    pub(crate) fn of_param(param: &'j ParamDescription) -> Self {
        Self {
            name: param.name.clone(),
            required: param.required,
            schemas: vec![&param.schema],
            deprecated: param.deprecated,
            default: param.default.as_ref(),
            aliases: &param.aliases,
            text: not_blank(param.description.as_deref()),
            ..Self::default()
        }
    }

    pub(crate) fn of_result(name: &str, returns: &'j ReturnDescription) -> Self {
        Self {
            headed: false,
            text: not_blank(returns.description.as_deref()),
            ..Self::of_type(name, &returns.schema)
        }
    }

    /// Creates the entry of a shared type on its own page, which is about it as a whole.
    pub(crate) fn of_type(name: &str, schema: &'j Json) -> Self {
        Self {
            name: name.to_owned(),
            label: true,
            schemas: vec![schema],
            headed: true,
            ..Self::default()
        }
    }
}

fn not_blank(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

/// Lists the values of a page.
pub(crate) struct Tree<'j> {
    shared: &'j SharedSchemas<'j>,
    strings: &'j Strings,
    /// The anchors of the page.
    pub(crate) ids: Slugs,
    /// The mark of members that are left out unless they are required: those that only the other
    /// side sends.
    pub(crate) hidden: Option<&'static str>,
    entries: Vec<TreeEntry<'j>>,
    total: usize,
    /// Shared types that this page has unfolded already; `None` if it unfolds none.
    unfolded: Option<HashSet<String>>,
    refs: usize,
    /// Folds down to this depth are open.
    open_to: usize,
}

impl<'j> Tree<'j> {
    pub(crate) fn new(shared: &'j SharedSchemas<'j>, strings: &'j Strings) -> Self {
        Self {
            shared,
            strings,
            ids: Slugs::default(),
            hidden: None,
            entries: Vec::new(),
            total: 0,
            unfolded: Some(HashSet::new()),
            refs: 0,
            open_to: 1,
        }
    }

    /// Lists no values of shared types, which have pages of their own.
    pub(crate) fn folded(shared: &'j SharedSchemas<'j>, strings: &'j Strings) -> Self {
        Self {
            unfolded: None,
            ..Self::new(shared, strings)
        }
    }

    /// Prepares for the page of a shared type, which is not unfolded again, and opens one more level.
    pub(crate) fn for_type(&mut self, name: &str) {
        self.unfolded = Some(HashSet::from([name.to_owned()]));
        self.open_to = 2;
    }

    /// Returns the entries since the last call.
    pub(crate) fn take(&mut self) -> Vec<TreeEntry<'j>> {
        std::mem::take(&mut self.entries)
    }

    /// Adds a value and everything below it. `path` is what its anchor is made from.
    pub(crate) fn value(&mut self, path: &str, entry: TreeEntry<'j>) {
        if self.total >= MOST {
            if let Some(last) = self.entries.last_mut() {
                last.note = Some(self.strings.get("tree.more").to_owned());
            }
            return;
        }
        self.total += 1;
        let at = self.entries.len();
        let id = self.ids.assign(path);
        let schemas = entry.schemas.clone();
        self.entries.push(TreeEntry { id, ..entry });
        if self.entries[at].depth >= DEEPEST {
            self.entries[at].note = Some(self.strings.get("tree.deeper").to_owned());
            return;
        }
        let above = self.refs;
        self.below(path, &schemas, at);
        self.refs = above;
        if self.entries.len() > at + 1 {
            self.finish_fold(at);
        }
    }

    fn finish_fold(&mut self, at: usize) {
        let (entry, below) = (&self.entries[at], &self.entries[at + 1..]);
        let is_child = |it: &&TreeEntry<'_>| it.depth == entry.depth + 1;
        let children = below.iter().filter(is_child).count();
        let (shape, is_shared) = Layers::of(self.shared, &entry.schemas).innermost();
        let key = match shape {
            SchemaShape::Alternatives(_) => "tree.forms",
            SchemaShape::Tuple(..) => "tree.places",
            _ => "tree.fields",
        };
        let first = &below[0];
        let each = ["tree.element", "tree.value"].map(|key| self.strings.get(key));
        let is_each = first.label && children == 1 && each.contains(&&*first.name);
        let fold = if is_each {
            first.name.clone()
        } else {
            self.strings.count(key, children)
        };
        let open = entry.depth == 0 || !is_shared && entry.depth <= self.open_to;
        if let Some(last) = self.entries.last_mut() {
            last.ends += 1;
        }
        self.entries[at].fold = Some(fold);
        self.entries[at].open = open;
    }

    /// Adds what is below an entry, according to these schemas of it or of the values in it.
    fn below(&mut self, path: &str, schemas: &[&'j Json], at: usize) {
        let (shared, above) = (self.shared, self.refs);
        let layers = Layers::entering(shared, schemas, &mut |name, target| {
            let enters = above < DEEPEST_UNFOLDED && self.may_unfold(name, target);
            self.refs = self.refs.max(above + usize::from(enters));
            enters
        });
        let unions = layers.unions();
        let is_alone = unions.is_empty() && layers.conditions().next().is_none();
        let typed = match Layers::of(shared, schemas).outline().0.shape {
            SchemaShape::Array(inner) => inner,
            SchemaShape::Map(inner) => Some(inner),
            _ => None,
        };
        let inlined = typed.filter(|_| is_alone);
        self.elements(path, &layers, inlined, at);
        self.object(path, &layers, typed, inlined, at);
        let mut forms = 0;
        for union in &unions {
            self.alternatives(path, union, schemas, &mut forms, unions.len() == 1, at);
        }
        for (keyword, key, condition) in layers.conditions() {
            let name = self.strings.get(key);
            self.labelled(&format!("{path}.{keyword}"), name, condition, at);
        }
    }

    /// Returns whether to unfold a shared type. It is unfolded once a page, while there is room; after
    /// that, a link is enough.
    fn may_unfold(&mut self, name: &str, target: &Json) -> bool {
        let members = target.get("properties").and_then(Json::as_object);
        let has_room = self.total.max(members.map_or(0, |members| members.len())) < MOST_UNFOLDED;
        let unfolded = self.unfolded.as_mut().filter(|_| has_room);
        unfolded.is_some_and(|unfolded| unfolded.insert(name.to_owned()))
    }

    /// Creates an entry below another.
    fn inner(&self, at: usize, name: &str, schema: &'j Json) -> TreeEntry<'j> {
        TreeEntry {
            depth: self.entries[at].depth + 1,
            name: name.to_owned(),
            schemas: vec![schema],
            ..TreeEntry::default()
        }
    }

    /// Adds a value whose name is a label.
    fn labelled(&mut self, path: &str, name: &str, schema: &'j Json, at: usize) {
        let entry = TreeEntry {
            label: true,
            ..self.inner(at, name, schema)
        };
        self.value(path, entry);
    }

    /// Adds the elements of a list.
    fn elements(&mut self, path: &str, layers: &Layers<'j>, inlined: Option<&'j Json>, at: usize) {
        let least = layers.each("minItems").filter_map(Json::as_i64).max();
        let least = usize::try_from(least.unwrap_or(0)).unwrap_or(0);
        for layer in &layers.schemas {
            match in_list(layer) {
                SchemaShape::Array(Some(items)) => {
                    self.inside(path, "tree.element", items, inlined, at);
                }
                SchemaShape::Tuple(places, rest) => {
                    for (number, place) in places.iter().enumerate() {
                        let entry = TreeEntry {
                            required: number < least,
                            ..self.inner(at, &format!("[{number}]"), place)
                        };
                        self.value(&format!("{path}.{number}"), entry);
                    }
                    if let Some(rest) = rest {
                        let name = self.strings.get("tree.rest");
                        self.labelled(&format!("{path}.rest"), name, rest, at);
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds the elements of a list or the values of a map: as an entry if there are details about them,
    /// or if they are not all that the type of the entry above is about, otherwise only the entries
    /// below them.
    fn inside(
        &mut self,
        path: &str,
        key: &str,
        schema: &'j Json,
        inlined: Option<&'j Json>,
        at: usize,
    ) {
        if needs_row(self.shared, schema, layers::DEEPEST) || inlined != Some(schema) {
            let name = self.strings.get(key);
            self.labelled(&format!("{path}.each"), name, schema, at);
        } else {
            self.below(path, &[schema], at);
        }
    }

    fn object(
        &mut self,
        path: &str,
        layers: &Layers<'j>,
        typed: Option<&'j Json>,
        inlined: Option<&'j Json>,
        at: usize,
    ) {
        let outside = std::mem::take(&mut self.entries[at].outside);
        let properties = layers.properties(&outside);
        let mut is_map = properties.is_empty();
        for (name, property) in properties {
            let is_hidden = |mark| Layers::of(self.shared, &property.schemas).is(mark);
            if !property.required && self.hidden.is_some_and(is_hidden) {
                continue;
            }
            let entry = TreeEntry {
                depth: self.entries[at].depth + 1,
                name: name.to_owned(),
                required: property.required,
                schemas: property.schemas,
                ..TreeEntry::default()
            };
            self.value(&format!("{path}.{name}"), entry);
        }
        for (pattern, schema) in layers.members("patternProperties") {
            is_map = false;
            let name = self.strings.with("tree.matching", pattern);
            self.labelled(&format!("{path}.{pattern}"), &name, schema, at);
        }
        for others in layers.others() {
            if is_map || typed == Some(others) {
                let inlined = inlined.filter(|_| is_map);
                self.inside(path, "tree.value", others, inlined, at);
            } else {
                let name = self.strings.get("tree.others");
                self.labelled(&format!("{path}.others"), name, others, at);
            }
        }
    }

    fn alternatives(
        &mut self,
        path: &str,
        union: &SchemaUnion<'j>,
        schemas: &[&'j Json],
        before: &mut usize,
        is_only: bool,
        at: usize,
    ) {
        let strings = self.strings;
        let label = |number: usize| {
            let form = || strings.with("tree.form", &(*before + number + 1).to_string());
            union.label(number).unwrap_or_else(form)
        };
        let labels: Vec<_> = (0..union.branches.len()).map(label).collect();
        *before += labels.len();
        let key = if union.is_exclusive {
            "tree.told.unsaid"
        } else {
            "tree.told.any"
        };
        let count = if is_only {
            strings.get(key).to_owned()
        } else {
            strings.with(&format!("{key}.of"), &shorten(&labels.join(", "), 200))
        };
        let told = match &union.distinction {
            Distinction::Tag(member, _) => strings.with("tree.told.by", &shorten(member, 80)),
            Distinction::Member(_) => strings.get("tree.told.member").to_owned(),
            Distinction::Kind => strings.get("tree.told.kind").to_owned(),
            Distinction::Unsaid => String::new(),
        };
        let note = format!("{count} {told}").trim_end().to_owned();
        let entry = &mut self.entries[at];
        entry.note = Some(match entry.note.take() {
            Some(before) if before != note => format!("{before} {note}"),
            _ => note,
        });
        for (number, (branch, name)) in union.branches.iter().zip(labels).enumerate() {
            let path = format!("{path}.{name}");
            let entry = TreeEntry {
                label: true,
                outside: schemas.to_vec(),
                tag: union.tag(number),
                ..self.inner(at, &name, branch)
            };
            self.value(&path, entry);
        }
    }
}
