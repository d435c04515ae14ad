//! The type of a value as a phrase, before it is written: "array of Book", "string or null".
//!
//! A phrase fits on one line. Where it does not, it says less, and the rows below say the rest: an object is "object"
//! with a row for each member, and a union of long alternatives is "one of 3" with a row for each. The
//! [outline](docent_describe::schema::Outline) of the view decides which phrase it is, and `view/phrases.rs` writes it.

use docent_describe::json::Json;
use docent_describe::schema::{
    Alternative, Elements, Kinds, ListedValue, Node, Outline, Union, Unread, View,
};

/// The maximum number of types in a phrase. More are counted.
const MAX_LISTED: usize = 4;

/// The maximum depth of a phrase. A deeper one is not readable on one line, and its rows are clearer.
const MAX_DEPTH: usize = 5;

/// The type of a value as a phrase.
#[derive(Debug)]
pub(crate) enum TypePhrase<'t> {
    /// Any value.
    Any,
    /// Any value but null.
    NotNull,
    /// No value at all.
    Nothing,
    Null,
    /// `boolean`, `integer`, `number`, `string`, `array` or `object`, with what narrows it.
    Basic(&'static str, Option<Detail<'t>>),
    /// A shared type.
    Shared(&'t str),
    /// A reference that leads nowhere in the description.
    Lost(&'t str),
    /// A part that could not be read.
    Unknown,
    /// An object, by its title.
    Titled(&'t str),
    /// An array of elements of one type.
    Array(Box<Self>),
    /// An array with a type for each position, and perhaps more elements.
    Tuple(Vec<Self>, Tail),
    /// An object whose names are data.
    Map(Box<Self>),
    /// The only value.
    Value(&'t Json),
    /// One of the values that are listed below, of one kind if all have it.
    Values(Option<&'static str>),
    /// One of so many alternatives, which have rows below.
    Alternatives(usize),
    /// Any of these.
    Either(Vec<Self>),
    /// All of these at once.
    All(Vec<Self>),
    /// This type if the value is of its kind, and otherwise anything, perhaps but null.
    IfOfKind {
        phrase: Box<Self>,
        takes_null: bool,
    },
    /// Something that is too deep or too long to say on one line.
    TooLong,
}

/// A detail that narrows a basic type.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Detail<'t> {
    /// The format of a string or number, such as `date-time`.
    Format(&'t str),
    /// Bytes in an encoding.
    Encoding(&'t str),
    /// The number of bits of a number.
    Bits {
        count: &'static str,
        is_unsigned: bool,
    },
    /// No whole numbers.
    NotWhole,
}

/// The end of an array with a type for each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    /// No more elements.
    Closed,
    /// More elements, which the rows below describe.
    Open,
}

impl<'t> TypePhrase<'t> {
    /// Describes the type of a value.
    pub(crate) fn new(view: &'t View<'t>) -> Self {
        Self::nested(view, 0)
    }

    /// Describes the type that `view` gives a value, of the kinds that all schemas of the value accept.
    pub(crate) fn within(view: &'t View<'t>, full_view: &View<'t>) -> Self {
        let kinds = view.kinds & full_view.kinds;
        Self::or_null(full_view, Self::without_null(view, kinds, 0))
    }

    /// Describes the type of a value that is of one of these kinds or null.
    pub(crate) fn for_kinds(view: &'t View<'t>, kinds: Kinds) -> Self {
        Self::without_null(view, view.kinds & kinds, 0)
    }

    /// Describes the type of an alternative. The phrase of the union says whether null is accepted.
    pub(crate) fn for_alternative(alternative: &Alternative<'t>) -> Self {
        Self::without_null(alternative.view, alternative.kinds, 0)
    }

    /// Describes the type of a value at this depth of a phrase.
    fn nested(view: &'t View<'t>, depth: usize) -> Self {
        Self::or_null(view, Self::without_null(view, view.kinds, depth))
    }

    /// Returns whether the phrase names a numeric type whose range is that of the value's numbers, so that its bounds
    /// are no facts. Those of narrow types are, because few readers know them by heart.
    pub(super) fn says_range(&self, view: &View<'_>) -> bool {
        let is_wide = view
            .width()
            .is_some_and(|width| !["8", "16"].contains(&bits(width)));
        is_wide && self.names_number()
    }

    /// Returns whether the phrase names a type of numbers for the value itself.
    fn names_number(&self) -> bool {
        match self {
            Self::Basic("integer" | "number", _) => true,
            Self::Either(types) | Self::All(types) => types.iter().any(Self::names_number),
            _ => false,
        }
    }

    /// Adds "or null" to the phrase for the values that are not null, if null is accepted.
    fn or_null(view: &View<'t>, phrase: Self) -> Self {
        match (view.takes_null, phrase) {
            (Some(false), phrase) => phrase,
            (_, Self::NotNull) => Self::Any,
            (_, Self::IfOfKind { phrase, .. }) => Self::IfOfKind {
                phrase,
                takes_null: true,
            },
            // Unknown, because a part could not be read.
            (None, phrase) => phrase,
            (Some(true), Self::Nothing) => Self::Null,
            (Some(true), Self::Either(mut types)) => {
                types.push(Self::Null);
                Self::Either(types)
            }
            (Some(true), phrase) => Self::Either(vec![phrase, Self::Null]),
        }
    }

    /// Describes the type of the values of these kinds, by the shared types that the value is and what is said beside
    /// them.
    fn without_null(view: &'t View<'t>, kinds: Kinds, depth: usize) -> Self {
        if depth > MAX_DEPTH {
            return Self::TooLong;
        }
        if kinds == Kinds::NONE {
            return Self::Nothing;
        }
        let mut parts = Vec::new();
        for name in view.names() {
            parts.push(Self::Shared(name));
        }
        if parts.is_empty() {
            parts.extend(view.unread.iter().filter_map(of_unread));
        }
        if parts.is_empty() {
            return Self::unnamed(view, kinds, depth);
        }
        if !view.kinds.within(kinds) {
            parts.push(Self::by_kinds(view, kinds, depth));
        } else if adds_to_names(view) {
            match Self::unnamed(view, kinds, depth) {
                Self::NotNull => {}
                phrase => parts.push(phrase),
            }
        }
        if parts.len() > MAX_LISTED {
            parts.truncate(MAX_LISTED);
            parts.push(Self::TooLong);
        }
        match parts.len() {
            1 => parts.remove(0),
            _ => Self::All(parts),
        }
    }

    /// Describes a type without the names of shared types.
    fn unnamed(view: &'t View<'t>, kinds: Kinds, depth: usize) -> Self {
        match view.outline_of(kinds) {
            Outline::Nothing | Outline::Null => Self::Nothing,
            Outline::Listed(values) => Self::listed(values),
            // What could not be read may refuse some of the values, and adds none.
            Outline::Unknown => match &view.listed {
                Some(values) => Self::listed(values),
                None => Self::by_kinds(view, kinds, depth),
            },
            Outline::Alternatives([only]) if has_only_alternatives(view) => {
                Self::union(only, depth)
            }
            Outline::Object => Self::object(view, depth),
            Outline::Array => Self::array(view, depth),
            Outline::Alternatives(_) | Outline::Scalar(_) | Outline::Mixed(_) => {
                Self::by_kinds(view, kinds, depth)
            }
        }
    }

    /// Describes the type of a value that is one of those that are listed.
    fn listed(values: &[ListedValue<'t>]) -> Self {
        match values {
            [] => Self::Nothing,
            [only] => Self::Value(only.value),
            [first, others @ ..] => {
                let kind = kind_word(Kinds::of_value(first.value));
                let is_common = others
                    .iter()
                    .all(|other| kind_word(Kinds::of_value(other.value)) == kind);
                Self::Values(is_common.then_some(kind))
            }
        }
    }

    /// Describes a type by its alternatives, or by their number if they are many or long.
    fn union(union: &Union<'t>, depth: usize) -> Self {
        let count = union.alternatives.len();
        if count > MAX_LISTED {
            return Self::Alternatives(count);
        }
        let mut types = Vec::new();
        for alternative in &union.alternatives {
            let phrase = Self::without_null(alternative.view, alternative.kinds, depth + 1);
            if !phrase.is_informative() {
                return Self::Alternatives(count);
            }
            types.push(phrase);
        }
        Self::Either(types)
    }

    /// Returns whether the phrase says enough of an alternative to list it among others.
    fn is_informative(&self) -> bool {
        match self {
            Self::Basic(kind, _) => *kind != "object",
            Self::Shared(_) | Self::Array(_) | Self::Map(_) | Self::Value(_) => true,
            _ => false,
        }
    }

    /// Describes a type by the kinds of JSON that the value can be.
    fn by_kinds(view: &'t View<'t>, kinds: Kinds, depth: usize) -> Self {
        if kinds == Kinds::ALL.without(Kinds::NULL) {
            return match described_kind(view) {
                Some(kind) => Self::IfOfKind {
                    phrase: Box::new(Self::kind(view, kinds, kind, depth)),
                    takes_null: false,
                },
                None => Self::NotNull,
            };
        }
        let mut types: Vec<Self> = kinds
            .type_names()
            .map(|kind| Self::kind(view, kinds, kind, depth))
            .collect();
        match types.len() {
            1 => types.remove(0),
            _ => Self::Either(types),
        }
    }

    /// Describes the type of a value that is of this kind.
    fn kind(view: &'t View<'t>, kinds: Kinds, kind: &'static str, depth: usize) -> Self {
        match kind {
            "object" => Self::object(view, depth),
            "array" => Self::array(view, depth),
            "string" => Self::Basic(kind, string_detail(view)),
            "number" if !kinds.meet(Kinds::INTEGER) => Self::Basic(kind, Some(Detail::NotWhole)),
            "integer" | "number" => Self::Basic(kind, number_detail(view, kind)),
            _ => Self::Basic(kind, None),
        }
    }

    /// Describes the type of an object: a map, or an object with the title that its author gives it.
    fn object(view: &'t View<'t>, depth: usize) -> Self {
        if let Some(nodes) = map_values(view) {
            let values = view.views.view(&nodes);
            return Self::Map(Box::new(Self::nested(values, depth + 1)));
        }
        match view.title() {
            Some(title) if depth > 0 && view.names().is_empty() => Self::Titled(title),
            _ => Self::Basic("object", None),
        }
    }

    /// Returns whether the phrase for these elements has a type for each that there can be.
    pub(super) fn says_length(elements: &Elements<'_>) -> bool {
        let count = elements.prefix.len();
        elements.is_closed() && (1..=MAX_LISTED).contains(&count)
    }

    /// Describes the type of an array.
    fn array(view: &'t View<'t>, depth: usize) -> Self {
        let elements = view.elements();
        if elements.prefix.is_empty() {
            if elements.rest.is_empty() {
                return Self::Basic("array", None);
            }
            let rest = view.views.view(&elements.rest);
            return Self::Array(Box::new(Self::nested(rest, depth + 1)));
        }
        let mut types = Vec::new();
        for nodes in elements.prefix.iter().take(MAX_LISTED) {
            types.push(Self::nested(view.views.view(nodes), depth + 1));
        }
        let tail = if Self::says_length(&elements) {
            Tail::Closed
        } else {
            Tail::Open
        };
        Self::Tuple(types, tail)
    }
}

/// Returns the nodes of each value, if objects are maps: their names are data.
pub(super) fn map_values<'t>(view: &View<'t>) -> Option<Vec<&'t Node<'t>>> {
    let others = view.other_properties();
    let is_map = others.patterns.is_empty() && !others.are_refused && !others.nodes.is_empty();
    (is_map && view.properties().is_empty()).then_some(others.nodes)
}

/// Returns the phrase for a part that could not be read.
fn of_unread<'t>(unread: &Unread<'t>) -> Option<TypePhrase<'t>> {
    match unread {
        Unread::Lost(reference) => Some(TypePhrase::Lost(reference)),
        Unread::Cycle | Unread::TooMuch => Some(TypePhrase::Unknown),
        // The keyword is a fact, as it is written.
        Unread::Malformed(_) => None,
    }
}

/// Returns whether the nodes about a value that belong to no shared type say nothing but its alternatives.
fn has_only_alternatives(view: &View<'_>) -> bool {
    view.own_nodes().all(|node| {
        node.objects.is_none()
            && node.arrays.is_none()
            && node.strings.is_none()
            && node.numbers.is_none()
    })
}

/// Returns whether a value has a type of its own besides the shared types that it is.
fn adds_to_names(view: &View<'_>) -> bool {
    view.own_nodes().any(describes_type)
        || view.unions.iter().any(|union| union.from.is_none())
        || !view.has_kinds_of_names()
}

/// Returns whether a node lists values, or describes members or elements.
fn describes_type(node: &Node<'_>) -> bool {
    if node.listed.is_some() {
        return true;
    }
    if let Some(objects) = node.objects.as_deref() {
        let others = objects.others.as_deref();
        if !objects.properties.is_empty()
            || !objects.patterns.is_empty()
            || others.is_some_and(|others| !others.accepts_all())
        {
            return true;
        }
    }
    node.arrays
        .as_deref()
        .is_some_and(|arrays| !arrays.prefix.is_empty() || arrays.rest.is_some())
}

/// Returns the only kind whose parts the author describes, perhaps without asking for it.
pub(crate) fn described_kind(view: &View<'_>) -> Option<&'static str> {
    match view.described_kinds() {
        Kinds::OBJECT => Some("object"),
        Kinds::ARRAY => Some("array"),
        _ => None,
    }
}

/// Returns the encoding of a string, or else its first format.
fn string_detail<'t>(view: &View<'t>) -> Option<Detail<'t>> {
    if let Some(encoding) = view.strings().find_map(|strings| strings.encoding) {
        return Some(Detail::Encoding(encoding));
    }
    view.formats().first().map(|format| Detail::Format(format))
}

/// Returns the number of bits of a number, or else its format. A number of 64 bits is one like any other.
fn number_detail<'t>(view: &View<'t>, kind: &str) -> Option<Detail<'t>> {
    if kind == "integer"
        && let Some(width) = view.integer_width()
    {
        return Some(Detail::Bits {
            count: bits(width),
            is_unsigned: width.starts_with('u'),
        });
    }
    let format = view.formats().first().copied();
    if format.is_none() && kind == "number" && view.width() == Some("float") {
        return Some(Detail::Bits {
            count: "32",
            is_unsigned: false,
        });
    }
    format.map(Detail::Format)
}

/// Returns the part of the name of an integer type that is its number of bits.
fn bits(name: &str) -> &str {
    name.trim_start_matches("uint").trim_start_matches("int")
}

/// Returns the word for values of one kind.
fn kind_word(kinds: Kinds) -> &'static str {
    // Integers and fractions together are numbers.
    let kinds = if kinds.within(Kinds::NUMBER) {
        Kinds::NUMBER
    } else {
        kinds
    };
    kinds.type_names().next().unwrap_or_default()
}
