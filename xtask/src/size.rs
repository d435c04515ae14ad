//! Measures the size of the framework, of the tools and of what services may add, and holds the first two to ceilings.
//!
//! Size is counted in tokens, which neither formatting nor dense lines change, without comments, documentation and
//! tests. Beside it, files and functions have a maximum length, most types a name that no other type has, and a
//! share of the lines is documentation. For these, only lines are looked at: rustfmt closes an item with a brace
//! below its first letter.
//!
//! An issue is held to the ceilings when it ends. A change on the way there may pass them rather than fold code, so
//! [`lint`] tells how far each is passed, and [`run`] refuses it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

use crate::command::{BoxError, output, root};
use crate::linked;

/// Crates that share a ceiling.
struct Group {
    /// The name of the group in [`CEILING_FILE`].
    name: &'static str,
    folders: &'static [&'static str],
}

const GROUPS: [Group; 3] = [
    Group {
        name: "framework",
        folders: &[
            "describe",
            "core",
            "http",
            "server",
            "tower",
            "jsonrpsee",
            "macros",
            "client",
        ],
    },
    Group {
        name: "keys",
        folders: &["keys"],
    },
    Group {
        name: "tools",
        folders: &["docs-gen", "tools", "cli"],
    },
];

/// Crates beside the framework, which a service adds if it needs them. Each is counted by itself, and has no ceiling.
const ADDITIONS: [&str; 1] = ["jwt"];

/// The file with the maximum number of tokens of each group.
const CEILING_FILE: &str = "xtask/size.txt";

/// The maximum length of a literal that counts as one token, in bytes. A longer one counts as several.
const MAX_LITERAL_BYTES: usize = 40;

/// The maximum number of lines of a file, without its tests.
const MAX_FILE_LINES: usize = 500;

/// The maximum number of lines of a function.
const MAX_FUNCTION_LINES: usize = 80;

/// The maximum share of types that have their name in common with another, in percent of the types
/// that are visible beyond their file.
const MAX_SHARED_PERCENT: usize = 6;

/// The minimum share of documentation in the lines of code and documentation, in percent, over all
/// crates that are measured.
const MIN_DOCUMENTED_PERCENT: usize = 18;

/// The size of one file or of several.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    tokens: usize,
    pub(crate) code: usize,
    documentation: usize,
    /// Other comments, and blank lines.
    rest: usize,
}

impl Size {
    fn add(&mut self, other: Self) {
        self.tokens += other.tokens;
        self.code += other.code;
        self.documentation += other.documentation;
        self.rest += other.rest;
    }
}

/// The measurements of all crates.
#[derive(Default)]
struct Measured {
    /// The number of types by name.
    types: BTreeMap<String, usize>,
    /// Violations of the limits of files, functions, names and documentation.
    wrong: Vec<String>,
    /// Groups over their ceiling.
    over: Vec<String>,
}

/// Measures the code, and refuses what passes a limit or a ceiling.
pub(crate) fn run() -> Result<(), BoxError> {
    let measured = measure_all()?;
    refuse(&[measured.wrong, measured.over].concat())
}

/// Measures the code, refuses what passes a limit, and tells what passes a ceiling.
pub(crate) fn lint() -> Result<(), BoxError> {
    let measured = measure_all()?;
    for over in &measured.over {
        eprintln!("xtask lint: {over}");
    }
    refuse(&measured.wrong)
}

fn refuse(violations: &[String]) -> Result<(), BoxError> {
    if violations.is_empty() {
        Ok(())
    } else {
        Err(violations.join("; ").into())
    }
}

/// Measures all crates, and prints what it measures.
fn measure_all() -> Result<Measured, BoxError> {
    let files = files("*.rs")?;
    let ceilings = fs::read_to_string(root().join(CEILING_FILE))?;
    let mut measured = Measured::default();
    let mut total = Size::default();
    for group in &GROUPS {
        let size = measure(group.folders, &files, &mut measured)?;
        let ceiling = ceiling(&ceilings, group.name)?;
        println!("{:20} {:8} tokens of {ceiling}", group.name, size.tokens);
        if size.tokens > ceiling {
            let over = size.tokens - ceiling;
            measured.over.push(format!(
                "{over} tokens over the ceiling of the {} in {CEILING_FILE}: look for what can go",
                group.name
            ));
        }
        total.add(size);
    }
    println!("additions");
    total.add(measure(&ADDITIONS, &files, &mut measured)?);
    for kind in ["*.hbs", "*.js"] {
        println!("{kind:20} {:8} lines", lines_of(kind)?);
    }
    println!(
        "{:20} {:8} lines of code",
        "a default service",
        linked::lines_of_code(&files)?
    );
    let documented = 100 * total.documentation / (total.code + total.documentation).max(1);
    println!("{:20} {documented:8} % of the lines", "documentation");
    if documented < MIN_DOCUMENTED_PERCENT {
        measured.wrong.push(format!(
            "{documented} % of the lines are documentation, at least {MIN_DOCUMENTED_PERCENT} %"
        ));
    }
    let (all, shared) = shared_names(&measured.types);
    println!("{:20} {shared:8} of {all} types", "shared names");
    if 100 * shared > MAX_SHARED_PERCENT * all {
        measured.wrong.push(format!(
            "{shared} of {all} types share their name with another, at most {MAX_SHARED_PERCENT} %"
        ));
    }
    Ok(measured)
}

