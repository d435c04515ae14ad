//! Values that a schema takes, to be tried on the type that the schema was made from.
//!
//! They are not picked at random: for each place in the schema there is a value of every form that
//! it allows, at the edges of its bounds, with the rest of the value as small as it can be. They
//! are candidates. Whether each really satisfies the schema is left to those who can tell.
//!
//! Each knows which form it was made for ([`Sample`]). Tools that need only values get these, too
//! ([`candidates`](super::candidates)).

use std::rc::Rc;

use super::sample::{Sample, Value, forms};
use super::scalars::scalars;
use super::spelling::Spellings;
use super::text;
use crate::json::Json;
use crate::schema::form::Form;
use crate::schema::{Definitions, Kinds};

/// How many samples are made of one parameter.
const MOST: usize = 1200;
/// How many of a value inside another.
const MOST_INNER: usize = 160;
/// How often a type may stand inside itself.
const DEEPEST: usize = 2;

/// Makes samples.
pub(super) struct Sampler<'s, 'j> {
    definitions: &'j Definitions,
    spellings: Option<&'s Spellings>,
    /// The types that the value at hand is in.
    open: Vec<&'j str>,
}

impl<'s, 'j> Sampler<'s, 'j> {
    pub(super) fn new(definitions: &'j Definitions) -> Self {
        Self {
            definitions,
            spellings: None,
            open: Vec::new(),
        }
    }

    /// Begins with these texts where a schema says no more than that there is one.
    pub(super) fn spelled(self, spellings: &'s Spellings) -> Self {
        Self {
            spellings: Some(spellings),
            ..self
        }
    }

    /// The scalars of a form, the simplest first.
    fn scalars(&self, form: &Form<'j>) -> Vec<Json> {
        let spelled = self.spellings.and_then(|spellings| spellings.of(form));
        spelled
            .map(Json::from)
            .into_iter()
            .chain(scalars(form))
            .collect()
    }

