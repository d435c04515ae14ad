//! GET and HEAD, with and without validators and credentials.
//!
//! A reader remembers tags and bodies as a cache does, and expects 304 where it may.

use std::collections::HashMap;

use fastrand::Rng;

use crate::caller::Caller;
use crate::contract::{self, CachedResponse, GetCircumstances, code};
use crate::http::{Response, excerpt, request, shown};

/// Addresses and the error that each returns, if any.
const GET_TARGETS: &[(&str, Option<i64>)] = &[
    ("/rpc/book.get?book=7", None),
    ("/rpc/book.get?0=8", None),
    ("/rpc/book%2Eget?book=%39", None),
    ("/rpc/author.get?author=3", None),
    ("/rpc/stats", None),
    ("/rpc/book.find?words=whale&limit=5", None),
    ("/rpc/book.find?words=sea+novel&available=true&limit=", None),
    ("/rpc/loan.list?limit=5&state=returned", None),
    ("/rpc/member.get?card=L000003", None),
    ("/rpc/member.get?card=L999999999", Some(1406)),
    ("/rpc/book.get", Some(code::INVALID_PARAMS)),
    ("/rpc/book.get?book=0", Some(code::INVALID_PARAMS)),
];

/// A client that caches responses.
#[derive(Default)]
pub(super) struct Reader {
    /// Keyed by address and by whether the client accepted a compressed response.
    known: HashMap<(&'static str, bool), CachedResponse>,
}

impl Reader {
    pub(super) fn get(&mut self, caller: &mut Caller<'_>, rng: &mut Rng) {
        let Some((target, error)) = rng.choice(GET_TARGETS).copied() else {
            return;
        };
        let head = rng.u8(..8) == 0;
        let personal = rng.u8(..4) == 0;
        // A private response is never compressed.
        let gzip = !personal && rng.bool();
        let place = (target, gzip);
        let before = self.known.get(&place).cloned();
        let asked = before.as_ref().filter(|_| rng.bool());
        let mut headers = Vec::new();
        if personal {
            headers.push(("Authorization", caller.world.credential.as_str()));
        }
        if gzip {
            headers.push(("Accept-Encoding", "gzip"));
        }
        if let Some(known) = asked {
            headers.push(("If-None-Match", known.tag.as_str()));
        }
        let method = if head { "HEAD" } else { "GET" };
        let request = request(method, target, &headers, None);
        let Some(response) = caller.call(method, &request) else {
            return;
        };
        if is_busy(&response, head) {
            return;
        }
        let asked = GetCircumstances {
            head,
            personal,
            before: before.as_ref(),
            conditional: asked.is_some(),
            error,
        };
        match contract::get(&response, asked) {
            Ok(known) => self.known.extend(known.map(|known| (place, known))),
            Err(breach) => {
                caller.world.found(format!(
                    "{breach}; sent {}; received {}",
                    excerpt(&request),
                    shown(&response)
                ));
            }
        }
    }
}

/// Returns whether the response is an error that GET may always return: too many calls, or a
/// database that another process has locked.
fn is_busy(response: &Response, head: bool) -> bool {
    [code::BUSY, code::TIMED_OUT, 1503]
        .iter()
        .any(|code| contract::get_error(response, head, *code).is_ok())
}
