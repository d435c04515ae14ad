//! Judges a value as a reader of a page would, from the rows of the page alone.
//!
//! The answer is unknown where a page says something in a form that only programs read exactly, and
//! where it says that it has left something out.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::{Kinds, ListedValue, Node, SchemaViews, Side, Span, UnionRule};

use crate::schema::facts::Fact;
use crate::schema::row::Row;
use crate::schema::row_name::RowName;
use crate::schema::tree::RowTree;
use crate::schema::unions::UnionNote;
use crate::schema::words::{Detail, Tail, TypeWords};

/// The maximum number of rows that are read inside each other, through the pages of types.
const MAX_DEPTH: usize = 12;

/// The maximum number of rows that are read for one value.
const MAX_ROWS: usize = 3_000;

/// True, false, or unknown.
type Answer = Option<bool>;

fn all(answers: impl IntoIterator<Item = Answer>) -> Answer {
    let mut all = Some(true);
    for answer in answers {
        match answer {
            Some(false) => return answer,
            None => all = None,
            Some(true) => {}
        }
    }
    all
}

fn not(answer: Answer) -> Answer {
    answer.map(|answer| !answer)
}

fn any(answers: impl IntoIterator<Item = Answer>) -> Answer {
    not(all(answers.into_iter().map(not)))
}

fn exactly_one(answers: &[Answer]) -> Answer {
    let fitting = answers
        .iter()
        .filter(|answer| **answer == Some(true))
        .count();
    let is_known = !answers.contains(&None);
    (fitting > 1 || is_known).then_some(fitting == 1)
}

/// The rows of a page, the row of the value itself first.
type Rows<'t> = [Row<'t>];

pub(super) struct Reader<'t> {
    views: &'t SchemaViews<'t>,
    /// The direction whose members are read, or `None` for those of both.
    side: Option<Side>,
    /// The pages of types that have been read.
    pages: RefCell<HashMap<String, Rc<Rows<'t>>>>,
    rows_left: Cell<usize>,
    depth_left: Cell<usize>,
}

/// A value, and the values of it that are listed in the row that is read.
#[derive(Clone, Copy)]
struct Read<'r, 't> {
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

