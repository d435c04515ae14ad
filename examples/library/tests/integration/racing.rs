//! Many concurrent callers, over HTTP.

use std::sync::Barrier;
use std::thread;

use serde_json::{Value, json};

use crate::http::Served;

const CALLERS: u32 = 24;

#[test]
fn of_many_callers_who_want_the_last_copy_exactly_one_gets_it() {
    let served = Served::new();
    let client = served.client();
    for round in 0..3 {
        let add = json!({"title": format!("Wanted {round}"), "language": "en"});
        let book = &client.call("book.add", &add)["id"];
        let cards: Vec<Value> = (0..CALLERS)
            .map(|n| client.call("member.add", &json!([format!("Caller {n}")]))["card"].clone())
            .collect();
        let start = Barrier::new(cards.len());
        let responses: Vec<Value> = thread::scope(|scope| {
            let callers: Vec<_> = cards
                .iter()
                .map(|card| {
                    let start = &start;
                    scope.spawn(move || {
                        let params = json!({"book": book, "member": card});
                        start.wait();
                        client.answer("loan.start", &params).json()
                    })
                })
                .collect();
            callers
                .into_iter()
                .map(|caller| caller.join().unwrap())
                .collect()
        });
        let (won, lost): (Vec<_>, Vec<_>) = responses
            .iter()
            .partition(|response| response.get("result").is_some());
        assert_eq!(won.len(), 1, "{responses:?}");
        for response in lost {
            assert_eq!(response["error"]["code"], 1409);
            assert_eq!(
                response["error"]["data"],
                json!({"book": book, "due": "2026-03-30"})
            );
        }
        let loans = client.call("loan.list", &json!({"book": book}));
        assert_eq!(loans["loans"], json!([won[0]["result"]]));
    }
}
