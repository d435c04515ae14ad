//! Folders and files that somebody else has filled: what is read from them, and what is written into them.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::support::{Folder, data, data_text, docent, run, run_with_input};

/// A little more than the 64 MiB that a document may have.
const TOO_LARGE: u64 = (64 << 20) + 1;

fn pipe(folder: &Folder, name: &str) -> String {
    let path = folder.arg(name);
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("it runs").success());
    path
}

/// Makes a file that is too large and takes no room.
fn huge(folder: &Folder, name: &str) -> String {
    let file = fs::File::create(folder.path(name)).expect("made");
    file.set_len(TOO_LARGE).expect("made");
    folder.arg(name)
}

#[test]
fn a_catalogue_is_built_of_what_can_be_read_and_tells_the_rest() {
    let folder = Folder::new();
    folder.write("in/shop.json", &data_text("shop.json"));
    folder.write("in/broken.json", "{");
    folder.write(
        "in/map.json",
        r#"{"openrpc": "1.3.2", "methods": {"a": {}}}"#,
    );
    folder.write("secret.json", &data_text("weather.openrpc.json"));
    symlink("../secret.json", folder.path("in/outside.json")).expect("linked");
    symlink("nowhere", folder.path("in/dangling.json")).expect("linked");
    symlink("/dev/zero", folder.path("in/zero.json")).expect("linked");
    pipe(&folder, "in/pipe.json");
    huge(&folder, "in/huge.json");
    let name = folder
        .path("in")
        .join(std::ffi::OsStr::from_bytes(b"n\xff.json"));
    fs::write(name, data_text("shop.json")).expect("written");
    let (from, to) = (folder.arg("in"), folder.arg("site"));
    let ran = run(["docs", "--catalogue", &from, "-o", &to]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(folder.has("site/shop/index.html") && !folder.has("site/weather"));
    for told in [
        "broken.json:1:2: not JSON",
        "map.json: no procedure is left",
        "outside.json: it is a link that leads out of the folder",
        "dangling.json: No such file",
        "zero.json: it is a link that leads out of the folder",
        "pipe.json: it is not a file",
        "huge.json: larger than 64 MiB",
        "n\\xFF.json\": its name is not UTF-8",
    ] {
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
    let ran = run([
        "docs",
        "--catalogue",
        &from,
        "-o",
        &folder.arg("none"),
        "--deny",
        "warnings",
    ]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("8 files left out") && !folder.has("none"));
}

#[test]
fn a_folder_with_a_link_out_of_it_is_not_compared() {
    let folder = Folder::new();
    folder.write("old/shop.json", &data_text("shop.json"));
    folder.write("new/shop.json", &data_text("shop.json"));
    folder.write("secret.json", &data_text("shop.json"));
    symlink("../secret.json", folder.path("new/more.json")).expect("linked");
    let ran = run(["diff", &folder.arg("old"), &folder.arg("new")]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("leads out of the folder"),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_input_without_an_end_is_refused() {
    let folder = Folder::new();
    for (path, reason) in [
        (huge(&folder, "huge.json"), "larger than 64 MiB"),
        (
            pipe(&folder, "pipe.json"),
            "it is a device, a pipe or a socket",
        ),
        ("/dev/zero".to_owned(), "it is a device, a pipe or a socket"),
    ] {
        let ran = run(["list", &path]);
        assert_eq!(ran.code, 3, "{path}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{path}: {}", ran.stderr);
    }
    let name = folder
        .path("in")
        .join(std::ffi::OsStr::from_bytes(b"n\xff.json"));
    let ran = docent(["list"]).arg(name).output().expect("it runs");
    let told = String::from_utf8_lossy(&ran.stderr);
    assert!(told.contains("n\\xFF.json\": No such file"), "{told}");
    // A file that a shell or a command has opened is read.
    let ran = run_with_input(&["list", "/dev/stdin"], data_text("shop.json").as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn nothing_is_written_or_removed_through_a_link() {
    let folder = Folder::new();
    let mine = folder.write("mine/keep.html", "mine");
    let shop = data("shop.json");
    let is_kept =
        || folder.files("mine") == ["keep.html"] && folder.read("mine/keep.html") == "mine";
    // A folder of the site became a link, and its list names files behind the link and outside.
    let site = folder.arg("site");
    assert_eq!(run(["docs", &shop, "-o", &site]).code, 0);
    let list = folder.read("site/.docent-site");
    folder.write(
        "site/.docent-site",
        &format!("{list}../mine/keep.html\n{mine}\ntypes/keep.html\n"),
    );
    assert_eq!(run(["docs", &shop, "-o", &site]).code, 0);
    assert!(is_kept());
    folder.write("site/.docent-site", &format!("{list}types/keep.html\n"));
    fs::remove_dir_all(folder.path("site/types")).expect("removed");
    symlink("../mine", folder.path("site/types")).expect("linked");
    let ran = run(["docs", &shop, "-o", &site, "--force"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("site/types is a link to ../mine"),
        "{}",
        ran.stderr
    );
    // The folder itself is a link.
    symlink("mine", folder.path("linked")).expect("linked");
    fs::create_dir(folder.path("client")).expect("made");
    symlink("../mine", folder.path("client/src")).expect("linked");
    let (linked, client) = (folder.arg("linked"), folder.arg("client"));
    for words in [
        &["docs", &shop, "-o", &linked, "--force"][..],
        &["docs", "--print-templates", &linked],
        &["client", &shop, "-l", "rust", "-o", &linked],
        &["client", &shop, "-l", "rust", "-o", &client],
    ] {
        let ran = run(words);
        assert_eq!(ran.code, 2, "{words:?}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("is a link"),
            "{words:?}: {}",
            ran.stderr
        );
    }
    // A file that is a link is replaced.
    for (name, words) in [
        ("page.html", &["docs", &shop, "--single-file", "-o"][..]),
        ("shop.txt", &["describe", &shop, "--json", "-o"]),
        ("junit.xml", &["check", "--static", &shop, "--junit"]),
    ] {
        symlink("mine/keep.html", folder.path(name)).expect("linked");
        let ran = run(words.iter().copied().chain([&*folder.arg(name)]));
        assert!(ran.code < 2, "{words:?}: {}", ran.stderr);
        assert!(!folder.path(name).is_symlink(), "{words:?}");
    }
    assert!(is_kept());
}
