//! Values drawn from each rendering of a description, and variants of them that are slightly wrong. The
//! service accepts a value exactly if every rendering allows it, and sends it exactly if every rendering
//! allows it as the result, or as the data of an error. An independent validator checks the values.

mod types;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::marker::PhantomData;

use docent_core::carrier::Incoming;
use docent_core::{CheckResults, Cx, Fault, Procedure, Service, ServiceBuilder};
use docent_describe::json::{Json, Object};
use docent_describe::render::{OpenRpcVersion, ToolResult};
use docent_describe::schema::{
    Definitions, Examples, Kinds, SchemaContext, SchemaTree, SchemaViews,
};
use jsonschema::{Draft, Validator};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::zoo::{ID, changes};
use types::{
    Adjacent, Bounded, Clock, Closed, Day, Either, External, Flat, Id, Language, Mail, Maps,
    Moment, Plain, Span, Tagged, Tree, Twice, Untagged,
};

/// About how many values are tried for one type.
const MOST: usize = 300;

#[derive(Deserialize, JsonSchema)]
struct Takes<T> {
    #[expect(dead_code, reason = "it is only decoded")]
    v: T,
}

#[derive(Deserialize, JsonSchema)]
struct RequestParams {
    v: Value,
}

/// Any value, published as a type.
#[derive(Serialize)]
#[serde(transparent)]
struct Pretends<T>(Value, #[serde(skip)] PhantomData<fn() -> T>);

impl<T: JsonSchema> JsonSchema for Pretends<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// The name of a type, its service, and whether OpenRPC, whose schemas are of draft-07, can say all of it.
struct Case {
    name: &'static str,
    service: Service,
    in_openrpc: bool,
}

fn case<T: DeserializeOwned + JsonSchema + 'static>(in_openrpc: bool) -> Case {
    let takes = Procedure::sync("takes", |_: Cx, _: Takes<T>| Ok::<_, Fault>(true));
    let gives = |_: Cx, p: RequestParams| Ok::<_, Fault>(Pretends::<T>(p.v, PhantomData));
    let fails = |_: Cx, p: RequestParams| {
        let data = Pretends::<T>(p.v, PhantomData);
        Err::<(), _>(Fault::new(7, "Seven").with_data(&data))
    };
    let fails = Procedure::sync("fails", fails).error_with_data::<Pretends<T>>(7, "Seven");
    let builder: ServiceBuilder = Service::builder("renderings", ID);
    let built = builder
        .procedure(takes.idempotent().tool())
        .procedure(Procedure::sync("gives", gives).idempotent().tool())
        .procedure(fails)
        .check_results(CheckResults::RefuseIdempotent)
        .build();
    let name = std::any::type_name::<T>();
    let service = built.unwrap_or_else(|error| panic!("{name}: {error}"));
    // Error data is refused in tests only.
    Case {
        name,
        service: service.for_tests(),
        in_openrpc,
    }
}

/// One rendering: what it says of the parameter, the result and the error's data.
struct Rendering {
    name: String,
    schemas: [Option<Validator>; 3],
    /// True if the parameter is checked as the member `v` of an object.
    is_tool: bool,
    /// True if results are the member `result` of an object.
    is_wrapped: bool,
    drawn: Vec<Json>,
}

impl Rendering {
    /// The rendering with these schemas, whose references lead into `components`.
    fn new(name: String, draft: Draft, schemas: [&Value; 3], components: &Value) -> Self {
        let validator = |schema: &Value| {
            let document = json!({"allOf": [schema], "components": components});
            Some(validator(draft, &document))
        };
        Self {
            name,
            schemas: schemas.map(validator),
            is_tool: false,
            is_wrapped: false,
            drawn: draw(schemas[0], &components["schemas"]),
        }
    }

