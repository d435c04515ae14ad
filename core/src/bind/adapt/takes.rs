//! What a parameter accepts, as far as text can be converted into it.

use docent_describe::Components;
use docent_describe::json::{Json, Object};
use docent_describe::schema::component_name;

use super::numbers::Numbers;

/// The kinds of values that a schema takes.
#[derive(Debug, Clone, Default)]
pub(super) struct Takes {
    pub(super) null: bool,
    pub(super) boolean: bool,
    pub(super) numbers: Numbers,
    pub(super) string: bool,
    pub(super) array: Option<Box<Items>>,
    /// Single values, from an enumeration.
    pub(super) exact: Vec<Json>,
}

/// What an array's elements are.
#[derive(Debug, Clone, Default)]
pub(super) struct Items {
    pub(super) first: Vec<Takes>,
    pub(super) rest: Takes,
}

impl Takes {
    /// What a schema takes.
    pub(super) fn new(schema: &Json, components: &Components) -> Self {
        let mut takes = Self::of(schema, components, &mut Vec::new());
        takes.forget_rules();
        takes
    }

    /// Forgets the rules for numbers where a number can be nothing else: it is then for binding to
    /// say how it breaks them.
    fn forget_rules(&mut self) {
        if !self.string && !self.exact.iter().any(|value| value.as_str().is_some()) {
            self.numbers.forget_rules();
        }
        if let Some(items) = &mut self.array {
            items.first.iter_mut().for_each(Self::forget_rules);
            items.rest.forget_rules();
        }
    }

    /// `open` are the components on the way from the outermost schema to this one. One that leads
    /// to itself takes nothing by that way.
    fn of<'d>(schema: &'d Json, components: &'d Components, open: &mut Vec<&'d str>) -> Self {
        let Json::Object(schema) = schema else {
            return match schema {
                Json::Bool(false) => Self::default(),
                _ => Self::anything(),
            };
        };
        let mut takes = Self::anything();
        takes.numbers.restrict(schema);
        if let Some(kinds) = schema.get("type") {
            takes = takes.and(&Self::of_type(kinds));
        }
        if let Some(Json::Array(values)) = schema.get("enum") {
            takes = takes.and(&Self::one_of(values));
        }
        if let Some(value) = schema.get("const") {
            takes = takes.and(&Self::one_of(std::slice::from_ref(value)));
        }
        if let Some(Json::String(reference)) = schema.get("$ref") {
            takes = takes.and(&Self::of_component(reference, components, open));
        }
        for schema in schemas(schema, "allOf") {
            takes = takes.and(&Self::of(schema, components, open));
        }
        for keyword in ["anyOf", "oneOf"] {
            if schema.contains_key(keyword) {
                let either = schemas(schema, keyword)
                    .map(|schema| Self::of(schema, components, open))
                    .fold(Self::default(), |either, or| either.or(&or));
                takes = takes.and(&either);
            }
        }
        if let Some(array) = &mut takes.array {
            let items = Items {
                first: schemas(schema, "prefixItems")
                    .map(|schema| Self::of(schema, components, open))
                    .collect(),
                rest: schema
                    .get("items")
                    .map_or_else(Self::anything, |schema| Self::of(schema, components, open)),
            };
            **array = array.combine(&items, Self::and);
        }
        takes
    }

    fn of_component<'d>(
        reference: &str,
        components: &'d Components,
        open: &mut Vec<&'d str>,
    ) -> Self {
        let component =
            component_name(reference).and_then(|name| components.schemas.get_key_value(&*name));
        match component {
            Some((name, schema)) if !open.contains(&&**name) => {
                open.push(name);
                let takes = Self::of(schema, components, open);
                open.pop();
                takes
            }
            _ => Self::default(),
        }
    }

    fn of_type(kinds: &Json) -> Self {
        let mut takes = Self::default();
        let kinds = kinds.as_array().unwrap_or(std::slice::from_ref(kinds));
        for kind in kinds.iter().filter_map(Json::as_str) {
            match kind {
                "null" => takes.null = true,
                "boolean" => takes.boolean = true,
                "integer" => takes.numbers = takes.numbers.or(&Numbers::integers()),
                "number" => takes.numbers = Numbers::all(),
                "string" => takes.string = true,
                "array" => takes.array = Self::anything().array,
                _ => {}
            }
        }
        takes
    }

    fn one_of(values: &[Json]) -> Self {
        Self {
            null: values.contains(&Json::Null),
            exact: values.to_vec(),
            ..Self::default()
        }
    }

    /// What a schema without any restriction takes, and arrays of that.
    fn anything() -> Self {
        Self::nested(2)
    }

    /// Anything whose arrays are nested to some depth. What is nested deeper than texts can be does
    /// not matter here.
    fn nested(depth: usize) -> Self {
        Self {
            null: true,
            boolean: true,
            numbers: Numbers::all(),
            string: true,
            array: depth.checked_sub(1).map(|depth| {
                Box::new(Items {
                    first: Vec::new(),
                    rest: Self::nested(depth),
                })
            }),
            exact: Vec::new(),
        }
    }

    fn and(&self, other: &Self) -> Self {
        let mut exact = self.exact.clone();
        exact.retain(|value| other.allows(value));
        exact.extend(
            other
                .exact
                .iter()
                .filter(|value| self.has_kind_of(value))
                .cloned(),
        );
        Self {
            null: self.null && other.null,
            boolean: self.boolean && other.boolean,
            numbers: self.numbers.and(&other.numbers),
            string: self.string && other.string,
            array: match (&self.array, &other.array) {
                (Some(a), Some(b)) => Some(Box::new(a.combine(b, Self::and))),
                _ => None,
            },
            exact,
        }
    }

    fn or(&self, other: &Self) -> Self {
        let mut exact = self.exact.clone();
        exact.extend(other.exact.iter().cloned());
        Self {
            null: self.null || other.null,
            boolean: self.boolean || other.boolean,
            numbers: self.numbers.or(&other.numbers),
            string: self.string || other.string,
            array: match (&self.array, &other.array) {
                (Some(a), Some(b)) => Some(Box::new(a.combine(b, Self::or))),
                (array, None) | (None, array) => array.clone(),
            },
            exact,
        }
    }

    fn has_kind_of(&self, value: &Json) -> bool {
        match value {
            Json::Null => self.null,
            Json::Bool(_) => self.boolean,
            Json::Number(text) => self.numbers.admit(text),
            Json::String(_) => self.string,
            Json::Array(_) | Json::Object(_) => false,
        }
    }

    fn allows(&self, value: &Json) -> bool {
        self.has_kind_of(value) || self.exact.contains(value)
    }
}

impl Items {
    pub(super) fn at(&self, index: usize) -> &Takes {
        self.first.get(index).unwrap_or(&self.rest)
    }

    fn combine(&self, other: &Self, combine: fn(&Takes, &Takes) -> Takes) -> Self {
        let length = self.first.len().max(other.first.len());
        Self {
            first: (0..length)
                .map(|index| combine(self.at(index), other.at(index)))
                .collect(),
            rest: combine(&self.rest, &other.rest),
        }
    }
}

fn schemas<'s>(schema: &'s Object, keyword: &str) -> impl Iterator<Item = &'s Json> {
    let list = schema.get(keyword).and_then(Json::as_array);
    list.unwrap_or_default().iter()
}
