//! Each member of the format is in the specification's examples, and is compared, rendered and told to the users of
//! clients, or is listed here as left out.
//!
//! `round_trip.rs` holds readers and writers to the members, and `docs-gen/tests/it/members.rs` the pages.

use std::collections::BTreeMap;

use docent_describe::ServiceDescription;
use docent_describe::render::{
    OpenApiOptions, OpenRpcVersion, json_schema, openapi, openrpc, system_describe,
};
use docent_tools::client::{Files, Integers, python, rust, typescript};
use docent_tools::compare::compare;
use docent_tools::left_out::{NarrowFormat, left_out};
use docent_tools::read::read;

use crate::member_samples::{MemberSample, assert_left_out, member_samples};

/// The members that follow from others: types from schemas, and the format of a document from the document. An alias
/// is accepted as before when it is deprecated.
const UNCOMPARED: [&str; 4] = [
    "alias.deprecated",
    "parameter.type",
    "return.type",
    "service.$originFormat",
];

/// The members and whole objects that do not change a client or its documentation, in at least one language.
const NOT_IN_CLIENTS: [&str; 30] = [
    "alias",
    "alternatives",
    "carrier",
    "deprecation.since",
    "error.$status",
    "example",
    "limits",
    "parameter.aliases",
    "parameter.type",
    "procedure.byNameOnly",
    "procedure.cache",
    "procedure.errorsOpen",
    "procedure.examples",
    "procedure.guarded",
    "procedure.help",
    "procedure.ignoresUnknown",
    "procedure.limits",
    "procedure.security",
    "procedure.tags",
    "procedure.unchecked",
    "return.type",
    "service.address",
    "service.carriers",
    "service.enforcedFormats",
    "service.help",
    "service.id",
    "service.name",
    "service.securitySchemes",
    "service.version",
    "subscription",
];

/// Returns whether a sample's member makes a difference, if the description can be read without it.
fn differs(
    sample: &MemberSample,
    notices: impl Fn(&ServiceDescription, &ServiceDescription) -> bool,
) -> bool {
    let with = read(sample.with.to_string().as_bytes())
        .unwrap()
        .description;
    let without = read(sample.without().to_string().as_bytes());
    without.is_ok_and(|without| notices(&with, &without.description))
}

/// Checks that each member makes a difference in a sample that `notices` sees, except for those that are `left_out`.
#[track_caller]
fn check(
    place: &str,
    left_out: &[impl AsRef<str>],
    notices: impl Fn(&ServiceDescription, &ServiceDescription) -> bool,
) {
    let mut members: BTreeMap<String, bool> = BTreeMap::new();
    for sample in member_samples() {
        let is_noticed = members.entry(sample.name.clone()).or_default();
        *is_noticed = *is_noticed || differs(&sample, &notices);
    }
    let unnoticed = members.iter().filter(|(_, is_noticed)| !**is_noticed);
    let left_out: Vec<&str> = left_out.iter().map(AsRef::as_ref).collect();
    assert_left_out(place, unnoticed.map(|(member, _)| &**member), &left_out);
}

/// Returns the text of a client.
fn client_text(files: &Files) -> String {
    files.iter().map(|(_, text)| text.as_str()).collect()
}

#[test]
fn a_comparison_notices_each_member() {
    check(
        "a comparison (tools/src/compare/)",
        &UNCOMPARED,
        |with, without| !compare(with, without).is_empty(),
    );
}

#[test]
fn an_openrpc_document_has_each_member() {
    check(
        "an OpenRPC document (describe/src/render/openrpc/)",
        &NarrowFormat::OpenRpc.left_out(),
        |with, without| {
            let version = OpenRpcVersion::V1_4_1;
            openrpc(with, version) != openrpc(without, version)
        },
    );
}

#[test]
fn an_openapi_document_has_each_member() {
    check(
        "an OpenAPI document (describe/src/render/openapi/)",
        &NarrowFormat::OpenApi.left_out(),
        |with, without| {
            let options = OpenApiOptions::default();
            openapi(with, options) != openapi(without, options)
        },
    );
}

#[test]
fn a_description_of_1_1_and_a_json_schema_have_each_member_that_they_do_not_leave_out() {
    // What is told of an object is not told again of its members, and what each document has is nothing to tell.
    let not_told = [
        "components.schemas",
        "parameter.type",
        "return.type",
        "service.$originFormat",
        "service.sdversion",
    ]
    .map(str::to_owned);
    check(
        "a description of 1.1 (describe/src/render/system.rs)",
        &[&NarrowFormat::JsonRpc11.left_out()[..], &not_told].concat(),
        |with, without| system_describe(with) != system_describe(without),
    );
    check(
        "a JSON Schema (describe/src/render/json_schema.rs)",
        &[&NarrowFormat::JsonSchema.left_out()[..], &not_told[3..]].concat(),
        |with, without| json_schema(with) != json_schema(without),
    );
}

#[test]
fn each_member_that_a_format_leaves_out_is_told() {
    for format in [
        NarrowFormat::OpenRpc,
        NarrowFormat::OpenApi,
        NarrowFormat::JsonRpc11,
        NarrowFormat::JsonSchema,
    ] {
        for sample in member_samples() {
            let service = read(sample.with.to_string().as_bytes())
                .unwrap()
                .description;
            let told = left_out(&service, format);
            let is_told = format.left_out().contains(&sample.name)
                && !matches!(&*sample.name, "parameter.type" | "return.type")
                && is_in(format, &sample, &service);
            let name = &sample.name;
            assert!(
                !is_told || told.contains_key(name),
                "{format:?} leaves out {name}: {told:?}"
            );
        }
    }
}

/// Returns whether a sample's member is one of the service or of a procedure that the format has.
fn is_in(format: NarrowFormat, sample: &MemberSample, service: &ServiceDescription) -> bool {
    let tokens: Vec<String> = sample.pointer.tokens().collect();
    let ["procs", index, ..] = tokens.iter().map(String::as_str).collect::<Vec<_>>()[..] else {
        return true;
    };
    format.has(&service.procs[index.parse::<usize>().unwrap()])
}

#[test]
fn a_client_in_each_language_has_each_member() {
    let languages: [fn(&ServiceDescription) -> Files; 3] = [
        |service| typescript(service, None, Integers::default()),
        |service| python(service, None),
        |service| rust(service, None, Integers::default()),
    ];
    check(
        "a client (tools/src/client/build.rs)",
        &NOT_IN_CLIENTS,
        |with, without| {
            languages
                .iter()
                .all(|client| client_text(&client(with)) != client_text(&client(without)))
        },
    );
}
