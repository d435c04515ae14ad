//! The container image and the compose file: they build and start what is tested, and nothing runs with
//! more rights than it needs.

use std::fs;
use std::path::Path;

use library::settings::{self, Command};
use serde_json::json;

use crate::compose::{Compose, INSTANCES};

const CONTAINERFILE: &str = include_str!("../../container/Containerfile");
const INSTANCE_SETTINGS: &str = include_str!("../../container/instances.conf");
const LISTEN: &str = include_str!("../../container/listen.conf");
const HAPROXY: &str = include_str!("../../container/haproxy.cfg");
const NGINX: &str = include_str!("../../nginx/nginx.conf");
const WORKSPACE: &str = include_str!("../../../../Cargo.toml");

/// The task that tests several instances.
const CLUSTER: &str = include_str!("../../../../xtask/src/cluster.rs");

/// Returns the instructions of the Containerfile: the name of each, and the rest.
fn instructions() -> Vec<(&'static str, &'static str)> {
    CONTAINERFILE
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split_once(' ').unwrap())
        .collect()
}

/// Returns the texts after the instructions of a name.
fn values(instruction: &str) -> Vec<&'static str> {
    instructions()
        .into_iter()
        .filter(|(name, _)| *name == instruction)
        .map(|(_, value)| value)
        .collect()
}

/// Returns whether an image has a version other than `latest`.
fn is_pinned(image: &str) -> bool {
    let name = image.strip_prefix("docker.io/library/");
    let tag = name.and_then(|name| name.split_once(':'));
    tag.is_some_and(|(_, tag)| !tag.is_empty() && tag != "latest")
}

#[test]
fn the_image_is_built_with_the_command_that_the_tests_of_several_instances_use() {
    let [build, user] = *values("RUN") else {
        panic!("two commands");
    };
    assert_eq!(
        build,
        "cargo build --locked --profile dist --package library --features library/postgres"
    );
    // Beside what the image needs, that task builds the soak, and it takes another profile.
    let tested = CLUSTER.split('"').find(|text| text.starts_with("build "));
    let tested = tested.unwrap().replace(" --package soak", "");
    assert_eq!(
        build.replace(" --profile dist", ""),
        format!("cargo {}", tested.replace(" --release", ""))
    );
    assert!(WORKSPACE.contains("\n[profile.dist]\n"));
    assert!(user.starts_with("useradd --system "), "{user}");
}

