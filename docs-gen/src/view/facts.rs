//! The constraints of a schema beyond its type, in words.

use docent_describe::json::{Json, Object, shorten};
use docent_describe::schema::facts::count;
use docent_describe::schema::{Role, role, width};

use crate::json_text;
use crate::markup::{Form, Markup};
use crate::schema::text_of;
use crate::strings::Strings;

/// The longest pattern that is shown. A longer one is cut; the description has all of it.
const LONGEST_PATTERN: usize = 300;

/// Keywords with constraints that have no words.
const BARE: &[&str] = &["not", "propertyNames", "unevaluatedProperties"];

/// Keywords in documents of other formats that are shown elsewhere, or that mean nothing to a reader.
const ELSEWHERE: &[&str] = &[
    "additionalItems",
    "minProperties",
    "maxProperties",
    "example",
    "discriminator",
    "nullable",
    "externalDocs",
    "xml",
    "summary",
    "name",
];

/// Keywords about parts of a value or some values, with the keys of their names.
const CONDITIONS: &[(&str, &str)] = &[
    ("not", "tree.not"),
    ("if", "tree.if"),
    ("then", "tree.then"),
    ("else", "tree.else"),
    ("contains", "tree.contains"),
    ("propertyNames", "tree.names"),
    ("unevaluatedProperties", "tree.others"),
    ("unevaluatedItems", "tree.rest"),
    ("contentSchema", "tree.content"),
];

/// The longest condition that is shown as a fact. A longer one has rows of its own, and so does one
/// with a description.
const LONGEST_CONDITION: usize = 100;

fn is_condition(keyword: &str) -> bool {
    CONDITIONS.iter().any(|(known, _)| *known == keyword)
}

fn is_long(condition: &Json) -> bool {
    let text = json_text::brief(condition, 4000);
    let is_described = ["\"description\": \"", "\"title\": \""];
    text.len() > LONGEST_CONDITION || is_described.iter().any(|member| text.contains(member))
}

/// Returns the conditions of a schema that are too long for a fact, each with the key of its name.
pub(super) fn long_conditions(schema: &Json) -> impl Iterator<Item = (&'static str, &Json)> {
    let conditions = CONDITIONS.iter();
    conditions.filter_map(|(keyword, key)| {
        let condition = schema.get(keyword).filter(|condition| is_long(condition))?;
        Some((*key, condition))
    })
}

/// Returns whether a keyword is expressed in words, or means nothing to a reader.
fn is_said(keyword: &str) -> bool {
    let by_role = match role(keyword) {
        Some(Role::Annotates) => true,
        Some(Role::Asserts) => !BARE.contains(&keyword),
        Some(Role::Aside) => !keyword.starts_with("content"),
        Some(Role::Unenforced) | None => keyword.starts_with('$'),
    };
    by_role || ELSEWHERE.contains(&keyword)
}

/// Returns the constraints of a schema, each as a short phrase.
pub(crate) fn facts(form: Form, strings: &Strings, schema: &Json) -> Vec<Markup> {
    let mut facts = Facts {
        form,
        strings,
        schema,
        list: Vec::new(),
    };
    if schema.as_object().is_none_or(Object::is_empty) {
        return facts.list;
    }
    facts.numbers();
    facts.range("length", "minLength", "maxLength");
    if let Some(pattern) = text_of(schema, "pattern") {
        facts.coded("fact.pattern", &shorten(pattern, LONGEST_PATTERN));
    }
    facts.range("items", "minItems", "maxItems");
    if schema.get("uniqueItems").and_then(Json::as_bool) == Some(true) {
        facts.plain("fact.unique");
    }
    facts.range("members", "minProperties", "maxProperties");
    if schema.get("additionalProperties").and_then(Json::as_bool) == Some(false) {
        facts.plain("fact.closed");
    }
    for (member, key) in [
        ("readOnly", "fact.read_only"),
        ("writeOnly", "fact.write_only"),
    ] {
        if schema.get(member).and_then(Json::as_bool) == Some(true) {
            facts.plain(key);
        }
    }
    facts.others();
    facts.list
}

