//! Credentials over HTTP: each reader decides the same way about what is absent, wrong or there twice.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use docent::{
    ApiKey, Authenticator, Basic, Bearer, BearerToken, CallInfo, Cx, Fault, Guard, Identity, Login,
    Procedure, Rejection, Service, ServiceBuilder, either,
};

use crate::Server;
use crate::client::{Request, Response};

struct User;

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("ann")
    }
}

/// Looks callers up, and counts how often.
#[derive(Clone, Default)]
struct Register(Arc<AtomicUsize>);

impl Register {
    fn find(&self, secret: &str) -> Option<User> {
        self.0.fetch_add(1, Ordering::Relaxed);
        (secret == "s3cret").then_some(User)
    }

    async fn find_later(self, secret: String) -> Result<Option<User>, Fault> {
        tokio::task::yield_now().await;
        Ok(self.find(&secret))
    }

    fn bearer(&self) -> impl Authenticator<Identity = User> + use<> {
        let register = self.clone();
        Bearer::new("shop", move |token| register.clone().find_later(token))
    }

    fn key(&self) -> impl Authenticator<Identity = User> + use<> {
        let register = self.clone();
        ApiKey::sync("X-Api-Key", move |key: String| register.find(&key))
    }

    fn basic(&self) -> impl Authenticator<Identity = User> + use<> {
        let register = self.clone();
        Basic::sync("shop", move |login: Login| register.find(&login.password))
    }
}

/// Lets everything in but one credential, and reads whatever it likes.
struct Porter;

impl Guard for Porter {
    fn check(&self, call: &CallInfo<'_>) -> Result<(), Rejection> {
        match call.field("authorization").next() {
            Some(b"Bearer banned") => Err(Rejection::forbidden()),
            _ => Ok(()),
        }
    }
}

fn with_callers(authenticator: impl Authenticator<Identity = User>) -> ServiceBuilder {
    let required = Procedure::sync("required", |_: Cx<(), User>, (): ()| Ok::<_, Fault>("ann"));
    let optional = Procedure::sync("optional", |cx: Cx<(), Option<User>>, (): ()| {
        Ok::<_, Fault>(cx.caller().map_or("anyone", |_| "ann"))
    });
    Service::builder("credentials", "urn:example:credentials")
        .authenticate(authenticator)
        .procedures([required.idempotent(), optional.idempotent()])
}

fn guarded(guard: impl Guard) -> ServiceBuilder {
    let procedures = ["required", "optional"].map(|name| {
        let ann = |_: Cx, (): ()| Ok::<_, Fault>("ann");
        Procedure::sync(name, ann).idempotent()
    });
    Service::builder("credentials", "urn:example:credentials")
        .procedures(procedures)
        .guard(guard)
}

/// The credentials in a field, by how they are decided.
#[derive(Clone, Copy)]
struct Sent {
    field: &'static str,
    right: &'static str,
    wrong: &'static [&'static str],
    malformed: &'static [&'static str],
    other_scheme: &'static [&'static str],
}

const BEARER: Sent = Sent {
    field: "Authorization",
    right: "bearer s3cret",
    wrong: &["Bearer S3cret"],
    malformed: &[
        "Bearer",
        "Bearer ",
        "Bearer\ts3cret",
        "Bearer s3cret s3cret",
    ],
    other_scheme: &["Basic OnMzY3JldA==", "s3cret", "Bearers3cret", ""],
};
const BASIC: Sent = Sent {
    field: "Authorization",
    right: "Basic OnMzY3JldA==",
    wrong: &["Basic Ong="],
    malformed: &[
        "Basic",
        "Basic\tOnMzY3JldA==",
        "Basic !",
        "Basic OnMzY3JldA== x",
    ],
    other_scheme: &["Bearer s3cret", "OnMzY3JldA==", ""],
};
const KEY: Sent = Sent {
    field: "X-Api-Key",
    right: "s3cret",
    wrong: &["S3cret", "s3cret s3cret"],
    malformed: &[""],
    other_scheme: &[],
};

/// The statuses of a service, for callers that are known and for those that are not.
#[derive(Clone, Copy)]
struct Statuses {
    absent: u16,
    wrong: u16,
    twice: u16,
}

/// A server, and the number of its look-ups.
struct Desk {
    server: Server,
    register: Register,
    name: &'static str,
}

impl Desk {
    /// Returns the status, the result and the challenge of a call, by POST and by GET.
    #[track_caller]
    fn ask(&self, procedure: &str, fields: &[(&str, &str)]) -> (u16, Option<String>) {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","id":1}}"#);
        let mut post = Request::post("/rpc", body.as_bytes());
        post.headers.extend_from_slice(fields);
        let target = format!("/rpc/{procedure}");
        let mut get = Request::new("GET", &target);
        get.headers.extend_from_slice(fields);
        let [posted, got] = [post, get].map(|request| told(&self.server.send(&request)));
        assert_eq!(posted, got, "{} {procedure} {fields:?}", self.name);
        posted
    }

