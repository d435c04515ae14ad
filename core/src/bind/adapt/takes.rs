//! The values that a parameter accepts, as far as text can be converted to them.

use docent_describe::Components;
use docent_describe::json::{Json, Object, is_number};
use docent_describe::schema::{Form, Kinds, forms};
use indexmap::IndexMap;

use docent_describe::schema::check::{Check, Compiler};

/// The keywords with constraints on numbers.
const OF_NUMBERS: [&str; 6] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "not",
];

/// The maximum number of forms of a schema that are told apart.
const FORMS: usize = 256;

/// The maximum nesting of arrays in text: a list has positions, and each may be given several
/// times.
const NESTED: usize = 2;

/// The values that a schema accepts.
#[derive(Debug, Clone, Default)]
pub(super) struct Takes {
    forms: Vec<Accepted>,
    elements: Option<Box<Elements>>,
}

/// The values that one form of a schema accepts.
#[derive(Debug, Clone)]
struct Accepted {
    kinds: Kinds,
    listed: Option<Vec<Json>>,
    /// The constraints on its numbers.
    rules: Vec<Check>,
}

/// The values that the elements of an array accept.
#[derive(Debug, Clone, Default)]
struct Elements {
    first: Vec<Takes>,
    rest: Takes,
}

impl Takes {
    /// Returns the values that a schema accepts.
    pub(super) fn new(schema: &Json, components: &Components) -> Self {
        let forms = forms(schema, &components.schemas, FORMS);
        Self::of(&forms, components, NESTED)
    }

    fn of(forms: &[Form<'_>], components: &Components, depth: usize) -> Self {
        let mut accepted: Vec<Accepted> = forms.iter().map(Accepted::new).collect();
        // The rules decide whether text such as `256` is a number or a string. If only a number is
        // possible, they are not needed: binding reports how it breaks them.
        if accepted.iter().any(Accepted::has_strings) {
            for (accepted, form) in accepted.iter_mut().zip(forms) {
                accepted.rules = form.words().filter_map(rule).collect();
            }
        }
        Self {
            forms: accepted,
            elements: depth
                .checked_sub(1)
                .and_then(|depth| Elements::of(forms, components, depth)),
        }
    }

    /// Returns whether a value is accepted, as far as can be told without looking into it.
    pub(super) fn has(&self, value: &Json) -> bool {
        self.forms.iter().any(|form| form.has(value))
    }

    /// Returns whether a number is accepted.
    pub(super) fn has_number(&self, text: &str) -> bool {
        self.forms.iter().any(|form| form.has_number(text))
    }

    /// Returns whether a string is accepted.
    pub(super) fn has_string(&self, text: &str) -> bool {
        self.forms.iter().any(|form| form.has_string(text))
    }

    /// Returns whether a form without listed values accepts values of these kinds.
    pub(super) fn has_unlisted(&self, kinds: Kinds) -> bool {
        let mut unlisted = self.forms.iter().filter(|form| form.listed.is_none());
        unlisted.any(|form| form.kinds.meet(kinds))
    }

    /// Returns the listed values.
    pub(super) fn listed(&self) -> impl Iterator<Item = &Json> {
        self.forms.iter().flat_map(|form| &form.listed).flatten()
    }

    /// Returns whether several values can be given.
    pub(super) fn has_arrays(&self) -> bool {
        self.elements.is_some()
    }

    /// Returns whether the elements at some position of an accepted array fulfil a condition.
    pub(super) fn any_element(&self, is: fn(&Self) -> bool) -> bool {
        let elements = self.elements.as_ref();
        elements.is_some_and(|elements| is(&elements.rest) || elements.first.iter().any(is))
    }

    /// Returns the values that an element of an accepted array accepts.
    pub(super) fn element(&self, index: usize) -> &Self {
        self.elements.as_ref().map_or(self, |elements| {
            elements.first.get(index).unwrap_or(&elements.rest)
        })
    }
}

impl Accepted {
    fn new(form: &Form<'_>) -> Self {
        let kinds = form.kinds();
        let listed = form.listed().map(|values| {
            let values = values.into_iter().filter(|it| kinds.meet(Kinds::of(it)));
            values.cloned().collect()
        });
        Self {
            kinds,
            listed,
            rules: Vec::new(),
        }
    }

    fn has(&self, value: &Json) -> bool {
        match (value, &self.listed) {
            (_, Some(listed)) => listed.contains(value),
            (Json::Number(text), None) => self.has_number(text),
            (_, None) => self.kinds.meet(Kinds::of(value)),
        }
    }

    fn has_number(&self, text: &str) -> bool {
        if let Some(listed) = &self.listed {
            return listed.contains(&Json::Number(text.into()));
        }
        let is_of_a_kind =
            Kinds::NUMBER.within(self.kinds) || self.kinds.meet(Kinds::of_number(text));
        is_of_a_kind && self.rules.iter().all(|rule| rule.check(text).is_ok())
    }

    fn has_string(&self, text: &str) -> bool {
        match &self.listed {
            Some(listed) => listed.iter().any(|value| value.as_str() == Some(text)),
            None => self.kinds.meet(Kinds::STRING),
        }
    }

    fn has_strings(&self) -> bool {
        match &self.listed {
            Some(listed) => listed.iter().any(|value| value.as_str().is_some()),
            None => self.kinds.meet(Kinds::STRING),
        }
    }
}

impl Elements {
    fn of(forms: &[Form<'_>], components: &Components, depth: usize) -> Option<Box<Self>> {
        let is_array =
            |form: &&Form<'_>| form.kinds().meet(Kinds::ARRAY) && form.listed().is_none();
        let arrays: Vec<&Form<'_>> = forms.iter().filter(is_array).collect();
        let at = |index| {
            let elements = arrays.iter().flat_map(|form| {
                let schema = form.prefix().get(index).or(form.items());
                schema.map_or_else(
                    || vec![Form::default()],
                    |schema| self::forms(schema, &components.schemas, FORMS),
                )
            });
            Takes::of(&elements.collect::<Vec<_>>(), components, depth)
        };
        let length = arrays.iter().map(|form| form.prefix().len()).max()?;
        Some(Box::new(Self {
            first: (0..length).map(at).collect(),
            rest: at(length),
        }))
    }
}

/// Compiles the constraints of a schema on numbers. Constraints that do not compile are not
/// enforced.
fn rule(words: &Object) -> Option<Check> {
    let said = words.iter();
    let said = said.filter(|(keyword, _)| OF_NUMBERS.contains(&keyword.as_str()));
    let said: Object = said.map(|(name, it)| (name.clone(), it.clone())).collect();
    if said.is_empty() {
        return None;
    }
    let rule = Compiler::new(&IndexMap::new()).compile_full(&Json::Object(said));
    rule.ok()
}

/// Returns the number or Boolean that a text spells.
pub(super) fn spelled(text: &str) -> Option<Json> {
    match text {
        "true" => Some(Json::Bool(true)),
        "false" => Some(Json::Bool(false)),
        _ => is_number(text).then(|| Json::Number(text.into())),
    }
}
