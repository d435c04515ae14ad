//! Any description reads back as what it was.

use std::collections::HashSet;
use std::time::Duration;

use docent_describe::json::{Json, Object, Pointer};
use docent_describe::render::{FORMAT_SCHEMA, OpenRpcVersion, describe, openrpc};
use docent_describe::{
    CachePolicy, Carrier, Credential, Deprecation, Direction, ErrorDescription, Example, LagPolicy,
    Origin, ParamAlias, ParamDescription, ProcedureDescription, ProcedureLimits, RateKey,
    RateLimit, Requirement, ReturnDescription, ServiceDescription, SubscriptionDescription,
    TypeCode,
};
use docent_tools::read::{Format, read};
use proptest::collection::{btree_set, vec};
use proptest::option::of;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

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
        let mut alias = ParamAlias::new(name);
        alias.deprecated = deprecated;
        alias
    }
}

prop_compose! {
    fn param()(
        name in "[a-z]{1,5}", type_code in type_code(), flags in any::<[bool; 3]>(),
        default in of(data()), description in of(text()), schema in schema(),
        aliases in vec(alias(), 0..2), extensions in extensions(),
    ) -> ParamDescription {
        let [required, variadic, deprecated] = flags;
        let mut param = ParamDescription::new(name, schema);
        param.type_code = type_code;
        param.required = required;
        param.variadic = variadic;
        param.default = default;
        param.description = description;
        param.deprecated = deprecated;
        param.aliases = aliases;
        param.extensions = extensions;
        param
    }
}

prop_compose! {
    fn returns()(
        type_code in prop_oneof![type_code(), Just(TypeCode::Nil)], description in of(text()),
        schema in schema(), extensions in extensions(),
    ) -> ReturnDescription {
        let mut returns = ReturnDescription::new(schema);
        returns.type_code = type_code;
        returns.description = description;
        returns.extensions = extensions;
        returns
    }
}

prop_compose! {
    fn error()(
        code in any::<i64>(), message in text(), description in of(text()),
        status in of(100u16..600), retry in of(any::<bool>()), data in of(schema()),
        extensions in extensions(),
    ) -> ErrorDescription {
        let mut error = ErrorDescription::new(code, message);
        error.description = description;
        error.status = status;
        error.retry = retry;
        error.data = data;
        error.extensions = extensions;
        error
    }
}

prop_compose! {
    fn failure()(code in any::<i64>(), message in text(), data in of(data())) -> Json {
        let mut error = Object::new();
        error.insert("code", Json::from(code));
        error.insert("message", Json::from(message));
        if let Some(data) = data {
            error.insert("data", data);
        }
        Json::Object(error)
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
        let mut example = Example::default();
        example.summary = summary;
        example.description = description;
        example.params = params;
        example.result = result;
        example.items = items;
        example.error = error;
        example.extensions = extensions;
        example
    }
}

prop_compose! {
    fn deprecation()(
        since in of(text()), reason in of(text()), instead in of(text()),
    ) -> Deprecation {
        let mut deprecation = Deprecation::default();
        deprecation.since = since;
        deprecation.reason = reason;
        deprecation.instead = instead;
        deprecation
    }
}

prop_compose! {
    fn rate()(
        calls in 1u64..u64::MAX / 2, per in 1u64..100_000_000, by_caller in any::<bool>(),
    ) -> RateLimit {
        let by = if by_caller { RateKey::Caller } else { RateKey::Peer };
        RateLimit::new(calls, Duration::from_millis(per), by)
    }
}

fn cache() -> impl Strategy<Value = CachePolicy> {
    (0u64..100_000, any::<bool>()).prop_map(|(age, shared)| {
        let mut policy = CachePolicy::default();
        policy.max_age = Duration::from_millis(age);
        policy.shared = shared;
        policy
    })
}

fn limits() -> impl Strategy<Value = ProcedureLimits> {
    prop_oneof![
        (1u64..1_000, of(rate())).prop_map(|(concurrent, rate)| {
            let mut limits = ProcedureLimits::default();
            limits.concurrent = Some(concurrent);
            limits.rate = rate;
            limits
        }),
        rate().prop_map(|rate| {
            let mut limits = ProcedureLimits::default();
            limits.rate = Some(rate);
            limits
        }),
    ]
}

fn credential() -> impl Strategy<Value = Credential> {
    (text(), vec(text(), 0..3)).prop_map(|(scheme, scopes)| {
        let mut credential = Credential::new(scheme);
        credential.scopes = scopes;
        credential
    })
}

fn requirement() -> impl Strategy<Value = Requirement> {
    (vec(credential(), 1..3), any::<bool>()).prop_map(|(one_of, is_optional)| {
        if is_optional {
            Requirement::optional(one_of)
        } else {
            Requirement::new(one_of)
        }
    })
}

prop_compose! {
    fn subscription()(
        item in returns(), notification in of("[a-z.]{1,8}"), resume in of("[a-z]{1,5}"),
        behind in prop::sample::select(vec![None, Some(LagPolicy::End), Some(LagPolicy::Skip), Some(LagPolicy::Wait)]),
        ends_untold in any::<bool>(), extensions in extensions(),
    ) -> SubscriptionDescription {
        let mut subscription = SubscriptionDescription::new(item);
        subscription.notification = notification;
        subscription.behind = behind;
        subscription.resume = resume;
        subscription.ends_untold = ends_untold;
        subscription.extensions = extensions;
        subscription
    }
}

