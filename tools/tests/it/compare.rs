//! Every rule of a comparison, by what it finds. The cases are in `compare/*.txt`: the verdict, the rule
//! and the place of the change, then the members before (`-`) and after (`+`) it.

mod particular;

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use docent_describe::json::Pointer;
use docent_describe::render::describe;
use docent_describe::schema::facts::{FACT_TEXTS, texts};
use docent_describe::{ParamDescription, ProcedureDescription, ServiceDescription};
use docent_tools::compare::{CHANGE_TEXTS, Change, Document, Rule, Verdict, compare};
use docent_tools::read::read;
use golden::assert_golden;

const PROCEDURES: &str = include_str!("compare/procedures.txt");
const SWITCHES: &str = include_str!("compare/switches.txt");
const PARAMS: &str = include_str!("compare/params.txt");
const POSITIONS: &str = include_str!("compare/positions.txt");
const PARAM_SCHEMAS: &str = include_str!("compare/param_schemas.txt");
const RETURNS: &str = include_str!("compare/returns.txt");
const RESULTS: &str = include_str!("compare/results.txt");
const ERRORS: &str = include_str!("compare/errors.txt");
const ERROR_DATA: &str = include_str!("compare/error_data.txt");
const ACCESS: &str = include_str!("compare/access.txt");
const PROMISES: &str = include_str!("compare/promises.txt");
const SERVICE: &str = include_str!("compare/service.txt");
const SENT: &str = include_str!("compare/sent.txt");
const WORDS: &str = include_str!("compare/words.txt");

/// The texts of changes, with each place for a value between two marks.
static MARKED: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    texts(CHANGE_TEXTS)
        .chain(texts(FACT_TEXTS))
        .map(|(key, text)| (key, text.replace("{}", "\u{1}{}\u{1}")))
        .collect()
});

/// A service or procedure before and after a change, and what is to be found.
struct Case<'t> {
    verdict: &'t str,
    rule: &'t str,
    place: &'t str,
    old: &'t str,
    new: &'t str,
}

impl<'t> Case<'t> {
    fn new(text: &'t str) -> Option<Self> {
        let [head, old, new] = text.lines().collect::<Vec<_>>()[..] else {
            return None;
        };
        let (verdict, change) = head.split_once(' ')?;
        // The place of a change of the whole document is empty.
        let (rule, place) = change.split_once(' ').unwrap_or((change, ""));
        let (old, new) = (old.strip_prefix('-')?, new.strip_prefix('+')?);
        Some(Self {
            verdict,
            rule,
            place,
            old: old.trim_start(),
            new: new.trim_start(),
        })
    }

    /// Reads a table, whose parts are cases and comments.
    fn all(table: &'t str) -> impl Iterator<Item = Self> {
        table
            .trim_end()
            .split("\n\n")
            .filter(|part| !part.starts_with('#'))
            .map(|text| Self::new(text).unwrap_or_else(|| panic!("not a case: {text}")))
    }
}

fn service(members: &str) -> ServiceDescription {
    let text = format!(r#"{{"sdversion": "2.0", "name": "s", "id": "urn:s", {members}}}"#);
    let reading = read(text.as_bytes()).unwrap();
    // Schemas outside of the document cannot be decided, which is what some rows are about.
    for warning in &reading.warnings {
        assert!(warning.message.contains("outside"), "{text}: {warning:?}");
    }
    reading.description
}

/// A service with one procedure, and a component that refers to itself.
fn procedure(members: &str) -> ServiceDescription {
    let comma = if members.is_empty() { "" } else { ", " };
    service(&format!(
        r##""procs": [{{"name": "p"{comma}{members}}}], "components": {{"schemas": {{
            "Node": {{"type": "object", "required": ["v"], "properties": {{
                "v": {{"type": "integer"}},
                "next": {{"anyOf": [{{"$ref": "#/components/schemas/Node"}}, {{"type": "null"}}]}}}}}}}}}}"##
    ))
}

