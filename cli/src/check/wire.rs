//! `docent check --wire`: tries the rules of JSON-RPC on a server, whether it describes itself or not.
//!
//! The rules and their judgement are in `docent_tools::wire`. This command sends what they say, and tells
//! a broken rule from a server that cannot be reached.

use docent_describe::json::Json;
use docent_describe::{Origin, ServiceDescription, changing_verb};
use docent_tools::check::{Rule, Unanswered};
use docent_tools::wire::{Habits, WireCarrier, WireNeed, WireRule, is_json_rpc, rules};
use serde::Serialize;

use super::channel::WireConnection;
use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::http::{Client, Exchange, HttpRequest, HttpResponse, is_socket, without_secrets};
use crate::input::Input;
use crate::terminal::{Terminal, TextPage, count};

/// The verdicts, which are printed and are members of the JSON.
const KEPT: &str = "kept";
const BROKEN: &str = "broken";
const NOT_TRIED: &str = "not tried";

/// The verdict on a rule. Texts that it does not need are empty.
#[derive(Default, Serialize)]
struct Verdict {
    /// The name of the rule.
    rule: String,
    /// The section of the specification that it is from.
    clause: String,
    /// The rule as a sentence.
    says: String,
    /// One of `KEPT`, `BROKEN` and `NOT_TRIED`.
    #[serde(rename = "verdict")]
    word: &'static str,
    /// The reason why it is broken, or was not tried.
    reason: String,
    /// The request that shows it.
    sent: String,
    /// The response to that request.
    received: String,
}

impl Verdict {
    fn not_tried(reason: impl Into<String>) -> Self {
        Self {
            word: NOT_TRIED,
            reason: reason.into(),
            ..Self::default()
        }
    }
}

/// Tries the rules on each service, and fails if one is broken, or if none could be tried.
pub(super) fn run(args: &CheckArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let mut failures = Vec::new();
    for input in &args.inputs {
        let Input::Live(url) = input else {
            return Err(Failure::usage("--wire is for URLs of services"));
        };
        // The host may lead to the service.
        let described = input.read(client).ok();
        let url = described
            .as_ref()
            .and_then(|described| described.fetched.service.as_ref())
            .unwrap_or(url);
        let exchange = client.exchange(url)?;
        let mut wire = Wire {
            exchange: &exchange,
            connection: WireConnection::new(&exchange),
            description: described.as_ref().map(|found| &found.reading.description),
            procedure: None,
        };
        wire.procedure = match &*args.only {
            [] => wire.description.and_then(callable),
            [name] => Some(name.as_str()),
            _ => return Err(Failure::usage("--wire takes one name with --only")),
        };
        let verdicts = wire.verdicts()?;
        let display_name = without_secrets(url).to_string();
        if args.json {
            let json = serde_json::to_string_pretty(&verdicts);
            terminal.write_json(&json.map_err(Failure::system)?)?;
        } else {
            let mut page = terminal.page();
            for verdict in &verdicts {
                write(&mut page, verdict);
            }
            page.line(&format!(
                "{display_name}: {} {KEPT}, {} {BROKEN}, {} {NOT_TRIED}",
                number(&verdicts, KEPT),
                number(&verdicts, BROKEN),
                number(&verdicts, NOT_TRIED)
            ))
            .end();
            terminal.print(&page)?;
        }
        let broken = number(&verdicts, BROKEN);
        if broken > 0 {
            let broken = count(broken, "rule");
            failures.push(Failure::negative(format_args!(
                "{display_name}: {broken} broken"
            )));
        } else if number(&verdicts, KEPT) == 0 {
            failures.push(Failure::negative(format_args!(
                "{display_name}: no rule was tried"
            )));
        }
    }
    Failure::all(failures)
}

