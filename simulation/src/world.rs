//! A service whose handlers act as their calls direct, with everything around it.
//!
//! A planted fault is built in here, or in the store and the gates, and nowhere in the service itself.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use docent_core::{
    CallRecord, CallerArg, Cx, Fields, MemoryKeyStore, Observer, Procedure, RpcError, Service,
};
use fastrand::Rng;

use crate::connections::ConnectionOrigin;
use crate::executor::{Executor, lock};
use crate::gates::{Gate, User};
use crate::keys::{CallerKey, caller_key};
use crate::ledger::Ledger;
use crate::plan::{Access, Ending, Exchange, Kind, PROCEDURE_KINDS, Params};
use crate::settings::{
    CALL_TIMEOUT, CALLS_PER, KEEP_TIME, LOGINS_PER, MAX_RESPONSE_BYTES, Planted, Settings,
};
use crate::store::{Database, UnreliableStore};
use crate::watch;

/// The service, its surroundings, and the ledger of events.
#[derive(Clone)]
pub(crate) struct World(Arc<Inner>);

struct Inner {
    executor: Executor,
    settings: Settings,
    rng: Mutex<Rng>,
    ledger: Mutex<Ledger>,
    events: Mutex<Vec<String>>,
    /// The first broken promise.
    broken: Mutex<Option<String>>,
    /// The service. It owns the world, so it is removed at the end.
    service: Mutex<Option<Service>>,
    /// Resources that a planted fault does not give back.
    lost: Mutex<Vec<Box<dyn Any + Send>>>,
}

/// The failure of a handler.
#[derive(Debug, RpcError)]
pub(crate) enum HandlerError {
    #[rpc(code = 7, message = "Told to")]
    AsDirected,
    #[rpc(code = 8, message = "Later", retry = true)]
    Later,
}

/// The exchange that a call is part of.
#[derive(Clone, Copy)]
struct CallOrigin {
    exchange: u64,
    client: usize,
}

impl World {
    pub(crate) fn new(seed: u64, planted: Option<Planted>) -> Self {
        let mut rng = Rng::with_seed(seed);
        let settings = Settings::draw(&mut rng, planted);
        let world = Self(Arc::new(Inner {
            executor: Executor::new(seed),
            ledger: Mutex::new(Ledger::new(&settings)),
            settings,
            rng: Mutex::new(rng),
            events: Mutex::default(),
            broken: Mutex::default(),
            service: Mutex::default(),
            lost: Mutex::default(),
        }));
        *lock(&world.0.service) = Some(world.build());
        world
    }

    fn build(&self) -> Service {
        let settings = self.settings();
        let mut builder = Service::builder("simulated", "urn:example:simulated")
            .shared_state(Arc::new(self.clone()))
            .limits(|limits| {
                limits.timeout = CALL_TIMEOUT;
                limits.batch_timeout = settings.batch_time;
                limits.max_concurrent_calls =
                    settings.permits + settings.one_if(Planted::MorePermits);
                limits.max_response_bytes = MAX_RESPONSE_BYTES;
                limits.max_connection_calls =
                    settings.connection_calls + settings.one_if(Planted::MoreConnectionCalls);
                limits.max_connection_subscriptions =
                    settings.connection_subscriptions + settings.one_if(Planted::MoreOfConnection);
                limits.max_subscriptions =
                    settings.all_subscriptions + settings.one_if(Planted::MoreOfService);
                limits.max_waiting_bytes = settings.waiting_bytes;
            })
            .authenticate(Gate(self.clone()))
            .guard(Gate(self.clone()))
            .observer(CallObserver(self.clone()))
            .procedures(PROCEDURE_KINDS.iter().map(|kind| procedure(kind, settings)))
            .procedure(watch::procedure());
        // A check without a permit ends with the last call that waits for it.
        if !settings.is(Planted::CheckDropped) {
            let more = u32::from(settings.is(Planted::MoreLogins));
            builder = builder.failed_logins(settings.logins + more, LOGINS_PER);
        }
        let store = if settings.is_database {
            UnreliableStore::new(self, Database::new(self))
        } else {
            // Exactly enough memory for as many running calls as keys, so that a lost byte soon shows.
            let memory = MemoryKeyStore::new()
                .max_keys(settings.room)
                .max_bytes(settings.room * 17 * 1024);
            UnreliableStore::new(self, memory)
        };
        builder
            .key_store(store)
            .build()
            .expect("the simulated service has no mistakes")
            .with_runtime(Arc::new(self.executor().clone()))
    }

