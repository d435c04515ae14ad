//! A run: callers come and go in an order that the seed determines, until everything has ended.
//!
//! At its end, what may have been lost unnoticed is tried: all permits are taken at once, and clients log
//! in and claim keys again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use docent_core::carrier::{Incoming, Reply};
use docent_core::code;

use crate::answers::check_answers;
use crate::carrier::{Line, carry};
use crate::connections::PeerMessage;
use crate::plan::{CALLER_NAMES, Exchange, Form, Plan, TokenOutcome};
use crate::report::Finding;
use crate::settings::{KEEP_TIME, LOGINS_PER, Planted};
use crate::watch::SourceStep;
use crate::world::World;

/// The maximum number of open exchanges.
const MAX_OPEN: usize = 40;

/// The maximum number of open connections.
const MAX_CONNECTIONS: usize = 4;

/// The number of steps without new callers after which everything must have ended.
const MAX_STEPS_TO_REST: usize = 100_000;

/// Runs one seed, with a fault if one is planted. Returns the events.
///
/// # Errors
/// Returns the first broken promise.
pub fn run(seed: u64, planted: Option<Planted>) -> Result<Vec<String>, Box<Finding>> {
    let mut run = Run {
        world: World::new(seed, planted),
        plan: Plan::default(),
        open: BTreeMap::new(),
        connections: BTreeMap::new(),
    };
    let outcome = run.all();
    let events = run.world.close();
    match outcome {
        Ok(()) => Ok(events),
        Err(broken) => Err(Box::new(Finding {
            seed,
            broken,
            events,
        })),
    }
}

struct Run {
    world: World,
    plan: Plan,
    /// The exchanges that are still running, by task.
    open: BTreeMap<u64, u64>,
    /// The open connections, by task.
    connections: BTreeMap<u64, OpenConnection>,
}

/// A connection that a carrier carries.
struct OpenConnection {
    handshake: Exchange,
    line: Arc<Line>,
}

impl Run {
    fn all(&mut self) -> Result<(), String> {
        for _ in 0..self.world.settings().steps {
            self.step()?;
            self.world.verdict()?;
        }
        self.rest()?;
        self.take_all_permits()?;
        self.subscribe_fully()?;
        self.log_in_again()?;
        self.claim_again()
    }

    /// Takes one random step.
    fn step(&mut self) -> Result<(), String> {
        let settings = self.world.settings().clone();
        let calling = 20 + settings.cancels + settings.passes;
        let sum_of_weights = calling + settings.connecting;
        match self.world.drawn(|rng| rng.u32(..sum_of_weights)) {
            0..4 if self.open.len() < MAX_OPEN => {
                let exchange = self.world.drawn(|rng| self.plan.draw(rng, &settings));
                self.start(exchange);
                Ok(())
            }
            0..16 => self.poll(),
            16..20 => self.block(),
            drawn if drawn < 20 + settings.cancels => self.cancel(),
            drawn if drawn >= calling => self.connect(),
            _ => {
                self.pass();
                Ok(())
            }
        }
    }

    /// Sends an exchange.
    fn start(&mut self, exchange: Exchange) -> u64 {
        let world = self.world.clone();
        let number = exchange.number;
        world.note(format_args!(
            "{number} {:?} {}",
            exchange.form,
            exchange.body()
        ));
        world.ledger().open(&exchange, world.now());
        let task = self.world.executor().add(Box::pin(send(world, exchange)));
        self.open.insert(task, number);
        number
    }

    /// Polls a task that is ready, or occasionally one that waits.
    fn poll(&mut self) -> Result<(), String> {
        let executor = self.world.executor().clone();
        let is_spurious = self.world.chance(5);
        let tasks = if is_spurious {
            executor.tasks()
        } else {
            executor.ready()
        };
        let Some(task) = self.one_of(&tasks) else {
            return Ok(());
        };
        if executor.poll(task)? {
            self.open.remove(&task);
            self.connections.remove(&task);
        }
        Ok(())
    }