    fn of_tools(service: &Service, runtime: &Runtime) -> Self {
        let list = json!({"jsonrpc": "2.0", "method": "tools/list", "id": 1}).to_string();
        let reply = runtime
            .block_on(service.mcp(Incoming::new(list), None))
            .reply;
        let list: Value =
            serde_json::from_slice(&reply.into_body().expect("a body")).expect("JSON");
        let [takes, gives] = [0, 1].map(|at| &list["result"]["tools"][at]);
        let [input, output] = [&takes["inputSchema"], &gives["outputSchema"]];
        let text = input
            .to_string()
            .replace("#/$defs/", "#/components/schemas/");
        let moved: Value = serde_json::from_str(&text).expect("JSON");
        let description = service.description();
        let views = SchemaViews::new(description);
        let result = ToolResult::new(&description.procs[1], &views);
        Self {
            name: "tools".to_owned(),
            schemas: [
                Some(validator(Draft::Draft202012, input)),
                output
                    .is_object()
                    .then(|| validator(Draft::Draft202012, output)),
                None,
            ],
            is_tool: true,
            is_wrapped: result == ToolResult::Wrapped,
            drawn: draw(&moved["properties"]["v"], &moved["$defs"]),
        }
    }

    fn is_openrpc(&self) -> bool {
        self.name.starts_with("OpenRPC")
    }

    /// Returns whether it allows a value as the parameter, the result, or the data of the error.
    fn allows(&self, what: usize, value: &Value) -> Option<bool> {
        // The validator takes a leap second at the end of any day, RFC 3339 only of two.
        let is_leap = value.as_str().is_some_and(|text| text.contains(":60"));
        if is_leap && !self.is_openrpc() {
            return None;
        }
        let schema = self.schemas[what].as_ref()?;
        Some(match what {
            0 if self.is_tool => schema.is_valid(&json!({"v": value})),
            1 if self.is_wrapped => schema.is_valid(&json!({"result": value})),
            _ => schema.is_valid(value),
        })
    }
}

fn validator(draft: Draft, document: &Value) -> Validator {
    let options = jsonschema::options().with_draft(draft);
    let built = options.should_validate_formats(true).build(document);
    built.unwrap_or_else(|error| panic!("{error}: {document}"))
}

fn draw(schema: &Value, components: &Value) -> Vec<Json> {
    let parse = |value: &Value| {
        let mut value = value.clone();
        name_prefixes(&mut value);
        value.to_string().parse::<Json>().expect("JSON")
    };
    let named = components.as_object().into_iter().flatten();
    let components: Definitions = named.map(|(name, it)| (name.clone(), parse(it))).collect();
    let schema = parse(schema);
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let found = Examples::new(&components).of_each_form(views.view_of_schema(&schema));
    assert!(!found.is_empty(), "{schema} has no sample");
    found
}

/// Writes lists of schemas for elements as 2020-12 has them: they are `items` in draft-07.
fn name_prefixes(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(items) = members
                .get("items")
                .filter(|items| items.is_array())
                .cloned()
            {
                members.remove("items");
                members.insert("prefixItems".to_owned(), items);
            }
            members.values_mut().for_each(name_prefixes);
        }
        Value::Array(elements) => elements.iter_mut().for_each(name_prefixes),
        _ => {}
    }
}

fn renderings(service: &Service, runtime: &Runtime) -> Vec<Rendering> {
    let parse = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).expect("JSON");
    let document = parse(&service.rendered_description());
    let procs = &document["procs"];
    let schemas = [
        &procs[0]["params"][0]["schema"],
        &procs[1]["return"]["schema"],
        &procs[2]["errors"][0]["data"],
    ];
    let components = &document["components"];
    let described = Rendering::new("describe".into(), Draft::Draft202012, schemas, components);
    let mut all = vec![described, Rendering::of_tools(service, runtime)];
    for version in [
        OpenRpcVersion::V1_2_6,
        OpenRpcVersion::V1_3_2,
        OpenRpcVersion::V1_4_1,
    ] {
        let document = parse(&service.rendered_openrpc(Some(version)));
        let methods = &document["methods"];
        let schemas = [
            &methods[0]["params"][0]["schema"],
            &methods[1]["result"]["schema"],
            &methods[2]["errors"][0]["data"],
        ];
        let name = format!("OpenRPC {}", version.as_str());
        let components = &document["components"];
        all.push(Rendering::new(name, Draft::Draft7, schemas, components));
    }
    all
}

