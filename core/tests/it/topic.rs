//! Topics: what followers get, in which order, and what they are told about items that they lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use docent_core::{Fault, Following, Topic};
use futures_util::StreamExt;
use serde::{Serialize, Serializer};

/// Items that a follower has got, each with the number of those that were lost before it.
type Got = Vec<(Option<u32>, u64)>;

/// Returns everything that is ready.
fn ready(follower: &mut Following<u32, Fault>) -> Got {
    let mut got = Got::new();
    let mut cx = Context::from_waker(Waker::noop());
    while let Poll::Ready(Some(item)) = follower.poll_next_unpin(&mut cx) {
        let item = item.expect("a follower never fails");
        got.push((item.value().copied(), item.missed()));
    }
    got
}

fn publish(topic: &Topic<u32>, items: impl IntoIterator<Item = u32>) {
    for item in items {
        topic.publish(item).expect("it is a number");
    }
}

fn without_loss(items: impl IntoIterator<Item = u32>) -> Got {
    items.into_iter().map(|item| (Some(item), 0)).collect()
}

#[test]
fn every_follower_gets_every_item_from_when_it_follows_in_order() {
    let topic = Topic::new(10);
    publish(&topic, [1]);
    let mut first = topic.follow();
    publish(&topic, [2, 3]);
    let mut second = topic.follow();
    publish(&topic, [4]);
    assert_eq!(ready(&mut first), without_loss([2, 3, 4]));
    assert_eq!(ready(&mut second), without_loss([4]));
}

#[test]
fn who_falls_behind_loses_the_oldest_items_and_knows_how_many() {
    let topic = Topic::new(3);
    let mut follower = topic.follow();
    publish(&topic, 1..=3);
    assert_eq!(ready(&mut follower), without_loss(1..=3));
    publish(&topic, 4..=10);
    let expected = vec![(Some(8), 4), (Some(9), 0), (Some(10), 0)];
    assert_eq!(ready(&mut follower), expected);
}

#[test]
fn a_filter_reports_lost_items_even_if_nothing_passes() {
    let topic = Topic::new(2);
    let is_even = |item: &u32| item.is_multiple_of(2);
    let mut follower = topic.follow().filter(is_even).filter(|item| *item != 4);
    publish(&topic, 1..=4);
    assert_eq!(ready(&mut follower), [(None, 2)]);
    publish(&topic, [6]);
    assert_eq!(ready(&mut follower), [(Some(6), 0)]);
}

#[test]
fn the_end_comes_after_the_last_item_and_reports_what_was_lost_since() {
    let topic = Topic::new(2);
    let mut all = topic.follow();
    let mut none = topic.follow().filter(|_| false);
    let clone = topic.clone();
    publish(&topic, 1..=3);
    drop(topic);
    publish(&clone, [4]);
    drop(clone);
    assert_eq!(ready(&mut all), [(Some(3), 2), (Some(4), 0)]);
    assert_eq!(ready(&mut none), [(None, 2)]);
    for follower in [&mut all, &mut none] {
        let mut cx = Context::from_waker(Waker::noop());
        assert!(matches!(
            follower.poll_next_unpin(&mut cx),
            Poll::Ready(None)
        ));
    }
}

#[test]
fn a_follower_resumes_after_an_item_that_is_kept_and_after_no_other() {
    let topic = Topic::new(3);
    publish(&topic, 1..=5);
    let mut resumed = topic.resume(|item| *item == 3).expect("it is kept");
    assert_eq!(ready(&mut resumed), without_loss(4..=5));
    let mut newest = topic.resume(|item| *item == 5).expect("it is kept");
    assert_eq!(ready(&mut newest), []);
    for lost in [2, 6] {
        assert!(topic.resume::<Fault>(|item| *item == lost).is_none());
    }
}

/// Counts how often it is woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn an_item_and_the_end_wake_those_who_wait_once_and_nobody_who_has_gone() {
    let topic = Topic::new(3);
    let [stays, goes] = [Arc::new(Woken::default()), Arc::new(Woken::default())];
    let mut staying = topic.follow::<Fault>();
    let mut going = topic.follow::<Fault>();
    for (follower, woken) in [(&mut staying, &stays), (&mut going, &goes)] {
        let waker = Waker::from(Arc::clone(woken));
        let mut cx = Context::from_waker(&waker);
        for _ in 0..2 {
            assert!(follower.poll_next_unpin(&mut cx).is_pending());
        }
    }
    drop(going);
    assert_eq!(Arc::strong_count(&goes), 1, "its waker is dropped with it");
    publish(&topic, [1, 2]);
    assert_eq!(stays.0.load(Ordering::Relaxed), 1);
    ready(&mut staying);
    let waker = Waker::from(Arc::clone(&stays));
    let mut cx = Context::from_waker(&waker);
    assert!(staying.poll_next_unpin(&mut cx).is_pending());
    drop(topic);
    assert_eq!(stays.0.load(Ordering::Relaxed), 2);
    assert_eq!(goes.0.load(Ordering::Relaxed), 0);
}

/// Counts how often it is serialised.
struct Counted(Arc<AtomicUsize>);

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.fetch_add(1, Ordering::Relaxed);
        serializer.serialize_u32(1)
    }
}

#[tokio::test]
async fn an_item_is_serialised_once_for_all_who_follow() {
    let topic = Topic::new(3);
    let followers: Vec<_> = (0..100).map(|_| topic.follow::<Fault>()).collect();
    let count = Arc::new(AtomicUsize::new(0));
    topic.publish(Counted(Arc::clone(&count))).expect("JSON");
    for mut follower in followers {
        let item = follower.next().await.expect("an item").expect("an item");
        assert!(format!("{item:?}").contains("\"1\""), "{item:?}");
    }
    assert_eq!(count.load(Ordering::Relaxed), 1);
}

#[test]
fn what_json_cannot_say_is_not_published() {
    let topic = Topic::new(3);
    assert!(topic.publish(f64::NAN).is_err());
    assert!(topic.resume::<Fault>(|_| true).is_none());
}

#[test]
fn threads_publish_while_others_follow_and_every_item_is_got_or_counted() {
    const THREADS: u32 = 4;
    const EACH: u32 = 10_000;
    let topic = Topic::new(64);
    let followers: Vec<_> = (0..3).map(|_| topic.follow::<Fault>()).collect();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let topic = topic.clone();
            scope.spawn(move || publish(&topic, (0..EACH).map(|item| item * THREADS + thread)));
        }
        drop(topic);
        for mut follower in followers {
            scope.spawn(move || {
                let mut last = [None; THREADS as usize];
                let mut seen = 0;
                let runtime = tokio::runtime::Builder::new_current_thread().build();
                while let Some(item) = runtime
                    .as_ref()
                    .expect("a runtime")
                    .block_on(follower.next())
                {
                    let item = item.expect("a follower never fails");
                    seen += item.missed();
                    if let Some(value) = item.value() {
                        let last = &mut last[(value % THREADS) as usize];
                        assert!(last.is_none_or(|last| last < *value), "in order");
                        *last = Some(*value);
                        seen += 1;
                    }
                }
                assert_eq!(seen, u64::from(THREADS * EACH));
            });
        }
    });
}
