//! Lists a value and all values in it as rows, in reading order.
//!
//! `add_params`, `add_result` and the like each begin with a row at the top. `add_row` adds a row and `add_inside` what
//! is below it: elements, members, alternatives, conditions, each of which comes back to `add_row`. All of them get the
//! `VisibleValue` whose parts they add, which has the index of its row.
//!
//! The rows are a flat list: a row with others below it has a fold, and the last one below has the number of folds that
//! end with it. So a single loop can write them, and depth costs no call stack beyond the limit set here.

use std::collections::HashSet;
use std::ptr;

use docent_describe::render::INPUT_SCHEMA;
use docent_describe::schema::{Kinds, Node, Property, SchemaViews, Side, View};
use docent_describe::{ParamDescription, ProcedureDescription};
use indexmap::IndexMap;

use super::extent::Extent;
use super::facts::Fact;
use super::row::{CutReason, Fold, Row};
use super::row_name::RowName;
use super::service::{is_answered, sides};
use super::texts::{texts, texts_of_type};
use super::type_phrase::{TypePhrase, map_values};
use super::unions::{UnionNote, tag};
use super::visible::{VisibleValue, common_members, described_by, is_of_bases, visible_unions};
use crate::slug::Slugs;

/// The maximum depth of a row. Deeper values are only in the description.
const MAX_DEPTH: usize = 64;

/// The maximum number of rows of a page.
const MAX_ROWS: usize = 1500;

/// The length of a page, in rows, up to which shared types are unfolded in place. A type with more members and
/// alternatives than that is never unfolded.
const MAX_UNFOLDED_ROWS: usize = 90;

/// The depth to which shared types within shared types are unfolded. Deeper ones are links to their pages.
const MAX_UNFOLDED_DEPTH: usize = 2;

/// The rows of a page, and what decides on the next one.
pub(crate) struct RowTree<'t> {
    pub(super) views: &'t SchemaViews<'t>,
    /// The anchors of the page.
    pub(crate) ids: Slugs,
    /// The side whose members are visible, or `None` for those of both.
    side: Option<Side>,
    /// The rows since they were last taken.
    rows: Vec<Row<'t>>,
    /// The number of rows of the page so far.
    total: usize,
    /// Shared types that this page has unfolded already; `None` if it unfolds none.
    unfolded: Option<HashSet<&'t str>>,
    /// Shared types with members that only one side has.
    one_sided: HashSet<&'t str>,
    /// The number of shared types that the current value is inside of.
    unfolded_depth: usize,
    /// The values that the current one is inside of.
    open: Vec<&'t View<'t>>,
    /// Folds down to this depth are open.
    open_to: usize,
}

impl<'t> RowTree<'t> {
    /// Begins a page. Shared types are unfolded in place while there is room.
    pub(crate) fn new(views: &'t SchemaViews<'t>) -> Self {
        Self {
            views,
            ids: Slugs::default(),
            side: None,
            rows: Vec::new(),
            total: 0,
            unfolded: Some(HashSet::new()),
            one_sided: HashSet::new(),
            unfolded_depth: 0,
            open: Vec::new(),
            open_to: 1,
        }
    }

    /// Begins a page that unfolds no shared types.
    pub(crate) fn folded(views: &'t SchemaViews<'t>) -> Self {
        Self {
            unfolded: None,
            ..Self::new(views)
        }
    }

