//! What is asked of numbers, strings, and the count of members.

use indexmap::IndexSet;

use super::model::View;
use crate::json::{Decimal, Json};
use crate::schema::bounds::width_between;
use crate::schema::kinds::Kinds;
use crate::schema::tree::{Node, NumberKeywords, Span, StringKeywords};

/// The end of a range of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound<'t> {
    /// The keyword that says so.
    pub keyword: &'static str,
    /// The number, as it is written.
    pub number: &'t str,
    /// True if the number itself is outside.
    pub is_exclusive: bool,
    /// The shared schema that says so, if it was reached by a reference.
    pub from: Option<&'t str>,
}

/// The constraints on numbers.
#[derive(Debug, Clone, Default)]
pub struct NumberBounds<'t> {
    /// The lower end.
    pub least: Option<Bound<'t>>,
    /// The upper end.
    pub most: Option<Bound<'t>>,
    /// The steps that each number is a multiple of.
    pub steps: Vec<&'t str>,
}

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
        let least = bounds.least.filter(|bound| !bound.is_exclusive)?;
        let most = bounds.most.filter(|bound| !bound.is_exclusive)?;
        width_between(self.kinds, least.number, most.number)
    }

    /// Returns the formats of the value, each once.
    pub fn formats(&self) -> Vec<&'t str> {
        each_once(self.strings().filter_map(|strings| strings.format))
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

    /// Returns the kinds of values of which members or elements are described, or members required.
    pub fn described_kinds(&self) -> Kinds {
        Kinds::any(self.nodes().map(Node::described_kinds))
    }

    /// Returns what each layer says of strings.
    pub fn strings(&self) -> impl Iterator<Item = &'t StringKeywords<'t>> {
        self.nodes().filter_map(|node| node.strings.as_deref())
    }
}

impl<'t> NumberBounds<'t> {
    /// Returns the range that one node states.
    pub fn of(numbers: &NumberKeywords<'t>) -> Self {
        let mut bounds = Self::default();
        bounds.narrow(numbers, None);
        bounds
    }

    fn narrow(&mut self, numbers: &NumberKeywords<'t>, from: Option<&'t str>) {
        let bound = |keyword, number: Option<&'t str>, is_exclusive| {
            number.map(|number| Bound {
                keyword,
                number,
                is_exclusive,
                from,
            })
        };
        let lower = [
            bound("minimum", numbers.least, false),
            bound("exclusiveMinimum", numbers.above, true),
        ];
        let upper = [
            bound("maximum", numbers.most, false),
            bound("exclusiveMaximum", numbers.below, true),
        ];
        narrow_end(&mut self.least, lower, Decimal::gt);
        narrow_end(&mut self.most, upper, Decimal::lt);
        if let Some(step) = numbers
            .multiple_of
            .filter(|step| !self.steps.contains(step))
        {
            self.steps.push(step);
        }
    }
}

/// Narrows an end of a range to the narrowest of further bounds.
fn narrow_end<'t>(
    end: &mut Option<Bound<'t>>,
    bounds: [Option<Bound<'t>>; 2],
    is_beyond: fn(&Decimal, &Decimal) -> bool,
) {
    for bound in bounds.into_iter().flatten() {
        let is_narrower = |known: Bound<'_>| {
            let number = Decimal::new(bound.number);
            let other = Decimal::new(known.number);
            is_beyond(&number, &other)
                || number == other && bound.is_exclusive && !known.is_exclusive
        };
        if end.is_none_or(is_narrower) {
            *end = Some(bound);
        }
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
    /// It holds schemas of members, elements or alternatives, which can be compared one by one.
    Parts,
}

/// The keywords that ask something of values, but for those that name kinds, values and members.
const CONSTRAINTS: [(Narrows, &[&str]); 6] = [
    (
        Narrows::Least,
        &[
            "minimum",
            "exclusiveMinimum",
            "minLength",
            "minItems",
            "minProperties",
            "minContains",
        ],
    ),
    (
        Narrows::Most,
        &[
            "maximum",
            "exclusiveMaximum",
            "maxLength",
            "maxItems",
            "maxProperties",
            "maxContains",
        ],
    ),
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
    /// Returns what keywords ask of a value, but for those that name kinds, values and members, in the same order for
    /// each.
    pub fn constraints(&self) -> Vec<Constraint> {
        let mut constraints = Vec::new();
        for (narrows, keywords) in CONSTRAINTS {
            for keyword in keywords {
                let nodes = self.layers.iter().map(|layer| layer.node.source);
                let values: IndexSet<_> = nodes.filter_map(|source| source.get(keyword)).collect();
                let bounds = values.iter().copied();
                let bounds = bounds.filter_map(|it| Some((Decimal::new(it.as_number()?), it)));
                // Of several bounds, the narrowest counts.
                let narrowest = match narrows {
                    Narrows::Least => bounds.max_by(|a, b| a.0.cmp(&b.0)),
                    Narrows::Most => bounds.min_by(|a, b| a.0.cmp(&b.0)),
                    _ => None,
                };
                let values = match narrowest {
                    Some((_, bound)) => vec![bound.to_string()],
                    None => values.into_iter().map(Json::to_string).collect(),
                };
                constraints.push(Constraint {
                    keyword,
                    narrows,
                    values,
                });
            }
        }
        constraints
    }
}
