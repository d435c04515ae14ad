//! Random schemas, changes to them, and values for them. The same seed always makes the same.

use serde_json::{Map, Value, json};

/// Makes choices.
pub(crate) struct Rng(fastrand::Rng);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0.u64(..bound)
    }

    /// True in so many of a hundred cases.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        let length = u64::try_from(all.len()).unwrap();
        &all[usize::try_from(self.below(length)).unwrap()]
    }
}

/// Makes schemas and values.
pub(crate) struct Maker {
    pub(crate) rng: Rng,
}

const NAMES: [&str; 5] = ["a", "b", "kind", "next", "x1"];
const TEXTS: [&str; 6] = ["", "a", "b", "ab", "x1", "long text"];
const PATTERNS: [&str; 4] = ["^a", "^[a-z]+$", "x", "^x[0-9]$"];

impl Maker {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed.wrapping_mul(7919)),
        }
    }

    /// Shared schemas, which may refer to themselves and to each other.
    pub(crate) fn shared(&mut self) -> Value {
        let mut leaf = self.schema(1);
        // Nothing tells what a schema accepts that is itself.
        if leaf.get("$ref") == Some(&json!("#/components/schemas/Leaf")) {
            leaf["$ref"] = json!("#/components/schemas/Tree");
        }
        json!({
            "Node": {
                "type": "object",
                "properties": {
                    "next": {"anyOf": [{"$ref": "#/components/schemas/Node"}, {"type": "null"}]},
                    "a": self.schema(1),
                },
                "required": ["a"],
            },
            "Tree": {
                "type": ["array", "string"],
                "items": {"$ref": "#/components/schemas/Tree"},
            },
            "Leaf": leaf,
        })
    }

    pub(crate) fn schema(&mut self, depth: u64) -> Value {
        match self.rng.below(if depth == 0 { 7 } else { 16 }) {
            0 => self.numbers("integer"),
            1 => self.numbers("number"),
            2 => self.strings(),
            3 => json!({"type": self.rng.pick(&["boolean", "null", "string", "integer"])}),
            4 => json!({"enum": [self.scalar(), self.scalar(), self.scalar()]}),
            5 => json!({"const": self.scalar()}),
            6 if self.rng.chance(30) => self
                .rng
                .pick(&[json!(true), json!(false), json!({})])
                .clone(),
            6 => self.several_types(),
            7 | 8 => self.array(depth - 1),
            9..=11 => self.object(depth - 1),
            12 => json!({"anyOf": self.several(depth - 1)}),
            13 => json!({"oneOf": self.several(depth - 1)}),
            14 if self.rng.chance(40) => json!({"not": self.schema(depth - 1)}),
            14 if self.rng.chance(40) => json!({
                "if": self.schema(0), "then": self.schema(0), "else": self.schema(depth - 1)
            }),
            14 => json!({"allOf": self.several(depth - 1)}),
            _ => {
                let name = *self.rng.pick(&["Node", "Tree", "Leaf"]);
                let mut schema = if self.rng.chance(35) {
                    self.object(depth - 1)
                } else {
                    json!({})
                };
                schema["$ref"] = json!(format!("#/components/schemas/{name}"));
                schema
            }
        }
    }

    fn several(&mut self, depth: u64) -> Vec<Value> {
        (0..2 + self.rng.below(2))
            .map(|_| self.schema(depth))
            .collect()
    }

    fn scalar(&mut self) -> Value {
        match self.rng.below(5) {
            0 => Value::Null,
            1 => json!(self.rng.chance(50)),
            2 => json!(self.rng.below(6)),
            3 => json!(0.5),
            _ => json!(self.rng.pick(&TEXTS)),
        }
    }

    fn numbers(&mut self, word: &str) -> Value {
        let mut schema = json!({"type": word});
        for keyword in [
            "minimum",
            "exclusiveMinimum",
            "maximum",
            "exclusiveMaximum",
            "multipleOf",
        ] {
            if self.rng.chance(25) {
                schema[keyword] = self.bound(keyword);
            }
        }
        schema
    }

    fn bound(&mut self, keyword: &str) -> Value {
        match keyword {
            "multipleOf" => self
                .rng
                .pick(&[json!(1), json!(2), json!(0.5), json!(3), json!(6)])
                .clone(),
            _ if self.rng.chance(20) => json!(2.5),
            _ => json!(i64::try_from(self.rng.below(9)).unwrap() - 2),
        }
    }

    fn strings(&mut self) -> Value {
        let mut schema = json!({"type": "string"});
        for keyword in ["minLength", "maxLength"] {
            if self.rng.chance(35) {
                schema[keyword] = json!(self.rng.below(5));
            }
        }
        if self.rng.chance(25) {
            schema["pattern"] = json!(self.rng.pick(&PATTERNS));
        }
        schema
    }

    fn several_types(&mut self) -> Value {
        let mut schema = json!({"type": [
            self.rng.pick(&["null", "boolean"]),
            self.rng.pick(&["string", "array"]),
            self.rng.pick(&["integer", "number", "object"]),
        ]});
        for keyword in ["minimum", "minLength", "minItems", "minProperties"] {
            if self.rng.chance(20) {
                schema[keyword] = json!(self.rng.below(4));
            }
        }
        schema
    }

    fn array(&mut self, depth: u64) -> Value {
        let mut schema = json!({"type": "array"});
        if self.rng.chance(70) {
            schema["items"] = self.schema(depth);
        }
        if self.rng.chance(25) {
            schema["prefixItems"] = json!(self.several(depth));
        }
        for keyword in ["minItems", "maxItems"] {
            if self.rng.chance(25) {
                schema[keyword] = json!(self.rng.below(4));
            }
        }
        if self.rng.chance(15) {
            schema["uniqueItems"] = json!(true);
        }
        if self.rng.chance(8) {
            schema["contains"] = self.schema(0);
        }
        if self.rng.chance(6) {
            schema["unevaluatedItems"] = json!(false);
        }
        schema
    }

    fn object(&mut self, depth: u64) -> Value {
        let mut schema = json!({"type": "object"});
        let mut properties = Map::new();
        for name in NAMES {
            if self.rng.chance(35) {
                properties.insert(name.to_owned(), self.schema(depth));
            }
        }
        schema["properties"] = Value::Object(properties);
        let required: Vec<_> = NAMES.iter().filter(|_| self.rng.chance(25)).collect();
        schema["required"] = json!(required);
        if self.rng.chance(40) {
            schema["additionalProperties"] = if self.rng.chance(60) {
                json!(false)
            } else {
                self.schema(depth)
            };
        } else if self.rng.chance(12) {
            schema["unevaluatedProperties"] = json!(false);
            if self.rng.chance(50) {
                schema["allOf"] = json!([{"properties": {"a": self.schema(0)}}]);
            }
        }
        if self.rng.chance(15) {
            let pattern = *self.rng.pick(&PATTERNS);
            schema["patternProperties"] = json!({pattern: self.schema(depth)});
        }
        if self.rng.chance(8) {
            schema["propertyNames"] = self.strings();
        }
        for keyword in ["minProperties", "maxProperties"] {
            if self.rng.chance(8) {
                schema[keyword] = json!(self.rng.below(4));
            }
        }
        if self.rng.chance(6) {
            schema["dependentRequired"] = json!({"a": ["b"]});
        }
        if self.rng.chance(6) {
            schema["dependentSchemas"] = json!({"a": self.schema(0)});
        }
        schema
    }

    /// A schema with one change somewhere in it.
    pub(crate) fn mutated(&mut self, schema: &Value) -> Value {
        let Value::Object(words) = schema else {
            return self.schema(2);
        };
        let mut words = words.clone();
        let keywords: Vec<String> = words.keys().cloned().collect();
        if keywords.is_empty() || self.rng.chance(8) {
            return match self.rng.below(4) {
                0 => json!({"anyOf": [schema, {"type": "null"}]}),
                1 => json!({"allOf": [schema, self.schema(0)]}),
                2 => json!({"anyOf": [schema, self.schema(1)]}),
                _ => self.schema(2),
            };
        }
        let keyword = self.rng.pick(&keywords).clone();
        let value = words[&keyword].clone();
        match (&value, keyword.as_str()) {
            _ if self.rng.chance(20) => {
                words.remove(&keyword);
            }
            (Value::Number(_), "multipleOf") => {
                words.insert(keyword, self.bound("multipleOf"));
            }
            (Value::Number(number), _) if number.is_i64() && keyword != "const" => {
                let step = if self.rng.chance(50) { 1 } else { -1 };
                let number = number.as_i64().unwrap() + step;
                let is_count = keyword.ends_with('s') || keyword.ends_with("Length");
                words.insert(
                    keyword,
                    json!(if is_count { number.max(0) } else { number }),
                );
            }
            (Value::Object(inner), "properties" | "patternProperties") => {
                let names: Vec<String> = inner.keys().cloned().collect();
                let mut inner = inner.clone();
                if names.is_empty() || self.rng.chance(25) {
                    inner.insert((*self.rng.pick(&NAMES)).to_owned(), self.schema(1));
                } else {
                    let name = self.rng.pick(&names).clone();
                    if self.rng.chance(25) {
                        inner.remove(&name);
                    } else {
                        inner[&name] = self.mutated(&inner[&name].clone());
                    }
                }
                words.insert(keyword, Value::Object(inner));
            }
            (Value::Object(_) | Value::Bool(_), _)
                if keyword != "const"
                    && keyword != "uniqueItems"
                    && keyword != "dependentSchemas"
                    && keyword != "dependentRequired" =>
            {
                words.insert(keyword, self.mutated(&value));
            }
            (Value::Array(list), "anyOf" | "oneOf" | "allOf" | "prefixItems") => {
                let mut list = list.clone();
                let at =
                    usize::try_from(self.rng.below(u64::try_from(list.len()).unwrap())).unwrap();
                match self.rng.below(4) {
                    0 => list.push(self.schema(1)),
                    1 if list.len() > 1 => {
                        list.remove(at);
                    }
                    _ => list[at] = self.mutated(&list[at].clone()),
                }
                words.insert(keyword, Value::Array(list));
            }
            (Value::Array(list), "enum" | "required") => {
                let mut list = list.clone();
                if self.rng.chance(50) && keyword == "enum" {
                    list.push(self.scalar());
                } else if self.rng.chance(50) && keyword == "required" {
                    let name = json!(self.rng.pick(&NAMES));
                    if !list.contains(&name) {
                        list.push(name);
                    }
                } else if list.len() > 1 {
                    list.pop();
                }
                words.insert(keyword, Value::Array(list));
            }
            _ => {
                let more = self.schema(1);
                words.extend(more.as_object().cloned().unwrap_or_default());
            }
        }
        Value::Object(words)
    }

    /// A value that may well satisfy a schema.
    pub(crate) fn value(&mut self, schema: &Value, shared: &Value, depth: u64) -> Value {
        let Value::Object(words) = schema else {
            return self.anything(1);
        };
        if depth == 0 || self.rng.chance(6) {
            return self.anything(1);
        }
        if let Some(name) = words.get("$ref").and_then(Value::as_str)
            && (words.len() == 1 || self.rng.chance(50))
        {
            let name = name.rsplit('/').next().unwrap();
            return self.value(&shared[name], shared, depth - 1);
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            if let Some(Value::Array(list)) = words.get(keyword)
                && self.rng.chance(70)
            {
                let one = self.rng.pick(list).clone();
                return self.value(&one, shared, depth);
            }
        }
        if let Some(Value::Array(list)) = words.get("enum") {
            return self.rng.pick(list).clone();
        }
        if let Some(value) = words.get("const") {
            return value.clone();
        }
        let word = match words.get("type") {
            Some(Value::String(word)) => word.clone(),
            Some(Value::Array(list)) => self.rng.pick(list).as_str().unwrap().to_owned(),
            _ => return self.anything(2),
        };
        match word.as_str() {
            "null" => Value::Null,
            "boolean" => json!(self.rng.chance(50)),
            "string" => json!(
                self.rng
                    .pick(&["", "a", "ab", "abc", "abcd", "x", "x1", "aaaaaa", "1"])
            ),
            "integer" | "number" => self.number(words),
            "array" => self.elements(words, shared, depth),
            _ => self.members(words, shared, depth),
        }
    }

    fn number(&mut self, words: &Map<String, Value>) -> Value {
        let bounds = [
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ];
        let bounds: Vec<f64> = bounds
            .iter()
            .filter_map(|keyword| words.get(*keyword)?.as_f64())
            .collect();
        let base = if bounds.is_empty() {
            0.0
        } else {
            *self.rng.pick(&bounds)
        };
        let step = *self.rng.pick(&[0.0, 1.0, -1.0, 0.5, -0.5, 6.0, -6.0]);
        let number: f64 = base + step;
        if number.fract() == 0.0 {
            json!(format!("{number:.0}").parse::<i64>().unwrap())
        } else {
            json!(number)
        }
    }

    fn elements(&mut self, words: &Map<String, Value>, shared: &Value, depth: u64) -> Value {
        let prefix = words.get("prefixItems").and_then(Value::as_array);
        let count = usize::try_from(self.rng.below(4)).unwrap();
        let mut elements = Vec::new();
        for index in 0..count {
            let own = prefix.and_then(|prefix| prefix.get(index));
            let schema = own.or(words.get("items")).cloned().unwrap_or_default();
            elements.push(self.value(&schema, shared, depth - 1));
        }
        Value::Array(elements)
    }

    fn members(&mut self, words: &Map<String, Value>, shared: &Value, depth: u64) -> Value {
        let mut members = Map::new();
        for name in NAMES.into_iter().chain(["ab", "zz"]) {
            let is_required = match words.get("required") {
                Some(Value::Array(names)) => names.contains(&json!(name)),
                _ => false,
            };
            if !is_required && self.rng.chance(60) {
                continue;
            }
            let own = words
                .get("properties")
                .and_then(|properties| properties.get(name));
            let schema = own
                .or(words.get("additionalProperties"))
                .cloned()
                .unwrap_or(Value::Bool(true));
            if schema != Value::Bool(false) || self.rng.chance(5) {
                members.insert(name.to_owned(), self.value(&schema, shared, depth - 1));
            }
        }
        Value::Object(members)
    }

    fn anything(&mut self, depth: u64) -> Value {
        match self.rng.below(if depth == 0 { 4 } else { 6 }) {
            4 => json!([self.anything(depth - 1)]),
            5 => json!({(*self.rng.pick(&NAMES)): self.anything(depth - 1)}),
            _ => self.scalar(),
        }
    }
}
