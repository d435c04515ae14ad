// Calls and subscribes over WebSockets with generated clients: node websockets.js WS LIBRARY TOKEN COUNT. WS is the package
// `ws`, LIBRARY the address of the library, where TOKEN allows to write, and COUNT that of a service that counts to 1,000,
// behind a proxy that breaks off.
import { strict as assert } from "node:assert";
import { once } from "node:events";
import { Client as Library, calls, NoSuchBookError } from "./library/index.ts";
import { Client as Counter } from "./odd_values/index.ts";
import { Client, RpcError, TransportError, type Call, type ClientOptions } from "./without_bigint/index.ts";

const [path = "", library = "", token = "", count = ""] = process.argv.slice(2);
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const { WebSocket: Socket, WebSocketServer } = (await import(path)) as any;
const servers: { close(): void }[] = [];

/** Runs a test. What a failed one leaves open would keep the program. */
async function test(name: string, run: () => Promise<void>): Promise<void> {
  await run().catch((error: unknown) => {
    console.error(name, error);
    process.exit(1);
  });
}

/**
 * What a server sends: a text in which `ID` is the id of the first request, bytes, or a close. With `wait`, it waits for
 * another message, and with `hold` for the end of the connection.
 */
type Sent = string | Uint8Array | { code: number; reason: string };

interface Server {
  url: string;
  /** What has arrived, from all connections. */
  received: { method?: string; params?: unknown; id?: number }[];
  /** The number of connections that are open. */
  open(): number;
  /** Waits until something else arrives. */
  next(): Promise<unknown>;
}

/** Starts a server. Each connection answers its first request with the next of these messages, and is then broken off. */
async function answering(...connections: Sent[][]): Promise<Server> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  servers.push(server);
  const received: Server["received"] = [];
  server.on("connection", async (socket: any) => {
    socket.on("message", (data: object) => {
      received.push(JSON.parse(String(data)));
      server.emit("received");
    });
    socket.on("error", () => undefined);
    const messages = connections.shift() ?? [];
    await once(socket, "message");
    const id = String(received.at(-1)?.id);
    for (const message of messages) {
      if (message === "hold") await once(socket, "close");
      else if (message === "wait") await once(socket, "message");
      else if (typeof message === "object" && "code" in message) socket.close(message.code, message.reason);
      else {
        const text = typeof message === "string" ? message.replace("ID", id) : message;
        await new Promise((sent) => socket.send(text, sent));
      }
    }
    socket.terminate();
  });
  return {
    url: `ws://127.0.0.1:${server.address().port}/rpc`,
    received,
    open: () => server.clients.size,
    next: () => once(server, "received"),
  };
}

const options = { WebSocket: Socket } satisfies ClientOptions;
// The platform's own fits, too.
({ WebSocket: globalThis.WebSocket }) satisfies ClientOptions;
const a: Call<unknown> = { method: "a" };
const watch: Call<unknown> = { method: "watch", resume: { param: "after", isNumber: true } };
const seven = '{"jsonrpc":"2.0","result":7,"id":ID}';
const subscribed = '{"jsonrpc":"2.0","result":"s1","id":ID}';
const item = (params: string): string => `{"jsonrpc":"2.0","method":"watch","params":{"subscription":"s1",${params}}}`;

function fails(call: Promise<unknown>, message: string | RegExp): Promise<void> {
  return assert.rejects(call, (error) => {
    assert(error instanceof TransportError, String(error));
    if (typeof message === "string") assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });
}

/** Reads a subscription to its end. */
async function read(items: AsyncIterable<{ value: unknown; cursor: string | undefined }>): Promise<unknown[]> {
  const found: unknown[] = [];
  try {
    for await (const { value, cursor } of items) found.push(cursor === undefined ? value : [value, cursor]);
    found.push("over");
  } catch (error) {
    found.push(error instanceof RpcError ? error.code : String(error));
  }
  return found;
}

// Nobody waits for pauses here. Those before attempts to come back are no whole numbers.
const realTimer = globalThis.setTimeout;
let probeInterval = 20_000;
globalThis.setTimeout = ((done: () => void, milliseconds: number, ...rest: []) => {
  const shorter = milliseconds === 20_000 ? probeInterval : Number.isInteger(milliseconds) ? milliseconds : milliseconds / 100;
  return realTimer(done, shorter, ...rest);
}) as typeof setTimeout;

