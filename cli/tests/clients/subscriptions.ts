// Follows subscriptions with generated clients: node subscriptions.js STREAMS COUNT. STREAMS is a server whose streams
// break off (`raw-http/streams.json`), COUNT one that counts to 1,000, behind a proxy that breaks off.
import { strict as assert } from "node:assert";
import { Client as Counter } from "./odd_values/index.ts";
import { Client, RpcError, TransportError, type SubscriptionItem } from "./without_bigint/index.ts";

interface Case {
  name: string;
  connections: string[][];
  items: [number, string | null, number][];
  outcome: string;
  cursors: (string | null)[];
}

interface Visits {
  cursors: (string | null)[];
  open: number;
}

const [streams = "", count = ""] = process.argv.slice(2);
const { cases, texts } = (await (await fetch(`${streams}/cases`)).json()) as { cases: Case[]; texts: Record<string, string> };
const watch = { method: "watch" };

// Nobody waits for pauses here. Those before attempts to come back are no whole numbers; the timers of `fetch` itself are.
const realTimer = globalThis.setTimeout;
globalThis.setTimeout = ((done: () => void, milliseconds: number, ...rest: []) => {
  const shorter = milliseconds === 45_000 ? 3_000 : Number.isInteger(milliseconds) ? milliseconds : milliseconds / 100;
  return realTimer(done, shorter, ...rest);
}) as typeof setTimeout;

function outcome(error: unknown): string {
  if (error instanceof RpcError) return `error ${error.code}`;
  if (!(error instanceof TransportError)) return `of another: ${String(error)}`;
  if (error.message.includes("is larger than 1000000 bytes")) return "too large";
  const words = ["the stream has ended", "nothing has arrived", "the connection has broken"];
  if (words.some((each) => error.message.includes(each))) return "lost";
  return error.message.includes("this is not") || error.message.includes("not a JSON-RPC") || error.message.includes("redirect")
    ? "malformed"
    : `unknown: ${error.message}`;
}

async function visits(address: string): Promise<Visits> {
  return (await (await fetch(address)).json()) as Visits;
}

/** Waits until no connection is open. */
async function closed(address: string): Promise<void> {
  while ((await visits(address)).open > 0) await new Promise((resolve) => realTimer(resolve, 10));
}

async function run(at: number, { name, connections, items, outcome: expected, cursors }: Case): Promise<void> {
  const address = `${streams}/${at}/typescript`;
  const neverAnswers = connections[0]?.[0] === "hold";
  const client = new Client(address, { timeout: neverAnswers ? 1_000 : 300_000, maxResponseBytes: 1_000_000 });
  const found: unknown[] = [];
  let end = "over";
  try {
    for await (const { value, cursor = null, missed } of client.subscribe(watch)) found.push([value, cursor, missed]);
  } catch (error) {
    end = outcome(error);
  }
  assert.deepEqual([found, end], [items, expected], name);
  // Characters of header fields are bytes.
  assert.deepEqual((await visits(address)).cursors, cursors, name);
  await closed(address);
}

const position = (name: string): number => cases.findIndex((each) => each.name === name);

/** Leaves a subscription that waits for its second item. */
async function leave(how: string): Promise<void> {
  const address = `${streams}/${position("a stream that falls silent")}/${how}`;
  const leaving = new AbortController();
  const items = new Client(address, { timeout: 300_000 }).subscribe<number>(watch, { signal: leaving.signal });
  if (how === "break") {
    for await (const item of items) {
      assert.equal(item.value, 1);
      break;
    }
  } else {
    assert.equal((await items.next()).value?.value, 1);
    const second = items.next();
    if (how === "return") {
      await items.return?.();
      assert.deepEqual(await second, { done: true, value: undefined });
    } else {
      leaving.abort("enough");
      await assert.rejects(second, (reason) => reason === "enough");
    }
  }
  await closed(address);
  assert.deepEqual((await visits(address)).cursors, [null]);
  assert.equal((await items.next()).done, true);
}

/** A `fetch` whose response is these bytes, in pieces of a size. */
function pieces(bytes: Uint8Array, size: number): typeof fetch {
  return async () => {
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  };
}

await Promise.all([...cases.map((each, at) => run(at, each)), ...["break", "return", "abort"].map(leave)]);

// Events are the same whatever the pieces they come in.
const text = `\ufeff${texts["answer"]}: a comment\r\nid: \u00e4\r\ndata: {"params":\r\ndata: {"result":"\ud83d\udc33"}}\r\rdata: {"params":{}}\n\n`;
const bytes = new TextEncoder().encode(text);
for (let size = 1; size <= bytes.length; size++) {
  const found: SubscriptionItem<unknown>[] = [];
  const client = new Client(streams, { fetch: pieces(bytes, size) as never });
  for await (const item of client.subscribe(watch)) found.push(item);
  assert.deepEqual(found, [{ value: "\ud83d\udc33", cursor: "\u00e4", missed: 0 }], `in pieces of ${size}`);
}

// Nothing is lost and nothing comes twice, wherever a connection breaks off. Credentials are asked for each time.
let asked = 0;
const counter = new Counter(count, { timeout: 300_000, token: () => `token ${asked++}` });
let last = 0;
for await (const { value, cursor } of counter.count()) {
  assert.equal(value.number, ++last);
  assert.equal(new TextDecoder().decode(value.digits), String(last));
  assert.equal(cursor, String(last));
}
assert.equal(last, 1_000);
assert(asked > 5, String(asked));
for await (const { value } of counter.count({ after: 999 })) assert.equal(value.number, 1_000);
