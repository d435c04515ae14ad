//! A service that two users log in to, whose results never change their version: `cargo run --example logins`.
//!
//! The tests in a browser call it with one login after the other.

use std::borrow::Cow;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};

use docent::{
    Authentication, Authenticator, Bearer, Credentials, Cx, Fault, Identity, Procedure, Server,
    Service,
};

/// A user with a token, which is the name.
struct User(String);

/// A user with a session.
struct Member(String);

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.0)
    }
}

impl Identity for Member {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.0)
    }
}

/// Finds the user of the cookie `session`.
struct Sessions;

impl Authenticator for Sessions {
    type Identity = Member;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<Member> {
        let cookie = credentials.only_field("cookie").unwrap_or_default();
        let cookie = String::from_utf8_lossy(cookie);
        let session = cookie.strip_prefix("session=");
        Authentication::ready(session.map(|name| Member(name.to_owned())))
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["Cookie".to_owned()])
    }
}

/// The number of runs of handlers.
type Runs = AtomicUsize;

/// Returns a procedure whose result depends on its caller, while its version does not.
fn versioned(procedure: Procedure<Runs>) -> Procedure<Runs> {
    procedure
        .idempotent()
        .etag_by(|_: Cx<Runs>, (): ()| "unchanged")
}

/// Returns what only this caller may see.
fn secret(state: &Runs, name: &str) -> String {
    state.fetch_add(1, Ordering::SeqCst);
    format!("secret of {name}")
}

fn service() -> Result<Service, docent::BuildError> {
    Service::builder("logins", "urn:uuid:8e6f5d4c-3b2a-4190-8f7e-6d5c4b3a2919")
        .authenticate(Bearer::sync("logins", |token| Some(User(token))))
        .authenticate(Sessions)
        .state(Runs::default())
        .procedure(versioned(Procedure::sync(
            "required",
            |cx: Cx<Runs, User>, (): ()| Ok::<_, Fault>(secret(cx.state(), &cx.caller().0)),
        )))
        .procedure(versioned(Procedure::sync(
            "optional",
            |cx: Cx<Runs, Option<User>>, (): ()| {
                let name = cx.caller().map_or("nobody", |user| user.0.as_str());
                Ok::<_, Fault>(secret(cx.state(), name))
            },
        )))
        .procedure(versioned(Procedure::sync(
            "session",
            |cx: Cx<Runs, Option<Member>>, (): ()| {
                let name = cx.caller().map_or("nobody", |member| member.0.as_str());
                Ok::<_, Fault>(secret(cx.state(), name))
            },
        )))
        .procedure(versioned(Procedure::sync(
            "cookie",
            |cx: Cx<Runs>, (): ()| {
                let cookie = cx.field("cookie").next().unwrap_or(b"nobody");
                Ok::<_, Fault>(secret(cx.state(), &String::from_utf8_lossy(cookie)))
            },
        )))
        .procedure(Procedure::sync("runs", |cx: Cx<Runs>, (): ()| {
            Ok::<_, Fault>(cx.state().load(Ordering::SeqCst))
        }))
        .build()
}

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("logins listens at http://{}/rpc", listener.local_addr()?);
    Server::new(service()?).listen(listener)?.run().await?;
    Ok(())
}
