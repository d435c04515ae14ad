//! Kills the process in the middle of its work.
//!
//! A test starts this test binary again as a child that works on the same file, and kills it with a
//! signal that it cannot catch. That shows what a crash of the process leaves behind. A crash of
//! the machine leaves the same because of `synchronous = FULL`, which no test can verify.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use library::model::{
    AddBook, AddMember, BookId, Contributor, EndLoan, GetStats, ListLoans, LoanId, LoanSelection,
    MAX_LIMIT, NewAuthor, StartLoan, Subject,
};
use library::store::Store;
use rusqlite::Connection;

use crate::support::{Writes, book_named};

/// The variable that passes the file's name to the child.
const FILE: &str = "LIBRARY_TEST_FILE";

/// The number of copies that the child adds of each book. Many rows make it likely that a kill falls between
/// them.
const COPIES: u32 = 20;

fn child(task: &str, file: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", task, "--ignored", "--nocapture"])
        .env(FILE, file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Reports that something is done: a kind and a number.
fn acknowledge(kind: &str, id: u32) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "done {kind} {id}").unwrap();
    out.flush().unwrap();
}

#[test]
#[ignore = "the child of another test"]
fn child_writes_until_it_is_killed() {
    let Some(file) = std::env::var_os(FILE) else {
        return;
    };
    let store = Store::open(file.as_ref()).unwrap();
    let name = format!("Child {}", std::process::id());
    let member = store.add_member(&AddMember { name }).unwrap().card;
    for n in 0_u64.. {
        let book = store
            .add_book(&AddBook {
                authors: vec![Contributor::New(NewAuthor {
                    name: format!("Author{n} Of{}", std::process::id()),
                    sort_name: None,
                    born: None,
                    died: None,
                })],
                subjects: BTreeSet::from([Subject("survival".to_owned())]),
                copies: COPIES,
                ..book_named(&format!("Survivor {} {n}", std::process::id()))
            })
            .unwrap()
            .id;
        acknowledge("book", book.0);
        let loan = store
            .start_loan(&StartLoan {
                book,
                member: member.clone(),
                due: None,
            })
            .unwrap()
            .id;
        acknowledge("loan", loan.0);
        store.end_loan(&EndLoan { loan }).unwrap();
        acknowledge("end", loan.0);
    }
}

#[test]
fn every_acknowledged_write_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("library.db");
    let mut acknowledged = Vec::new();
    for round in 0..10 {
        let mut child = child("killing::child_writes_until_it_is_killed", &file);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut here = 0;
        for line in lines.map_while(Result::ok) {
            let Some(done) = line.strip_prefix("done ") else {
                continue;
            };
            let (kind, id) = done.split_once(' ').unwrap();
            acknowledged.push((kind.to_owned(), id.parse::<u32>().unwrap()));
            here += 1;
            // Kill at a later point of the sequence in each round, because writing takes longer
            // than requesting. The test reads everything that the child reported before it died.
            if here == 20 + 7 * round {
                thread::sleep(Duration::from_micros(300 * round));
                child.kill().unwrap();
            }
        }
        child.wait().unwrap();
        assert!(here >= 20 + 7 * round, "the child died by itself");
        check(&file, &acknowledged);
    }
}

fn check(file: &Path, acknowledged: &[(String, u32)]) {
    sound(file);
    let store = Store::open(file).unwrap();
    for (kind, id) in acknowledged {
        if kind == "book" {
            let shown = store.book(BookId(*id)).unwrap();
            assert_eq!(shown.book.copies, COPIES);
            assert_eq!(shown.book.authors.len(), 1);
        }
    }
    let mut open = BTreeSet::new();
    let mut all = BTreeSet::new();
    let mut offset = Some(0);
    while let Some(at) = offset {
        let query = ListLoans {
            state: LoanSelection::All,
            offset: at,
            limit: MAX_LIMIT,
            ..ListLoans::default()
        };
        let page = store.list_loans(&query).unwrap();
        for loan in page.loans {
            all.insert(loan.id);
            if loan.returned.is_none() {
                open.insert(loan.id);
            }
        }
        offset = page.page.next;
    }
    for (kind, id) in acknowledged {
        match kind.as_str() {
            "loan" => assert!(all.contains(&LoanId(*id)), "loan {id} is lost"),
            "end" => assert!(!open.contains(&LoanId(*id)), "the end of loan {id} is lost"),
            _ => {}
        }
    }
}

/// Checks that the file is intact, and so is every book in it, acknowledged or not.
fn sound(file: &Path) {
    let db = Connection::open(file).unwrap();
    let response: String = db
        .pragma_query_value(None, "integrity_check", |row| row.get(0))
        .unwrap();
    assert_eq!(response, "ok");
    let broken: u32 = db
        .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(broken, 0);
    db.execute(
        "INSERT INTO book_words (book_words) VALUES ('integrity-check')",
        [],
    )
    .unwrap();
    let halves: u32 = db
        .query_row(
            "SELECT count(*) FROM books b WHERE b.title LIKE 'Survivor %' AND NOT ( \
             (SELECT count(*) FROM copies WHERE book = b.id) = ?1 \
             AND (SELECT count(*) FROM book_authors WHERE book = b.id) = 1 \
             AND (SELECT count(*) FROM book_subjects WHERE book = b.id) = 1 \
             AND b.id IN (SELECT rowid FROM book_words WHERE book_words MATCH 'survivor'))",
            [COPIES],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(halves, 0);
}

#[test]
#[ignore = "the child of another test"]
fn child_opens_the_library() {
    let Some(file) = std::env::var_os(FILE) else {
        return;
    };
    let store = Store::open(file.as_ref()).unwrap();
    acknowledge("open", store.stats(&GetStats::default()).unwrap().books);
    let name = "Somebody".to_owned();
    store.add_member(&AddMember { name }).unwrap();
}

#[test]
fn a_kill_during_the_first_start_leaves_nothing_or_everything() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.db");
    let complete = Store::open(&whole)
        .unwrap()
        .stats(&GetStats::default())
        .unwrap();
    let mut early = 0;
    for round in 0..24 {
        let file = folder.path().join(format!("{round}.db"));
        let mut child = child("killing::child_opens_the_library", &file);
        thread::sleep(Duration::from_millis(12 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        if file.exists() {
            let db = Connection::open(&file).unwrap();
            let version: u32 = db
                .pragma_query_value(None, "user_version", |row| row.get(0))
                .unwrap();
            let tables: u32 = db
                .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
                .unwrap();
            assert_eq!(version == 0, tables == 0, "half a schema");
            early += u32::from(version == 0);
        } else {
            early += 1;
        }
        let stats = Store::open(&file)
            .unwrap()
            .stats(&GetStats::default())
            .unwrap();
        assert_eq!(
            (stats.books, stats.copies, stats.authors, stats.loans.total),
            (
                complete.books,
                complete.copies,
                complete.authors,
                complete.loans.total
            )
        );
    }
    assert!(early > 0, "no kill came early enough to test anything");
}

#[test]
fn processes_that_create_the_same_library_at_once_create_one() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..3 {
        let file = folder.path().join(format!("{round}.db"));
        let children: Vec<_> = (0..4)
            .map(|_| child("killing::child_opens_the_library", &file))
            .collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stdout)
            );
        }
        sound(&file);
        let stats = Store::open(&file)
            .unwrap()
            .stats(&GetStats::default())
            .unwrap();
        assert_eq!(stats.members, 12 + 4);
    }
}
