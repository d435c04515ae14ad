//! The ways in which all responses of a server differ from the specification.
//!
//! A server that answers unknown methods with a code of its own breaks the rule about this code, and no other. So the
//! responses to some requests teach its codes and the form of its responses, and the others are judged apart from them.

use docent_describe::code;
use docent_describe::json::Json;

use super::rule::{VERSION_MEMBER, WireRule};

/// The habits of a server.
#[derive(Debug, Default, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent habits")]
pub struct Habits {
    /// The codes that it sends in place of those of the specification.
    codes: Vec<OwnCode>,
    /// True if its responses do not say which version of JSON-RPC they are in.
    omits_version: bool,
    /// True if its responses have both a result and an error, of which one is null.
    sends_both: bool,
    /// True if its responses have a text in the place of an id that is a number.
    writes_ids_as_text: bool,
    /// True if it answers unknown methods, but not in JSON-RPC.
    hides_unknown: bool,
}

/// A code that a server sends in place of one that the specification asks for.
#[derive(Debug, Clone, Copy)]
struct OwnCode {
    specified: i64,
    sent: i64,
}

impl Habits {
    /// Learns from the response to the request of a rule.
    pub fn learn(&mut self, rule: &WireRule, body: &[u8]) {
        let Some(expected) = rule.code else {
            return;
        };
        if expected == code::METHOD_NOT_FOUND {
            self.hides_unknown = !body.is_empty() && !is_json_rpc(body);
        }
        let Some(response) = parse(body) else {
            return;
        };
        let error = response.get("error");
        if let Some(sent) = error.and_then(|error| error.get("code")?.as_i64())
            && !code::SPECIFIED.contains(&sent)
        {
            self.codes.push(OwnCode {
                specified: expected,
                sent,
            });
        }
        if expected == code::METHOD_NOT_FOUND {
            self.omits_version = response.get(VERSION_MEMBER).is_none();
            self.sends_both = response.get("result") == Some(&Json::Null) && error.is_some();
            self.writes_ids_as_text = response.get("id").is_some_and(|id| number(id).is_some());
        }
    }

    /// Returns whether a response says nothing about a rule, because the request names an unknown method and the server
    /// answers no such request in JSON-RPC.
    pub fn is_inconclusive(&self, rule: &WireRule, body: &[u8]) -> bool {
        let is_about_that = rule.code == Some(code::METHOD_NOT_FOUND);
        self.hides_unknown && rule.names_unknown() && !is_about_that && !is_json_rpc(body)
    }

    /// Judges a response apart from these habits, except for the one that the rule is about.
    ///
    /// # Errors
    /// The reason for which the response breaks the rule.
    pub fn judge(&self, rule: &WireRule, body: &[u8]) -> Result<(), String> {
        let result = rule.judge(body);
        let Some(response) = parse(body).filter(|_| result.is_err()) else {
            return result;
        };
        let mut codes = self.codes.clone();
        codes.retain(|code| Some(code.specified) != rule.code);
        let mut others = self.clone();
        if rule.code == Some(code::METHOD_NOT_FOUND) {
            others.omits_version = false;
            others.sends_both = false;
        }
        others.writes_ids_as_text &= !rule.is_about_ids();
        // One code may be sent in place of several, so each is tried alone too.
        for codes in [&*codes].into_iter().chain(codes.chunks(1)) {
            let mut response = response.clone();
            others.make_usual(&mut response, codes);
            if rule.judge(response.to_string().as_bytes()).is_ok() {
                return Ok(());
            }
        }
        result
    }

    /// Changes a response to what it would be without these codes, and in its form.
    fn make_usual(&self, response: &mut Json, codes: &[OwnCode]) {
        let members = match response {
            Json::Array(responses) => {
                for response in responses {
                    self.make_usual(response, codes);
                }
                return;
            }
            Json::Object(members) => members,
            _ => return,
        };
        if self.omits_version {
            members.insert(VERSION_MEMBER, Json::from("2.0"));
        }
        for (empty, other) in [("result", "error"), ("error", "result")] {
            let has_both = members.get(empty) == Some(&Json::Null) && members.contains_key(other);
            if self.sends_both && has_both {
                members.shift_remove(empty);
            }
        }
        if self.writes_ids_as_text
            && let Some(id) = members.get_mut("id")
            && let Some(number) = number(id)
        {
            *id = number;
        }
        if let Some(code) = members
            .get_mut("error")
            .and_then(|error| error.as_object_mut()?.get_mut("code"))
            && let Some(own) = codes.iter().find(|own| Some(own.sent) == code.as_i64())
        {
            *code = Json::from(own.specified);
        }
    }
}

/// Returns whether a body is a response of JSON-RPC, if only in its form.
pub fn is_json_rpc(body: &[u8]) -> bool {
    let Some(json) = parse(body) else {
        return false;
    };
    json.as_array()
        .unwrap_or(std::slice::from_ref(&json))
        .iter()
        .any(|response| {
            [VERSION_MEMBER, "version", "id"]
                .iter()
                .any(|member| response.get(member).is_some())
        })
}

/// Returns the number that a text in the place of an id says.
fn number(id: &Json) -> Option<Json> {
    let number: Json = id.as_str()?.parse().ok()?;
    matches!(number, Json::Number(_)).then_some(number)
}

fn parse(body: &[u8]) -> Option<Json> {
    std::str::from_utf8(body).ok()?.parse().ok()
}
