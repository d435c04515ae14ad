//! Decides whether a value is valid as a reader of a page would, from the rows of the page alone.
//!
//! The verdict is unknown where a page says something in a form that only programs read exactly, and where it says that
//! it has left something out.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::{Kinds, ListedValue, Node, SchemaViews, Side, Span, UnionRule};

use crate::schema::facts::Fact;
use crate::schema::row::Row;
use crate::schema::row_name::RowName;
use crate::schema::tree::RowTree;
use crate::schema::type_phrase::{Detail, Tail, TypePhrase};
use crate::schema::unions::UnionNote;

/// The maximum number of rows that are read inside each other, through the pages of types.
const MAX_DEPTH: usize = 12;

/// The maximum number of rows that are read for one value.
const MAX_ROWS: usize = 3_000;

/// True, false, or unknown.
type Verdict = Option<bool>;

fn all(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    let mut all = Some(true);
    for verdict in verdicts {
        match verdict {
            Some(false) => return verdict,
            None => all = None,
            Some(true) => {}
        }
    }
    all
}

fn not(verdict: Verdict) -> Verdict {
    verdict.map(|verdict| !verdict)
}

fn any(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    not(all(verdicts.into_iter().map(not)))
}

fn exactly_one(verdicts: &[Verdict]) -> Verdict {
    let fitting = verdicts
        .iter()
        .filter(|verdict| **verdict == Some(true))
        .count();
    let is_known = !verdicts.contains(&None);
    (fitting > 1 || is_known).then_some(fitting == 1)
}

/// The rows of a page, the row of the value itself first.
type Rows<'t> = [Row<'t>];

pub(super) struct Reader<'t> {
    views: &'t SchemaViews<'t>,
    /// The side whose members are read, or `None` for those of both.
    side: Option<Side>,
    /// The pages of types that have been read.
    pages: RefCell<HashMap<String, Rc<Rows<'t>>>>,
    rows_left: Cell<usize>,
    depth_left: Cell<usize>,
}

/// A value, and the values that the row lists which it is compared with.
#[derive(Clone, Copy)]
struct RowValue<'r, 't> {
    value: &'r Json,
    listed: &'r [ListedValue<'t>],
}

impl<'t> Reader<'t> {
    pub(super) fn new(views: &'t SchemaViews<'t>) -> Self {
        Self {
            views,
            side: None,
            pages: RefCell::default(),
            rows_left: Cell::new(0),
            depth_left: Cell::new(MAX_DEPTH),
        }
    }

    /// Reads only the members of a side.
    pub(super) fn on_side(self, side: Side) -> Self {
        Self {
            side: Some(side),
            ..self
        }
    }

