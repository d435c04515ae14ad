//! What a reader of a page concludes about a value, from the rows of the page alone.
//!
//! The answer is unknown where a page says something in a form that only programs read exactly, and
//! where it says that it has left something out.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use docent_describe::json::{Decimal, Json};
use docent_describe::schema::{Kinds, SchemaContext, Validator};

use crate::schema::Constraint;
use crate::schema::layers::Layers;
use crate::schema::refs::SharedSchemas;
use crate::schema::shape::{AllowedValue, Outline, SchemaShape};
use crate::schema::tree::{Tree, TreeEntry};
use crate::strings::Strings;

/// The deepest row that is read, through the pages of types.
const DEEPEST: usize = 12;

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

fn any(answers: impl IntoIterator<Item = Answer>) -> Answer {
    all(answers.into_iter().map(|it| it.map(|it| !it))).map(|it| !it)
}

fn exactly_one(forms: &[(&str, Answer)]) -> Answer {
    let fitting = forms
        .iter()
        .filter(|(_, answer)| *answer == Some(true))
        .count();
    let is_unknown = forms.iter().any(|(_, answer)| answer.is_none());
    (fitting > 1 || !is_unknown).then_some(fitting == 1)
}

/// The rows of a page, the row of the value itself first.
type Rows<'j> = [TreeEntry<'j>];

pub(super) struct Reader<'j> {
    shared: &'j SharedSchemas<'j>,
    strings: &'j Strings,
    validator: Validator<'j>,
    /// The pages of types that have been read.
    pages: RefCell<HashMap<String, Rc<Rows<'j>>>>,
    /// The number of rows that may still be read.
    left: Cell<usize>,
    deeper: Cell<usize>,
}

impl<'j> Reader<'j> {
    pub(super) fn new(shared: &'j SharedSchemas<'j>, strings: &'j Strings) -> Self {
        let context = SchemaContext {
            components: shared.by_name,
            enforced_formats: Some(&[]),
        };
        Self {
            shared,
            strings,
            validator: Validator::new(context),
            pages: RefCell::default(),
            left: Cell::new(0),
            deeper: Cell::new(DEEPEST),
        }
    }

