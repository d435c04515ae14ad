//! Finds contradictions within schemas.

use std::cmp::Ordering;

use crate::inclusion::Includes;
use docent_describe::ServiceDescription;
use docent_describe::json::{Cursor, Decimal, Json, Name, Object, Pointer};
use docent_describe::pattern::Pattern;
use docent_describe::schema::check::{Check, repeated};
use docent_describe::schema::{Holds, Kinds, SchemaContext, SchemaViews, Validator, holds};
use docent_describe::schema::{list, named, required};

use super::finding::{Finding, shown, violated};
use super::rule::Rule;

/// The maximum depth to which nested schemas are followed.
const DEEPEST: usize = 64;
/// The names of the values of each kind, for messages.
const KINDS: [(Kinds, &str); 4] = [
    (Kinds::NUMBER, "numbers"),
    (Kinds::STRING, "strings"),
    (Kinds::ARRAY, "arrays"),
    (Kinds::OBJECT, "objects"),
];
/// Lower bounds, the upper bounds that go with them, and whether the two may be equal.
const RANGES: [(&str, &str, bool); 7] = [
    ("minimum", "maximum", true),
    ("exclusiveMinimum", "maximum", false),
    ("minimum", "exclusiveMaximum", false),
    ("exclusiveMinimum", "exclusiveMaximum", false),
    ("minLength", "maxLength", true),
    ("minItems", "maxItems", true),
    ("minProperties", "maxProperties", true),
];

/// Returns the contradictions in the schemas of a description.
pub(super) fn in_schemas(service: &ServiceDescription) -> Vec<Finding> {
    let context = SchemaContext::of(service);
    let views = SchemaViews::new(context);
    let mut lint = SchemaLint {
        validator: Validator::new(context),
        views: &views,
        includes: Includes::new(&views, &views),
        part: String::new(),
        has_default: false,
        found: Vec::new(),
    };
    let mut all = Vec::new();
    for procedure in &service.procs {
        for param in &procedure.params {
            lint.has_default = param.default.is_some();
            lint.begin(format!("parameter `{}`", param.name), &param.schema);
        }
        lint.has_default = false;
        if let Some(returns) = &procedure.returns {
            lint.begin("result".to_owned(), &returns.schema);
        }
        for error in &procedure.errors {
            if let Some(data) = &error.data {
                lint.begin(format!("data of error {}", error.code), data);
            }
        }
        let found = lint.found.drain(..);
        all.extend(found.map(|finding| finding.in_procedure(&procedure.name)));
    }
    for (name, schema) in &service.components.schemas {
        lint.begin(format!("type `{name}`"), schema);
    }
    all.append(&mut lint.found);
    if lint.validator.is_over_budget() || lint.includes.is_over_budget() {
        let message = "the schemas are too large, with their examples, to judge all of them";
        all.push(Finding::new(Rule::TooLarge, message));
    }
    all
}

struct SchemaLint<'d> {
    validator: Validator<'d>,
    views: &'d SchemaViews<'d>,
    includes: Includes<'d>,
    /// The part of the description, such as a parameter.
    part: String,
    /// True if the default at the root has been checked.
    has_default: bool,
    found: Vec<Finding>,
}

impl<'d> SchemaLint<'d> {
    fn begin(&mut self, part: String, schema: &'d Json) {
        self.part = part;
        self.schema(schema, &Pointer::root(), false, DEEPEST);
    }

    fn add(&mut self, rule: Rule, at: &Pointer, message: &str) {
        let part = &self.part;
        let place = match at.as_str() {
            "" => String::new(),
            at => format!(", at {at}"),
        };
        let message = format!("{part}{place}: {message}");
        self.found.push(Finding::new(rule, message));
    }

