//! Types of values that are listed, and of values with alternatives.

use docent_describe::json::{Decimal, Json};
use docent_describe::schema::{ListedValue, Node, Union, View};
use indexmap::IndexSet;

use super::texts::documentation;
use super::{TypeTable, count_shaping, is_of_known_kind, takes_null};
use crate::client::model::{ClientShape, Range, Type};

/// The maximum number of combinations of alternatives that become alternatives of a type.
const MAX_CASES: usize = 40;

impl<'t> TypeTable<'t> {
    /// Returns the shape of a value that is no named type.
    pub(super) fn own_shape(&mut self, view: &'t View<'t>, hint: &str) -> ClientShape {
        if view.is_only_null() {
            return ClientShape::Alias(Type::Null);
        }
        // A contradiction is a mistake, about which a type says nothing.
        if !view.is_complete() || view.is_nothing() {
            return ClientShape::Alias(Type::Any);
        }
        let is_shaping = |union: &&Union<'_>| {
            union
                .alternatives
                .iter()
                .any(|alternative| shapes(alternative.view))
        };
        let shape = if let Some(listed) = &view.listed {
            values(listed)
        } else {
            match view.unions.iter().find(is_shaping) {
                None => self.plain(view, hint),
                Some(only) if count_shaping(view) == 0 && view.unions.len() == 1 => {
                    self.alternatives(view, only, hint)
                }
                Some(_) => self.cases(view, hint),
            }
        };
        self.or_null(shape, takes_null(view), hint)
    }

    /// Returns a shape, with null if `has_null` is set.
    fn or_null(&mut self, shape: ClientShape, has_null: bool, hint: &str) -> ClientShape {
        if has_null {
            return ClientShape::Alias(self.ty(shape, hint, String::new()).nullable());
        }
        shape
    }

    /// Returns the shape of a value of which only its alternatives say something.
    fn alternatives(&mut self, view: &'t View<'t>, union: &Union<'t>, hint: &str) -> ClientShape {
        let views: Vec<&View<'t>> = union
            .alternatives
            .iter()
            .map(|alternative| alternative.view)
            .collect();
        let mut each = Vec::new();
        for (alternative, told) in union.alternatives.iter().zip(self.told_apart(&views)) {
            let hint = format!("{hint}{told}");
            each.push(if shapes(alternative.view) {
                self.of(&[alternative.node], &hint)
            } else {
                let shape = self.plain(view, &hint);
                self.ty(shape, &hint, String::new())
            });
        }
        self.union(each, hint)
    }

    /// Returns the shape of a value with alternatives and something that is common to them.
    fn cases(&mut self, view: &'t View<'t>, hint: &str) -> ClientShape {
        let alternatives = view.unions.iter().map(|union| union.alternatives.len());
        if alternatives.max() > Some(MAX_CASES) {
            return ClientShape::Alias(Type::Any);
        }
        let cases = view.cases(MAX_CASES).unwrap_or_default();
        let last: Vec<&'t Node<'t>> = cases
            .iter()
            .filter_map(|case| case.chosen.last().copied())
            .collect();
        let views: Vec<&View<'t>> = last.iter().map(|node| self.views.view(&[*node])).collect();
        let mut each = Vec::new();
        for ((case, node), told) in cases.into_iter().zip(last).zip(self.told_apart(&views)) {
            let hint = format!("{hint}{told}");
            let shape = self.shape(case, &hint);
            each.push(self.ty(shape, &hint, documentation(&[node])));
        }
        self.union(each, hint)
    }

    /// Returns the shape of a value of one of several types, or of any value if there are none.
    pub(super) fn union(&mut self, each: Vec<Type>, hint: &str) -> ClientShape {
        let mut types: Vec<Type> = Vec::new();
        let mut has_null = false;
        for of in each {
            has_null |= matches!(of, Type::Null | Type::Nullable(_));
            match of {
                Type::Null => {}
                Type::Any => return ClientShape::Alias(Type::Any),
                Type::Nullable(inner) if types.contains(&inner) => {}
                Type::Nullable(inner) => types.push(*inner),
                other if types.contains(&other) => {}
                other => types.push(other),
            }
        }
        let shape = match types.len() {
            0 => return ClientShape::Alias(if has_null { Type::Null } else { Type::Any }),
            1 => ClientShape::Alias(types.remove(0)),
            _ => ClientShape::Union(types),
        };
        self.or_null(shape, has_null, hint)
    }
}

/// Returns whether a view says something of the shape of a value.
fn shapes(view: &View<'_>) -> bool {
    !view.is_complete()
        || !view.unions.is_empty()
        || is_of_known_kind(view)
        || count_shaping(view) > 0
}

fn values(listed: &[ListedValue<'_>]) -> ClientShape {
    let is_plain = |value: &Json| !matches!(value, Json::Array(_) | Json::Object(_));
    if !listed.iter().all(|listed| is_plain(listed.value)) {
        return ClientShape::Alias(Type::Any);
    }
    let each: IndexSet<&Json> = listed.iter().map(|listed| listed.value).collect();
    let each: Vec<Json> = each.into_iter().cloned().collect();
    match beyond_doubles(&each) {
        Some(of) => ClientShape::Alias(of),
        None => ClientShape::Values(each),
    }
}

/// Returns the type of listed integers that a double may not hold. Not every language has literals for
/// these.
fn beyond_doubles(values: &[Json]) -> Option<Type> {
    let is_integer = |text: &str| Decimal::new(text).to_i128().is_some();
    let is_listed = |value: &Json| matches!(value, Json::Number(text) if is_integer(text));
    let is_long = |value: &Json| matches!(value, Json::Number(text) if text.len() > 15);
    let wide = Range {
        least: Some(i64::MIN.into()),
        greatest: Some(u64::MAX.into()),
    };
    let is_beyond = values.iter().all(is_listed) && values.iter().any(is_long);
    is_beyond.then_some(Type::Integer(wide))
}