/// Returns the ceiling of a group: the number behind its name, on a line of [`CEILING_FILE`].
fn ceiling(ceilings: &str, group: &str) -> Result<usize, BoxError> {
    let number = ceilings
        .lines()
        .find_map(|line| line.strip_prefix(group)?.strip_prefix(' '))
        .ok_or_else(|| format!("{CEILING_FILE} has no line for the {group}"))?;
    Ok(number.trim().parse()?)
}

/// Returns the files that match a pattern and still exist, those that are not yet in the repository included.
fn files(pattern: &str) -> Result<Vec<PathBuf>, BoxError> {
    let mut git = std::process::Command::new("git");
    git.args([
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        pattern,
    ]);
    let listed = output(git.current_dir(root()))?;
    Ok(listed
        .lines()
        .map(PathBuf::from)
        .filter(|file| root().join(file).exists())
        .collect())
}

/// Returns the number of lines in the files of the measured crates that match a pattern, without those of tests.
fn lines_of(pattern: &str) -> Result<usize, BoxError> {
    let mut lines = 0;
    for file in files(pattern)? {
        let is_measured = GROUPS
            .iter()
            .flat_map(|group| group.folders)
            .any(|folder| file.starts_with(folder));
        let is_for_tests = file.components().any(|part| part.as_os_str() == "tests");
        if is_measured && !is_for_tests {
            lines += fs::read_to_string(root().join(file))?.lines().count();
        }
    }
    Ok(lines)
}

/// Measures and prints crates, and returns their sum.
fn measure(folders: &[&str], files: &[PathBuf], measured: &mut Measured) -> Result<Size, BoxError> {
    let mut sum = Size::default();
    for folder in folders {
        let size = measure_crate(folder, files, measured)?;
        println!("  {folder:18} {:8} tokens", size.tokens);
        sum.add(size);
    }
    Ok(sum)
}

/// Measures a crate, counts its types by name, and reports files and functions that are too long.
fn measure_crate(
    folder: &str,
    files: &[PathBuf],
    measured: &mut Measured,
) -> Result<Size, BoxError> {
    let mut sum = Size::default();
    for source in source_files(Path::new(folder), files, is_for_tests)? {
        let file = source.path.display();
        let text = &source.text;
        let size = size(text, is_for_tests).map_err(|error| format!("{file}: {error}"))?;
        let lines = size.code + size.documentation + size.rest;
        if lines > MAX_FILE_LINES {
            let wrong = format!("{file} has {lines} lines, at most {MAX_FILE_LINES}");
            measured.wrong.push(wrong);
        }
        for (function, lines) in long_functions(text) {
            measured.wrong.push(format!(
                "{file}: `{function}` has {lines} lines, at most {MAX_FUNCTION_LINES}"
            ));
        }
        for name in text.lines().filter_map(visible_type) {
            *measured.types.entry(name.to_owned()).or_default() += 1;
        }
        sum.add(size);
    }
    Ok(sum)
}

/// A file with source code.
pub(crate) struct SourceFile<'f> {
    /// The path from the root of the workspace.
    pub(crate) path: &'f Path,
    pub(crate) text: String,
}

/// Reads the source files of the crate in a folder, without those of modules that are left out because of the line
/// before their declaration.
pub(crate) fn source_files<'f>(
    folder: &Path,
    files: &'f [PathBuf],
    is_left_out: impl Fn(&str) -> bool,
) -> Result<Vec<SourceFile<'f>>, BoxError> {
    let source = folder.join("src");
    let mut found = Vec::new();
    for path in files.iter().filter(|path| path.starts_with(&source)) {
        let text = fs::read_to_string(root().join(path))?;
        found.push(SourceFile { path, text });
    }
    if found.is_empty() {
        return Err(format!("{} has no source files", folder.display()).into());
    }
    let left_out: BTreeSet<PathBuf> = found
        .iter()
        .flat_map(|file| left_out_modules(file.path, &file.text, &is_left_out))
        .collect();
    found.retain(|file| !file.path.ancestors().any(|path| left_out.contains(path)));
    Ok(found)
}