    /// Lets the peer of a connection do something, or opens one.
    fn connect(&mut self) -> Result<(), String> {
        let tasks: Vec<_> = self.connections.keys().copied().collect();
        let world = self.world.clone();
        let drawn = world.drawn(|rng| rng.u32(..100));
        let task = self.one_of(&tasks).filter(|_| drawn >= 10);
        let Some((task, connection)) =
            task.and_then(|task| Some((task, self.connections.get(&task)?)))
        else {
            if tasks.len() < MAX_CONNECTIONS {
                self.open_connection();
            }
            return Ok(());
        };
        let OpenConnection { handshake, line } = connection;
        match drawn {
            10..30 => {
                let exchange = world.drawn(|rng| self.plan.draw_message(rng, handshake));
                world.ledger().open(&exchange, world.now());
                line.send(PeerMessage::Calls(exchange));
            }
            30..45 => line.send(PeerMessage::Watch(
                world.drawn(|rng| self.plan.draw_watch(rng)),
            )),
            45..60 => {
                let mut ids = world.ledger().connections.subscriptions(handshake.number);
                ids.push("s999".to_owned());
                let subscription = world.drawn(|rng| ids.swap_remove(rng.usize(..ids.len())));
                let id = self.plan.watch(Vec::new()).id();
                line.send(PeerMessage::Unsubscribe {
                    id: (!world.chance(20)).then_some(id),
                    subscription,
                });
            }
            60..94 => line.read(world.drawn(|rng| [1, 100, 1_000, 1_000_000][rng.usize(..4)])),
            94 => line.stop(),
            95 => line.end_input(),
            96 => line.end_credentials(),
            _ => {
                world.note(format_args!("the peer of {} leaves", handshake.number));
                self.connections.remove(&task);
                return world.executor().cancel(task);
            }
        }
        Ok(())
    }

    fn open_connection(&mut self) -> Arc<Line> {
        let world = self.world.clone();
        let handshake = world.drawn(|rng| self.plan.draw_handshake(rng));
        world.note(format_args!("{} connects", handshake.number));
        world.ledger().open(&handshake, world.now());
        let line = Arc::new(Line::default());
        let task = carry(world.clone(), handshake.clone(), Arc::clone(&line));
        let task = world.executor().add(Box::pin(task));
        let connection = OpenConnection {
            handshake,
            line: Arc::clone(&line),
        };
        self.connections.insert(task, connection);
        line
    }

    /// Checks that no permit of a subscription was lost: the full number can be open at once.
    fn subscribe_fully(&mut self) -> Result<(), String> {
        let settings = self.world.settings().clone();
        let mut line = self.open_connection();
        for n in 0..settings.all_subscriptions {
            if n > 0 && n.is_multiple_of(settings.connection_subscriptions) {
                line = self.open_connection();
            }
            line.read(1_000_000);
            let params = self.plan.watch(vec![SourceStep::Hang]);
            line.send(PeerMessage::Watch(params));
        }
        while !self.world.executor().ready().is_empty() {
            self.poll()?;
        }
        let open = self.world.ledger().connections.open_subscriptions();
        if open != settings.all_subscriptions {
            let all = settings.all_subscriptions;
            return Err(format!("of {all} subscriptions {open} find a permit"));
        }
        self.rest()
    }

    fn block(&mut self) -> Result<(), String> {
        let waiting = self.world.executor().blocking();
        if waiting == 0 {
            return Ok(());
        }
        let index = self.world.drawn(|rng| rng.usize(..waiting));
        self.world.executor().run_blocking(index)
    }

    /// Drops the future of an exchange, however far it has come.
    fn cancel(&mut self) -> Result<(), String> {
        let open: Vec<_> = self.open.keys().copied().collect();
        let Some(task) = self.one_of(&open) else {
            return Ok(());
        };
        let number = self.open.remove(&task);
        self.world.note(format_args!("{number:?} leaves"));
        self.world.executor().cancel(task)
    }

    /// Lets time pass until something is due, or for a moment.
    fn pass(&mut self) {
        let executor = self.world.executor();
        let little =
            executor.clock() + Duration::from_millis(self.world.drawn(|rng| rng.u64(..3_000)));
        let due = executor.next_timer().filter(|_| !self.world.chance(30));
        executor.pass(due.unwrap_or(little));
    }

    fn one_of(&self, tasks: &[u64]) -> Option<u64> {
        let index = self.world.drawn(|rng| rng.usize(..tasks.len().max(1)));
        tasks.get(index).copied()
    }

