//! Completion in real shells, with names that would like to be commands.

use std::path::Path;
use std::process::Command;

use crate::service::{Response, Server};
use crate::support::{Folder, data_text, docent, run};

const HOSTILE: &str = r#"{"sdversion": "2.0", "name": "x", "id": "urn:x", "procs": [
  {"name": "$(touch owned)", "summary": "$(touch owned)"}, {"name": "`touch owned`"}, {"name": "a;touch owned"},
  {"name": "it's \"it\" \\ ~ * ${HOME} <&>"}, {"name": "~"}, {"name": "*"}, {"name": "--output=owned"},
  {"name": "clear\u001b[2J"}, {"name": "line\nend"}, {"name": "\u202eleft"},
  {"name": "book.find", "summary": "\u001b[2JFinds\n\u202ea `book`", "params": [
    {"name": "$(touch owned)", "type": "str", "required": true},
    {"name": "sort", "type": "str", "schema": {"enum": ["$(touch owned)", "a b", "up", "-1"]}}]},
  {"name": "buch.öffnen"}]}"#;

/// Returns the candidates that bash would offer at the end of a line.
fn offered(line: &str, folder: &Folder) -> Vec<String> {
    let script = r#"
        source <(docent completions bash)
        COMP_WORDBREAKS=$' \t\n"\'@><=;|&(:'
        COMP_LINE=$1 COMP_POINT=${#1}
        _docent
        for word in "${COMPREPLY[@]}"; do printf '%s\n' "$word"; done"#;
    bash(script, &[line], folder)
}

fn bash(script: &str, arguments: &[&str], folder: &Folder) -> Vec<String> {
    shell("bash", &["--norc", "-c", script, "bash"], arguments, folder).expect("bash runs")
}

/// The lines that a shell prints; `None` if it is not installed.
fn shell(name: &str, options: &[&str], arguments: &[&str], folder: &Folder) -> Option<Vec<String>> {
    let program = Path::new(env!("CARGO_BIN_EXE_docent"));
    let bin = program.parent().expect("a folder").to_str().expect("UTF-8");
    let path = std::env::var("PATH").expect("there");
    let mut command = Command::new(name);
    command.args(options).args(arguments);
    command
        .current_dir(folder.path("."))
        .env("PATH", format!("{bin}:{path}"));
    command.env_remove("DOCENT_TOKEN");
    let output = command.output().ok()?;
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    Some(text.lines().map(str::to_owned).collect())
}

#[test]
fn commands_options_and_values_are_completed() {
    let folder = Folder::new();
    assert_eq!(offered("docent de", &folder), ["describe"]);
    assert_eq!(offered("docent diff --form", &folder), ["--format"]);
    assert!(offered("docent call u --ma", &folder).contains(&"--max-time".to_owned()));
    assert_eq!(
        offered("docent describe x --format openrpc-1.4", &folder),
        ["openrpc-1.4.1"]
    );
    assert_eq!(offered("docent completions f", &folder), ["fish"]);
    assert_eq!(offered("docent new x --keys p", &folder), ["postgres"]);
    assert!(offered("docent call 'ht", &folder).is_empty());
    assert!(offered("docent complete-w", &folder).is_empty());
}

#[test]
fn procedures_parameters_and_values_are_completed_from_the_service() {
    let folder = Folder::new();
    let text = data_text("shop.json");
    let server = Server::start(move |request| Response::of_service(request, "rpc.describe", &text));
    let url = server.url("/rpc");
    assert_eq!(
        offered(&format!("docent call {url} basket.a"), &folder),
        ["basket.add"]
    );
    assert_eq!(
        offered(&format!("docent describe {url} basket.c"), &folder),
        ["basket.clear"]
    );
    let parameters = offered(&format!("docent call {url} basket.add "), &folder);
    assert!(!parameters.is_empty() && parameters.iter().all(|candidate| candidate.ends_with('=')));
}

#[test]
fn a_service_that_does_not_answer_holds_nobody_up() {
    let folder = Folder::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("bound"));
    let start = std::time::Instant::now();
    assert!(offered(&format!("docent call {url} a"), &folder).is_empty());
    // It waits for a second; other commands wait longer for a description.
    assert!(start.elapsed() < std::time::Duration::from_secs(20));
}

