// The pages are Markdown files, so that they can be read next to the code, and documentation, so that
// their code is tested. A link between them has a label, and a page ends with the files that its
// labels stand for. If a label is defined twice, the first definition counts: in the documentation
// that is the module, from `rustdoc-links.txt`, or the address of a file, from `repository_files`. (The
// definitions also affect the name of a test: it has the module of its page, and its line is counted from
// the first definition.)
#![doc = include_str!("../guide/rustdoc-links.txt")]
#![doc = include_str!("../guide/index.md")]

/// Defines each file of the repository as a label for its address, in the state of this version.
macro_rules! labels_of_files {
    ($($file:literal),* $(,)?) => {
        concat!($(
            "[", $file, "]: ",
            env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION"), "/", $file, "\n",
        )*)
    };
}

/// The files of the repository that pages link to.
macro_rules! repository_files {
    () => {
        labels_of_files![
            "cli/src/docs/changes.rs",
            "examples/chain",
            "examples/library/container",
            "examples/library/nginx/nginx.conf",
            "examples/library/src/store/postgres",
            "examples/library/systemd/library.service",
            "examples/printshop",
            "examples/quickstart/examples/tasks.rs",
            "spec/description.md",
        ]
    };
}

macro_rules! pages {
    ($($page:ident = $file:literal;)*) => {
        $(
            #[doc = include_str!("../guide/rustdoc-links.txt")]
            #[doc = repository_files!()]
            #[doc = include_str!(concat!("../guide/", $file))]
            pub mod $page {}
        )*

        #[cfg(test)]
        const GUIDE_PAGES: &[(&str, &str)] = &[
            ("index.md", include_str!("../guide/index.md")),
            $(($file, include_str!(concat!("../guide/", $file))),)*
        ];
    };
}

pages! {
    tutorial = "tutorial.md";
    real_service = "real-service.md";
    procedures = "procedures.md";
    parameters = "parameters.md";
    errors = "errors.md";
    calls = "calls.md";
    subscriptions = "subscriptions.md";
    access = "access.md";
    testing = "testing.md";
    embedding = "embedding.md";
    deployment = "deployment.md";
    clients = "clients.md";
    description = "description.md";
    reference_site = "reference-site.md";
    tools = "tools.md";
    moving = "moving.md";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::GUIDE_PAGES;

    /// The languages that a fence may have if its block is not Rust.
    const OTHER_LANGUAGES: [&str; 11] = [
        "text",
        "json",
        "toml",
        "http",
        "console",
        "nginx",
        "promql",
        "python",
        "typescript",
        "yaml",
        "markdown",
    ];

    /// Returns the fences that open a block: the line before, and the text after the backticks.
    fn fences(page: &str) -> Vec<(&str, &str)> {
        let mut fences = Vec::new();
        let mut before = "";
        let mut open = false;
        for line in page.lines() {
            if let Some(info) = line.trim_start().strip_prefix("```") {
                if !open {
                    fences.push((before, info));
                }
                open = !open;
            }
            before = line;
        }
        fences
    }

    /// Returns the labels of the links, and the files that they stand for outside the documentation.
    fn definitions(page: &str) -> impl Iterator<Item = (&str, &str)> {
        let pairs = page
            .lines()
            .filter_map(|line| line.strip_prefix('[')?.split_once("]: "));
        // A sentence may begin a line with a link, and have a colon later.
        pairs.filter(|(label, _)| !label.contains(']'))
    }

    #[test]
    fn every_rust_block_is_run_or_says_in_words_why_not() {
        let mut run = 0;
        for (file, page) in GUIDE_PAGES {
            for (before, info) in fences(page) {
                let words: Vec<_> = info.split(',').map(str::trim).collect();
                match *words {
                    // The last two are tests, too: of the compiler's errors, and of panics.
                    ["rust"] | ["rust", "compile_fail" | "should_panic"] => run += 1,
                    ["rust", ..] => assert!(
                        before.starts_with("<!-- not run: ") && before.len() > 30,
                        "{file}: the block marked {info:?} needs a comment `<!-- not run: why -->` \
                         on the line before it",
                    ),
                    [language] if OTHER_LANGUAGES.contains(&language) => {}
                    // rustdoc takes a block without a language for Rust.
                    _ => panic!("{file}: a block is marked {info:?}"),
                }
            }
        }
        assert!(run > 30, "only {run} blocks were found");
    }

    #[test]
    fn every_file_is_a_page() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/guide");
        let files: BTreeSet<_> = fs::read_dir(folder)
            .expect("the folder of the guide")
            .map(|file| file.expect("a file").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
            .filter_map(|path| Some(path.file_name()?.to_owned()))
            .collect();
        let pages: BTreeSet<_> = GUIDE_PAGES.iter().map(|(file, _)| (*file).into()).collect();
        assert_eq!(files, pages);
    }

    #[test]
    fn the_guide_is_short() {
        let words: usize = GUIDE_PAGES
            .iter()
            .map(|(_, page)| page.split_whitespace().count())
            .sum();
        assert!(words <= 26_500, "{words} words");
        assert!(GUIDE_PAGES.len() <= 17);
    }

    #[test]
    fn every_label_leads_to_a_page_and_its_module_or_to_a_file_and_its_address() {
        let modules: BTreeSet<_> = definitions(include_str!("../guide/rustdoc-links.txt"))
            .map(|(label, _)| label)
            .collect();
        let files: BTreeSet<_> = definitions(repository_files!())
            .map(|(label, _)| label)
            .collect();
        for (file, page) in GUIDE_PAGES {
            for (label, target) in definitions(page) {
                if files.contains(label) {
                    assert_eq!(target, format!("../../{label}"), "{file}");
                    let path = format!("{}/guide/{target}", env!("CARGO_MANIFEST_DIR"));
                    assert!(
                        fs::exists(path).is_ok_and(|exists| exists),
                        "{file}: {target}"
                    );
                    continue;
                }
                assert_eq!(target, format!("{label}.md"), "{file}");
                assert!(
                    GUIDE_PAGES.iter().any(|(other, _)| *other == target),
                    "{file}: {target}"
                );
                assert!(modules.contains(label), "{file}: {label} has no module");
            }
            let defined: BTreeSet<_> = definitions(page).map(|(label, _)| label).collect();
            for label in modules.union(&files) {
                assert_eq!(
                    page.contains(&format!("][{label}]")),
                    defined.contains(label),
                    "{file}: {label} is used and not defined, or the other way round"
                );
            }
        }
        for label in files {
            let used = GUIDE_PAGES.iter().any(|(_, page)| page.contains(label));
            assert!(used, "no page links to {label}");
        }
    }

    /// A path would lead to a file of the repository, which the documentation does not have.
    #[test]
    fn links_without_a_label_lead_to_a_part_of_the_page_or_to_an_address() {
        for (file, page) in GUIDE_PAGES {
            let prose = page.split("```").step_by(2);
            for link in prose.flat_map(|text| text.split("](").skip(1)) {
                assert!(
                    ["#", "https://", "http://"]
                        .iter()
                        .any(|start| link.starts_with(start)),
                    "{file}: give the link to {:?} a label",
                    link.split(')').next(),
                );
            }
        }
    }
}