    pub(crate) fn executor(&self) -> &Executor {
        &self.0.executor
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn service(&self) -> Option<Service> {
        lock(&self.0.service).clone()
    }

    /// Draws from the random numbers of the seed.
    pub(crate) fn drawn<T>(&self, draw: impl FnOnce(&mut Rng) -> T) -> T {
        draw(&mut lock(&self.0.rng))
    }

    /// Returns true with this probability, in percent.
    pub(crate) fn chance(&self, of_hundred: u32) -> bool {
        self.drawn(|rng| rng.u32(..100)) < of_hundred
    }

    pub(crate) fn now(&self) -> Duration {
        self.executor().clock()
    }

    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        lock(&self.0.ledger)
    }

    /// Records an event, unless a promise was already broken.
    pub(crate) fn note(&self, event: std::fmt::Arguments<'_>) {
        if lock(&self.0.broken).is_none() {
            let at = self.now().as_millis();
            lock(&self.0.events).push(format!("{at:>9} ms  {event}"));
        }
    }

    /// Records the result of a check.
    pub(crate) fn record_check(&self, checked: Result<(), String>) {
        if let Err(broken) = checked {
            lock(&self.0.broken).get_or_insert(broken);
        }
    }

    /// Returns the first broken promise as an error.
    pub(crate) fn verdict(&self) -> Result<(), String> {
        let running = self.check_running_calls();
        let is_idle = self.executor().tasks().is_empty() && self.executor().blocking() == 0;
        if is_idle && running > 0 {
            return Err(format!("{running} calls are running that nobody runs"));
        }
        match &*lock(&self.0.broken) {
            Some(broken) => Err(broken.clone()),
            None => Ok(()),
        }
    }

    /// Returns the number of running calls, and checks it.
    pub(crate) fn check_running_calls(&self) -> usize {
        let running = self.service().map_or(0, |service| service.running_calls());
        self.record_check(self.ledger().running(running, self.now()));
        running
    }

    /// Breaks the circular ownership, and returns the events.
    pub(crate) fn close(&self) -> Vec<String> {
        let executor = self.executor();
        lock(&self.0.service).take();
        let lost = std::mem::take(&mut *lock(&self.0.lost));
        drop(lost);
        while executor.blocking() > 0 {
            self.record_check(executor.run_blocking(0));
        }
        while let Some(task) = executor.tasks().first() {
            self.record_check(executor.cancel(*task));
        }
        std::mem::take(&mut *lock(&self.0.events))
    }

    /// Returns the information that a transport has about an exchange.
    pub(crate) fn extensions(&self, exchange: &Exchange) -> docent_core::Extensions {
        let together = self.settings().is(Planted::LoginsTogether);
        let mut extensions = exchange.extensions(together);
        extensions.insert(CallOrigin {
            exchange: exchange.number,
            client: exchange.client,
        });
        // A token is a struct of plain fields, which can always be written.
        let token = exchange
            .token
            .as_ref()
            .and_then(|token| serde_json::to_vec(token).ok());
        extensions.insert_fields(Head(token));
        extensions
    }
}

/// The header fields of a request.
struct Head(Option<Vec<u8>>);

impl Fields for Head {
    fn value(&self, name: &str, index: usize) -> Option<&[u8]> {
        let is_token = name.eq_ignore_ascii_case("token") && index == 0;
        self.0.as_deref().filter(|_| is_token)
    }
}

/// The observer.
struct CallObserver(World);

impl Observer for CallObserver {
    fn finished(&self, call: &CallRecord<'_>) {
        let Self(world) = self;
        if world.settings().is(Planted::CallUnobserved) && world.chance(2) {
            return;
        }
        let exchange = call.extension().map(|origin: &CallOrigin| origin.exchange);
        world.note(format_args!(
            "told of {} of {exchange:?}: {:?} {:?}",
            call.procedure, call.ending, call.code
        ));
        world.record_check(world.ledger().reported(exchange));
        if world.chance(2) {
            planned_panic();
        }
    }
}

/// Panics without a message on standard error.
pub(crate) fn planned_panic() -> ! {
    std::panic::resume_unwind(Box::new("planned"))
}

