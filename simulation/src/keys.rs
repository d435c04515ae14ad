//! The promises about keys: one effect for each key, and room for every caller.
//!
//! They are kept by caller and key, as the documentation of a key store says, and not as any store does it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use docent_core::{Claim, KeyedCall};

use crate::settings::Settings;

/// A caller and its key.
pub(crate) type CallerKey = (Option<String>, String);

pub(crate) fn caller_key(call: &KeyedCall) -> CallerKey {
    (call.caller().map(str::to_owned), call.key().to_owned())
}

/// The answer of a store to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ClaimAnswer {
    Granted,
    Running,
    Kept,
    UsedOtherwise,
    Full,
    Failed,
}

/// The claimed keys, and their effects.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// The time until which each key takes room, or `None` while its call is running.
    held: BTreeMap<CallerKey, Option<Duration>>,
    effects: BTreeMap<CallerKey, u64>,
    responses: BTreeMap<CallerKey, BTreeSet<ClaimAnswer>>,
}

impl Keys {
    /// Records the answer of a store to a claim, and checks that the keys do not exceed the room.
    pub(crate) fn claimed(
        &mut self,
        name: CallerKey,
        claim: &Claim,
        settings: &Settings,
        now: Duration,
    ) -> Result<(), String> {
        self.held
            .retain(|_, until| until.is_none_or(|until| until > now));
        let response = ClaimAnswer::from(claim);
        match response {
            ClaimAnswer::Granted => drop(self.held.insert(name.clone(), None)),
            ClaimAnswer::Full => self.may_refuse(&name, settings)?,
            _ => {}
        }
        self.record_answer(name, response);
        let held = self.held.len();
        let room = settings.room;
        if held > room + settings.in_flight() {
            return Err(format!(
                "{held} keys are held, where there is room for {room}"
            ));
        }
        Ok(())
    }

    /// Checks that a store may refuse a key: the caller has used up its own share, or the store is full
    /// and no caller has more than its share.
    fn may_refuse(&self, (caller, _): &CallerKey, settings: &Settings) -> Result<(), String> {
        let mut by_caller: BTreeMap<Option<&str>, usize> = BTreeMap::new();
        for (caller, _) in self.held.keys() {
            *by_caller.entry(caller.as_deref()).or_default() += 1;
        }
        let own = by_caller
            .get(&caller.as_deref())
            .copied()
            .unwrap_or_default();
        let greedy = by_caller
            .iter()
            .find(|(caller, held)| **held > settings.share(**caller) + settings.in_flight());
        let is_full = self.held.len() >= settings.room;
        if own >= settings.share(caller.as_deref()) || is_full && greedy.is_none() {
            return Ok(());
        }
        Err(format!(
            "the store has no room for {caller:?}, which has {own} keys; who has more than its share: {greedy:?}"
        ))
    }

    pub(crate) fn kept(&mut self, name: CallerKey, until: Duration) {
        self.held.insert(name, Some(until));
    }

    /// Checks that no key is claimed when no call is running.
    pub(crate) fn check_at_rest(&self) -> Result<(), String> {
        match self.held.iter().find(|(_, until)| until.is_none()) {
            None => Ok(()),
            Some((name, _)) => Err(format!(
                "the key {name:?} is claimed, and no call is running"
            )),
        }
    }

    pub(crate) fn released(&mut self, name: &CallerKey) {
        self.held.remove(name);
    }

    /// Records the effect of a call with a key.
    pub(crate) fn effect(&mut self, name: &CallerKey, n: u64) -> Result<(), String> {
        match self.effects.insert(name.clone(), n) {
            None => Ok(()),
            Some(first) => Err(format!("the key {name:?} has two effects: {first} and {n}")),
        }
    }

    pub(crate) fn record_answer(&mut self, name: CallerKey, response: ClaimAnswer) {
        self.responses.entry(name).or_default().insert(response);
    }

    pub(crate) fn has_answered(&self, name: &CallerKey, response: ClaimAnswer) -> bool {
        self.responses
            .get(name)
            .is_some_and(|responses| responses.contains(&response))
    }
}

impl From<&Claim> for ClaimAnswer {
    fn from(claim: &Claim) -> Self {
        match claim {
            Claim::Granted => Self::Granted,
            Claim::Running => Self::Running,
            Claim::Kept(_) => Self::Kept,
            Claim::UsedOtherwise => Self::UsedOtherwise,
            // A store refuses for no other reason.
            _ => Self::Full,
        }
    }
}
