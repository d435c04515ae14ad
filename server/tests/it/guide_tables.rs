//! Tables of the guide, against what they are about.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use docent::{Fault, HttpOptions, Service, procedure};
use docent_tools::client::{self, Integers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const INDEX: &str = include_str!("../../guide/index.md");
const PARAMETERS: &str = include_str!("../../guide/parameters.md");
const DEPLOYMENT: &str = include_str!("../../guide/deployment.md");
const ACCESS: &str = include_str!("../../guide/access.md");
const DESCRIPTION: &str = include_str!("../../guide/description.md");
const MANIFEST: &str = include_str!("../../Cargo.toml");
const TOWER: &str = include_str!("../../../tower/Cargo.toml");

/// Returns the rows of the table whose head begins like this.
fn rows(page: &'static str, head: &str) -> Vec<Vec<&'static str>> {
    let (_, table) = page.split_once(head).expect("the table");
    table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches(['|', ' ']).split(" | ").collect())
        .collect()
}

/// Returns the features of a manifest that users may choose.
fn features(manifest: &str) -> BTreeSet<&str> {
    let (_, table) = manifest.split_once("[features]\n").expect("features");
    table
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| Some(line.split_once(" = ")?.0))
        .filter(|name| *name != "default" && !name.starts_with(['#', '_']))
        .collect()
}

/// Returns the number of crates that `docent` has in its tree with a feature.
fn crates(feature: &str) -> usize {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--prefix", "none", "--edges", "normal"])
        .args(["--package", "docent", "--no-default-features"])
        .args(["--features", feature])
        .output()
        .expect("cargo");
    let tree = String::from_utf8(tree.stdout).expect("UTF-8");
    let crates: BTreeSet<(&str, &str)> = tree
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            words.next().zip(words.next())
        })
        .collect();
    crates.len()
}

#[test]
fn the_guide_lists_every_feature_with_the_crates_that_it_adds() {
    let rows = rows(INDEX, "| feature of `docent` |");
    let none = crates("");
    assert_eq!(rows[0][2], none.to_string());
    let listed: BTreeMap<&str, &str> = rows[1..]
        .iter()
        .map(|row| (row[0].trim_start_matches('`'), row[2]))
        .map(|(name, crates)| (name.split('`').next().unwrap_or_default(), crates))
        .collect();
    let mut names: BTreeSet<&str> = listed.keys().copied().collect();
    assert_eq!(names, features(MANIFEST));
    for (name, added) in &listed {
        assert_eq!(*added, format!("+{}", crates(name) - none), "{name}");
    }
    assert!(MANIFEST.contains("\ndefault = [\"docs\"]\n"));
    // As the sentence below the table says.
    names.retain(|name| !["tls", "client", "client-tls"].contains(name));
    names.insert("axum");
    assert_eq!(names, features(TOWER));
}

#[test]
fn the_guide_names_each_option_of_http() {
    let options = format!("{:#?}", HttpOptions::default());
    let fields = options.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("    ")?.split_once(": ")?;
        (!name.starts_with(' ')).then_some(name)
    });
    for option in fields.filter(|name| !["cors_origins", "public_hosts"].contains(name)) {
        assert!(
            [DEPLOYMENT, ACCESS, DESCRIPTION]
                .iter()
                .any(|page| page.contains(option)),
            "server/guide/deployment.md lacks the option `{option}`"
        );
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Cover {
    Paper,
    Cloth,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Shape {
    Circle(f64),
    Square(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", tag = "kind")]
enum Figure {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", tag = "kind", content = "of")]
enum Drawing {
    Circle(f64),
    Square(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(f64),
    Text(String),
}

/// Draws.
#[procedure]
fn draw(
    cover: Cover,
    shape: Shape,
    figure: Figure,
    drawing: Drawing,
    untagged: Untagged,
) -> Result<(Cover, Shape, Figure, Drawing, Untagged), Fault> {
    Ok((cover, shape, figure, drawing, untagged))
}

#[test]
fn the_guide_shows_the_json_and_the_generated_types_of_enums() {
    let service = Service::builder("shapes", "urn:uuid:41544946-415a-495a-5645-454441534621")
        .procedure(draw::procedure())
        .build()
        .expect("a service");
    let description = service.description();
    let text = |files: client::Files| -> String {
        files
            .into_iter()
            .map(|(_, text)| text)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let languages = [
        text(client::typescript(description, None, Integers::default())),
        text(client::python(description, None)),
        text(client::rust(description, None, Integers::default())),
    ];
    let json = [
        serde_json::to_value([Cover::Paper]),
        serde_json::to_value([Shape::Circle(1.5)]),
        serde_json::to_value([Figure::Circle { radius: 1.5 }]),
        serde_json::to_value([Drawing::Circle(1.5)]),
        serde_json::to_value([Untagged::Number(1.5)]),
    ];
    let rows = rows(PARAMETERS, "| serde attribute | JSON |");
    assert_eq!(rows.len(), json.len());
    for (row, json) in rows.iter().zip(json) {
        let written: Value = serde_json::from_str(row[1].trim_matches('`')).expect("JSON");
        assert_eq!(written, json.expect("JSON")[0], "{row:?}");
        for (cell, language) in row[2..].iter().zip(&languages) {
            let cell = cell.trim_matches('`').replace("\\|", "|");
            assert!(language.contains(&cell), "{cell} is not in:\n{language}");
        }
    }
}
