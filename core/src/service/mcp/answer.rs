//! Reads a message and answers it.

use std::sync::Arc;
use std::task::Context;

use bytes::Bytes;
use docent_describe::json::shorten_bytes;
use serde::Serialize;

use super::message::{McpHeaders, McpMessage, McpReply, McpStatus};
use super::params::Asked;
use super::result::Shape;
use super::revision::{Refused, Revision};
use super::tools::Audience;
use crate::call::{Ended, Meta, Started};
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::service::admitted::Admitted;
use crate::service::dispatch::Dispatch;
use crate::service::entrance::Incoming;
use crate::service::reply::{Refusal, Reply};
use crate::service::requests::meta;
use crate::service::reserved;
use crate::service::rest::in_place;
use crate::service::state::Service;
use crate::wire::{Judged, Message, Protocol, Protocols, Request, Rules};
use docent_describe::brief::REASON;

impl Service {
    /// Handles a message of the Model Context Protocol, and returns the response with details. For
    /// transports.
    ///
    /// The service speaks the revisions 2025-11-25 and 2026-07-28, keeps no sessions, and offers tools.
    /// A call of a tool is a call of its procedure.
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, McpMessage, Procedure, Service};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c28")
    ///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).tool())
    ///     .build()?;
    /// let call = r#"{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "hello"}, "id": 1}"#;
    /// let response = service.mcp(McpMessage::new(call)).await.reply.into_body().unwrap();
    /// assert!(String::from_utf8(response)?.contains(r#""structuredContent":{"result":"hello"}"#));
    /// # Ok(())
    /// # }
    /// ```
    pub fn mcp(&self, message: McpMessage) -> impl Future<Output = McpReply> + Send + use<> {
        let service = self.clone();
        async move { service.answer_mcp(message).await }
    }

    /// Creates the response to a message that was not read, and notifies observers, who also get the
    /// values that the transport attaches. For transports.
    pub fn turn_away_mcp(&self, refusal: Refusal, extensions: Option<Arc<Extensions>>) -> Reply {
        let reply = failed(self, None, &refusal.into());
        self.tell_refused(&reply, extensions);
        reply
    }

    async fn answer_mcp(&self, message: McpMessage) -> McpReply {
        let McpMessage {
            body,
            headers,
            extensions,
            ..
        } = message;
        let incoming = Incoming {
            body,
            extensions: extensions.clone(),
            ..Incoming::default()
        };
        let rules = Rules {
            // There are no batches, so one entry is enough to recognise one.
            batch: 1,
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
                return malformed(reply);
            }
        };
        let (fault, id) = match message {
            Message::Single(Judged::Request(request)) => {
                let id = dispatch.part(request.id.as_ref());
                if id != Some("null") {
                    return answer(&dispatch, &request, headers.as_ref()).await;
                }
                let reason = "id must be a string or a number";
                (Fault::explained(code::INVALID_REQUEST, reason), None)
            }
            Message::Single(Judged::Invalid(wrong)) => {
                let reason = wrong.reason.unwrap_or("this is no JSON-RPC 2.0 request");
                let id = dispatch.part(wrong.id.as_ref());
                let id = id.filter(|id| *id != "null");
                (Fault::explained(code::INVALID_REQUEST, reason), id)
            }
            _ => {
                let reason = "there are no batches: send each message by itself";
                (Fault::explained(code::INVALID_REQUEST, reason), None)
            }
        };
        let reply = failed(self, id, &fault);
        self.tell_answered(&reply, Some(&dispatch));
        malformed(reply)
    }
}

/// Answers a valid request or notification.
async fn answer(
    dispatch: &Dispatch<'_>,
    request: &Request,
    headers: Option<&McpHeaders>,
) -> McpReply {
    let id = dispatch.part(request.id.as_ref());
    let refused = match Asker::new(dispatch, request, headers) {
        Ok(_) if request.notification => {
            // Notifications change nothing here, and are not answered.
            let meta = meta(request, None);
            return McpReply {
                reply: Reply::silence(meta, None),
                status: McpStatus::Accepted,
            };
        }
        Ok(asker) => match asker.answer().await {
            Ok(reply) => {
                return McpReply {
                    reply,
                    status: McpStatus::Answered,
                };
            }
            Err(refused) => refused,
        },
        Err(refused) => refused,
    };
    let reply = failed(dispatch.service, id, &refused.fault);
    dispatch.service.tell_answered(&reply, Some(dispatch));
    McpReply {
        reply,
        status: refused.status,
    }
}

/// A request with a known revision.
struct Asker<'a, 's> {
    dispatch: &'a Dispatch<'s>,
    request: &'a Request,
    headers: Option<&'a McpHeaders>,
    method: &'a str,
    asked: Asked,
    revision: Revision,
}

