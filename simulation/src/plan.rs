//! Random exchanges: callers, calls, credentials and keys.
//!
//! Everything is drawn from the numbers of the seed, in a fixed order: a draw that is added or moved
//! changes every run.

use docent_core::Extensions;
use fastrand::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::settings::Settings;
use crate::watch::{SourceStep, WatchParams};

/// A procedure of the simulated service.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) idempotent: bool,
    pub(crate) keyed: bool,
    pub(crate) access: Access,
}

/// The callers that a procedure accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Anyone.
    Open,
    /// Anyone, but it looks at the caller.
    Maybe,
    /// Known callers.
    Known,
    /// Callers that a guard admits.
    Guarded,
}

const fn kind(name: &'static str, idempotent: bool, keyed: bool, access: Access) -> Kind {
    Kind {
        name,
        idempotent,
        keyed,
        access,
    }
}

pub(crate) static PROCEDURE_KINDS: [Kind; 13] = [
    kind("read", true, false, Access::Open),
    kind("write", false, false, Access::Open),
    kind("few", true, false, Access::Open),
    kind("often", true, false, Access::Open),
    kind("look", true, false, Access::Open),
    kind("block", false, false, Access::Open),
    kind("who", true, false, Access::Maybe),
    kind("own", false, false, Access::Known),
    kind("vault", false, false, Access::Guarded),
    kind("pay", false, true, Access::Known),
    kind("buy", false, true, Access::Known),
    kind("give", false, true, Access::Open),
    kind("leave", false, true, Access::Open),
];

impl Kind {
    pub(crate) fn by_name(name: &str) -> &'static Self {
        // Calls only use names from the table.
        PROCEDURE_KINDS
            .iter()
            .find(|kind| kind.name == name)
            .unwrap_or(&PROCEDURE_KINDS[0])
    }
}

/// The parameters of each procedure.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// The number of the call, and its result.
    pub(crate) n: u64,
    pub(crate) ending: Ending,
    /// The time that it takes, in milliseconds.
    pub(crate) ms: u64,
}

/// The way in which a handler ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Ending {
    Returns,
    Fails,
    /// An error that says that repeating helps.
    Later,
    Panics,
}

/// The credentials of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Token {
    pub(crate) worth: TokenOutcome,
    pub(crate) name: String,
    /// The time that the authenticator takes to check it, in milliseconds.
    pub(crate) ms: u64,
    pub(crate) client: usize,
    pub(crate) exchange: u64,
}

/// The outcome of checking a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TokenOutcome {
    Right,
    Wrong,
    /// The authenticator fails, so it is not known whether the token is right.
    Unknown,
    Panics,
}

/// The form in which calls are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Single,
    Batch,
    V1_1,
    Query,
    Tool,
}

/// A call of an exchange.
#[derive(Debug, Clone)]
pub(crate) struct PlannedCall {
    pub(crate) kind: &'static Kind,
    pub(crate) params: Params,
    /// The id, or `None` for a notification.
    pub(crate) id: Option<u64>,
    pub(crate) key: Option<String>,
    /// The caller that the key belongs to.
    pub(crate) owner: Option<String>,
}

/// A message with its calls, and who sends it.
#[derive(Debug, Clone)]
pub(crate) struct Exchange {
    pub(crate) number: u64,
    pub(crate) form: Form,
    pub(crate) client: usize,
    pub(crate) token: Option<Token>,
    pub(crate) calls: Vec<PlannedCall>,
}

/// The networks that clients call from, each with two addresses.
pub(crate) const CLIENT_ADDRESSES: [[&str; 2]; 3] = [
    ["192.0.2.1", "::ffff:192.0.2.1"],
    ["192.0.2.2", "192.0.2.2"],
    ["2001:db8::1", "2001:db8::ffff:1"],
];

pub(crate) const CALLER_NAMES: [&str; 3] = ["ann", "bob", "cid"];

/// Draws exchanges, and keeps calls with keys to repeat them.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    exchanges: u64,
    calls: u64,
    with_keys: Vec<PlannedCall>,
}

impl Plan {
    /// Starts an exchange without calls.
    pub(crate) fn exchange(&mut self, form: Form, client: usize) -> Exchange {
        self.exchanges += 1;
        Exchange {
            number: self.exchanges,
            form,
            client,
            token: None,
            calls: Vec::new(),
        }
    }

    pub(crate) fn call(&mut self, name: &str, ms: u64) -> PlannedCall {
        self.calls += 1;
        PlannedCall {
            kind: Kind::by_name(name),
            params: Params {
                n: self.calls,
                ending: Ending::Returns,
                ms,
            },
            id: Some(self.calls * 10 + 7),
            key: None,
            owner: None,
        }
    }

