//! Completion in real shells, with names that would like to be commands.

use std::path::Path;
use std::process::Command;

use crate::service::{Answer, Server};
use crate::support::{Folder, data_text, docent, run};

const HOSTILE: &str = r#"{"sdversion": "2.0", "name": "x", "id": "urn:x", "procs": [
  {"name": "$(touch owned)", "summary": "$(touch owned)"}, {"name": "`touch owned`"}, {"name": "a;touch owned"},
  {"name": "it's \"it\" \\ ~ * ${HOME} <&>"}, {"name": "book.find"},
  {"name": "clear\u001b[2J"}, {"name": "line\nend"}, {"name": "\u202eleft"},
  {"name": "$(touch owned).x", "params": [{"name": "$(touch owned)", "type": "str", "required": true,
    "schema": {"enum": ["$(touch owned)", "b"]}}]}]}"#;

/// What bash would offer at the end of a line.
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
    command
        .env("XDG_CACHE_HOME", folder.path("cache"))
        .env_remove("DOCENT_TOKEN");
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
    assert!(offered("docent call 'ht", &folder).is_empty());
    assert!(offered("docent complete-w", &folder).is_empty());
}

#[test]
fn procedures_parameters_and_values_are_completed_from_the_service_and_then_from_the_cache() {
    let folder = Folder::new();
    let text = data_text("shop.json");
    let server = Server::start(move |request| Answer::of_service(request, "rpc.describe", &text));
    let url = server.url("/rpc");
    assert_eq!(
        offered(&format!("docent call {url} basket.a"), &folder),
        ["basket.add"]
    );
    let asked = server.requests().len();
    assert_eq!(
        offered(&format!("docent describe {url} basket.c"), &folder),
        ["basket.clear"]
    );
    let parameters = offered(&format!("docent call {url} basket.add "), &folder);
    assert!(!parameters.is_empty() && parameters.iter().all(|it| it.ends_with('=')));
    assert_eq!(server.requests().len(), asked);
}

#[test]
fn a_service_that_does_not_answer_holds_nobody_up() {
    let folder = Folder::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("bound"));
    let start = std::time::Instant::now();
    assert!(offered(&format!("docent call {url} a"), &folder).is_empty());
    assert!(start.elapsed() < std::time::Duration::from_secs(4));
}

#[test]
fn no_name_is_run_by_bash() {
    let folder = Folder::new();
    let document = folder.write("x.json", HOSTILE);
    let names = offered(&format!("docent call {document} "), &folder);
    assert_eq!(
        names,
        [
            r"\$\(touch\ owned\)",
            r"\`touch\ owned\`",
            r"a\;touch\ owned",
            r#"it\'s\ \"it\"\ \\\ \~\ \*\ \$\{HOME\}\ \<\&\>"#,
            "book.find",
            r"\$\(touch\ owned\).x",
        ]
    );
    // A part of a name, as an earlier completion has left it.
    let line = format!(r"docent call {document} \$\(touch\ owned\).");
    assert_eq!(offered(&line, &folder), [r"\$\(touch\ owned\).x"]);
    let line = format!(r"docent call {document} \$\(touch\ owned\).x ");
    assert_eq!(offered(&line, &folder), [r"\$\(touch\ owned\)="]);
    let line = format!(r"docent call {document} \$\(touch\ owned\).x \$\(touch\ owned\)=");
    assert_eq!(offered(&line, &folder), [r"\$\(touch\ owned\)", "b"]);
    for name in &names {
        // What somebody runs who takes the word that is offered.
        let words = bash(
            r#"eval "set -- $1"; printf '%s\n' "$#" "$1""#,
            &[name],
            &folder,
        );
        assert_eq!(words[0], "1", "{name}");
        assert!(
            HOSTILE
                .replace("\\\"", "\"")
                .replace("\\\\", "\\")
                .contains(&words[1]),
            "{words:?}"
        );
    }
    assert!(!folder.has("owned"));
}

#[test]
fn other_shells_get_words_as_they_are_without_those_that_a_terminal_would_obey() {
    let folder = Folder::new();
    let document = folder.write("x.json", HOSTILE);
    for shell in ["zsh", "fish"] {
        let arguments = [
            "complete-words",
            shell,
            "--",
            "docent",
            "call",
            &document,
            "$",
        ];
        let output = docent(arguments).output().expect("it runs");
        assert_eq!(
            String::from_utf8(output.stdout).expect("UTF-8"),
            "$(touch owned)\t$(touch owned)\n$(touch owned).x\n"
        );
        let ran = run(["completions", shell]);
        assert!(ran.code == 0 && ran.stdout.contains("complete-words"));
    }
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

/// What can be typed before a hostile name is completed, and the names that are then offered. Each shell
/// escapes what it inserts.
const TYPED: [(&str, &[&str]); 4] = [
    (r"\$\(touch\ owned\).", &["$(touch owned).x"]),
    (r"a\;", &["a;touch owned"]),
    (r"it\'s\ ", &[r#"it's "it" \ ~ * ${HOME} <&>"#]),
    ("book.", &["book.find"]),
];

#[test]
fn fish_offers_names_whose_parts_are_escaped_and_runs_none() {
    let folder = Folder::new();
    let document = folder.write("x.json", HOSTILE);
    let script = "docent completions fish | source; complete -C $argv[1]";
    let offered = |typed: &str| {
        let line = format!("docent call {document} {typed}");
        let lines = shell("fish", &["--no-config", "-c", script], &[&line], &folder)?;
        let names = lines.iter().map(|line| line.split('\t').next());
        Some(names.flatten().map(str::to_owned).collect::<Vec<_>>())
    };
    for (typed, names) in TYPED {
        // Nothing to test where there is no fish; CI installs it.
        let Some(found) = offered(typed) else { return };
        assert_eq!(found, names, "{typed}");
    }
    let all = offered("").expect("it was there a moment ago");
    assert!(all.contains(&"$(touch owned)".to_owned()), "{all:?}");
    assert!(!folder.has("owned"));
}

#[test]
fn zsh_offers_names_whose_parts_are_escaped_and_runs_none() {
    let folder = Folder::new();
    let document = folder.write("x.json", HOSTILE);
    // What the completion system would be given, without a terminal.
    let script = r#"
        compdef() { : }
        _files() { : }
        compadd() {
            while [[ $1 != -- ]]; do shift; done
            shift
            print -rl -- "$@"
        }
        source <(docent completions zsh)
        words=(docent call "$1" "$2") CURRENT=4
        _docent"#;
    for (typed, names) in TYPED {
        let given = [document.as_str(), typed];
        let options = ["-f", "-c", script, "zsh"];
        let Some(found) = shell("zsh", &options, &given, &folder) else {
            return;
        };
        assert_eq!(found, names, "{typed}");
    }
    assert!(!folder.has("owned"));
}
