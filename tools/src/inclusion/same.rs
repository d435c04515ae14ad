//! Finds out whether two schemas say the same, apart from annotations and the names of components.

use super::case::{asserts, takes_all};
use super::includes::{Includes, address};
use docent_describe::json::{Json, Object};
use docent_describe::schema::{Holds, holds, resolve};

/// The maximum number of pairs of listed values that are compared.
const MOST_VALUES: usize = 1_000_000;

impl<'j> Includes<'j> {
    /// Returns whether a schema of the narrower side says the same as one of the wider side.
    pub(crate) fn says_same(&mut self, narrow: &'j Json, wide: &'j Json) -> bool {
        self.steps = 0;
        self.is_same(narrow, wide)
    }

    pub(super) fn is_same(&mut self, narrow: &'j Json, wide: &'j Json) -> bool {
        let pair = (address(narrow), address(wide));
        // A case may have dozens of schemas, each of which is compared with each wider one.
        self.all_steps += 1;
        if self.different.contains(&pair) {
            return false;
        }
        let before = self.same.len();
        if !self.same.insert(pair) {
            return true;
        }
        let is_same = self.deeper(|includes| match (narrow, wide) {
            (Json::Object(one), Json::Object(other)) => {
                let says = |one: &Object, other: &Object| {
                    let mut keywords = one.keys().filter(|keyword| matters(keyword));
                    keywords.all(|keyword| other.contains_key(keyword))
                };
                let mut keywords = one.iter().filter(|(keyword, _)| matters(keyword));
                says(one, other)
                    && says(other, one)
                    && keywords.all(|(keyword, value)| {
                        includes.is_same_value(keyword, value, &other[keyword])
                    })
            }
            _ => takes_all(narrow) && takes_all(wide) || narrow == wide,
        });
        if is_same != Some(true) {
            self.same.truncate(before);
            self.different.insert(pair);
        }
        is_same == Some(true)
    }

    /// Returns whether the values of a keyword say the same.
    pub(super) fn is_same_value(
        &mut self,
        keyword: &str,
        narrow: &'j Json,
        wide: &'j Json,
    ) -> bool {
        let (narrow_context, wide_context) = (self.narrow, self.wide);
        let mut same = |one, other| self.is_same(one, other);
        match (keyword, holds(keyword), narrow, wide) {
            ("$ref", _, Json::String(one), Json::String(other)) => {
                let narrow = resolve(one, narrow_context.components);
                match (narrow, resolve(other, wide_context.components)) {
                    (Some(narrow), Some(wide)) => same(narrow, wide),
                    // Both refer to the same place outside of the descriptions.
                    (None, None) => one == other,
                    _ => false,
                }
            }
            ("format", _, Json::String(one), Json::String(other)) => {
                one == other && narrow_context.enforces(one) == wide_context.enforces(other)
            }
            ("required" | "enum" | "type", _, Json::Array(one), Json::Array(other)) => {
                // A value may be listed twice, and in any order.
                one == other
                    || one.len() * other.len() < MOST_VALUES
                        && one.iter().all(|value| other.contains(value))
                        && other.iter().all(|value| one.contains(value))
            }
            (_, Holds::Schema | Holds::Schemas, Json::Array(one), Json::Array(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| same(one, other))
            }
            (_, Holds::Schema, one, other) => same(one, other),
            (_, Holds::Named, Json::Object(one), Json::Object(other)) => {
                one.len() == other.len()
                    && one.iter().all(|(name, schema)| {
                        other.get(name).is_some_and(|other| same(schema, other))
                    })
            }
            _ => narrow == wide,
        }
    }
}

/// Returns whether a keyword asserts something, by itself or with others.
fn matters(keyword: &str) -> bool {
    asserts(keyword)
        || matches!(
            keyword,
            "then" | "else" | "minContains" | "maxContains" | "additionalItems"
        )
}