/// Returns the first procedure of a description that can be called any number of times, without parameters.
fn callable(description: &ServiceDescription) -> Option<&str> {
    for procedure in &description.procs {
        if procedure.idempotent
            && procedure.is_a_call()
            && !procedure.is_reserved()
            && changing_verb(&procedure.name).is_none()
            && procedure.params.iter().all(|param| !param.required)
        {
            return Some(&procedure.name);
        }
    }
    None
}

/// A server on which rules are tried.
struct Wire<'w> {
    exchange: &'w Exchange,
    /// The connection, unless the server is reached over HTTP.
    connection: WireConnection<'w>,
    description: Option<&'w ServiceDescription>,
    /// A procedure that can be called without parameters.
    procedure: Option<&'w str>,
}

impl Wire<'_> {
    /// Tries all rules of the carrier, those of 1.1 only if the server answers in 1.1.
    fn verdicts(&mut self) -> Result<Vec<Verdict>, Failure> {
        let mut all = rules();
        all.retain(|rule| match rule.carrier {
            None => true,
            Some(WireCarrier::Connection) => !self.exchange.is_http(),
            Some(WireCarrier::WebSocket) => is_socket(&self.exchange.typed),
            Some(WireCarrier::Lines) => self.exchange.command.is_some(),
        });
        let has_1_1 = self.has_1_1(&all);
        let mut responses = WireResponses::default();
        let mut tried = Vec::new();
        for rule in all {
            let sent = rule.request(self.procedure.unwrap_or_default());
            let outcome = match self.reason_not_to_try(&rule, has_1_1) {
                Some(reason) => Outcome::NotTried(reason),
                None => Outcome::Tried(self.send(&rule)),
            };
            match &outcome {
                // An earlier request may have ended the server.
                Outcome::Tried(Err(unanswered))
                    if unanswered.rule == Rule::Unreachable && !responses.are_any =>
                {
                    return Err(self.exchange.unavailable(unanswered));
                }
                Outcome::Tried(Ok(response)) => responses.add(&rule, response),
                _ => {}
            }
            tried.push(TriedRule {
                rule,
                sent,
                outcome,
            });
        }
        let mut verdicts = Vec::new();
        for TriedRule {
            rule,
            sent,
            outcome,
        } in tried
        {
            let verdict = match outcome {
                Outcome::Tried(reply) => responses.judge(&rule, sent, reply),
                Outcome::NotTried(reason) => Verdict::not_tried(reason),
            };
            verdicts.push(Verdict {
                rule: rule.name,
                clause: rule.clause,
                says: rule.says,
                ..verdict
            });
        }
        Ok(verdicts)
    }

    /// Returns whether the server answers in 1.1. Servers of 1.1 describe themselves, and a server of 2.0 alone does
    /// not answer in the form of 1.1.
    fn has_1_1(&mut self, rules: &[WireRule]) -> bool {
        let Some(describe) = rules.iter().find(|rule| rule.needs == Some(WireNeed::V1_1)) else {
            return false;
        };
        let Ok(response) = self.send(describe) else {
            return false;
        };
        let text = std::str::from_utf8(&response.body).unwrap_or_default();
        let json = text.parse::<Json>().unwrap_or_default();
        json.get_str("version") == Some("1.1")
    }

    fn reason_not_to_try(&self, rule: &WireRule, has_1_1: bool) -> Option<&'static str> {
        let described = self.description;
        let is_docent = described.is_some_and(|service| service.origin == Origin::Docent);
        let has_subscriptions = described
            .iter()
            .flat_map(|service| &service.procs)
            .any(|procedure| procedure.subscription.is_some());
        match rule.needs? {
            WireNeed::Procedure if self.procedure.is_none() => {
                Some("it needs a procedure without parameters (--only NAME)")
            }
            WireNeed::V1_1 if !has_1_1 => Some("the server does not offer JSON-RPC 1.1"),
            WireNeed::Docent | WireNeed::Subscription if !is_docent => {
                Some("the server does not follow Docent's contract")
            }
            WireNeed::Subscription if !has_subscriptions => Some("the server has no subscriptions"),
            _ => None,
        }
    }

    fn send(&mut self, rule: &WireRule) -> Result<HttpResponse, Unanswered> {
        let procedure = self.procedure.unwrap_or_default();
        if !self.exchange.is_http() {
            return self.connection.try_rule(rule, procedure);
        }
        let request = rule.request(procedure);
        self.exchange
            .send(&HttpRequest::new(&self.exchange.typed, Some(&request)))
    }
}

