//! Checks of servers of MCP that end, say nothing, or say too much.

use crate::support::{Folder, Ran, run, without_time};

/// A server in the language of the shell. `$1` is what is wrong with it. Its tool `boom` ends it if `$1` is
/// `dead` or `dying`, and `say` if it is `dead`.
const SERVER: &str = r#"
echo started >> "$0.starts"
while read -r line; do
  [ "$1" = chatty ] && echo '{"level":"error","error":"none","id":null}'
  id=${line#*'"id":'}; id=${id%%[,\}]*}
  answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
  case $line in
    *'"initialize"'*) answer '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh"}}';;
    *tools/list*)
      input=; [ "$1" = dead ] && input=',"properties":{"text":{"type":"string","description":"d"}}'
      next=; [ "$1" = looping ] && next=',"nextCursor":"again"'
      tool() { echo '{"name":"'"$1"'","description":"d","inputSchema":{"type":"object"'"$input"'},"annotations":{"readOnlyHint":true}}'; }
      answer '{"tools":['"$(tool boom)","$(tool say)"']'"$next}";;
    *tools/call*)
      case $1,$line in
        dead,*|dying,*'"boom"'*) exit 3;;
        failing,*) answer '{"content":[{"type":"text","text":"no key"}],"isError":true}';;
        bare,*) answer '{"structuredContent":{"a":1}}';;
        differing,*) answer '{"content":[{"type":"text","text":"{}"}],"structuredContent":{"a":1}}';;
        *) answer '{"content":[{"type":"text","text":"done"}]}';;
      esac;;
    *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}\n' "$id";;
  esac
done
"#;

struct Checked {
    folder: Folder,
    input: String,
    ran: Ran,
}

fn check(what: &str) -> Checked {
    let folder = Folder::new();
    let input = format!("exec:sh '{}' {what}", folder.write("server", SERVER));
    let ran = run([
        "check",
        &input,
        "--rate",
        "1000",
        "--seed",
        "1",
        "--allow",
        "undocumented",
    ]);
    Checked { folder, input, ran }
}

#[test]
fn a_server_that_keeps_to_its_description_passes() {
    let Checked { ran, .. } = check("honest");
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("the description holds"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_call_that_ends_the_server_is_named_and_the_check_goes_on() {
    let Checked { folder, input, ran } = check("dying");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let said = "connection-closed: procedure `boom`: the command has ended (exit status: 3)";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    assert!(
        without_time(&ran.stdout).contains("calls of 2 procedures, 0 not tried"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("procedure `say`"), "{}", ran.stdout);
    let reproduction = ran
        .stdout
        .lines()
        .find(|line| line.trim_start().starts_with("docent call --no-check"));
    assert!(
        reproduction.is_some_and(|line| line.ends_with(" boom")),
        "{}",
        ran.stdout
    );
    assert!(folder.has("server"));
    let again = run(["call", "--no-check", &input, "boom"]);
    assert_eq!(again.code, 3);
    assert!(
        again.stderr.contains("the command has ended"),
        "{}",
        again.stderr
    );
}

#[test]
fn a_server_that_every_call_ends_is_not_started_for_ever() {
    let Checked { folder, ran, .. } = check("dead");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    for tool in ["boom", "say"] {
        let said = format!("connection-closed: procedure `{tool}`");
        assert!(ran.stdout.contains(&said), "{}", ran.stdout);
    }
    assert!(
        ran.stdout
            .contains("calls ended the server, so it was left alone")
    );
    let starts = folder.read("server.starts").lines().count();
    assert!((3..120).contains(&starts), "{starts}");
}

#[test]
fn a_server_whose_calls_all_fail_shows_nothing() {
    let Checked { ran, .. } = check("failing");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let said = "nothing-tried: no response shows whether the description holds: no call gave a result, and the \
                last one gave error -32000 (no key)";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    assert!(ran.stdout.contains(": nothing was shown"), "{}", ran.stdout);
    assert!(
        !ran.stdout.contains("the description holds\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn json_that_is_no_message_is_skipped_with_one_warning() {
    let Checked { ran, .. } = check("chatty");
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let said = "writes to its standard output a line that is not a message";
    assert_eq!(ran.stderr.matches(said).count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains(r#"{"level":"error""#), "{}", ran.stderr);
}

#[test]
fn a_cursor_that_does_not_advance_ends_the_list_with_what_was_read() {
    let Checked { folder, input, ran } = check("looping");
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let said = "tools/list gives the cursor \"again\" again, so the list ends there";
    assert_eq!(ran.stderr.matches(said).count(), 1, "{}", ran.stderr);
    assert!(folder.has("server"));
    let listed = run(["list", &input]);
    assert_eq!((listed.code, &*listed.stdout), (0, "boom\td\nsay\td\n"));
}

#[test]
fn content_that_is_missing_or_differs_is_a_finding() {
    for (what, said) in [
        (
            "bare",
            "procedure `say`: the result of the tool has no `content`",
        ),
        (
            "differing",
            "procedure `say`: the text of `content` is \"{}\", and `structuredContent` is {\"a\":1}",
        ),
    ] {
        let Checked { ran, .. } = check(what);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        let line = format!("tool-content: {said}");
        assert!(ran.stdout.contains(&line), "{}", ran.stdout);
    }
}
