//! What is asked of numbers, strings, and the count of members.

use super::model::View;
use crate::json::Decimal;
use crate::schema::bounds::width_between;
use crate::schema::kinds::Kinds;
use crate::schema::tree::{NumberKeywords, Span, StringKeywords};

/// The end of a range of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound<'t> {
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
        Kinds::any(self.layers.iter().map(|layer| layer.node.described_kinds()))
    }

    /// Returns what each layer says of strings.
    pub fn strings(&self) -> impl Iterator<Item = &'t StringKeywords<'t>> {
        self.layers
            .iter()
            .filter_map(|layer| layer.node.strings.as_deref())
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
        let bound = |number: Option<&'t str>, is_exclusive| {
            number.map(|number| Bound {
                number,
                is_exclusive,
                from,
            })
        };
        for bound in [bound(numbers.least, false), bound(numbers.above, true)]
            .into_iter()
            .flatten()
        {
            if self
                .least
                .is_none_or(|known| bound.is_narrower(&known, Decimal::gt))
            {
                self.least = Some(bound);
            }
        }
        for bound in [bound(numbers.most, false), bound(numbers.below, true)]
            .into_iter()
            .flatten()
        {
            if self
                .most
                .is_none_or(|known| bound.is_narrower(&known, Decimal::lt))
            {
                self.most = Some(bound);
            }
        }
        if let Some(step) = numbers
            .multiple_of
            .filter(|step| !self.steps.contains(step))
        {
            self.steps.push(step);
        }
    }
}

impl Bound<'_> {
    fn is_narrower(&self, other: &Self, is_beyond: impl Fn(&Decimal, &Decimal) -> bool) -> bool {
        let (own, others) = (Decimal::new(self.number), Decimal::new(other.number));
        is_beyond(&own, &others) || own == others && self.is_exclusive && !other.is_exclusive
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
