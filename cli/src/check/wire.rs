//! `docent check --wire`: tries the rules of JSON-RPC on a server, whether it describes itself or not.

use docent_describe::json::{Json, Object};
use docent_tools::check::{Rule, Unanswered};
use docent_tools::wire::{WireNeed, WireRule, rules};

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::http::{Client, Exchange, HttpAnswer, HttpRequest, without_secrets};
use crate::input::{Described, Input};
use crate::terminal::{Terminal, TextPage, count};

const KEPT: &str = "kept";
const BROKEN: &str = "broken";
const NOT_TRIED: &str = "not tried";

/// The verdict on a rule. Texts that it does not need are empty.
struct Verdict {
    rule: WireRule,
    word: &'static str,
    reason: String,
    sent: String,
    received: String,
}

pub(super) fn run(args: &CheckArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let mut failures = Vec::new();
    for input in &args.inputs {
        let Input::Live(url) = input else {
            return Err(Failure::usage("--wire is for URLs of services"));
        };
        // The host may lead to the service.
        let described = input.read(client).ok();
        let service = described.as_ref().and_then(|it| it.service.as_ref());
        let url = service.unwrap_or(url);
        let exchange = client.exchange(url)?;
        let procedure = match &*args.only {
            [] => described.as_ref().and_then(callable),
            [name] => Some(name.as_str()),
            _ => return Err(Failure::usage("--wire takes one name with --only")),
        };
        let verdicts = verdicts(&exchange, procedure)?;
        let shown = without_secrets(url).to_string();
        if args.json {
            let verdicts = Json::Array(verdicts.iter().map(to_json).collect());
            terminal.write_json(&format!("{verdicts:#}"))?;
        } else {
            let mut page = terminal.page();
            for verdict in &verdicts {
                write(&mut page, verdict);
            }
            let counts = [KEPT, BROKEN, NOT_TRIED];
            let counts = counts.map(|word| format!("{} {word}", number(&verdicts, word)));
            page.line(&format!("{shown}: {}", counts.join(", "))).end();
            terminal.print(&page)?;
        }
        let broken = number(&verdicts, BROKEN);
        if broken > 0 {
            let broken = count(broken, "rule");
            failures.push(Failure::negative(format_args!("{shown}: {broken} broken")));
        } else if number(&verdicts, KEPT) == 0 {
            let message = format_args!("{shown}: no rule was tried");
            failures.push(Failure::negative(message));
        }
    }
    Failure::all(failures)
}

/// Returns the first procedure of a description that can be called as often as one likes, without
/// parameters.
fn callable(described: &Described) -> Option<&str> {
    let mut procedures = described.reading.description.procs.iter();
    let callable = procedures.find(|it| {
        it.idempotent && !it.is_reserved() && it.params.iter().all(|param| !param.required)
    });
    callable.map(|it| &*it.name)
}

fn verdicts(exchange: &Exchange, procedure: Option<&str>) -> Result<Vec<Verdict>, Failure> {
    let probe = r#"{"version":"1.1","method":"system.describe","id":1}"#;
    let has_1_1 = post(exchange, probe).is_ok_and(|answer| {
        let text = String::from_utf8(answer.body).ok();
        let json: Option<Json> = text.and_then(|text| text.parse().ok());
        json.is_some_and(|it| it.get("version").and_then(Json::as_str) == Some("1.1"))
    });
    let mut verdicts: Vec<Verdict> = Vec::new();
    for rule in rules() {
        let missing = match rule.needs {
            Some(WireNeed::Procedure) if procedure.is_none() => {
                "it needs a procedure without parameters (--only NAME)"
            }
            Some(WireNeed::V1_1) if !has_1_1 => "the server does not offer JSON-RPC 1.1",
            _ => "",
        };
        let tried = if missing.is_empty() {
            judge(exchange, &rule, procedure.unwrap_or_default())
        } else {
            Ok((
                NOT_TRIED,
                missing.to_owned(),
                [String::new(), String::new()],
            ))
        };
        let (word, reason, [sent, received]) = match tried {
            // An earlier request may have ended the server.
            Err(missing) if verdicts.iter().any(|it| it.word != NOT_TRIED) => {
                (NOT_TRIED, missing.reason, [String::new(), String::new()])
            }
            tried => tried.map_err(|missing| exchange.unavailable(&missing))?,
        };
        verdicts.push(Verdict {
            rule,
            word,
            reason,
            sent,
            received,
        });
    }
    Ok(verdicts)
}

/// Returns the word for the verdict, its reason, and the request with its response.
fn judge(
    exchange: &Exchange,
    rule: &WireRule,
    procedure: &str,
) -> Result<(&'static str, String, [String; 2]), Unanswered> {
    let sent = rule.request(procedure);
    let (received, judged) = match post(exchange, &sent) {
        Ok(HttpAnswer { status, body, .. }) => {
            let received = String::from_utf8_lossy(&body).into_owned();
            let is_refused = matches!(status.as_u16(), 401 | 403 | 407 | 429 | 503);
            if is_refused || body.is_empty() && status.as_u16() >= 400 {
                let reason = format!("HTTP {} decides nothing", status.as_u16());
                return Ok((NOT_TRIED, reason, [sent, received]));
            }
            (received, rule.judge(&body))
        }
        Err(missing) if missing.rule == Rule::Unreachable => return Err(missing),
        Err(missing) => (String::new(), Err(missing.reason)),
    };
    let word = if judged.is_ok() { KEPT } else { BROKEN };
    Ok((word, judged.err().unwrap_or_default(), [sent, received]))
}

fn post(exchange: &Exchange, body: &str) -> Result<HttpAnswer, Unanswered> {
    let request = HttpRequest::new(&exchange.typed, Some(body));
    exchange.send(&request)
}

fn number(verdicts: &[Verdict], word: &str) -> usize {
    verdicts.iter().filter(|it| it.word == word).count()
}

fn write(page: &mut TextPage, verdict: &Verdict) {
    let Verdict { rule, word, .. } = verdict;
    let text = format!("{}: {} ({})", rule.name, rule.says, rule.clause);
    page.text(&format!("{word:<9}  ")).line(&text);
    if !verdict.reason.is_empty() {
        page.line(&format!("; {}", verdict.reason));
    }
    if *word == BROKEN {
        for (what, text) in [("sent", &verdict.sent), ("received", &verdict.received)] {
            // JSON escapes what a terminal would interpret.
            let text = Json::from(text.as_str());
            page.end().space(4).text(&format!("{what} {text}"));
        }
    }
    page.end();
}

fn to_json(verdict: &Verdict) -> Json {
    let Verdict { rule, word, .. } = verdict;
    Json::from(Object::from([
        ("rule", Json::from(rule.name.as_str())),
        ("clause", Json::from(rule.clause.as_str())),
        ("says", Json::from(rule.says.as_str())),
        ("verdict", Json::from(*word)),
        ("reason", Json::from(verdict.reason.as_str())),
        ("sent", Json::from(verdict.sent.as_str())),
        ("received", Json::from(verdict.received.as_str())),
    ]))
}
