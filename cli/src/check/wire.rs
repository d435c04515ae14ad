//! `docent check --wire`: tries the rules of JSON-RPC on a server, whether it describes itself or not.
//!
//! The rules and their judgement are in `docent_tools::wire`. This command sends what they say, and tells
//! a broken rule from a server that cannot be reached.

use docent_describe::changing_verb;
use docent_describe::json::Json;
use docent_tools::check::{Rule, Unanswered};
use docent_tools::wire::{Habits, WireNeed, WireRule, is_json_rpc, rules};
use serde::Serialize;

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::http::{Client, Exchange, HttpAnswer, HttpRequest, without_secrets};
use crate::input::{Described, Input};
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
        let procedure = match &*args.only {
            [] => described.as_ref().and_then(callable),
            [name] => Some(name.as_str()),
            _ => return Err(Failure::usage("--wire takes one name with --only")),
        };
        let verdicts = verdicts(&exchange, procedure)?;
        let shown = without_secrets(url).to_string();
        if args.json {
            let json = serde_json::to_string_pretty(&verdicts);
            terminal.write_json(&json.map_err(Failure::system)?)?;
        } else {
            let mut page = terminal.page();
            for verdict in &verdicts {
                write(&mut page, verdict);
            }
            let counts =
                [KEPT, BROKEN, NOT_TRIED].map(|word| format!("{} {word}", number(&verdicts, word)));
            page.line(&format!("{shown}: {}", counts.join(", "))).end();
            terminal.print(&page)?;
        }
        let broken = number(&verdicts, BROKEN);
        if broken > 0 {
            let broken = count(broken, "rule");
            failures.push(Failure::negative(format_args!("{shown}: {broken} broken")));
        } else if number(&verdicts, KEPT) == 0 {
            failures.push(Failure::negative(format_args!(
                "{shown}: no rule was tried"
            )));
        }
    }
    Failure::all(failures)
}

/// Returns the first procedure of a description that can be called any number of times, without parameters.
fn callable(described: &Described) -> Option<&str> {
    let callable = described
        .reading
        .description
        .procs
        .iter()
        .find(|procedure| {
            procedure.idempotent
                && procedure.is_a_call()
                && !procedure.is_reserved()
                && changing_verb(&procedure.name).is_none()
                && procedure.params.iter().all(|param| !param.required)
        });
    callable.map(|procedure| &*procedure.name)
}

/// Tries all rules on a service, those of 1.1 only if it answers in 1.1.
fn verdicts(exchange: &Exchange, procedure: Option<&str>) -> Result<Vec<Verdict>, Failure> {
    // Servers of 1.1 describe themselves, and a server of 2.0 alone does not answer in the form of 1.1.
    let probe = r#"{"version":"1.1","method":"system.describe","id":1}"#;
    let has_1_1 = post(exchange, probe).is_ok_and(|answer| {
        let text = std::str::from_utf8(&answer.body).unwrap_or_default();
        let json = text.parse::<Json>();
        json.is_ok_and(|json| json.get_str("version") == Some("1.1"))
    });
    let mut answers = Answers::default();
    let mut tried = Vec::new();
    for rule in rules() {
        let why_not = match rule.needs {
            Some(WireNeed::Procedure) if procedure.is_none() => {
                Some("it needs a procedure without parameters (--only NAME)")
            }
            Some(WireNeed::V1_1) if !has_1_1 => Some("the server does not offer JSON-RPC 1.1"),
            _ => None,
        };
        let sent = rule.request(procedure.unwrap_or_default());
        let reply = why_not.map_or_else(|| Ok(post(exchange, &sent)), Err);
        match &reply {
            // An earlier request may have ended the server.
            Ok(Err(unanswered)) if unanswered.rule == Rule::Unreachable && !answers.are_any => {
                return Err(exchange.unavailable(unanswered));
            }
            Ok(Ok(answer)) => answers.add(&rule, answer),
            _ => {}
        }
        tried.push((rule, sent, reply));
    }
    let verdicts = tried.into_iter().map(|(rule, sent, reply)| {
        let verdict = match reply {
            Ok(reply) => answers.judge(&rule, sent, reply),
            Err(why_not) => Verdict::not_tried(why_not),
        };
        Verdict {
            rule: rule.name,
            clause: rule.clause,
            says: rule.says,
            ..verdict
        }
    });
    Ok(verdicts.collect())
}

/// The answers to the requests of all rules, by which each is judged.
#[derive(Default)]
struct Answers {
    are_any: bool,
    /// True if one of them is a response of JSON-RPC. Otherwise, the address is not one of a JSON-RPC service.
    are_json_rpc: bool,
    habits: Habits,
}

impl Answers {
    fn add(&mut self, rule: &WireRule, answer: &HttpAnswer) {
        self.are_any = true;
        self.are_json_rpc |= is_json_rpc(&answer.body);
        self.habits.learn(rule, &answer.body);
    }

    /// Judges what a request was answered with. The verdict does not name the rule.
    fn judge(
        &self,
        rule: &WireRule,
        sent: String,
        reply: Result<HttpAnswer, Unanswered>,
    ) -> Verdict {
        let (received, judged) = match reply {
            Ok(HttpAnswer { status, body, .. }) => {
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
            word: if judged.is_ok() { KEPT } else { BROKEN },
            reason: judged.err().unwrap_or_default(),
            sent,
            received,
            ..Verdict::default()
        }
    }
}

fn post(exchange: &Exchange, body: &str) -> Result<HttpAnswer, Unanswered> {
    exchange.send(&HttpRequest::new(&exchange.typed, Some(body)))
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
