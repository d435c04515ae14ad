//! The rows of a page: values, each with all that is said of it.
//!
//! A row is data. `tree` decides which rows there are, and `view/row` writes them.
//!
//! A list of rows is a tree: each has its depth, and the last row of a fold has the number of folds that end with it.
//! For an object with an array of objects in it, the rows are:
//!
//! | depth | name | fold | ends |
//! |---|---|---|---|
//! | 0 | `order` | 2 members | 0 |
//! | 1 | `id` | | 0 |
//! | 1 | `lines`, an array of objects | 1 member | 0 |
//! | 2 | `count`, of each of them | | 2 |

use docent_describe::ParamAlias;
use docent_describe::json::Json;
use docent_describe::schema::{Label, ListedValue, View};

use super::extent::Extent;
use super::facts::{Fact, facts};
use super::row_name::RowName;
use super::texts::{Text, texts};
use super::type_phrase::TypePhrase;
use super::unions::UnionNote;
use super::visible::visible_unions;
use crate::strings::Strings;

/// A value, with all that is said of it but the values in it, which have rows of their own.
pub(crate) struct Row<'t> {
    /// The schemas of the value, and how much of them is visible here.
    pub(super) view: &'t View<'t>,
    pub(super) extent: Extent,
    /// The anchor.
    pub(crate) id: String,
    /// The number of rows that it is nested in.
    pub(crate) depth: usize,
    /// The name, or what the row is about.
    pub(crate) name: RowName<'t>,
    /// True if the value must be there.
    pub(crate) is_required: bool,
    /// True if the schema marks the value as deprecated.
    pub(crate) is_deprecated: bool,
    pub(crate) type_phrase: TypePhrase<'t>,
    /// The other constraints.
    pub(crate) facts: Vec<Fact<'t>>,
    /// The value that is assumed if none is given.
    pub(crate) default: Option<&'t Json>,
    /// Other names that are accepted.
    pub(crate) aliases: &'t [ParamAlias],
    /// The values that are listed.
    pub(crate) values: Vec<ListedValue<'t>>,
    /// The texts of authors.
    pub(crate) texts: Vec<Text<'t>>,
    /// The alternatives of the value, whose rows are below.
    pub(crate) unions: Vec<UnionNote<'t>>,
    /// The reason why rows below are missing.
    pub(crate) cut: Option<CutReason>,
    /// The fold with the rows below, if there are any.
    pub(crate) fold: Option<Fold<'t>>,
    /// The number of folds that end after this row.
    pub(crate) ends: usize,
}

/// A reason why rows are left out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutReason {
    /// The page has as many rows as it may have.
    TooMany,
    /// The rows are as deep as they may be.
    TooDeep,
    /// The value is inside another of the same schemas.
    Above,
}

/// The fold with the rows below another.
pub(crate) struct Fold<'t> {
    /// True if readers see the rows at first.
    pub(crate) is_open: bool,
    /// The only row, if it is about each element or value.
    pub(crate) only: Option<RowName<'t>>,
    /// The number of members.
    pub(crate) members: usize,
    /// The number of rows about elements: those at a position, and all others.
    pub(crate) elements: usize,
    pub(crate) alternatives: usize,
    pub(crate) conditions: usize,
}

impl<'t> Row<'t> {
    /// Creates the row of a value, at the top.
    pub(super) fn new(name: RowName<'t>, view: &'t View<'t>, extent: Extent) -> Self {
        let title = match &name {
            RowName::Property(name) | RowName::Alternative(Label::Named(name)) => name,
            _ => "",
        };
        let type_phrase = TypePhrase::new(view);
        Self {
            view,
            extent,
            id: String::new(),
            depth: 0,
            is_required: false,
            is_deprecated: view.is_deprecated(),
            facts: facts(view, &type_phrase, extent),
            type_phrase,
            default: view.default(),
            aliases: &[],
            values: values(view),
            texts: texts(view, title, None),
            unions: visible_unions(view, extent),
            cut: (extent == Extent::Nothing).then_some(CutReason::Above),
            fold: None,
            ends: 0,
            name,
        }
    }

    /// Returns the schemas that describe the value itself, without those of shared types.
    #[cfg(feature = "publish")]
    pub(crate) fn own_schemas(&self) -> impl Iterator<Item = &'t Json> {
        self.view.own_nodes().map(|node| node.source)
    }

    /// Returns all schemas that describe the value, those of shared types included.
    #[cfg(feature = "publish")]
    pub(crate) fn schemas(&self) -> impl Iterator<Item = &'t Json> {
        self.view.nodes().map(|node| node.source)
    }

    /// Returns whether the row says nothing but its name, its type and the rules about its alternatives.
    pub(crate) fn is_plain(&self) -> bool {
        self.facts.is_empty()
            && self.default.is_none()
            && self.values.is_empty()
            && self.texts.is_empty()
            && !self.is_deprecated
    }
}

/// Splits off the first row if the page says as much elsewhere. The others, which are all below it, then begin at the
/// top.
pub(crate) fn without_head(mut rows: Vec<Row<'_>>) -> (Option<Row<'_>>, Vec<Row<'_>>) {
    if !rows.first().is_some_and(Row::is_plain) {
        return (None, rows);
    }
    let head = rows.remove(0);
    for row in &mut rows {
        row.depth -= 1;
    }
    // The fold of the head ended with the last row.
    if let Some(last) = rows.last_mut() {
        last.ends -= 1;
    }
    (Some(head), rows)
}

/// Returns the listed values, unless the type says the only one.
fn values<'t>(view: &View<'t>) -> Vec<ListedValue<'t>> {
    match view.listed.as_deref() {
        None | Some([] | [ListedValue { about: None, .. }]) => Vec::new(),
        Some(listed) => listed.to_vec(),
    }
}

impl<'t> Fold<'t> {
    /// Counts the rows directly below another.
    pub(super) fn count<'r>(children: impl Iterator<Item = &'r Row<'t>>, is_open: bool) -> Self
    where
        't: 'r,
    {
        let mut fold = Self {
            is_open,
            only: None,
            members: 0,
            elements: 0,
            alternatives: 0,
            conditions: 0,
        };
        for (rows_before, row) in children.enumerate() {
            match row.name {
                _ if row.name.is_alternative() => fold.alternatives += 1,
                RowName::Position(_) | RowName::Rest | RowName::Element => fold.elements += 1,
                RowName::Contains(_)
                | RowName::Content
                | RowName::Names
                | RowName::Not
                | RowName::If
                | RowName::Then
                | RowName::Otherwise
                | RowName::When(_)
                | RowName::With(_) => fold.conditions += 1,
                _ => fold.members += 1,
            }
            let is_each = matches!(row.name, RowName::Element | RowName::Value);
            fold.only = (is_each && rows_before == 0).then(|| row.name.clone());
        }
        fold
    }

    /// Returns the text of the fold: how many rows of which sort are in it.
    pub(crate) fn text(&self, strings: &Strings) -> String {
        if let Some(only) = &self.only {
            return only.text(strings).into_owned();
        }
        let mut texts = Vec::new();
        for (key, count) in [
            ("tree.fields", self.members),
            ("tree.places", self.elements),
            ("tree.forms", self.alternatives),
            ("tree.conditions", self.conditions),
        ] {
            if count > 0 {
                texts.push(strings.count(key, count));
            }
        }
        texts.join(", ")
    }
}