    /// Returns the rows since the last call.
    pub(crate) fn take_rows(&mut self) -> Vec<Row<'t>> {
        std::mem::take(&mut self.rows)
    }

    /// Adds the parameters of a procedure.
    pub(crate) fn add_params(&mut self, procedure: &'t ProcedureDescription) {
        self.turn_to(sides(procedure).0);
        match procedure.extensions.get(INPUT_SCHEMA) {
            // The schema asks something of all of them together.
            Some(schema) => {
                let view = self.views.view_of_schema(schema);
                self.add_value("param", Row::new(RowName::Params, view, Extent::All));
            }
            None => {
                for param in &procedure.params {
                    self.add_param(param);
                }
            }
        }
    }

    /// Adds a parameter and everything below it.
    pub(crate) fn add_param(&mut self, param: &'t ParamDescription) {
        let view = self.views.view_of_schema(&param.schema);
        let row = Row {
            texts: texts(view, &param.name, param.description.as_deref()),
            is_required: param.required,
            is_deprecated: param.deprecated || view.is_deprecated(),
            default: view.default_of(param),
            aliases: &param.aliases,
            ..self.new_row(RowName::Property(&param.name), view)
        };
        self.add_value(&format!("param.{}", param.name), row);
    }

    /// Adds the result of a procedure or an item of a subscription, if there is one.
    pub(crate) fn add_result(&mut self, procedure: &'t ProcedureDescription) {
        let Some(returns) = procedure.output().filter(|_| is_answered(procedure)) else {
            return;
        };
        self.turn_to(sides(procedure).1);
        let name = match procedure.subscription {
            Some(_) => RowName::Item,
            None => RowName::Result,
        };
        let view = self.views.view_of_schema(&returns.schema);
        let row = Row {
            texts: texts(view, "", returns.description.as_deref()),
            ..self.new_row(name, view)
        };
        self.add_value("return", row);
    }

    /// Adds the data of an error.
    pub(crate) fn add_error_data(&mut self, code: i64, view: &'t View<'t>) {
        self.turn_to(Side::Output);
        let row = Row {
            is_required: true,
            ..self.new_row(RowName::Property("data"), view)
        };
        self.add_value(&format!("error.{code}.data"), row);
    }

    /// Adds a shared type for its own page, which is about it as a whole and unfolds it nowhere else. Its bases are
    /// links if they have many members, so that a chain of bases is not written again on the page of each.
    pub(crate) fn add_shared_type(&mut self, name: &'t str, node: &'t Node<'t>) {
        let view = self.views.view(&[node]);
        if let Some(unfolded) = &mut self.unfolded {
            unfolded.insert(name);
        }
        self.open_to = 2;
        let base_members = view
            .properties()
            .values()
            .filter(|property| is_of_bases(property))
            .count();
        let extent = if base_members < MAX_UNFOLDED_ROWS {
            Extent::All
        } else {
            Extent::Own
        };
        let row = Row {
            texts: texts_of_type(view, name),
            ..Row::new(RowName::Type(name), view, extent)
        };
        self.add_value("field", row);
    }

    /// Shows the members of a side from here on. Shared types that differ in it are unfolded once more.
    pub(super) fn turn_to(&mut self, side: Side) {
        let before = self.side.replace(side);
        if let Some(unfolded) = &mut self.unfolded
            && before != Some(side)
        {
            unfolded.retain(|name| !self.one_sided.contains(name));
        }
    }

    /// Notes that the values which the current one is inside of have other members on the other side.
    fn note_one_sided(&mut self) {
        for view in &self.open {
            self.one_sided.extend(view.own_name());
        }
    }

    /// Begins the row of a value.
    pub(super) fn new_row(&mut self, name: RowName<'t>, view: &'t View<'t>) -> Row<'t> {
        Row::new(name, view, self.choose_extent(view))
    }

    /// Adds a value at the top, and all values in it. Its anchor is made from `path`.
    fn add_value(&mut self, path: &str, row: Row<'t>) {
        let value = VisibleValue::new(self.rows.len(), row.view, row.extent);
        self.add_row(path, row, &value);
    }

    /// Adds a value inside that of the row at `parent`. In a condition, `context` is what other schemas say of it.
    pub(super) fn add_inner(&mut self, parent: usize, row: Row<'t>, context: Option<&'t View<'t>>) {
        let path = self.path_below(parent, &row);
        let depth = self.rows[parent].depth + 1;
        let value = VisibleValue {
            context,
            ..VisibleValue::new(self.rows.len(), row.view, row.extent)
        };
        self.add_row(&path, Row { depth, ..row }, &value);
    }

    /// Adds a value of these nodes below the row at `parent`. If there are `kinds`, its type speaks of values of these
    /// kinds only.
    pub(super) fn add_nodes(
        &mut self,
        parent: usize,
        name: RowName<'t>,
        nodes: &[&'t Node<'t>],
        kinds: Option<Kinds>,
    ) {
        let view = self.views.view(nodes);
        let mut row = self.new_row(name, view);
        if let Some(kinds) = kinds {
            row.type_phrase = TypePhrase::for_kinds(view, kinds);
        }
        self.add_inner(parent, row, None);
    }

    /// Returns the path from which the anchor of a row below that at `parent` is made.
    fn path_below(&self, parent: usize, row: &Row<'t>) -> String {
        format!("{}.{}", self.rows[parent].id, row.name.anchor())
    }

    /// Adds a row and everything below it. Its anchor is made from `path`.
    fn add_row(&mut self, path: &str, row: Row<'t>, value: &VisibleValue<'_, 't>) {
        if self.is_full() {
            return;
        }
        self.total += 1;
        let id = self.ids.assign(path);
        self.rows.push(Row { id, ..row });
        let index = value.row_index;
        if self.rows[index].depth >= MAX_DEPTH {
            self.rows[index].cut = Some(CutReason::TooDeep);
            return;
        }
        self.add_inside(value);
        if self.rows.len() > index + 1 {
            self.finish_fold(value);
        }
    }

    /// Returns whether there is no room for another row, and notes so on the last one.
    fn is_full(&mut self) -> bool {
        let is_full = self.total >= MAX_ROWS;
        if is_full && let Some(last) = self.rows.last_mut() {
            last.cut = Some(CutReason::TooMany);
        }
        is_full
    }

    /// Puts the rows below a row into a fold, which ends with the last of them.
    fn finish_fold(&mut self, value: &VisibleValue<'_, 't>) {
        let index = value.row_index;
        let depth = self.rows[index].depth;
        let is_shared = !value.view.names().is_empty();
        let is_open = depth == 0 || !is_shared && depth <= self.open_to;
        let children = self.rows[index + 1..]
            .iter()
            .filter(|row| row.depth == depth + 1);
        self.rows[index].fold = Some(Fold::count(children, is_open));
        if let Some(last) = self.rows.last_mut() {
            last.ends += 1;
        }
    }

    /// Decides how much of a value to show. A shared type is unfolded once a page, while there is room; after that, a
    /// link is enough.
    fn choose_extent(&mut self, view: &'t View<'t>) -> Extent {
        if self.open.iter().any(|open| ptr::eq(*open, view)) {
            return Extent::Nothing;
        }
        if view.names().is_empty() {
            return Extent::All;
        }
        let name = view.own_name();
        if name.is_some_and(|name| self.one_sided.contains(name)) {
            self.note_one_sided();
        }
        let has_room = self.total < MAX_UNFOLDED_ROWS && self.unfolded_depth < MAX_UNFOLDED_DEPTH;
        let Some(unfolded) = self.unfolded.as_mut().filter(|_| has_room) else {
            return Extent::Own;
        };
        // Counting members takes longer than all else here.
        let is_small = view.alternatives().count() + view.properties().len() < MAX_UNFOLDED_ROWS;
        if is_small && name.is_none_or(|name| unfolded.insert(name)) {
            Extent::All
        } else {
            Extent::Own
        }
    }

    /// Adds what is inside a value.
    fn add_inside(&mut self, value: &VisibleValue<'_, 't>) {
        let has_common = value.common.is_some_and(|common| !common.is_empty());
        // A shared type and nothing else is left to its page, and may have thousands of alternatives.
        let is_left_to_page =
            value.extent == Extent::Own && !has_common && value.view.own_name().is_some();
        if value.extent == Extent::Nothing || is_left_to_page {
            return;
        }
        let is_unfolded = value.extent == Extent::All && !value.view.names().is_empty();
        self.unfolded_depth += usize::from(is_unfolded);
        self.open.push(value.view);
        let common = common_members(value.full_view);
        self.add_elements(value);
        self.add_members(value, &common);
        self.add_alternatives(value, &common);
        self.add_conditions(value);
        self.open.pop();
        self.unfolded_depth -= usize::from(is_unfolded);
    }

    /// Adds the elements of an array or the values of a map: as a row if there is more to say of them than their type,
    /// otherwise only what is inside them.
    pub(super) fn add_each(
        &mut self,
        name: RowName<'t>,
        nodes: &[&'t Node<'t>],
        container: &VisibleValue<'_, 't>,
    ) {
        let view = self.views.view(nodes);
        let row = self.new_row(name, view);
        let container_phrase = &self.rows[container.row_index].type_phrase;
        let names_type = !matches!(container_phrase, TypePhrase::Any | TypePhrase::NotNull);
        // A shared type is a link, which says less than "array of" or "map of".
        let has_parts = matches!(container_phrase, TypePhrase::Shared(_))
            || view.kinds.meet(Kinds::OBJECT) && map_values(view).is_some()
            || view.kinds.meet(Kinds::ARRAY) && view.nodes().any(|node| node.arrays.is_some());
        let has_rules = !view.conditions().is_empty() || !view.other_properties().names.is_empty();
        let says_more = !container.view.is_of_each_value()
            || !names_type
            || has_rules
            || !row.is_plain()
            || !row.unions.is_empty()
            || row.cut.is_some();
        if says_more || has_parts {
            let start = self.rows.len();
            self.add_inner(container.row_index, row, None);
            if !says_more && self.rows.len() == start + 1 {
                // The type of the row above says as much, or its page.
                self.rows.pop();
                self.total -= 1;
            }
        } else {
            self.add_inside(&VisibleValue::new(container.row_index, view, row.extent));
        }
    }

    /// Adds the members of an object.
    fn add_members(
        &mut self,
        value: &VisibleValue<'_, 't>,
        common: &IndexMap<&'t str, Property<'t>>,
    ) {
        let mut is_map = common.is_empty();
        for (name, property) in value.visible_properties(common) {
            self.add_property(name, property, value);
        }
        if !value.view.kinds.meet(Kinds::OBJECT)
            || !value.has_visible_node(|node| node.objects.is_some())
        {
            return;
        }
        let others = value.view.other_properties();
        let mut by_pattern: IndexMap<&str, Vec<&Node<'_>>> = IndexMap::new();
        for (pattern, node) in others.patterns {
            by_pattern.entry(pattern).or_default().push(node);
        }
        for (pattern, nodes) in by_pattern {
            is_map = false;
            self.add_nodes(value.row_index, RowName::Matching(pattern), &nodes, None);
        }
        let nodes = others.nodes;
        if !nodes.is_empty() && !others.are_refused {
            if is_map {
                self.add_each(RowName::Value, &nodes, value);
            } else {
                self.add_nodes(value.row_index, RowName::Others, &nodes, None);
            }
        }
        if !others.names.is_empty() {
            self.add_nodes(
                value.row_index,
                RowName::Names,
                &others.names,
                Some(Kinds::STRING),
            );
        }
    }

    /// Adds a property, unless it is only for the other side. What only a shared type says is marked as such.
    fn add_property(
        &mut self,
        name: &'t str,
        property: &Property<'t>,
        value: &VisibleValue<'_, 't>,
    ) {
        let is_hidden = |side| value.view.hides(property, side);
        if is_hidden(Side::Input) || is_hidden(Side::Output) {
            self.note_one_sided();
        }
        if self.side.is_some_and(is_hidden) {
            return;
        }
        let mut row = Row {
            is_required: property.is_required,
            ..self.new_row(RowName::Property(name), self.views.view(&property.nodes()))
        };
        let outer = value.context.map(|context| context.property(name));
        if property.is_refused || outer.as_ref().is_some_and(|outer| outer.is_refused) {
            row.facts.insert(0, Fact::Phrase("fact.never_accepted"));
        } else if let Some(from) = described_by(property)
            && value.owner != Some(from)
        {
            row.facts.push(Fact::From(from));
        }
        let mut context = None;
        if let Some(outer) = outer {
            let nodes = [outer.nodes(), property.nodes()].concat();
            let full_view = self.views.view(&nodes);
            row.type_phrase = TypePhrase::within(row.view, full_view);
            context = Some(full_view);
        }
        self.add_inner(value.row_index, row, context);
    }

    /// Adds the alternatives of a value.
    fn add_alternatives(
        &mut self,
        value: &VisibleValue<'_, 't>,
        common: &IndexMap<&'t str, Property<'t>>,
    ) {
        for UnionNote { union, labels } in visible_unions(value.view, value.extent) {
            for (index, label) in labels.into_iter().enumerate() {
                if self.is_full() {
                    return;
                }
                let alternative = &union.alternatives[index];
                let view = alternative.view;
                let tag = tag(union, index, &label);
                let mut row = Row {
                    depth: self.rows[value.row_index].depth + 1,
                    type_phrase: TypePhrase::for_alternative(alternative),
                    ..self.new_row(label, view)
                };
                row.facts.extend(tag);
                let inner = VisibleValue {
                    row_index: self.rows.len(),
                    view,
                    full_view: value.full_view.choose(alternative),
                    owner: view.own_name().or(value.owner),
                    context: value.context,
                    common: Some(common),
                    extent: row.extent,
                };
                let path = self.path_below(value.row_index, &row);
                self.add_row(&path, row, &inner);
            }
        }
    }
}
