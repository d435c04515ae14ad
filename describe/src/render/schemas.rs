//! Writes schemas for readers who know less of JSON Schema, or expect parts of it in other places.

use crate::json::{Json, Object};
use crate::model::ProcedureDescription;
use crate::schema::keyword::{for_each_child_mut, redirect};
use crate::schema::{COMPONENTS, Kinds, View, component_entered, kinds_about};

/// Returns a reference to another place in a document.
pub(super) fn reference(to: &str) -> Object {
    Object::new().with("$ref", to)
}

/// Returns whether a schema refers to another.
pub(super) fn is_reference(schema: &Json) -> bool {
    schema.get("$ref").is_some()
}

/// Returns a schema of all that several say.
pub(super) fn all_of<S: Into<Json>>(schemas: impl IntoIterator<Item = S>) -> Object {
    Object::new().list("allOf", schemas)
}

/// Returns a schema of one or more of several.
pub(super) fn any_of<S: Into<Json>>(schemas: impl IntoIterator<Item = S>) -> Object {
    Object::new().list("anyOf", schemas)
}

/// Returns a schema of exactly one of several.
pub(super) fn one_of<S: Into<Json>>(schemas: impl IntoIterator<Item = S>) -> Object {
    Object::new().list("oneOf", schemas)
}

/// Returns a schema whose arrays have elements of these kinds only.
pub(super) fn with_elements(schema: Object, kinds: Kinds) -> Object {
    let has_own = schema.contains_key("items") || schema.contains_key("prefixItems");
    let schema = if has_own { all_of([schema]) } else { schema };
    schema.with("items", Object::new().list("type", kinds.words()))
}

/// Returns the schema of the `params` of a call by name, without aliases. `change` changes references.
pub(super) fn named_params(
    procedure: &ProcedureDescription,
    change: impl Fn(&Json) -> Json,
) -> Object {
    let properties = procedure.params.iter().map(|param| {
        let (description, default) = (param.description.as_ref(), param.default.as_ref());
        (
            param.name.as_str(),
            with_annotations(change(&param.schema), description, default),
        )
    });
    let required = procedure.params.iter().filter(|param| param.required);
    Object::new()
        .with("type", "object")
        .with("properties", properties.collect::<Object>())
        .list("required", required.map(|param| param.name.as_str()))
        .maybe(
            "additionalProperties",
            (!procedure.ignores_unknown).then_some(false),
        )
}

/// Returns a schema with a description and a default.
pub(super) fn with_annotations(
    schema: Json,
    description: Option<&String>,
    default: Option<&Json>,
) -> Json {
    match schema {
        Json::Bool(true) => Object::new(),
        Json::Object(members) => members,
        other => return other,
    }
    .text("description", description)
    .maybe("default", default)
    .into()
}

/// Returns a schema with others inside it, under their names.
pub(super) fn with_definitions(schema: Object, definitions: Object) -> Object {
    schema.object("$defs", definitions)
}

/// Returns a schema with its references changed to lead to those inside it.
pub(super) fn moved(schema: &Json) -> Json {
    redirected(schema, |reference| {
        component_entered(reference)?;
        Some(format!("#/$defs/{}", &reference[COMPONENTS.len()..]))
    })
}

/// Returns a schema whose references lead to other places where `place` has one.
pub(super) fn redirected(schema: &Json, place: impl Fn(&str) -> Option<String>) -> Json {
    let mut schema = schema.clone();
    redirect(&mut schema, &place);
    schema
}

/// Changes a schema, which `keyword` holds, to one with the same meaning that generators of clients read:
/// several know schemas only as objects, take the type null, except beside others, for the name of a type
/// of theirs, or write a default of null into code as it is.
pub(super) fn widely_read(keyword: &str, schema: &mut Json) {
    for_each_child_mut(schema, &mut widely_read);
    match schema {
        // Here they expect a Boolean.
        Json::Bool(_) if matches!(keyword, "additionalProperties" | "unevaluatedProperties") => {}
        Json::Bool(true) => *schema = Object::new().into(),
        Json::Bool(false) => *schema = Object::new().with("not", Object::new()).into(),
        Json::Object(members) if !matches!(keyword, "anyOf" | "oneOf") => {
            if members.get("default") == Some(&Json::Null) {
                members.shift_remove("default");
            }
            if members.get("type").and_then(Json::as_str) == Some("null") {
                members.shift_remove("type");
                members.insert("const", Json::Null);
            }
        }
        _ => {}
    }
}

