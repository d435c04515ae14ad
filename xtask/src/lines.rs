//! Counts lines of code, and holds each crate to its budget.
//!
//! A line of code is a line of a `.rs` file, as rustfmt leaves it, that is neither blank nor a
//! comment and does not belong to tests. Only lines are looked at, not tokens: rustfmt closes an
//! item with a brace below its first letter. Functions have a maximum length, and most types a name
//! that no other type has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Failure, output, root};

/// The budgets: lines with a folder and its maximum number of lines of code.
const BUDGETS: &str = include_str!("../lines.txt");

/// The folders of crates that no service links.
const FOR_TOOLS: [&str; 2] = ["tools", "cli"];

/// The maximum number of lines of a file, without its tests.
const LONGEST_FILE: usize = 500;

/// The maximum number of lines of a function.
const LONGEST_FUNCTION: usize = 80;

/// The maximum share of types that have their name in common with another, in percent of the types
/// that are visible beyond their file.
const MOST_SHARED: usize = 12;

/// The minimum share of documentation in the lines of code and documentation, in percent, over all
/// crates with a budget.
const LEAST_DOCUMENTED: usize = 11;

/// The lines of one file or one crate.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Count {
    code: usize,
    documentation: usize,
    /// Other comments, and blank lines.
    rest: usize,
}

pub(crate) fn run() -> Result<(), Failure> {
    let mut git = std::process::Command::new("git");
    let listed = output(git.current_dir(root()).args(["ls-files", "*.rs"]))?;
    let files: Vec<_> = listed.lines().map(PathBuf::from).collect();
    let mut wrong = Vec::new();
    let mut total = Count::default();
    let mut linked = 0;
    let mut budget_of_all = 0;
    let mut types = BTreeMap::new();
    for line in BUDGETS.lines().filter(|line| !line.starts_with('#')) {
        let (folder, budget) = budget(line)?;
        let count = count_folder(folder, &files, &mut types, &mut wrong)?;
        println!("{folder:10} {:6} of {budget:6}", count.code);
        if count.code > budget {
            let over = count.code - budget;
            wrong.push(format!("{folder} is {over} lines over its budget"));
        }
        if !FOR_TOOLS.contains(&folder) {
            linked += count.code;
        }
        total.code += count.code;
        total.documentation += count.documentation;
        budget_of_all += budget;
    }
    let documented = 100 * total.documentation / (total.code + total.documentation).max(1);
    println!("all        {:6} of {budget_of_all:6}", total.code);
    println!("a service  {linked:6}");
    println!("documentation: {documented} % of these lines");
    if documented < LEAST_DOCUMENTED {
        wrong.push(format!(
            "{documented} % of the lines are documentation, at least {LEAST_DOCUMENTED} %"
        ));
    }
    let (all, shared) = shared_names(&types);
    println!("types that share their name: {shared} of {all}");
    if 100 * shared > MOST_SHARED * all {
        wrong.push(format!(
            "{shared} of {all} types share their name with another, at most {MOST_SHARED} %"
        ));
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("; ").into())
    }
}

/// Returns the folder of a budget and its lines.
fn budget(line: &str) -> Result<(&str, usize), Failure> {
    let (folder, budget) = line.split_once(' ').ok_or("a line of lines.txt is cut")?;
    Ok((folder, budget.trim().parse()?))
}

