//! Cases of schemas: one for each way through their alternatives.
//!
//! The rules look at one case at a time, because what a union allows as a whole says little:
//!
//! ```text
//! {"oneOf": [Cat, Dog], "anyOf": [{"required": ["id"]}, {"required": ["name"]}]}
//!
//! cases: Cat with `id`, Cat with `name`, Dog with `id`, Dog with `name`
//! ```
//!
//! A schema with too many combinations stays one case, and nothing is concluded from its alternatives.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use indexmap::IndexMap;

use crate::limits::{MAX_CASES_OF_INCLUSION, MAX_NODES_OF_CASE};
use docent_describe::json::Json;
use docent_describe::schema::{Kinds, Node, Property, Span, UnionKeyword, UnionRule, View};

/// The kinds of values for which a case is checked, one after the other.
const CASE_KINDS: [Kinds; 6] = [
    Kinds::BOOLEAN,
    Kinds::INTEGER,
    Kinds::FRACTION,
    Kinds::STRING,
    Kinds::ARRAY,
    Kinds::OBJECT,
];

/// Values other than null that satisfy some schemas. There may be more values in it, but none is missing.
pub(super) struct Case<'t> {
    pub(super) view: &'t View<'t>,
    /// The named properties of its objects, once they are asked for.
    properties: OnceCell<IndexMap<&'t str, Property<'t>>>,
    /// The kinds that have been looked at, each with whether the case has no value of it.
    pub(super) is_impossible: RefCell<HashMap<Kinds, bool>>,
}

impl<'t> Case<'t> {
    /// Returns the cases of a value.
    pub(super) fn all(view: &'t View<'t>) -> Vec<Self> {
        view.cases(MAX_CASES_OF_INCLUSION)
            .unwrap_or_else(|| vec![view])
            .into_iter()
            .map(|view| Self {
                view,
                properties: OnceCell::new(),
                is_impossible: RefCell::default(),
            })
            .collect()
    }

    /// Returns the nodes that apply.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &'t Node<'t>> + use<'t> {
        self.view.nodes().take(MAX_NODES_OF_CASE)
    }

    /// Returns the nodes that none of the values satisfies: the other alternatives of a `oneOf`, and those under
    /// `not`.
    pub(super) fn excluded(&self) -> Vec<&'t Node<'t>> {
        let mut excluded = Vec::new();
        for node in self.nodes() {
            excluded.extend(node.not.as_deref());
            for union in &node.unions {
                excluded.extend(self.other_branches(union));
            }
        }
        excluded
    }

    /// Returns the alternatives that are excluded because the values are those of another.
    fn other_branches(&self, union: &'t UnionKeyword<'t>) -> Vec<&'t Node<'t>> {
        let (chosen, others): (Vec<_>, Vec<_>) = union
            .branches
            .iter()
            .partition(|branch| self.nodes().any(|node| node.id == branch.id));
        if union.rule == UnionRule::ExactlyOne && chosen.len() == 1 {
            others
        } else {
            Vec::new()
        }
    }

    /// Returns the values of a kind if they are listed, or are true and false.
    pub(super) fn values(&self, kind: Kinds) -> Option<Vec<Json>> {
        match &self.view.listed {
            None if kind == Kinds::BOOLEAN => Some(vec![Json::Bool(false), Json::Bool(true)]),
            None => None,
            Some(listed) => {
                let mut values = Vec::new();
                for listed in listed {
                    if Kinds::of_value(listed.value) == kind {
                        values.push(listed.value.clone());
                    }
                }
                Some(values)
            }
        }
    }

    /// Returns the kinds of its values, one by one.
    pub(super) fn each_kind(&self) -> impl Iterator<Item = Kinds> + use<> {
        let kinds = self.view.kinds;
        CASE_KINDS
            .into_iter()
            .filter(move |kind| kind.within(kinds))
    }

    /// Returns the named properties of its objects.
    pub(super) fn properties(&self) -> &IndexMap<&'t str, Property<'t>> {
        self.properties.get_or_init(|| self.view.properties())
    }

    /// Returns the property with this name. No node has to name it.
    pub(super) fn property(&self, name: &str) -> Property<'t> {
        match self.properties().get(name) {
            Some(property) => property.clone(),
            None => self.view.property(name),
        }
    }

    /// Returns the names of the properties that there must be.
    pub(super) fn required(&self) -> impl Iterator<Item = &'t str> {
        self.properties()
            .iter()
            .filter(|(_, property)| property.is_required)
            .map(|(name, _)| *name)
    }

    /// Returns whether objects only have properties with known names.
    pub(super) fn is_closed(&self) -> bool {
        let others = self.view.other_properties();
        others.are_refused && others.patterns.is_empty()
    }

    /// Returns how many properties objects have.
    pub(super) fn property_count(&self) -> Span {
        let stated = self.view.property_count();
        let mut counted = Span {
            least: u64::try_from(self.required().count()).ok(),
            most: None,
        };
        if self.is_closed() {
            let possible = self
                .properties()
                .values()
                .filter(|property| !property.is_refused)
                .count();
            counted.most = u64::try_from(possible).ok();
        }
        Span::all_of([stated, counted])
    }
}
