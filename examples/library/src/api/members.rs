//! `member.…`: get members and add them.

use docent_server::{Cx, Procedure, errors};

use super::error::{answer, refuses};
use crate::model::{AddMember, GetMember, NoSuchMember, RequestIdReused};
use crate::store::Store;

errors! {
    /// Why a member is not shown.
    #[derive(Debug)]
    enum GetMemberError {
        /// There is no member with that card.
        NoSuchMember(NoSuchMember) = 1406, "No such member", status 404;
    }
}
refuses!(GetMemberError: NoSuchMember);

errors! {
    /// Why a member is not admitted.
    #[derive(Debug)]
    enum AddMemberError {
        /// The `request_id` was used before, for a different request. Take another one.
        RequestIdReused(RequestIdReused) = 1413, "Request id reused", status 409, retry false;
    }
}
refuses!(AddMemberError: RequestIdReused);

pub(super) fn procedures() -> Vec<Procedure<Store>> {
    vec![
        Procedure::blocking("member.get", |cx: Cx<Store>, p: GetMember| {
            answer::<GetMemberError, _>(cx.state().member(&p.card))
        })
        .idempotent()
        .tag("members"),
        Procedure::blocking("member.add", |cx: Cx<Store>, p: AddMember| {
            answer::<AddMemberError, _>(cx.state().add_member(&p))
        })
        .tag("members"),
    ]
}
