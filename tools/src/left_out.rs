//! Lists what a format has no place for.
//!
//! Only Docent's own format has a place for everything. A user who renders a description in another format is told what
//! its readers do not see, such as a keyword that draft-07 lacks: they accept more than the service does.

use std::collections::BTreeMap;

use docent_describe::json::{Json, Object};
use docent_describe::openrpc::{
    CUT_REFERENCE, EXTERNAL_DOCS, INFO_MEMBERS, ORIGIN_FORMAT, TAG_DESCRIPTIONS,
};
use docent_describe::render::{
    MemberForm, OpenRpcOptions, PROCEDURE_MEMBERS, ProcedureMember, describe, is_not_in_draft07,
    openrpc,
};
use docent_describe::schema::{for_each_schema, is_uri};
use docent_describe::{ProcedureDescription, ServiceDescription};

/// A format that leaves something out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NarrowFormat {
    /// OpenRPC, in any version.
    OpenRpc,
    /// OpenAPI.
    OpenApi,
    /// A JSON-RPC 1.1 service description.
    JsonRpc11,
    /// The types as a JSON Schema document.
    JsonSchema,
}

/// The members, but for those of procedures, that JSON-RPC 1.1 has no place for. It has names and types.
const NOT_IN_JSON_RPC_1_1: [&str; 22] = [
    "alias",
    "alternatives",
    "carrier",
    "deprecation",
    "error",
    "example",
    "limits",
    "parameter.aliases",
    "parameter.default",
    "parameter.deprecated",
    "parameter.description",
    "parameter.required",
    "parameter.schema",
    "parameter.variadic",
    "return.description",
    "return.schema",
    "service.carriers",
    "service.components",
    "service.description",
    "service.enforcedFormats",
    "service.securitySchemes",
    "subscription",
];

/// The members, but for those of procedures, that a JSON Schema has no place for. It has types only.
const NOT_IN_JSON_SCHEMA: [&str; 26] = [
    "alias.deprecated",
    "alternatives",
    "carrier",
    "deprecation",
    "error.$description",
    "error.$status",
    "error.message",
    "error.retry",
    "example",
    "limits",
    "parameter.deprecated",
    "parameter.type",
    "return.description",
    "return.type",
    "service.address",
    "service.carriers",
    "service.description",
    "service.enforcedFormats",
    "service.help",
    "service.id",
    "service.securitySchemes",
    "service.version",
    "subscription.behind",
    "subscription.ends",
    "subscription.notification",
    "subscription.resume",
];

impl NarrowFormat {
    /// Returns the members of Docent's format that have no place in this one, such as `procedure.tags`, and the
    /// objects that have none with all of their members.
    pub fn left_out(self) -> Vec<String> {
        let others: &[&str] = match self {
            // Types are those of the schemas.
            Self::OpenRpc => &["parameter.type", "return.type"],
            // Other carriers than HTTP are not its business.
            Self::OpenApi => &[
                "alias",
                "carrier",
                "parameter.aliases",
                "parameter.deprecated",
                "parameter.type",
                "return.type",
                "service.carriers",
                "service.enforcedFormats",
                "service.id",
            ],
            Self::JsonRpc11 => &NOT_IN_JSON_RPC_1_1,
            Self::JsonSchema => &NOT_IN_JSON_SCHEMA,
        };
        let mut left_out: Vec<String> = others.iter().map(ToString::to_string).collect();
        for member in PROCEDURE_MEMBERS {
            if self.form_of(member) == MemberForm::LeftOut {
                left_out.push(format!("procedure.{}", member.name));
            }
        }
        left_out
    }

    /// Returns the form in which the format has a member of a procedure.
    fn form_of(self, member: &ProcedureMember) -> MemberForm {
        match self {
            Self::OpenRpc => member.openrpc,
            Self::OpenApi => member.openapi,
            Self::JsonRpc11 => member.json_rpc_1_1,
            Self::JsonSchema => member.json_schema,
        }
    }