    /// Samples of a schema, the simplest first.
    pub(super) fn samples(&mut self, schema: &'j Json) -> Vec<Rc<Sample<'j>>> {
        self.all(schema, MOST)
    }

    /// The simplest sample of a schema. None where there seems to be none.
    pub(super) fn simplest(&mut self, schema: &'j Json) -> Option<Rc<Sample<'j>>> {
        let forms = forms(schema, self.definitions);
        forms.into_iter().find_map(|form| {
            if form.types.iter().any(|name| self.open.contains(name)) {
                return None;
            }
            let form = Rc::new(form);
            self.inside(&form, |sampler| sampler.simplest_of(&form))
        })
    }

    fn all(&mut self, schema: &'j Json, most: usize) -> Vec<Rc<Sample<'j>>> {
        let mut samples: Vec<Rc<Sample<'j>>> = Vec::new();
        for form in forms(schema, self.definitions) {
            let opened = |name: &&str| self.open.iter().filter(|open| *open == name).count();
            if form.types.iter().any(|name| opened(name) >= DEEPEST) {
                continue;
            }
            let form = Rc::new(form);
            samples.extend(self.inside(&form, |sampler| sampler.all_of(&form)));
            if samples.len() > most {
                break;
            }
        }
        samples.truncate(most);
        samples
    }

    fn inside<T>(&mut self, form: &Form<'j>, work: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.open.len();
        self.open.extend(&form.types);
        let result = work(self);
        self.open.truncate(depth);
        result
    }

    fn simplest_of(&mut self, form: &Rc<Form<'j>>) -> Option<Rc<Sample<'j>>> {
        let scalars = self.scalars(form);
        if let Some(first) = scalars.into_iter().next() {
            return Some(sample(form, Value::Scalar(first)));
        }
        if form.is(Kinds::OBJECT) {
            return self.smallest_object(form);
        }
        form.is(Kinds::ARRAY)
            .then(|| self.smallest_array(form))
            .flatten()
    }

    fn all_of(&mut self, form: &Rc<Form<'j>>) -> Vec<Rc<Sample<'j>>> {
        if form.is_free() {
            return text::anything()
                .iter()
                .map(|value| sample(form, Sample::free(value).value.clone()))
                .collect();
        }
        let scalars = self.scalars(form).into_iter();
        let mut samples: Vec<Rc<Sample<'j>>> = scalars
            .map(|value| sample(form, Value::Scalar(value)))
            .collect();
        if form.is(Kinds::OBJECT) {
            self.objects(form, &mut samples);
        }
        if form.is(Kinds::ARRAY) {
            self.arrays(form, &mut samples);
        }
        samples
    }

    /// The required members and nothing else.
    fn smallest_object(&mut self, form: &Rc<Form<'j>>) -> Option<Rc<Sample<'j>>> {
        let mut members = Vec::new();
        for name in form.required() {
            let value = match form.property(name) {
                Some(schema) => self.simplest(schema)?,
                None => Sample::free(&Json::Null),
            };
            members.push((name.into(), value));
        }
        Some(sample(form, Value::Object(members)))
    }

    fn objects(&mut self, form: &Rc<Form<'j>>, samples: &mut Vec<Rc<Sample<'j>>>) {
        let Some(smallest) = self.smallest_object(form) else {
            return;
        };
        let Value::Object(required) = &smallest.value else {
            return;
        };
        let with = |name: &str, value: Rc<Sample<'j>>| {
            let mut members = required.clone();
            match members.iter_mut().find(|(other, _)| *other == *name) {
                Some((_, old)) => *old = value,
                None => members.push((name.into(), value)),
            }
            members
        };
        samples.push(Rc::clone(&smallest));
        let mut whole = required.clone();
        for (name, schema) in form.properties() {
            if !whole.iter().any(|(other, _)| *other == *name)
                && let Some(value) = self.simplest(schema)
            {
                whole.push((name.into(), value));
            }
        }
        // Order must not matter; rotations and reversal put each pair in both orders.
        for shift in 0..whole.len().min(4) {
            let mut members = whole.clone();
            members.rotate_left(shift);
            samples.push(sample(form, Value::Object(members.clone())));
            members.reverse();
            samples.push(sample(form, Value::Object(members)));
        }
        for (name, schema) in form.properties() {
            let inner = self.all(schema, MOST_INNER);
            samples.extend(inner.into_iter().map(|value| {
                let mut members = with(name, value);
                members.reverse();
                sample(form, Value::Object(members))
            }));
            let simplest = whole.iter().find(|(other, _)| *other == *name);
            let simplest = simplest.map(|(_, value)| Rc::clone(value));
            samples.extend(simplest.map(|value| sample(form, Value::Object(with(name, value)))));
        }
        for (key, schema) in form.open_members() {
            let inner = self.all(schema, MOST_INNER);
            let inner = inner.into_iter();
            samples.extend(inner.map(|value| sample(form, Value::Object(with(&key, value)))));
        }
        if form.is_open() {
            for value in [
                Json::Null,
                Json::from(1),
                Json::from("x"),
                Json::Array(Vec::new()),
            ] {
                let members = with("unknown member", Sample::free(&value));
                samples.push(sample(form, Value::Object(members)));
            }
        }
    }

    fn prefix(&mut self, form: &Rc<Form<'j>>) -> Option<Vec<Rc<Sample<'j>>>> {
        let schemas = form.prefix().iter();
        let mut elements: Vec<Rc<Sample<'j>>> = schemas
            .map(|schema| self.simplest(schema))
            .collect::<Option<_>>()?;
        let (least, _) = form.items_count();
        if form.has_unique_items() && least > elements.len() + 1 {
            let items = form
                .items()
                .map(|items| self.all(items, MOST_INNER))
                .unwrap_or_default();
            for item in items {
                let json = item.to_json();
                if elements.len() < least && !elements.iter().any(|other| other.to_json() == json) {
                    elements.push(item);
                }
            }
        }
        while elements.len() < least.min(100) {
            elements.push(match form.items() {
                Some(items) => self.simplest(items)?,
                None => Sample::free(&Json::Null),
            });
        }
        Some(elements)
    }

    fn smallest_array(&mut self, form: &Rc<Form<'j>>) -> Option<Rc<Sample<'j>>> {
        let elements = self.prefix(form)?;
        Some(sample(form, Value::Array(elements)))
    }

    fn arrays(&mut self, form: &Rc<Form<'j>>, samples: &mut Vec<Rc<Sample<'j>>>) {
        let Some(prefix) = self.prefix(form) else {
            return;
        };
        samples.push(sample(form, Value::Array(prefix.clone())));
        for (index, schema) in form.prefix().iter().enumerate() {
            for value in self.all(schema, MOST_INNER) {
                let mut elements = prefix.clone();
                elements[index] = value;
                samples.push(sample(form, Value::Array(elements)));
            }
        }
        let (_, most) = form.items_count();
        if let Some(items) = form.items() {
            for value in self.all(items, MOST_INNER) {
                let mut elements = prefix.clone();
                if elements.len() < most {
                    elements.push(value);
                } else if let Some(last) = elements.last_mut() {
                    *last = value;
                }
                samples.push(sample(form, Value::Array(elements)));
            }
        }
    }
}

fn sample<'j>(form: &Rc<Form<'j>>, value: Value<'j>) -> Rc<Sample<'j>> {
    Rc::new(Sample {
        form: Some(Rc::clone(form)),
        value,
    })
}
