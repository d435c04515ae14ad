//! The service as its callers see it, over HTTP.

use serde_json::{Value, json};

use crate::http::{Served, call};

#[test]
fn books_are_found_by_name_by_position_and_with_get() {
    let served = Served::new();
    let client = served.client();
    let by_name = client.call("book.find", &json!({"words": "whale", "limit": 1}));
    assert_eq!(by_name["books"][0]["title"], "Moby-Dick; or, The Whale");
    let by_position = json!([
        "whale",
        null,
        null,
        null,
        null,
        null,
        false,
        "relevance",
        0,
        1
    ]);
    assert_eq!(client.call("book.find", &by_position), by_name);
    let with_get = client.get("book.find?words=whale&limit=1");
    assert_eq!(
        (with_get.status, &with_get.json()["result"]),
        (200, &by_name)
    );
    let all = client.get("book.find").json();
    assert_eq!(all["result"]["page"]["limit"], 20);
    let japanese = client
        .get("book.find?words=%E3%81%93%E3%81%93%E3%82%8D")
        .json();
    assert_eq!(japanese["result"]["books"][0]["english_title"], "Kokoro");
}

#[test]
fn pages_follow_one_another_until_the_list_is_at_its_end() {
    let served = Served::new();
    let client = served.client();
    let total = client.call("stats", &json!({}))["authors"].clone();
    let mut ids = Vec::new();
    let mut next = json!(0);
    while next != Value::Null {
        let response = client.call("author.list", &json!({"offset": next, "limit": 100}));
        assert_eq!(response["page"]["total"], total);
        for author in response["authors"].as_array().unwrap() {
            ids.push(author["id"].as_u64().unwrap());
        }
        next = response["page"]["next"].clone();
    }
    assert_eq!(json!(ids.len()), total);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(json!(ids.len()), total);
}

#[test]
fn a_book_is_lent_to_a_new_member_and_comes_back() {
    let served = Served::new();
    let client = served.client();
    let card = client.call("member.add", &json!({"name": "Tove Berg"}))["card"].clone();
    let book = json!({
        "title": "Israel Potter", "language": "en", "authors": [{"known": 39}], "year": 1855,
    });
    let book = client.call("book.add", &book)["id"].clone();
    let loan = client.call("loan.start", &json!([book, card]));
    assert_eq!(
        (&loan["lent"], &loan["due"]),
        (&json!("2026-03-02"), &json!("2026-03-30"))
    );
    assert_eq!(
        client.error("loan.start", &json!([book, "L000004"])),
        (1409, json!({"book": book, "due": "2026-03-30"}))
    );
    let shown = client.call("book.get", &json!([book]));
    assert_eq!(shown["holdings"][0]["loan"], loan["id"]);
    let member = client.call("member.get", &json!({"card": card}));
    assert_eq!(member["open_loans"], json!([loan]));

    let ended = client.call("loan.end", &json!({"loan": loan["id"]}));
    assert_eq!(
        (&ended["returned"], &ended["state"]),
        (&json!("2026-03-02"), &json!("returned"))
    );
    assert_eq!(
        client.error("loan.end", &json!({"loan": loan["id"]})),
        (1412, json!({"loan": loan["id"], "returned": "2026-03-02"}))
    );
    let returned = client.call("loan.list", &json!({"book": book, "state": "returned"}));
    assert_eq!(returned["loans"], json!([ended]));
}

#[test]
fn refusals_have_a_code_and_data_over_post_and_a_status_over_get() {
    let served = Served::new();
    let client = served.client();
    for (procedure, params, query, code, data) in [
        (
            "book.get",
            json!([99_999]),
            "book=99999",
            1404,
            json!({"book": 99_999}),
        ),
        (
            "author.get",
            json!([99_999]),
            "author=99999",
            1405,
            json!({"author": 99_999}),
        ),
        (
            "member.get",
            json!(["L999999"]),
            "card=L999999",
            1406,
            json!({"card": "L999999"}),
        ),
    ] {
        assert_eq!(client.error(procedure, &params), (code, data.clone()));
        let with_get = client.get(&format!("{procedure}?{query}"));
        assert_eq!((with_get.status, with_get.error()), (404, (code, data)));
    }
    let life = json!({"new": {"name": "Nobody Real", "born": 1900, "died": 1800}});
    let add = json!({"title": "T", "language": "en", "authors": [life]});
    let data = json!({"name": "Nobody Real", "born": 1900, "died": 1800});
    assert_eq!(client.error("book.add", &add), (1423, data));
    let emma = json!({"title": "Emma", "language": "en", "authors": [{"known": 1}]});
    assert_eq!(client.error("book.add", &emma).0, 1410);
    let (code, data) = client.error("loan.start", &json!([1, "L000004", "2027-01-01"]));
    assert_eq!((code, &data["latest"]), (1422, &json!("2026-05-25")));
    assert_eq!(
        client.error("loan.end", &json!([99_999])),
        (1407, json!({"loan": 99_999}))
    );
}