/// Returns the files and folders of the modules that are left out because of the line before their declaration.
fn left_out_modules(file: &Path, text: &str, is_left_out: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let is_parent = file
        .file_stem()
        .is_some_and(|stem| ["lib", "main", "mod"].iter().any(|name| stem == *name));
    let folder = if is_parent {
        file.with_file_name("")
    } else {
        file.with_extension("")
    };
    let lines: Vec<_> = text.lines().collect();
    lines
        .windows(2)
        .filter(|pair| is_left_out(pair[0]))
        .filter_map(|pair| pair[1].trim().strip_suffix(';')?.rsplit_once("mod "))
        .map(|(_, name)| name)
        .flat_map(|name| [folder.join(name), folder.join(name).with_extension("rs")])
        .collect()
}

/// Returns the size of a file without the items that are left out because of a line before them.
pub(crate) fn size(text: &str, is_left_out: impl Fn(&str) -> bool) -> Result<Size, BoxError> {
    let mut size = Size::default();
    let mut code = String::new();
    for line in without(text, is_left_out) {
        let words = line.trim_start();
        if words.starts_with("///") || words.starts_with("//!") {
            size.documentation += 1;
        } else if words.is_empty() || words.starts_with("//") {
            size.rest += 1;
        } else {
            size.code += 1;
            code.push_str(line);
            code.push('\n');
        }
    }
    size.tokens = tokens(code.parse().map_err(|error| format!("{error}"))?);
    Ok(size)
}

/// Returns the lines of a file without the items that are left out because of a line before them.
fn without(text: &str, is_left_out: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if !is_left_out(line) {
            kept.push(line);
            continue;
        }
        let indent = indent(line);
        while let Some(line) = lines.next() {
            if ends_item(line, lines.peek(), indent) {
                break;
            }
        }
    }
    kept
}

/// Returns whether an item that begins at this indent ends with a line, as rustfmt writes it.
fn ends_item(line: &str, next: Option<&&str>, item_indent: usize) -> bool {
    let text = line.trim_start();
    let is_complete = text.ends_with([';', ',']) && !text.starts_with('#');
    if indent(line) == item_indent {
        return is_complete || text.starts_with('}') && !text.ends_with('{');
    }
    // This is a line of a body or of arguments, which end below, or the last one of a value that goes on below its
    // field: `rate: options\n    .rate\n    .clone(),`.
    let Some(next) = next.filter(|next| is_complete && !next.is_empty()) else {
        return false;
    };
    let is_closed_below = next.trim_start().starts_with(['}', ')', ']', '{']);
    indent(next) < item_indent || indent(next) == item_indent && !is_closed_below
}

/// Returns the number of spaces before a line's text.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Counts tokens.
fn tokens(stream: TokenStream) -> usize {
    let mut count = 0;
    for tree in stream {
        count += match tree {
            // The delimiters are tokens too.
            TokenTree::Group(group) => 2 + tokens(group.stream()),
            TokenTree::Literal(literal) => literal.to_string().len().div_ceil(MAX_LITERAL_BYTES),
            TokenTree::Ident(_) | TokenTree::Punct(_) => 1,
        };
    }
    count
}

/// Returns the functions that are too long, and their lengths.
fn long_functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<_> = text.lines().collect();
    let mut long = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let words = line.trim_start();
        let Some((before, after)) = words.split_once("fn ") else {
            continue;
        };
        let is_function =
            before.is_empty() || before.ends_with(' ') && !before.contains(['/', '"']);
        let is_named = after.starts_with(|first: char| first.is_alphabetic() || first == '_');
        if !is_function || !is_named || words.ends_with([';', '}']) {
            continue;
        }
        let brace = format!("{}}}", &line[..line.len() - words.len()]);
        let Some(end) = lines[start..].iter().position(|line| *line == brace) else {
            continue;
        };
        if end + 1 > MAX_FUNCTION_LINES {
            let name = after.split(['(', '<']).next().unwrap_or_default();
            long.push((name, end + 1));
        }
    }
    long
}

/// Returns the name of the type that a line declares for more than its own file.
fn visible_type(line: &str) -> Option<&str> {
    let visibility = line.strip_prefix("pub")?;
    let item = match visibility.strip_prefix('(') {
        Some(inside) => inside.split_once(") ")?.1,
        None => visibility.strip_prefix(' ')?,
    };
    let (keyword, rest) = item.split_once(' ')?;
    if !["struct", "enum", "trait", "type"].contains(&keyword) {
        return None;
    }
    rest.split(|letter: char| !letter.is_alphanumeric()).next()
}

