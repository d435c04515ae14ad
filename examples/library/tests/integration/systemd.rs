//! The unit for systemd starts the program with flags that it has.

use std::ffi::OsString;
use std::path::Path;

use library::settings::{self, Command, TOKEN_VARIABLE};

const UNIT: &str = include_str!("../../systemd/library.service");

/// Returns the values of a setting.
fn values<'u>(name: &str) -> Vec<&'u str> {
    UNIT.lines()
        .filter_map(|line| line.split_once('='))
        .filter(|(other, _)| *other == name)
        .map(|(_, value)| value)
        .collect()
}

#[test]
fn the_unit_starts_the_library_with_flags_that_exist() {
    let [command] = *values("ExecStart") else {
        panic!("one command");
    };
    let mut words = command.split(' ');
    assert_eq!(words.next(), Some("/usr/local/bin/library"));
    // Arguments are visible to all users of the machine, so the token is not one.
    assert!(
        !command.contains("token") && !command.contains('$'),
        "{command}"
    );
    let arguments = words.map(OsString::from);
    let parsed = settings::parse(arguments).expect("flags that exist");
    let Command::Serve(settings) = parsed else {
        panic!("{parsed:?}");
    };
    assert_eq!(settings.token, None);
    assert!(UNIT.contains(&format!(
        "write `{TOKEN_VARIABLE}=…` to /etc/library.env (mode 0600)"
    )));
    assert_eq!(values("EnvironmentFile"), ["/etc/library.env"]);
    // The only folder that it may write to.
    let [state] = *values("StateDirectory") else {
        panic!("one folder");
    };
    assert_eq!(
        settings.database.parent(),
        Some(&*Path::new("/var/lib").join(state))
    );
}

#[test]
fn the_unit_waits_longer_than_a_graceful_shutdown_takes() {
    let [seconds] = *values("TimeoutStopSec") else {
        panic!("one time");
    };
    assert!(seconds.parse::<u64>().expect("seconds") > 30);
    for hardened in [
        "NoNewPrivileges",
        "ProtectHome",
        "PrivateTmp",
        "DynamicUser",
    ] {
        assert_eq!(values(hardened), ["yes"], "{hardened}");
    }
}
