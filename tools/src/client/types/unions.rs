//! Types of values that are listed, and of values with alternatives.
//!
//! A type says no more than a reader of values can tell. Objects that may match several alternatives become one type
//! with the members of all, unless the members that each alternative requires tell which it is. So do those that would
//! repeat the same members too often.

use docent_describe::json::Json;
use docent_describe::schema::{
    Alternative, Difference, IntegerRange, Kinds, ListedValue, Node, Outline, UnionRule, View,
};
use indexmap::IndexSet;

use super::texts::{distinguishing_words, position_in_union};
use super::{
    TypeTable, count_describing_parts, is_of_known_kind, kinds, repeats_too_much, takes_null,
};
use crate::client::model::{Type, TypeDefinition};
use crate::client::names::{pascal, words};
use crate::limits::MAX_CASES_OF_TYPE;

/// The type of listed integers of which a double may not hold each. Not every language has literals for these.
const ANY_WIDE_INTEGER: IntegerRange = IntegerRange {
    least: Some(i64::MIN as i128),
    greatest: Some(u64::MAX as u128),
};

impl<'t> TypeTable<'t> {
    /// Returns the definition of a value that is no named type.
    pub(super) fn own_definition(&mut self, view: &'t View<'t>, hint: &str) -> TypeDefinition {
        let definition = match view.outline() {
            // A contradiction is a mistake, about which a type says nothing.
            Outline::Unknown | Outline::Nothing => return TypeDefinition::Alias(Type::Any),
            Outline::Null => return TypeDefinition::Alias(Type::Null),
            Outline::Listed(_) if view.has_wide_integers() => {
                TypeDefinition::Alias(Type::Integer(ANY_WIDE_INTEGER))
            }
            Outline::Listed(values) => listed_values(values),
            Outline::Alternatives(_)
                if view
                    .alternatives()
                    .any(|alternative| is_described(alternative.view)) =>
            {
                self.cases(view, hint)
            }
            Outline::Alternatives(_)
            | Outline::Object
            | Outline::Array
            | Outline::Scalar(_)
            | Outline::Mixed(_) => self.plain(view, hint),
        };
        self.or_null(definition, takes_null(view), hint)
    }

    /// Returns a definition, with null if `has_null` is set.
    fn or_null(
        &mut self,
        definition: TypeDefinition,
        has_null: bool,
        hint: &str,
    ) -> TypeDefinition {
        if has_null {
            return TypeDefinition::Alias(
                self.type_of_definition(definition, hint, String::new())
                    .nullable(),
            );
        }
        definition
    }

    /// Returns the definition of a value with alternatives, each with what is common to all.
    fn cases(&mut self, view: &'t View<'t>, hint: &str) -> TypeDefinition {
        let mut cases: Vec<&View<'t>> = match &view.unions[..] {
            [only] => only
                .alternatives
                .iter()
                .map(|alternative| view.choose(alternative))
                .collect(),
            _ => view.cases(MAX_CASES_OF_TYPE).unwrap_or_default(),
        };
        let mut each = Vec::new();
        let mut rule = UnionRule::ExactlyOne;
        let repeats = repeats_too_much(view);
        if overlaps(view) && differ_in_requirements(view) && !repeats {
            rule = UnionRule::OneOrMore;
        } else if (overlaps(view) || repeats) && !cases.is_empty() {
            cases.retain(|case| kinds(case) != Kinds::OBJECT);
            if cases.is_empty() {
                return self.object(view, hint);
            }
            let hint = format!("{hint}Object");
            let definition = self.object(view, &hint);
            each.push(self.type_of_definition(definition, &hint, String::new()));
        }
        let last: Vec<&'t Node<'t>> = cases
            .iter()
            .filter_map(|case| case.chosen.last().copied())
            .collect();
        let words_of_cases = distinguishing_words(view, &last);
        for ((case, node), word) in cases.into_iter().zip(last).zip(words_of_cases) {
            let tag = declared_tag(view, node);
            let hint = match &tag {
                Some(tag) => format!("{hint}{}", pascal(&words(tag.value))),
                None => format!("{hint}{word}"),
            };
            let definition = match tag {
                Some(tag) => self.tagged(case, &tag, &hint),
                None => self.definition(case, &hint),
            };
            let docs = self.documentation(&[node]);
            each.push(self.type_of_definition(definition, &hint, docs));
        }
        self.union(each, rule, hint)
    }

    /// Returns the definition of an object whose tag has this value.
    fn tagged(&mut self, view: &'t View<'t>, tag: &DeclaredTag<'t>, hint: &str) -> TypeDefinition {
        let mut definition = self.object(view, hint);
        if let TypeDefinition::Object(fields, _) = &mut definition
            && let Some(field) = fields.iter_mut().find(|field| field.wire == tag.name)
        {
            let values = TypeDefinition::Values(vec![Json::from(tag.value)]);
            let hint = format!("{hint}{}", pascal(&words(tag.name)));
            field.ty = self.type_of_definition(values, &hint, String::new());
        }
        definition
    }

    /// Returns the definition of a value of one of several types, or of any value if there are none.
    pub(super) fn union(&mut self, each: Vec<Type>, rule: UnionRule, hint: &str) -> TypeDefinition {
        let mut types: Vec<Type> = Vec::new();
        let mut has_null = false;
        for ty in each {
            has_null |= matches!(ty, Type::Null | Type::Nullable(_));
            match ty {
                Type::Null => {}
                Type::Any => return TypeDefinition::Alias(Type::Any),
                Type::Nullable(inner) if types.contains(&inner) => {}
                Type::Nullable(inner) => types.push(*inner),
                other if types.contains(&other) => {}
                other => types.push(other),
            }
        }
        let definition = match types.len() {
            0 => return TypeDefinition::Alias(if has_null { Type::Null } else { Type::Any }),
            1 => TypeDefinition::Alias(types.remove(0)),
            _ => TypeDefinition::Union(types, rule),
        };
        self.or_null(definition, has_null, hint)
    }
}

