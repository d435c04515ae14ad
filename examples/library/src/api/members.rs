//! `member.…`: looking at members and admitting them.

use docent_server::{Cx, Procedure, RpcError, procedure};

use super::error::{Failure, answer, refuses};
use crate::model::{AddMember, Card, Member, MemberDetails, NoSuchMember, RequestIdReused};
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
    vec![get_member::procedure(), add_member::procedure()]
}

/// Shows a member and what they have borrowed.
#[procedure(name = "member.get", blocking, idempotent, tag = "members")]
fn get_member(
    cx: Cx<Store>,
    /// The number on the member's card.
    card: Card,
) -> Result<MemberDetails, Failure<GetMemberError>> {
    answer(cx.state().member(&card))
}

#[procedure(name = "member.add", blocking, tag = "members")]
fn add_member(
    cx: Cx<Store>,
    #[params] member: AddMember,
) -> Result<Member, Failure<AddMemberError>> {
    answer(cx.state().add_member(&member))
}
