//! Where a value breaks a schema.

use super::Validator;
use crate::json::{Json, Object, Pointer};
use crate::schema::keyword::resolve;

/// How many references and parts are followed.
const DEEPEST: usize = 64;
/// The keywords about the parts of a value.
const PARTS: [&str; 4] = ["properties", "items", "prefixItems", "$ref"];

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
        self.breaches(schema, value, 1).into_iter().next()
    }

    /// Returns every place where a value breaks a schema, at most so many. See
    /// [`breach`](Self::breach).
    pub fn breaches(&self, schema: &'j Json, value: &Json, most: usize) -> Vec<(Pointer, Json)> {
        let mut found = Vec::new();
        if self.is_valid(schema, value) == Some(false) {
            let at = (Pointer::root(), schema, value);
            self.find(at, DEEPEST, &mut |breach| {
                found.push(breach);
                found.len() < most
            });
        }
        found
    }

    /// Gives the breaches of a value that breaks a schema, those of its parts first, until no more are
    /// wanted.
    fn find(
        &self,
        (pointer, schema, value): (Pointer, &'j Json, &Json),
        left: usize,
        give: &mut dyn FnMut((Pointer, Json)) -> bool,
    ) -> bool {
        let breaks = |schema| self.is_valid(schema, value) == Some(false);
        let Some(left) = left.checked_sub(1) else {
            return give((pointer, self.broken(schema, value)));
        };
        if let Some(target) = self.referenced(schema).filter(|it| breaks(it)) {
            return self.find((pointer, target, value), left, give);
        }
        let parts = self.deeper(schema, value);
        let has_parts = !parts.is_empty();
        for (token, inner, part) in parts {
            if !self.find((pointer.join(token), inner, part), left, give) {
                return false;
            }
        }
        if !has_parts {
            return give((pointer, self.broken(schema, value)));
        }
        // What is wrong beside the parts, such as a member that is missing.
        let is_own = |keyword: &str| match keyword {
            "additionalProperties" => schema.get(keyword) == Some(&Json::Bool(false)),
            other => !PARTS.contains(&other),
        };
        match self.broken_keywords(schema, value, is_own) {
            Some(broken) => give((pointer, broken)),
            None => true,
        }
    }

    fn referenced(&self, schema: &'j Json) -> Option<&'j Json> {
        resolve(schema.get("$ref")?.as_str()?, self.context.components)
    }

    /// The members or elements that break their schemas.
    fn deeper<'v>(&self, schema: &'j Json, value: &'v Json) -> Vec<(String, &'j Json, &'v Json)> {
        let breaks = |(_, schema, value): &(String, &Json, &Json)| {
            // A member that must not be there is a matter of the object.
            **schema != Json::Bool(false) && self.is_valid(schema, value) == Some(false)
        };
        match value {
            Json::Object(members) => {
                let named = schema.get("properties").and_then(Json::as_object);
                let open = schema.get("additionalProperties");
                let schemas = members.iter().filter_map(|(name, value)| {
                    let own = named.and_then(|named| named.get(name));
                    Some((name.to_string(), own.or(open)?, value))
                });
                schemas.filter(breaks).collect()
            }
            Json::Array(elements) => {
                let prefix = schema.get("prefixItems").and_then(Json::as_array);
                let prefix = prefix.unwrap_or_default();
                let items = schema.get("items");
                let schemas = elements.iter().enumerate().filter_map(|(at, value)| {
                    Some((at.to_string(), prefix.get(at).or(items)?, value))
                });
                schemas.filter(breaks).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The keywords of a schema that a value breaks, each by itself; the whole schema if none does.
    fn broken(&self, schema: &Json, value: &Json) -> Json {
        let broken = self.broken_keywords(schema, value, |_| true);
        broken.unwrap_or_else(|| schema.clone())
    }

    fn broken_keywords(
        &self,
        schema: &Json,
        value: &Json,
        is_meant: impl Fn(&str) -> bool,
    ) -> Option<Json> {
        let mut broken = Object::new();
        for (keyword, asked) in schema.as_object()? {
            if !is_meant(keyword.as_str()) {
                continue;
            }
            let mut alone = Object::new();
            if keyword.as_str() == "additionalProperties" {
                // This one speaks of the members that the others do not name.
                for other in ["properties", "patternProperties"] {
                    let names = schema.get(other).and_then(Json::as_object);
                    let names = names.into_iter().flat_map(|it| it.keys());
                    let free = names.map(|name| (name.clone(), Json::Bool(true)));
                    alone.insert(other, Json::Object(free.collect()));
                }
            }
            alone.insert(keyword.clone(), asked.clone());
            if self.is_valid(&Json::Object(alone), value) == Some(false) {
                broken.insert(keyword.clone(), asked.clone());
            }
        }
        (!broken.is_empty()).then_some(Json::Object(broken))
    }
}