    /// Lists the rows of a page about a node.
    pub(super) fn page(&self, node: &'t Node<'t>) -> Rc<Rows<'t>> {
        let mut tree = RowTree::new(self.views);
        if let Some(side) = self.side {
            tree.turn_to(side);
        }
        tree.add_shared_type("", node);
        tree.take_rows().into()
    }

    /// Returns whether a value is one that the page describes.
    pub(super) fn accepts(&self, page: &Rows<'t>, value: &Json) -> Verdict {
        self.rows_left.set(MAX_ROWS);
        self.row(page, value)
    }

    /// Returns whether a value fits the first of these rows, with those below it.
    fn row(&self, rows: &Rows<'t>, value: &Json) -> Verdict {
        self.rows_left.set(self.rows_left.get().checked_sub(1)?);
        let deeper = self.depth_left.get().checked_sub(1)?;
        self.depth_left.set(deeper);
        let verdict = self.row_itself(rows, value);
        self.depth_left.set(deeper + 1);
        verdict
    }

    fn row_itself(&self, rows: &Rows<'t>, value: &Json) -> Verdict {
        let (row, _) = rows.split_first()?;
        let typed = self.type_phrase(
            &row.type_phrase,
            RowValue {
                value,
                listed: &row.values,
            },
        );
        if *value == Json::Null {
            // Null is allowed or not whatever else is said, unless that is about null.
            let is_explained = row
                .facts
                .iter()
                .all(|fact| !matches!(fact, Fact::Keyword(..)));
            let is_complete = is_explained && rows.iter().all(|row| row.cut.is_none());
            return match typed {
                Some(true) if has_conditions(rows) || !is_complete => None,
                typed => typed,
            };
        }
        let children = children(rows);
        let mut verdicts = vec![typed, self.below(row, &children, value)];
        for fact in &row.facts {
            verdicts.push(self.fact(fact, &children, value));
        }
        all(verdicts)
    }

    /// Returns whether a value fits the phrase of a type.
    fn type_phrase(&self, phrase: &TypePhrase<'t>, row: RowValue<'_, 't>) -> Verdict {
        let value = row.value;
        match phrase {
            TypePhrase::Any => Some(true),
            TypePhrase::NotNull => Some(*value != Json::Null),
            TypePhrase::Nothing => Some(false),
            TypePhrase::Null => Some(*value == Json::Null),
            TypePhrase::Unknown | TypePhrase::Lost(_) | TypePhrase::TooLong => None,
            TypePhrase::Basic(_, Some(Detail::NotWhole)) => {
                Some(Kinds::of_value(value) == Kinds::FRACTION)
            }
            TypePhrase::Basic(kind, Some(Detail::Bits { count, is_unsigned })) => {
                Some(is_kind(value, kind) && has_bits(value, kind, count, *is_unsigned))
            }
            TypePhrase::Basic(kind, _) => Some(is_kind(value, kind)),
            TypePhrase::Titled(_) => Some(is_kind(value, "object")),
            TypePhrase::Shared(name) => self.named(name, value),
            TypePhrase::Array(elements) => match value.as_array() {
                Some(array) => all(array
                    .iter()
                    .map(|value| self.type_phrase(elements, RowValue { value, ..row }))),
                None => Some(false),
            },
            TypePhrase::Tuple(types, tail) => self.tuple(types, *tail, row),
            TypePhrase::Map(values) => match value.as_object() {
                Some(object) => all(object
                    .values()
                    .map(|value| self.type_phrase(values, RowValue { value, ..row }))),
                None => Some(false),
            },
            TypePhrase::Value(only) => Some(same(only, value)),
            // "One of the values listed", which are none here.
            TypePhrase::Values(_) if row.listed.is_empty() => None,
            TypePhrase::Values(_) => {
                Some(row.listed.iter().any(|listed| same(listed.value, value)))
            }
            // The rows below say which.
            TypePhrase::Alternatives(_) => (*value != Json::Null).then_some(true).or(Some(false)),
            TypePhrase::Either(types) => {
                any(types.iter().map(|phrase| self.type_phrase(phrase, row)))
            }
            TypePhrase::All(types) => all(types.iter().map(|phrase| self.type_phrase(phrase, row))),
            TypePhrase::IfOfKind { takes_null, .. } if *value == Json::Null => Some(*takes_null),
            TypePhrase::IfOfKind { phrase, .. } => {
                let kind = match **phrase {
                    TypePhrase::Array(_)
                    | TypePhrase::Tuple(..)
                    | TypePhrase::Basic("array", _) => "array",
                    _ => "object",
                };
                any([Some(!is_kind(value, kind)), self.type_phrase(phrase, row)])
            }
        }
    }

    fn tuple(&self, types: &[TypePhrase<'t>], tail: Tail, row: RowValue<'_, 't>) -> Verdict {
        let Some(array) = row.value.as_array() else {
            return Some(false);
        };
        let mut verdicts = vec![Some(array.len() <= types.len() || tail == Tail::Open)];
        for (value, phrase) in array.iter().zip(types) {
            verdicts.push(self.type_phrase(phrase, RowValue { value, ..row }));
        }
        all(verdicts)
    }

    /// Returns whether a value fits the page of a shared type.
    fn named(&self, name: &str, value: &Json) -> Verdict {
        let (_, node) = self.views.tree.shared(name)?;
        let page = self
            .pages
            .borrow_mut()
            .entry(name.to_owned())
            .or_insert_with(|| self.page(node))
            .clone();
        self.row(&page, value)
    }

    fn fact(&self, fact: &Fact<'t>, children: &[&Rows<'t>], value: &Json) -> Verdict {
        match (fact, value) {
            (Fact::Between(least, most), Json::Number(number)) => {
                let number = Decimal::new(number);
                Some(number >= Decimal::new(least) && number <= Decimal::new(most))
            }
            (Fact::Number("fact.minimum", bound), Json::Number(number)) => {
                Some(Decimal::new(number) >= Decimal::new(bound))
            }
            (Fact::Number("fact.maximum", bound), Json::Number(number)) => {
                Some(Decimal::new(number) <= Decimal::new(bound))
            }
            (Fact::Number("fact.above", bound), Json::Number(number)) => {
                Some(Decimal::new(number) > Decimal::new(bound))
            }
            (Fact::Number("fact.below", bound), Json::Number(number)) => {
                Some(Decimal::new(number) < Decimal::new(bound))
            }
            (Fact::Number("fact.multiple", step), Json::Number(number)) => {
                Some(float(number) % float(step) == 0.0)
            }
            (Fact::Count("length", span), Json::String(text)) => {
                Some(is_within(*span, text.chars().count()))
            }
            (Fact::Count("items", span), Json::Array(array)) => Some(is_within(*span, array.len())),
            (Fact::Count("members", span), Json::Object(object)) => {
                Some(is_within(*span, object.len()))
            }
            (Fact::Code("fact.pattern", pattern), Json::String(text)) => {
                self.views.tree.matches(pattern, text)
            }
            (Fact::Phrase("fact.unique"), Json::Array(array)) => Some(are_unique(array)),
            (Fact::Phrase("fact.closed"), Json::Object(object)) => {
                let mut verdicts = Vec::new();
                for name in unlisted_names(children, object) {
                    // Which alternative or condition holds decides.
                    verdicts.push(if children.iter().any(|rows| adds_property(rows, name)) {
                        None
                    } else {
                        self.matches_any(children, name)
                    });
                }
                all(verdicts)
            }
            (Fact::Requires(name, others), Json::Object(object)) => {
                let has_all = others.iter().all(|other| object.contains_key(other));
                Some(!object.contains_key(name) || has_all)
            }
            (Fact::NotTogether(names), Json::Object(object)) => {
                Some(!names.iter().all(|name| object.contains_key(name)))
            }
            (Fact::Tag(path, values), _) => {
                let found = path.iter().try_fold(value, |value, name| value.get(name));
                Some(found.is_none_or(|found| values.iter().any(|value| same(value, found))))
            }
            (Fact::Phrase("fact.closed_by_form") | Fact::Keyword(..), _) => None,
            // A member that is not accepted is found by its name.
            _ => Some(true),
        }
    }

    /// Returns whether a value fits the rows below its own.
    fn below(&self, row: &Row<'t>, children: &[&Rows<'t>], value: &Json) -> Verdict {
        if row.cut.is_some() || children.iter().any(|rows| rows[0].cut.is_some()) {
            return None;
        }
        let has_each = children
            .iter()
            .any(|rows| matches!(rows[0].name, RowName::Element | RowName::Value));
        if let Some(inner) = inner_of(&row.type_phrase)
            && !has_each
            && !children.is_empty()
        {
            let (names, children): (Vec<_>, Vec<_>) = children
                .iter()
                .copied()
                .partition(|rows| rows[0].name == RowName::Names);
            let keys_fit = value.as_object().map_or(Some(true), |object| {
                let keys = object.keys().map(|name| Json::from(name.as_str()));
                all(keys.map(|key| all(names.iter().map(|rows| self.row(rows, &key)))))
            });
            let children = &children[..];
            // The other rows are about each element or value.
            let each = match (inner, value) {
                (TypePhrase::Array(_), Json::Array(array)) => {
                    all(array.iter().map(|value| self.parts(row, children, value)))
                }
                (TypePhrase::Map(_), Json::Object(object)) => all(object
                    .values()
                    .map(|value| self.parts(row, children, value))),
                _ => Some(true),
            };
            return all([keys_fit, each]);
        }
        self.parts(row, children, value)
    }

    fn parts(&self, row: &Row<'t>, children: &[&Rows<'t>], value: &Json) -> Verdict {
        let mut verdicts = Vec::new();
        let mut alternatives = Vec::new();
        let mut condition = None;
        let positions = children
            .iter()
            .filter(|rows| matches!(rows[0].name, RowName::Position(_)))
            .count();
        let array = value.as_array().unwrap_or_default();
        let empty = Object::new();
        let object = value.as_object().unwrap_or(&empty);
        for rows in children {
            let child = &rows[0];
            match &child.name {
                RowName::Property(name) => verdicts.push(self.property(rows, name, value)),
                RowName::Position(index) => verdicts.push(match (value, array.get(*index)) {
                    (Json::Array(_), Some(element)) => self.row(rows, element),
                    (Json::Array(_), None) => Some(!child.is_required),
                    _ => Some(true),
                }),
                RowName::Element => {
                    verdicts.extend(array.iter().map(|value| self.row(rows, value)));
                }
                RowName::Rest => {
                    verdicts.extend(
                        array
                            .iter()
                            .skip(positions)
                            .map(|value| self.row(rows, value)),
                    );
                }
                RowName::Value => {
                    verdicts.extend(object.values().map(|value| self.row(rows, value)));
                }
                RowName::Matching(pattern) => {
                    for name in unlisted_names(children, object) {
                        let matches = self.views.tree.matches(pattern, name);
                        verdicts.push(any([not(matches), self.member(rows, object, name)]));
                    }
                }
                RowName::Others => {
                    for name in unlisted_names(children, object) {
                        let matches = self.matches_any(children, name);
                        verdicts.push(any([matches, self.member(rows, object, name)]));
                    }
                }
                RowName::Names => {
                    for name in object.keys() {
                        verdicts.push(self.row(rows, &Json::from(name.as_str())));
                    }
                }
                RowName::Alternative(_) | RowName::NumberedAlternative(_) => {
                    alternatives.push(self.row(rows, value));
                }
                RowName::Contains(span) if matches!(value, Json::Array(_)) => {
                    verdicts.push(self.contains(rows, *span, array));
                }
                RowName::Not => verdicts.push(not(self.row(rows, value))),
                RowName::If => condition = Some(self.row(rows, value)),
                RowName::When(test) => {
                    let property = object.get(test.name);
                    let holds =
                        property.map_or(!test.is_required, |value| test.values.contains(&value));
                    condition = Some(Some(holds));
                    verdicts.push(any([Some(!holds), self.row(rows, value)]));
                }
                RowName::Then => {
                    let holds = condition.unwrap_or(None);
                    verdicts.push(any([not(holds), self.row(rows, value)]));
                }
                RowName::Otherwise => {
                    verdicts.push(any([condition.unwrap_or(None), self.row(rows, value)]));
                }
                RowName::With(name) => {
                    let holds = object.contains_key(name);
                    condition = Some(Some(holds));
                    verdicts.extend(holds.then(|| self.row(rows, value)));
                }
                _ => {}
            }
        }
        // The rows of the alternatives of all unions stand one after the other.
        let mut alternatives = alternatives.into_iter();
        for UnionNote { union, labels } in &row.unions {
            let own: Vec<_> = alternatives.by_ref().take(labels.len()).collect();
            verdicts.push(if union.rule == UnionRule::ExactlyOne {
                exactly_one(&own)
            } else {
                any(own)
            });
        }
        all(verdicts)
    }

    /// Returns whether the value of a member fits these rows.
    fn member(&self, rows: &Rows<'t>, object: &Object, name: &str) -> Verdict {
        object
            .get(name)
            .map_or(Some(true), |value| self.row(rows, value))
    }

    fn property(&self, rows: &Rows<'t>, name: &str, value: &Json) -> Verdict {
        let Some(object) = value.as_object() else {
            return Some(true);
        };
        match object.get(name) {
            Some(_) if rows[0].facts.contains(&Fact::Phrase("fact.never_accepted")) => Some(false),
            Some(property) => self.row(rows, property),
            None => Some(!rows[0].is_required),
        }
    }

    fn contains(&self, rows: &Rows<'t>, span: Span, array: &[Json]) -> Verdict {
        let verdicts: Vec<Verdict> = array.iter().map(|value| self.row(rows, value)).collect();
        let fitting = verdicts
            .iter()
            .filter(|verdict| **verdict == Some(true))
            .count();
        (!verdicts.contains(&None)).then_some(is_within(span, fitting))
    }

    /// Returns whether a name matches a pattern among these rows.
    fn matches_any(&self, rows: &[&Rows<'t>], name: &str) -> Verdict {
        any(rows.iter().map(|rows| match rows[0].name {
            RowName::Matching(pattern) => self.views.tree.matches(pattern, name),
            _ => Some(false),
        }))
    }
}