fn carrier() -> impl Strategy<Value = Carrier> {
    (
        prop::sample::select(Carrier::NAMES.to_vec()),
        of("[a-z:/]{1,8}"),
    )
        .prop_map(|(name, address)| {
            let mut carrier = Carrier::new(name);
            carrier.address = address;
            carrier
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
        let mut procedure = ProcedureDescription::new(name);
        procedure.summary = summary;
        procedure.description = description;
        procedure.help = help;
        procedure.idempotent = idempotent;
        procedure.tags = tags;
        procedure.params = params;
        procedure.by_name_only = by_name_only;
        procedure.returns = returns;
        procedure.errors = errors;
        procedure.errors_open = errors_open;
        procedure.examples = examples;
        procedure.guarded = guarded;
        procedure.deprecated = deprecated;
        procedure.notification = notification;
        procedure.limits = limits;
        procedure.cache = cache;
        procedure.unchecked = unchecked;
        procedure.extensions = extensions;
        procedure.repeatable = repeatable.map(Duration::from_millis);
        procedure.security = security;
        procedure.ignores_unknown = ignores_unknown;
        procedure.direction = direction;
        procedure.subscription = subscription;
        procedure
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
        let mut service = ServiceDescription::new(names.0, names.1);
        service.version = version;
        service.summary = summary;
        service.description = description;
        service.help = help;
        service.address = address;
        service.procs = procs;
        service.components.schemas = [("A".to_owned(), schemas.0), ("B/c".to_owned(), schemas.1)]
            .into_iter()
            .collect();
        service.enforced_formats = formats.into_iter().collect();
        service.security_schemes = schemes
            .into_iter()
            .map(|(name, scheme)| (name, Json::Object(scheme)))
            .collect();
        service.origin = origin;
        service.carriers = carriers;
        service.extensions = extensions;
        service
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
        procedure.security = as_alternatives(&procedure.security);
    }
    service
}

/// Returns requirements as OpenRPC lists them: of one scheme, those that are required together become one.
fn as_alternatives(required: &[Requirement]) -> Vec<Requirement> {
    let alternatives = Requirement::alternatives(required).unwrap();
    Requirement::from_alternatives(&alternatives).unwrap()
}

/// Returns the members of the objects in these lists, such as those of all procedures.
fn elements<'j>(objects: &[&'j Json], list: &str) -> Vec<&'j Json> {
    objects
        .iter()
        .filter_map(|object| object.get(list)?.as_array())
        .flatten()
        .collect()
}

#[test]
fn each_member_of_the_format_is_in_a_description_that_is_read_back() {
    let mut runner = TestRunner::deterministic();
    let documents: Vec<Json> = (0..64)
        .map(|_| describe(&service().new_tree(&mut runner).unwrap().current()))
        .collect();
    let services: Vec<&Json> = documents.iter().collect();
    let procedures = elements(&services, "procs");
    let format: Json = FORMAT_SCHEMA.parse().unwrap();
    for (definition, objects) in [
        ("", services),
        ("/$defs/parameter", elements(&procedures, "params")),
        ("/$defs/error", elements(&procedures, "errors")),
        ("/$defs/example", elements(&procedures, "examples")),
        ("/$defs/procedure", procedures),
    ] {
        let properties = format!("{definition}/properties");
        let known = Pointer::resolve(&properties, &format).unwrap();
        for member in known.as_object().unwrap().keys() {
            let is_used = objects
                .iter()
                .any(|object| object.get(member.as_str()).is_some());
            assert!(
                is_used,
                "`{member}` of {definition} is in the published schema, but no strategy of this file sets it"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn a_description_is_the_same_after_it_was_rendered_and_read(service in service()) {
        let text = describe(&service).to_string();
        let reading = read(text.as_bytes()).unwrap();
        prop_assert_eq!(reading.format, Format::Docent);
        prop_assert_eq!(&reading.description, &service);
        for warning in &reading.warnings {
            prop_assert!(warning.message.contains("two procedures"), "{:?}", warning);
        }
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
            let expected = sayable(service.clone());
            for (procedure, expected) in reading.description.procs.iter().zip(&expected.procs) {
                prop_assert_eq!(&procedure.security, &expected.security);
            }
            prop_assert_eq!(reading.description.origin, service.origin);
            prop_assert_eq!(&reading.description, &expected);
        }
    }

    #[test]
    fn requirements_of_different_schemes_are_the_same_after_they_were_alternatives(
        mut required in vec(requirement(), 0..4)
    ) {
        let mut schemes = HashSet::new();
        for requirement in &mut required {
            requirement.one_of.retain(|credential| schemes.insert(credential.scheme.clone()));
        }
        required.retain(|requirement| !requirement.one_of.is_empty());
        // What is optional is one requirement, and the last.
        let mut optional = required.iter().filter(|requirement| requirement.optional);
        let first = optional.next().cloned();
        required.retain(|requirement| !requirement.optional);
        required.extend(first);
        prop_assert_eq!(as_alternatives(&required), required);
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