#[test]
fn the_image_has_pinned_parts_a_user_without_rights_and_the_programs_flags() {
    let images: Vec<_> = values("FROM")
        .iter()
        .map(|from| from.split(' ').next().unwrap())
        .collect();
    assert!(images.iter().all(|image| is_pinned(image)), "{images:?}");
    let rust = WORKSPACE
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = "));
    let rust = format!(
        "docker.io/library/rust:{}-slim-bookworm",
        rust.unwrap().trim_matches('"')
    );
    assert_eq!(images[0], rust);
    let names: Vec<_> = instructions().iter().map(|(name, _)| *name).collect();
    for known in &names {
        let known = [
            "FROM",
            "WORKDIR",
            "COPY",
            "RUN",
            "USER",
            "VOLUME",
            "EXPOSE",
            "STOPSIGNAL",
            "ENTRYPOINT",
            "CMD",
        ]
        .contains(known);
        assert!(known, "{names:?}");
    }
    // A number, so that a cluster can see that it is not root.
    assert_eq!(values("USER"), ["10001"]);
    assert_eq!(values("STOPSIGNAL"), ["SIGTERM"]);
    let entry: Vec<String> = serde_json::from_str(values("ENTRYPOINT")[0]).unwrap();
    let copied = values("COPY")
        .into_iter()
        .find_map(|copy| copy.strip_prefix("--from=build "));
    let (from, to) = copied.unwrap().split_once(' ').unwrap();
    assert_eq!(
        (entry, from),
        (vec![to.to_owned()], "/source/target/dist/library")
    );
    let arguments: Vec<String> = serde_json::from_str(values("CMD")[0]).unwrap();
    let parsed = settings::parse(arguments.into_iter().map(Into::into));
    let Ok(Command::Serve(settings)) = parsed else {
        panic!("{parsed:?}");
    };
    assert!(settings.listen.ends_with(values("EXPOSE")[0]));
    assert!(settings.database.is_relative());
    assert_eq!(values("WORKDIR")[1..], values("VOLUME"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let ignored = fs::read_to_string(root.join(".dockerignore")).unwrap();
    assert!(ignored.lines().any(|line| line == "target"), "{ignored}");
}

#[test]
fn the_services_start_in_order_each_when_those_before_it_are_healthy() {
    let compose = Compose::read();
    let order = compose.order();
    assert_eq!(order[0], "database");
    assert_eq!(order[4], "proxy");
    for (name, service) in compose.services() {
        for (other, how) in service["depends_on"].as_object().into_iter().flatten() {
            assert_eq!(how["condition"], "service_healthy", "{name}");
            assert!(compose.service(other)["healthcheck"].is_object(), "{other}");
        }
        assert_eq!(service["restart"], "unless-stopped");
        let image = service["image"].as_str().unwrap();
        assert!(is_pinned(image) || image == "library", "{image}");
    }
    for instance in INSTANCES {
        assert!(compose.service("proxy")["depends_on"][instance].is_object());
        let service = compose.service(instance);
        assert_eq!(service["cap_drop"], json!(["ALL"]));
        assert_eq!(service["read_only"], true);
        let Ok(Command::Serve(settings)) = settings::parse(compose.arguments(instance)) else {
            panic!("{instance}");
        };
        assert_eq!(settings.token, None, "arguments are visible to all");
        let database = settings.database.to_str().unwrap();
        let at = "postgres://library@database/library";
        assert_eq!(database, at, "without a password");
        let stops = service["stop_grace_period"].as_str().unwrap();
        let stops: u64 = stops.strip_suffix('s').unwrap().parse().unwrap();
        assert!(stops > settings.notice.as_secs() + 30, "{stops}");
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("container");
        let built = built.join(service["build"]["context"].as_str().unwrap());
        assert!(
            built
                .join(service["build"]["dockerfile"].as_str().unwrap())
                .is_file()
        );
    }
    // Secrets come from the environment, and are required.
    let secrets = [
        ("database", "POSTGRES_PASSWORD"),
        ("one", "PGPASSWORD"),
        ("one", "LIBRARY_TOKEN"),
    ];
    for (service, variable) in secrets {
        let value = &compose.service(service)["environment"][variable];
        assert!(value.as_str().unwrap().contains(":?"), "{value}");
    }
}

#[test]
fn the_proxy_has_the_tested_configuration_with_other_addresses() {
    let compose = Compose::read();
    let words = compose.words("proxy", "/command");
    let place = words
        .iter()
        .find_map(|word| word.strip_suffix("nginx.conf"));
    let place = place.unwrap();
    assert_eq!(
        compose.words("proxy", "/volumes"),
        [
            format!("../nginx/nginx.conf:{place}nginx.conf:ro"),
            format!("./instances.conf:{place}instances.conf:ro"),
            format!("./listen.conf:{place}listen.conf:ro"),
        ]
    );
    for file in ["instances.conf", "listen.conf"] {
        assert!(NGINX.contains(&format!("        include {file};\n")));
    }
    let lines = INSTANCES.map(|name| format!("server {name}:8080 max_fails=0;\n"));
    assert_eq!(INSTANCE_SETTINGS, lines.concat());
    assert_eq!(LISTEN, "listen 8080;\n");
    for instance in INSTANCES {
        let line = format!("    server {instance} {instance}:8080\n");
        assert!(HAPROXY.contains(&line), "{line}");
    }
    assert!(HAPROXY.contains("option httpchk GET /health\n"));
    // It repeats nothing that may have been done.
    assert!(HAPROXY.contains("    retry-on conn-failure\n"));
}
