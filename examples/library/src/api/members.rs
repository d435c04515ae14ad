//! `member.…`: get members and add them.

use docent_server::{Cx, Procedure, RpcError};

use super::error::{answer, refuses};
use crate::model::{AddMember, GetMember, NoSuchMember, RequestIdReused};
use crate::store::Store;

/// Why a member is not shown.
#[derive(Debug, RpcError)]
enum GetMemberError {
    /// There is no member with that card.
    #[rpc(code = 1406, message = "No such member", status = 404)]
    NoSuchMember(NoSuchMember),
}
refuses!(GetMemberError: NoSuchMember);

/// Why a member is not admitted.
#[derive(Debug, RpcError)]
enum AddMemberError {
    /// The `request_id` was used before, for a different request. Take another one.
    #[rpc(
        code = 1413,
        message = "Request id reused",
        status = 409,
        retry = false
    )]
    RequestIdReused(RequestIdReused),
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
