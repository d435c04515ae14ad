//! Where a value breaks a schema.

use super::Validator;
use crate::json::{Json, Object, Pointer};
use crate::schema::keyword::resolve;

/// How many references and parts are followed.
const DEEPEST: usize = 64;

impl<'j> Validator<'j> {
    /// Returns where a value breaks a schema, and what of the schema it breaks there. Goes as far down
    /// as that can be decided.
    ///
    /// Returns `None` if the value satisfies the schema, or if that cannot be decided.
    ///
    /// ```
    /// use docent_describe::json::Json;
    /// use docent_describe::schema::{SchemaContext, Validator};
    ///
    /// let components = indexmap::IndexMap::new();
    /// let context = SchemaContext { components: &components, enforced_formats: Some(&[]) };
    /// let schema: Json = r#"{"items": {"type": "integer", "maximum": 3}}"#.parse()?;
    ///
    /// let validator = Validator::new(context);
    /// let (pointer, asked) = validator.breach(&schema, &"[1, 4]".parse()?).unwrap();
    /// assert_eq!((pointer.as_str(), asked.to_string()), ("/1", r#"{"maximum":3}"#.to_owned()));
    /// # Ok::<(), docent_describe::json::SyntaxError>(())
    /// ```
    pub fn breach(&self, schema: &'j Json, value: &Json) -> Option<(Pointer, Json)> {
        let breaks = |schema, value| self.is_valid(schema, value) == Some(false);
        if !breaks(schema, value) {
            return None;
        }
        let mut pointer = Pointer::root();
        let (mut schema, mut value) = (schema, value);
        for _ in 0..DEEPEST {
            if let Some(target) = self.referenced(schema).filter(|it| breaks(it, value)) {
                schema = target;
                continue;
            }
            let Some((token, inner, part)) = self.deeper(schema, value) else {
                break;
            };
            pointer.push(token);
            (schema, value) = (inner, part);
        }
        Some((pointer, self.broken(schema, value)))
    }

    fn referenced(&self, schema: &'j Json) -> Option<&'j Json> {
        resolve(schema.get("$ref")?.as_str()?, self.context.components)
    }

    /// The member or element that breaks its schema.
    fn deeper<'v>(
        &self,
        schema: &'j Json,
        value: &'v Json,
    ) -> Option<(String, &'j Json, &'v Json)> {
        let breaks = |(_, schema, value): &(String, &Json, &Json)| {
            // A member that must not be there is a matter of the object.
            **schema != Json::Bool(false) && self.is_valid(schema, value) == Some(false)
        };
        match value {
            Json::Object(members) => {
                let named = schema.get("properties").and_then(Json::as_object);
                let open = schema.get("additionalProperties");
                let mut schemas = members.iter().filter_map(|(name, value)| {
                    let own = named.and_then(|named| named.get(name));
                    Some((name.to_string(), own.or(open)?, value))
                });
                schemas.find(breaks)
            }
            Json::Array(elements) => {
                let prefix = schema.get("prefixItems").and_then(Json::as_array);
                let prefix = prefix.unwrap_or_default();
                let items = schema.get("items");
                let mut schemas = elements.iter().enumerate().filter_map(|(at, value)| {
                    Some((at.to_string(), prefix.get(at).or(items)?, value))
                });
                schemas.find(breaks)
            }
            _ => None,
        }
    }

    /// The keywords of a schema that a value breaks, each by itself; the whole schema if none does.
    fn broken(&self, schema: &Json, value: &Json) -> Json {
        let Json::Object(words) = schema else {
            return schema.clone();
        };
        let mut broken = Object::new();
        for (keyword, asked) in words {
            let mut alone = Object::new();
            alone.insert(keyword.clone(), asked.clone());
            let alone = Json::Object(alone);
            // This one means nothing without `properties`.
            let is_alone = keyword.as_str() != "additionalProperties";
            if is_alone && self.is_valid(&alone, value) == Some(false) {
                broken.insert(keyword.clone(), asked.clone());
            }
        }
        if broken.is_empty() {
            return schema.clone();
        }
        Json::Object(broken)
    }
}