await test("calls, a batch and a notification share a connection, which carries the token", async () => {
  const made: unknown[] = [];
  class Counted extends Socket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      made.push(protocols);
    }
  }
  const client = new Library(library.replace("http:", "ws:"), { WebSocket: Counted as never, token: () => token });
  const [page, member] = await Promise.all([
    client.bookFind({ words: "whale", limit: 1 }),
    client.memberAdd({ name: "Wes Example" }),
  ]);
  assert.equal(page.books[0]?.title, "Moby-Dick; or, The Whale");
  assert.match(member.card, /^L\d{6,}$/);
  await assert.rejects(client.bookGet({ book: 999_999 }), (error) => error instanceof NoSuchBookError && error.data.book === 999_999);
  await client.notify(calls.bookGet({ book: 1 }));
  const [stats, lost] = await client.batch([calls.stats(), calls.bookGet({ book: 999_999 })]);
  assert(stats.ok && stats.value.books > 0);
  assert(!lost.ok && lost.error instanceof NoSuchBookError);
  assert.deepEqual(made, [[`docent.bearer.${token}`]]);
  client.close();
});

await test("a subscription to a service comes back wherever its connection breaks, with credentials that are asked for anew", async () => {
  let asked = 0;
  const client = new Counter(count.replace("http:", "ws:"), { ...options, token: () => `token${asked++}` });
  let last = 0;
  for await (const { value, cursor } of client.count()) {
    assert.equal(value.number, ++last);
    assert.equal(cursor, String(last));
  }
  assert.equal(last, 1_000);
  assert(asked > 5, String(asked));
  assert.deepEqual((await client.integer({ value: 7 })).value, 7);
  client.close();
});

await test("a handshake that is refused, and an unreachable service, are errors of the call", async () => {
  await fails(new Client(library.replace("http:", "ws:") + "/elsewhere", options).send(a), "cannot connect");
  await fails(new Client("ws://127.0.0.1:1/rpc", options).send(a), "cannot connect");
  await fails(new Client("ws://127.0.0.1:1/rpc", { ...options, token: "a b" }).send(a), /the token is not valid/);
  assert.deepEqual(await read(new Client("ws://127.0.0.1:1/rpc", options).subscribe(watch)), ["TransportError: cannot connect"]);
  assert.throws(() => new Client("ws://127.0.0.1:1/rpc", { headers: { "X-A": "1" } }), /carries neither `headers`/);
  const failing = new Client("ws://127.0.0.1:1/rpc", { ...options, token: () => Promise.reject(new Error("no token")) });
  await assert.rejects(failing.send({ ...a, idempotent: true }), /^Error: no token$/);
});

await test("calls fail with their connection, and the next one makes another", async () => {
  const { url } = await answering([], [seven, "hold"]);
  const client = new Client(url, options);
  const both = await Promise.allSettled([client.send(a), client.send(a)]);
  for (const each of both) {
    assert.equal(each.status === "rejected" && each.reason.message, "the call may have run: the connection has broken");
  }
  assert.equal(await client.send(a), 7);
  client.close();
});

await test("a call that is safe to repeat is repeated on a new connection", async () => {
  const { url } = await answering([], [seven, "hold"]);
  const client = new Client(url, options);
  assert.equal(await client.send({ ...a, idempotent: true }), 7);
  client.close();
});

await test("messages that belong to nobody are ignored", async () => {
  const { url } = await answering([
    '{"jsonrpc":"2.0","result":8,"id":"ID"}',
    '{"jsonrpc":"2.0","result":8,"id":70}',
    '[{"jsonrpc":"2.0","result":8,"id":71},null,7]',
    item('"result":8'),
    '{"jsonrpc":"2.0","method":"told","params":[8]}',
    '{"jsonrpc":"2.0","method":"told","params":null}',
    seven,
    "hold",
  ]);
  const client = new Client(url, options);
  assert.equal(await client.send(a), 7);
  client.close();
});

await test("an error without an id is for the call that waits", async () => {
  const error = '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}';
  const { url, next } = await answering(["wait", error, "hold"]);
  const client = new Client(url, options);
  const leaving = new AbortController();
  const aborted = client.send(a, { signal: leaving.signal });
  await next();
  leaving.abort("enough");
  await assert.rejects(aborted, (reason) => reason === "enough");
  await assert.rejects(client.send(a), (error) => error instanceof RpcError && error.code === -32700);
  client.close();
});

await test("what is no message ends the connection with its reason", async () => {
  const cases: [Sent, string][] = [
    ["garbage", ": the service has sent what is no message of JSON-RPC"],
    ["7", ": the service has sent what is no message of JSON-RPC"],
    [new TextEncoder().encode("{}"), ": the service has sent a binary frame"],
    ["x".repeat(1_001), ": the service has sent more than 1000 bytes"],
    [{ code: 1008, reason: "not here" }, ": the service has closed it: 1008 not here"],
  ];
  for (const [message, reason] of cases) {
    const { url, open } = await answering([message, "hold"]);
    const client = new Client(url, { ...options, maxResponseBytes: 1_000 });
    await fails(client.send(a), `the call may have run: the connection has broken${reason}`);
    while (open() > 0) await new Promise((resolve) => realTimer(resolve, 5));
  }
});

