//! The parts of a request that guards and authenticators can read, and those that count as credentials.

use std::sync::{Arc, Mutex};

use docent_core::carrier::Incoming;
use docent_core::{
    Authentication, Authenticator, CallInfo, Credentials, Extensions, Guard, Rejection, either,
};
use docent_describe::json::Json;

use crate::credentials::{
    Head, TOO_MANY, User, counting, open, optional, outcome, required, scheme,
};
use crate::{builder, call};

/// A value that a transport attaches.
struct Seat;

/// Notes what it can read: two fields, the value of one that must occur once, and an extension.
#[derive(Clone)]
struct Curious {
    reads: Option<&'static str>,
    is_late: bool,
    seen: Arc<Mutex<Vec<[bool; 4]>>>,
}

impl Curious {
    fn look(&self, credentials: &Credentials<'_>) {
        let seen = [
            credentials.field("x-own").next().is_some(),
            credentials.field("X-Other").next().is_some(),
            credentials.only_field("x-own").is_some(),
            credentials.extension::<Seat>().is_some(),
        ];
        self.seen.lock().expect("no panic").push(seen);
    }
}

impl Guard for Curious {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        self.look(&attempt.credentials);
        Ok(())
    }

    fn reads(&self) -> Option<Vec<String>> {
        self.reads.map(|field| vec![field.to_owned()])
    }
}

impl Authenticator for Curious {
    type Identity = User;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<User> {
        self.look(&credentials);
        if !self.is_late {
            return Authentication::ready(None);
        }
        Authentication::pending(async {
            tokio::task::yield_now().await;
            Ok(None)
        })
    }

    fn reads(&self) -> Option<Vec<String>> {
        Guard::reads(self)
    }
}

#[tokio::test]
async fn a_reader_sees_what_it_declares_and_all_if_it_declares_nothing() {
    let once = [("X-Own", "a"), ("X-Other", "a")];
    let twice = [("X-Own", "a"), ("x-own", "b"), ("X-Other", "a")];
    for (reads, fields, expected) in [
        (None, &once[..], [true, true, true, true]),
        (None, &twice, [true, true, false, true]),
        (Some("X-Own"), &once, [true, false, true, false]),
        (Some("X-Third"), &twice, [false, false, false, false]),
    ] {
        let seen = Arc::default();
        let reader = |is_late| Curious {
            reads,
            is_late,
            seen: Arc::clone(&seen),
        };
        for builder in [
            builder().guard(reader(false)).procedure(open()),
            builder().authenticate(reader(false)).procedure(optional()),
            // Each of these is asked with credentials that were kept while the one before it waited.
            builder()
                .authenticate(either(either(reader(true), reader(true)), reader(false)))
                .procedure(optional()),
        ] {
            let service = builder.build().expect("a service");
            let name = service.description().procs[0].name.clone();
            let mut extensions = Extensions::new();
            extensions.insert(Seat);
            extensions.insert_fields(Head(fields.to_vec()));
            let incoming = Incoming::new(call(&name)).extensions(Arc::new(extensions));
            assert_eq!(service.exchange(incoming).await.error_code(), None);
            let seen = std::mem::take(&mut *seen.lock().expect("no panic"));
            assert!(
                seen.iter().all(|seen| *seen == expected),
                "{reads:?} {seen:?}"
            );
            assert!(matches!(seen.len(), 1 | 3), "{name}: {seen:?}");
        }
    }
}

/// Rejects all that it is asked, and reads a field.
#[derive(Clone)]
struct Strict {
    reads: &'static str,
    definition: &'static [(&'static str, &'static str)],
}

impl Authenticator for Strict {
    type Identity = User;

    fn authenticate(&self, _: Credentials<'_>) -> Authentication<User> {
        Authentication::rejected(Rejection::unauthorized("Who"))
    }

    fn scheme(&self) -> Option<(String, Json)> {
        Some(("way".to_owned(), scheme(self.definition)))
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec![self.reads.to_owned()])
    }
}

#[tokio::test]
async fn a_value_counts_as_credentials_if_a_way_may_accept_it() {
    let way = |reads, definition| Strict { reads, definition };
    let bearer = way("Authorization", &[("type", "http"), ("scheme", "bearer")]);
    let any = way(
        "Authorization",
        &[
            ("type", "apiKey"),
            ("in", "header"),
            ("name", "authorization"),
        ],
    );
    let cookie = way(
        "Cookie",
        &[("type", "apiKey"), ("in", "cookie"), ("name", "session")],
    );
    let open_id = way("Authorization", &[("type", "openIdConnect")]);
    for (one, other, value, counts) in [
        (&bearer, &bearer, "Bearer x", true),
        (&bearer, &bearer, "Basic x", false),
        (&any, &any, "Basic x", true),
        (&open_id, &open_id, "Basic x", true),
        (&bearer, &any, "Basic x", true),
        (&bearer, &open_id, "Basic x", true),
        (&bearer, &cookie, "Basic x", false),
        (&cookie, &bearer, "Bearer x", true),
    ] {
        let caller = either(one.clone(), other.clone());
        let service = counting(builder().authenticate(caller).procedure(required()));
        let fields = [("Authorization", value)];
        let first = outcome(&service, "required", &fields).await;
        assert!(first.starts_with("Who"), "{first}");
        let again = outcome(&service, "required", &fields).await;
        assert_eq!(again == TOO_MANY, counts, "{again}: {value}");
    }
}

/// Accepts all, and says that its key is in a field that may be repeated.
struct Listed;

impl Guard for Listed {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Ok(())
    }

    fn scheme(&self) -> Option<(String, Json)> {
        let definition = [("type", "apiKey"), ("in", "header"), ("name", "Via")];
        Some(("way".to_owned(), scheme(&definition)))
    }
}

#[tokio::test]
async fn a_list_of_fields_is_no_repeated_credential_of_a_guard() {
    let service = builder().guard(Listed).procedure(open());
    let service = service.build().expect("a service");
    assert_eq!(
        outcome(&service, "open", &[("Via", "a"), ("Via", "b")]).await,
        "open"
    );
}