/// Returns the names in an object that have no row.
fn unlisted_names<'o>(rows: &[&Rows<'_>], object: &'o Object) -> Vec<&'o str> {
    let mut names = Vec::new();
    for name in object.keys() {
        let name = name.as_str();
        if !rows
            .iter()
            .any(|rows| rows[0].name == RowName::Property(name))
        {
            names.push(name);
        }
    }
    names
}

/// Returns whether the first row is an alternative or a condition that describes a property of this name.
fn adds_property(rows: &Rows<'_>, name: &str) -> bool {
    let adds = matches!(
        rows[0].name,
        RowName::Alternative(_)
            | RowName::NumberedAlternative(_)
            | RowName::If
            | RowName::When(_)
            | RowName::With(_)
            | RowName::Then
            | RowName::Otherwise
    );
    adds && rows[1..].iter().any(|row| {
        row.name == RowName::Property(name)
            && !row.facts.contains(&Fact::Phrase("fact.never_accepted"))
    })
}

/// Returns whether rows below say something of some values only, which may be about null.
fn has_conditions(rows: &Rows<'_>) -> bool {
    rows.iter().any(|row| {
        matches!(
            row.name,
            RowName::Not | RowName::If | RowName::When(_) | RowName::Then | RowName::Otherwise
        )
    })
}

