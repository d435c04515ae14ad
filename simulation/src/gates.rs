//! The authenticator and the guard. Both read the same token, and may wait, fail and panic.
//!
//! The token says itself what becomes of it, so that the plan decides everything. What they see of
//! attempts goes into the ledger.

use std::borrow::Cow;
use std::time::Duration;

use docent_core::{
    Authentication, Authenticator, CallInfo, Credentials, Guard, Identity, Rejection,
};
use docent_describe::ProcedureDescription;

use crate::plan::{Access, Kind, Token, TokenOutcome};
use crate::world::{World, planned_panic};

/// The authenticator, and the guard.
pub(crate) struct Gate(pub(crate) World);

/// A caller with the right token.
pub(crate) struct User(String);

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.0)
    }
}

fn token(credentials: Credentials<'_>) -> Option<Token> {
    serde_json::from_slice(credentials.only_field("Token")?).ok()
}

impl Authenticator for Gate {
    type Identity = User;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<User> {
        let Some(token) = token(credentials) else {
            return Authentication::ready(None);
        };
        let world = &self.0;
        let time = Duration::from_millis(token.ms);
        world.check_running_calls();
        let attempt = Attempt::begin(world, token);
        if time.is_zero() {
            return Authentication::Ready(attempt.end());
        }
        let waiting = world.executor().after(time);
        Authentication::pending(async move {
            waiting.await;
            attempt.end()
        })
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["Token".to_owned()])
    }
}

impl Guard for Gate {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        let Some(token) = token(attempt.credentials) else {
            return Err(Rejection::unauthorized("Token"));
        };
        match token.worth {
            TokenOutcome::Wrong => {
                let world = &self.0;
                let exchange = token.exchange;
                world.note(format_args!("the guard refuses {exchange}"));
                world.record_check(world.ledger().logins[token.client].end(
                    exchange,
                    world.now(),
                    true,
                ));
                Err(Rejection::unauthorized("Token"))
            }
            TokenOutcome::Right => Ok(()),
            TokenOutcome::Unknown => Err(Rejection::internal("no database")),
            TokenOutcome::Panics => planned_panic(),
        }
    }

    fn covers(&self, procedure: &ProcedureDescription) -> bool {
        !procedure.is_reserved() && Kind::by_name(&procedure.name).access == Access::Guarded
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["Token".to_owned()])
    }
}

/// Credentials that the authenticator is checking.
struct Attempt {
    world: World,
    token: Token,
    refused: bool,
    has_ended: bool,
}

impl Attempt {
    fn begin(world: &World, token: Token) -> Self {
        let exchange = token.exchange;
        world.note(format_args!(
            "the authenticator looks at {exchange}: {:?}",
            token.worth
        ));
        if token.worth == TokenOutcome::Wrong {
            world.record_check(world.ledger().logins[token.client].begin(exchange, world.now()));
        }
        Self {
            world: world.clone(),
            token,
            refused: false,
            has_ended: false,
        }
    }

    fn end(mut self) -> Result<Option<User>, Rejection> {
        self.has_ended = true;
        match self.token.worth {
            TokenOutcome::Right => Ok(Some(User(self.token.name.clone()))),
            TokenOutcome::Wrong => {
                self.refused = true;
                Err(Rejection::unauthorized("Token"))
            }
            TokenOutcome::Unknown => Err(Rejection::internal("no database")),
            TokenOutcome::Panics => planned_panic(),
        }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        let Self { world, refused, .. } = self;
        let exchange = self.token.exchange;
        if self.token.worth == TokenOutcome::Wrong {
            world.note(format_args!(
                "the authenticator has looked at {exchange}: {refused}"
            ));
            let logins = &mut world.ledger().logins[self.token.client];
            world.record_check(logins.end(exchange, world.now(), *refused));
        }
        // Credentials that were refused already hold no place.
        if !self.has_ended && !world.ledger().logins[self.token.client].is_refused(exchange) {
            let broken = format!("the check of {exchange} was dropped before its end");
            world.record_check(Err(broken));
        }
    }
}
