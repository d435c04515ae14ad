//! Named services: `@NAME` for an address, with the credentials of a file.

use std::process::Command;

use crate::service::{Response, Server};
use crate::support::{Folder, Ran, data_text, docent};

/// Starts a service that lets one token in.
fn guarded() -> Server {
    let text = data_text("shop.json");
    Server::start(move |request| {
        let is_let_in = request.authorization.as_deref() == Some("Bearer open");
        if is_let_in && request.header("x-team") == Some("books") {
            Response::of_service(request, "rpc.describe", &text)
        } else {
            Response::new(401, "")
        }
    })
}

fn with(file: &str, arguments: &[&str]) -> Ran {
    let mut command: Command = docent(arguments);
    let output = command.env("DOCENT_SERVICES", file).output();
    output.expect("it runs").into()
}

#[test]
#[cfg(unix)]
fn a_name_stands_for_an_address_and_its_credentials() {
    let server = guarded();
    let folder = Folder::new();
    let (log, url) = (folder.arg("log"), server.url("/rpc"));
    let file = folder.write(
        "services.toml",
        &format!(
            "[shop]\naddress = \"{url}\"\ntoken-command = \"echo run >> {log}; echo open\"\n\
             headers = [\"X-Team: books\"]\n\n[other]\naddress = \"http://127.0.0.1:1/rpc\"\n"
        ),
    );
    let listed = with(&file, &["list", "@shop"]);
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    assert!(!listed.stdout.is_empty());
    assert_eq!(folder.read("log"), "run\n", "the command runs once");
    let described = with(&file, &["describe", "@shop", "--format", "docent"]);
    assert!(!described.stdout.contains("open"), "{}", described.stdout);

    // A token that is given goes first, and another origin gets nothing.
    let wrong = with(&file, &["list", "@shop", "--token", "wrong"]);
    assert_eq!(wrong.code, 4, "{}", wrong.stderr);
    let elsewhere = Server::start(|_| Response::new(404, ""));
    let ran = with(&file, &["list", &elsewhere.url("/")]);
    assert_eq!(ran.code, 4);
    for request in elsewhere.requests() {
        assert_eq!(
            (request.authorization.as_deref(), request.header("x-team")),
            (None, None)
        );
    }
    assert_eq!(folder.read("log"), "run\nrun\n");

    // A shell completes names, and no command runs before its line is complete.
    let completed = with(&file, &["complete-words", "--", "docent", "call", "@s"]);
    assert_eq!(completed.stdout, format!("@shop\t{url}\n"));
    let _ = with(
        &file,
        &["complete-words", "--", "docent", "call", "@shop", ""],
    );
    assert_eq!(folder.read("log"), "run\nrun\n");
}

#[test]
fn what_is_wrong_with_a_name_or_the_file_is_said() {
    let folder = Folder::new();
    let file = folder.write(
        "services.toml",
        "[shop]\naddress = \"http://127.0.0.1:1/rpc\"\n",
    );
    let unknown = with(&file, &["list", "@shpo"]);
    assert_eq!(unknown.code, 2);
    let wanted = format!("no service is called `shpo` in {file}; there: shop");
    assert!(unknown.stderr.contains(&wanted), "{}", unknown.stderr);
    let missing = with(&folder.arg("nowhere.toml"), &["list", "@shop"]);
    assert!(missing.stderr.contains("there: none"), "{}", missing.stderr);
    for (text, part) in [
        ("[shop]\naddres = \"http://a/\"\n", "unknown field `addres`"),
        (
            "[shop]\naddress = \"a\"\n",
            "a: relative URL without a base",
        ),
    ] {
        let file = folder.write("wrong.toml", text);
        let ran = with(&file, &["list", "@shop"]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
    let failing = "[shop]\naddress = \"http://127.0.0.1:1/rpc\"\ntoken-command = \"exit 3\"\n";
    let ran = with(&folder.write("failing.toml", failing), &["list", "@shop"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.stderr.contains("token-command `exit 3`: exit"),
        "{}",
        ran.stderr
    );
}

#[test]
#[cfg(unix)]
fn a_name_stands_for_a_command() {
    let folder = Folder::new();
    let listing = r#"read -r _; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"box","version":"1"}}}'
read -r _; read -r _; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"open_box","inputSchema":{"type":"object"}}]}}'; read -r _"#;
    let script = folder.write(
        "a #server?.sh",
        &format!("echo run >> '{}'\n{listing}", folder.arg("log")),
    );
    let file = folder.write(
        "services.toml",
        &format!("[box]\naddress = \"exec:sh '{script}'\"\n[none]\naddress = \"exec:\"\n"),
    );
    let ran = with(&file, &["list", "@box"]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("expected a command after exec:"),
        "{}",
        ran.stderr
    );
    let file = folder.write(
        "services.toml",
        &format!(
            "[box]\naddress = \"exec:sh '{script}'\"\ntoken-command = \"echo token >> '{}'\"\n",
            folder.arg("log")
        ),
    );
    let ran = with(&file, &["list", "@box"]);
    assert_eq!(
        (ran.code, &*ran.stdout),
        (0, "open_box\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(folder.read("log"), "run\n");
    // No command runs before its line is complete.
    let _ = with(
        &file,
        &["complete-words", "--", "docent", "call", "@box", ""],
    );
    assert_eq!(folder.read("log"), "run\n");
}
