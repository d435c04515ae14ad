//! Counts what a request takes of a server, on one persistent connection: its instructions in user space, and its calls
//! that read a clock or allocate.

use std::net::{SocketAddr, TcpStream};
use std::ops::Range;
use std::thread;
use std::time::Duration;

use super::{
    AJJ, BY_HAND, DOCENT, HttpContender, JSONRPC_V2, JSONRPSEE, get, length_of_answer, length_on,
    post,
};
use crate::options::Options;
use crate::process::{Counts, Server};
use crate::{BoxError, table};

/// The difference of two runs leaves out the start and the connection.
const FEW_REQUESTS: u32 = 300;
const MANY_REQUESTS: u32 = 2_300;

/// The number of procedures of a service with a description of about 250 kB, and of one whose
/// description is small.
const PROCEDURE_COUNT: &str = "500";
const SMALL_PROCEDURE_COUNT: &str = "10";

/// The server that the others are compared with, if it can answer a request.
const PLAIN_HANDLER: HttpContender = HttpContender::new("a plain handler", "plain", true);

/// The servers that are counted. The first three answer GET and `rpc.describe`.
const COUNTED_SUBJECTS: [&HttpContender; 6] = [
    &PLAIN_HANDLER,
    &BY_HAND,
    &DOCENT,
    &JSONRPSEE,
    &JSONRPC_V2,
    &AJJ,
];

/// The number of counted servers that answer GET and `rpc.describe`.
const GET_SUBJECTS: usize = 3;

/// A request that is counted.
struct CountedRequest {
    name: &'static str,
    /// The indexes of the counted servers that can answer it. The first one is what the others are compared with.
    able: Range<usize>,
    procedures: &'static str,
    /// Makes the request for a server. Conditional ones depend on what the server has sent.
    make: fn(SocketAddr) -> Result<Vec<u8>, BoxError>,
}

const SUM_TARGET: &str = "/rpc/sum?a=1.5&b=2.25";
const DESCRIBE_TARGET: &str = "/rpc/rpc.describe";

const COUNTED_REQUESTS: [CountedRequest; 6] = [
    CountedRequest {
        name: "post",
        able: 0..COUNTED_SUBJECTS.len(),
        procedures: PROCEDURE_COUNT,
        make: |_| post("sum"),
    },
    CountedRequest {
        name: "get",
        able: 0..GET_SUBJECTS,
        procedures: PROCEDURE_COUNT,
        make: |_| get(SUM_TARGET, None),
    },
    CountedRequest {
        name: "get-304",
        able: 0..GET_SUBJECTS,
        procedures: PROCEDURE_COUNT,
        make: |address| get(SUM_TARGET, Some(address)),
    },
    CountedRequest {
        name: "describe-small",
        able: 0..GET_SUBJECTS,
        procedures: SMALL_PROCEDURE_COUNT,
        make: |_| get(DESCRIBE_TARGET, None),
    },
    CountedRequest {
        name: "describe",
        able: 0..GET_SUBJECTS,
        procedures: PROCEDURE_COUNT,
        make: |_| get(DESCRIBE_TARGET, None),
    },
    // A plain handler of static bytes has no validator.
    CountedRequest {
        name: "describe-304",
        able: 1..GET_SUBJECTS,
        procedures: PROCEDURE_COUNT,
        make: |address| get(DESCRIBE_TARGET, Some(address)),
    },
];

/// The cost of a request with Docent, and with the server that Docent is compared with.
pub(crate) struct ComparedCounts {
    pub(crate) request: &'static str,
    pub(crate) docent: Counts,
    pub(crate) by_hand: Counts,
}

/// Counts each request with Docent, and with the server that it is compared with.
pub(crate) fn docent_and_by_hand() -> Result<Vec<ComparedCounts>, BoxError> {
    let mut counts = Vec::new();
    for request in &COUNTED_REQUESTS {
        eprintln!("compare: counting http {}", request.name);
        let docent = request.cost(&DOCENT)?;
        let by_hand = request.cost(COUNTED_SUBJECTS[request.able.start])?;
        counts.push(ComparedCounts {
            request: request.name,
            docent,
            by_hand,
        });
    }
    Ok(counts)
}

/// Prints what each request takes with each server that can answer it.
pub(crate) fn print(_: Options) -> Result<(), BoxError> {
    super::build()?;
    let mut names = vec!["request"];
    names.extend(COUNTED_SUBJECTS.iter().map(|subject| subject.title));
    let mut instructions = Vec::new();
    let mut calls = Vec::new();
    for request in COUNTED_REQUESTS {
        eprintln!("compare: counting {}", request.name);
        let able = &COUNTED_SUBJECTS[request.able.clone()];
        let counts: Vec<_> = able
            .iter()
            .map(|subject| request.cost(subject))
            .collect::<Result<_, _>>()?;
        instructions.push(request.row(table::with_ratios(&counts)));
        calls.push(request.row(counts.iter().map(table::calls).collect()));
    }
    let title = "Instructions a request, in user space, one connection";
    table::print(title, &names, &instructions);
    let title = "Clock reads and allocations a request, one connection";
    table::print(title, &names, &calls);
    Ok(())
}

impl CountedRequest {
    /// Returns a row of a table: dashes, where a server cannot answer the request.
    fn row(&self, cells: Vec<String>) -> Vec<String> {
        let missing = "–".to_owned();
        let mut row = vec![self.name.to_owned()];
        row.resize(1 + self.able.start, missing.clone());
        row.extend(cells);
        row.resize(1 + COUNTED_SUBJECTS.len(), missing);
        row
    }

    /// Counts what one request takes.
    fn cost(&self, subject: &HttpContender) -> Result<Counts, BoxError> {
        let many = self.count(subject, MANY_REQUESTS)?;
        Ok(many.more_than(
            self.count(subject, FEW_REQUESTS)?,
            MANY_REQUESTS - FEW_REQUESTS,
        ))
    }

    /// Counts what a server takes that answers so many of these requests.
    fn count(&self, subject: &HttpContender, requests: u32) -> Result<Counts, BoxError> {
        let file = tempfile::NamedTempFile::new()?;
        let mut valgrind = Counts::command(file.path());
        valgrind
            .arg(subject.program())
            .args(subject.words(self.procedures));
        let mut server = Server::start(&mut valgrind)?;
        // By hand, the first request for the description builds it on the worker, which takes seconds
        // under valgrind. Until actix-web has updated its cached time, new connections time out at once.
        let _ = length_of_answer(&server, &get(DESCRIBE_TARGET, None)?);
        thread::sleep(Duration::from_secs(2));
        let request = (self.make)(server.address)?;
        let mut connection = TcpStream::connect(server.address)?;
        connection.set_nodelay(true)?;
        for _ in 0..requests {
            length_on(&mut connection, &request)?;
        }
        server.stop()?;
        Counts::read(file.path())
    }
}