/// Returns the types, members and listed values that a value may have, down to a depth. The outline allows all
/// that the schemas allow, and more: it has no bounds, texts, required members and references.
pub(super) fn outline(view: &View<'_>, depth: usize) -> Json {
    let kinds = view.all_kinds();
    let null = kinds.meet(Kinds::NULL).then_some(&Json::Null);
    if let Some(listed) = &view.listed {
        let values = listed.iter().map(|listed| listed.value).chain(null);
        return split_types(of_kinds(kinds).list("enum", values)).into();
    }
    if depth == 0 || !kinds.meet(Kinds::OBJECT | Kinds::ARRAY) {
        return split_types(of_kinds(kinds)).into();
    }
    let outline_of = |nodes: &[_]| outline(view.views.view(nodes), depth - 1);
    let properties = view.properties().into_iter();
    let properties = properties
        .filter(|(_, property)| !property.is_refused)
        .map(|(name, property)| (name, outline_of(&property.nodes())));
    let elements = view.elements();
    let places = elements.places.iter().map(|nodes| outline_of(nodes));
    let rest = (!elements.rest.is_empty()).then(|| outline_of(&elements.rest));
    let others = view.other_properties();
    // Without patterns, it would be about other members, too.
    let is_told = !others.nodes.is_empty() && others.patterns.is_empty();
    let mut unions = view.unions.iter().map(|union| {
        // One value may fit several outlines.
        let outlines = union
            .alternatives
            .iter()
            .map(|alternative| outline(alternative.view, depth - 1));
        any_of(outlines.chain(null.map(|_| of_kinds(Kinds::NULL).into())))
    });
    let first = unions.next();
    let kinds = match first {
        // The alternatives tell the kinds.
        Some(_) if kinds.words().count() > 1 => Kinds::ALL,
        _ => kinds,
    };
    let outline = of_kinds(kinds)
        .object("properties", properties.collect())
        .list("prefixItems", places)
        .maybe("items", rest)
        .maybe(
            "additionalProperties",
            is_told.then(|| outline_of(&others.nodes)),
        )
        .with_new(first.unwrap_or_default().iter())
        .list("allOf", unions);
    split_types(outline).into()
}

/// Returns a schema of these kinds of values.
pub(super) fn of_kinds(kinds: Kinds) -> Object {
    match *kinds.words().collect::<Vec<_>>() {
        [word] => Object::new().with("type", word),
        _ if kinds == Kinds::ALL => Object::new(),
        ref words => Object::new().list("type", words.iter().copied()),
    }
}

/// Returns a schema without the null that it allows beside other values. A query says it by leaving
/// the parameter out.
pub(super) fn without_null(schema: &Json) -> Json {
    let mut schema = schema.clone();
    let Json::Object(members) = &mut schema else {
        return schema;
    };
    let is_alone = members.len() == 1;
    let is_word = |value: &Json| value.as_str() == Some("null");
    for keyword in ["type", "enum", "anyOf", "oneOf"] {
        let Some(Json::Array(values)) = members.get_mut(keyword) else {
            continue;
        };
        values.retain(|value| match keyword {
            "type" => !is_word(value),
            "enum" => *value != Json::Null,
            _ => !value.get("type").is_some_and(is_word),
        });
        if let ([only @ Json::Object(_)], true, true) = (&**values, is_alone, keyword != "enum") {
            return only.clone();
        }
    }
    schema
}

/// Replaces a list of types by a branch for each type, with the keywords that apply to it. A schema
/// with one type or none is not changed.
///
/// Code generators invent a name for each type of a list and forget to define it, and JSON Schema's
/// authors advise against such lists.
pub(super) fn split_types(mut schema: Object) -> Object {
    let Some(Json::Array(types)) = schema.get("type") else {
        return schema;
    };
    if types.len() < 2 || schema.contains_key("anyOf") {
        return other_form(schema);
    }
    let words: Vec<String> = types
        .iter()
        .filter_map(Json::as_str)
        .map(str::to_owned)
        .collect();
    let values = values_by_type(&schema, &words);
    let mut branches = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let own = schema.iter().filter(|(keyword, _)| is_about(keyword, word));
        let values = values.as_ref().filter(|_| word != "null");
        branches.push(
            Object::new()
                .with("type", word.as_str())
                .with_new(own)
                .maybe("enum", values.map(|values| values[at].clone())),
        );
    }
    schema.retain(|keyword, _| !words.iter().any(|word| is_about(keyword, word)));
    if values.is_some() {
        schema.shift_remove("enum");
    }
    schema.replace("type", "anyOf", branches.into_iter().collect());
    schema
}

/// Rewrites a list of types that cannot be split: a single type, or a list beside other
/// alternatives.
fn other_form(mut schema: Object) -> Object {
    let Some(Json::Array(mut types)) = schema.shift_remove("type") else {
        return schema;
    };
    if types.len() == 1 {
        schema.insert("type", types.swap_remove(0));
    } else if !types.is_empty() {
        let branches = types
            .into_iter()
            .map(|word| Object::new().with("type", word));
        let alternatives = Object::new().list("anyOf", branches).into();
        let all = schema.or_insert_with("allOf", || Json::Array(Vec::new()));
        if let Json::Array(all) = all {
            all.push(alternatives);
        }
    }
    schema
}

/// Returns whether a keyword constrains values of this type and of few others.
fn is_about(keyword: &str, word: &str) -> bool {
    // These are about what the schema says elsewhere, too.
    let is_of_rest = keyword.starts_with("unevaluated");
    let kinds = Kinds::of_word(word).unwrap_or_default();
    !is_of_rest && kinds_about(keyword).is_some_and(|about| about.meet(kinds))
}

/// Returns the values of `enum` by type, if they are sorted by type and every type has some.
fn values_by_type(schema: &Object, words: &[String]) -> Option<Vec<Vec<Json>>> {
    let values = schema.get("enum")?.as_array()?;
    let of_type = |word: &String| {
        let kinds = Kinds::of_word(word).unwrap_or_default();
        let own = values.iter().filter(|value| Kinds::of(value).within(kinds));
        own.cloned().collect::<Vec<_>>()
    };
    let by_type: Vec<_> = words.iter().map(of_type).collect();
    let is_sorted = by_type.concat() == values && by_type.iter().all(|own| !own.is_empty());
    is_sorted.then_some(by_type)
}