    pub(crate) fn draw(&mut self, rng: &mut Rng, settings: &Settings) -> Exchange {
        if rng.u32(..100) < settings.floods {
            return self.flood(rng);
        }
        let forms = [
            Form::Single,
            Form::Single,
            Form::Batch,
            Form::V1_1,
            Form::Query,
            Form::Tool,
        ];
        let mut exchange = self.exchange(forms[rng.usize(..forms.len())], rng.usize(..3));
        if rng.u32(..100) < 70 {
            exchange.token = Some(draw_token(rng, settings, &exchange));
        }
        self.draw_calls(rng, &mut exchange, 11);
        exchange
    }

    /// Draws the calls of an exchange: one, or those of a batch.
    fn draw_calls(&mut self, rng: &mut Rng, exchange: &mut Exchange, max_entries: usize) {
        let calls = match exchange.form {
            Form::Batch => rng.usize(1..=max_entries),
            _ => 1,
        };
        for _ in 0..calls {
            let call = self.draw_call(rng, exchange);
            exchange.calls.push(call);
        }
    }

    /// Draws the handshake of a connection: an exchange without calls of its own.
    pub(crate) fn draw_handshake(&mut self, rng: &mut Rng) -> Exchange {
        let mut handshake = self.exchange(Form::Single, rng.usize(..3));
        if rng.bool() {
            let name = CALLER_NAMES[rng.usize(..CALLER_NAMES.len())];
            let ms = [0, 200][rng.usize(..2)];
            handshake.token = Some(handshake.token(TokenOutcome::Right, name, ms));
        }
        handshake
    }

    /// Draws an exchange over a connection.
    pub(crate) fn draw_message(&mut self, rng: &mut Rng, handshake: &Exchange) -> Exchange {
        let forms = [Form::Single, Form::Single, Form::Batch];
        let mut exchange = self.exchange(forms[rng.usize(..forms.len())], handshake.client);
        exchange.token.clone_from(&handshake.token);
        self.draw_calls(rng, &mut exchange, 5);
        exchange
    }

    /// Draws a subscription.
    pub(crate) fn draw_watch(&mut self, rng: &mut Rng) -> WatchParams {
        let mut params = self.watch(Vec::new());
        params.ms = [0, 0, 0, 100, 20_000][rng.usize(..5)];
        params.fails = rng.u32(..8) == 0;
        for _ in 0..rng.usize(..20) {
            params.script.push_back(match rng.u32(..6) {
                0 => SourceStep::Wait(rng.u64(..2_000)),
                1 => SourceStep::Lose(rng.u64(1..4)),
                _ => SourceStep::Yield,
            });
        }
        let ends = [
            None,
            Some(SourceStep::Large),
            Some(SourceStep::Fail),
            Some(SourceStep::Panic),
            Some(SourceStep::Hang),
            Some(SourceStep::Hang),
        ];
        params.script.extend(ends[rng.usize(..ends.len())]);
        params
    }

    /// Returns the parameters of a subscription whose source opens at once.
    pub(crate) fn watch(&mut self, script: Vec<SourceStep>) -> WatchParams {
        self.calls += 1;
        WatchParams {
            n: self.calls,
            ms: 0,
            fails: false,
            script: script.into(),
        }
    }

    /// Draws a batch with many keys of one caller.
    fn flood(&mut self, rng: &mut Rng) -> Exchange {
        let mut exchange = self.exchange(Form::Batch, 0);
        let owners = [None, Some("ann"), Some("ann"), Some("bob")];
        let owner = owners[rng.usize(..owners.len())].map(str::to_owned);
        let name = if owner.is_some() { "buy" } else { "leave" };
        if let Some(name) = &owner {
            exchange.token = Some(exchange.token(TokenOutcome::Right, name, 0));
        }
        for _ in 0..60 {
            let mut call = self.call(name, 0);
            call.key = Some(format!("k{}", call.params.n));
            call.owner.clone_from(&owner);
            exchange.calls.push(call);
        }
        exchange
    }

    fn draw_call(&mut self, rng: &mut Rng, exchange: &Exchange) -> PlannedCall {
        let kinds: Vec<_> = PROCEDURE_KINDS
            .iter()
            .filter(|kind| match exchange.form {
                Form::Query => kind.idempotent,
                // Without header fields, only procedures that are open to anyone are tools.
                Form::Tool => kind.access == Access::Open,
                _ => true,
            })
            .collect();
        let times = [0, 0, 1, 500, 3_000, 20_000];
        let mut call = self.call(
            kinds[rng.usize(..kinds.len())].name,
            times[rng.usize(..times.len())],
        );
        call.params.ending = match rng.u32(..12) {
            0 => Ending::Fails,
            1 => Ending::Later,
            2 => Ending::Panics,
            _ => Ending::Returns,
        };
        let is_plain = matches!(exchange.form, Form::Single | Form::Batch);
        if is_plain && rng.u32(..5) == 0 {
            call.id = None;
        }
        if call.kind.keyed && is_plain && rng.u32(..5) > 0 {
            self.give_key(rng, &mut call, exchange);
        }
        call
    }

