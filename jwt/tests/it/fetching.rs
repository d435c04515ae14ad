//! When keys are fetched, and what holds while they cannot be.

use std::time::Duration;

use docent_jwt::Jwt;
use futures_util::FutureExt;
use futures_util::future::join_all;

use crate::issuer::{Issuer, Manner};
use crate::keys::SigningKey;
use crate::{AUDIENCE, BUSY, Log, REFUSED, accepted, call, claims, pass, service};

const MINUTE: Duration = Duration::from_secs(60);

/// The time after which keys may be fetched again.
const PAUSE: Duration = Duration::from_secs(10);

/// Waits until the issuer has got so many requests for its keys.
async fn fetched(issuer: &Issuer, times: usize) {
    while issuer.fetches() < times {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_thousand_calls_at_once_make_one_fetch() {
    let key = SigningKey::ec("1");
    let issuer = Issuer::start(&[&key]);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
    assert_eq!(issuer.requests(), 0);
    let token = key.token(&claims(&issuer.url));
    let results = join_all((0..1000).map(|_| call(&service, &token))).await;
    assert!(results.iter().all(|result| *result == accepted()));
    assert_eq!((issuer.requests(), issuer.fetches()), (2, 1));
}

#[tokio::test]
async fn a_new_key_is_fetched_at_once_and_the_withdrawn_one_is_then_refused() {
    let [first, second] = ["1", "2"].map(SigningKey::ec);
    let issuer = Issuer::start(&[&first]);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
    let old = first.token(&claims(&issuer.url));
    let new = second.token(&claims(&issuer.url));
    assert_eq!(call(&service, &old).await, accepted());
    issuer.publish(&[&first, &second]);
    pass(PAUSE).await;
    assert_eq!(call(&service, &new).await, accepted());
    assert_eq!(call(&service, &old).await, accepted());
    assert_eq!(issuer.fetches(), 2);
    issuer.publish(&[&second]);
    assert_eq!(
        call(&service, &old).await,
        accepted(),
        "the withdrawal is not known yet"
    );
    pass(10 * MINUTE).await;
    assert_eq!(call(&service, &old).await, REFUSED);
    assert_eq!(call(&service, &new).await, accepted());
    assert_eq!(issuer.fetches(), 3);
}

#[tokio::test]
async fn a_withdrawn_key_is_refused_after_the_maximum_age_that_is_set() {
    let [first, second] = ["1", "2"].map(SigningKey::ec);
    let issuer = Issuer::start(&[&first]);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE).max_age(MINUTE));
    let old = first.token(&claims(&issuer.url));
    assert_eq!(call(&service, &old).await, accepted());
    issuer.publish(&[&second]);
    pass(MINUTE).await;
    assert_eq!(call(&service, &old).await, REFUSED);
}