await test("an answer that nobody can read is an error of its call only", async () => {
  const deep = `{"jsonrpc":"2.0","result":${"[".repeat(600)}${"]".repeat(600)},"id":ID}`;
  for (const answer of [deep, '{"jsonrpc":"2.0","result":1e999,"id":ID}', '{"id":ID}', '[{"id":ID}]']) {
    const { url, open } = await answering([answer, "hold"]);
    const client = new Client(url, options);
    await fails(client.send(a), "the answer is not a JSON-RPC 2.0 response to the call");
    assert.equal(open(), 1);
    client.close();
  }
});

await test("a call that is late or aborted is forgotten, and nothing is sent for it", async () => {
  const { url, received, next } = await answering(["hold"]);
  const client = new Client(url, { ...options, timeout: 200 });
  const early = new AbortController();
  const unsent = client.send(a, { signal: early.signal });
  early.abort("enough");
  await assert.rejects(unsent, (reason) => reason === "enough");
  await fails(client.send(a), "no complete response within 200 ms");
  const leaving = new AbortController();
  const aborted = client.send(a, { signal: leaving.signal });
  await next();
  leaving.abort("enough");
  await assert.rejects(aborted, (reason) => reason === "enough");
  const notified = next();
  await client.notify({ method: "last" });
  await notified;
  assert.deepEqual(received.map(({ method, id }) => [method, id]), [["a", 2], ["a", 3], ["last", undefined]]);
  client.close();
});

await test("a subscription ends with what the service tells, and only one that goes on there is unsubscribed", async () => {
  const ends: [string, unknown][] = [
    [item('"ended":true'), "over"],
    [item('"error":{"code":7,"message":"Broken"}'), 7],
    [item('"result":1,"cursor":5'), "TransportError: this is not a subscription"],
  ];
  for (const [end, outcome] of ends) {
    const { url, received, next } = await answering([subscribed, item('"result":1,"cursor":"1"'), end, "hold"]);
    const client = new Client(url, options);
    assert.deepEqual(await read(client.subscribe(watch)), [[1, "1"], outcome]);
    await client.notify({ method: "last" });
    while (received.at(-1)?.method !== "last") await next();
    const unsubscribed = typeof outcome === "string" && outcome !== "over" ? ["rpc.unsubscribe"] : [];
    assert.deepEqual(received.map(({ method }) => method), ["watch", ...unsubscribed, "last"]);
    client.close();
  }
  const { url } = await answering([seven.replace("7", "true"), "hold"], ['{"jsonrpc":"2.0","error":{"code":7,"message":"No"},"id":ID}', "hold"]);
  for (const outcome of ["TransportError: this is not a subscription", 7]) {
    const client = new Client(url, options);
    assert.deepEqual(await read(client.subscribe(watch)), [outcome]);
    client.close();
  }
});

await test("to leave a subscription, or to abort it, unsubscribes and waits for nothing", async () => {
  const { url, received, next } = await answering([subscribed, item('"result":1'), "hold"]);
  const client = new Client(url, options);
  for await (const { value } of client.subscribe(watch)) {
    assert.equal(value, 1);
    break;
  }
  await next();
  assert.deepEqual(received.at(-1), { jsonrpc: "2.0", method: "rpc.unsubscribe", params: { subscription: "s1" } });
  client.close();

  const aborting = await answering([subscribed, item('"result":1'), "hold"]);
  const leaving = new AbortController();
  const other = new Client(aborting.url, options);
  const items = other.subscribe(watch, { signal: leaving.signal });
  assert.equal((await items.next()).value?.value, 1);
  const second = items.next();
  leaving.abort("enough");
  await assert.rejects(second, (reason) => reason === "enough");
  await aborting.next();
  assert.equal(aborting.received.at(-1)?.method, "rpc.unsubscribe");
  other.close();
});

await test("a subscription that was left before its answer is ended once its id is known", async () => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  servers.push(server);
  await once(server, "listening");
  const client = new Client(`ws://127.0.0.1:${server.address().port}`, options);
  const items = client.subscribe(watch);
  const first = items.next();
  const [socket] = await once(server, "connection");
  await once(socket, "message");
  await items.return?.();
  assert.deepEqual(await first, { done: true, value: undefined });
  socket.send('{"jsonrpc":"2.0","result":"s1","id":1}');
  const [request] = await once(socket, "message");
  assert.equal(JSON.parse(String(request)).method, "rpc.unsubscribe");
  client.close();
});

