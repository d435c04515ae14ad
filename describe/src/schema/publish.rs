//! Replaces the formats of a generated schema that a description must not have.
//!
//! schemars uses `format` for the names of Rust's types (`uint8`, `double`) and for notations that JSON
//! Schema has no name for (`ip`, `partial-time`). Validators in strict mode reject a schema with an
//! unknown format, so a description has only JSON Schema's own formats.

use super::bounds::is_numeric_format;
use super::format::{Format, pattern_without_offset};
use super::keyword::change_all;
use crate::Components;
use crate::ProcedureDescription;
use crate::json::{Json, Object};

/// The member that replaces a `format` that JSON Schema does not define.
pub const FORMAT_EXTENSION: &str = "x-format";

/// Replaces a generated format by other keywords of JSON Schema, if they can express it.
pub(super) fn spell_out(schema: &mut Object) {
    let Some(Json::String(format)) = schema.get("format") else {
        return;
    };
    if let Some(pattern) = pattern_without_offset(format)
        && !schema.contains_key("pattern")
    {
        schema.shift_remove("format");
        schema.insert("pattern", Json::from(pattern));
    } else if format == "ip" && !schema.contains_key("anyOf") {
        schema.shift_remove("format");
        schema.insert("anyOf", ip_versions());
    }
}

/// Returns the alternatives for addresses of both versions.
pub(super) fn ip_versions() -> Json {
    ["ipv4", "ipv6"]
        .map(|version| Object::from([("format", version.into())]))
        .into_iter()
        .collect()
}

/// Prepares a generated schema for publication.
///
/// In a generated schema, `format` names the type that serde decodes, so that an `i64` needs no check of its
/// bounds. This is for internal use only: the names of numeric types are removed, and their bounds remain. A
/// format that JSON Schema does not define becomes `x-format`. A default of null comes from an `Option` and is
/// removed, because leaving a member out and sending null differ.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::publish;
///
/// let mut size: Json = r#"{"type": "integer", "format": "uint8", "maximum": 255}"#.parse()?;
/// publish(&mut size);
/// assert_eq!(size.get("format"), None);
///
/// let mut color: Json = r#"{"type": "string", "format": "color"}"#.parse()?;
/// publish(&mut color);
/// assert_eq!(color.get("x-format"), Some(&"color".into()));
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
pub fn publish(schema: &mut Json) {
    change_all(schema, &mut |members| {
        if members.get("default") == Some(&Json::Null) {
            members.shift_remove("default");
        }
        if let Some(Json::String(format)) = members.get("format")
            && Format::find(format).is_none()
        {
            let is_numeric = is_numeric_format(format);
            if let Some(format) = members.shift_remove("format")
                && !is_numeric
            {
                members.insert(FORMAT_EXTENSION, format);
            }
        }
    });
}

impl ProcedureDescription {
    /// Prepares the generated schemas and defaults of the procedure for publication: those of its
    /// parameters, its result, its items, and its errors' data. See [`publish`].
    pub fn publish(&mut self) {
        for param in &mut self.params {
            publish(&mut param.schema);
            param.default.take_if(|default| *default == Json::Null);
        }
        if let Some(returns) = &mut self.returns {
            publish(&mut returns.schema);
        }
        if let Some(subscription) = &mut self.subscription {
            publish(&mut subscription.item.schema);
        }
        for error in &mut self.errors {
            if let Some(data) = &mut error.data {
                publish(data);
            }
        }
    }
}

impl Components {
    /// Prepares the generated schemas for publication. See [`publish`].
    pub fn publish(&mut self) {
        self.schemas.values_mut().for_each(publish);
    }
}