    /// Reads only the members of a direction.
    pub(super) fn in_direction(self, side: Side) -> Self {
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
    pub(super) fn accepts(&self, page: &Rows<'t>, value: &Json) -> Answer {
        self.rows_left.set(MAX_ROWS);
        self.row(page, value)
    }

    /// Returns whether a value fits the first of these rows, with those below it.
    fn row(&self, rows: &Rows<'t>, value: &Json) -> Answer {
        self.rows_left.set(self.rows_left.get().checked_sub(1)?);
        let deeper = self.depth_left.get().checked_sub(1)?;
        self.depth_left.set(deeper);
        let answer = self.row_itself(rows, value);
        self.depth_left.set(deeper + 1);
        answer
    }

    fn row_itself(&self, rows: &Rows<'t>, value: &Json) -> Answer {
        let (row, _) = rows.split_first()?;
        let typed = self.words(
            &row.words,
            Read {
                value,
                listed: &row.values,
            },
        );
        if *value == Json::Null {
            // Null is allowed or not whatever else is said, unless that is about null.
            let is_told = row
                .facts
                .iter()
                .all(|fact| !matches!(fact, Fact::Keyword(..)));
            let is_said = is_told && rows.iter().all(|row| row.cut.is_none());
            return match typed {
                Some(true) if has_conditions(rows) || !is_said => None,
                typed => typed,
            };
        }
        let children = children(rows);
        let facts = row
            .facts
            .iter()
            .map(|fact| self.fact(fact, &children, value));
        all([typed, self.below(row, &children, value)]
            .into_iter()
            .chain(facts))
    }

    /// Returns whether a value fits a type in words.
    fn words(&self, words: &TypeWords<'t>, read: Read<'_, 't>) -> Answer {
        let value = read.value;
        match words {
            TypeWords::Any => Some(true),
            TypeWords::NotNull => Some(*value != Json::Null),
            TypeWords::Nothing => Some(false),
            TypeWords::Null => Some(*value == Json::Null),
            TypeWords::Unknown | TypeWords::Lost(_) | TypeWords::More => None,
            TypeWords::Basic(_, Some(Detail::NotWhole)) => {
                Some(Kinds::of_value(value) == Kinds::FRACTION)
            }
            TypeWords::Basic(kind, Some(Detail::Bits { count, is_unsigned })) => {
                Some(is_kind(value, kind) && has_bits(value, kind, count, *is_unsigned))
            }
            TypeWords::Basic(kind, _) => Some(is_kind(value, kind)),
            TypeWords::Titled(_) => Some(is_kind(value, "object")),
            TypeWords::Shared(name) => self.named(name, value),
            TypeWords::Array(elements) => match value.as_array() {
                Some(array) => all(array
                    .iter()
                    .map(|value| self.words(elements, Read { value, ..read }))),
                None => Some(false),
            },
            TypeWords::Tuple(places, tail) => self.tuple(places, *tail, read),
            TypeWords::Map(values) => match value.as_object() {
                Some(object) => all(object
                    .values()
                    .map(|value| self.words(values, Read { value, ..read }))),
                None => Some(false),
            },
            TypeWords::Value(only) => Some(same(only, value)),
            // "One of the values listed", which are none here.
            TypeWords::Values(_) if read.listed.is_empty() => None,
            TypeWords::Values(_) => {
                Some(read.listed.iter().any(|listed| same(listed.value, value)))
            }
            // The rows below say which.
            TypeWords::Forms(_) => (*value != Json::Null).then_some(true).or(Some(false)),
            TypeWords::Either(types) => any(types.iter().map(|words| self.words(words, read))),
            TypeWords::All(types) => all(types.iter().map(|words| self.words(words, read))),
            TypeWords::IfOfKind { takes_null, .. } if *value == Json::Null => Some(*takes_null),
            TypeWords::IfOfKind { words, .. } => {
                let kind = match **words {
                    TypeWords::Array(_) | TypeWords::Tuple(..) | TypeWords::Basic("array", _) => {
                        "array"
                    }
                    _ => "object",
                };
                any([Some(!is_kind(value, kind)), self.words(words, read)])
            }
        }
    }

    fn tuple(&self, places: &[TypeWords<'t>], tail: Tail, read: Read<'_, 't>) -> Answer {
        let Some(array) = read.value.as_array() else {
            return Some(false);
        };
        let by_place = array.iter().zip(places);
        let by_place = by_place.map(|(value, words)| self.words(words, Read { value, ..read }));
        let fits = array.len() <= places.len() || tail == Tail::Open;
        all(by_place.chain([Some(fits)]))
    }

    /// Returns whether a value fits the page of a shared type.
    fn named(&self, name: &str, value: &Json) -> Answer {
        let (_, node) = self.views.tree.shared(name)?;
        let known = self.pages.borrow().get(name).map(Rc::clone);
        let page = known.unwrap_or_else(|| self.page(node));
        self.pages
            .borrow_mut()
            .insert(name.to_owned(), Rc::clone(&page));
        self.row(&page, value)
    }

    fn fact(&self, fact: &Fact<'t>, children: &[&Rows<'t>], value: &Json) -> Answer {
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
            (Fact::Phrase("fact.unique"), Json::Array(array)) => {
                let mut pairs = array.iter().enumerate();
                Some(!pairs.any(|(at, one)| array[..at].iter().any(|other| same(one, other))))
            }
            (Fact::Phrase("fact.closed"), Json::Object(object)) => {
                let others = object
                    .keys()
                    .filter(|name| !is_listed(children, name.as_str()));
                all(others.map(|name| {
                    let name = name.as_str();
                    let is_in_form = children.iter().any(|rows| {
                        let inner = &rows[1..];
                        matches!(
                            rows[0].name,
                            RowName::Alternative(_)
                                | RowName::NumberedAlternative(_)
                                | RowName::If
                                | RowName::When(_)
                                | RowName::With(_)
                                | RowName::Then
                                | RowName::Otherwise
                        ) && inner.iter().any(|row| {
                            row.name == RowName::Property(name)
                                && !row.facts.contains(&Fact::Phrase("fact.never_accepted"))
                        })
                    });
                    // Which form or condition holds decides.
                    if is_in_form {
                        None
                    } else {
                        self.matches_any(children, name)
                    }
                }))
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
    fn below(&self, row: &Row<'t>, children: &[&Rows<'t>], value: &Json) -> Answer {
        if row.cut.is_some() || children.iter().any(|rows| rows[0].cut.is_some()) {
            return None;
        }
        let is_each = |rows: &&Rows<'t>| matches!(rows[0].name, RowName::Element | RowName::Value);
        if let Some(inner) = inner_of(&row.words)
            && !children.iter().any(is_each)
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
                (TypeWords::Array(_), Json::Array(array)) => {
                    all(array.iter().map(|value| self.parts(row, children, value)))
                }
                (TypeWords::Map(_), Json::Object(object)) => all(object
                    .values()
                    .map(|value| self.parts(row, children, value))),
                _ => Some(true),
            };
            return all([keys_fit, each]);
        }
        self.parts(row, children, value)
    }