/// Returns the number of types, and of those that have their name in common with another.
fn shared_names(types: &BTreeMap<String, usize>) -> (usize, usize) {
    let all = types.values().sum();
    let shared = types.values().filter(|count| **count > 1).sum();
    (all, shared)
}

/// Returns whether a line marks the next item as for tests only.
pub(crate) fn is_for_tests(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_blank_lines_and_tests_are_not_code() {
        let text = "//! A file.\n\nuse a::B;\n\n// Why.\n/// A function.\nfn f() {\n    g(); // now\n}\n\
                    #[cfg(test)]\nuse a::C;\nfn h() {}\n\n#[cfg(test)]\nmod tests {\n    fn t() {\n    }\n}\n\
                    fn last() {}\n";
        let expected = Size {
            tokens: 28,
            code: 6,
            documentation: 2,
            rest: 4,
        };
        assert_eq!(size(text, is_for_tests).expect("tokens"), expected);
    }

    #[test]
    fn a_field_that_is_left_out_ends_with_its_value() {
        let text = "S {\n    #[cfg(test)]\n    a: b\n        .c()\n        .d(|x| x),\n    #[cfg(test)]\n    e,\n    f: g(\n\
                    \x20       h,\n    ),\n    #[cfg(test)]\n    i: j(\n        k,\n    ),\n}\n\
                    #[cfg(test)]\nfn l() {\n    m();\n\n    n();\n}\n";
        let kept = without(text, is_for_tests);
        assert_eq!(kept, ["S {", "    f: g(", "        h,", "    ),", "}"]);
    }

    #[test]
    fn each_group_has_a_ceiling_of_its_own() {
        let ceilings = "# The maximum number of tokens.\nframework 20\ntools 10\n";
        assert_eq!(ceiling(ceilings, "framework").expect("a number"), 20);
        assert_eq!(ceiling(ceilings, "tools").expect("a number"), 10);
        let error = ceiling(ceilings, "keys").expect_err("not there");
        assert_eq!(error.to_string(), "xtask/size.txt has no line for the keys");
    }

    #[test]
    fn tokens_do_not_depend_on_the_format() {
        let dense = "fn f(a:u8)->u8{a+1}";
        let rustfmt = "fn f(a: u8) -> u8 {\n    a + 1\n}\n";
        let tokens = |text| size(text, is_for_tests).expect("tokens").tokens;
        assert_eq!(tokens(dense), tokens(rustfmt));
    }

    #[test]
    fn a_literal_counts_one_for_each_begun_40_bytes() {
        let tokens = |length| {
            let text = format!("const A: &str = \"{}\";", "a".repeat(length));
            size(&text, is_for_tests).expect("tokens").tokens
        };
        assert_eq!(tokens(38), 8);
        assert_eq!(tokens(39), 9);
        assert_eq!(tokens(79), 10);
    }

    #[test]
    fn functions_of_more_than_80_lines_are_found() {
        let body = |lines| "        g();\n".repeat(lines);
        let text = format!(
            "impl A {{\n    pub(crate) fn long<T>(\n        t: T,\n    ) {{\n{}    }}\n\n    fn short() {{\n{}    }}\n}}\n",
            body(77),
            body(78),
        );
        assert_eq!(long_functions(&text), [("long", 81)]);
    }

    #[test]
    fn types_beyond_their_file_are_counted_by_their_names() {
        let text = "pub struct A<T>(T);\npub(crate) enum B {\npub(in crate::c) trait A: B {\nstruct C;\npub fn d() {\n";
        let mut types = BTreeMap::new();
        for name in text.lines().filter_map(visible_type) {
            *types.entry(name.to_owned()).or_default() += 1;
        }
        assert_eq!(shared_names(&types), (3, 2));
    }

    #[test]
    fn files_of_modules_for_tests_are_found_beside_the_file_that_declares_them() {
        let text = "mod a;\n#[cfg(test)]\nmod tests;\n";
        for (file, folder) in [
            ("core/src/lib.rs", "core/src"),
            ("core/src/bind/mod.rs", "core/src/bind"),
            ("core/src/fault.rs", "core/src/fault"),
        ] {
            let folder = Path::new(folder);
            let expected = vec![folder.join("tests"), folder.join("tests.rs")];
            assert_eq!(
                left_out_modules(Path::new(file), text, is_for_tests),
                expected
            );
        }
    }
}
