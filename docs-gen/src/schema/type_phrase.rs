//! The types of values in words, before they are written: "array of Book", "string or null".

use docent_describe::json::Json;
use docent_describe::schema::{
    Alternative, Elements, Kinds, ListedValue, Node, Outline, Union, Unread, View,
};

/// The maximum number of types that are listed. More are counted.
const MAX_LISTED: usize = 4;

/// The maximum depth of a type in words. A deeper one is not readable on one line, and its rows are clearer.
const MAX_DEPTH: usize = 5;

/// A type in words.
#[derive(Debug)]
pub(crate) enum TypeWords<'t> {
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
    /// A list of elements of one type.
    Array(Box<Self>),
    /// A list with a type for each position, and perhaps more elements.
    Tuple(Vec<Self>, Tail),
    /// An object whose names are data.
    Map(Box<Self>),
    /// The only value.
    Value(&'t Json),
    /// One of the values that are listed below, of one kind if all have it.
    Values(Option<&'static str>),
    /// One of so many alternatives that are listed below.
    Forms(usize),
    /// Any of these.
    Either(Vec<Self>),
    /// All of these at once.
    All(Vec<Self>),
    /// These words if the value is of their kind, and otherwise anything, perhaps but null.
    IfOfKind {
        words: Box<Self>,
        takes_null: bool,
    },
    /// Something too deep to say on one line.
    More,
}

/// A detail that narrows a basic type.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Detail<'t> {
    /// The format of a text or number, such as `date-time`.
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

/// The end of a list with a type for each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    /// No more elements.
    Closed,
    /// More elements, which the rows below describe.
    Open,
}

impl<'t> TypeWords<'t> {
    /// Says the type of a value.
    pub(crate) fn new(view: &'t View<'t>) -> Self {
        Self::nested(view, 0)
    }

    /// Says the type of a value of which other schemas say more, as far as that is about kinds.
    pub(crate) fn within(view: &'t View<'t>, whole: &View<'t>) -> Self {
        let kinds = view.kinds & whole.kinds;
        Self::or_null(whole, Self::besides_null(view, kinds, 0))
    }

    /// Says the type of a value that is of one of these kinds or null.
    pub(crate) fn for_kinds(view: &'t View<'t>, kinds: Kinds) -> Self {
        Self::besides_null(view, view.kinds & kinds, 0)
    }

    /// Says the type of an alternative. Whether null is accepted is said of the value as a whole.
    pub(crate) fn for_alternative(alternative: &Alternative<'t>) -> Self {
        Self::besides_null(alternative.view, alternative.kinds, 0)
    }

    /// Says the type of a value, at this depth of the words.
    fn nested(view: &'t View<'t>, depth: usize) -> Self {
        Self::or_null(view, Self::besides_null(view, view.kinds, depth))
    }

    /// Returns whether the words name a numeric type whose range is that of the value's numbers, so that its bounds need
    /// not be told. Those of narrow types are, because few readers know them by heart.
    pub(super) fn say_range(&self, view: &View<'_>) -> bool {
        let is_wide = (view.width()).is_some_and(|width| !["8", "16"].contains(&bits(width)));
        is_wide && self.name_number()
    }

    /// Returns whether a type of numbers is among the words for the value itself.
    fn name_number(&self) -> bool {
        match self {
            Self::Basic("integer" | "number", _) => true,
            Self::Either(types) | Self::All(types) => types.iter().any(Self::name_number),
            _ => false,
        }
    }

    /// Adds to the type of a value, in words without null, whether null is accepted.
    fn or_null(view: &View<'t>, words: Self) -> Self {
        match (view.takes_null, words) {
            (Some(false), words) => words,
            (_, Self::NotNull) => Self::Any,
            (_, Self::IfOfKind { words, .. }) => Self::IfOfKind {
                words,
                takes_null: true,
            },
            (None, words) => words,
            (Some(true), Self::Nothing) => Self::Null,
            (Some(true), Self::Either(mut types)) => {
                types.push(Self::Null);
                Self::Either(types)
            }
            (Some(true), words) => Self::Either(vec![words, Self::Null]),
        }
    }

    /// Says the type of the values of these kinds.
    fn besides_null(view: &'t View<'t>, kinds: Kinds, depth: usize) -> Self {
        if depth > MAX_DEPTH {
            return Self::More;
        }
        if kinds == Kinds::NONE {
            return Self::Nothing;
        }
        let names = view.names();
        let mut parts: Vec<Self> = names.iter().map(|name| Self::Shared(name)).collect();
        if names.is_empty() {
            parts.extend(view.unread.iter().filter_map(unread));
        }
        if parts.is_empty() {
            return Self::own(view, kinds, depth);
        }
        if !view.kinds.within(kinds) {
            parts.push(Self::by_kinds(view, kinds, depth));
        } else if adds_to_names(view) {
            match Self::own(view, kinds, depth) {
                Self::NotNull => {}
                own => parts.push(own),
            }
        }
        if parts.len() > MAX_LISTED {
            parts.truncate(MAX_LISTED);
            parts.push(Self::More);
        }
        match parts.len() {
            1 => parts.remove(0),
            _ => Self::All(parts),
        }
    }

