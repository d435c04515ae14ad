//! The tutorial, typed as it is printed: each step makes the program that stands here, and that program gives the
//! answers that the tutorial prints.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::net::TcpStream;

use docent::Service;
use docent::testing::TestServer;
use raw_http::{Request, Response};

const TUTORIAL: &str = include_str!("../../../../server/guide/tutorial.md");

mod step1 {
    include!("step1.rs");

    pub(super) fn built() -> Service {
        service().unwrap()
    }
}

mod step2 {
    include!("step2.rs");

    pub(super) fn built() -> Service {
        service().unwrap()
    }
}

mod step3 {
    include!("step3.rs");

    pub(super) fn built() -> Service {
        service("s3cret").unwrap()
    }
}

#[path = "../../examples/tasks.rs"]
mod tasks;

/// Returns the text of a step.
fn step(number: usize) -> &'static str {
    let (_, rest) = TUTORIAL.split_once(&format!("\n## {number}. ")).unwrap();
    rest.split("\n## ").next().unwrap()
}

/// Returns the blocks of a text in this language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let fences = text.split("\n```").skip(1).step_by(2);
    let blocks = fences.filter_map(|block| block.split_once('\n'));
    let blocks = blocks.filter(|(info, _)| info.split(',').next() == Some(language));
    blocks.map(|(_, block)| block).collect()
}

/// Does what the steps say up to this one.
fn typed(last: usize) -> String {
    let [first] = *blocks(step(1), "rust") else {
        panic!("the first program")
    };
    let mut program = format!("{first}\n");
    if last >= 2 {
        let [error, method] = *blocks(step(2), "rust") else {
            panic!("an error and a method")
        };
        let above = program.find("#[procedures").unwrap();
        program.insert_str(above, &format!("{error}\n\n"));
        let body = program.find("impl Tasks {").unwrap();
        let end = body + program[body..].find("\n}\n").unwrap();
        program.insert_str(end, &format!("\n\n{method}"));
    }
    if last >= 3 {
        let [functions] = *blocks(step(3), "rust") else {
            panic!("the functions at the end")
        };
        program.truncate(program.find("fn service").unwrap());
        program += functions;
        program += "\n";
    }
    if last >= 4 {
        let [tests] = *blocks(step(4), "rust") else {
            panic!("the tests")
        };
        program = format!("{program}\n{tests}\n");
    }
    program
}

#[test]
fn the_steps_make_these_programs() {
    assert_eq!(typed(1), include_str!("step1.rs"));
    assert_eq!(typed(2), include_str!("step2.rs"));
    assert_eq!(typed(3), include_str!("step3.rs"));
    let whole = include_str!("../../examples/tasks.rs");
    let (_, whole) = whole.split_once("\n\n").unwrap();
    // The example is told its address.
    let address = "    let address = std::env::var(\"LISTEN\").unwrap_or_else(|_| \"127.0.0.1:8080\".to_owned());\n";
    let fixed = ".bind(\"127.0.0.1:8080\")";
    let whole = whole.replace(address, "").replace(".bind(address)", fixed);
    assert_eq!(typed(4), whole);
}

/// Makes the calls of a step, and compares the answers with those that are printed.
fn assert_answers(number: usize, service: &Service) {
    let server = TestServer::start(service).unwrap();
    let mut connection = TcpStream::connect(server.address()).unwrap();
    let session = blocks(step(number), "console")
        .join("\n")
        .replace(" \\\n", " ");
    let mut called = 0;
    for call in session.split("$ ").filter(|call| call.starts_with("curl ")) {
        let (command, response) = call.split_once('\n').unwrap();
        let words = shlex::split(command).unwrap();
        let (_, target) = words[1].split_once("localhost:8080").unwrap();
        let mut request = Request::new("GET", target);
        for option in words[2..].chunks(2) {
            match &*option[0] {
                "-d" => {
                    request = Request {
                        body: Some(option[1].as_bytes()),
                        method: "POST",
                        ..request
                    }
                }
                "-H" => {
                    let (name, value) = option[1].split_once(": ").unwrap();
                    request = request.header(name, value);
                }
                other => panic!("{other}"),
            }
        }
        let answered = Response::exchange(&mut connection, &request);
        assert_eq!(answered.text().trim(), response.trim(), "{command}");
        called += 1;
    }
    assert!(called > 0);
}

#[test]
fn the_programs_give_the_answers_that_are_printed() {
    assert_answers(1, &step1::built());
    assert_answers(2, &step2::built());
    assert_answers(3, &step3::built());
}
