// Calls hostile servers with generated clients: node hostile.js URL. `raw-http/hostile.json` has the cases.
import { strict as assert } from "node:assert";
import { Client as Exact, RpcError as ExactRpcError, TransportError as ExactTransportError } from "./with_bigint/index.ts";
import { Client as Plain, RpcError, TransportError } from "./without_bigint/index.ts";

interface Case {
  name: string;
  batch?: boolean;
  outcome: string | string[];
}

type Call = { method: string; shape?: never };
type End = { ok: true; value: unknown } | { ok: false; error: unknown };

interface Kind {
  client: new (url: string, options: { timeout: number }) => {
    send(call: Call): Promise<unknown>;
    batch(calls: Call[]): Promise<End[]>;
  };
  /** What its parser makes of 2^53 + 1. */
  number: unknown;
  call: Call;
}

const [url = ""] = process.argv.slice(2);
const cases = (await (await fetch(`${url}/cases`)).json()) as Case[];

function outcome(error: unknown): string {
  if (error instanceof RpcError || error instanceof ExactRpcError) return "error";
  if (!(error instanceof TransportError || error instanceof ExactTransportError)) return `of another: ${String(error)}`;
  const names: [string, string][] = [
    ["is larger than 33554432 bytes", "too large"],
    ["no complete response within 1000 ms", "timed out"],
    ["which is not followed", "refused redirect"],
    ["the call got no answer", "lost"],
    ["not a JSON-RPC 2.0 response", "malformed"],
    ["is not available", "malformed"],
  ];
  return names.find(([words]) => error.message.includes(words))?.[1] ?? `unknown: ${error.message}`;
}

async function run(kind: Kind, at: number, { batch, outcome: expected, name }: Case): Promise<void> {
  const isLate = expected.includes("timed out");
  const client = new kind.client(`${url}/${at}`, { timeout: isLate ? 1_000 : 300_000 });
  let outcomes: string[];
  try {
    if (batch) {
      const ends = await client.batch([kind.call, kind.call]);
      outcomes = ends.map((end) => (end.ok ? "result" : outcome(end.error)));
      if (ends.every((end) => end.ok)) assert.deepEqual(ends.map((end) => end.ok && end.value), [1, 2], name);
    } else {
      const found = await client.send(kind.call);
      outcomes = ["result"];
      if (typeof found === "object" && found !== null && "text" in found) {
        assert.equal((found.text as string).length, 12_500_000);
        assert.equal((found as { number?: unknown }).number, kind.number);
      }
    }
  } catch (error) {
    outcomes = batch ? [outcome(error), outcome(error)] : [outcome(error)];
  }
  const all = typeof expected === "string" ? [expected] : expected;
  assert.equal(outcomes.length, all.length, name);
  outcomes.forEach((each, place) => assert(all[place]?.split(" or ").includes(each), `${name}: ${each} instead of ${all}`));
}

const shape = { fields: new Map([["number", "big"]]) } as never;
const kinds: Kind[] = [
  { client: Exact, number: 9_007_199_254_740_993n, call: { method: "count", shape } },
  { client: Plain, number: 9_007_199_254_740_992, call: { method: "count" } },
];
for (const kind of kinds) {
  for (const [at, each] of cases.entries()) await run(kind, at, each);
}

// The time is that of the whole call: what was lost is not repeated when it is over.
let asked = 0;
const lossy = new Plain(url, {
  fetch: () => (asked++, Promise.reject(new TypeError("lost"))),
  repeats: 1_000_000,
  timeout: 1_000,
});
await assert.rejects(lossy.send({ method: "count", idempotent: true }), TransportError);
assert(asked > 1 && asked < 10, String(asked));
const small = new Plain(url, { maxResponseBytes: 10 });
await assert.rejects(small.send({ method: "count" }), /is larger than 10 bytes/);