    /// Gives a call a key: a new one, that of an earlier call with the same parameters, or that of an
    /// earlier call with different ones.
    fn give_key(&mut self, rng: &mut Rng, call: &mut PlannedCall, exchange: &Exchange) {
        let name = exchange.token.as_ref().map(|token| token.name.clone());
        call.owner = name.filter(|_| call.kind.access == Access::Known);
        let earlier: Vec<_> = self
            .with_keys
            .iter()
            .rev()
            .filter(|first| first.owner == call.owner)
            .filter(|first| first.kind.access == call.kind.access)
            .take(8)
            .collect();
        match earlier.get(rng.usize(..12)) {
            Some(first) if rng.u32(..4) > 0 => {
                let id = call.id;
                *call = PlannedCall {
                    id,
                    ..(*first).clone()
                };
            }
            Some(first) => call.key.clone_from(&first.key),
            None => call.key = Some(format!("k{}", call.params.n)),
        }
        self.with_keys.push(call.clone());
    }
}

impl PlannedCall {
    /// Returns whether this is the call with this number, and it runs only here and is answered.
    pub(crate) fn is_counted(&self, n: u64) -> bool {
        self.params.n == n && self.key.is_none() && self.id.is_some()
    }
}

impl WatchParams {
    /// Returns the id of the call.
    pub(crate) fn id(&self) -> u64 {
        self.n * 10 + 7
    }
}

fn draw_token(rng: &mut Rng, settings: &Settings, exchange: &Exchange) -> Token {
    let worth = match rng.u32(..100) {
        wrong if wrong < settings.wrong => TokenOutcome::Wrong,
        98 => TokenOutcome::Panics,
        97 => TokenOutcome::Unknown,
        _ => TokenOutcome::Right,
    };
    let times = [1, 200, 3_000, 10_000];
    let waits = rng.u32(..100) < settings.authenticator_waits;
    let ms = times[rng.usize(..times.len())];
    let name = CALLER_NAMES[rng.usize(..CALLER_NAMES.len())];
    exchange.token(worth, name, if waits { ms } else { 0 })
}

impl Exchange {
    pub(crate) fn token(&self, worth: TokenOutcome, name: &str, ms: u64) -> Token {
        Token {
            worth,
            name: name.to_owned(),
            ms,
            client: self.client,
            exchange: self.number,
        }
    }

    /// Returns the extensions with the client's address, which may be the same for all clients.
    pub(crate) fn extensions(&self, together: bool) -> Extensions {
        let mut extensions = Extensions::new();
        let client = if together { 0 } else { self.client };
        let address = CLIENT_ADDRESSES[client][usize::from(self.number.is_multiple_of(2))];
        if let Ok(address) = address.parse() {
            extensions.set_client_address(address);
        }
        extensions
    }

    /// Returns the message, or the query.
    pub(crate) fn body(&self) -> String {
        let messages: Vec<_> = self.calls.iter().map(|call| self.message(call)).collect();
        match self.form {
            Form::Batch => format!("[{}]", messages.join(",")),
            _ => messages.concat(),
        }
    }

    fn message(&self, call: &PlannedCall) -> String {
        let Params { n, ending, ms } = call.params;
        let ending = format!("{ending:?}");
        let name = call.kind.name;
        let params = format!(r#"{{"n":{n},"ending":"{ending}","ms":{ms}}}"#);
        let id = match call.id {
            Some(id) => format!(r#","id":{id}"#),
            None => String::new(),
        };
        let key = match &call.key {
            Some(key) => format!(r#","x-idempotency-key":"{key}""#),
            None => String::new(),
        };
        match self.form {
            Form::Query => format!("n={n}&ending={ending}&ms={ms}"),
            Form::V1_1 => {
                format!(r#"{{"version":"1.1","method":"{name}","params":{params}{id}{key}}}"#)
            }
            Form::Tool => format!(
                r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{"name":"{name}","arguments":{params}}}{id}{key}}}"#
            ),
            Form::Single | Form::Batch => {
                format!(r#"{{"jsonrpc":"2.0","method":"{name}","params":{params}{id}{key}}}"#)
            }
        }
    }
}