    /// Says a type without the names of shared types.
    fn own(view: &'t View<'t>, kinds: Kinds, depth: usize) -> Self {
        match view.outline_of(kinds) {
            Outline::Nothing | Outline::Null => Self::Nothing,
            Outline::Listed(values) => Self::listed(values),
            // What could not be read may refuse some of the values, and adds none.
            Outline::Unknown => match &view.listed {
                Some(values) => Self::listed(values),
                None => Self::by_kinds(view, kinds, depth),
            },
            Outline::Alternatives([only]) if has_only_alternatives(view) => {
                Self::choice(only, depth)
            }
            Outline::Object => Self::object(view, depth),
            Outline::Array => Self::array(view, depth),
            Outline::Alternatives(_) | Outline::Scalar(_) | Outline::Mixed(_) => {
                Self::by_kinds(view, kinds, depth)
            }
        }
    }

    /// Says the type of a value that is one of those that are listed.
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

    /// Says a type by its alternatives, or by their number if they are many or long.
    fn choice(union: &Union<'t>, depth: usize) -> Self {
        let count = union.alternatives.len();
        if count > MAX_LISTED {
            return Self::Forms(count);
        }
        let types: Vec<Self> = union
            .alternatives
            .iter()
            .map(|alternative| Self::besides_null(alternative.view, alternative.kinds, depth + 1))
            .collect();
        if types.iter().all(Self::is_short) {
            Self::Either(types)
        } else {
            Self::Forms(count)
        }
    }

    /// Returns whether the words say enough to list them among others.
    fn is_short(&self) -> bool {
        match self {
            Self::Basic(kind, _) => *kind != "object",
            Self::Shared(_) | Self::Array(_) | Self::Map(_) | Self::Value(_) => true,
            _ => false,
        }
    }

    /// Says a type by the kinds of JSON that the value can be.
    fn by_kinds(view: &'t View<'t>, kinds: Kinds, depth: usize) -> Self {
        if kinds == Kinds::ALL.without(Kinds::NULL) {
            return match described_kind(view) {
                Some(kind) => Self::IfOfKind {
                    words: Box::new(Self::kind(view, kinds, kind, depth)),
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

    /// Says what a value is if it is of this kind.
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

    /// Says the type of an object: a map, or an object with the title that its author gives it.
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

    /// Returns whether the words for these elements say how many there can be.
    pub(super) fn ends_with_places(elements: &Elements<'_>) -> bool {
        let count = elements.places.len();
        elements.is_closed() && (1..=MAX_LISTED).contains(&count)
    }

    /// Says the type of a list.
    fn array(view: &'t View<'t>, depth: usize) -> Self {
        let elements = view.elements();
        if !elements.places.is_empty() {
            let places = elements
                .places
                .iter()
                .take(MAX_LISTED)
                .map(|nodes| Self::nested(view.views.view(nodes), depth + 1));
            let tail = if Self::ends_with_places(&elements) {
                Tail::Closed
            } else {
                Tail::Open
            };
            return Self::Tuple(places.collect(), tail);
        }
        if elements.rest.is_empty() {
            return Self::Basic("array", None);
        }
        Self::Array(Box::new(Self::nested(
            view.views.view(&elements.rest),
            depth + 1,
        )))
    }
}

/// Returns the nodes of each value, if objects are maps: their names are data.
pub(super) fn map_values<'t>(view: &View<'t>) -> Option<Vec<&'t Node<'t>>> {
    let others = view.other_properties();
    let is_map = others.patterns.is_empty() && !others.are_refused && !others.nodes.is_empty();
    (is_map && view.properties().is_empty()).then_some(others.nodes)
}

/// Says a part that could not be read.
fn unread<'t>(unread: &Unread<'t>) -> Option<TypeWords<'t>> {
    match unread {
        Unread::Lost(reference) => Some(TypeWords::Lost(reference)),
        Unread::Cycle | Unread::TooMuch => Some(TypeWords::Unknown),
        // The keyword is shown as it is written.
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
    let describes = view.own_nodes().any(|node| {
        let objects = node.objects.as_deref();
        let arrays = node.arrays.as_deref();
        node.listed.is_some()
            || objects.is_some_and(|objects| {
                let others = objects.others.as_deref();
                !objects.properties.is_empty()
                    || !objects.patterns.is_empty()
                    || others.is_some_and(|others| !others.accepts_all())
            })
            || arrays.is_some_and(|arrays| !arrays.places.is_empty() || arrays.rest.is_some())
    });
    describes || view.unions.iter().any(|union| union.from.is_none()) || !view.has_kinds_of_names()
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
    let encoding = view.strings().find_map(|strings| strings.encoding);
    let format = view.formats().first().copied();
    encoding
        .map(Detail::Encoding)
        .or(format.map(Detail::Format))
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
    // A list of integers and fractions is one of numbers.
    let kinds = if kinds.within(Kinds::NUMBER) {
        Kinds::NUMBER
    } else {
        kinds
    };
    kinds.type_names().next().unwrap_or_default()
}
