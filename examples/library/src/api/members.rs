//! `member.…`: looking at members and admitting them.

use std::convert::Infallible;

use docent::{Cx, Once, Procedure, RpcError, procedure};

use super::KEEP_TIME;
use super::error::{ProcedureError, answer, converts_library_errors};
use crate::model::{AddMember, Card, Member, MemberDetails, NoSuchMember};
use crate::store::Store;

/// The errors of showing a member.
#[derive(Debug, RpcError)]
enum GetMemberError {
    /// There is no member with that card.
    #[rpc(code = 1406, message = "No such member", status = 404)]
    NoSuchMember(NoSuchMember),
}
converts_library_errors!(GetMemberError: NoSuchMember);

pub(super) fn procedures() -> Vec<Procedure<Store>> {
    vec![get_member::procedure(), add_member::procedure()]
}

/// Shows a member and what they have borrowed.
#[procedure(name = "member.get", blocking, idempotent, tag = "members")]
fn get_member(
    cx: Cx<Store>,
    /// The number on the member's card.
    card: Card,
) -> Result<MemberDetails, ProcedureError<GetMemberError>> {
    answer(cx.state().member(&card))
}

#[procedure(name = "member.add", blocking, repeatable = KEEP_TIME, keys_without_caller, tag = "members")]
fn add_member(
    cx: Cx<Store>,
    #[params] member: AddMember,
) -> Result<Once<Member>, ProcedureError<Infallible>> {
    answer(cx.state().once(&cx, |write| write.add_member(&member)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use docent::Service;
    use docent::client::{Client, ClientError, InProcess};

    use super::*;
    use crate::clock::FixedClock;

    #[docent::test]
    async fn a_member_is_admitted_and_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let clock = Arc::new(FixedClock("2026-03-02".parse().expect("a day")));
        let store =
            Store::open_with_clock(&folder.path().join("library.db"), clock).expect("a store");
        let service = Service::builder("members", "urn:uuid:5470194d-e6ff-42a3-8602-04378c086fd1")
            .state(store)
            .procedures(procedures())
            .build()
            .expect("the service has no mistakes");
        let client = Client::from(InProcess::new(&service));

        let tove = AddMember {
            name: "Tove Berg".to_owned(),
        };
        let admitted = add_member::call(&client, tove).await.expect("a result");
        let admitted = admitted.into_value().expect("a member");
        let shown = get_member::call(&client, admitted.card.clone())
            .await
            .expect("a member");
        assert_eq!((shown.member, shown.open_loans), (admitted, vec![]));

        let nobody: Card = serde_json::from_str("\"L999999\"").expect("a card");
        let error = get_member::call(&client, nobody.clone())
            .await
            .expect_err("no such member");
        let ClientError::Declared(ProcedureError::Library(GetMemberError::NoSuchMember(missing))) =
            error
        else {
            panic!("{error}");
        };
        assert_eq!(missing.card, nobody);
    }
}