/// The values that are drawn, and those that differ from one in one place.
fn pool(renderings: &[Rendering]) -> Vec<String> {
    let mut texts = HashSet::new();
    for value in renderings.iter().flat_map(|rendering| &rendering.drawn) {
        texts.insert(value.to_string());
        changes(value, &mut |changed| _ = texts.insert(changed.to_string()));
        if let Json::Object(members) = value {
            for (name, other) in [("A", "1"), ("B", "1"), ("B", "\"x\""), ("t", "\"Two\"")] {
                let mut first = Object::new();
                first.insert(name.to_owned(), other.parse().expect("JSON"));
                first.extend(members.clone());
                texts.insert(Json::Object(first).to_string());
            }
        }
        let Json::String(text) = value else { continue };
        for (at, old) in text.char_indices() {
            let (before, after) = (&text[..at], &text[at + old.len_utf8()..]);
            for new in ["", " ", "0", "6", "9", "z", "é"] {
                texts.insert(Json::from(format!("{before}{new}{after}")).to_string());
            }
        }
    }
    let mut texts: Vec<String> = texts.into_iter().collect();
    texts.sort_unstable();
    // If there are very many, a part of them shows as much.
    let stride = texts.len() / MOST + 1;
    texts.into_iter().step_by(stride).collect()
}

impl Case {
    fn call(&self, runtime: &Runtime, body: &Value) -> Value {
        let response = runtime.block_on(self.service.handle(body.to_string()));
        serde_json::from_slice(&response.expect("a response")).expect("JSON")
    }

    /// Notes where the service and a rendering differ about a value.
    fn compare(
        &self,
        runtime: &Runtime,
        all: &[Rendering],
        value: &Value,
        wrong: &mut Vec<String>,
    ) {
        let ask = |method| {
            let params = json!({"v": value});
            let body = json!({"jsonrpc": "2.0", "method": method, "params": params, "id": 1});
            self.call(runtime, &body)
        };
        let outcomes = [("takes", -32602), ("gives", -32603), ("fails", -32603)];
        for (what, (method, code)) in outcomes.into_iter().enumerate() {
            let response = ask(method);
            let is_refused = response["error"]["code"] == code;
            for rendering in all {
                let Some(allows) = rendering.allows(what, value) else {
                    continue;
                };
                // Tools only outline results.
                let is_outline = rendering.is_tool && what == 1;
                let may_allow_more = is_outline || !self.in_openrpc && rendering.is_openrpc();
                if allows == is_refused && !(allows && may_allow_more) {
                    let name = &rendering.name;
                    wrong.push(format!("{method} {value}: {name} {allows}, {response}"));
                }
            }
            if method == "takes" {
                self.compare_others(runtime, value, !is_refused, wrong);
            }
        }
    }

    /// The same for a tool, GET and 1.1, where these can send the value.
    fn compare_others(
        &self,
        runtime: &Runtime,
        value: &Value,
        taken: bool,
        wrong: &mut Vec<String>,
    ) {
        let params = json!({"name": "takes", "arguments": {"v": value}});
        let body = json!({"jsonrpc": "2.0", "method": "tools/call", "params": params, "id": 1});
        let message = Incoming::new(body.to_string());
        let reply = runtime.block_on(self.service.mcp(message, None)).reply;
        if reply.error_code().is_none() != taken {
            wrong.push(format!("tool {value}: {reply:?}, {taken}"));
        }
        let body = json!({"version": "1.1", "method": "takes", "params": {"v": value}});
        let response = self.call(runtime, &body);
        // 1.1 converts more, and null stands for nothing.
        if taken && !value.is_null() && response["result"] != true {
            wrong.push(format!("1.1 {value}: {response}"));
        }
        let description = self.service.description();
        let schema = &description.procs[0].params[0].schema;
        let tree = SchemaTree::with_components(&description.components.schemas);
        let kinds = tree.kinds(tree.read(schema)).some;
        let text = match value {
            Value::String(text) if kinds == Kinds::STRING => text.clone(),
            Value::Number(_) | Value::Bool(_) if !kinds.meet(Kinds::STRING) => value.to_string(),
            _ => return,
        };
        if kinds.meet(Kinds::ARRAY | Kinds::OBJECT) {
            return;
        }
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        let query = query.append_pair("v", &text).finish();
        let reply = runtime.block_on(self.service.query("takes", &query, None));
        if reply.error_code().is_none() != taken {
            wrong.push(format!("GET {text:?}: {reply:?}, {taken}"));
        }
    }