/// Returns whether a bound is that of a type of numbers with 32 bits or more, which no author chose.
fn is_of_type(bound: &str) -> bool {
    const BOUNDS: [&str; 9] = [
        "-2147483648",
        "2147483647",
        "4294967295",
        "-9223372036854775808",
        "9223372036854775807",
        "18446744073709551615",
        "-170141183460469231731687303715884105728",
        "170141183460469231731687303715884105727",
        "340282366920938463463374607431768211455",
    ];
    BOUNDS.contains(&bound)
}

struct Facts<'a> {
    form: Form,
    strings: &'a Strings,
    schema: &'a Json,
    list: Vec<Markup>,
}

impl Facts<'_> {
    fn number(&self, member: &str) -> Option<&str> {
        match self.schema.get(member)? {
            Json::Number(text) => Some(text),
            _ => None,
        }
    }

    fn plain(&mut self, key: &str) {
        self.list
            .push(Markup::of_text(self.form, self.strings.get(key)));
    }

    /// Adds the text of a key with its `{}` as code.
    fn coded(&mut self, key: &str, value: &str) {
        let (before, after) = self.strings.get(key).split_once("{}").unwrap_or_default();
        let mut fact = Markup::new(self.form);
        fact.text(before).code(value).text(after);
        self.list.push(fact);
    }

    fn numbers(&mut self) {
        if matches!(width(self.schema), Some("float" | "double")) {
            // The type already implies these bounds, and the numbers mean nothing to a reader.
            return self.step();
        }
        // Draft 4 wrote exclusive bounds as Booleans beside the bound.
        let excludes = |member: &str| self.schema.get(member).and_then(Json::as_bool) == Some(true);
        let (above, below) = (excludes("exclusiveMinimum"), excludes("exclusiveMaximum"));
        let bounds = [
            (
                self.number("minimum"),
                if above { "fact.above" } else { "fact.minimum" },
            ),
            (self.number("exclusiveMinimum"), "fact.above"),
            (
                self.number("maximum"),
                if below { "fact.below" } else { "fact.maximum" },
            ),
            (self.number("exclusiveMaximum"), "fact.below"),
        ]
        .map(|(bound, key)| (bound.map(|text| shorten(text, 60).into_owned()), key));
        let bounds = bounds.map(|(bound, key)| (bound.filter(|bound| !is_of_type(bound)), key));
        if let [
            (Some(least), "fact.minimum"),
            (None, _),
            (Some(most), "fact.maximum"),
            (None, _),
        ] = &bounds
        {
            let fact = self.strings.with_all("fact.between", &[least, most]);
            self.list.push(Markup::of_text(self.form, &fact));
        } else {
            for (bound, key) in &bounds {
                if let Some(bound) = bound {
                    self.list
                        .push(Markup::of_text(self.form, &self.strings.with(key, bound)));
                }
            }
        }
        self.step();
    }

    fn step(&mut self) {
        if let Some(step) = self.number("multipleOf") {
            let step = shorten(step, 60);
            let fact = self.strings.with("fact.multiple", &step);
            self.list.push(Markup::of_text(self.form, &fact));
        }
    }

    /// Adds a range, such as "1 to 100 characters" or "at least 1 item".
    fn range(&mut self, unit: &str, least: &str, most: &str) {
        let least = self
            .number(least)
            .filter(|&text| text != "0")
            .map(|text| shorten(text, 60).into_owned());
        let most = self.number(most).map(|text| shorten(text, 60).into_owned());
        if let Some((key, values)) = count(unit, least.as_deref(), most.as_deref()) {
            let fact = self.strings.with_all(&key, &values);
            self.list.push(Markup::of_text(self.form, &fact));
        }
    }

    /// Adds keywords without words as they are: leaving them out would be misleading.
    fn others(&mut self) {
        let Some(members) = self.schema.as_object() else {
            return;
        };
        for (name, value) in members {
            if is_said(name) || is_condition(name) && is_long(value) {
                continue;
            }
            let mut fact = Markup::new(self.form);
            fact.code(&format!(
                "{}: {}",
                shorten(name, 60),
                json_text::brief(value, 120)
            ));
            self.list.push(fact);
            if self.list.len() > 40 {
                return;
            }
        }
    }
}
