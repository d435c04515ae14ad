//! The server of the README that is not Docent's. It takes at most 50 as `limit`, and its document says 100.

use jsonrpsee::RpcModule;
use jsonrpsee::server::Server;
use jsonrpsee::types::{ErrorObjectOwned, Params};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Find {
    words: String,
    #[serde(default = "twenty")]
    limit: usize,
}

fn twenty() -> usize {
    20
}

fn find(params: &Params<'_>) -> Result<Vec<&'static str>, ErrorObjectOwned> {
    let Find { words, limit } = params.parse()?;
    if !(1..=50).contains(&limit) {
        let data = json!({"parameter": "limit", "reason": "at most 50"});
        return Err(ErrorObjectOwned::owned(
            -32602,
            "Invalid params",
            Some(data),
        ));
    }
    let titles = ["Emma", "Moby-Dick", "Persuasion"].into_iter();
    let found = titles.filter(|title| title.contains(&words));
    Ok(found.take(limit).collect())
}

fn document() -> Value {
    json!({
        "openrpc": "1.3.2",
        "info": {"title": "library", "version": "1.0"},
        "methods": [{
            "name": "book.find",
            "summary": "Finds books by words in their titles.",
            "params": [
                {
                    "name": "words",
                    "description": "Words to look for.",
                    "required": true,
                    "schema": {"type": "string"}
                },
                {
                    "name": "limit",
                    "description": "The maximum number of titles.",
                    "schema": {"type": "integer", "minimum": 1, "maximum": 100}
                }
            ],
            "result": {
                "name": "titles",
                "description": "The titles found.",
                "schema": {"type": "array", "items": {"type": "string"}}
            }
        }]
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut module = RpcModule::new(());
    module.register_method("book.find", |params, (), _| find(&params))?;
    module.register_method("rpc.discover", |_, (), _| document())?;
    let address = std::env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8081".to_owned());
    let server = Server::builder().build(address).await?;
    server.start(module).stopped().await;
    Ok(())
}
