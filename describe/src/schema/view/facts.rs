//! What is asked of numbers, strings, and the count of members.

use std::borrow::Cow;

use indexmap::IndexSet;

use super::model::View;
use crate::json::Json;
use crate::schema::bounds::width_between;
use crate::schema::format::Format;
use crate::schema::kinds::Kinds;
use crate::schema::range::NumberBounds;
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
        let [(least, is_above), (most, is_below)] =
            [bounds.least?, bounds.most?].map(|bound| bound.end(self.kinds));
        width_between(self.kinds, &least, &most).filter(|_| !is_above && !is_below)
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

    /// Returns how many characters a string has.
    pub fn length(&self) -> Span {
        Span::all_of(self.strings().map(|strings| strings.length))
    }

    /// Returns the patterns that a string matches, each once.
    pub fn patterns(&self) -> Vec<&'t str> {
        each_once(self.strings().filter_map(|strings| strings.pattern))
    }

    /// Returns how many members an object has.
    pub fn property_count(&self) -> Span {
        Span::all_of(self.objects().map(|(_, objects)| objects.length))
    }

    /// Returns how many elements the nodes say that an array has.
    fn element_count(&self) -> Span {
        Span::all_of(self.arrays().map(|(_, arrays)| arrays.length))
    }

    /// Drops the kinds of which no value is within the bounds.
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

    /// Returns the kinds of values of which members or elements are described.
    pub fn described_kinds(&self) -> Kinds {
        Kinds::any(self.nodes().map(Node::described_kinds))
    }

    /// Returns what each layer says of strings.
    pub fn strings(&self) -> impl Iterator<Item = &'t StringKeywords<'t>> {
        self.nodes().filter_map(|node| node.strings.as_deref())
    }
}

fn each_once<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let all: IndexSet<_> = texts.collect();
    all.into_iter().collect()
}

/// A demand of a keyword on a value.
#[derive(Debug)]
pub struct Constraint {
    /// The keyword.
    pub keyword: &'static str,
    /// The sense in which it narrows values.
    pub narrows: Narrows,
    /// The values of the keyword in all nodes, or the narrowest.
    pub values: Vec<String>,
}

/// The sense in which a keyword narrows values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Narrows {
    /// A greater number accepts less.
    Least,
    /// A lesser number accepts less.
    Most,
    /// Each further value accepts less.
    Each,
    /// Each further pattern accepts less. How two compare is hard to tell.
    Pattern,
    /// It says how text is written, and may not be checked.
    Format,
    /// It says how text is to be read. That its meaning changes is told whether or not it is checked.
    Encoding,
    /// It holds schemas of members, elements or alternatives, which can be compared one by one.
    Parts,
}

/// The keywords that ask something of values, but for bounds and those that name kinds, values and members.
const CONSTRAINTS: [(Narrows, &[&str]); 7] = [
    (Narrows::Least, &["minContains"]),
    (Narrows::Most, &["maxContains"]),
    (
        Narrows::Each,
        &[
            "multipleOf",
            "uniqueItems",
            "not",
            "if",
            "then",
            "else",
            "dependentRequired",
            "dependentSchemas",
            "contains",
        ],
    ),
    (Narrows::Pattern, &["pattern"]),
    (Narrows::Format, &["format"]),
    (Narrows::Encoding, &["contentEncoding"]),
    (
        Narrows::Parts,
        &[
            "oneOf",
            "anyOf",
            "patternProperties",
            "additionalProperties",
            "propertyNames",
            "unevaluatedProperties",
            "prefixItems",
            "items",
            "unevaluatedItems",
        ],
    ),
];

impl View<'_> {
    /// Returns what keywords ask of a value of some kinds, but for those that name kinds, values and members, in the same
    /// order for each. Of several bounds, the narrowest counts.
    pub fn constraints(&self, kinds: Kinds) -> Vec<Constraint> {
        let numbers = self.numbers();
        let [least, most] = [numbers.least, numbers.most].map(|bound| Some(bound?.end(kinds)));
        let number = |end: &Option<(Cow<'_, str>, bool)>, is_excluded| {
            let end = end.as_ref().filter(|end| end.1 == is_excluded);
            end.map(|(number, _)| number.to_string())
        };
        let [length, elements, properties] =
            [self.length(), self.element_count(), self.property_count()];
        let count = |count: Option<u64>| count.map(|count| count.to_string());
        let lower = [
            ("minimum", number(&least, false)),
            ("exclusiveMinimum", number(&least, true)),
            ("minLength", count(length.least)),
            ("minItems", count(elements.least)),
            ("minProperties", count(properties.least)),
        ];
        let upper = [
            ("maximum", number(&most, false)),
            ("exclusiveMaximum", number(&most, true)),
            ("maxLength", count(length.most)),
            ("maxItems", count(elements.most)),
            ("maxProperties", count(properties.most)),
        ];
        let mut constraints = Vec::new();
        for (narrows, bounds) in [(Narrows::Least, lower), (Narrows::Most, upper)] {
            constraints.extend(bounds.map(|(keyword, bound)| Constraint {
                keyword,
                narrows,
                values: bound.into_iter().collect(),
            }));
        }
        for (narrows, keywords) in CONSTRAINTS {
            constraints.extend(keywords.iter().map(|keyword| {
                let nodes = self.nodes();
                let values: IndexSet<_> =
                    nodes.filter_map(|node| node.source.get(keyword)).collect();
                Constraint {
                    keyword,
                    narrows,
                    values: values.into_iter().map(Json::to_string).collect(),
                }
            }));
        }
        constraints
    }
}
