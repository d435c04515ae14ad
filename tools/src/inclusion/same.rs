//! Finds out whether two schemas say the same, apart from annotations and the names of components.

use super::includes::Includes;
use docent_describe::json::Decimal;
use docent_describe::schema::{
    ArrayKeywords, IfKeyword, Node, NumberKeywords, ObjectKeywords, Reference, StringKeywords,
    Target, UnionKeyword,
};

/// The maximum number of pairs of listed values that are compared.
const MAX_VALUE_PAIRS: usize = 1_000_000;

impl<'t> Includes<'t> {
    /// Returns whether schemas of the narrower side say the same as those of the wider side, one by one.
    pub(crate) fn say_same(&mut self, narrow: &[&'t Node<'t>], wide: &[&'t Node<'t>]) -> bool {
        self.steps = 0;
        self.are_all_same(narrow.iter().copied(), wide.iter().copied())
    }

    pub(super) fn is_same(&mut self, narrow: &'t Node<'t>, wide: &'t Node<'t>) -> bool {
        let pair = (narrow.id, wide.id);
        // A case may have dozens of schemas, each of which is compared with each wider one.
        self.all_steps += 1;
        if self.different.contains(&pair) {
            return false;
        }
        let before = self.same.len();
        if !self.same.insert(pair) {
            return true;
        }
        let is_same = self.deeper(|includes| includes.has_same_keywords(narrow, wide));
        if is_same != Some(true) {
            self.same.truncate(before);
            self.different.insert(pair);
        }
        is_same == Some(true)
    }

    fn has_same_keywords(&mut self, narrow: &'t Node<'t>, wide: &'t Node<'t>) -> bool {
        narrow.is_never == wide.is_never
            && narrow.types == wide.types
            && are_both(&narrow.listed, &wide.listed, |one, other| have_same(one, other))
            && are_both(&narrow.numbers, &wide.numbers, |one, other| has_same_numbers(one, other))
            && are_both(&narrow.strings, &wide.strings, |one, other| self.has_same_strings(one, other))
            && are_both(&narrow.arrays, &wide.arrays, |one, other| self.has_same_arrays(one, other))
            && are_both(&narrow.objects, &wide.objects, |one, other| {
                self.has_same_objects(one, other)
            })
            && are_both(&narrow.reference, &wide.reference, |one, other| {
                self.refers_to_same(*one, *other)
            })
            && self.are_all_same(&narrow.all_of, &wide.all_of)
            && self.have_same_unions(&narrow.unions, &wide.unions)
            && are_both(&narrow.not, &wide.not, |one, other| self.is_same(one, other))
            && are_both(&narrow.condition, &wide.condition, |one, other| {
                self.is_same_condition(one, other)
            })
            // What a malformed keyword asks is unknown, but equal texts ask the same.
            && (narrow.malformed.is_empty() && wide.malformed.is_empty()
                || narrow.source == wide.source)
    }

    fn are_all_same(
        &mut self,
        narrow: impl IntoIterator<Item = &'t Node<'t>, IntoIter: ExactSizeIterator>,
        wide: impl IntoIterator<Item = &'t Node<'t>, IntoIter: ExactSizeIterator>,
    ) -> bool {
        let (narrow, wide) = (narrow.into_iter(), wide.into_iter());
        narrow.len() == wide.len()
            && narrow
                .zip(wide)
                .all(|(one, other)| self.is_same(one, other))
    }

    fn is_same_part(&mut self, narrow: &'t Option<Node<'t>>, wide: &'t Option<Node<'t>>) -> bool {
        are_both(narrow, wide, |one, other| self.is_same(one, other))
    }