    /// Lets all exchanges end, and checks that nothing remains.
    fn rest(&mut self) -> Result<(), String> {
        let executor = self.world.executor().clone();
        for connection in self.connections.values() {
            connection.line.read(usize::MAX);
            connection.line.stop();
        }
        for _ in 0..MAX_STEPS_TO_REST {
            if !executor.ready().is_empty() {
                self.poll()?;
            } else if executor.blocking() > 0 {
                self.block()?;
            } else if let Some(due) = executor.next_timer() {
                executor.pass(due);
            } else {
                break;
            }
            self.world.verdict()?;
        }
        let tasks = executor.tasks().len();
        if tasks > 0 || executor.blocking() > 0 || executor.next_timer().is_some() {
            return Err(format!("{tasks} tasks are left, and nothing happens"));
        }
        self.world.note(format_args!("nothing is going on"));
        self.world.record_check(self.world.ledger().check_at_rest());
        self.world.verdict()
    }

    /// Sends exchanges at the same time. Returns the codes of their answers.
    fn send(&mut self, exchanges: Vec<Exchange>) -> Result<Vec<Option<i64>>, String> {
        let mut numbers = Vec::new();
        for exchange in exchanges {
            numbers.push(self.start(exchange));
        }
        self.rest()?;
        let ledger = self.world.ledger();
        let mut codes = Vec::new();
        for number in &numbers {
            codes.extend(&ledger.exchanges[number].codes);
        }
        Ok(codes)
    }

    /// Checks that no permit was lost: the full number of calls can run at once.
    fn take_all_permits(&mut self) -> Result<(), String> {
        let settings = self.world.settings().clone();
        for (name, permits) in [("read", settings.permits), ("few", settings.permits_of_few)] {
            let calls = (0..permits).map(|_| self.single(name, 0, 1_000)).collect();
            let codes = self.send(calls)?;
            if codes != vec![None; permits] {
                return Err(format!(
                    "{permits} calls of {name} find places for: {codes:?}"
                ));
            }
        }
        Ok(())
    }

    /// Checks that no failed login counts for longer than its time, and that none counts as being
    /// checked after its end.
    fn log_in_again(&mut self) -> Result<(), String> {
        let executor = self.world.executor().clone();
        executor.pass(executor.clock() + LOGINS_PER * 2);
        let max = self.world.settings().logins as usize;
        for client in 0..CALLER_NAMES.len() {
            let mut calls = Vec::new();
            for _ in 0..max {
                let mut exchange = self.single("own", client, 0);
                exchange.token = Some(exchange.token(TokenOutcome::Wrong, "ann", 1_000));
                calls.push(exchange);
            }
            let codes = self.send(calls)?;
            if codes != vec![Some(code::REFUSED); max] {
                return Err(format!("client {client} may fail {max} times: {codes:?}"));
            }
        }
        Ok(())
    }

    /// Checks that there is room for each caller again after the outcomes have expired.
    fn claim_again(&mut self) -> Result<(), String> {
        let executor = self.world.executor().clone();
        executor.pass(executor.clock() + KEEP_TIME * 2);
        for name in CALLER_NAMES {
            let mut exchange = self.single("buy", 0, 0);
            exchange.token = Some(exchange.token(TokenOutcome::Right, name, 0));
            exchange.calls[0].owner = Some(name.to_owned());
            exchange.calls[0].key = Some("again".to_owned());
            self.send(vec![exchange])?;
        }
        Ok(())
    }

    fn single(&mut self, name: &str, client: usize, ms: u64) -> Exchange {
        let mut exchange = self.plan.exchange(Form::Single, client);
        exchange.calls.push(self.plan.call(name, ms));
        exchange
    }
}

/// Sends an exchange as a transport would, and checks the answer.
async fn send(world: World, exchange: Exchange) {
    let Some(service) = world.service() else {
        return;
    };
    let number = exchange.number;
    world.note(format_args!("{number} begins"));
    world.ledger().begin(number);
    let extensions = Arc::new(world.extensions(&exchange));
    let body = exchange.body();
    let reply: Reply = match exchange.form {
        Form::Query => {
            let name = exchange.calls[0].kind.name;
            service.query(name, &body, Some(extensions)).await
        }
        Form::Tool => {
            let message = Incoming::new(body).extensions(extensions);
            service.mcp(message, None).await.reply
        }
        _ => {
            let incoming = Incoming::new(body).extensions(extensions);
            service.exchange(incoming).await
        }
    };
    let response = reply.into_body();
    let text = String::from_utf8_lossy(response.as_deref().unwrap_or_default());
    world.note(format_args!("{number} is answered: {text}"));
    let codes = check_answers(&world.ledger(), &exchange, response.as_deref(), world.now());
    world.record_check(codes.map(|codes| world.ledger().answered(number, codes)));
}