#[test]
fn an_object_where_an_order_is_expected_is_one_problem() {
    let served = Served::new();
    let (code, data) = served
        .client()
        .error("book.find", &json!({"order": {"a": 1}}));
    let reason =
        r#"expected one of "relevance", "title", "author", "oldest", "newest", found an object"#;
    let expected = json!({"parameter": "order", "pointer": "", "reason": reason});
    assert_eq!((code, data), (-32602, expected));
}

#[test]
fn what_is_wrong_with_a_parameter_is_said_before_anything_is_done() {
    let served = Served::new();
    let client = served.client();
    for (procedure, params, parameter, pointer) in [
        ("book.find", json!({"limit": 500}), "limit", ""),
        ("book.find", json!({"word": "whale"}), "word", ""),
        ("loan.start", json!({"book": 1}), "member", ""),
        ("loan.start", json!([1, "L1"]), "member", ""),
        ("loan.start", json!([1, "L000001", "2026-02-30"]), "due", ""),
        (
            "book.add",
            json!({"title": "T", "language": "en", "authors": [{"new": {"name": ""}}]}),
            "authors",
            "/0/new/name",
        ),
    ] {
        let (code, data) = client.error(procedure, &params);
        assert_eq!(code, -32602, "{data}");
        assert_eq!(
            (&data["parameter"], &data["pointer"]),
            (&json!(parameter), &json!(pointer))
        );
        assert!(!data["reason"].as_str().unwrap().is_empty());
    }
    assert_eq!(client.get("book.find?limit=500").status, 400);
    assert_eq!(client.get("book.find?available=yes").status, 400);
}

#[test]
fn what_changes_something_does_not_answer_to_get() {
    let served = Served::new();
    let client = served.client();
    let before = client.call("stats", &json!({}));
    for target in [
        "loan.start?book=1&member=L000004",
        "loan.end?loan=30",
        "book.add?title=T&language=en",
        "member.add?name=Tove",
        "member%2Eadd?name=Tove",
    ] {
        let response = client.get(target);
        assert_eq!(response.status, 405, "{target}");
        assert!(response.has("allow: POST, OPTIONS"), "{response:?}");
    }
    assert_eq!(client.call("stats", &json!({})), before);
}

#[test]
fn a_notification_is_done_and_not_answered() {
    let served = Served::new();
    let client = served.client();
    let admit = json!({"jsonrpc": "2.0", "method": "member.add", "params": ["Tove Berg"]});
    let response = client.post(&admit);
    assert_eq!((response.status, response.body.as_str()), (204, ""));
    let member = client.call("member.get", &json!(["L000013"]));
    assert_eq!(member["member"]["name"], "Tove Berg");
    // There is no response even if the call is rejected.
    let end = json!({"jsonrpc": "2.0", "method": "loan.end", "params": [99_999]});
    assert_eq!(client.post(&end).status, 204);
}

#[test]
fn a_batch_is_answered_in_its_order_and_each_call_alone() {
    let served = Served::new();
    let client = served.client();
    let batch = json!([
        call("book.get", &json!([1]), 1),
        call("book.get", &json!([99_999]), 2),
        {"jsonrpc": "2.0", "method": "member.add", "params": ["Tove Berg"]},
        call("author.get", &json!({"author": 39}), 3),
        5,
    ]);
    let responses = client.post(&batch).json();
    let responses = responses.as_array().unwrap();
    assert_eq!(responses.len(), 4);
    assert_eq!(
        responses[0]["result"]["book"]["title"],
        "Moby-Dick; or, The Whale"
    );
    assert_eq!(responses[1]["error"]["code"], 1404);
    assert_eq!(responses[2]["result"]["author"]["name"], "Herman Melville");
    assert_eq!(responses[3]["error"]["code"], -32600);
    assert_eq!(client.call("stats", &json!({}))["members"], 13);
}