    /// Returns whether schemas by name are the same, in any order.
    fn are_named_same<'n>(
        &mut self,
        narrow: impl ExactSizeIterator<Item = (&'n str, &'t Node<'t>)>,
        wide: impl ExactSizeIterator<Item = (&'n str, &'t Node<'t>)>,
    ) -> bool {
        let [narrow, wide] = [narrow.collect(), wide.collect()]
            .map(|named: std::collections::BTreeMap<&str, &'t Node<'t>>| named);
        narrow.keys().eq(wide.keys()) && self.are_all_same(narrow.into_values(), wide.into_values())
    }

    fn has_same_strings(&self, narrow: &StringKeywords<'t>, wide: &StringKeywords<'t>) -> bool {
        let enforces = |format: Option<&str>| {
            let [one, other] = [self.narrow, self.wide].map(|views| views.tree.context());
            format.is_none_or(|format| one.enforces(format) == other.enforces(format))
        };
        narrow.length == wide.length
            && narrow.pattern == wide.pattern
            && narrow.format == wide.format
            && enforces(narrow.format)
            && narrow.encoding == wide.encoding
            && enforces(narrow.encoding)
    }

    fn has_same_arrays(
        &mut self,
        narrow: &'t ArrayKeywords<'t>,
        wide: &'t ArrayKeywords<'t>,
    ) -> bool {
        narrow.length == wide.length
            && narrow.are_unique == wide.are_unique
            && self.are_all_same(&narrow.places, &wide.places)
            && self.is_same_part(&narrow.rest, &wide.rest)
            && self.is_same_part(&narrow.unevaluated, &wide.unevaluated)
            && are_both(
                &narrow.contains,
                &wide.contains,
                |(one, count), (other, others)| count == others && self.is_same(one, other),
            )
    }

    fn has_same_objects(
        &mut self,
        narrow: &'t ObjectKeywords<'t>,
        wide: &'t ObjectKeywords<'t>,
    ) -> bool {
        narrow.length == wide.length
            && have_same(&narrow.required, &wide.required)
            && have_same(&narrow.dependent_names, &wide.dependent_names)
            && self.are_named_same(
                narrow.properties.iter().map(|(name, node)| (*name, node)),
                wide.properties.iter().map(|(name, node)| (*name, node)),
            )
            && self.are_named_same(named(&narrow.patterns), named(&wide.patterns))
            && self.are_named_same(named(&narrow.dependent), named(&wide.dependent))
            && self.is_same_part(&narrow.others, &wide.others)
            && self.is_same_part(&narrow.unevaluated, &wide.unevaluated)
            && self.is_same_part(&narrow.names, &wide.names)
    }

    fn refers_to_same(&mut self, narrow: Reference<'t>, wide: Reference<'t>) -> bool {
        let is_lost = match (self.narrow.tree.target(narrow), self.wide.tree.target(wide)) {
            (Target::Lost(_), Target::Lost(_)) => true,
            (Target::Lost(_), _) | (_, Target::Lost(_)) => return false,
            (
                Target::Shared(_, one) | Target::Inside(one),
                Target::Shared(_, other) | Target::Inside(other),
            ) => return self.is_same(one, other),
        };
        // Both refer to the same place outside of the descriptions.
        is_lost && narrow == wide
    }

    fn have_same_unions(
        &mut self,
        narrow: &'t [UnionKeyword<'t>],
        wide: &'t [UnionKeyword<'t>],
    ) -> bool {
        narrow.len() == wide.len()
            && narrow.iter().zip(wide).all(|(one, other)| {
                one.rule == other.rule && self.are_all_same(&one.branches, &other.branches)
            })
    }

    pub(super) fn is_same_condition(
        &mut self,
        narrow: &'t IfKeyword<'t>,
        wide: &'t IfKeyword<'t>,
    ) -> bool {
        self.is_same(&narrow.holds, &wide.holds)
            && self.is_same_part(&narrow.then, &wide.then)
            && self.is_same_part(&narrow.otherwise, &wide.otherwise)
    }
}

/// Returns whether both are there and the same, or neither is there.
fn are_both<'p, T>(
    one: &'p Option<T>,
    other: &'p Option<T>,
    is_same: impl FnOnce(&'p T, &'p T) -> bool,
) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => is_same(one, other),
        _ => one.is_none() && other.is_none(),
    }
}

/// Returns whether two lists have the same values. A value may be listed twice, and in any order.
fn have_same<T: PartialEq>(one: &[T], other: &[T]) -> bool {
    one == other
        || one.len() * other.len() < MAX_VALUE_PAIRS
            && one.iter().all(|value| other.contains(value))
            && other.iter().all(|value| one.contains(value))
}

fn has_same_numbers(one: &NumberKeywords<'_>, other: &NumberKeywords<'_>) -> bool {
    let numbers = |of: &NumberKeywords<'_>| {
        let numbers = [of.least, of.above, of.most, of.below, of.multiple_of];
        numbers.map(|number| number.map(Decimal::new))
    };
    numbers(one) == numbers(other)
}

fn named<'n, 't>(
    schemas: &'t [(&'n str, Node<'t>)],
) -> impl ExactSizeIterator<Item = (&'n str, &'t Node<'t>)> {
    schemas.iter().map(|(name, node)| (*name, node))
}
