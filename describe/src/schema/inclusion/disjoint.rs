//! Proves that schemas have no value in common.

use super::Includes;
use super::arrays::{element_schemas, items_count};
use super::cases::{Case, cases};
use super::numbers;
use super::objects::required;
use super::strings::{Count, LENGTH};
use crate::json::Json;
use crate::schema::kinds::Kinds;

/// How many members and elements are entered.
const DEEPEST: usize = 8;

impl<'j> Includes<'j> {
    /// Whether no value of a case of one kind satisfies a schema of the wider side.
    pub(super) fn is_apart(
        &mut self,
        case: &Case<'j>,
        kind: Kinds,
        schema: &'j Json,
        depth: usize,
    ) -> bool {
        if depth > DEEPEST * 8 {
            return false;
        }
        if case.excluded.iter().any(|one| self.is_same(one, schema)) {
            return true;
        }
        let others = cases(self.wide.context, &[schema]);
        let mut others = others.iter().filter(|other| kind.within(other.kinds));
        others.all(|other| self.are_apart(case, other, kind, 0))
    }

    /// Whether two cases, the second of the wider side, have no value of a kind in common.
    fn are_apart(&mut self, case: &Case<'j>, other: &Case<'j>, kind: Kinds, depth: usize) -> bool {
        if depth > DEEPEST || !self.step() {
            return false;
        }
        if self.is_never(case, kind) || self.is_never(other, kind) {
            return true;
        }
        if let Some(values) = other.finite() {
            let mut values = values.iter().filter(|value| Kinds::of(value) == kind);
            return values.all(|value| self.narrow.takes(&case.schemas, value) == Some(false));
        }
        if let Some(values) = case.finite() {
            let mut values = values.iter().filter(|value| Kinds::of(value) == kind);
            return values.all(|value| self.wide.takes(&other.schemas, value) == Some(false));
        }
        match kind {
            Kinds::INTEGER | Kinds::FRACTION => numbers::are_apart(case, other, kind),
            Kinds::STRING => Count::of(case.words().chain(other.words()), LENGTH).is_never(),
            Kinds::ARRAY => self.arrays_apart(case, other, depth),
            Kinds::OBJECT => self.objects_apart(case, other, depth),
            _ => false,
        }
    }

    fn arrays_apart(&mut self, case: &Case<'j>, other: &Case<'j>, depth: usize) -> bool {
        let mut count = items_count(case);
        let others = items_count(other);
        count.at_least(others.least);
        if let Some(most) = others.most {
            count.at_most(most);
        }
        if count.is_never() {
            return true;
        }
        // Elements that are there in any case.
        let least = count.least.to_i128().unwrap_or(0).clamp(0, 16);
        (0..usize::try_from(least).unwrap_or(0)).any(|at| {
            let (own, theirs) = (element_schemas(case, at), element_schemas(other, at));
            self.schemas_apart(&own, &theirs, depth + 1)
        })
    }

    fn objects_apart(&mut self, case: &Case<'j>, other: &Case<'j>, depth: usize) -> bool {
        let mut names = required(case);
        names.extend(required(other));
        names.into_iter().any(|name| {
            let own = self.member_schemas(case, name);
            let theirs = self.member_schemas(other, name);
            self.schemas_apart(&own, &theirs, depth + 1)
        })
    }

    fn schemas_apart(&mut self, own: &[&'j Json], theirs: &[&'j Json], depth: usize) -> bool {
        let own = cases(self.narrow.context, own);
        let theirs = cases(self.wide.context, theirs);
        own.iter().all(|case| {
            theirs.iter().all(|other| {
                let both = case.kinds & other.kinds;
                let mut kinds = case.each_kind().filter(|kind| kind.within(both));
                kinds.all(|kind| self.are_apart(case, other, kind, depth))
            })
        })
    }

    /// Returns whether no value satisfies a schema, as far as that can be proved.
    ///
    /// ```
    /// use docent_describe::json::Json;
    /// use docent_describe::schema::{Includes, SchemaContext};
    ///
    /// let components = indexmap::IndexMap::new();
    /// let context = SchemaContext { components: &components, enforced_formats: Some(&[]) };
    /// let schema: Json = r#"{"allOf": [{"minimum": 3, "type": "number"}, {"maximum": 2}]}"#.parse()?;
    /// assert!(Includes::new(context, context).is_empty(&schema));
    /// # Ok::<(), docent_describe::json::SyntaxError>(())
    /// ```
    pub fn is_empty(&mut self, schema: &'j Json) -> bool {
        self.begin();
        self.are_empty(&[schema], 0)
    }

    /// Whether no value satisfies all of some schemas of the narrower side.
    fn are_empty(&mut self, schemas: &[&'j Json], depth: usize) -> bool {
        if depth > DEEPEST || !self.step() {
            return false;
        }
        let all = cases(self.narrow.context, schemas);
        all.iter().all(|case| self.is_without_values(case, depth))
    }

    fn is_without_values(&mut self, case: &Case<'j>, depth: usize) -> bool {
        let mut pairs = case.schemas.iter().flat_map(|own| {
            let excluded = case.excluded.iter();
            excluded.map(move |excluded| (own, excluded))
        });
        if pairs.any(|(own, excluded)| self.is_same(own, excluded)) {
            return true;
        }
        if let Some(values) = case.finite() {
            let mut values = values.iter();
            return values.all(|value| self.narrow.takes(&case.schemas, value) == Some(false));
        }
        case.each_kind().all(|kind| {
            self.is_never(case, kind)
                || match kind {
                    Kinds::OBJECT => required(case).into_iter().any(|name| {
                        let schemas = self.member_schemas(case, name);
                        self.are_empty(&schemas, depth + 1)
                    }),
                    Kinds::ARRAY => {
                        let least = items_count(case).least.to_i128().unwrap_or(0);
                        let least = usize::try_from(least.clamp(0, 16)).unwrap_or(0);
                        (0..least).any(|at| self.are_empty(&element_schemas(case, at), depth + 1))
                    }
                    _ => false,
                }
        })
    }

    /// Whether a case certainly has no values of a kind.
    pub(super) fn is_never(&self, case: &Case<'j>, kind: Kinds) -> bool {
        match kind {
            Kinds::INTEGER | Kinds::FRACTION => numbers::is_never(case, kind),
            Kinds::STRING => Count::of(case.words(), LENGTH).is_never(),
            Kinds::ARRAY => items_count(case).is_never(),
            Kinds::OBJECT => {
                let never = |name: &str| {
                    let schemas = self.member_schemas(case, name);
                    schemas.contains(&&Json::Bool(false))
                };
                Self::properties_count(case).is_never() || required(case).into_iter().any(never)
            }
            _ => false,
        }
    }
}
