//! All renderings of a description allow the same values as the service.
//!
//! For each type there is a service with three procedures: one takes a value of the type, one returns it, and one fails
//! with it as the data of its error. Values are drawn from each rendering, and variants of them are slightly wrong. The
//! service has to accept or send a value exactly if every rendering allows it in that role. An independent validator
//! decides what a rendering allows.

mod types;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::marker::PhantomData;

use docent_core::carrier::Incoming;
use docent_core::code;
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

/// The number of values, approximately, that are tried for one type.
const MAX_VALUES: usize = 300;

/// The parameters of the procedure that takes a value.
#[derive(Deserialize, JsonSchema)]
struct TypedParams<T> {
    #[expect(dead_code, reason = "it is only decoded")]
    v: T,
}

/// The parameters of the procedures that return a value, or fail with it.
#[derive(Deserialize, JsonSchema)]
struct UntypedParams {
    v: Value,
}

/// Any value, described as one of the type `T`.
#[derive(Serialize)]
#[serde(transparent)]
struct DescribedAs<T>(Value, #[serde(skip)] PhantomData<fn() -> T>);

impl<T: JsonSchema> JsonSchema for DescribedAs<T> {
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

/// A type that is tried.
struct Case {
    name: &'static str,
    service: Service,
    /// True if the schemas of OpenRPC, which are of draft-07, can express all of the type.
    in_openrpc: bool,
}

/// Builds the service for a type.
fn case<T: DeserializeOwned + JsonSchema + 'static>(in_openrpc: bool) -> Case {
    let takes = Procedure::sync("takes", |_: Cx, _: TypedParams<T>| Ok::<_, Fault>(true));
    let gives =
        |_: Cx, params: UntypedParams| Ok::<_, Fault>(DescribedAs::<T>(params.v, PhantomData));
    let fails = |_: Cx, params: UntypedParams| {
        let data = DescribedAs::<T>(params.v, PhantomData);
        Err::<(), _>(Fault::new(7, "Seven").with_data(&data))
    };
    let fails = Procedure::sync("fails", fails).error_with_data::<DescribedAs<T>>(7, "Seven");
    let builder: ServiceBuilder = Service::builder("renderings", ID);
    let name = std::any::type_name::<T>();
    let service = builder
        .procedure(takes.idempotent().tool())
        .procedure(Procedure::sync("gives", gives).idempotent().tool())
        .procedure(fails)
        .check_results(CheckResults::RefuseIdempotent)
        .build()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    // Error data is refused in tests only.
    Case {
        name,
        service: service.for_tests(),
        in_openrpc,
    }
}

/// The role of a value in a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Param,
    Result,
    ErrorData,
}

/// A rendering of the description of a service.
struct Rendering {
    name: String,
    /// The schema of the parameter.
    param: Validator,
    /// The schema of the result, if it has one.
    result: Option<Validator>,
    /// The schema of the error's data, if it has one.
    error_data: Option<Validator>,
    /// True if the parameter is checked as the member `v` of an object.
    is_tool: bool,
    /// True if results are the member `result` of an object.
    is_wrapped: bool,
    /// Values that the schema of the parameter allows.
    samples: Vec<Json>,
}

impl Rendering {
    /// Reads the schemas of a document, whose references lead into `components`.
    fn new(name: String, draft: Draft, schemas: DocumentSchemas<'_>) -> Self {
        let validator_of = |schema: &Value| {
            let document = json!({"allOf": [schema], "components": schemas.components});
            validator(draft, &document)
        };
        Self {
            name,
            param: validator_of(schemas.param),
            result: Some(validator_of(schemas.result)),
            error_data: Some(validator_of(schemas.error_data)),
            is_tool: false,
            is_wrapped: false,
            samples: samples(schemas.param, &schemas.components["schemas"]),
        }
    }

    /// Reads the tools of the service.
    fn of_tools(service: &Service, runtime: &Runtime) -> Self {
        let list = json!({"jsonrpc": "2.0", "method": "tools/list", "id": 1}).to_string();
        let reply = runtime
            .block_on(service.mcp(Incoming::new(list), None))
            .reply;
        let list: Value =
            serde_json::from_slice(&reply.into_body().expect("a body")).expect("JSON");
        let tools = &list["result"]["tools"];
        let input = &tools[0]["inputSchema"];
        let output = &tools[1]["outputSchema"];
        let text = input
            .to_string()
            .replace("#/$defs/", "#/components/schemas/");
        let moved: Value = serde_json::from_str(&text).expect("JSON");
        let description = service.description();
        let views = SchemaViews::new(description);
        let result = ToolResult::new(&description.procs[1], &views);
        Self {
            name: "tools".to_owned(),
            param: validator(Draft::Draft202012, input),
            result: output
                .is_object()
                .then(|| validator(Draft::Draft202012, output)),
            error_data: None,
            is_tool: true,
            is_wrapped: result == ToolResult::Wrapped,
            samples: samples(&moved["properties"]["v"], &moved["$defs"]),
        }
    }

