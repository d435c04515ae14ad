//! `docent docs --watch`: rebuilds after a change, and the local server that shows them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::service::{Response, Server};
use crate::support::{Folder, data_text, docent, run};

/// A running `docent docs --watch`, which ends with the test.
struct Watch {
    child: Child,
    authority: String,
    said: Arc<Mutex<String>>,
}

impl Watch {
    fn start(arguments: &[&str]) -> Self {
        let mut command = docent(["docs", "--watch", "--port", "0"]);
        let mut child = command
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped"))
            .read_line(&mut line)
            .expect("a line");
        let authority = line
            .trim()
            .strip_prefix("http://")
            .and_then(|line| line.strip_suffix('/'))
            .expect(&line)
            .to_owned();
        let said = Arc::new(Mutex::new(String::new()));
        let (stderr, heard) = (child.stderr.take().expect("piped"), Arc::clone(&said));
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                heard.lock().expect("sound").push_str(&line);
            }
        });
        Self {
            child,
            authority,
            said,
        }
    }

    fn get(&self, path: &str) -> String {
        self.ask(&format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n",
            self.authority
        ))
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.authority).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("it answers");
        response
    }

    fn wait_for(&self, path: &str, text: &str) {
        wait(text, || self.get(path));
    }

    fn wait_until_it_says(&self, text: &str) {
        wait(text, || self.said.lock().expect("sound").clone());
    }
}

fn wait(text: &str, look: impl Fn() -> String) {
    let start = Instant::now();
    while !look().contains(text) {
        let elapsed = start.elapsed();
        assert!(
            elapsed < Duration::from_secs(60),
            "{text} never came: {}",
            look()
        );
        thread::sleep(Duration::from_millis(50));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_change_of_an_input_is_seen_in_the_browser_and_in_the_folder() {
    let folder = Folder::new();
    let document = folder.write("shop.json", &data_text("shop.json"));
    let watch = Watch::start(&[&document, "-o", &folder.arg("site")]);
    let page = watch.get("/");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("Sells things."));
    let generation = watch.get("/.docent/generation");
    folder.write("shop.json", "{");
    watch.wait_until_it_says("shop.json:1:2: not JSON");
    assert!(
        watch.get("/").contains("Sells things."),
        "the old site stays"
    );
    assert_eq!(watch.get("/.docent/generation"), generation);
    folder.write(
        "shop.json",
        &data_text("shop.json").replace("Sells things.", "Rents things."),
    );
    watch.wait_for("/", "Rents things.");
    assert_ne!(watch.get("/.docent/generation"), generation);
    assert!(folder.read("site/index.html").contains("Rents things."));
}

#[test]
fn only_the_server_adds_a_script_and_its_policy_allows_it() {
    let folder = Folder::new();
    let document = folder.write("shop.json", &data_text("shop.json"));
    let watch = Watch::start(&[&document, "-o", &folder.arg("site")]);
    let served = watch.get("/basket.add.html");
    assert!(served.contains("Content-Security-Policy: default-src 'none'; script-src 'self';"));
    let (_, body) = served.split_once("\r\n\r\n").expect("a body");
    let at = body
        .find("<script src=\"/.docent/reload.js?")
        .expect("the script");
    let end = at + body[at..].find('\n').expect("a line") + 1;
    let written = folder.read("site/basket.add.html");
    assert_eq!(format!("{}{}", &body[..at], &body[end..]), written);
    assert!(watch.get("/.docent/reload.js").contains("text/javascript"));
    assert!(watch.get("/nothing.html").starts_with("HTTP/1.1 404"));
    assert!(watch.get("/../shop.json").starts_with("HTTP/1.1 404"));
    assert!(watch.get("/.docent-site").starts_with("HTTP/1.1 404"));
}

#[test]
fn a_change_of_a_template_is_seen() {
    let folder = Folder::new();
    let document = folder.write("shop.json", &data_text("shop.json"));
    folder.write("templates/footer.hbs", "<footer>One</footer>\n");
    let watch = Watch::start(&[
        &document,
        "-o",
        &folder.arg("site"),
        "--templates",
        &folder.arg("templates"),
    ]);
    assert!(watch.get("/").contains("<footer>One</footer>"));
    folder.write("templates/footer.hbs", "<footer>Another</footer>\n");
    watch.wait_for("/", "<footer>Another</footer>");
}

#[test]
fn a_live_service_is_asked_again() {
    let text = Arc::new(Mutex::new(data_text("shop.json")));
    let shared = Arc::clone(&text);
    let server = Server::start(move |request| {
        Response::of_service(request, "rpc.describe", &shared.lock().expect("sound"))
    });
    let folder = Folder::new();
    let watch = Watch::start(&[&server.url("/"), "-o", &folder.arg("site")]);
    *text.lock().expect("sound") = data_text("shop.json").replace("Sells things.", "Rents things.");
    watch.wait_for("/", "Rents things.");
}

#[test]
fn nobody_else_can_read_what_is_served() {
    let folder = Folder::new();
    let document = folder.write("shop.json", &data_text("shop.json"));
    let watch = Watch::start(&[&document, "-o", &folder.arg("site")]);
    for host in [
        "Host: evil.example\r\n",
        "Host: localhost.evil.example:80\r\n",
        "",
    ] {
        assert!(
            watch
                .ask(&format!("GET / HTTP/1.1\r\n{host}\r\n"))
                .starts_with("HTTP/1.1 421"),
            "{host}"
        );
    }
    assert!(
        watch
            .ask("GET / HTTP/1.1\r\nHost: LOCALHOST:1\r\n\r\n")
            .starts_with("HTTP/1.1 200")
    );
    assert!(
        watch
            .ask("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .starts_with("HTTP/1.1 405")
    );
    let head = watch.ask("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"));
}

#[test]
fn a_port_that_is_taken_is_said_so_before_anything_is_written() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("bound").port().to_string();
    let folder = Folder::new();
    let document = folder.write("shop.json", &data_text("shop.json"));
    let ran = run([
        "docs",
        &document,
        "--watch",
        "--port",
        &port,
        "-o",
        &folder.arg("site"),
    ]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(!folder.has("site"));
}