    /// Returns whether the format has a procedure. OpenAPI leaves out what the service sends by itself, and JSON-RPC
    /// 1.1 subscriptions, too.
    pub fn has(self, procedure: &ProcedureDescription) -> bool {
        match self {
            Self::OpenRpc | Self::JsonSchema => true,
            Self::OpenApi => procedure.is_called_by_clients(),
            Self::JsonRpc11 => procedure.is_a_call(),
        }
    }

    /// Returns whether the format has an extension of a description.
    fn has_extension(self, name: &str) -> bool {
        match self {
            Self::OpenRpc => true,
            Self::OpenApi => {
                name == EXTERNAL_DOCS
                    || name == TAG_DESCRIPTIONS
                    || INFO_MEMBERS.iter().any(|(extension, _)| *extension == name)
            }
            Self::JsonRpc11 | Self::JsonSchema => false,
        }
    }
}

/// Counts what a format leaves out of a description: members, such as `procedure.tags`, and keywords of schemas.
pub fn left_out(service: &ServiceDescription, format: NarrowFormat) -> BTreeMap<String, usize> {
    let mut service = service.clone();
    service.procs.retain(|procedure| format.has(procedure));
    let mut counts = Counts {
        format,
        left_out: format.left_out(),
        number: BTreeMap::new(),
    };
    if let Json::Object(members) = describe(&service) {
        counts.add_members("service", &members);
    }
    if format == NarrowFormat::OpenRpc {
        for schema in service.procs.iter().flat_map(ProcedureDescription::schemas) {
            counts.add_schema(schema);
        }
        for schema in service.components.schemas.values() {
            counts.add_schema(schema);
        }
        counts.add_cut_references(&service);
        if service.address.is_some_and(|address| !is_uri(&address)) {
            counts.add("service.address");
        }
    }
    counts.number
}

/// The number of times that something is left out, by its name.
struct Counts {
    format: NarrowFormat,
    /// The members that the format leaves out.
    left_out: Vec<String>,
    number: BTreeMap<String, usize>,
}

impl Counts {
    fn add(&mut self, name: &str) {
        *self.number.entry(name.to_owned()).or_default() += 1;
    }

    /// Adds the members of an object of Docent's format, and of those inside it.
    fn add_members(&mut self, object: &str, members: &Object) {
        for (name, value) in members {
            let name = name.as_str();
            let member = format!("{object}.{name}");
            let inner = match (object, name) {
                ("service", "procs") => "procedure",
                ("procedure", "params") => "parameter",
                ("procedure", "return") | ("subscription", "item") => "return",
                ("procedure", "errors") => "error",
                ("procedure", "examples") => "example",
                ("procedure", "subscription") => "subscription",
                ("parameter", "aliases") => "alias",
                _ => "",
            };
            let is_extension = name.starts_with('$') && name != ORIGIN_FORMAT;
            let is_defined = matches!(&*member, "error.$description" | "error.$status");
            if self.left_out.contains(&member)
                || is_extension && !is_defined && !self.format.has_extension(name)
            {
                // The schema says it too.
                if name != "type" {
                    self.add(&member);
                }
            } else if !inner.is_empty() {
                for element in value.as_array().unwrap_or(std::slice::from_ref(value)) {
                    if let Json::Object(members) = element {
                        self.add_members(inner, members);
                    }
                }
            }
        }
    }

    /// Adds the keywords of a schema, and of those inside it, that draft-07 lacks.
    fn add_schema(&mut self, schema: &Json) {
        for_each_schema(schema, &mut |schema| {
            for (keyword, _) in schema.as_object().into_iter().flatten() {
                if is_not_in_draft07(keyword.as_str()) {
                    self.add(keyword.as_str());
                }
            }
        });
    }

    /// Adds the references that OpenRPC documents do not have, because they would close a cycle.
    fn add_cut_references(&mut self, service: &ServiceDescription) {
        let document = openrpc(service, OpenRpcOptions::default());
        let Some(Json::Object(schemas)) = document
            .get("components")
            .and_then(|components| components.get("schemas"))
        else {
            return;
        };
        for (_, schema) in schemas {
            for_each_schema(schema, &mut |schema| {
                if schema.get(CUT_REFERENCE).is_some() {
                    self.add("$ref");
                }
            });
        }
    }
}
