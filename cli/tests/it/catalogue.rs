//! `docent docs --catalogue`.

use std::process::Command;

use crate::support::{Folder, data_text, run};

/// A folder of descriptions under Git.
struct Repository(Folder);

impl Repository {
    fn new() -> Self {
        let this = Self(Folder::new());
        this.0.write("in/shop.json", &data_text("shop.json"));
        this.0
            .write("in/deep/weather.json", &data_text("weather.openrpc.json"));
        this.git(&["init", "--quiet"], "");
        this
    }

    fn git(&self, words: &[&str], date: &str) {
        let ran = Command::new("git")
            .args(["-c", "user.name=n", "-c", "user.email=n@example.com"])
            .args(words)
            .current_dir(self.0.path("in"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_AUTHOR_DATE", date)
            .env("GIT_COMMITTER_DATE", date)
            .output()
            .expect("Git runs");
        assert!(ran.status.success(), "{words:?}: {ran:?}");
    }

    fn commit(&self, date: &str) {
        self.git(&["add", "--all"], date);
        self.git(&["commit", "--quiet", "--message", "change"], date);
    }

    /// Writes the shop with texts replaced.
    fn shop(&self, path: &str, changes: &[(&str, &str)]) {
        let mut text = data_text("shop.json");
        for (old, new) in changes {
            assert!(text.contains(old), "{old}");
            text = text.replace(old, new);
        }
        self.0.write(path, &text);
    }

    fn build(&self, to: &str) -> String {
        let (from, to) = (self.0.arg("in"), self.0.arg(to));
        let ran = run(["docs", "--catalogue", &from, "-o", &to]);
        assert_eq!((ran.code, &*ran.stdout), (0, ""), "{}", ran.stderr);
        ran.stderr
    }

    /// Returns the page of changes, as the lines of its list.
    fn changes(&self, site: &str) -> Vec<String> {
        let page = self.0.read(&format!("{site}/changes.md"));
        let is_told = |line: &&str| line.starts_with(['-', '#']) && !line.starts_with("# ");
        page.lines().filter(is_told).map(str::to_owned).collect()
    }
}

const NEW: (&str, &str) = ("\"version\": \"1.0\"", "\"version\": \"2.0\"");
const RENAMED: (&str, &str) = ("basket.clear", "basket.empty");

#[test]
fn the_history_of_a_folder_gives_versions_and_dates() {
    let it = Repository::new();
    it.commit("2026-01-01T00:30:00+01:00");
    it.shop("in/shop.json", &[("Empties the basket.", "Takes all out.")]);
    it.commit("2026-01-05T00:00:00Z");
    it.shop("in/shop.json", &[NEW, RENAMED]);
    it.commit("2026-02-01T00:00:00Z");
    it.build("site");
    assert_eq!(
        it.changes("site"),
        [
            "## 2026-02-01",
            "- [shop](shop/index.md) 1.0 → 2.0, [Breaking: 1, Safe: 2](shop/changes/index.md)",
            "## 2026-01-05",
            "- [shop](shop/index.md) 1.0, Safe: 1",
            "## 2025-12-31",
            "- [shop](shop/index.md) 1.0, New service",
            "- [Weather](Weather/index.md) 2, New service",
        ]
    );
    let changes = it.0.read("site/shop/changes/index.html");
    assert!(changes.contains("2026-02-01") && changes.contains("Changes since 1.0"));
    // The last content of a version is that version.
    let old = it.0.read("site/shop/versions/1.0/basket.clear.html");
    assert!(old.contains("Takes all out."), "{old}");
    assert!(it.0.has("site/shop/basket.empty.html"));
    assert!(
        it.0.read("site/changes.atom")
            .contains("2025-12-31T23:30:00Z")
    );
    it.build("again");
    let files = it.0.files("site");
    assert_eq!(files, it.0.files("again"));
    for file in files {
        let (one, other) = (format!("site/{file}"), format!("again/{file}"));
        assert!(it.0.read(&one) == it.0.read(&other), "{file}");
    }
}

#[test]
fn a_renamed_file_keeps_its_history_and_a_removed_one_leaves() {
    let it = Repository::new();
    it.0.write("in/: \u{1}ö\n.json", &data_text("clock.1.1.json"));
    it.commit("2026-01-01T00:00:00Z");
    it.build("site");
    assert!(it.0.has("site/Weather/index.html") && it.0.has("site/clock/index.html"));
    it.git(&["mv", "shop.json", "deep/store.json"], "");
    it.git(&["rm", "--quiet", "deep/weather.json"], "");
    it.commit("2026-02-01T00:00:00Z");
    it.shop("in/deep/store.json", &[NEW]);
    it.commit("2026-03-01T00:00:00Z");
    it.build("site");
    assert!(!it.0.has("site/Weather"));
    assert_eq!(
        it.changes("site"),
        [
            "## 2026-03-01",
            "- [shop](shop/index.md) 1.0 → 2.0, [Safe: 1](shop/changes/index.md)",
            "## 2026-01-01",
            "- [clock](clock/index.md), New service",
            "- [shop](shop/index.md) 1.0, New service",
        ]
    );
}

#[test]
fn what_is_not_committed_is_the_newest_and_has_no_date() {
    let it = Repository::new();
    it.commit("2026-01-01T00:00:00Z");
    it.shop("in/shop.json", &[NEW]);
    it.0.write("in/clock.json", &data_text("clock.1.1.json"));
    it.build("site");
    assert_eq!(
        it.changes("site")[..3],
        [
            "## Not committed yet",
            "- [clock](clock/index.md), New service",
            "- [shop](shop/index.md) 1.0 → 2.0, [Safe: 1](shop/changes/index.md)",
        ]
    );
    assert!(!it.0.read("site/changes.atom").contains("2.0"));
}

#[test]
fn two_files_of_one_service_are_its_versions() {
    let it = Repository::new();
    it.commit("2026-01-01T00:00:00Z");
    it.shop("in/a-shop.json", &[NEW, RENAMED]);
    it.commit("2026-02-01T00:00:00Z");
    // The older version is kept, and changes once more.
    it.shop("in/shop.json", &[("Empties the basket.", "Takes all out.")]);
    it.commit("2026-03-01T00:00:00Z");
    it.build("site");
    assert_eq!(
        it.changes("site")[1..4],
        [
            "- [shop](shop/index.md) 1.0, Safe: 1",
            "## 2026-02-01",
            "- [shop](shop/index.md) 1.0 → 2.0, [Breaking: 1, Safe: 2](shop/changes/index.md)",
        ]
    );
    assert!(it.0.has("site/shop/basket.empty.html"));
    assert!(it.0.has("site/shop/versions/1.0/basket.clear.html"));
}

#[test]
fn a_folder_without_history_is_a_catalogue_too() {
    let folder = Folder::new();
    folder.write("in/shop.json", &data_text("shop.json"));
    folder.write("in/.hidden/x.json", "{");
    folder.write("in/package.json", "{\"name\": \"x\"}");
    // The site itself holds descriptions.
    let to = folder.arg("in/site");
    let from = folder.arg("in");
    for _ in 0..2 {
        let ran = run(["docs", "--catalogue", &from, "-o", &to]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let lines: Vec<_> = ran.stderr.lines().collect();
        assert!(
            lines[0].contains("package.json: not a service"),
            "{lines:?}"
        );
        assert!(
            lines[1].contains("no history: not a git repository"),
            "{lines:?}"
        );
        assert_eq!(lines.len(), 2, "{lines:?}");
    }
    assert!(folder.has("in/site/shop/index.html") && !folder.has("in/site/changes.html"));
    let front = folder.read("in/site/index.html");
    assert!(
        front.contains("1 service") && !front.contains("atom"),
        "{front}"
    );
}

#[test]
fn a_catalogue_that_cannot_be_built_leaves_the_old_one() {
    let folder = Folder::new();
    folder.write("in/shop.json", &data_text("shop.json"));
    let (from, to) = (folder.arg("in"), folder.arg("site"));
    assert_eq!(run(["docs", "--catalogue", &from, "-o", &to]).code, 0);
    let before = folder.files("site");
    let broken = folder.write("in/shop.json", "{");
    let ran = run(["docs", "--catalogue", &from, "-o", &to]);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert!(ran.stderr.contains(&broken), "{}", ran.stderr);
    assert_eq!(folder.files("site"), before);
    for more in [&["--watch"][..], &["--single-file"], &["shop.json"]] {
        let words = ["docs", "--catalogue", &from, "-o", &to];
        let ran = run(words.iter().chain(more));
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
    }
    let ran = run([
        "docs",
        "--catalogue",
        &from,
        "-o",
        &to,
        "--address",
        "https://a.example",
    ]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}