await test("a subscription comes back with its cursor in the parameter for that", async () => {
  const cases: [Partial<Call<unknown>>, unknown][] = [
    [{ params: { shelf: 3, after: 1 } }, { shelf: 3, after: 18 }],
    [{ resume: { param: "after", isNumber: false } }, { after: "18" }],
    [{ resume: { param: "__proto__", isNumber: true } }, JSON.parse('{"__proto__":18}')],
  ];
  for (const [call, params] of cases) {
    const going = item('"error":{"code":-32015,"message":"Going away"}');
    const { url, received } = await answering(
      [subscribed, item('"result":1,"cursor":"18"')],
      [subscribed, going, { code: 1001, reason: "" }],
      [],
      [subscribed, item('"result":2,"cursor":"19"'), item('"ended":true'), "hold"],
    );
    const client = new Client(url, options);
    assert.deepEqual(await read(client.subscribe({ ...watch, ...call })), [[1, "18"], [2, "19"], "over"]);
    assert.deepEqual(received.slice(1).map((each) => each.params), [params, params, params]);
    client.close();
  }
});

await test("without a cursor, or a parameter for it, a lost connection is the end", async () => {
  const { url, received } = await answering([subscribed, item('"result":1')], [subscribed, item('"result":1,"cursor":"1"')]);
  const client = new Client(url, options);
  assert.deepEqual(await read(client.subscribe(watch)), [1, "TransportError: the connection has broken"]);
  assert.deepEqual(await read(client.subscribe(a)), [[1, "1"], "TransportError: the connection has broken"]);
  assert.equal(received.length, 2);
});

await test("a service without room is asked again when a subscription comes back", async () => {
  const refusal = (code: number): string => `{"jsonrpc":"2.0","error":{"code":${code},"message":"m"},"id":ID}`;
  const { url } = await answering(
    [subscribed, item('"result":1,"cursor":"1"'), item('"error":{"code":-32015,"message":"Going away"}')],
    [refusal(-32002)],
    [refusal(-32014)],
  );
  const client = new Client(url, options);
  assert.deepEqual(await read(client.subscribe(watch)), [[1, "1"], -32014]);
});

await test("a subscription gives up after ten attempts that fail one after the other", async () => {
  const { url, received } = await answering([subscribed, item('"result":1,"cursor":"1"')]);
  assert.deepEqual(await read(new Client(url, options).subscribe(watch)), [[1, "1"], "TransportError: the connection has broken"]);
  assert.equal(received.length, 11);
});

await test("a reader that is behind loses its subscription alone", async () => {
  const all = Array.from({ length: 1_100 }, (_, at) => item(`"result":${at}`));
  const { url, received, next } = await answering([subscribed, ...all, seven.replace("ID", "2"), "hold"]);
  const client = new Client(url, options);
  const items = client.subscribe(watch);
  assert.equal((await items.next()).value?.value, 0);
  assert.equal(await client.send(a), 7);
  const found = await read(items);
  assert.deepEqual(found.slice(0, -1), Array.from({ length: 1_024 }, (_, at) => at + 1));
  assert.equal(found.at(-1), "TransportError: 1024 items of the subscription wait to be read");
  while (received.at(-1)?.method !== "rpc.unsubscribe") await next();
  client.close();
});

await test("a connection on which nothing comes is lost", async () => {
  const { url, received } = await answering(["hold"]);
  probeInterval = 100;
  await fails(new Client(url, options).send(a), "the call may have run: the connection has broken: nothing came for 60 s");
  assert.deepEqual(received.map(({ method, id }) => [method, id]), [["a", 1], ["rpc.unsubscribe", 0], ["rpc.unsubscribe", 0]]);
});

await test("to close a client ends what uses it, and later calls fail", async () => {
  const { url, open, next } = await answering(["hold"], [subscribed, item('"result":1,"cursor":"1"'), "hold"]);
  const client = new Client(url, options);
  const call = client.send({ ...a, idempotent: true });
  await next();
  client.close();
  await fails(call, "the client is closed");
  await fails(client.send(a), "the client is closed");

  const follower = new Client(url, options);
  const items = follower.subscribe(watch);
  await items.next();
  follower.close();
  assert.deepEqual(await read(items), ["TransportError: the client is closed"]);
  while (open() > 0) await new Promise((resolve) => realTimer(resolve, 5));

  const connecting = new Client(url, options);
  const early = connecting.send(a);
  connecting.close();
  await fails(early, "the client is closed");
});

// Nothing of a closed client keeps the program.
for (const server of servers) server.close();