/// A rule, with its request and what came of it. It is judged when all rules have been tried.
struct TriedRule {
    rule: WireRule,
    sent: String,
    outcome: Outcome,
}

/// The outcome of trying a rule.
enum Outcome {
    /// The request was sent, and has this response, or none for this reason.
    Tried(Result<HttpResponse, Unanswered>),
    /// Nothing was sent, for this reason.
    NotTried(&'static str),
}

/// The responses to the requests of all rules, by which each is judged.
#[derive(Default)]
struct WireResponses {
    are_any: bool,
    /// True if one of them is a response of JSON-RPC. Otherwise, the address is not one of a JSON-RPC service.
    are_json_rpc: bool,
    habits: Habits,
}

impl WireResponses {
    fn add(&mut self, rule: &WireRule, response: &HttpResponse) {
        self.are_any = true;
        self.are_json_rpc |= is_json_rpc(&response.body);
        self.habits.learn(rule, &response.body);
    }

    /// Judges what a request was answered with. The verdict does not name the rule.
    fn judge(
        &self,
        rule: &WireRule,
        sent: String,
        reply: Result<HttpResponse, Unanswered>,
    ) -> Verdict {
        let (received, result) = match reply {
            Ok(HttpResponse { status, body, .. }) => {
                let received = String::from_utf8_lossy(&body).into_owned();
                // A gateway may answer in place of the server. That says nothing about the server's JSON-RPC.
                let is_refused = match status.as_u16() {
                    401 | 403 | 407 | 429 | 503 => true,
                    404 | 405 | 409 | 410 | 421 => !is_json_rpc(&body),
                    status => body.is_empty() && status >= 400,
                };
                let is_hidden = self.habits.is_inconclusive(rule, &body);
                if is_refused || !self.are_json_rpc || is_hidden {
                    let reason = if is_hidden {
                        "the server answers no unknown method in JSON-RPC".to_owned()
                    } else {
                        format!("HTTP {} is inconclusive", status.as_u16())
                    };
                    return Verdict {
                        sent,
                        received,
                        ..Verdict::not_tried(reason)
                    };
                }
                (received, self.habits.judge(rule, &body))
            }
            Err(unanswered) if unanswered.rule == Rule::Unreachable => {
                return Verdict::not_tried(unanswered.reason);
            }
            Err(unanswered) => (String::new(), Err(unanswered.reason)),
        };
        Verdict {
            word: if result.is_ok() { KEPT } else { BROKEN },
            reason: result.err().unwrap_or_default(),
            sent,
            received,
            ..Verdict::default()
        }
    }
}

/// Counts the verdicts with this word.
fn number(verdicts: &[Verdict], word: &str) -> usize {
    verdicts
        .iter()
        .filter(|verdict| verdict.word == word)
        .count()
}

fn write(page: &mut TextPage, verdict: &Verdict) {
    let Verdict {
        rule, clause, says, ..
    } = verdict;
    page.text(&format!("{:<9}  ", verdict.word))
        .line(&format!("{rule}: {says} ({clause})"));
    if !verdict.reason.is_empty() {
        page.line(&format!("; {}", verdict.reason));
    }
    if verdict.word == BROKEN {
        for (label, text) in [("sent", &verdict.sent), ("received", &verdict.received)] {
            // JSON escapes what a terminal would interpret.
            let escaped = Json::from(text.as_str());
            page.end().space(4).text(&format!("{label} {escaped}"));
        }
    }
    page.end();
}
