//! Hands one value from the thread that makes it to the task that waits for it.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Returns the two ends of a handover.
pub(super) fn handover<T>() -> (Giver<T>, Taker<T>) {
    let shared = Arc::new(Mutex::new(State::Waiting(None)));
    (Giver(Arc::clone(&shared)), Taker(shared))
}

type Shared<T> = Arc<Mutex<State<T>>>;

enum State<T> {
    /// No value has been given yet. The waker belongs to the task that waits.
    Waiting(Option<Waker>),
    Given(T),
    /// One of the ends was dropped.
    Over,
}

fn lock<T>(shared: &Shared<T>) -> MutexGuard<'_, State<T>> {
    // No change can leave the state incomplete.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The end that gives the value. If it is dropped first, there is no value.
pub(super) struct Giver<T>(Shared<T>);

impl<T> Giver<T> {
    /// Gives the value. Returns it if the receiver is gone.
    pub(super) fn give(self, value: T) -> Result<(), T> {
        let mut state = lock(&self.0);
        match std::mem::replace(&mut *state, State::Over) {
            State::Waiting(waker) => {
                *state = State::Given(value);
                drop(state);
                if let Some(waker) = waker {
                    waker.wake();
                }
                Ok(())
            }
            _ => Err(value),
        }
    }
}

impl<T> Drop for Giver<T> {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        if let State::Waiting(waker) = &mut *state {
            let waker = waker.take();
            *state = State::Over;
            drop(state);
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }
}

/// The end that waits for the value. It gets `None` if the value is never given.
pub(super) struct Taker<T>(Shared<T>);

impl<T> Future for Taker<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let mut state = lock(&self.0);
        match std::mem::replace(&mut *state, State::Over) {
            State::Waiting(_) => {
                *state = State::Waiting(Some(cx.waker().clone()));
                Poll::Pending
            }
            State::Given(value) => Poll::Ready(Some(value)),
            State::Over => Poll::Ready(None),
        }
    }
}

impl<T> Drop for Taker<T> {
    fn drop(&mut self) {
        let state = std::mem::replace(&mut *lock(&self.0), State::Over);
        // A value that was not taken is dropped after the lock is released.
        drop(state);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_value_is_given_to_the_task_that_waits_for_it() {
        let (giver, mut taker) = handover();
        assert_eq!((&mut taker).now_or_never(), None);
        let thread = std::thread::spawn(move || giver.give(7));
        assert_eq!(thread.join().expect("no panic"), Ok(()));
        assert_eq!(taker.now_or_never(), Some(Some(7)));
    }

    #[test]
    fn an_end_that_is_gone_is_noticed_by_the_other() {
        let (giver, taker) = handover::<u8>();
        drop(giver);
        assert_eq!(taker.now_or_never(), Some(None));
        let (giver, taker) = handover();
        drop(taker);
        assert_eq!(giver.give(7), Err(7));
    }

    #[tokio::test]
    async fn a_task_is_woken_when_the_value_is_given_or_never_will_be() {
        for value in [Some(7), None] {
            let (giver, taker) = handover();
            let waiting = tokio::spawn(taker);
            tokio::task::yield_now().await;
            match value {
                Some(value) => giver.give(value).expect("a task that waits"),
                None => drop(giver),
            }
            assert_eq!(waiting.await.expect("no panic"), value);
        }
    }
}