    /// Checks a schema and the schemas inside it. With `is_part`, the schema applies to the same value
    /// as the schema around it, which may then describe the names that this one requires.
    fn schema(&mut self, schema: &'d Json, at: &Pointer, is_part: bool, left: usize) {
        let (Json::Object(words), Some(left)) = (schema, left.checked_sub(1)) else {
            return;
        };
        let before = self.found.len();
        for (keyword, inner, child) in children(words, at) {
            let is_part = matches!(
                keyword,
                "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas"
            );
            self.schema(child, &inner, is_part, left);
        }
        self.kinds(words, at);
        self.ranges(words, at);
        self.names(words, at, is_part);
        self.values(words, at);
        self.examples(schema, words, at);
        self.pattern(words, at);
        let explain = [Rule::EmptyRange, Rule::NothingFits, Rule::ListedValue];
        let mut found = self.found[before..].iter();
        let is_explained = found.any(|it| explain.contains(&it.rule));
        if !is_explained
            && !is_part
            && combines(words)
            && self.includes.is_empty(self.views.tree.read(schema))
        {
            self.add(Rule::NothingFits, at, "no value satisfies the schema");
        }
    }

    /// Finds keywords about values that the type excludes.
    fn kinds(&mut self, words: &Object, at: &Pointer) {
        let Some(kinds) = words.get("type").and_then(|_| Kinds::of_type(words)) else {
            return;
        };
        // `format` may also name a numeric type.
        let asserts = |keyword: &&str| *keyword != "format" && !keyword.starts_with("content");
        for (of, name) in KINDS.into_iter().filter(|(of, _)| !kinds.meet(*of)) {
            let lost = words.keys().map(Name::as_str).filter(asserts);
            let lost = lost.filter(|keyword| Kinds::of_keyword(keyword) == Some(of));
            if let Some(lost) = listed(lost, ["applies", "apply"]) {
                let kind = shown(&words["type"]);
                let message = format!("{lost} to {name}, but the type is {kind}");
                self.add(Rule::LostKeyword, at, &message);
            }
        }
    }

    fn ranges(&mut self, words: &Object, at: &Pointer) {
        for (low, high, may_be_equal) in RANGES {
            let bound = |keyword| words.get(keyword).and_then(Json::as_number);
            let (Some(least), Some(most)) = (bound(low), bound(high)) else {
                continue;
            };
            let order = Decimal::new(least).cmp(&Decimal::new(most));
            if order == Ordering::Greater || (order == Ordering::Equal && !may_be_equal) {
                let message = format!("`{low}` {least} and `{high}` {most} leave no value");
                self.add(Rule::EmptyRange, at, &message);
            }
        }
    }

    /// Finds required names that no property has.
    fn names(&mut self, words: &Object, at: &Pointer, is_part: bool) {
        let elsewhere = ["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties"];
        let is_open =
            matches!(words.get("additionalProperties"), Some(it) if it.as_bool().is_none());
        let Some(properties) = words.get("properties").and_then(Json::as_object) else {
            return;
        };
        if is_part || is_open || elsewhere.iter().any(|keyword| words.contains_key(keyword)) {
            return;
        }
        let missing = required(words).filter(|name| !properties.contains_key(name));
        if let Some(missing) = listed(missing, ["is", "are"]) {
            let message = format!("{missing} required, but no property has that name");
            self.add(Rule::RequiredName, at, &message);
        }
    }

    /// Finds listed values that the schema does not allow, or that are listed twice.
    fn values(&mut self, words: &Object, at: &Pointer) {
        let all = list(words, "enum");
        for value in repeated(all) {
            let message = format!("{} is listed twice", shown(value));
            self.add(Rule::ListedValue, at, &message);
        }
        let listed = |(name, _): &(&Name, _)| !matches!(name.as_str(), "enum" | "const");
        let rest = words.iter().filter(listed);
        let rest = rest.map(|(name, value)| (name.clone(), value.clone()));
        let rest = self.validator.compile(&Json::Object(rest.collect()));
        let values = all.iter().map(|value| ("`enum` lists", value));
        let only = words.get("const").map(|value| ("`const` is", value));
        for (said, value) in values.chain(only) {
            if self.breaks(&rest, value) {
                let value = shown(value);
                let message =
                    format!("{said} {value}, which the rest of the schema does not allow");
                self.add(Rule::ListedValue, at, &message);
            }
        }
    }

