//! `stats`: figures about the library.

use std::convert::Infallible;

use docent::{Cx, Procedure};

use super::OFTEN_CHANGES;
use super::error::answer;
use crate::model::GetStats;
use crate::store::Store;

pub(super) fn procedures() -> Vec<Procedure<Store>> {
    vec![
        Procedure::blocking("stats", |cx: Cx<Store>, p: GetStats| {
            answer::<Infallible, _>(cx.state().stats(&p))
        })
        .idempotent()
        .cache_for(OFTEN_CHANGES)
        .tag("statistics"),
    ]
}
