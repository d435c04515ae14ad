//! Each member of the format is in the specification's examples, and is compared, rendered and told to the users of
//! clients, or is listed here as left out.
//!
//! `round_trip.rs` holds readers and writers to the members, and `docs-gen/tests/it/members.rs` the pages.

use std::collections::BTreeMap;

use docent_describe::ServiceDescription;
use docent_describe::render::{OpenApiOptions, OpenRpcVersion, openapi, openrpc};
use docent_tools::client::{Files, Integers, python, rust, typescript};
use docent_tools::compare::compare;
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

/// The members and whole objects that OpenRPC documents leave out: types are those of the schemas.
const NOT_IN_OPENRPC: [&str; 2] = ["parameter.type", "return.type"];

/// The members and whole objects that OpenAPI documents leave out. They have no subscriptions, and other carriers
/// than HTTP are not their business.
const NOT_IN_OPENAPI: [&str; 14] = [
    "alias",
    "carrier",
    "example.items",
    "parameter.aliases",
    "parameter.deprecated",
    "parameter.type",
    "procedure.byNameOnly",
    "procedure.notification",
    "procedure.unchecked",
    "return.type",
    "service.carriers",
    "service.enforcedFormats",
    "service.id",
    "subscription",
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
    left_out: &[&str],
    notices: impl Fn(&ServiceDescription, &ServiceDescription) -> bool,
) {
    let mut members: BTreeMap<String, bool> = BTreeMap::new();
    for sample in member_samples() {
        let is_noticed = members.entry(sample.name.clone()).or_default();
        *is_noticed = *is_noticed || differs(&sample, &notices);
    }
    let unnoticed = members.iter().filter(|(_, is_noticed)| !**is_noticed);
    assert_left_out(place, unnoticed.map(|(member, _)| &**member), left_out);
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
        &NOT_IN_OPENRPC,
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
        &NOT_IN_OPENAPI,
        |with, without| {
            let options = OpenApiOptions::default();
            openapi(with, options) != openapi(without, options)
        },
    );
}

#[test]
fn a_client_in_each_language_has_each_member() {
    let languages: [fn(&ServiceDescription) -> Files; 3] = [
        |service| typescript(service, None, Integers::default()),
        |service| python(service, None),
        |service| rust(service, None),
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