fn procedure(kind: &'static Kind, settings: &Settings) -> Procedure<World> {
    let name = kind.name;
    let mut made = match (name, kind.access) {
        ("often" | "leave", _) => Procedure::sync(name, at_once::<()>),
        ("buy", _) => Procedure::sync(name, at_once::<User>),
        ("look" | "block" | "give", _) => Procedure::blocking(name, at_once::<()>),
        (_, Access::Maybe) => Procedure::new(name, in_time::<Option<User>>),
        (_, Access::Known) => Procedure::new(name, in_time::<User>),
        (_, Access::Open | Access::Guarded) => Procedure::new(name, in_time::<()>),
    };
    if kind.idempotent || name == "write" && settings.is(Planted::WriteDropped) {
        made = made.idempotent();
    }
    if kind.keyed {
        made = made.repeatable(KEEP_TIME);
    }
    if kind.keyed && kind.access == Access::Open {
        made = made.keys_without_caller();
    }
    if kind.access == Access::Open {
        made = made.tool();
    }
    match name {
        "few" => {
            let more = settings.one_if(Planted::MorePermitsOfOne);
            made.max_concurrent(settings.permits_of_few + more)
        }
        "often" => {
            let calls = settings.calls + u32::from(settings.is(Planted::MoreOften));
            made.rate(calls, CALLS_PER)
        }
        _ => made,
    }
}

fn at_once<U: CallerArg>(cx: Cx<World, U>, params: Params) -> Result<u64, HandlerError> {
    let ended = RunningHandler::enter(&cx, params).end();
    drop(cx);
    ended
}

async fn in_time<U: CallerArg>(cx: Cx<World, U>, params: Params) -> Result<u64, HandlerError> {
    let mut inside = RunningHandler::enter(&cx, params);
    let world = cx.state();
    if params.ms > 0 {
        world
            .executor()
            .after(Duration::from_millis(params.ms))
            .await;
    }
    if world.settings().is(Planted::PermitLost) && world.chance(2) {
        lock(&world.0.lost).push(Box::new(cx.clone()));
    }
    inside.end()
}

/// A handler that is running.
struct RunningHandler {
    world: World,
    kind: &'static Kind,
    key: Option<CallerKey>,
    /// The connection that the call came over.
    connection: Option<u64>,
    params: Params,
    has_ended: bool,
}

impl RunningHandler {
    fn enter<U: CallerArg>(cx: &Cx<World, U>, params: Params) -> Self {
        let world = cx.state().clone();
        let kind = Kind::by_name(&cx.procedure().name);
        let client = match cx.extension::<CallOrigin>() {
            Some(origin) => origin.client,
            None => 0,
        };
        world.check_running_calls();
        world.note(format_args!("{} {} starts", kind.name, params.n));
        world.record_check(world.ledger().enter(kind.name, client, world.now()));
        let connection = cx.extension().map(|origin: &ConnectionOrigin| origin.0);
        if let Some(connection) = connection {
            let entered = world.ledger().connections.enter(connection, params.n);
            world.record_check(entered);
        }
        Self {
            connection,
            world,
            kind,
            key: cx.running_key().map(|key| caller_key(key.call())),
            params,
            has_ended: false,
        }
    }

    /// Ends the handler as its parameters direct.
    fn end(&mut self) -> Result<u64, HandlerError> {
        let Params { n, ending, .. } = self.params;
        self.has_ended = true;
        self.world
            .note(format_args!("{} {n} {ending:?}", self.kind.name));
        let mut ledger = self.world.ledger();
        let checked = match &self.key {
            _ if ending == Ending::Later => Ok(()),
            Some(key) => ledger.keys.effect(key, n),
            None => ledger.ran(n),
        };
        drop(ledger);
        self.world.record_check(checked);
        match ending {
            Ending::Returns => {
                let is_mixed_up = self.world.settings().is(Planted::ResultsMixedUp);
                Ok(n + u64::from(is_mixed_up && self.world.chance(2)))
            }
            Ending::Fails => Err(HandlerError::AsDirected),
            Ending::Later => Err(HandlerError::Later),
            Ending::Panics => planned_panic(),
        }
    }
}

impl Drop for RunningHandler {
    fn drop(&mut self) {
        let Self { world, kind, .. } = self;
        let n = self.params.n;
        world.note(format_args!("{} {n} leaves", kind.name));
        world.ledger().leave(kind.name, world.now());
        if let Some(connection) = self.connection {
            world.ledger().connections.leave(connection, n);
        }
        if !self.has_ended && !kind.idempotent {
            world.record_check(Err(format!("{} {n} was dropped before its end", kind.name)));
        }
    }
}
