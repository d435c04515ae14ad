//! What is asked of numbers, strings, and the count of members.

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

    /// Returns the kinds of values that the keywords of the nodes are about.
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
    let mut all = Vec::new();
    for text in texts {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
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
}

impl View<'_> {
    /// Returns what keywords without schemas ask of a value, in the same order for each.
    pub fn constraints(&self) -> [Constraint; 14] {
        let numbers = self.numbers();
        let elements = self.elements();
        let length = self.length();
        let members = self.property_count();
        [
            ("minimum", Narrows::Least, bound(numbers.least, false)),
            (
                "exclusiveMinimum",
                Narrows::Least,
                bound(numbers.least, true),
            ),
            ("maximum", Narrows::Most, bound(numbers.most, false)),
            ("exclusiveMaximum", Narrows::Most, bound(numbers.most, true)),
            ("multipleOf", Narrows::Each, texts(numbers.steps)),
            ("minLength", Narrows::Least, texts(length.least)),
            ("maxLength", Narrows::Most, texts(length.most)),
            ("minItems", Narrows::Least, texts(elements.length.least)),
            ("maxItems", Narrows::Most, texts(elements.length.most)),
            (
                "uniqueItems",
                Narrows::Each,
                texts(elements.are_unique.then_some(true)),
            ),
            ("minProperties", Narrows::Least, texts(members.least)),
            ("maxProperties", Narrows::Most, texts(members.most)),
            (
                "pattern",
                Narrows::Pattern,
                texts(self.patterns().into_iter().map(Json::from)),
            ),
            (
                "format",
                Narrows::Format,
                texts(self.formats().into_iter().map(Json::from)),
            ),
        ]
        .map(|(keyword, narrows, values)| Constraint {
            keyword,
            narrows,
            values,
        })
    }
}

fn bound(bound: Option<Bound<'_>>, is_exclusive: bool) -> Vec<String> {
    let bound = bound.filter(|bound| bound.is_exclusive == is_exclusive);
    texts(bound.map(|bound| bound.number))
}

fn texts(values: impl IntoIterator<Item = impl ToString>) -> Vec<String> {
    values.into_iter().map(|value| value.to_string()).collect()
}