    fn is_openrpc(&self) -> bool {
        self.name.starts_with("OpenRPC")
    }

    /// Returns whether it allows a value in a role, if it says anything about that.
    fn allows(&self, role: Role, value: &Value) -> Option<bool> {
        // The validator takes a leap second at the end of any day, RFC 3339 only of two.
        let is_leap = value.as_str().is_some_and(|text| text.contains(":60"));
        if is_leap && !self.is_openrpc() {
            return None;
        }
        Some(match role {
            Role::Param if self.is_tool => self.param.is_valid(&json!({"v": value})),
            Role::Param => self.param.is_valid(value),
            Role::Result if self.is_wrapped => {
                self.result.as_ref()?.is_valid(&json!({"result": value}))
            }
            Role::Result => self.result.as_ref()?.is_valid(value),
            Role::ErrorData => self.error_data.as_ref()?.is_valid(value),
        })
    }
}

fn validator(draft: Draft, document: &Value) -> Validator {
    jsonschema::options()
        .with_draft(draft)
        .should_validate_formats(true)
        .build(document)
        .unwrap_or_else(|error| panic!("{error}: {document}"))
}

/// Returns a value of each form that a schema allows.
fn samples(schema: &Value, components: &Value) -> Vec<Json> {
    let mut definitions = Definitions::default();
    for (name, schema) in components.as_object().into_iter().flatten() {
        definitions.insert(name.clone(), parse_schema(schema));
    }
    let schema = parse_schema(schema);
    let views = SchemaViews::new(SchemaContext::new(&definitions, Some(&[])));
    let samples = Examples::new(&definitions).of_each_form(views.view_of_schema(&schema));
    assert!(!samples.is_empty(), "{schema} has no sample");
    samples
}

/// Reads a schema of draft-07 or 2020-12.
fn parse_schema(schema: &Value) -> Json {
    let mut schema = schema.clone();
    name_prefixes(&mut schema);
    schema.to_string().parse().expect("JSON")
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

/// The schemas in a document that describes the three procedures.
#[derive(Clone, Copy)]
struct DocumentSchemas<'d> {
    param: &'d Value,
    result: &'d Value,
    error_data: &'d Value,
    /// The components of the document.
    components: &'d Value,
}

/// Returns all renderings, that of `rpc.describe` first.
fn renderings(service: &Service, runtime: &Runtime) -> Vec<Rendering> {
    let document = parse(&service.rendered_description());
    let procs = &document["procs"];
    let schemas = DocumentSchemas {
        param: &procs[0]["params"][0]["schema"],
        result: &procs[1]["return"]["schema"],
        error_data: &procs[2]["errors"][0]["data"],
        components: &document["components"],
    };
    let mut all = vec![
        Rendering::new("describe".to_owned(), Draft::Draft202012, schemas),
        Rendering::of_tools(service, runtime),
    ];
    for version in [
        OpenRpcVersion::V1_2_6,
        OpenRpcVersion::V1_3_2,
        OpenRpcVersion::V1_4_1,
    ] {
        let document = parse(&service.rendered_openrpc(Some(version)));
        let methods = &document["methods"];
        let schemas = DocumentSchemas {
            param: &methods[0]["params"][0]["schema"],
            result: &methods[1]["result"]["schema"],
            error_data: &methods[2]["errors"][0]["data"],
            components: &document["components"],
        };
        let name = format!("OpenRPC {}", version.as_str());
        all.push(Rendering::new(name, Draft::Draft7, schemas));
    }
    all
}

