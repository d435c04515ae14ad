//! The service of the README, word for word but for its address.

use docent::{Fault, Server, Service, procedure};

/// Greets somebody.
#[procedure(
    idempotent,
    returns = "The greeting.",
    example(params = ["Ada"], result = "Hello, Ada!")
)]
fn greet(
    /// The name to greet.
    #[schemars(length(min = 1, max = 80))]
    name: String,
    /// How many times to say it.
    #[procedure(default = 1)]
    #[schemars(range(min = 1, max = 5))]
    times: u8,
) -> Result<String, Fault> {
    Ok(vec![format!("Hello, {name}!"); times.into()].join(" "))
}

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = Service::builder("greeter", "https://example.com/greeter")
        .version("1.0")
        .procedure(greet::procedure())
        .build()?;
    let address = std::env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8080".to_owned());
    if std::env::args().any(|argument| argument == "--help") {
        println!(
            "quickstart serves the greeter of the README. LISTEN=127.0.0.1:8080 is its address."
        );
        return Ok(());
    }
    Ok(Server::new(service).bind(address)?.run().await?)
}

#[cfg(test)]
mod tests {
    use docent::Service;
    use docent::describe::json::Json;

    const README: &str = include_str!("../../../README.md");

    /// Returns JSON without the whitespace between tokens.
    fn compact(text: &str) -> String {
        let value: Json = text.parse().expect("JSON");
        value.to_string()
    }

    #[docent::test]
    async fn the_answer_to_a_wrong_call_is_that_of_the_readme() {
        let service = Service::builder("greeter", "https://example.com/greeter")
            .procedure(super::greet::procedure())
            .build()
            .expect("a service");
        let (_, call) = README.split_once("-d '").expect("a call");
        let (body, rest) = call.split_once("'\n").expect("the end of the command");
        let (response, _) = rest.split_once("\n```").expect("the end of the block");
        let answered = service.handle(body.to_owned()).await.expect("an answer");
        let answered = String::from_utf8(answered).expect("UTF-8");
        assert_eq!(compact(&answered), compact(response));
    }
}