    /// Lists the rows of a page about a schema.
    pub(super) fn page(&self, name: &str, schema: &'j Json) -> Rc<Rows<'j>> {
        let mut tree = Tree::new(self.shared, self.strings);
        tree.for_type(name);
        tree.value("field", TreeEntry::of_type(name, schema));
        tree.take().into()
    }

    /// Returns whether a value is one that the page describes.
    pub(super) fn accepts(&self, page: &Rows<'j>, value: &Json) -> Answer {
        self.left.set(3_000);
        self.row(page, value)
    }

    /// Returns whether a value fits the first of these rows, with those below it.
    fn row(&self, rows: &Rows<'j>, value: &Json) -> Answer {
        let left = self.left.get().checked_sub(1)?;
        let deeper = self.deeper.get().checked_sub(1)?;
        self.left.set(left);
        self.deeper.set(deeper);
        let answer = self.row_itself(rows, value);
        self.deeper.set(deeper + 1);
        answer
    }

    fn row_itself(&self, rows: &Rows<'j>, value: &Json) -> Answer {
        let (entry, below) = rows.split_first()?;
        let of = Layers::of(self.shared, &entry.schemas);
        let listed = of.allowed();
        let nullable = of.outline().0.nullable;
        let typed = self.words(&entry.schemas, listed.as_deref(), value);
        let simple = Layers::with_simple(self.shared, &entry.schemas);
        let facts: Vec<_> = simple.constraints().collect();
        let facts = facts.iter().map(|fact| self.fact(fact, below, value));
        let tag = entry.tag.as_ref().map(|(member, text)| {
            let found = value.get(member).map(|it| it.to_string() == *text);
            found.filter(|is| !is)
        });
        let tag = tag.filter(Option::is_some);
        let rest = all(facts.chain(tag).chain([self.below(rows, value)]));
        let rest = match value {
            // Null is allowed whatever else is said, unless that is about null.
            Json::Null if nullable && rest == Some(false) => None,
            _ => rest,
        };
        all([typed, rest])
    }

    /// Returns whether a value fits the type of a row.
    fn words(&self, schemas: &[&'j Json], listed: Listed<'_, 'j>, value: &Json) -> Answer {
        let (Outline { shape, nullable }, schema) = Layers::of(self.shared, schemas).outline();
        any([
            self.shape(&shape, schema, listed, value),
            Some(nullable && *value == Json::Null),
        ])
    }

    fn shape(
        &self,
        shape: &SchemaShape<'j>,
        schema: &'j Json,
        listed: Listed<'_, 'j>,
        value: &Json,
    ) -> Answer {
        let each = |elements: &[Json], schema: &'j Json| {
            all(elements.iter().map(|it| self.words(&[schema], listed, it)))
        };
        let is_meant = |kind: &str| {
            // A page says "object" of a schema that only describes members, as its author meant it.
            let is_said = schema.get("type").is_some();
            (!is_kind(value, kind)).then_some(if is_said { Some(false) } else { None })
        };
        let answer = match shape {
            SchemaShape::Array(_) | SchemaShape::Tuple(..) => is_meant("array"),
            SchemaShape::Object | SchemaShape::Map(_) => is_meant("object"),
            _ => None,
        };
        if let Some(answer) = answer {
            return answer;
        }
        match shape {
            SchemaShape::Any => Some(true),
            SchemaShape::Never => Some(false),
            SchemaShape::Ref(name) => self.named(name, value),
            SchemaShape::Lost(_) => None,
            SchemaShape::Scalar(kind) => Some(is_kind(value, kind)),
            SchemaShape::Kinds(kinds) => Some(kinds.iter().any(|kind| is_kind(value, kind))),
            SchemaShape::Array(items) => match (value.as_array(), items) {
                (Some(elements), Some(items)) => each(elements, items),
                (elements, _) => Some(elements.is_some()),
            },
            SchemaShape::Tuple(places, rest) => {
                let Some(elements) = value.as_array() else {
                    return Some(false);
                };
                let by_place = elements.iter().zip(*places);
                let by_place = by_place.map(|(it, place)| self.words(&[place], listed, it));
                let fits = elements.len() <= places.len() || rest.is_some();
                all(by_place.chain([Some(fits)]))
            }
            SchemaShape::Map(values) => match value.as_object() {
                Some(members) => all(members.values().map(|it| self.words(&[values], listed, it))),
                None => Some(false),
            },
            SchemaShape::Object => Some(is_kind(value, "object")),
            SchemaShape::Enum(values) => match (values.as_slice(), listed) {
                ([only], _) => Some(same(only.value, value)),
                // "One of the values listed", which are none here.
                (_, None) => None,
                (_, Some(listed)) => Some(listed.iter().any(|it| same(it.value, value))),
            },
            SchemaShape::Alternatives(branches) => {
                any(branches
                    .iter()
                    .map(|it| match self.words(&[it], listed, value) {
                        // Its values are listed elsewhere, if at all.
                        Some(false) if self.has_values(it) => None,
                        answer => answer,
                    }))
            }
            SchemaShape::All(all_shapes) => {
                let each = all_shapes.iter();
                all(each.map(|(shape, schema)| self.shape(shape, schema, listed, value)))
            }
        }
    }

    fn has_values(&self, schema: &'j Json) -> bool {
        let shape = Layers::shape_of(self.shared, schema);
        matches!(shape, SchemaShape::Enum(_))
    }

    /// Returns whether a value fits the page of a shared type.
    fn named(&self, name: &str, value: &Json) -> Answer {
        let (_, schema) = self.shared.by_name.get_key_value(name)?;
        let known = self.pages.borrow().get(name).map(Rc::clone);
        let page = known.unwrap_or_else(|| self.page(name, schema));
        self.pages
            .borrow_mut()
            .insert(name.to_owned(), Rc::clone(&page));
        self.row(&page, value)
    }

    fn outline(&self, entry: &TreeEntry<'j>) -> Outline<'j> {
        Layers::of(self.shared, &entry.schemas).outline().0
    }

    fn fact(&self, fact: &Constraint<'j>, below: &Rows<'j>, value: &Json) -> Answer {
        let size = match value {
            Json::String(text) => Some(("length", text.chars().count())),
            Json::Array(elements) => Some(("items", elements.len())),
            Json::Object(members) => Some(("members", members.len())),
            _ => None,
        };
        Some(match (fact, value) {
            (Constraint::Number(key, bound), Json::Number(number)) => {
                let (number, bound) = (float(number), float(bound));
                match *key {
                    "min" => number >= bound,
                    "above" => number > bound,
                    "max" => number <= bound,
                    "below" => number < bound,
                    _ => number % bound == 0.0,
                }
            }
            (Constraint::Count { unit, least, most }, _)
                if size.is_some_and(|it| it.0 == *unit) =>
            {
                let size = size?.1;
                let limit = |text: &str| text.parse::<usize>().ok();
                least.is_none_or(|least| limit(least).is_some_and(|least| size >= least))
                    && most.is_none_or(|most| limit(most).is_some_and(|most| size <= most))
            }
            (Constraint::Pattern(pattern), Json::String(text)) => {
                return self.validator.matches(pattern, text);
            }
            (Constraint::Flag("unique"), Json::Array(elements)) => {
                let mut pairs = elements.iter().enumerate();
                !pairs.any(|(at, it)| elements[..at].iter().any(|other| same(other, it)))
            }
            (Constraint::Flag("closed"), Json::Object(members)) => {
                let names = self.names(below);
                return all(members.keys().map(|name| names.has(self, name.as_str())));
            }
            (Constraint::Keyword(keyword, _), _) => {
                // It says itself which kinds of values it is about.
                let kinds = match *keyword {
                    "dependentRequired" | "dependentSchemas" => Kinds::OBJECT,
                    keyword => Kinds::of_keyword(keyword).unwrap_or(Kinds::ALL),
                };
                return (!Kinds::of(value).meet(kinds)).then_some(true);
            }
            _ => true,
        })
    }

    fn below(&self, rows: &Rows<'j>, value: &Json) -> Answer {
        let (entry, below) = rows.split_first()?;
        let children = children(entry, below);
        let has_more = rows.iter().any(|row| {
            let note = row.note.as_deref().unwrap_or_default();
            [
                self.strings.get("tree.more"),
                self.strings.get("tree.deeper"),
            ]
            .contains(&note)
        });
        if has_more {
            return None;
        }
        self.parts(entry, &children, value)
    }

    /// Returns whether a value fits the rows below its own.
    fn parts(&self, entry: &TreeEntry<'j>, children: &[&Rows<'j>], value: &Json) -> Answer {
        // "Array of" something: the rows are about that, unless one is about each element.
        let shape = self.outline(entry).shape;
        let each = match shape {
            SchemaShape::Array(_) => self.strings.get("tree.element"),
            _ => self.strings.get("tree.value"),
        };
        let is_own = |row: &&Rows<'j>| row[0].label && row[0].name == each;
        if let Some(inner) = inner_of(&shape)
            && !children.iter().any(is_own)
        {
            let entry = TreeEntry {
                schemas: vec![inner],
                note: entry.note.clone(),
                ..TreeEntry::default()
            };
            let values: Vec<&Json> = match (&shape, value) {
                (SchemaShape::Array(_), Json::Array(elements)) => elements.iter().collect(),
                (SchemaShape::Map(_), Json::Object(members)) => members.values().collect(),
                _ => Vec::new(),
            };
            return all(values
                .into_iter()
                .map(|it| self.parts(&entry, children, it)));
        }
        let places = children.iter().filter(|row| is_place(&row[0])).count();
        let names = Names::of(self, children);
        let mut answers = Vec::new();
        let mut alternatives = Vec::new();
        let mut condition = None;
        for row in children {
            let child = &row[0];
            let key = |key: &str| child.label && child.name == self.strings.get(key);
            let members = || value.as_object().into_iter().flatten();
            let elements = || value.as_array().unwrap_or_default().iter();
            if is_place(child) {
                let number = child.name.trim_matches(['[', ']']).parse::<usize>().ok();
                let element = value.as_array().map(|all| all.get(number.unwrap_or(0)));
                answers.push(match element {
                    Some(Some(element)) => self.row(row, element),
                    Some(None) => Some(!child.required),
                    None => Some(true),
                });
            } else if !child.label {
                answers.push(match value.as_object().map(|all| all.get(&child.name)) {
                    Some(Some(member)) => self.row(row, member),
                    Some(None) => Some(!child.required),
                    None => Some(true),
                });
            } else if let Some(pattern) = self.pattern(child) {
                let matching = members();
                let matching = matching.map(|(name, member)| {
                    let matches = self.validator.matches(&pattern, name.as_str());
                    any([matches.map(|it| !it), self.row(row, member)])
                });
                answers.push(all(matching));
            } else if key("tree.others") {
                let others = members().map(|(name, member)| {
                    any([names.has(self, name.as_str()), self.row(row, member)])
                });
                answers.push(all(others));
            } else if key("tree.element") {
                answers.push(all(elements().map(|it| self.row(row, it))));
            } else if key("tree.value") {
                answers.push(all(members().map(|(_, it)| self.row(row, it))));
            } else if key("tree.rest") {
                answers.push(all(elements().skip(places).map(|it| self.row(row, it))));
            } else if key("tree.names") {
                let names = members();
                let names = names.map(|(name, _)| self.row(row, &Json::from(name.as_str())));
                answers.push(all(names));
            } else if key("tree.contains") {
                let is_list = value.as_array().is_some();
                let found = any(elements().map(|it| self.row(row, it)));
                answers.push(if is_list { found } else { Some(true) });
            } else if key("tree.not") {
                answers.push(self.row(row, value).map(|it| !it));
            } else if key("tree.if") {
                condition = Some(self.row(row, value));
            } else if key("tree.then") {
                let fails = condition.unwrap_or(None).map(|it| !it);
                answers.push(any([fails, self.row(row, value)]));
            } else if key("tree.else") {
                answers.push(any([condition.unwrap_or(None), self.row(row, value)]));
            } else {
                alternatives.push((child.name.as_str(), self.row(row, value)));
            }
        }
        answers.extend(self.union(entry, &alternatives, value));
        all(answers)
    }

    /// Returns whether a value fits as many of the alternatives as the note says.
    fn union(
        &self,
        entry: &TreeEntry<'j>,
        forms: &[(&str, Answer)],
        value: &Json,
    ) -> Option<Answer> {
        let note = entry.note.as_deref().unwrap_or_default();
        if forms.is_empty() {
            return None;
        }
        if *value == Json::Null && self.outline(entry).nullable {
            return Some(Some(true));
        }
        let [exactly, any_of] = ["tree.told.unsaid", "tree.told.any"];
        if note.starts_with(self.strings.get(exactly)) {
            return Some(exactly_one(forms));
        }
        if note.starts_with(self.strings.get(any_of)) {
            return Some(any(forms.iter().map(|(_, answer)| *answer)));
        }
        // One sentence for each union, with the names of its alternatives in order.
        let mut forms = forms;
        let mut rest = note;
        let mut answers = Vec::new();
        while !forms.is_empty() {
            let of = |count: usize, key: &str| {
                let names: Vec<_> = forms[..count].iter().map(|(name, _)| *name).collect();
                rest.strip_prefix(&self.strings.with(&format!("{key}.of"), &names.join(", ")))
            };
            let found = (1..=forms.len()).find_map(|count| {
                let exactly = of(count, exactly).map(|rest| (count, true, rest));
                exactly.or_else(|| of(count, any_of).map(|rest| (count, false, rest)))
            });
            let Some((count, is_exclusive, after)) = found else {
                panic!("{note}: {rest}: {forms:?}");
            };
            answers.push(if is_exclusive {
                exactly_one(&forms[..count])
            } else {
                any(forms[..count].iter().map(|(_, answer)| *answer))
            });
            forms = &forms[count..];
            // What tells the alternatives apart is only a help.
            let next = ["Exactly", "At least"]
                .iter()
                .filter_map(|it| after.find(it))
                .min();
            rest = &after[next.unwrap_or(after.len())..];
        }
        Some(all(answers))
    }

    /// Returns the pattern of a row about keys that match one.
    fn pattern(&self, entry: &TreeEntry<'j>) -> Option<String> {
        let before = self.strings.with("tree.matching", "");
        entry.name.strip_prefix(before.as_str()).map(str::to_owned)
    }

    fn names(&self, below: &Rows<'j>) -> Names {
        let depth = below.first().map_or(0, |row| row.depth);
        let rows: Vec<_> = below
            .iter()
            .enumerate()
            .filter(|(_, row)| row.depth == depth)
            .map(|(at, _)| &below[at..])
            .collect();
        Names::of(self, &rows)
    }
}

type Listed<'a, 'j> = Option<&'a [AllowedValue<'j>]>;

