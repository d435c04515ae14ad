//! Compiles single keywords, and notes those that services leave unchecked.
//!
//! A keyword that neither services nor decoding enforce would make a description untrue, so each is
//! noted as a mistake here.

use crate::json::{Json, Name, Object};
use crate::schema::bounds::type_of_format;
use crate::schema::keyword::{KeywordRole, is_of_other_members, kinds_about, role};
use crate::schema::kinds::Kinds;
use crate::schema::range::NumberBounds;
use crate::schema::tree::{Node, Span};

use super::cursor::SchemaCursor;
use crate::schema::check::number::{ComparedNumber, NumberRule};
use crate::schema::check::string::Count;
use crate::schema::format::Format;

/// Notes the keywords of a schema that services do not enforce, and those that have no meaning.
pub(super) fn note_unenforced(node: &Node<'_>, keywords: &Object, cursor: &mut SchemaCursor) {
    for keyword in keywords.keys().map(Name::as_str) {
        match role(keyword) {
            Some(KeywordRole::Unchecked) => cursor.mistake(keyword, "is not enforced"),
            Some(KeywordRole::Unenforced | KeywordRole::Ineffective) => {
                cursor.unenforced(keyword, "is not enforced");
            }
            _ if keyword == "not" && !negates_as_enforced(node) => {
                let reason = "is not enforced, except for integers as `{\"const\": 0}`";
                cursor.unenforced(keyword, reason);
            }
            _ => {}
        }
    }
    for keyword in &node.malformed {
        cursor.mistake(keyword, "has a value that JSON Schema does not allow");
    }
}

/// Returns whether services enforce the `not` of a node. They enforce the two that schemars writes: for
/// an enum without variants, a `not` that refuses every value, and for nonzero integers, one that refuses zero.
pub(super) fn negates_as_enforced(node: &Node<'_>) -> bool {
    let Some(not) = node.not.as_deref() else {
        return false;
    };
    let is_integer = node
        .types
        .is_some_and(|kinds| kinds.within(Kinds::INTEGER | Kinds::NULL));
    not.is_empty() || is_integer && *not.source == Object::from([("const", Json::from(0))]).into()
}

/// Returns whether a node, at any depth, has keywords that serde leaves unchecked. References are
/// not followed, and a `false` that only forbids further members is passed over.
pub(super) fn asserts_beyond_decoding(node: &Node<'_>) -> bool {
    let mut asserts = node.is_never || asserts_itself(node);
    node.for_each_part(&mut |part, child| {
        let closes = child.is_never && is_of_other_members(part.keyword);
        let is_enforced = role(part.keyword).is_some_and(KeywordRole::is_enforced);
        asserts = asserts || is_enforced && !closes && asserts_beyond_decoding(child);
    });
    asserts
}

/// Returns whether a node has keywords of its own that may refuse a value which serde decodes.
fn asserts_itself(node: &Node<'_>) -> bool {
    node.source
        .as_object()
        .into_iter()
        .flatten()
        .any(|(keyword, _)| match keyword.as_str() {
            "format" => format(node)
                .and_then(Format::find)
                .is_some_and(Format::is_enforced),
            "contentEncoding" => {
                let encoding = node.strings.as_ref().and_then(|strings| strings.encoding);
                encoding.and_then(Format::encoding).is_some()
            }
            keyword if role(keyword) != Some(KeywordRole::Checked) => false,
            keyword if kinds_about(keyword) == Kinds::NUMBER => {
                number(node).is_some_and(|rule| !is_width(node, &rule))
            }
            _ => true,
        })
}

/// Returns whether a rule is implied by the numeric type that `format` names, which serde enforces.
fn is_width(node: &Node<'_>, rule: &NumberRule) -> bool {
    let kinds = node.types.unwrap_or_default();
    let format = node.strings.as_ref().and_then(|strings| strings.format);
    let numeric = format.and_then(|format| type_of_format(format, kinds));
    kinds.within(Kinds::NUMBER | Kinds::NULL)
        && numeric.is_some_and(|numeric| rule.is_implied_by(numeric.least, numeric.greatest))
}

/// Returns the constraints on numbers.
fn number(node: &Node<'_>) -> Option<NumberRule> {
    let numbers = node.numbers.as_deref()?;
    let bounds = NumberBounds::from_keywords(numbers);
    Some(NumberRule {
        low: bounds
            .least
            .map(|bound| ComparedNumber::new(bound.number, bound.is_exclusive)),
        high: bounds
            .most
            .map(|bound| ComparedNumber::new(bound.number, bound.is_exclusive)),
        step: numbers.multiple_of.and_then(ComparedNumber::step),
    })
}

/// Returns the constraints on numbers, and notes those that no number follows.
pub(super) fn number_rule(node: &Node<'_>, cursor: &mut SchemaCursor) -> Option<NumberRule> {
    let numbers = node.numbers.as_deref()?;
    let rule = number(node)?;
    if numbers.multiple_of.is_some() && rule.step.is_none() {
        cursor.mistake(
            "multipleOf",
            "must be a number greater than 0 of up to 37 digits",
        );
    }
    if NumberBounds::from_keywords(numbers).is_empty(node.own_kinds()) {
        let keyword = match numbers.least {
            Some(_) => "minimum",
            None => "exclusiveMinimum",
        };
        cursor.mistake(keyword, "and the upper bound exclude every number");
    }
    if rule.low.is_none() && rule.high.is_none() && rule.step.is_none() {
        return None;
    }
    Some(rule)
}

/// Returns the name of the format of strings.
pub(super) fn format<'j>(node: &Node<'j>) -> Option<&'j str> {
    let name = node.strings.as_ref()?.format?;
    let kinds = node.types.unwrap_or(Kinds::ALL);
    if kinds.meet(Kinds::STRING) {
        Some(name)
    } else {
        None
    }
}

/// Returns the allowed number of characters or elements, and notes an impossible one.
pub(super) fn count(span: Span, [min, max]: [&str; 2], cursor: &mut SchemaCursor) -> Count {
    let count = Count::from_span(span);
    if count.min > count.max {
        cursor.mistake(min, format!("is greater than `{max}`, so no value matches"));
    }
    count
}