/// The tag of an alternative that only a `discriminator` declares.
struct DeclaredTag<'t> {
    name: &'t str,
    value: &'t str,
}

/// Returns the declared tag of an alternative, if its schema does not say so itself.
fn declared_tag<'t>(view: &'t View<'t>, node: &Node<'t>) -> Option<DeclaredTag<'t>> {
    let (union, index) = position_in_union(view, node)?;
    let alternative = &union.alternatives[index];
    let is_plain = alternative.kinds == Kinds::OBJECT && alternative.view.unions.is_empty();
    match &union.difference {
        Difference::Tag { path, values } if is_plain && values.iter().all(Vec::is_empty) => {
            Some(DeclaredTag {
                name: path[0],
                value: union.declared_tag(alternative)?,
            })
        }
        _ => None,
    }
}

/// Returns whether an object may match several alternatives of a union.
fn overlaps(view: &View<'_>) -> bool {
    view.alternatives()
        .all(|alternative| alternative.view.unions.is_empty())
        && view.unions.iter().any(|union| {
            union.rule == UnionRule::OneOrMore
                && !matches!(union.difference, Difference::Tag { .. })
                && union
                    .alternatives
                    .iter()
                    .filter(|alternative| is_open_object(view, alternative))
                    .count()
                    > 1
        })
}

/// Returns whether the only union of a value has structs as its alternatives: each describes members, and the members
/// that it requires tell it from the others.
fn differ_in_requirements(view: &View<'_>) -> bool {
    let [union] = &view.unions[..] else {
        return false;
    };
    matches!(
        union.difference,
        Difference::Presence(_) | Difference::Required(_)
    ) && union
        .alternatives
        .iter()
        .any(|alternative| alternative.view.described_kinds() != Kinds::NONE)
}

/// Returns whether an alternative is an object that may have members of others.
fn is_open_object<'t>(view: &View<'t>, alternative: &Alternative<'t>) -> bool {
    let chosen = view.choose(alternative);
    kinds(chosen) == Kinds::OBJECT && !chosen.other_properties().are_refused
}

/// Returns whether a view says anything of a value.
fn is_described(view: &View<'_>) -> bool {
    !view.is_complete()
        || !view.unions.is_empty()
        || is_of_known_kind(view)
        || count_describing_parts(view) > 0
}

/// Returns the definition of listed values. A list with arrays or objects is any value.
fn listed_values(listed: &[ListedValue<'_>]) -> TypeDefinition {
    let mut values = IndexSet::new();
    for listed in listed {
        if matches!(listed.value, Json::Array(_) | Json::Object(_)) {
            return TypeDefinition::Alias(Type::Any);
        }
        values.insert(listed.value.clone());
    }
    let values: Vec<Json> = values.into_iter().collect();
    TypeDefinition::Values(values)
}