impl<'a, 's> Asker<'a, 's> {
    fn new(
        dispatch: &'a Dispatch<'s>,
        request: &'a Request,
        headers: Option<&'a McpHeaders>,
    ) -> Result<Self, Refused> {
        let text = dispatch.text();
        let asked = Asked::read(text, &request.params).map_err(Refused::malformed)?;
        let client = asked.client(text).map_err(Refused::malformed)?;
        let revision = Revision::of(&client, headers)?;
        let method = request.method.name(text).unwrap_or_default();
        if !request.notification {
            revision.check_request(&client, headers, method)?;
        }
        Ok(Self {
            dispatch,
            request,
            headers,
            method,
            asked,
            revision,
        })
    }

    async fn answer(&self) -> Result<Reply, Refused> {
        let tools = &self.service().inner.tools;
        let description = self.service().description();
        match (self.method, self.revision) {
            ("tools/call", _) => self.call().await,
            ("tools/list", revision) => {
                let refused = self.asked.refuse_cursor(self.text());
                refused.map_err(|fault| self.refused(fault))?;
                let list = tools.list(description, revision, self.audience());
                self.describe(list).await
            }
            ("server/discover", Revision::V2026_07_28) => {
                self.describe(tools.discovery(description)).await
            }
            ("initialize", Revision::V2025_11_25) => {
                let version = self.asked.version(self.text());
                version.map_err(|fault| self.refused(fault))?;
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
        let (service, dispatch) = (self.service(), self.dispatch);
        let name = self.asked.name(self.text());
        let name = name.map_err(|fault| self.refused(fault))?;
        self.revision.check_name(self.headers, &name)?;
        let params = self.asked.arguments(self.text());
        let params = params.map_err(|fault| self.refused(fault))?;
        let tools = &*service.inner.tools;
        let tool = tools.get(&name, self.audience());
        let unknown = || Refused {
            fault: unknown_tool(&name, &tools.closest(&name)),
            status: McpStatus::Answered,
        };
        let callable = match tool {
            Some(tool) => service.callable(&tool.procedure),
            None => service.unknown(),
        };
        let callable = callable.ok_or_else(unknown)?;
        let key = self.asked.key(self.text(), self.request.key);
        let request = Request {
            params,
            key: key.map_err(|fault| self.refused(fault))?,
            ..self.request.clone()
        };
        let begun = service.begin();
        let start = |cx: &mut Context<'_>| dispatch.begin_request(&request, callable, begun, cx);
        let reply = match in_place(start).await {
            Ok(reply) => reply,
            Err(unanswered) => dispatch.end_unanswered(unanswered).await,
        };
        let reply = match tool {
            Some(tool) => {
                let shape = Shape {
                    tools,
                    tool,
                    revision: self.revision,
                    id: self.id(),
                    limit: dispatch.limit(),
                };
                shape.apply(reply, &callable.callee)
            }
            None if reply.denial().is_some() => reply,
            None => return Err(unknown()),
        };
        service.tell_answered(&reply, Some(dispatch));
        Ok(reply)
    }

    /// Sends a text about the service to callers that may call `rpc.describe`.
    async fn describe(&self, text: Bytes) -> Result<Reply, Refused> {
        let (service, dispatch) = (self.service(), self.dispatch);
        let Some(callable) = service.callable(reserved::WHOLE) else {
            return Err(self.refused(Fault::internal("a service describes itself")));
        };
        let meta = meta(self.request, service.begin());
        let begin = |call: Admitted<'_, '_>| Started::Ended(call.output.share(text.clone()));
        let mut output = dispatch.output(&meta);
        let start = |cx: &mut Context<'_>| dispatch.start(callable, meta, &mut output, cx, begin);
        let ended = match in_place(start).await {
            Started::Ended(result) => Ended { output, result },
            Started::Running(rest) => dispatch.end(rest, begin).await,
        };
        let reply = Reply::ended(ended, meta, self.id(), Some(Arc::clone(&callable.callee)));
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

    fn refused(&self, fault: Fault) -> Refused {
        Refused {
            fault,
            status: self.revision.status(McpStatus::Malformed),
        }
    }

    fn service(&self) -> &'s Service {
        self.dispatch.service
    }

    fn text(&self) -> &'a str {
        self.dispatch.text()
    }

    fn id(&self) -> Option<&'a str> {
        self.dispatch.part(self.request.id.as_ref())
    }

    fn audience(&self) -> Audience {
        match self.headers {
            Some(_) => Audience::Everyone,
            None => Audience::WithoutCredentials,
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

fn malformed(reply: Reply) -> McpReply {
    McpReply {
        reply,
        status: McpStatus::Malformed,
    }
}
