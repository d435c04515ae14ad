//! A rule, read from the data, and how a response is judged by it.

use docent_describe::json::Json;
use docent_describe::schema::check::{Check, Compiler};
use indexmap::IndexMap;

/// The member of a response that says which version of JSON-RPC it is in.
pub(super) const VERSION_MEMBER: &str = "jsonrpc";

/// A rule, with a request that shows whether a server keeps it.
#[derive(Debug)]
#[non_exhaustive]
pub struct WireRule {
    /// The name of the rule.
    pub name: String,
    /// The section of the specification: of 2.0, or of 1.1 if it begins with `1.1`.
    pub clause: String,
    /// The rule as a sentence.
    pub says: String,
    /// A feature without which the rule does not apply to a server.
    pub needs: Option<WireNeed>,
    /// The code of the response, if the rule is about that.
    pub(super) code: Option<i64>,
    request: String,
    /// `None` if there must be no response.
    answer: Option<Check>,
}

/// A feature of servers that not all have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WireNeed {
    /// A procedure that can be called without parameters, as often as one likes.
    Procedure,
    /// JSON-RPC 1.1.
    V1_1,
}

impl WireRule {
    /// Returns the body of the request. `procedure` can be called without parameters.
    pub fn request(&self, procedure: &str) -> String {
        let name = Json::from(procedure).to_string();
        self.request.replace("\"{procedure}\"", &name)
    }

    /// Returns whether the request names a method that no server has.
    pub(super) fn names_unknown(&self) -> bool {
        self.request.contains("no.such.")
    }

    /// Returns whether the rule is about the ids of responses.
    pub(super) fn is_about_ids(&self) -> bool {
        self.name.starts_with("id-")
    }

    /// Judges the body of a response, which is empty if there is none.
    ///
    /// # Errors
    /// The reason for which the response breaks the rule.
    pub fn judge(&self, body: &[u8]) -> Result<(), String> {
        let Ok(text) = std::str::from_utf8(body) else {
            return Err("the response is not UTF-8".to_owned());
        };
        match (&self.answer, text.trim().is_empty()) {
            (None, true) => Ok(()),
            (None, false) => Err("there must be no response".to_owned()),
            (Some(_), true) => Err("there is no response".to_owned()),
            (Some(check), false) => {
                let json: Json = text.parse().map_err(|_| "the response is not JSON")?;
                check
                    .check(&json.to_string())
                    .map_err(|violation| violation.to_string())
            }
        }
    }
}

/// Returns all rules.
///
/// ```
/// let rules = docent_tools::wire::rules();
/// let rule = rules.iter().find(|rule| rule.name == "notification").unwrap();
/// assert!(rule.judge(b"").is_ok() && rule.judge(b"null").is_err());
/// ```
pub fn rules() -> Vec<WireRule> {
    let rules: Json = include_str!("rules.json").parse().unwrap_or_default();
    let mut schemas = IndexMap::new();
    let components = rules.get("components").and_then(Json::as_object);
    for (name, schema) in components.into_iter().flatten() {
        schemas.insert(name.to_string(), schema.clone());
    }
    let mut compiler = Compiler::new(&schemas).for_tools(None);
    rules
        .get("rules")
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .map(|rule| read_rule(rule, &mut compiler))
        .collect()
}

fn read_rule(rule: &Json, compiler: &mut Compiler<'_>) -> WireRule {
    let answer = rule.get("answer").filter(|answer| **answer != Json::Null);
    WireRule {
        name: text(rule, "rule"),
        clause: text(rule, "clause"),
        says: text(rule, "says"),
        needs: match &*text(rule, "needs") {
            "procedure" => Some(WireNeed::Procedure),
            "1.1" => Some(WireNeed::V1_1),
            _ => None,
        },
        code: rule.get("code").and_then(Json::as_i64),
        request: text(rule, "send"),
        answer: answer.map(|schema| compiler.compile_leniently(schema)),
    }
}

fn text(rule: &Json, member: &str) -> String {
    let text = rule.get_str(member);
    text.unwrap_or_default().to_owned()
}