    fn parts(&self, row: &Row<'t>, children: &[&Rows<'t>], value: &Json) -> Answer {
        let mut answers = Vec::new();
        let mut forms = Vec::new();
        let mut condition = None;
        let places = children
            .iter()
            .filter(|rows| matches!(rows[0].name, RowName::Position(_)));
        let places = places.count();
        let array = value.as_array().unwrap_or_default();
        let empty = Object::new();
        let object = value.as_object().unwrap_or(&empty);
        for rows in children {
            let child = &rows[0];
            match &child.name {
                RowName::Property(name) => answers.push(self.property(rows, name, value)),
                RowName::Position(index) => answers.push(match (value, array.get(*index)) {
                    (Json::Array(_), Some(element)) => self.row(rows, element),
                    (Json::Array(_), None) => Some(!child.is_required),
                    _ => Some(true),
                }),
                RowName::Element => answers.extend(array.iter().map(|value| self.row(rows, value))),
                RowName::Rest => {
                    answers.extend(array.iter().skip(places).map(|value| self.row(rows, value)));
                }
                RowName::Value => {
                    answers.extend(object.values().map(|value| self.row(rows, value)));
                }
                RowName::Matching(pattern) => {
                    let others = object.iter();
                    let others = others.filter(|(name, _)| !is_listed(children, name.as_str()));
                    let members = others.map(|(name, value)| {
                        let matches = self.views.tree.matches(pattern, name.as_str());
                        any([not(matches), self.row(rows, value)])
                    });
                    answers.extend(members);
                }
                RowName::Others => {
                    let others = object.iter();
                    let others = others.filter(|(name, _)| !is_listed(children, name.as_str()));
                    answers.extend(others.map(|(name, value)| {
                        any([
                            self.matches_any(children, name.as_str()),
                            self.row(rows, value),
                        ])
                    }));
                }
                RowName::Names => {
                    let names = object.keys().map(|name| Json::from(name.as_str()));
                    answers.extend(names.map(|name| self.row(rows, &name)));
                }
                RowName::Alternative(_) | RowName::NumberedAlternative(_) => {
                    forms.push(self.row(rows, value));
                }
                RowName::Contains(span) if matches!(value, Json::Array(_)) => {
                    answers.push(self.contains(rows, *span, array));
                }
                RowName::Not => answers.push(not(self.row(rows, value))),
                RowName::If => condition = Some(self.row(rows, value)),
                RowName::When(test) => {
                    let property = object.get(test.name);
                    let holds =
                        property.map_or(!test.is_required, |value| test.values.contains(&value));
                    condition = Some(Some(holds));
                    answers.push(any([Some(!holds), self.row(rows, value)]));
                }
                RowName::Then => {
                    let holds = condition.unwrap_or(None);
                    answers.push(any([not(holds), self.row(rows, value)]));
                }
                RowName::Otherwise => {
                    answers.push(any([condition.unwrap_or(None), self.row(rows, value)]));
                }
                RowName::With(name) => {
                    let holds = object.contains_key(name);
                    condition = Some(Some(holds));
                    answers.extend(holds.then(|| self.row(rows, value)));
                }
                _ => {}
            }
        }
        let mut forms = forms.as_slice();
        for UnionNote { union, labels } in &row.unions {
            let (own, others) = forms.split_at_checked(labels.len()).unwrap_or((forms, &[]));
            forms = others;
            answers.push(if union.rule == UnionRule::ExactlyOne {
                exactly_one(own)
            } else {
                any(own.iter().copied())
            });
        }
        all(answers)
    }

    fn property(&self, rows: &Rows<'t>, name: &str, value: &Json) -> Answer {
        let Some(object) = value.as_object() else {
            return Some(true);
        };
        match object.get(name) {
            Some(_) if rows[0].facts.contains(&Fact::Phrase("fact.never_accepted")) => Some(false),
            Some(property) => self.row(rows, property),
            None => Some(!rows[0].is_required),
        }
    }

    fn contains(&self, rows: &Rows<'t>, span: Span, array: &[Json]) -> Answer {
        let answers: Vec<Answer> = array.iter().map(|value| self.row(rows, value)).collect();
        let fitting = answers
            .iter()
            .filter(|answer| **answer == Some(true))
            .count();
        (!answers.contains(&None)).then_some(is_within(span, fitting))
    }

    /// Returns whether a name matches a pattern among these rows.
    fn matches_any(&self, rows: &[&Rows<'t>], name: &str) -> Answer {
        any(rows.iter().map(|rows| match rows[0].name {
            RowName::Matching(pattern) => self.views.tree.matches(pattern, name),
            _ => Some(false),
        }))
    }
}

/// Returns whether a member of this name has a row.
fn is_listed(rows: &[&Rows<'_>], name: &str) -> bool {
    rows.iter()
        .any(|rows| rows[0].name == RowName::Property(name))
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
    let starts = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.depth == depth);
    let of_start = |start: usize| {
        let inner = rows[start + 1..].iter();
        let count = inner.take_while(|row| row.depth > depth).count();
        &rows[start..=start + count]
    };
    starts.map(|(start, _)| of_start(start)).collect()
}

/// Returns a list or a map that a type is, if it may be nothing else but null.
fn inner_of<'w, 't>(words: &'w TypeWords<'t>) -> Option<&'w TypeWords<'t>> {
    match words {
        TypeWords::Array(_) | TypeWords::Map(_) => Some(words),
        TypeWords::Either(types) => match &types[..] {
            [only, TypeWords::Null] => inner_of(only),
            _ => None,
        },
        TypeWords::IfOfKind { words, .. } => inner_of(words),
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