    /// Finds examples and defaults that violate their schema.
    fn examples(&mut self, schema: &Json, words: &Object, at: &Pointer) {
        if !words.contains_key("examples") && !words.contains_key("default") {
            return;
        }
        let check = self.validator.compile(schema);
        for example in list(words, "examples") {
            if self.breaks(&check, example) {
                let how = how(&check, example);
                let message = format!("the example {} breaks the schema{how}", shown(example));
                self.add(Rule::BrokenExample, at, &message);
            }
        }
        let is_known = self.has_default && at.is_root();
        if let Some(default) = words.get("default").filter(|_| !is_known)
            && self.breaks(&check, default)
        {
            let how = how(&check, default);
            let message = format!("the default {} breaks the schema{how}", shown(default));
            self.add(Rule::BrokenDefault, at, &message);
        }
    }

    fn breaks(&self, check: &Check, value: &Json) -> bool {
        self.validator.holds(check, value) == Some(false)
    }

    fn pattern(&mut self, words: &Object, at: &Pointer) {
        let own = words.get("pattern").and_then(Json::as_str);
        let named = named(words, "patternProperties").map(|(pattern, _)| pattern);
        for pattern in own.into_iter().chain(named) {
            if !Pattern::is_pattern(pattern) {
                let pattern = shown(&Json::from(pattern));
                let message = format!("the pattern {pattern} is not a regular expression");
                self.add(Rule::BrokenPattern, at, &message);
            }
        }
    }
}

/// Returns the end of a sentence: how a value violates a schema, and at which place.
fn how(check: &Check, value: &Json) -> String {
    let text = value.to_string();
    let violation = check.violations(Cursor::new(&text), 1).pop();
    violation.map_or_else(String::new, |it| format!(": {}", violated(&it)))
}

/// Lists names with a verb in the singular or the plural. Returns `None` if there are no names.
fn listed<'n>(names: impl Iterator<Item = &'n str>, [one, many]: [&str; 2]) -> Option<String> {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let verb = if names.len() == 1 { one } else { many };
    (!names.is_empty()).then(|| format!("{} {verb}", names.join(", ")))
}

/// Returns whether a schema combines constraints that may exclude each other.
fn combines(words: &Object) -> bool {
    let together = ["allOf", "anyOf", "oneOf", "not"];
    let is_nothing = |not: &Json| match not {
        Json::Object(words) => words.is_empty(),
        other => *other == Json::Bool(true),
    };
    // `not: {}` rules out every value on purpose.
    if words.get("not").is_some_and(is_nothing) {
        return false;
    }
    together.iter().any(|keyword| words.contains_key(keyword))
        || (words.contains_key("$ref") && words.len() > 1)
        || (words.contains_key("required") && words.contains_key("properties"))
}

/// Returns the schemas directly inside a schema, each with its keyword and its place.
fn children<'w>(words: &'w Object, at: &Pointer) -> Vec<(&'w str, Pointer, &'w Json)> {
    let mut children = Vec::new();
    for (keyword, value) in words {
        let (keyword, at) = (keyword.as_str(), at.join(keyword));
        match (holds(keyword), value) {
            (Holds::Schema | Holds::Schemas, Json::Array(all)) => {
                let all = all.iter().enumerate();
                children.extend(all.map(|(index, child)| (keyword, at.join(index), child)));
            }
            (Holds::Named, Json::Object(named)) => {
                let named = named.iter();
                children.extend(named.map(|(name, child)| (keyword, at.join(name), child)));
            }
            (Holds::Schema, child) => children.push((keyword, at, child)),
            _ => {}
        }
    }
    children
}