#[tokio::test]
async fn keys_that_grow_old_are_fetched_while_calls_go_on() {
    let key = SigningKey::ec("1");
    let issuer = Issuer::start(&[&key]);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
    let token = key.token(&claims(&issuer.url));
    assert_eq!(call(&service, &token).await, accepted());
    issuer.set(Manner::Hangs);
    pass(5 * MINUTE).await;
    assert_eq!(call(&service, &token).now_or_never(), Some(accepted()));
    while issuer.requests() < 3 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    issuer.set(Manner::Answers);
    pass(PAUSE).await;
    while issuer.fetches() < 2 {
        assert_eq!(call(&service, &token).await, accepted());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn invented_key_ids_make_one_fetch_in_ten_seconds() {
    let key = SigningKey::ec("1");
    let issuer = Issuer::start(&[&key]);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
    let invented: Vec<_> = (0..500)
        .map(|number| SigningKey::ed(&format!("invented {number}")))
        .map(|key| key.token(&claims(&issuer.url)))
        .collect();
    for times in 1..=3 {
        for token in &invented {
            assert_eq!(call(&service, token).await, REFUSED);
        }
        let results = join_all(invented.iter().map(|token| call(&service, token))).await;
        assert!(results.iter().all(|result| *result == REFUSED));
        assert_eq!(issuer.fetches(), times);
        pass(PAUSE).await;
    }
    assert_eq!(
        call(&service, &key.token(&claims(&issuer.url))).await,
        accepted()
    );
}

#[tokio::test]
async fn a_caller_that_leaves_does_not_stop_the_fetch_for_others() {
    let key = SigningKey::ec("1");
    let issuer = Issuer::start(&[&key]);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
    let token = key.token(&claims(&issuer.url));
    {
        let mut leaving = Box::pin(call(&service, &token));
        assert!(futures_util::poll!(leaving.as_mut()).is_pending());
    }
    fetched(&issuer, 1).await;
    assert_eq!(call(&service, &token).await, accepted());
    assert_eq!(issuer.fetches(), 1);
}

#[tokio::test]
async fn without_keys_calls_may_be_repeated_and_run_once_the_issuer_is_back() {
    for manner in [
        Manner::IsDown,
        Manner::Fails,
        Manner::Redirects,
        Manner::Floods,
        Manner::HasOtherName,
        Manner::LeadsElsewhere,
        Manner::SendsNoJson,
    ] {
        let key = SigningKey::ec("1");
        let issuer = Issuer::start(&[&key]);
        issuer.set(manner);
        let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
        let token = key.token(&claims(&issuer.url));
        let (log, guard) = Log::start();
        assert_eq!(call(&service, &token).await, BUSY, "{manner:?}");
        let logged = log.take();
        assert!(logged.contains("cannot be fetched"), "{manner:?}: {logged}");
        drop(guard);
        let requests = issuer.requests();
        assert_eq!(call(&service, &token).await, BUSY, "{manner:?}");
        assert_eq!(issuer.requests(), requests, "{manner:?}");
        issuer.set(Manner::Answers);
        pass(PAUSE).await;
        assert_eq!(call(&service, &token).await, accepted(), "{manner:?}");
    }
}

#[tokio::test]
async fn a_token_that_has_no_form_of_one_is_refused_without_keys() {
    let issuer = Issuer::start(&[]);
    issuer.set(Manner::IsDown);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
    assert_eq!(call(&service, "u7Qz.2fK~9").await, REFUSED);
    assert_eq!(issuer.requests(), 0);
}

#[tokio::test]
async fn an_issuer_that_hangs_holds_up_a_call_for_five_seconds() {
    let key = SigningKey::ec("1");
    let issuer = Issuer::start(&[&key]);
    issuer.set(Manner::Hangs);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
    let token = key.token(&claims(&issuer.url));
    let mut waiting = Box::pin(call(&service, &token));
    while issuer.requests() < 1 {
        assert!(futures_util::poll!(waiting.as_mut()).is_pending());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    pass(Duration::from_secs(5)).await;
    assert_eq!(waiting.await, BUSY);
}

#[tokio::test]
async fn known_keys_are_good_for_an_hour_while_the_issuer_is_down() {
    let [first, second] = ["1", "2"].map(SigningKey::ec);
    let issuer = Issuer::start(&[&first]);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
    let known = first.token(&claims(&issuer.url));
    let unknown = second.token(&claims(&issuer.url));
    assert_eq!(call(&service, &known).await, accepted());
    issuer.set(Manner::IsDown);
    for _ in 0..5 {
        pass(11 * MINUTE).await;
        assert_eq!(call(&service, &known).await, accepted());
        assert_eq!(
            call(&service, &unknown).await,
            BUSY,
            "the issuer may have this key"
        );
    }
    pass(5 * MINUTE).await;
    assert_eq!(call(&service, &known).await, BUSY);
    issuer.set(Manner::Answers);
    pass(PAUSE).await;
    assert_eq!(call(&service, &known).await, accepted());
    assert_eq!(call(&service, &unknown).await, REFUSED);
}

#[tokio::test]
async fn an_issuer_that_hangs_holds_up_one_call_and_not_those_after_it() {
    let key = SigningKey::ec("1");
    let issuer = Issuer::start(&[&key]);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
    let token = key.token(&claims(&issuer.url));
    assert_eq!(call(&service, &token).await, accepted());
    issuer.set(Manner::IsDown);
    pass(10 * MINUTE).await;
    assert_eq!(call(&service, &token).await, accepted());
    issuer.set(Manner::Hangs);
    pass(PAUSE).await;
    for _ in 0..2 {
        assert_eq!(call(&service, &token).now_or_never(), Some(accepted()));
    }
}

#[tokio::test]
async fn an_issuer_without_keys_has_withdrawn_all_of_them() {
    let key = SigningKey::ec("1");
    let issuer = Issuer::start(&[&key]);
    let service = service(Jwt::issuer(&issuer.url, AUDIENCE));
    let token = key.token(&claims(&issuer.url));
    assert_eq!(call(&service, &token).await, accepted());
    issuer.publish(&[]);
    pass(10 * MINUTE).await;
    assert_eq!(call(&service, &token).await, REFUSED);
}

#[tokio::test]
async fn the_address_of_the_keys_can_be_given() {
    let key = SigningKey::ec("1");
    let issuer = Issuer::start(&[&key]);
    let jwt = Jwt::issuer("issuer", AUDIENCE).jwks_url(format!("{}/jwks", issuer.url));
    let service = service(jwt);
    assert_eq!(
        call(&service, &key.token(&claims("issuer"))).await,
        accepted()
    );
    assert_eq!(
        call(&service, &key.token(&claims(&issuer.url))).await,
        REFUSED
    );
    assert_eq!(issuer.requests(), 1);
}