/// Words after the name of a hostile service, the last as far as the cursor, and what is offered there.
const OFFERED: [(&[&str], &[&str]); 5] = [
    (&[""], &["book.find", "buch.öffnen"]),
    (&["book."], &["book.find"]),
    (&["book.find", ""], &["sort="]),
    (&["book.find", "sort="], &["sort=up", "sort=-1"]),
    (&["book.find", "--", "'it is'", ""], &["up"]),
];

#[test]
fn bash_offers_harmless_names_alone_and_runs_none() {
    let folder = Folder::new();
    let document = folder.write("x.json", HOSTILE);
    for (typed, names) in OFFERED {
        let line = format!("docent call {document} {}", typed.join(" "));
        // bash inserts what follows the last character at which it breaks words.
        let kept = if line.ends_with('=') { "sort=" } else { "" };
        let ends: Vec<_> = names
            .iter()
            .filter_map(|name| name.strip_prefix(kept))
            .collect();
        assert_eq!(offered(&line, &folder), ends, "{line}");
    }
    assert!(!folder.has("owned"));
}

#[test]
fn nothing_that_a_terminal_would_obey_is_said_about_a_name() {
    let folder = Folder::new();
    let document = folder.write("x.json", HOSTILE);
    let words = ["complete-words", "--", "docent", "call", &document, "bo"];
    let output = docent(words).output().expect("it runs");
    assert_eq!(
        String::from_utf8(output.stdout).expect("UTF-8"),
        "book.find\t[U+001B][2JFinds [U+202E]a `book`\n"
    );
}

#[test]
fn the_script_of_each_shell_that_is_here_is_accepted_by_it() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.write(shell, &run(["completions", shell]).stdout);
        // Shells that are not installed are not asked.
        if let Ok(output) = Command::new(shell).args(["-n", &script]).output() {
            assert!(
                output.status.success(),
                "{shell}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
}

#[test]
fn fish_offers_harmless_names_alone_and_runs_none() {
    let folder = Folder::new();
    let document = folder.write("x.json", HOSTILE);
    let script = "docent completions fish | source; complete -C $argv[1]";
    for (typed, names) in OFFERED {
        let line = format!("docent call {document} {}", typed.join(" "));
        let options = ["--no-config", "-c", script];
        // Nothing to test where there is no fish; CI installs it.
        let Some(lines) = shell("fish", &options, &[&line], &folder) else {
            return;
        };
        let words: Vec<_> = lines
            .iter()
            .filter_map(|line| line.split('\t').next())
            // fish adds names of files.
            .filter(|word| !word.ends_with("x.json"))
            .collect();
        assert_eq!(words, names, "{line}");
    }
    assert!(!folder.has("owned"));
}

#[test]
fn zsh_offers_harmless_names_alone_and_runs_none() {
    let folder = Folder::new();
    let document = folder.write("x.json", HOSTILE);
    // The words that the completion system would be given, without a terminal.
    let script = r#"
        compdef() { : }
        _files() { : }
        compadd() {
            while [[ $1 != -- ]]; do shift; done
            shift
            print -rl -- "$@"
        }
        source <(docent completions zsh)
        words=(docent call "$@") CURRENT=$((2 + $#))
        _docent"#;
    for (typed, names) in OFFERED {
        let arguments: Vec<&str> = [document.as_str()].iter().chain(typed).copied().collect();
        let options = ["-f", "-c", script, "zsh"];
        let Some(found) = shell("zsh", &options, &arguments, &folder) else {
            return;
        };
        assert_eq!(found, names, "{typed:?}");
    }
    assert!(!folder.has("owned"));
}