fn parse(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

/// Returns the samples of all renderings as text, and values that differ from one in one place.
fn values_to_try(renderings: &[Rendering]) -> Vec<String> {
    let mut texts = HashSet::new();
    for value in renderings.iter().flat_map(|rendering| &rendering.samples) {
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
    let stride = texts.len() / MAX_VALUES + 1;
    texts.into_iter().step_by(stride).collect()
}

impl Case {
    fn call(&self, runtime: &Runtime, body: &Value) -> Value {
        let response = runtime.block_on(self.service.handle(body.to_string()));
        serde_json::from_slice(&response.expect("a response")).expect("JSON")
    }

    /// Adds to `wrong` where the service and a rendering differ about a value.
    fn compare(
        &self,
        runtime: &Runtime,
        all: &[Rendering],
        value: &Value,
        wrong: &mut Vec<String>,
    ) {
        for (role, method, code_of_refusal) in [
            (Role::Param, "takes", code::INVALID_PARAMS),
            (Role::Result, "gives", code::INTERNAL_ERROR),
            (Role::ErrorData, "fails", code::INTERNAL_ERROR),
        ] {
            let params = json!({"v": value});
            let body = json!({"jsonrpc": "2.0", "method": method, "params": params, "id": 1});
            let response = self.call(runtime, &body);
            let is_refused = response["error"]["code"] == code_of_refusal;
            for rendering in all {
                let Some(allows) = rendering.allows(role, value) else {
                    continue;
                };
                // Tools only outline results.
                let is_outline = rendering.is_tool && role == Role::Result;
                let may_allow_more = is_outline || !self.in_openrpc && rendering.is_openrpc();
                if allows == is_refused && !(allows && may_allow_more) {
                    let name = &rendering.name;
                    wrong.push(format!("{method} {value}: {name} {allows}, {response}"));
                }
            }
            if role == Role::Param {
                self.compare_other_ways(runtime, value, !is_refused, wrong);
            }
        }
    }

    /// Adds to `wrong` where the service does not take a value from a tool, GET or 1.1 as it does from 2.0. Not all of
    /// them can send every value.
    fn compare_other_ways(
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

    /// Compares the service with all renderings.
    #[track_caller]
    fn check(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        let all = renderings(&self.service, &runtime);
        let mut wrong = Vec::new();
        let mut taken = 0;
        let texts = values_to_try(&all);
        for text in &texts {
            let value: Value = serde_json::from_str(text).expect("JSON");
            self.compare(&runtime, &all, &value, &mut wrong);
            if all[0].allows(Role::Param, &value) == Some(true) {
                taken += 1;
                if taken < 20 && !self.has_described_type(&runtime, &value) {
                    wrong.push(format!("1.1 describes another type than that of {value}"));
                }
            }
        }
        let name = self.name;
        let count = texts.len();
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
    case::<Moment>(true).check();
    case::<Day>(true).check();
    case::<Clock>(true).check();
    case::<Span>(true).check();
    case::<Id>(true).check();
    case::<Mail>(true).check();
    case::<Language>(true).check();
    case::<char>(true).check();
    case::<Option<String>>(true).check();
}

#[test]
fn every_rendering_allows_what_the_service_takes_of_numbers() {
    case::<u8>(true).check();
    case::<i64>(true).check();
    case::<u64>(true).check();
    case::<f32>(true).check();
    case::<Option<std::num::NonZeroI8>>(true).check();
    case::<bool>(true).check();
    case::<Bounded>(true).check();
}

#[test]
fn every_rendering_allows_what_the_service_takes_of_containers() {
    case::<Vec<Option<u8>>>(true).check();
    case::<(u8, String)>(true).check();
    case::<[bool; 2]>(true).check();
    case::<Maps>(true).check();
    case::<BTreeMap<Language, u8>>(true).check();
    case::<Closed>(true).check();
    case::<Option<Closed>>(true).check();
    // OpenRPC's tools do not survive recursion, so it is cut there.
    case::<Tree>(false).check();
}

#[test]
fn every_rendering_allows_what_the_service_takes_of_enums() {
    case::<Plain>(true).check();
    case::<External>(true).check();
    case::<Tagged>(true).check();
    case::<Adjacent>(true).check();
    case::<Untagged>(true).check();
    case::<Option<Untagged>>(true).check();
    case::<Vec<External>>(true).check();
}

#[test]
fn every_rendering_allows_what_the_service_takes_of_flattened_types() {
    case::<Flat<Either>>(true).check();
    case::<Flat<Tagged>>(true).check();
    case::<Flat<Adjacent>>(true).check();
    case::<Flat<External>>(true).check();
    case::<Flat<BTreeMap<String, bool>>>(true).check();
    case::<Vec<Flat<Either>>>(true).check();
    case::<Twice>(true).check();
}
