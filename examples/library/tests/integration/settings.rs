//! The command line.

use std::ffi::OsString;
use std::time::Duration;

use library::settings::{Command, Settings, SettingsError, parse};
use library::token::Token;

fn arguments(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

#[test]
fn flags_replace_defaults() {
    assert_eq!(parse([]), Ok(Command::Serve(Settings::default())));
    let Ok(Command::Serve(settings)) =
        parse(arguments("--database a.db --listen [::1]:0 --metrics"))
    else {
        panic!("not understood");
    };
    assert_eq!(settings.listen, "[::1]:0");
    assert_eq!(settings.database.to_str(), Some("a.db"));
    assert_eq!(settings.public_url, None);
    assert_eq!(settings.token, None);
    assert!(settings.metrics && !Settings::default().metrics);
    assert_eq!(
        parse(arguments("--listen 0.0.0.0:1 --help")),
        Ok(Command::Help)
    );
}

#[test]
fn a_value_may_stand_behind_an_equals_sign() {
    let line = "--listen=localhost:80 --database=a=b.db --public-url=https://a.example/rpc \
                --token=abc== --notice=15";
    let Ok(Command::Serve(settings)) = parse(arguments(line)) else {
        panic!("not understood");
    };
    assert_eq!(settings.listen, "localhost:80");
    assert_eq!(settings.database.to_str(), Some("a=b.db"));
    assert_eq!(
        settings.public_url.as_deref(),
        Some("https://a.example/rpc")
    );
    assert_eq!(settings.token, Token::new("abc=="));
    assert_eq!(settings.notice, Duration::from_secs(15));
}

#[test]
fn what_is_not_understood_is_named() {
    for (line, error) in [
        ("--port 80", SettingsError::Unknown("--port".into())),
        ("books.db", SettingsError::Unknown("books.db".into())),
        ("--listen", SettingsError::Missing("--listen")),
        ("--database", SettingsError::Missing("--database")),
        ("--listen 8080", SettingsError::NotAnAddress("8080".into())),
        ("--listen :80", SettingsError::NotAnAddress(":80".into())),
        (
            "--listen a:http",
            SettingsError::NotAnAddress("a:http".into()),
        ),
        ("--public-url", SettingsError::Missing("--public-url")),
        (
            "--public-url a.example/rpc",
            SettingsError::NotAUrl("a.example/rpc".into()),
        ),
        (
            "--public-url ftp://a.example",
            SettingsError::NotAUrl("ftp://a.example".into()),
        ),
        (
            "--metrics=no",
            SettingsError::Unknown("--metrics=no".into()),
        ),
        ("--notice", SettingsError::Missing("--notice")),
        ("--notice -1", SettingsError::NotSeconds("-1".into())),
        ("--token", SettingsError::Missing("--token")),
        ("--token=", SettingsError::NotAToken),
        ("--token=schlüssel", SettingsError::NotAToken),
    ] {
        assert_eq!(parse(arguments(line)), Err(error));
    }
}

#[test]
fn a_token_shows_itself_neither_in_the_settings_nor_in_what_is_wrong_with_it() {
    let Ok(command) = parse(arguments("--token Sesame-8")) else {
        panic!("not understood");
    };
    assert!(!format!("{command:?}").contains("Sesame"), "{command:?}");
    let error = parse([OsString::from("--token=Sesame 8")]).unwrap_err();
    assert!(
        !format!("{error} {error:?}").contains("Sesame"),
        "{error:?}"
    );
}