/// Counts the lines of a crate and its types by name, and reports files and functions that are too
/// long.
fn count_folder(
    folder: &str,
    files: &[PathBuf],
    types: &mut BTreeMap<String, usize>,
    wrong: &mut Vec<String>,
) -> Result<Count, Failure> {
    let source = Path::new(folder).join("src");
    let mut texts = Vec::new();
    for file in files.iter().filter(|file| file.starts_with(&source)) {
        let path = root().join(file);
        // The file may be deleted, but not yet in a commit.
        if path.exists() {
            texts.push((file, fs::read_to_string(path)?));
        }
    }
    if texts.is_empty() {
        return Err(format!("{folder} has no source files").into());
    }
    let for_tests: BTreeSet<_> = texts
        .iter()
        .flat_map(|(file, text)| test_modules(file, text))
        .collect();
    let mut sum = Count::default();
    for (file, text) in &texts {
        if file.ancestors().any(|path| for_tests.contains(path)) {
            continue;
        }
        let count = count(text);
        let lines = count.code + count.documentation + count.rest;
        if lines > LONGEST_FILE {
            let file = file.display();
            wrong.push(format!("{file} has {lines} lines, at most {LONGEST_FILE}"));
        }
        for (function, lines) in long_functions(text) {
            let file = file.display();
            wrong.push(format!(
                "{file}: `{function}` has {lines} lines, at most {LONGEST_FUNCTION}"
            ));
        }
        for name in text.lines().filter_map(visible_type) {
            *types.entry(name.to_owned()).or_default() += 1;
        }
        sum.code += count.code;
        sum.documentation += count.documentation;
    }
    Ok(sum)
}

/// Returns the files and folders of the modules that a file declares for tests only.
fn test_modules(file: &Path, text: &str) -> Vec<PathBuf> {
    let is_parent = file
        .file_stem()
        .is_some_and(|stem| ["lib", "main", "mod"].iter().any(|name| stem == *name));
    let folder = if is_parent {
        file.with_file_name("")
    } else {
        file.with_extension("")
    };
    let lines: Vec<_> = text.lines().collect();
    let declared = lines.windows(2).filter(|pair| is_for_tests(pair[0]));
    let names = declared.filter_map(|pair| pair[1].trim().strip_prefix("mod ")?.strip_suffix(';'));
    names
        .flat_map(|name| [folder.join(name), folder.join(name).with_extension("rs")])
        .collect()
}

/// Counts the lines of a file.
fn count(text: &str) -> Count {
    let mut count = Count::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let words = line.trim_start();
        if is_for_tests(line) {
            let indent = &line[..line.len() - words.len()];
            let ends = |line: &str| {
                let rest = line.strip_prefix(indent).unwrap_or_default();
                rest.starts_with('}') || !rest.starts_with([' ', '#']) && rest.ends_with([';', ','])
            };
            lines.find(|line| ends(line));
        } else if words.starts_with("///") || words.starts_with("//!") {
            count.documentation += 1;
        } else if words.is_empty() || words.starts_with("//") {
            count.rest += 1;
        } else {
            count.code += 1;
        }
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
        let length = lines[start..].iter().position(|line| *line == brace);
        let length = length.map_or(0, |end| end + 1);
        if length > LONGEST_FUNCTION {
            long.push((after.split(['(', '<']).next().unwrap_or_default(), length));
        }
    }
    long
}

/// Returns the name of the type that a line declares for more than its own file.
fn visible_type(line: &str) -> Option<&str> {
    let after = line.strip_prefix("pub")?;
    let after = match after.strip_prefix('(') {
        Some(inside) => inside.split_once(") ")?.1,
        None => after.strip_prefix(' ')?,
    };
    let (keyword, name) = after.split_once(' ')?;
    let is_type = ["struct", "enum", "trait", "type"].contains(&keyword);
    let name = name
        .split(|letter: char| !letter.is_alphanumeric())
        .next()?;
    is_type.then_some(name)
}

/// Returns the number of types, and of those that have their name in common with another.
fn shared_names(types: &BTreeMap<String, usize>) -> (usize, usize) {
    let all = types.values().sum();
    let shared = types.values().filter(|count| **count > 1).sum();
    (all, shared)
}

/// Returns whether a line marks the next item as for tests only.
fn is_for_tests(line: &str) -> bool {
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
        let expected = Count {
            code: 6,
            documentation: 2,
            rest: 4,
        };
        assert_eq!(count(text), expected);
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
            assert_eq!(test_modules(Path::new(file), text), expected);
        }
    }
}
