//! Replaces `attempts.rs` without the feature `rate-limits`: wrong credentials are not limited then.

use std::sync::Arc;
use std::task::{Context, Poll};

use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::runtime::Runtime;

pub(crate) enum Attempts {}

impl Attempts {
    pub(crate) fn problem(&self) -> Option<&'static str> {
        match *self {}
    }
}

pub(crate) enum Attempt {}

impl Attempt {
    pub(crate) fn new(
        _: Option<&Arc<Attempts>>,
        _: Option<&Extensions>,
        _: Option<&Arc<dyn Runtime>>,
    ) -> Option<Self> {
        None
    }

    pub(crate) fn poll_place(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Fault>> {
        match *self {}
    }

    pub(crate) fn spend(self) {
        match self {}
    }
}
