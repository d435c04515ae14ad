//! Any description reads back as what it was.

use std::collections::HashSet;
use std::time::Duration;

use docent_describe::json::{Json, Object};
use docent_describe::render::{FORMAT_SCHEMA, OpenRpcVersion, describe, openrpc};
use docent_describe::{
    CachePolicy, Carrier, Components, Credential, Deprecation, Direction, ErrorDescription,
    Example, LagPolicy, Origin, ParamAlias, ParamDescription, ProcedureDescription,
    ProcedureLimits, RateKey, RateLimit, Requirement, ReturnDescription, ServiceDescription,
    SubscriptionDescription, TypeCode,
};
use docent_tools::read::{Format, read};
use proptest::collection::{btree_set, vec};
use proptest::option::of;
use proptest::prelude::*;

use crate::faults::faults;

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z. ]{1,8}", any::<String>()]
}

fn data() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?"
            .prop_map(|number| number.parse().unwrap()),
        text().prop_map(Json::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Json::Array),
            object(inner).prop_map(Json::Object),
        ]
    })
}

fn object(value: impl Strategy<Value = Json>) -> impl Strategy<Value = Object> {
    vec((text(), value), 0..3).prop_map(|members| members.into_iter().collect())
}

/// Members of one's own, none of which the format defines.
fn extensions() -> impl Strategy<Value = Object> {
    vec(("\\$my[A-Z/~]{0,4}", data()), 0..2).prop_map(|members| members.into_iter().collect())
}

fn schema() -> impl Strategy<Value = Json> {
    let leaf = prop::sample::select(vec![
        "true",
        "{}",
        r#"{"type": "string", "minLength": 1}"#,
        r#"{"type": ["integer", "null"], "maximum": 18446744073709551615}"#,
        r##"{"$ref": "#/components/schemas/A", "description": "d"}"##,
        r##"{"$ref": "#/components/schemas/B~1c"}"##,
        r#"{"enum": [1, "a", null], "x-own": {"$ref": 5}}"#,
    ])
    .prop_map(|text| text.parse::<Json>().unwrap());
    leaf.prop_recursive(2, 6, 2, |inner| {
        let wrap = |keyword: &'static str| {
            move |value: Json| Json::Object([(keyword.to_owned(), value)].into_iter().collect())
        };
        prop_oneof![
            inner.clone().prop_map(wrap("items")),
            vec(inner.clone(), 1..3)
                .prop_map(Json::Array)
                .prop_map(wrap("anyOf")),
            object(inner)
                .prop_map(Json::Object)
                .prop_map(wrap("properties")),
        ]
    })
}

fn type_code() -> impl Strategy<Value = TypeCode> {
    use TypeCode::{Any, Arr, Bit, Num, Obj, Str};
    prop::sample::select(vec![Bit, Num, Str, Arr, Obj, Any])
}

prop_compose! {
    fn alias()(name in "[a-z]{1,5}", deprecated in any::<bool>()) -> ParamAlias {
        ParamAlias { name, deprecated }
    }
}

prop_compose! {
    fn param()(
        name in "[a-z]{1,5}", type_code in type_code(), flags in any::<[bool; 3]>(),
        default in of(data()), description in of(text()), schema in schema(),
        aliases in vec(alias(), 0..2), extensions in extensions(),
    ) -> ParamDescription {
        let [required, variadic, deprecated] = flags;
        ParamDescription {
            name, type_code, required, variadic, default, description, deprecated, aliases, schema,
            extensions,
        }
    }
}

prop_compose! {
    fn returns()(
        type_code in prop_oneof![type_code(), Just(TypeCode::Nil)], description in of(text()),
        schema in schema(), extensions in extensions(),
    ) -> ReturnDescription {
        ReturnDescription { type_code, description, schema, extensions }
    }
}

prop_compose! {
    fn error()(
        code in any::<i64>(), message in text(), description in of(text()),
        status in of(100u16..600), retry in of(any::<bool>()), data in of(schema()),
        extensions in extensions(),
    ) -> ErrorDescription {
        ErrorDescription { code, message, description, status, retry, data, extensions }
    }
}

prop_compose! {
    fn failure()(code in any::<i64>(), message in text(), data in of(data())) -> Json {
        let members = [("code", Some(Json::from(code))), ("message", Some(Json::from(message)))];
        let members = members.into_iter().chain([("data", data)]);
        Json::Object(members.filter_map(|(name, it)| Some((name.to_owned(), it?))).collect())
    }
}

