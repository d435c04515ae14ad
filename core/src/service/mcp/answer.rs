//! Reads a message and answers it.

use std::sync::Arc;

use bytes::Bytes;
use docent_describe::brief::REASON;
use docent_describe::json::shorten_bytes;
use serde::{Deserialize, Serialize};

use super::message::{McpHeaders, McpReply, McpStatus};
use super::params::{self, ClientMeta, InitializeParams, ListParams, ToolCall};
use super::request::McpRequest;
use super::revision::{Refused, Revision};
use crate::call::Meta;
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::service::dispatch::{Dispatch, DispatchInput, meta};
use crate::service::entrance::Incoming;
use crate::service::reply::{Refusal, Reply};
use crate::service::reserved;
use crate::service::state::Service;
use crate::wire::{Judged, Message, Protocol, Protocols, Request, Rules};

impl Service {
    /// Handles a message of the Model Context Protocol, and returns the response with details. For
    /// transports.
    ///
    /// The service speaks the revisions 2025-11-25 and 2026-07-28, keeps no sessions, and offers tools.
    /// A call of a tool is a call of its procedure.
    ///
    /// `headers` are the header fields that must match the message. There are none over a transport
    /// without header fields, such as standard input: its callers cannot show credentials, so guarded
    /// procedures are not tools for them.
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, Incoming, Procedure, Service};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c28")
    ///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).tool())
    ///     .build()?;
    /// let call = r#"{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "hello"}, "id": 1}"#;
    /// let response = service.mcp(Incoming::new(call), None).await.reply.into_body().unwrap();
    /// assert!(String::from_utf8(response)?.contains(r#""structuredContent":{"result":"hello"}"#));
    /// # Ok(())
    /// # }
    /// ```
    pub fn mcp(
        &self,
        incoming: Incoming,
        headers: Option<McpHeaders>,
    ) -> impl Future<Output = McpReply> + Send + use<> {
        let service = self.clone();
        async move { service.answer_mcp(incoming, headers.as_ref()).await }
    }

    /// Creates the response to a message that was not read, and notifies observers, who also get the
    /// values that the transport attaches. For transports.
    pub fn turn_away_mcp(&self, refusal: Refusal, extensions: Option<Arc<Extensions>>) -> Reply {
        let reply = failed(self, None, &refusal.into());
        self.tell_refused(&reply, extensions);
        reply
    }

    async fn answer_mcp(&self, incoming: Incoming, headers: Option<&McpHeaders>) -> McpReply {
        let extensions = incoming.extensions.clone();
        let rules = Rules {
            // There are no batches: all are refused below.
            batch: usize::MAX,
            protocols: Protocols {
                v1_1: false,
                v1_0: false,
                ..Protocols::default()
            },
            nesting: self.limits().max_depth,
        };
        let (dispatch, message) = match self.read(incoming, rules) {
            Ok(read) => read,
            Err(fault) => {
                let reply = failed(self, None, &fault);
                self.tell_refused(&reply, extensions);
                let status = McpStatus::Malformed;
                return McpReply { reply, status };
            }
        };
        let (id, answer) = match &message {
            Message::Single(Judged::Request(request)) => match dispatch.part(request.id.as_ref()) {
                Some("null") => (None, Err(refuse("id must be a string or a number"))),
                id => (id, answer(&dispatch, request, headers).await),
            },
            Message::Single(Judged::Invalid(invalid)) => {
                let reason = invalid.reason.unwrap_or("this is no JSON-RPC 2.0 request");
                let id = dispatch.part(invalid.id.as_ref());
                (id.filter(|id| *id != "null"), Err(refuse(reason)))
            }
            Message::Batch(_) => {
                let reason = "there are no batches: send each message by itself";
                (None, Err(refuse(reason)))
            }
        };
        answer.unwrap_or_else(|Refused { fault, status }| {
            let reply = failed(self, id, &fault);
            self.tell_answered(&reply, Some(&dispatch));
            McpReply { reply, status }
        })
    }
}

fn refuse(reason: &str) -> Refused {
    Refused::malformed(Fault::explained(code::INVALID_REQUEST, reason))
}

/// Answers a valid request or notification.
async fn answer(
    dispatch: &Dispatch<'_>,
    request: &Request,
    headers: Option<&McpHeaders>,
) -> Result<McpReply, Refused> {
    let client = ClientMeta::read(&dispatch.body, request).map_err(Refused::malformed)?;
    let revision = Revision::of(&client, headers)?;
    if request.notification {
        // Notifications change nothing here, and are not answered.
        return Ok(McpReply {
            reply: Reply::silence(meta(request, None), None),
            status: McpStatus::Accepted,
        });
    }
    let asked = McpRequest {
        dispatch,
        request,
        headers,
        method: request.method.name(&dispatch.body),
        revision,
    };
    revision.check_request(&client, headers, asked.method)?;
    Ok(McpReply {
        reply: asked.answer().await?,
        status: McpStatus::Answered,
    })
}

