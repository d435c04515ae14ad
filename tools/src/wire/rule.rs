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
    /// The carrier that the rule is about; `None` if it applies to all, HTTP too.
    pub carrier: Option<WireCarrier>,
    /// The code of the response, if the rule is about that.
    pub(super) code: Option<i64>,
    request: String,
    /// The frames that are sent on a connection in place of the request, if the rule is about a carrier.
    frames: Vec<WireFrame>,
    /// `None` if there must be no response.
    response: Option<Check>,
}

/// A feature of servers that not all have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WireNeed {
    /// A procedure that can be called without parameters, as often as one likes.
    Procedure,
    /// JSON-RPC 1.1.
    V1_1,
    /// Docent's contract, which asks for more than JSON-RPC.
    Docent,
    /// Docent's contract, and a subscription.
    Subscription,
}

/// A carrier whose rules a server may break, whatever it answers over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireCarrier {
    /// Each connection.
    Connection,
    /// WebSockets.
    WebSocket,
    /// Lines, such as those of standard input and output.
    Lines,
}

/// Something that is sent on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WireFrame {
    /// A message.
    Message(String),
    /// Lines, with their ends.
    Lines(String),
    /// A line without an end, after which the input ends.
    LastLine(String),
    /// A text frame that is not UTF-8.
    NotUtf8,
    /// A binary frame.
    Binary(String),
    /// A ping.
    Ping(String),
}

impl WireRule {
    /// Returns the body of the request. `procedure` can be called without parameters.
    pub fn request(&self, procedure: &str) -> String {
        let name = Json::from(procedure).to_string();
        self.request.replace("\"{procedure}\"", &name)
    }

    /// Returns what to send on a connection. `procedure` can be called without parameters.
    pub fn frames(&self, procedure: &str) -> Vec<WireFrame> {
        match self.carrier {
            Some(_) => self.frames.clone(),
            None => vec![WireFrame::Message(self.request(procedure))],
        }
    }

    /// Returns whether there must be a response.
    pub fn has_answer(&self) -> bool {
        self.response.is_some()
    }

    /// Returns whether the request names a method that no server has.
    pub(super) fn names_unknown(&self) -> bool {
        self.request.contains("no.such.")
    }

    /// Returns whether the rule is about the ids of responses.
    pub(super) fn is_about_ids(&self) -> bool {
        self.name.starts_with("id-")
    }

    /// Judges the body of a response, which is empty if there is none. For a rule about a carrier, it is an array of
    /// all that came: messages, `{"pong": text}`, and `{"close": code}`, whose code may be null.
    ///
    /// # Errors
    /// The reason for which the response breaks the rule.
    pub fn judge(&self, body: &[u8]) -> Result<(), String> {
        let Ok(text) = std::str::from_utf8(body) else {
            return Err("the response is not UTF-8".to_owned());
        };
        match (&self.response, text.trim().is_empty()) {
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
    if let Some(Json::Object(components)) = rules.get("components") {
        for (name, schema) in components {
            schemas.insert(name.to_string(), schema.clone());
        }
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
    WireRule {
        name: text(rule, "rule"),
        clause: text(rule, "clause"),
        says: text(rule, "says"),
        needs: match &*text(rule, "needs") {
            "procedure" => Some(WireNeed::Procedure),
            "1.1" => Some(WireNeed::V1_1),
            "docent" => Some(WireNeed::Docent),
            "subscription" => Some(WireNeed::Subscription),
            _ => None,
        },
        carrier: match &*text(rule, "carrier") {
            "connection" => Some(WireCarrier::Connection),
            "websocket" => Some(WireCarrier::WebSocket),
            "lines" => Some(WireCarrier::Lines),
            _ => None,
        },
        code: rule.get("code").and_then(Json::as_i64),
        request: match rule.get("frames") {
            Some(frames) => frames.to_string(),
            None => text(rule, "send"),
        },
        frames: rule
            .get("frames")
            .and_then(Json::as_array)
            .unwrap_or_default()
            .iter()
            .map(read_frame)
            .collect(),
        response: rule
            .get("answer")
            .filter(|schema| **schema != Json::Null)
            .map(|schema| compiler.compile_leniently(schema)),
    }
}

fn text(rule: &Json, member: &str) -> String {
    rule.get_str(member).unwrap_or_default().to_owned()
}

/// Reads a frame: a message is a string, and each other an object with its kind and its text.
fn read_frame(frame: &Json) -> WireFrame {
    if let Some(text) = frame.as_str() {
        return WireFrame::Message(text.to_owned());
    }
    let text = text(frame, "text");
    match frame.get_str("frame") {
        Some("lines") => WireFrame::Lines(text),
        Some("last line") => WireFrame::LastLine(text),
        Some("binary") => WireFrame::Binary(text),
        Some("ping") => WireFrame::Ping(text),
        _ => WireFrame::NotUtf8,
    }
}