prop_compose! {
    fn example()(
        summary in of(text()), description in of(text()),
        params in of(prop_oneof![
            vec(data(), 0..3).prop_map(Json::Array),
            object(data()).prop_map(Json::Object),
        ]),
        outcome in of(prop_oneof![
            data().prop_map(Ok),
            failure().prop_map(Err),
        ]),
        items in of(vec(data(), 0..3)), extensions in extensions(),
    ) -> Example {
        let (result, error) = match outcome {
            Some(Ok(result)) => (Some(result), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        let items = items.filter(|_| result.is_none());
        Example { summary, description, params, result, items, error, extensions }
    }
}

prop_compose! {
    fn deprecation()(
        since in of(text()), reason in of(text()), instead in of(text()),
    ) -> Deprecation {
        Deprecation { since, reason, instead }
    }
}

prop_compose! {
    fn rate()(
        calls in 1u64..u64::MAX / 2, per in 1u64..100_000_000, by_caller in any::<bool>(),
    ) -> RateLimit {
        let by = if by_caller { RateKey::Caller } else { RateKey::Peer };
        RateLimit { calls, per: Duration::from_millis(per), by }
    }
}

fn cache() -> impl Strategy<Value = CachePolicy> {
    (0u64..100_000, any::<bool>()).prop_map(|(age, shared)| CachePolicy {
        max_age: Duration::from_millis(age),
        shared,
    })
}

fn limits() -> impl Strategy<Value = ProcedureLimits> {
    prop_oneof![
        (1u64..1_000, of(rate())).prop_map(|(concurrent, rate)| ProcedureLimits {
            concurrent: Some(concurrent),
            rate,
        }),
        rate().prop_map(|rate| ProcedureLimits {
            concurrent: None,
            rate: Some(rate),
        }),
    ]
}

fn requirement() -> impl Strategy<Value = Requirement> {
    vec((text(), vec(text(), 0..3)), 1..3).prop_map(|credentials| Requirement {
        one_of: credentials
            .into_iter()
            .map(|(scheme, scopes)| Credential { scheme, scopes })
            .collect(),
    })
}

prop_compose! {
    fn subscription()(
        item in returns(), notification in of("[a-z.]{1,8}"), resume in of("[a-z]{1,5}"),
        behind in prop::sample::select(vec![None, Some(LagPolicy::End), Some(LagPolicy::Skip), Some(LagPolicy::Wait)]),
        ends_untold in any::<bool>(), extensions in extensions(),
    ) -> SubscriptionDescription {
        SubscriptionDescription { item, notification, behind, resume, ends_untold, extensions }
    }
}

fn carrier() -> impl Strategy<Value = Carrier> {
    (
        prop::sample::select(Carrier::NAMES.to_vec()),
        of("[a-z:/]{1,8}"),
    )
        .prop_map(|(name, address)| Carrier {
            name: name.to_owned(),
            address,
        })
}

prop_compose! {
    fn procedure()(
        name in "[a-z.]{1,8}", texts in (of(text()), of(text()), of(text())),
        flags in any::<[bool; 7]>(), subscription in of(subscription()), tags in vec(text(), 0..2), security in vec(requirement(), 0..3),
        params in vec(param(), 0..3), returns in of(returns()), errors in vec(error(), 0..2),
        examples in vec(example(), 0..2), deprecated in of(deprecation()),
        promises in (of(limits()), of(cache()), of(1u64..100_000), of(text())), extensions in extensions(),
    ) -> ProcedureDescription {
        let (summary, description, help) = texts;
        let [idempotent, by_name_only, errors_open, notification, guarded, ignores_unknown, is_sent] = flags;
        let direction = if is_sent { Direction::Server } else { Direction::Client };
        let returns = returns.filter(|_| subscription.is_none());
        let (limits, cache, repeatable, unchecked) = promises;
        ProcedureDescription {
            name, summary, description, help, idempotent, tags, params, by_name_only, returns,
            errors, errors_open, examples, guarded, deprecated, notification, limits, cache, unchecked, extensions,
            repeatable: repeatable.map(Duration::from_millis),
            security, ignores_unknown, direction, subscription,
        }
    }
}

prop_compose! {
    fn service()(
        names in (text(), text()), texts in vec(of(text()), 5..6), procs in vec(procedure(), 0..4),
        schemas in (schema(), schema()), schemes in vec((text(), object(data())), 0..2),
        origin in prop::sample::select(vec![Origin::Docent, Origin::JsonRpc11, Origin::OpenRpc]),
        extensions in extensions(), formats in btree_set(text(), 0..3), carriers in vec(carrier(), 0..3),
    ) -> ServiceDescription {
        let [version, summary, description, help, address] = texts.try_into().unwrap();
        ServiceDescription {
            name: names.0, id: names.1, version, summary, description, help, address, procs,
            components: Components {
                schemas: [("A".to_owned(), schemas.0), ("B/c".to_owned(), schemas.1)]
                    .into_iter()
                    .collect(),
            },
            enforced_formats: formats.into_iter().collect(),
            security_schemes: schemes
                .into_iter()
                .map(|(name, scheme)| (name, Json::Object(scheme)))
                .collect(),
            origin,
            carriers,
            extensions,
        }
    }
}

/// Removes what no service of ours has, and an OpenRPC document does not keep: addresses that are not
/// absolute, empty texts, a list of any length that is by name only, and a scheme that is required twice.
fn sayable(mut service: ServiceDescription) -> ServiceDescription {
    let scheme = |url: &str| {
        url.split_once(':').is_some_and(|(scheme, _)| {
            scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                && scheme
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        })
    };
    service.address = service.address.filter(|address| scheme(address));
    service.help = service.help.filter(|help| !help.is_empty());
    for procedure in &mut service.procs {
        procedure.help = procedure.help.take().filter(|help| !help.is_empty());
        procedure.tags.retain(|tag| !tag.is_empty());
        if procedure.params.iter().any(|param| param.variadic) {
            procedure.by_name_only = false;
        }
        procedure.security = as_ways_in(&procedure.security);
    }
    service
}

/// Returns requirements as OpenRPC lists them: of one scheme, those that are required together become one.
fn as_ways_in(required: &[Requirement]) -> Vec<Requirement> {
    let ways = Requirement::ways_in(required).unwrap();
    Requirement::of_ways_in(&ways).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn a_description_is_the_same_after_it_was_rendered_and_read(service in service()) {
        let text = describe(&service).to_string();
        let reading = read(text.as_bytes()).unwrap();
        prop_assert_eq!(reading.format, Format::Docent);
        prop_assert_eq!(&reading.description, &service);
        let twins = reading.warnings.iter().all(|warning| warning.message.contains("two procedures"));
        prop_assert!(twins, "{:?}", reading.warnings);
    }

    #[test]
    fn a_description_follows_the_published_schema(service in service()) {
        let faults = faults(FORMAT_SCHEMA, &describe(&service));
        prop_assert!(faults.is_empty(), "{:?}", faults);
    }

    #[test]
    fn an_openrpc_document_has_no_member_that_openrpc_refuses(service in service()) {
        for version in [OpenRpcVersion::V1_2_6, OpenRpcVersion::V1_3_2, OpenRpcVersion::V1_4_1] {
            let document = openrpc(&service, version);
            let faults = faults(include_str!("../../../describe/tests/it/openrpc.schema.json"), &document);
            prop_assert!(faults.is_empty(), "{:?}", faults);
            let reading = read(document.to_string().as_bytes()).unwrap();
            prop_assert_eq!(reading.description.procs.len(), service.procs.len());
            let security = |service: &ServiceDescription| {
                let procs = service.procs.iter();
                procs.map(|it| it.security.clone()).collect::<Vec<_>>()
            };
            prop_assert_eq!(security(&reading.description), security(&sayable(service.clone())));
            prop_assert_eq!(reading.description.origin, service.origin);
            if service.origin != Origin::OpenRpc {
                prop_assert_eq!(&reading.description, &sayable(service.clone()));
            }
        }
    }

    #[test]
    fn requirements_of_different_schemes_are_the_same_after_they_were_ways_in(
        mut required in vec(requirement(), 0..4)
    ) {
        let mut schemes = HashSet::new();
        for requirement in &mut required {
            requirement.one_of.retain(|credential| schemes.insert(credential.scheme.clone()));
        }
        required.retain(|requirement| !requirement.one_of.is_empty());
        prop_assert_eq!(as_ways_in(&required), required);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(
        service in service(), at in any::<prop::sample::Index>(), new in any::<u8>()
    ) {
        let mut bytes = describe(&service).to_string().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = new;
        let _ = read(&bytes);
    }
}