    #[track_caller]
    fn assert(&self, procedure: &str, fields: &[(&str, &str)], status: u16, look_ups: usize) {
        let before = self.register.0.load(Ordering::Relaxed);
        let (answered, result) = self.ask(procedure, fields);
        let case = format!("{} {procedure} {fields:?}", self.name);
        assert_eq!(answered, status, "{case}");
        let expected = match (status, fields.is_empty()) {
            (200, true) => Some("anyone"),
            (200, false) if look_ups == 0 && self.name != "a token" => Some("anyone"),
            (200, false) => Some("ann"),
            _ => None,
        };
        assert_eq!(result.as_deref(), expected, "{case}");
        // By POST and by GET.
        let asked = self.register.0.load(Ordering::Relaxed) - before;
        assert_eq!(asked, 2 * look_ups, "{case}");
    }

    fn assert_decides(&self, sent: &Sent, procedure: &str, statuses: Statuses, look_ups: usize) {
        let field = sent.field;
        let Statuses {
            absent,
            wrong,
            twice,
        } = statuses;
        self.assert(procedure, &[], absent, 0);
        self.assert(procedure, &[(field, sent.right)], 200, look_ups);
        for value in sent.wrong {
            self.assert(procedure, &[(field, value)], wrong, look_ups);
        }
        for value in sent.malformed {
            self.assert(procedure, &[(field, value)], wrong, 0);
        }
        for value in sent.other_scheme {
            self.assert(procedure, &[(field, value)], absent, 0);
        }
        let seconds = [&[sent.right], sent.wrong, sent.malformed, sent.other_scheme].concat();
        for second in seconds {
            let pairs = [[sent.right, second], [second, sent.right], [second, second]];
            for values in pairs {
                let fields = values.map(|value| (field, value));
                self.assert(procedure, &fields, twice, 0);
            }
        }
    }
}

fn told(response: &Response) -> (u16, Option<String>) {
    let challenge = response.header("www-authenticate");
    assert_eq!(challenge.is_some(), response.status == 401, "{challenge:?}");
    let body: serde_json::Value = serde_json::from_slice(&response.body).expect("JSON");
    (response.status, body["result"].as_str().map(str::to_owned))
}

#[test]
fn a_credential_is_decided_the_same_way_whoever_reads_it() {
    type Make = fn(&Register) -> ServiceBuilder;
    let with_callers: [(&str, &[&Sent], Make); 6] = [
        ("tokens", &[&BEARER], |register| {
            with_callers(register.bearer())
        }),
        ("keys", &[&KEY], |register| with_callers(register.key())),
        ("passwords", &[&BASIC], |register| {
            with_callers(register.basic())
        }),
        ("either", &[&BEARER, &KEY], |register| {
            with_callers(either(register.bearer(), register.key()))
        }),
        ("three", &[&BEARER, &BASIC, &KEY], |register| {
            let two = either(register.bearer(), register.basic());
            with_callers(either(two, register.key()))
        }),
        ("tokens behind a guard", &[&BEARER], |register| {
            with_callers(register.bearer()).guard(Porter)
        }),
    ];
    let optional = Statuses {
        absent: 200,
        wrong: 401,
        twice: 401,
    };
    let required = Statuses {
        absent: 401,
        ..optional
    };
    for (name, sent, make) in with_callers {
        let desk = start(name, make);
        for sent in sent {
            let mut sent = **sent;
            // What another way accepts is no other scheme.
            if name == "three" {
                sent.other_scheme = match sent.field {
                    "Authorization" => &["Digest x", "s3cret", ""],
                    _ => &[],
                };
            }
            desk.assert_decides(&sent, "required", required, 1);
            desk.assert_decides(&sent, "optional", optional, 1);
        }
    }
    let desk = start("a token", |_| {
        guarded(BearerToken::new("shop", "s3cret", |_| true))
    });
    desk.assert_decides(&BEARER, "required", required, 0);

    // A guard without a challenge rejects what is there twice, and sees nothing of it.
    let desk = start("a token", |_| guarded(Porter));
    for values in [["Bearer a", "Bearer b"], ["Bearer banned", "Bearer a"]] {
        let fields = values.map(|value| ("Authorization", value));
        desk.assert("required", &fields, 403, 0);
    }
    desk.assert("required", &[("Authorization", "Bearer a")], 200, 0);
    desk.assert(
        "required",
        &[("X-Api-Key", "a"), ("X-Api-Key", "b")],
        200,
        0,
    );
}

#[test]
fn of_two_ways_only_the_first_that_is_shown_is_looked_up() {
    let desk = start("either", |register| {
        with_callers(either(register.bearer(), register.key()))
    });
    let [wrong, right, key] = [
        ("Authorization", "Bearer wrong"),
        ("Authorization", "Bearer s3cret"),
        ("X-Api-Key", "s3cret"),
    ];
    for procedure in ["required", "optional"] {
        desk.assert(procedure, &[wrong, key], 401, 1);
        desk.assert(procedure, &[right, ("X-Api-Key", "wrong")], 200, 1);
        desk.assert(procedure, &[("Authorization", "Bearer"), key], 401, 0);
        desk.assert(procedure, &[("Authorization", "Basic x"), key], 200, 1);
        desk.assert(procedure, &[right, key, key], 401, 0);
    }
}

fn start(name: &'static str, make: fn(&Register) -> ServiceBuilder) -> Desk {
    let register = Register::default();
    let service = make(&register).build().expect("a service");
    Desk {
        server: Server::start(service),
        register,
        name,
    }
}
