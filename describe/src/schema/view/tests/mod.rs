//! Views, written as text on one line.

mod certain;
mod examples;
mod hostile;
mod outline;

use indexmap::IndexMap;

use super::{Condition, Difference, OtherProperties, Property, SchemaViews, Union, View};
use crate::json::{Json, shorten};
use crate::schema::context::SchemaContext;
use crate::schema::kinds::Kinds;
use crate::schema::tree::{Span, UnionRule};

/// Returns what the view of a schema says, beside shared schemas.
fn said(components: &IndexMap<String, Json>, schema: &Json) -> String {
    let views = SchemaViews::new(SchemaContext::new(components, Some(&[])));
    let node = views.tree.read(schema);
    say(views.view(&[node]))
}

fn json(text: &str) -> Json {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns shared schemas, each with its name.
fn components(schemas: &[(&str, &str)]) -> IndexMap<String, Json> {
    schemas
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), json(schema)))
        .collect()
}

fn say<'t>(view: &'t View<'t>) -> String {
    let mut said = view.names().join(" and ");
    if !said.is_empty() {
        said.push_str(": ");
    }
    said.push_str(&kinds(view));
    let mut facts = Vec::new();
    if let Some(listed) = &view.listed {
        facts.extend(listed.iter().map(|listed| {
            let about = listed.about.and_then(|node| node.annotations.description);
            let about = about.map(|text| format!(" ({text})")).unwrap_or_default();
            format!("{}{about}", listed.value)
        }));
    }
    let numbers = view.numbers();
    let bounds = [(">", numbers.least), ("<", numbers.most)];
    for (sign, bound) in bounds {
        facts.extend(bound.map(|bound| {
            let equal = if bound.is_exclusive { "" } else { "=" };
            format!("{sign}{equal}{}", bound.number)
        }));
    }
    facts.extend(span("characters", view.length()));
    facts.extend(
        view.patterns()
            .iter()
            .map(|pattern| format!("like {pattern}")),
    );
    if view.kinds.meet(Kinds::OBJECT) {
        facts.extend(objects(view));
    }
    if view.kinds.meet(Kinds::ARRAY) {
        facts.extend(arrays(view));
    }
    let common = view.common_properties();
    for choice in &view.unions {
        facts.push(union(choice, &common));
    }
    for rule in view.conditions() {
        facts.push(condition(view, &rule));
    }
    facts.extend(
        view.unread
            .iter()
            .map(|unread| format!("cannot tell: {unread:?}")),
    );
    if facts.is_empty() {
        said
    } else {
        format!("{said}; {}", facts.join("; "))
    }
}

fn kinds(view: &View<'_>) -> String {
    let all = Kinds::ALL.without(Kinds::NULL);
    let mut words: Vec<&str> = if view.kinds == all {
        vec!["anything"]
    } else {
        view.kinds.type_names().collect()
    };
    match view.takes_null {
        Some(true) => words.push("null"),
        None => words.push("perhaps null"),
        Some(false) if words.is_empty() => words.push("nothing"),
        Some(false) if view.kinds == all => words.push("but null"),
        Some(false) => {}
    }
    words.join("|")
}

fn span(of: &str, span: Span) -> Option<String> {
    let least = span.least.map(|least| format!("at least {least} {of}"));
    let most = span.most.map(|most| format!("at most {most} {of}"));
    let both: Vec<String> = least.into_iter().chain(most).collect();
    (!both.is_empty()).then(|| both.join(", "))
}

fn objects<'t>(view: &'t View<'t>) -> Vec<String> {
    let mut facts = Vec::new();
    for (name, member) in view.common_properties() {
        let mark = if member.is_required { "!" } else { "" };
        let mut said = format!("{name}{mark}");
        if member.is_refused {
            said.push_str(" never");
        } else if !member.layers.is_empty() {
            let inner = view.views.view(&member.nodes());
            said = format!("{said}: {}", short(inner));
        }
        let from = member.layers.iter().find_map(|layer| layer.from);
        if let Some(from) = from {
            said = format!("{said} from {from}");
        }
        facts.push(said);
    }
    let OtherProperties {
        are_refused,
        nodes,
        patterns,
        ..
    } = view.other_properties();
    for (pattern, node) in patterns {
        facts.push(format!("{pattern}: {}", short(view.views.view(&[node]))));
    }
    if are_refused {
        facts.push("no others".to_owned());
    } else if !nodes.is_empty() {
        facts.push(format!("others: {}", short(view.views.view(&nodes))));
    }
    facts.extend(span("members", view.property_count()));
    facts
}

