//! Facts: the constraints on numbers, on strings, and on the number of members.
//!
//! Of several bounds the narrowest counts, and of several patterns, formats and steps each does.
//! Facts are worded in `facts.txt`, for messages and pages.

use indexmap::IndexSet;

use super::model::View;
use crate::json::Json;
use crate::schema::bounds::{NumericType, integer_type, width_between};
use crate::schema::format::Format;
use crate::schema::keyword::{Narrowing, narrowing_keywords};
use crate::schema::kinds::Kinds;
use crate::schema::range::{Bound, IntegerRange, NumberBounds};
use crate::schema::tree::{Node, Span, StringKeywords};

impl<'t> View<'t> {
    /// Returns the narrowest range of numbers.
    pub fn numbers(&self) -> NumberBounds<'t> {
        let mut bounds = NumberBounds::default();
        for layer in &self.layers {
            if let Some(numbers) = layer.node.numbers.as_deref() {
                bounds.narrow(numbers, layer.from);
            }
        }
        bounds
    }

    /// Returns the name of the numeric type whose range the numbers have, such as `uint8`.
    pub fn width(&self) -> Option<&'static str> {
        let bounds = self.numbers();
        let (least, excludes_least) = bounds.least?.end(self.kinds);
        let (most, excludes_most) = bounds.most?.end(self.kinds);
        if excludes_least || excludes_most {
            return None;
        }
        width_between(self.kinds, &least, &most)
    }

    /// Returns the name of the integer type of the numbers, such as `uint8`: the one whose range they have, or else
    /// the one that a format names. A format alone asserts nothing, but shows how many bits a program has to read.
    pub fn integer_width(&self) -> Option<&'static str> {
        self.width()
            .or_else(|| Some(self.integer_types().next()?.name))
    }

    /// Returns the range of the integers: those between the bounds that the types which formats name can hold.
    pub fn integers(&self) -> IntegerRange {
        let bounded = self.numbers().integers();
        self.integer_types()
            .fold(bounded, |range, numeric| range.and(numeric.integers()))
    }

    /// Returns the integer types that formats name.
    fn integer_types(&self) -> impl Iterator<Item = &'static NumericType> {
        self.strings()
            .filter_map(|strings| integer_type(strings.format?, self.kinds))
    }

    /// Returns the formats of the value, each once.
    pub fn formats(&self) -> Vec<&'t str> {
        each_once(self.strings().filter_map(|strings| strings.format))
    }

    /// Returns the content encoding of a string, if the service checks it.
    pub fn checked_encoding(&self) -> Option<&'static Format> {
        let context = self.views.tree.context();
        self.strings()
            .filter_map(|strings| Format::encoding(strings.encoding?))
            .find(|encoding| context.enforces(encoding.name) == Some(true))
    }

    /// Returns the number of characters of a string.
    pub fn length(&self) -> Span {
        Span::all_of(self.strings().map(|strings| strings.length))
    }

    /// Returns the patterns that a string matches, each once.
    pub fn patterns(&self) -> Vec<&'t str> {
        each_once(self.strings().filter_map(|strings| strings.pattern))
    }

    /// Returns the number of members of an object.
    pub fn property_count(&self) -> Span {
        Span::all_of(self.objects().map(|(_, objects)| objects.length))
    }

    /// Returns the number of elements that nodes state for an array.
    fn element_count(&self) -> Span {
        Span::all_of(self.arrays().map(|(_, arrays)| arrays.length))
    }

    /// Drops the kinds without a value within the bounds.
    pub(super) fn drop_empty_kinds(&mut self) {
        for (kinds, is_empty) in [
            (Kinds::NUMBER, self.numbers().is_empty(self.kinds)),
            (Kinds::STRING, self.length().is_empty()),
            (Kinds::ARRAY, self.element_count().is_empty()),
            (Kinds::OBJECT, self.property_count().is_empty()),
        ] {
            if is_empty {
                self.kinds = self.kinds.without(kinds);
            }
        }
    }

    /// Returns the kinds of values whose members or elements are described.
    pub fn described_kinds(&self) -> Kinds {
        Kinds::any(self.nodes().map(Node::described_kinds))
    }

    /// Returns the constraints of each layer on strings.
    pub fn strings(&self) -> impl Iterator<Item = &'t StringKeywords<'t>> {
        self.nodes().filter_map(|node| node.strings.as_deref())
    }
}

/// Returns the texts in order, without those that are there already.
fn each_once<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    texts.collect::<IndexSet<_>>().into_iter().collect()
}

/// A constraint that a keyword puts on a value.
#[derive(Debug)]
pub struct Constraint {
    /// The keyword.
    pub keyword: &'static str,
    /// The way in which the keyword narrows values.
    pub narrows: Narrowing,
    /// The values of the keyword in all nodes, or the narrowest of them.
    pub values: Vec<String>,
}

impl View<'_> {
    /// Returns the constraints on values of some kinds, except for those that list kinds, values and members.
    /// The order is always the same. Of several bounds, the narrowest counts.
    pub fn constraints(&self, kinds: Kinds) -> Vec<Constraint> {
        narrowing_keywords()
            .map(|(keyword, narrows)| Constraint {
                keyword,
                narrows,
                values: self.values_of(keyword, kinds),
            })
            .collect()
    }

    /// Returns the values of a keyword in all nodes, each once, or the narrowest of them if it is a bound.
    fn values_of(&self, keyword: &str, kinds: Kinds) -> Vec<String> {
        let bound = match keyword {
            "minimum" => bound_as_text(self.numbers().least, false, kinds),
            "exclusiveMinimum" => bound_as_text(self.numbers().least, true, kinds),
            "maximum" => bound_as_text(self.numbers().most, false, kinds),
            "exclusiveMaximum" => bound_as_text(self.numbers().most, true, kinds),
            "minLength" => count_as_text(self.length().least),
            "maxLength" => count_as_text(self.length().most),
            "minItems" => count_as_text(self.element_count().least),
            "maxItems" => count_as_text(self.element_count().most),
            "minProperties" => count_as_text(self.property_count().least),
            "maxProperties" => count_as_text(self.property_count().most),
            _ => {
                let values: IndexSet<&Json> = self
                    .nodes()
                    .filter_map(|node| node.source.get(keyword))
                    .collect();
                return values.into_iter().map(Json::to_string).collect();
            }
        };
        bound.into_iter().collect()
    }
}

/// Returns the number of a bound, if the bound is exclusive or not as the keyword wants.
fn bound_as_text(bound: Option<Bound<'_>>, is_exclusive: bool, kinds: Kinds) -> Option<String> {
    let (number, excludes_number) = bound?.end(kinds);
    (excludes_number == is_exclusive).then(|| number.into_owned())
}

/// Returns a count as it is written in a schema.
fn count_as_text(count: Option<u64>) -> Option<String> {
    count.map(|count| count.to_string())
}
