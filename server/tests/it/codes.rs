//! The guide's page about errors says of each error of the protocol what the table of codes says.

use docent::code::{self, ProtocolError};

const ERRORS: &str = include_str!("../../guide/errors.md");
const DEPLOYMENT: &str = include_str!("../../guide/deployment.md");
const ACCESS: &str = include_str!("../../guide/access.md");

/// Returns a number of a table, which a dash stands for if there is none.
fn shown(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| number.to_string())
}

/// Returns the cells of the row of an error.
fn row(error: &ProtocolError) -> Vec<&'static str> {
    let start = format!("| {} | ", error.code);
    let row = ERRORS.lines().find(|line| line.starts_with(&start));
    let row = row.unwrap_or_else(|| panic!("guide/errors.md needs a row for {}", error.code));
    row.trim_matches(['|', ' ']).split(" | ").collect()
}

#[test]
fn the_guide_has_a_row_for_each_error_of_the_protocol() {
    for error in code::PROTOCOL_ERRORS {
        let [_, message, _, get_status, v1_1] = row(error)[..] else {
            panic!("the row of {} has other columns", error.code);
        };
        let first_word = get_status.split([' ', ',']).next();
        assert_eq!(message, error.message, "{}", error.code);
        assert_eq!(
            first_word,
            Some(&*shown(error.get_status)),
            "{}: the status of GET",
            error.code
        );
        assert_eq!(v1_1, shown(error.v1_1), "{}: the code of 1.1", error.code);
    }
}

#[test]
fn the_guide_has_the_status_of_each_error_of_a_post_that_is_not_run() {
    for error in code::PROTOCOL_ERRORS {
        let Some(status) = error.post_status else {
            continue;
        };
        let code = error.code.to_string();
        let status = format!("| {status} |");
        assert!(
            DEPLOYMENT
                .lines()
                .chain(ACCESS.lines())
                .any(|row| row.contains(&status) && row.contains(&code)),
            "neither guide/deployment.md nor guide/access.md has a row with {status} and {code}"
        );
    }
}

#[test]
fn no_row_of_the_guide_is_about_a_code_that_is_gone() {
    // Other tables of the page begin with codes, too.
    for line in ERRORS.lines().filter(|line| line.starts_with("| -32")) {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        if cells.len() == 5 {
            let code: i64 = cells[0].parse().expect("a code");
            assert!(code::find(code).is_some(), "{code}");
        }
    }
}
