//! Instructions of a request in user space, on one persistent connection.

use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use super::{OURS, SUBJECTS, Subject, get, length_of_answer, length_on, post};
use crate::Failure;
use crate::options::Options;
use crate::process::{Counter, Server};

/// The difference of two runs leaves out the start and the connection.
const FEW: u32 = 300;
const MANY: u32 = 2_300;

/// The number of procedures, for a description of about 250 kB.
const PROCEDURES: &str = "500";

/// Makes a request for a server. Conditional ones depend on what the server has sent.
type Request = fn(SocketAddr) -> Result<Vec<u8>, Failure>;

const SUM: &str = "/rpc/sum?a=1.5&b=2.25";
const DESCRIBE: &str = "/rpc/rpc.describe";

const REQUESTS: [(&str, Request); 5] = [
    ("post", |_| post("sum")),
    ("get", |_| get(SUM, None)),
    ("get-304", |address| get(SUM, Some(address))),
    ("describe", |_| get(DESCRIBE, None)),
    ("describe-304", |address| get(DESCRIBE, Some(address))),
];

/// Divides the instructions of each request with Docent by those with actix-web by hand.
pub(crate) fn instructions_over_bare() -> Result<Vec<(&'static str, f64)>, Failure> {
    let [bare, docent] = &SUBJECTS[..OURS] else {
        return Err("two servers do everything".into());
    };
    let ratio = |(name, request): (&'static str, Request)| {
        Ok((name, cost(docent, request)? / cost(bare, request)?))
    };
    REQUESTS.into_iter().map(ratio).collect()
}

/// Prints the instructions of each request with each server that can answer it.
pub(crate) fn print(_: Options) -> Result<(), Failure> {
    super::build()?;
    let mut names = vec!["request"];
    names.extend(SUBJECTS.iter().map(|subject| subject.title));
    let mut rows = Vec::new();
    for (title, request) in REQUESTS {
        eprintln!("compare: counting {title}");
        let able = if title == "post" {
            SUBJECTS.len()
        } else {
            OURS
        };
        let costs = SUBJECTS[..able]
            .iter()
            .map(|subject| cost(subject, request));
        let costs = costs.collect::<Result<Vec<_>, _>>()?;
        let mut row = vec![title.to_owned()];
        for subject in 0..SUBJECTS.len() {
            row.push(match costs.get(subject) {
                Some(cost) if subject == 0 => crate::table::grouped(*cost),
                Some(cost) => {
                    format!("{} ({:.3})", crate::table::grouped(*cost), cost / costs[0])
                }
                None => "–".to_owned(),
            });
        }
        rows.push(row);
    }
    crate::table::print(
        "Instructions a request, in user space, one connection",
        &names,
        &rows,
    );
    Ok(())
}

fn cost(subject: &Subject, request: Request) -> Result<f64, Failure> {
    let difference = count(subject, request, MANY)? - count(subject, request, FEW)?;
    Ok(difference / f64::from(MANY - FEW))
}

/// Counts the instructions of a server that answers this many requests.
fn count(subject: &Subject, request: Request, requests: u32) -> Result<f64, Failure> {
    let report = tempfile::NamedTempFile::new()?;
    let mut valgrind = Counter::Instructions.command();
    valgrind
        .arg(format!("--log-file={}", report.path().display()))
        .arg(subject.program())
        .args(subject.words("1", PROCEDURES));
    let mut server = Server::start(&mut valgrind)?;
    // By hand, the first request for the description builds it on the worker, which takes seconds
    // under valgrind. Until actix-web has updated its cached time, new connections time out at once.
    let _ = length_of_answer(&server, &get(DESCRIBE, None)?);
    thread::sleep(Duration::from_secs(2));
    let request = request(server.address)?;
    let mut connection = TcpStream::connect(server.address)?;
    connection.set_nodelay(true)?;
    for _ in 0..requests {
        length_on(&mut connection, &request)?;
    }
    server.stop()?;
    Counter::Instructions.read(&std::fs::read_to_string(report.path())?)
}
