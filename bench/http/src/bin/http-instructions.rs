//! How many instructions a request costs in user space, on one connection that is kept, against the
//! same request on actix-web by hand. It runs `serve`, which is built beside it, under callgrind:
//!
//! ```text
//! cargo build --profile dist -p bench-http && target/dist/http-instructions [REQUEST]
//! ```
//!
//! The difference of 300 and 2,300 requests leaves out what starting and connecting cost.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

const FEW: u32 = 300;
const MANY: u32 = 2_300;

/// The requests, and how many times as much as on bare actix-web each may cost, in hundredths.
const REQUESTS: [(&str, u64); 5] = [
    ("post", 105),
    ("get", 110),
    ("get-304", 110),
    ("describe", 150),
    ("describe-304", 110),
];

type Failure = Box<dyn Error>;

fn main() -> ExitCode {
    let only = std::env::args().nth(1);
    let mut over = false;
    println!(
        "{:<14} {:>9} {:>9} {:>6}",
        "request", "docent", "bare", "ratio"
    );
    for (request, at_most) in REQUESTS {
        if only.as_ref().is_some_and(|only| only != request) {
            continue;
        }
        match (cost("docent", request), cost("bare", request)) {
            (Ok(docent), Ok(bare)) => {
                let hundredths = docent * 100 / bare;
                let (whole, part) = (hundredths / 100, hundredths % 100);
                println!("{request:<14} {docent:>9} {bare:>9} {whole:>3}.{part:02}");
                over |= hundredths > at_most;
            }
            (Err(failure), _) | (_, Err(failure)) => {
                eprintln!("{request}: {failure}");
                over = true;
            }
        }
    }
    ExitCode::from(u8::from(over))
}

/// The instructions of one request.
fn cost(way: &str, request: &str) -> Result<u64, Failure> {
    let (many, few) = (count(way, request, MANY)?, count(way, request, FEW)?);
    Ok((many - few) / u64::from(MANY - FEW))
}

/// The instructions of a server that serves this many requests.
fn count(way: &str, request: &str, requests: u32) -> Result<u64, Failure> {
    let serve = std::env::current_exe()?.with_file_name("serve");
    let mut server = start(way, &serve)?;
    let mut address = String::new();
    let output = server.stdout.take().ok_or("no output")?;
    BufReader::new(output).read_line(&mut address)?;
    let asked = ask(address.trim(), request, requests);
    let ended = Command::new("kill")
        .args(["-TERM", &server.id().to_string()])
        .status();
    let mut report = String::new();
    server
        .stderr
        .take()
        .ok_or("no report")?
        .read_to_string(&mut report)?;
    server.wait()?;
    asked?;
    ended?;
    let counted = report
        .lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    counted.ok_or_else(|| format!("valgrind did not count anything:\n{report}").into())
}

fn start(way: &str, serve: &Path) -> Result<Child, Failure> {
    let file = std::env::var("CALLGRIND_OUT").unwrap_or_else(|_| "/dev/null".to_owned());
    let server = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={file}"))
        .arg(serve)
        .args([way, "1"])
        // The server exits when its input ends.
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    Ok(server)
}

/// Asks one request again and again on one connection.
fn ask(address: &str, request: &str, times: u32) -> Result<(), Failure> {
    let mut connection = TcpStream::connect(address)?;
    connection.set_nodelay(true)?;
    let tag = match request {
        "get-304" => tag(&mut connection, &get("/rpc/sum?a=1.5&b=2.25", None))?,
        "describe-304" => tag(&mut connection, &get("/rpc/rpc.describe", None))?,
        _ => String::new(),
    };
    let (bytes, status) = match request {
        "post" => (post(), "200"),
        "get" => (get("/rpc/sum?a=1.5&b=2.25", None), "200"),
        "get-304" => (get("/rpc/sum?a=1.5&b=2.25", Some(&tag)), "304"),
        "describe" => (get("/rpc/rpc.describe", None), "200"),
        _ => (get("/rpc/rpc.describe", Some(&tag)), "304"),
    };
    for _ in 0..times {
        connection.write_all(bytes.as_bytes())?;
        let head = answer(&mut connection)?;
        if head.get(9..12) != Some(status) {
            return Err(format!("not {status}: {head}").into());
        }
    }
    Ok(())
}

fn post() -> String {
    let body = r#"{"jsonrpc":"2.0","method":"sum","params":[1.5,2.25],"id":1}"#;
    let length = body.len();
    format!(
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: */*\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

fn get(target: &str, tag: Option<&str>) -> String {
    let condition = tag.map(|tag| format!("If-None-Match: {tag}\r\n"));
    let condition = condition.unwrap_or_default();
    format!(
        "GET {target} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: */*\r\n\
         {condition}\r\n"
    )
}

/// The validator of an answer.
fn tag(connection: &mut TcpStream, request: &str) -> Result<String, Failure> {
    connection.write_all(request.as_bytes())?;
    let head = answer(connection)?;
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: "));
    Ok(tag.ok_or("no validator")?.to_owned())
}

/// Reads an answer, and gives its head.
fn answer(connection: &mut TcpStream) -> Result<String, Failure> {
    let mut answer = Vec::new();
    let mut piece = vec![0; 64 << 10];
    loop {
        let read = connection.read(&mut piece)?;
        if read == 0 {
            return Err("the connection has closed".into());
        }
        answer.extend_from_slice(&piece[..read]);
        let end = answer.windows(4).position(|end| end == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8(answer[..end].to_vec())?;
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(Ok(0), str::parse)?;
            let mut left = (end + 4 + length).saturating_sub(answer.len());
            while left > 0 {
                let read = connection.read(&mut piece)?;
                if read == 0 {
                    return Err("the connection has closed".into());
                }
                left -= read;
            }
            return Ok(head);
        }
    }
}