    /// Returns whether each accepted value is of the type that 1.1 describes.
    fn has_described_type(&self, runtime: &Runtime, value: &Value) -> bool {
        let body = json!({"version": "1.1", "method": "system.describe"});
        let described = self.call(runtime, &body);
        match &described["result"]["procs"][0]["params"][0]["type"] {
            Value::String(code) => match &**code {
                "bit" => value.is_boolean() || value.is_null(),
                "num" => value.is_number() || value.is_null(),
                "str" => value.is_string() || value.is_null(),
                "arr" => value.is_array() || value.is_null(),
                "obj" => value.is_object() || value.is_null(),
                "nil" => value.is_null(),
                _ => true,
            },
            _ => false,
        }
    }

    fn holds(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        let all = renderings(&self.service, &runtime);
        let (mut wrong, mut taken) = (Vec::new(), 0);
        let texts = pool(&all);
        for text in &texts {
            let value: Value = serde_json::from_str(text).expect("JSON");
            self.compare(&runtime, &all, &value, &mut wrong);
            if all[0].allows(0, &value) == Some(true) {
                taken += 1;
                if taken < 20 && !self.has_described_type(&runtime, &value) {
                    wrong.push(format!("1.1 describes another type than that of {value}"));
                }
            }
        }
        let (name, count) = (self.name, texts.len());
        assert!(taken > 0 && taken < count, "{name}: {taken} of {count}");
        let first = &wrong[..wrong.len().min(8)];
        assert!(
            wrong.is_empty(),
            "{name}: {} of {count}: {first:#?}",
            wrong.len()
        );
    }
}

#[test]
fn every_rendering_allows_what_the_service_takes_of_texts() {
    case::<Moment>(true).holds();
    case::<Day>(true).holds();
    case::<Clock>(true).holds();
    case::<Span>(true).holds();
    case::<Id>(true).holds();
    case::<Mail>(true).holds();
    case::<Language>(true).holds();
    case::<char>(true).holds();
    case::<Option<String>>(true).holds();
}

#[test]
fn every_rendering_allows_what_the_service_takes_of_numbers() {
    case::<u8>(true).holds();
    case::<i64>(true).holds();
    case::<u64>(true).holds();
    case::<f32>(true).holds();
    case::<Option<std::num::NonZeroI8>>(true).holds();
    case::<bool>(true).holds();
    case::<Bounded>(true).holds();
}

#[test]
fn every_rendering_allows_what_the_service_takes_of_containers() {
    case::<Vec<Option<u8>>>(true).holds();
    case::<(u8, String)>(true).holds();
    case::<[bool; 2]>(true).holds();
    case::<Maps>(true).holds();
    case::<BTreeMap<Language, u8>>(true).holds();
    case::<Closed>(true).holds();
    case::<Option<Closed>>(true).holds();
    // OpenRPC's tools do not survive recursion, so it is cut there.
    case::<Tree>(false).holds();
}

#[test]
fn every_rendering_allows_what_the_service_takes_of_enums() {
    case::<Plain>(true).holds();
    case::<External>(true).holds();
    case::<Tagged>(true).holds();
    case::<Adjacent>(true).holds();
    case::<Untagged>(true).holds();
    case::<Option<Untagged>>(true).holds();
    case::<Vec<External>>(true).holds();
}

#[test]
fn every_rendering_allows_what_the_service_takes_of_flattened_types() {
    case::<Flat<Either>>(true).holds();
    case::<Flat<Tagged>>(true).holds();
    case::<Flat<Adjacent>>(true).holds();
    case::<Flat<External>>(true).holds();
    case::<Flat<BTreeMap<String, bool>>>(true).holds();
    case::<Vec<Flat<Either>>>(true).holds();
    case::<Twice>(true).holds();
}
