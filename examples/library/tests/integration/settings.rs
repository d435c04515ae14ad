//! The command line.

use std::ffi::OsString;

use library::settings::{Command, Settings, SettingsError, parse};

fn arguments(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

#[test]
fn flags_replace_defaults() {
    assert_eq!(parse([]), Ok(Command::Serve(Settings::default())));
    let Ok(Command::Serve(settings)) = parse(arguments("--database a.db --listen [::1]:0")) else {
        panic!("not understood");
    };
    assert_eq!(settings.listen.to_string(), "[::1]:0");
    assert_eq!(settings.database.to_str(), Some("a.db"));
    assert_eq!(
        parse(arguments("--listen 0.0.0.0:1 --help")),
        Ok(Command::Help)
    );
}

#[test]
fn what_is_not_understood_is_named() {
    for (line, error) in [
        ("--port 80", SettingsError::Unknown("--port".into())),
        ("books.db", SettingsError::Unknown("books.db".into())),
        ("--listen", SettingsError::Missing("--listen")),
        ("--database", SettingsError::Missing("--database")),
        ("--listen 8080", SettingsError::NotAnAddress("8080".into())),
    ] {
        assert_eq!(parse(arguments(line)), Err(error));
    }
}
