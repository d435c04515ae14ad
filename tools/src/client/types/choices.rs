//! Types of values that are listed, and of values with alternatives.

use docent_describe::json::{Decimal, Json};
use docent_describe::schema::{ListedValue, Union, View};
use indexmap::IndexSet;

use super::texts::documentation;
use super::{TypeTable, count_shaping, is_of_known_kind, takes_null};
use crate::client::model::{ClientShape, Range, Type};

/// The maximum number of combinations of alternatives that become alternatives of a type.
const MAX_CASES: usize = 1_000;

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
        let is_shaping = |union: &Union<'_>| union.alternatives.iter().any(|it| shapes(it.view));
        let shape = if let Some(listed) = &view.listed {
            values(listed)
        } else if view.unions.iter().any(is_shaping) {
            self.cases(view, hint)
        } else {
            self.plain(view, hint)
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

    /// Returns the shape of a value with alternatives: each is all that is said of it, and of the value.
    fn cases(&mut self, view: &'t View<'t>, hint: &str) -> ClientShape {
        let cases = match &view.unions[..] {
            // Each may be a named type, with alternatives of its own.
            [only] if count_shaping(view) == 0 => {
                only.alternatives.iter().map(|it| view.choose(it)).collect()
            }
            _ => view.cases(MAX_CASES).unwrap_or_default(),
        };
        let last = cases.iter().filter_map(|case| case.chosen.last());
        let last: Vec<&View<'t>> = last.map(|node| self.views.view(&[*node])).collect();
        let mut each = Vec::new();
        for ((case, last), told) in cases.into_iter().zip(&last).zip(self.told_apart(&last)) {
            let hint = format!("{hint}{told}");
            let shape = self.shape(case, &hint);
            each.push(self.ty(shape, &hint, documentation(last)));
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
