//! Runs one of the servers and prints its address: `serve docent|on-hyper|bare|plain|followers|followers-bare
//! [WORKERS [PROCEDURES]]`. It exits when its standard input ends, so it cannot outlive its parent.

use std::io::{self, Read as _};

use bench_http::{PROCEDURES, bare, docent, followers, on_hyper, plain};

#[actix_web::main]
async fn main() -> io::Result<()> {
    std::thread::spawn(|| {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    let mut arguments = std::env::args().skip(1);
    let way = arguments.next().unwrap_or_default();
    let mut numbers = arguments.map(|text| text.parse().ok());
    let workers = numbers.next().flatten().unwrap_or(1);
    let procedures = numbers.next().flatten().unwrap_or(PROCEDURES);
    match way.as_str() {
        "docent" => {
            let server = docent::bind(workers, procedures)?;
            for address in server.addresses() {
                println!("{address}");
            }
            server.run().await
        }
        "followers" => {
            let server = followers::bind(workers)?;
            for address in server.addresses() {
                println!("{address}");
            }
            server.run().await
        }
        "followers-bare" => {
            let (address, server) = followers::bind_bare(workers)?;
            println!("{address}");
            server.await
        }
        "on-hyper" => {
            let (address, server) = on_hyper::bind(procedures).await?;
            println!("{address}");
            server.await
        }
        "bare" => {
            let (address, server) = bare::bind(workers, procedures, document)?;
            println!("{address}");
            server.await
        }
        "plain" => {
            let (address, server) = plain::bind(workers, document(procedures))?;
            println!("{address}");
            server.await
        }
        _ => {
            eprintln!(
                "usage: serve docent|on-hyper|bare|plain|followers|followers-bare [WORKERS [PROCEDURES]]"
            );
            std::process::exit(2);
        }
    }
}

/// The description in the frame of a response, as Docent sends it.
fn document(procedures: usize) -> Vec<u8> {
    let description = docent::service(procedures).rendered_description();
    let frame: [&[u8]; 3] = [
        br#"{"jsonrpc":"2.0","result":"#,
        &description,
        br#","id":null}"#,
    ];
    frame.concat()
}