/// The names of members that have rows.
struct Names {
    names: Vec<String>,
    patterns: Vec<String>,
}

impl Names {
    fn of<'j>(reader: &Reader<'j>, rows: &[&Rows<'j>]) -> Self {
        let named = rows.iter().filter(|row| !row[0].label);
        Self {
            names: named.map(|row| row[0].name.clone()).collect(),
            patterns: rows
                .iter()
                .filter_map(|row| reader.pattern(&row[0]))
                .collect(),
        }
    }

    fn has(&self, reader: &Reader<'_>, name: &str) -> Answer {
        let patterns = self.patterns.iter();
        let patterns = patterns.map(|pattern| reader.validator.matches(pattern, name));
        any(patterns.chain([Some(self.names.iter().any(|known| known == name))]))
    }
}

fn is_place(entry: &TreeEntry<'_>) -> bool {
    !entry.label && entry.name.starts_with('[')
}

/// Returns the rows directly below a row, each with those below it.
fn children<'r, 'j>(entry: &TreeEntry<'j>, below: &'r Rows<'j>) -> Vec<&'r Rows<'j>> {
    let starts = below.iter().enumerate();
    let starts = starts.filter(|(_, row)| row.depth == entry.depth + 1);
    let of_start = |start: usize| {
        let inner = below[start + 1..].iter();
        let count = inner.take_while(|row| row.depth > entry.depth + 1).count();
        &below[start..=start + count]
    };
    starts.map(|(start, _)| of_start(start)).collect()
}

/// Returns the schema of the elements, if a type is "array of" or "map of" something.
fn inner_of<'j>(shape: &SchemaShape<'j>) -> Option<&'j Json> {
    match shape {
        SchemaShape::Array(Some(inner)) | SchemaShape::Map(inner) => Some(inner),
        _ => None,
    }
}

fn is_kind(value: &Json, kind: &str) -> bool {
    let kinds = match kind {
        "null" => Kinds::NULL,
        "boolean" => Kinds::BOOLEAN,
        "integer" => Kinds::INTEGER,
        "number" => Kinds::NUMBER,
        "string" => Kinds::STRING,
        "array" => Kinds::ARRAY,
        "object" => Kinds::OBJECT,
        _ => Kinds::NONE,
    };
    Kinds::of(value).within(kinds)
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
            let is_same =
                |(name, value): (&_, &Json)| other.get(name).is_some_and(|it| same(value, it));
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(name, value)| is_same((name.as_str(), value)))
        }
        (one, other) => one == other,
    }
}