/// Returns the rows directly below the first, each with those below it.
fn children<'r, 't>(rows: &'r Rows<'t>) -> Vec<&'r Rows<'t>> {
    let depth = rows[0].depth + 1;
    let mut children = Vec::new();
    for (start, row) in rows.iter().enumerate() {
        if row.depth == depth {
            let inner = rows[start + 1..]
                .iter()
                .take_while(|row| row.depth > depth)
                .count();
            children.push(&rows[start..=start + inner]);
        }
    }
    children
}

/// Returns whether no two elements are equal.
fn are_unique(array: &[Json]) -> bool {
    array
        .iter()
        .enumerate()
        .all(|(index, one)| !array[..index].iter().any(|other| same(one, other)))
}

/// Returns the array or the map that a type is, if it may be nothing else but null.
fn inner_of<'p, 't>(phrase: &'p TypePhrase<'t>) -> Option<&'p TypePhrase<'t>> {
    match phrase {
        TypePhrase::Array(_) | TypePhrase::Map(_) => Some(phrase),
        TypePhrase::Either(types) => match &types[..] {
            [only, TypePhrase::Null] => inner_of(only),
            _ => None,
        },
        TypePhrase::IfOfKind { phrase, .. } => inner_of(phrase),
        _ => None,
    }
}

