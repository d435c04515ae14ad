use std::process::Stdio;

use crate::support::{data, data_text, docent, run};

#[test]
fn a_description_is_printed_in_each_format() {
    for (format, member) in [
        ("docent", "\"sdversion\": \"2.0\""),
        ("openrpc", "\"openrpc\": \"1.3.2\""),
        ("1.1", "\"sdversion\": \"1.0\""),
    ] {
        let ran = run(["describe", &data("shop.json"), "--as", format]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        assert!(
            ran.stdout.contains(member) && ran.stdout.contains("basket.add"),
            "{}",
            ran.stdout
        );
        assert!(ran.stdout.ends_with("}\n"));
    }
}

#[test]
fn its_own_format_is_what_is_printed_if_nothing_is_said() {
    let ran = run(["describe", &data("clock.1.1.json")]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout.contains("\"sdversion\": \"2.0\"") && ran.stdout.contains("What time it is.")
    );
}

#[test]
fn warnings_do_not_mix_with_what_is_printed() {
    let ran = run(["describe", &data("weather.openrpc.json")]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr
            .contains(":9:103: warning: /methods/0/params/1/colour:"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.starts_with('{'));
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let text = data_text("shop.json");
    let mut child = docent(["describe", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    std::io::Write::write_all(&mut child.stdin.take().expect("piped"), text.as_bytes())
        .expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}