/// A parameter with this schema.
fn param(schema: &str) -> String {
    format!(r#""params": [{{"name": "a", "required": true, "schema": {schema}}}]"#)
}

/// A result with this schema.
fn returns(schema: &str) -> String {
    format!(r#""params": [], "return": {{"schema": {schema}}}"#)
}

/// An error with data of this schema.
fn data(schema: &str) -> String {
    format!(r#""params": [], "errors": [{{"code": 7, "message": "m", "data": {schema}}}]"#)
}

/// Checks that the rule is found, at its place, and that nothing worse is.
fn check(table: &str, wrap: impl Fn(&str) -> ServiceDescription) {
    for case in Case::all(table) {
        let name = case.rule;
        let (old, new) = (wrap(case.old), wrap(case.new));
        let changes = compare(&old, &new);
        let report = format!("{name}: {changes:#?}");
        let rule = Rule::from_name(name).expect(name);
        assert_eq!(rule.verdict().as_str(), case.verdict, "{name}");
        let found = changes
            .iter()
            .find(|change| change.rule == rule)
            .expect(&report);
        assert_eq!(found.pointer.as_str(), case.place, "{report}");
        let worst = changes.iter().map(Change::verdict).max();
        assert_eq!(worst, Some(rule.verdict()), "{report}");
        for change in &changes {
            let marked = change.phrase.translate(&|key| MARKED.get(key).cloned());
            assert!(!marked.contains("\u{1}{}\u{1}"), "{change} lacks a value");
            let service = match change.document {
                Document::Old => &old,
                Document::New => &new,
            };
            let document = describe(service);
            let value = Pointer::resolve(change.pointer.as_str(), &document);
            assert!(
                value.is_some(),
                "{} leads nowhere: {report}",
                change.pointer
            );
            assert!(change.message.ends_with('.'), "{report}");
        }
        assert_eq!(compare(&old, &old), [], "{name}");
        assert_eq!(compare(&new, &new), [], "{name}");
    }
}

#[test]
fn procedures_come_and_go() {
    check(PROCEDURES, service);
}

#[test]
fn what_a_procedure_is_changes() {
    check(SWITCHES, procedure);
}

#[test]
fn parameters_come_go_and_change_their_names() {
    check(PARAMS, procedure);
}

#[test]
fn positions_change() {
    check(POSITIONS, procedure);
}

#[test]
fn a_parameter_that_accepts_less_breaks_callers() {
    check(PARAM_SCHEMAS, |schema| procedure(&param(schema)));
}

#[test]
fn a_result_that_can_be_more_breaks_callers() {
    check(RETURNS, |schema| procedure(&returns(schema)));
}

#[test]
fn results_come_and_go() {
    check(RESULTS, procedure);
}

#[test]
fn errors_come_and_go() {
    check(ERRORS, procedure);
}

#[test]
fn the_data_of_an_error_is_judged_as_a_result_is() {
    check(ERROR_DATA, |schema| procedure(&data(schema)));
}

#[test]
fn access_changes() {
    check(ACCESS, procedure);
}

#[test]
fn promises_change() {
    check(PROMISES, procedure);
}

#[test]
fn what_is_said_of_the_service_changes() {
    check(SERVICE, service);
}

#[test]
fn the_identity_of_a_service_changes() {
    let mut old = service(r#""procs": []"#);
    let new = old.clone();
    old.id = "urn:other".to_owned();
    old.name = "other".to_owned();
    let rules: Vec<Rule> = compare(&old, &new)
        .iter()
        .map(|change| change.rule)
        .collect();
    assert_eq!(rules, [Rule::ServiceRenamed, Rule::ServiceIdChanged]);
}

#[test]
fn a_version_that_stays_while_callers_break_is_said() {
    let lending = |version: &str, name: &str| {
        service(&format!(
            r#""version": "{version}", "procs": [{{"name": "{name}"}}]"#
        ))
    };
    let rules = |old, new| -> Vec<Rule> {
        let changes = compare(&old, &new);
        changes.iter().map(|change| change.rule).collect()
    };
    let broken = [Rule::ProcedureRemoved, Rule::ProcedureAdded];
    assert_eq!(
        rules(lending("1", "lend"), lending("1", "borrow")),
        [&broken[..], &[Rule::VersionKept]].concat()
    );
    assert_eq!(
        rules(lending("1", "lend"), lending("2", "borrow")),
        [&[Rule::VersionChanged], &broken[..]].concat()
    );
    // Nobody breaks, or nobody said a version.
    assert_eq!(
        rules(
            lending("1", "lend"),
            service(r#""version": "1", "procs": [{"name": "lend"}, {"name": "end"}]"#)
        ),
        [Rule::ProcedureAdded]
    );
    let unversioned = |name: &str| service(&format!(r#""procs": [{{"name": "{name}"}}]"#));
    assert_eq!(rules(unversioned("lend"), unversioned("borrow")), broken);
}

#[test]
fn subscriptions_and_what_a_service_sends_change() {
    check(SENT, procedure);
}

#[test]
fn words_change() {
    check(WORDS, procedure);
}

#[test]
fn every_rule_has_a_test() {
    let tables = [
        PROCEDURES,
        SWITCHES,
        PARAMS,
        POSITIONS,
        PARAM_SCHEMAS,
        RETURNS,
        RESULTS,
        ERRORS,
        ERROR_DATA,
        ACCESS,
        PROMISES,
        SERVICE,
        SENT,
        WORDS,
    ];
    let tested: BTreeSet<&str> = tables
        .iter()
        .flat_map(|table| Case::all(table))
        .map(|case| case.rule)
        .chain([
            "service-renamed",
            "service-id-changed",
            "version-kept",
            "scheme-renamed",
            // Its test needs a lower limit.
            "compared-in-part",
        ])
        .collect();
    let all: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.as_str()).collect();
    let untested: Vec<_> = all.difference(&tested).collect();
    assert!(
        untested.is_empty(),
        "add a case for each to a table of tools/tests/it/compare/: {untested:?}"
    );
    assert_eq!(all.len(), Rule::ALL.len());
    for rule in Rule::ALL {
        let name = rule.as_str();
        assert_eq!(Rule::from_name(name), Some(*rule));
        assert!(
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        );
        assert!(rule.meaning().ends_with('.'), "{name}");
        let is_safe = rule.verdict() == Verdict::Safe;
        assert_eq!(rule.advice().is_empty(), is_safe, "{name}");
    }
}

/// The proofs are written by hand; the rest of the table comes from the rules.
#[test]
fn the_page_of_rules_lists_every_rule() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/diff-rules.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (rows, others): (Vec<&str>, Vec<&str>) =
        page.lines().partition(|line| line.starts_with("| `"));
    let written = Rule::ALL.iter().map(|rule| {
        let start = format!("| `{rule}` |");
        let proof = rows
            .iter()
            .find(|row| row.starts_with(&start))
            .and_then(|row| row.rsplit(" | ").next())
            .unwrap_or("|");
        let verdict = rule.verdict();
        let meaning = rule.meaning();
        let advice = rule.advice();
        format!("{start} {verdict} | {meaning} | {advice} | {proof}")
    });
    let head = others
        .iter()
        .position(|line| line.starts_with("|---"))
        .unwrap()
        + 1;
    let lines = |lines: &[&str]| -> Vec<String> { lines.iter().map(ToString::to_string).collect() };
    let whole = [
        lines(&others[..head]),
        written.collect(),
        lines(&others[head..]),
    ]
    .concat();
    let expected = whole.join("\n") + "\n";
    assert_golden(path, &expected);
}

#[test]
fn a_comparison_of_thousands_of_procedures_takes_a_moment() {
    let service = |suffix: &str| {
        let procedure = |at: usize| {
            let mut procedure = ProcedureDescription::new(format!("area.procedure{at}{suffix}"));
            procedure.params = vec![ParamDescription::new(
                "words",
                format!(r#"{{"type": "string", "maxLength": {at}}}"#)
                    .parse()
                    .unwrap(),
            )];
            procedure
        };
        let mut service = ServiceDescription::default();
        service.procs = (0..1500).map(procedure).collect();
        for at in 0..1500 {
            let schema = format!(r#"{{"type": "string", "minLength": {at}}}"#);
            let schemas = &mut service.components.schemas;
            schemas.insert(format!("Type{at}{suffix}"), schema.parse().unwrap());
        }
        service
    };
    // Each with each other would take many minutes.
    let changes = compare(&service(""), &service("x"));
    let number = |rule: Rule| changes.iter().filter(|change| change.rule == rule).count();
    assert_eq!(number(Rule::ProcedureRemoved), 1500);
    assert_eq!(number(Rule::ProcedureAdded), 1500);
    assert_eq!(number(Rule::ComponentRenamed), 1500);
}

#[test]
fn what_changed_is_named() {
    let cases = [
        (
            r#"{"type": "string"}"#,
            "false",
            "no value is accepted any more; `\"a\"` was accepted and is rejected now.",
        ),
        (
            r#"{"type": "string"}"#,
            r#"{"type": "string", "not": {"const": "a"}}"#,
            "`not` is `{\"const\":\"a\"}`, was none; `\"a\"` was accepted and is rejected now.",
        ),
        (
            r#"{"type": "integer", "minimum": 1, "allOf": [{"minimum": 3}]}"#,
            r#"{"type": "integer", "minimum": 1, "allOf": [{"minimum": 5}]}"#,
            "`minimum` is `5`, was `3`; `3` was accepted and is rejected now.",
        ),
        (
            r#"{"type": "integer", "exclusiveMinimum": 0, "maximum": 9}"#,
            r#"{"type": "integer", "minimum": 1, "exclusiveMaximum": 9}"#,
            "`maximum` is `8`, was `9`; `9` was accepted and is rejected now.",
        ),
        (
            r#"{"type": "number", "minimum": 0}"#,
            r#"{"type": "number", "exclusiveMinimum": 0}"#,
            "`exclusiveMinimum` is `0`, was none; `0` was accepted and is rejected now.",
        ),
        (
            r#"{"anyOf": [{"type": "string", "x-unit": "m"}, {"type": "integer"}]}"#,
            r#"{"type": "string", "x-unit": "m"}"#,
            "`{\"type\":\"integer\"}` is no longer one of the alternatives; `1` was accepted and is rejected now.",
        ),
    ];
    for (old, new, told) in cases {
        let changes = compare(&procedure(&param(old)), &procedure(&param(new)));
        let told = format!("The parameter `a`: {told}");
        let messages: Vec<_> = changes.iter().map(|change| &change.message).collect();
        assert_eq!(messages, [&told]);
    }
}

#[test]
fn a_value_that_shows_a_change_of_an_alternative_is_one_of_the_whole() {
    let schema = |least| {
        format!(r#"{{"oneOf": [{{"type": "integer"}}, {{"type": "number", "minimum": {least}}}]}}"#)
    };
    let changes = compare(
        &procedure(&returns(&schema(3))),
        &procedure(&returns(&schema(2))),
    );
    let messages: Vec<_> = changes
        .iter()
        .map(|change| change.message.as_str())
        .collect();
    // 2 is an integer, so the second alternative now refuses it.
    assert!(
        !messages.concat().contains("`2` is possible"),
        "{messages:?}"
    );
}

#[test]
fn a_renamed_security_scheme_alone_is_no_break() {
    let version = |schemes: &str, required: &str| {
        service(&format!(
            r#""securitySchemes": {{{schemes}}}, "procs": [{{"name": "p", "params": [], "security": [{required}]}}]"#
        ))
    };
    let bearer = r#"{"type": "http", "scheme": "bearer"}"#;
    let old = version(&format!(r#""token": {bearer}"#), r#"{"token": ["read"]}"#);
    let new = version(&format!(r#""jwt": {bearer}"#), r#"{"jwt": ["read"]}"#);
    let told: Vec<String> = compare(&old, &new)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        told,
        ["scheme-renamed: The security scheme `token` is named `jwt`."]
    );

    // What else changes is told under the new name.
    let narrowed = version(
        &format!(r#""jwt": {bearer}"#),
        r#"{"jwt": ["read", "write"]}"#,
    );
    let rules: Vec<Rule> = compare(&old, &narrowed)
        .iter()
        .map(|change| change.rule)
        .collect();
    assert_eq!(rules, [Rule::SchemeRenamed, Rule::ScopeRequired]);

    // Two schemes that are alike cannot be told apart, and another kind of credential is another one.
    let two = version(
        &format!(r#""user": {bearer}, "admin": {bearer}"#),
        r#""user""#,
    );
    let one = version(&format!(r#""staff": {bearer}"#), r#""staff""#);
    let other = version(
        r#""jwt": {"type": "http", "scheme": "basic"}"#,
        r#"{"jwt": ["read"]}"#,
    );
    for (old, new) in [(&two, &one), (&one, &two), (&old, &other)] {
        let changes = compare(old, new);
        let breaks = changes
            .iter()
            .any(|change| change.verdict() == Verdict::Breaking);
        assert!(breaks, "{changes:?}");
    }
}
