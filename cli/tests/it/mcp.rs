//! Servers of MCP, over HTTP and as commands.

use crate::service::{Request, Response, Server};
use crate::support::{Folder, run};

/// The tools of the servers below.
const FIRST: &str = r#"{"name":"sum","description":"Adds two numbers.","inputSchema":{"type":"object","properties":{"a":{"type":"number","description":"One."},"b":{"type":"number","description":"The other."}},"required":["a","b"]},"outputSchema":{"type":"object","description":"The sum.","properties":{"sum":{"type":"number"}},"required":["sum"]},"annotations":{"readOnlyHint":true}}"#;
const SECOND: &str = r#"{"name":"say","description":"Says it.","inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"What to say."}}}}"#;

/// Returns the result of a request, or `None` for a notification.
fn result(body: &str) -> Option<String> {
    let has = |text: &str| body.contains(text);
    Some(if has(r#""method":"initialize""#) {
        r#"{"protocolVersion":"2025-03-26","capabilities":{"tools":{},"prompts":{}},"serverInfo":{"name":"sums","version":"3"}}"#.to_owned()
    } else if has("notifications/") {
        return None;
    } else if has(r#""cursor":"next""#) {
        format!(r#"{{"tools":[{SECOND}]}}"#)
    } else if has("tools/list") {
        format!(r#"{{"tools":[{FIRST}],"nextCursor":"next"}}"#)
    } else if has(r#""name":"sum""#) && has(r#""b":0"#) {
        r#"{"content":[{"type":"text","text":"Add something."}],"structuredContent":{"least":1},"isError":true}"#.to_owned()
    } else if has(r#""name":"sum""#) {
        r#"{"content":[{"type":"text","text":"{\"sum\":5}"}],"structuredContent":{"sum":5.0}}"#
            .to_owned()
    } else if has(r#""text":"two""#) {
        r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#.to_owned()
    } else {
        "{\"content\":[{\"type\":\"text\",\"text\":\"He said \\\"hi\\\".\\nTwice.\"}]}".to_owned()
    })
}

fn id(body: &str) -> &str {
    let (_, rest) = body.split_once("\"id\":").expect("a request");
    rest.split([',', '}']).next().expect("an id")
}

/// Responds as a server with sessions does. Responses to calls are event streams.
fn respond(request: &Request) -> Response {
    respond_with(request, None)
}

/// Responds with these tools instead of those above.
fn respond_with(request: &Request, tools: Option<&str>) -> Response {
    let body = &request.body;
    if request.method != "POST" {
        return Response::new(200, "");
    }
    let accept = request.header("accept").unwrap_or_default();
    if !accept.contains("text/event-stream") {
        let error =
            r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Not Acceptable"},"id":null}"#;
        return Response::new(406, error);
    }
    let is_first = body.contains(r#""method":"initialize""#);
    let has_session = request.header("mcp-session-id") == Some("s-1")
        && request.header("mcp-protocol-version") == Some("2025-03-26");
    if !is_first && !has_session {
        return Response::new(400, "");
    }
    let found = match tools {
        Some(tools) if body.contains("tools/list") => Some(format!(r#"{{"tools":[{tools}]}}"#)),
        _ => result(body),
    };
    let Some(result) = found else {
        return Response::new(202, "");
    };
    let message = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, id(body));
    if is_first {
        return Response::new(200, message)
            .with_header("Content-Type", "application/json")
            .with_header("Mcp-Session-Id", "s-1");
    }
    let other = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#;
    let stream = format!("event: message\ndata: {other}\n\nid: 7\ndata: {message}\n\n: open\n");
    Response::new(200, stream).with_header("Content-Type", "text/event-stream; charset=utf-8")
}

#[test]
fn an_address_that_speaks_mcp_is_listed_in_a_session_that_ends() {
    let server = Server::start(respond);
    let ran = run(["list", &server.url("/mcp"), "--token", "t"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout, "sum\tAdds two numbers.\nsay\tSays it.\n");
    let requests = server.requests();
    let last = requests.last().expect("requests");
    assert_eq!(last.method, "DELETE");
    assert_eq!(last.header("mcp-session-id"), Some("s-1"));
    assert_eq!(last.authorization.as_deref(), Some("Bearer t"));
    // A GET would wait for notifications.
    assert!(requests.iter().all(|request| request.method != "GET"));
}

#[test]
fn a_call_is_a_call_of_a_tool() {
    let server = Server::start(respond);
    let url = server.url("/mcp");
    for (arguments, code, printed) in [
        (&["sum", "a=2", "b=3"][..], 0, "{\"sum\":5.0}\n"),
        (&["say", "text=hi"], 0, "He said \"hi\".\nTwice.\n"),
        (
            &["say", "text=two"],
            0,
            "[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]\n",
        ),
        (
            &["sum", "a=2", "b=0"],
            1,
            "error -32000: Add something.\n  {\n    \"least\": 1\n  }",
        ),
        (&["sum", "a=2"], 2, "nothing was sent\n  b: "),
        (
            &["sum", "a=2", "b=3", "--get"],
            2,
            "cannot be called with GET",
        ),
        (&["say", "--notify"], 2, "leave --notify out"),
        (&["--batch", "-"], 2, "no batches"),
        (&["say", "--dry-run"], 2, "needs a session"),
    ] {
        let ran = run(["call", &url].into_iter().chain(arguments.iter().copied()));
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        let text = if code == 0 { &ran.stdout } else { &ran.stderr };
        assert!(text.contains(printed), "{arguments:?}: {text}");
    }
    let calls = server.requests();
    let call = calls
        .iter()
        .find(|request| request.body.contains("tools/call"));
    let body = &call.expect("a call").body;
    assert!(
        body.contains(r#""params":{"name":"sum","arguments":{"a":2,"b":3}}"#),
        "{body}"
    );
}

#[test]
fn parameters_of_which_something_is_asked_together_are_shown_and_sent() {
    const PICK: &str = r##"{"name":"pick","description":"Picks.","inputSchema":{"$ref":"#/$defs/Q","$defs":{"Q":{
        "type":"object","properties":{"count":{"type":"integer"}},
        "anyOf":[{"properties":{"text":{"type":"string"}},"required":["text"]},{"required":["id"]}]}}}}"##;
    // A message is one line.
    let server = Server::start(|request| respond_with(request, Some(&PICK.replace('\n', " "))));
    let url = server.url("/mcp");
    for (arguments, code, said) in [
        (&["count=2", "text=hi"][..], 0, "He said"),
        (&["id=7"], 0, "He said"),
        (&["id=7", "further=x"], 0, "He said"),
        (&["count=2"], 2, "do not fit the schema of `pick`"),
        (
            &["id=7", "count:=\"x\""],
            2,
            "do not fit the schema of `pick`",
        ),
        (&["count=2", "--no-check"], 0, "He said"),
    ] {
        let ran = run(["call", &url, "pick"]
            .into_iter()
            .chain(arguments.iter().copied()));
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        let text = if code == 0 { &ran.stdout } else { &ran.stderr };
        assert!(text.contains(said), "{arguments:?}: {text}");
    }
    let requests = server.requests();
    let call = requests
        .iter()
        .find(|request| request.body.contains("tools/call"))
        .expect("a call");
    let body = &call.body;
    assert!(
        body.contains(r#""arguments":{"count":2,"text":"hi"}"#),
        "{body}"
    );
    let folder = Folder::new();
    let ran = run(["docs", &url, "-o", &folder.arg("site")]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = folder.read("site/pick.md");
    assert!(!page.contains("takes no parameters"), "{page}");
    for said in [
        "pick(count?: integer",
        "And at least one of 2.",
        "{ `text`: string, … }.",
        "{ `id`: any value, … }.",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(folder.read("site/pick.html").contains("id=\"param.count\""));
}

#[test]
fn a_description_of_a_server_is_called_at_an_address() {
    let server = Server::start(respond);
    let folder = Folder::new();
    let (url, file) = (server.url("/mcp"), folder.arg("sums.json"));
    let ran = run(["describe", &url, "-o", &file]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(run(["diff", &file, &url]).code, 0);
    let ran = run(["call", &file, "sum", "a=1", "b=1", "--address", &url]);
    assert_eq!(ran.stdout, "{\"sum\":5.0}\n", "{}", ran.stderr);
}

#[test]
fn a_site_shows_the_message_of_a_tool_and_no_form() {
    let server = Server::start(respond);
    let folder = Folder::new();
    let ran = run(["docs", &server.url("/mcp"), "-o", &folder.arg("site")]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = folder.read("site/sum.md");
    assert!(page.contains("\"method\": \"tools/call\""), "{page}");
    assert!(!page.contains("curl"), "{page}");
    assert!(!folder.read("site/sum.html").contains("<form class"));
}

#[test]
fn a_check_holds_results_against_the_output_schema() {
    let server = Server::start(respond);
    let url = server.url("/mcp");
    let quick = ["--rate", "1000", "--max-calls", "60", "--seed", "1"];
    let check = |url: &str| run(["check", url].into_iter().chain(quick));
    let ran = check(&url);
    // It takes texts for numbers, and that is all that is wrong.
    assert!(
        ran.stdout.contains("wider-than-published"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("result-breaks"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("curl"), "{}", ran.stdout);
    let server = Server::start(|request| {
        let mut request = request.clone();
        if request.body.contains("tools/call") {
            request.body = request.body.replace(r#""name":"sum""#, r#""name":"say""#);
        }
        respond(&request)
    });
    let ran = check(&server.url("/mcp"));
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("result-breaks-schema"),
        "{}",
        ran.stdout
    );
    let methods = server.requests();
    assert!(methods.iter().all(|request| request.method != "GET"));
}

#[test]
fn a_service_that_is_no_server_of_mcp_says_so() {
    let server = Server::start(|request| match request.header("accept") {
        Some(accept) if accept.contains("event-stream") => Response::new(
            200,
            r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1999-01-01"}}"#,
        ),
        _ => Response::new(400, ""),
    });
    let ran = run(["list", &server.url("/")]);
    assert_eq!(ran.code, 4);
    let said = "it speaks \"1999-01-01\", an unknown version of MCP";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[cfg(unix)]
mod commands {
    use super::*;
    use crate::support::docent;

    /// A server in the language of the shell. `$1` is what it does at a call: nothing else than its
    /// task, if it is empty.
    const SERVER: &str = r#"
echo 'hello, I am no message'
while read -r line; do
  id=${line#*'"id":'}; id=${id%%[,\}]*}
  answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
  case $line in
    *'"initialize"'*) answer '{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"sh"}}';;
    *tools/list*) answer '{"tools":[{"name":"say","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]}';;
    *tools/call*)
      case $1 in
        ping)
          own=$id
          echo '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}'
          echo '{"jsonrpc":"2.0","id":"p","method":"ping"}'
          read -r pong
          echo '{"jsonrpc":"2.0","id":9,"method":"sampling/createMessage"}'
          read -r refusal
          id=$own
          answer '{"structuredContent":{"pong":'"$pong"',"refusal":'"$refusal"'}}';;
        wrong) id=77; answer '{}';;
        late) id=1; answer '{}'; id=3; answer '{"content":[]}';;
        exit) exit 3;;
        silent) ;;
        endless) yes x | tr -d '\n';;
        *) answer '{"content":[{"type":"text","text":"'"$DOCENT_TOKEN$2"'"}]}';;
      esac;;
  esac
done
echo ended > "$0.ended"
"#;

    fn server(folder: &Folder) -> String {
        format!("exec:sh '{}'", folder.write("a server", SERVER))
    }

    #[test]
    fn a_command_is_listed_and_called_without_a_shell_and_ends() {
        let folder = Folder::new();
        let input = format!("{} '' '$HOME;  echo'", server(&folder));
        let ran = run(["list", &input]);
        assert_eq!((ran.code, &*ran.stdout), (0, "say\n"), "{}", ran.stderr);
        assert!(folder.has("a server.ended"));
        let mut call = docent(["call", &input, "say", "text=a"]);
        let ran = call
            .env("DOCENT_TOKEN", "secret")
            .output()
            .expect("it runs");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "$HOME;  echo\n");
    }

    #[test]
    fn requests_of_a_server_are_answered() {
        let folder = Folder::new();
        let ran = run(["call", &format!("{} ping", server(&folder)), "say"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(
            ran.stdout,
            "{\"pong\":{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}},\"refusal\":{\"jsonrpc\":\"2.0\",\
             \"id\":9,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}}\n"
        );
    }

    #[test]
    fn a_hostile_command_ends_a_call_and_no_more() {
        let folder = Folder::new();
        for (what, code, said) in [
            ("wrong", 3, "a response has the id 77, which no request has"),
            ("exit", 3, "the command has ended"),
            ("silent", 3, "no answer within 1 s"),
            ("endless", 3, "a line of more than 64 MiB"),
            ("late", 0, ""),
        ] {
            let input = format!("{} {what}", server(&folder));
            let limit = if what == "endless" { "60" } else { "1" };
            let ran = run(["call", &input, "say", "--max-time", limit]);
            assert_eq!(ran.code, code, "{what}: {}", ran.stderr);
            assert!(ran.stderr.contains(said), "{what}: {}", ran.stderr);
        }
    }

    #[test]
    fn a_command_that_is_no_server_is_reported() {
        for (input, code, said) in [
            ("exec:", 2, "expected a command"),
            ("exec:sh 'a", 2, "a quotation mark is missing"),
            (
                "exec:/no/such/../command",
                3,
                "cannot start /no/such/../command",
            ),
            ("exec:true", 3, "the command has ended"),
            (
                "exec:printf 'Content-Length: 2\\r\\n\\r\\n{}'",
                3,
                "this server frames its messages by Content-Length",
            ),
        ] {
            let ran = run(["list", input]);
            assert_eq!(ran.code, code, "{input}: {}", ran.stderr);
            assert!(ran.stderr.contains(said), "{input}: {}", ran.stderr);
        }
    }
}