fn arrays<'t>(view: &'t View<'t>) -> Vec<String> {
    let elements = view.elements();
    let mut facts = Vec::new();
    for (place, nodes) in elements.prefix.iter().enumerate() {
        facts.push(format!("[{place}] {}", short(view.views.view(nodes))));
    }
    if !elements.rest.is_empty() {
        facts.push(format!("each {}", say(view.views.view(&elements.rest))));
    }
    facts.extend(span("elements", elements.length));
    facts
}

/// Returns the name of a type, or else its kinds.
fn short(view: &View<'_>) -> String {
    match view.names()[..] {
        [] => view
            .listed
            .iter()
            .flatten()
            .map(|listed| listed.value.to_string())
            .reduce(|all, value| format!("{all}, {value}"))
            .unwrap_or_else(|| kinds(view)),
        _ => view.names().join(" and "),
    }
}

fn condition<'t>(view: &View<'t>, condition: &Condition<'t>) -> String {
    let of = |node| {
        let inner = view.views.view(&[node]);
        // A chain of conditions may be longer than the call stack.
        if inner.conditions().is_empty() {
            say(inner)
        } else {
            short(inner)
        }
    };
    match condition {
        Condition::Not(node) => format!("not ({})", of(node)),
        Condition::If(condition) => {
            let mut parts = vec![format!("if ({})", of(&condition.holds))];
            if let Some(then) = &condition.then {
                parts.push(format!("then ({})", of(then)));
            }
            if let Some(otherwise) = &condition.otherwise {
                parts.push(format!("else ({})", of(otherwise)));
            }
            parts.join(" ")
        }
        Condition::Requires(name, others) => format!("with {name}: {}", others.join(", ")),
        Condition::With(name, node) => format!("with {name}: ({})", of(node)),
        Condition::Contains(node, count) => {
            let count = span("of", *count).unwrap_or_default();
            format!("{count} ({})", of(node))
        }
    }
}

fn union<'t>(union: &Union<'t>, common: &IndexMap<&'t str, Property<'t>>) -> String {
    let rule = match union.rule {
        UnionRule::ExactlyOne => "exactly one",
        UnionRule::OneOrMore => "one or more",
    };
    let labels = union
        .alternatives
        .iter()
        .enumerate()
        .map(|(at, alternative)| {
            let own = match &union.difference {
                Difference::Tag { values, .. } => values[at].first().map(ToString::to_string),
                Difference::Presence(names) => Some(names[at].unwrap_or("none").to_owned()),
                Difference::Required(names) => Some(names[at].join("+")),
                _ => None,
            };
            let name = alternative.name().map(str::to_owned);
            let properties = alternative.view.properties();
            let adds = |name: &str, property: &Property<'_>| {
                common.get(name).is_none_or(|common| {
                    property.is_refused
                        || !property.layers.iter().all(|layer| common.has(layer.node))
                })
            };
            let left = properties.iter().filter(|(name, it)| adds(name, it));
            let left: Vec<&str> = left.map(|(name, _)| *name).collect();
            let left = (!left.is_empty()).then(|| format!("[{}]", left.join(" ")));
            [name, own, left]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" ")
        });
    let labels = shorten(&labels.collect::<Vec<_>>().join(", "), 300).into_owned();
    let by = match &union.difference {
        Difference::Kind => "kind".to_owned(),
        Difference::Tag { path, .. } => format!("tag {}", path.join(".")),
        Difference::Presence(_) => "presence".to_owned(),
        Difference::Required(_) => "required".to_owned(),
        Difference::Name => "name".to_owned(),
        Difference::Nothing => "nothing".to_owned(),
    };
    let grade = if union.is_certain {
        "certain"
    } else {
        "likely"
    };
    let count = union.alternatives.len();
    format!("{rule} of {count} by {by}, {grade}: {labels}")
}
