//! The names of rows.
//!
//! Most are those of members. Others say what a row is about, such as each element of an array or an alternative. The
//! name of a row is also a part of its anchor, so a link to a row works as long as the names stay.

use std::borrow::Cow;

use docent_describe::json::shorten;
use docent_describe::schema::{IfKeyword, Label, PropertyTest, Span};

use crate::json_text;
use crate::strings::Strings;

/// The name of a row: that of a property, or what the row is about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RowName<'t> {
    /// A property with this name.
    Property(&'t str),
    /// The element at a position.
    Position(usize),
    /// All parameters of a procedure together.
    Params,
    /// The result of a procedure.
    Result,
    /// An item of a subscription.
    Item,
    /// A shared type as a whole, on its own page.
    Type(&'t str),
    /// Each element of an array.
    Element,
    /// The elements after those at the first positions.
    Rest,
    /// Each value of a map.
    Value,
    /// The members whose names match a pattern.
    Matching(&'t str),
    /// The members that no keyword names.
    Others,
    /// The names of members.
    Names,
    /// An alternative, by its label.
    Alternative(Label<'t>),
    /// The alternative with this number.
    NumberedAlternative(usize),
    /// The elements of which an array has so many.
    Contains(Span),
    /// The content of a string.
    Content,
    /// The values that are excluded.
    Not,
    /// The condition of a conditional schema.
    If,
    /// The constraints on values that meet the condition.
    Then,
    /// The constraints on all other values.
    Otherwise,
    /// The object, if it has this property.
    With(&'t str),
    /// The object, if this property has one of these values.
    When(PropertyTest<'t>),
}

impl<'t> RowName<'t> {
    /// Names a condition on objects that is about one property: about its value, or that it is present.
    pub(super) fn of_test(condition: &'t IfKeyword<'t>) -> Option<Self> {
        match condition.holds.only_required() {
            Some([name]) => Some(Self::With(name)),
            _ => condition.property_test().map(Self::When),
        }
    }

    /// Returns whether the name is a text of the page or that of an alternative, and not part of the value.
    pub(crate) fn is_label(&self) -> bool {
        !matches!(self, Self::Property(_) | Self::Position(_))
    }

    /// Returns whether the row is an alternative.
    pub(crate) fn is_alternative(&self) -> bool {
        matches!(self, Self::Alternative(_) | Self::NumberedAlternative(_))
    }

    /// Returns the name in the language of the page.
    pub(crate) fn text<'s>(&'s self, strings: &'s Strings) -> Cow<'s, str> {
        let key = match self {
            Self::Property(name) | Self::Type(name) | Self::Alternative(Label::Named(name)) => {
                return Cow::from(*name);
            }
            Self::Position(index) => return Cow::from(format!("[{index}]")),
            Self::Alternative(Label::Values(values)) => {
                return Cow::from(json_text::brief(values[0], 60));
            }
            Self::Alternative(Label::With(names)) => {
                return listed_names("tree.form.with", names, strings);
            }
            Self::Alternative(Label::Without(names)) => {
                return listed_names("tree.form.without", names, strings);
            }
            Self::NumberedAlternative(number) => {
                return Cow::from(strings.with("tree.form", &number.to_string()));
            }
            Self::Matching(pattern) => return Cow::from(strings.with("tree.matching", pattern)),
            Self::With(name) => return Cow::from(strings.with("tree.with", name)),
            Self::When(test) => return Cow::from(test_text(test, strings)),
            Self::Contains(span) => {
                return Cow::from(strings.span("contained", *span).unwrap_or_default());
            }
            Self::Params => "tree.params",
            Self::Result => "result",
            Self::Item => "item",
            Self::Element => "tree.element",
            Self::Rest => "tree.rest",
            Self::Value => "tree.value",
            Self::Others => "tree.others",
            Self::Names => "tree.names",
            Self::Content => "tree.content",
            Self::Not => "tree.not",
            Self::If => "tree.if",
            Self::Then => "tree.then",
            Self::Otherwise => "tree.else",
        };
        Cow::from(strings.get(key))
    }

    /// Returns the name as a part of an anchor, which does not depend on the language of the page.
    pub(super) fn anchor(&self) -> Cow<'_, str> {
        Cow::from(match self {
            Self::Property(name)
            | Self::Type(name)
            | Self::Matching(name)
            | Self::Alternative(Label::Named(name)) => *name,
            Self::Position(index) => return Cow::from(index.to_string()),
            Self::Alternative(Label::Values(values)) => {
                return Cow::from(json_text::brief(values[0], 60));
            }
            Self::Alternative(Label::With(names)) => return Cow::from(names.join("-")),
            Self::Alternative(Label::Without(names)) => {
                return Cow::from(format!("without-{}", names.join("-")));
            }
            Self::NumberedAlternative(number) => return Cow::from(format!("form-{number}")),
            Self::With(name) => return Cow::from(format!("with-{name}")),
            Self::Element | Self::Value => "each",
            Self::Rest => "rest",
            Self::Others => "others",
            Self::Names => "names",
            Self::Contains(_) => "contains",
            Self::Content => "content",
            Self::Not => "not",
            Self::If | Self::When(_) => "if",
            Self::Then => "then",
            Self::Otherwise => "else",
            Self::Params => "params",
            Self::Result => "result",
            Self::Item => "item",
        })
    }
}

/// Returns a text with a list of the members that an alternative has or lacks.
fn listed_names(key: &str, names: &[&str], strings: &Strings) -> Cow<'static, str> {
    Cow::from(strings.with(key, &shorten(&names.join(", "), 80)))
}

/// Returns the text of a condition on the value of one property.
fn test_text(test: &PropertyTest<'_>, strings: &Strings) -> String {
    let key = if test.is_required {
        "tree.when"
    } else {
        "tree.when.absent"
    };
    let values: Vec<_> = test.values.iter().map(ToString::to_string).collect();
    strings.with_all(key, &[test.name, &values.join(strings.get("type.or"))])
}