impl<'a> McpRequest<'a, '_> {
    async fn answer(&self) -> Result<Reply, Refused> {
        let tools = &self.dispatch.service.inner.tools;
        let description = self.dispatch.service.description();
        match (self.method, self.revision) {
            ("tools/call", _) => self.call().await,
            ("tools/list", revision) => {
                let params: ListParams = self.params()?;
                params.check().map_err(|fault| self.refused(fault))?;
                let list = tools.list(description, revision, self.headers.is_some());
                self.describe(list).await
            }
            ("server/discover", Revision::V2026_07_28) => {
                self.describe(tools.discovery(description)).await
            }
            ("initialize", Revision::V2025_11_25) => {
                let _: InitializeParams = self.params()?;
                Ok(self.result(&tools.introduction(description)))
            }
            ("ping", Revision::V2025_11_25) => Ok(self.result(b"{}")),
            _ => Err(Refused {
                fault: Fault::protocol(code::METHOD_NOT_FOUND),
                status: self.revision.status(McpStatus::UnknownMethod),
            }),
        }
    }

    /// Calls a tool: runs its procedure, with the arguments read from the body in place.
    async fn call(&self) -> Result<Reply, Refused> {
        let (service, dispatch) = (self.dispatch.service, self.dispatch);
        let call: ToolCall<'_> = self.params()?;
        self.revision.check_name(self.headers, &call.name)?;
        let request = call.request(&dispatch.body, self.request);
        let request = request.map_err(|fault| self.refused(fault))?;
        let tools = &*service.inner.tools;
        let tool = tools.get(&call.name, self.headers.is_some());
        let unknown = || Refused {
            fault: unknown_tool(&call.name, &tools.closest(&call.name)),
            status: McpStatus::Answered,
        };
        let callable = match tool {
            Some(tool) => service.callable(&tool.procedure),
            None => service.unknown(),
        };
        let callable = callable.ok_or_else(unknown)?;
        let begun = service.begin();
        let reply = dispatch.call_request(&request, callable, begun).await;
        let reply = match tool {
            Some(tool) => self.tool_result(reply, tool, &callable.callee),
            None if reply.denial().is_some() => reply,
            None => return Err(unknown()),
        };
        service.tell_answered(&reply, Some(dispatch));
        Ok(reply)
    }

    /// Sends a text about the service to callers that may call `rpc.describe`.
    async fn describe(&self, text: Bytes) -> Result<Reply, Refused> {
        let (service, dispatch) = (self.dispatch.service, self.dispatch);
        let Some(callable) = service.callable(reserved::WHOLE) else {
            return Err(self.refused(Fault::internal("a service describes itself")));
        };
        let meta = meta(self.request, service.begin());
        let input = DispatchInput::Result(text);
        let reply = dispatch.call(callable, meta, self.id(), input).await;
        service.tell_answered(&reply, Some(dispatch));
        Ok(reply)
    }

    /// Creates a response without a call. Observers are notified of calls only.
    fn result(&self, result: &[u8]) -> Reply {
        let mut body = Vec::new();
        Protocol::V2_0.begin_result(&mut body);
        body.extend_from_slice(result);
        Protocol::V2_0.end_result(&mut body, self.id());
        Reply::silence(meta(self.request, None), None).rewritten(body, None)
    }

    fn params<T: Deserialize<'a>>(&self) -> Result<T, Refused> {
        let params = params::read(&self.dispatch.body, self.request);
        params.map_err(|fault| self.refused(fault))
    }

    fn refused(&self, fault: Fault) -> Refused {
        Refused {
            fault,
            status: self.revision.status(McpStatus::Malformed),
        }
    }
}

/// Returns the error for a name that no tool has.
fn unknown_tool(name: &str, closest: &[&str]) -> Fault {
    #[derive(Serialize)]
    struct Data<'a> {
        closest: &'a [&'a str],
    }
    let message = format!("Unknown tool: {}", shorten_bytes(name, REASON));
    let fault = Fault::new(code::INVALID_PARAMS, message);
    match closest {
        [] => fault,
        closest => fault.set_data(&Data { closest }),
    }
}

/// Creates an error without a call. If the request has no `id`, the response has none either: null
/// is not a valid `id` here.
fn failed(service: &Service, id: Option<&str>, fault: &Fault) -> Reply {
    const NO_ID: &[u8] = b",\"id\":null}";
    let meta = Meta::bare(Protocol::V2_0, service.begin());
    let reply = Reply::fault(meta, id, fault);
    if id.is_some() {
        return reply;
    }
    let mut body = reply.body().unwrap_or_default().into_owned();
    if body.ends_with(NO_ID) {
        body.truncate(body.len() - NO_ID.len());
        body.push(b'}');
    }
    reply.rewritten(body, Some(fault.code()))
}
