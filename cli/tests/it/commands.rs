//! Services of plain JSON-RPC that are commands: one message on each line.

use crate::support::{Folder, run};

/// A service in the language of the shell. It writes what it reads into a file beside it. `$1` is the procedure that
/// describes it, and `$2` what it does at a call.
const SERVICE: &str = r#"
echo 'hello, I am no message'
while read -r line; do
  echo "$line" >> "$0.read"
  id=${line##*'"id":'}; id=${id%%[,\}]*}
  answer() { printf '{"jsonrpc":"2.0","result":%s,"id":%s}\r\n' "$1" "$id"; }
  error() { printf '{"jsonrpc":"2.0","error":{"code":%s,"message":"%s"},"id":%s}\n' "$1" "$2" "$id"; }
  case $line in
    \[*) echo '[{"jsonrpc":"2.0","result":7,"id":2},{"jsonrpc":"2.0","result":6,"id":1}]';;
    *'"method":"'$1'"'*) answer '{"sdversion":"1.0","name":"sums","id":"urn:uuid:1b7e4f8a-7a77-4b0e-9a3e-3f6f0a9d1c58","procs":[{"name":"twice","summary":"Doubles.","idempotent":true,"params":[{"name":"a","type":"num"}],"return":"num"}]}';;
    *'"method":"twice"'*)
      case $2 in
        late) sleep 2; answer 1;;
        exit) exit 3;;
        other) id=77; answer 1;;
        *) case $line in
          *'"id":'*)
            echo '{"jsonrpc":"2.0","method":"news","params":{}}'
            answer 5;;
          esac;;
      esac;;
    *) error -32601 'Method not found';;
  esac
done
echo ended > "$0.ended"
"#;

fn service(folder: &Folder, describes: &str) -> String {
    let script = folder.write("a service", SERVICE);
    format!("exec:sh '{script}' {describes}")
}

/// Returns the methods that the service has read, in order.
fn methods(folder: &Folder) -> Vec<String> {
    let read = folder.read("a service.read");
    read.lines()
        .filter_map(|line| {
            let (_, rest) = line.split_once(r#""method":""#)?;
            rest.split('"').next().map(str::to_owned)
        })
        .collect()
}

#[test]
fn a_service_on_lines_is_asked_for_mcp_first_and_then_for_its_description() {
    for (describes, asked) in [
        ("rpc.describe", &["initialize", "rpc.describe"][..]),
        (
            "rpc.discover",
            &["initialize", "rpc.describe", "rpc.discover"],
        ),
    ] {
        let folder = Folder::new();
        let ran = run(["list", &service(&folder, describes)]);
        assert_eq!(
            (ran.code, &*ran.stdout),
            (0, "twice\tDoubles.\n"),
            "{}",
            ran.stderr
        );
        assert_eq!(methods(&folder), asked);
        assert!(folder.has("a service.ended"));
    }
    let folder = Folder::new();
    let ran = run(["list", &service(&folder, "nothing")]);
    assert_eq!(ran.code, 4);
    for said in [
        "MCP: initialize: Method not found",
        "rpc.describe: -32601 Method not found",
        "rpc.discover: -32601 Method not found",
    ] {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn its_procedures_are_called_and_described_as_those_of_any_service() {
    let folder = Folder::new();
    let input = service(&folder, "rpc.describe");
    let file = folder.arg("sums.json");
    for (arguments, code, printed) in [
        (&["call", &input, "twice", "a=2"][..], 0, "5\n"),
        (&["call", &input, "twice", "a=x"], 2, "nothing was sent"),
        (&["call", &input, "twice", "a=2", "--notify"], 0, ""),
        (
            &["call", &input, "twice", "--get"],
            2,
            "a command has no GET",
        ),
        (&["describe", &input, "-o", &file], 0, ""),
        (&["diff", &file, &input], 0, ""),
        (
            &["call", &file, "twice", "a=2", "--address", &input],
            0,
            "5\n",
        ),
        (
            &["call", &input, "nothing", "--no-check"],
            1,
            "-32601: Method not found",
        ),
    ] {
        let ran = run(arguments.iter().copied());
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        let text = if code == 0 { &ran.stdout } else { &ran.stderr };
        assert!(text.contains(printed), "{arguments:?}: {text}");
    }
    let dry = run(["call", &input, "twice", "a=2", "--dry-run"]);
    let (printf, shell) = dry.stdout.split_once(" | ").expect("a pipe");
    assert!(
        printf.starts_with("printf '%s\\n' '{\"jsonrpc\""),
        "{printf}"
    );
    assert_eq!(shell.trim_end(), input.trim_start_matches("exec:"));
    let calls = folder.write("calls", "{\"a\":1}\n{\"a\":2}\n");
    let ran = run(["call", &input, "twice", "--batch", &calls]);
    assert_eq!(ran.stdout, "6\n7\n", "{}", ran.stderr);
    let ran = run(["docs", &input, "-o", &folder.arg("site")]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!folder.read("site/twice.md").contains("exec:"));
}

#[test]
fn without_a_check_nothing_is_said_before_the_call() {
    let folder = Folder::new();
    let input = service(&folder, "rpc.describe");
    let key = ["--idempotency-key", "k-1"];
    let ran = run(["call", &input, "twice", "--params", "[2]", "--no-check"]
        .into_iter()
        .chain(key));
    assert_eq!((ran.code, &*ran.stdout), (0, "5\n"), "{}", ran.stderr);
    let read = folder.read("a service.read");
    assert_eq!(
        read,
        "{\"x-idempotency-key\":\"k-1\",\"jsonrpc\":\"2.0\",\"method\":\"twice\",\"params\":[2],\"id\":1}\n"
    );
}

#[test]
fn a_check_calls_a_service_on_lines_and_knows_that_it_has_no_get() {
    let folder = Folder::new();
    let input = service(&folder, "rpc.describe");
    let ran = run([
        "check",
        &input,
        "--rate",
        "1000",
        "--max-calls",
        "40",
        "--seed",
        "1",
    ]);
    // It takes all parameters, and answers each batch in the same way.
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("wider-than-published"),
        "{}",
        ran.stdout
    );
    for never in ["get-", "curl", "HTTP"] {
        assert!(!ran.stdout.contains(never), "{never}: {}", ran.stdout);
    }
    let ran = run([
        "check",
        "--wire",
        &input,
        "--only",
        "twice",
        "--max-time",
        "0.5",
    ]);
    for rule in ["notification:", "batch:", "id-string:", "method-not-found:"] {
        assert!(
            ran.stdout.contains(&format!(" {rule}")),
            "{rule}: {}",
            ran.stdout
        );
    }
    assert!(ran.stdout.contains("a line without text is no message"));
}

#[test]
fn a_service_that_does_not_answer_ends_a_call_and_no_more() {
    for (what, code, said) in [
        ("late", 3, "no answer within 1 s"),
        ("exit", 3, "the command has ended"),
        ("other", 3, "a response has the id 77, which no request has"),
    ] {
        let folder = Folder::new();
        let input = format!("{} {what}", service(&folder, "rpc.describe"));
        let ran = run(["call", &input, "twice", "a=1", "--max-time", "1"]);
        assert_eq!(ran.code, code, "{what}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{what}: {}", ran.stderr);
    }
}
