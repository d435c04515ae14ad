//! Whether two schemas say the same, whatever their components are called.

use std::collections::HashSet;

use super::cases::asserts;
use super::{Includes, address};
use crate::json::{Json, Object};
use crate::schema::keyword::{Holds, holds, resolve};

/// How many pairs of schemas are looked at.
const MOST: usize = 5000;

impl<'j> Includes<'j> {
    /// Whether a schema of the narrower side says the same as one of the wider side.
    pub(crate) fn is_same(&mut self, narrow: &'j Json, wide: &'j Json) -> bool {
        let key = (address(narrow), address(wide));
        let mut pairs = HashSet::new();
        let same = self.same_schema(narrow, wide, &mut pairs);
        // Nothing is known of the pairs inside if the whole differs.
        if same && pairs.len() < MOST {
            self.same.extend(pairs.into_iter().map(|pair| (pair, true)));
        }
        self.same.insert(key, same);
        same
    }

    /// Whether the values of a keyword say the same.
    pub(super) fn is_same_word(&mut self, keyword: &str, narrow: &'j Json, wide: &'j Json) -> bool {
        self.same_word(keyword, narrow, wide, &mut HashSet::new())
    }

    fn same_schema(
        &mut self,
        narrow: &'j Json,
        wide: &'j Json,
        pairs: &mut HashSet<(usize, usize)>,
    ) -> bool {
        let key = (address(narrow), address(wide));
        if let Some(known) = self.same.get(&key) {
            return *known;
        }
        if !pairs.insert(key) {
            return true;
        }
        if pairs.len() >= MOST {
            return false;
        }
        let (Json::Object(narrow), Json::Object(wide)) = (narrow, wide) else {
            return is_free(narrow) && is_free(wide) || *narrow == *wide;
        };
        let is_said = |words: &'j Object, others: &'j Object| {
            let mut asserted = words.keys().filter(|keyword| is_meaningful(keyword));
            asserted.all(|keyword| others.contains_key(keyword))
        };
        let same = is_said(narrow, wide)
            && is_said(wide, narrow)
            && narrow
                .iter()
                .filter(|(keyword, _)| is_meaningful(keyword))
                .all(|(keyword, said)| {
                    let other = wide.get(keyword);
                    other.is_some_and(|asked| self.same_word(keyword, said, asked, pairs))
                });
        // What differs differs, whatever was taken for granted on the way.
        if !same {
            self.same.insert(key, false);
        }
        same
    }

    fn same_word(
        &mut self,
        keyword: &str,
        narrow: &'j Json,
        wide: &'j Json,
        pairs: &mut HashSet<(usize, usize)>,
    ) -> bool {
        let (narrow_context, wide_context) = (self.narrow.context, self.wide.context);
        let mut same = |one, other| self.same_schema(one, other, pairs);
        match (keyword, holds(keyword), narrow, wide) {
            ("$ref", _, Json::String(one), Json::String(other)) => {
                let narrow = resolve(one, narrow_context.components);
                let wide = resolve(other, wide_context.components);
                match (narrow, wide) {
                    (Some(narrow), Some(wide)) => same(narrow, wide),
                    // What both refer to elsewhere is the same as far as the descriptions go.
                    (None, None) => one == other,
                    _ => false,
                }
            }
            ("format", _, Json::String(one), Json::String(other)) => {
                let enforced = narrow_context.enforces(one);
                one == other && enforced == wide_context.enforces(other)
            }
            ("required" | "enum" | "type", _, Json::Array(one), Json::Array(other)) => {
                // A value may be listed twice.
                one.iter().all(|value| other.contains(value))
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

fn is_free(schema: &Json) -> bool {
    super::cases::takes_all(schema)
}

/// Whether a keyword asserts something, by itself or with others.
fn is_meaningful(keyword: &str) -> bool {
    asserts(keyword)
        || matches!(
            keyword,
            "then" | "else" | "minContains" | "maxContains" | "additionalItems"
        )
}
