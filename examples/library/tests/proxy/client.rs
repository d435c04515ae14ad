//! A client that shows everything that came back.

use std::fmt::Display;

use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::{HeaderMap, Request};

use crate::setup::{PATIENCE, TOKEN};

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// A header field; empty where there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }

    /// What nginx says about where the answer is from; empty where the cache was not asked.
    pub(crate) fn cache(&self) -> &str {
        self.header("x-cache-status")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Asks an address, below `/rpc`.
pub(crate) struct Client {
    agent: Agent,
    mount: String,
    /// What it says when it calls by POST.
    token: Option<&'static str>,
}

impl Client {
    pub(crate) fn of(address: impl Display) -> Self {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .build();
        Self {
            agent: agent.into(),
            mount: format!("http://{address}/rpc"),
            token: Some(TOKEN),
        }
    }

    pub(crate) fn without_token(self) -> Self {
        Self {
            token: None,
            ..self
        }
    }

    pub(crate) fn get(&self, below: &str) -> Answer {
        self.get_with(below, &[])
    }

    pub(crate) fn get_with(&self, below: &str, fields: &[(&str, &str)]) -> Answer {
        self.send("GET", &format!("/{below}"), fields, String::new())
    }

    pub(crate) fn call(&self, procedure: &str, params: &Value) -> Answer {
        let call = json!({"jsonrpc": "2.0", "method": procedure, "params": params, "id": 1});
        let mut fields = vec![("content-type", "application/json")];
        let credentials = self.token.map(|token| format!("Bearer {token}"));
        fields.extend(credentials.iter().map(|it| ("authorization", it.as_str())));
        self.send("POST", "", &fields, call.to_string())
    }

    /// The result of a call that changes something.
    pub(crate) fn write(&self, procedure: &str, params: &Value) -> Value {
        let answer = self.call(procedure, params);
        assert_eq!((answer.status, answer.cache()), (200, ""), "{answer:?}");
        let body = answer.json();
        assert_eq!(body.get("error"), None, "{procedure} {params}");
        body["result"].clone()
    }

    fn send(&self, method: &str, below: &str, fields: &[(&str, &str)], body: String) -> Answer {
        let address = format!("{}{below}", self.mount);
        let mut request = Request::builder().method(method).uri(address);
        for (name, value) in fields {
            request = request.header(*name, *value);
        }
        let request = request.body(body).unwrap();
        let mut response = self.agent.run(request).unwrap();
        Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.body_mut().read_to_vec().unwrap(),
        }
    }
}