/// Returns whether a number is one of so many bits.
fn has_bits(value: &Json, kind: &str, count: &str, is_unsigned: bool) -> bool {
    let Json::Number(number) = value else {
        return false;
    };
    let number = Decimal::new(number);
    if kind == "number" {
        return number >= Decimal::new("-3.4028235e38") && number <= Decimal::new("3.4028235e38");
    }
    let count: u32 = count.parse().expect("a number of bits");
    let half = 1_u128 << (count - 1);
    let (least, most) = if is_unsigned {
        ("0".to_owned(), half - 1 + half)
    } else {
        (format!("-{half}"), half - 1)
    };
    number >= Decimal::new(&least) && number <= Decimal::new(&most.to_string())
}

fn is_kind(value: &Json, kind: &str) -> bool {
    let kinds = Kinds::from_type_name(kind).unwrap_or(Kinds::NONE);
    Kinds::of_value(value).within(kinds)
}

fn is_within(span: Span, count: usize) -> bool {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    span.least.is_none_or(|least| count >= least) && span.most.is_none_or(|most| count <= most)
}

fn float(number: &str) -> f64 {
    number.parse().unwrap_or(f64::NAN)
}

/// Returns whether two values are equal, as JSON Schema has it: `1.0` is `1`.
fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => Decimal::new(one) == Decimal::new(other),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| {
                    other
                        .get(name.as_str())
                        .is_some_and(|other| same(value, other))
                })
        }
        (one, other) => one == other,
    }
}
