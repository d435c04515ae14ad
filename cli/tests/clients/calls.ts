// Calls the library with its generated client: node calls.js URL TOKEN.
import { strict as assert } from "node:assert";
import { Client, calls, NoSuchBookError, RpcError, TransportError, type BookPage } from "./library/index.ts";

const [url = "", token = ""] = process.argv.slice(2);
const seen: string[] = [];
const client = new Client(url, {
  fetch: (to, init) => {
    seen.push(`${init.method} ${to.replace(url, "")}`);
    return fetch(to, init);
  },
});

const page: BookPage = await client.bookFind({ words: "whale", limit: 1 });
assert.equal(page.books[0]?.title, "Moby-Dick; or, The Whale");
await assert.rejects(client.bookGet({ book: 999_999 }), (error) => {
  assert(error instanceof NoSuchBookError);
  assert.equal(error.data.book, 999_999);
  return error.code === 1404;
});
const [stats, lost] = await client.batch([calls.stats(), calls.bookGet({ book: 999_999 })]);
assert(stats.ok && stats.value.books > 0);
assert(!lost.ok && lost.error instanceof NoSuchBookError);
await client.notify(calls.bookGet({ book: 1 }));
await assert.rejects(client.memberAdd({ name: "Ann Example" }), (error) => error instanceof RpcError && error.code === -32007);
assert.deepEqual(seen, ["GET /book.find?words=whale&limit=1", "GET /book.get?book=999999", "POST ", "POST ", "POST "]);

// Header fields of your own go with each request.
const fields = new Client(url, { headers: { Authorization: `Bearer ${token}` } });
assert.match((await fields.memberAdd({ name: "Eve Example" })).card, /^L/);

const writer = new Client(url, { token: () => token });
const member = await writer.memberAdd({ name: "Ann Example" });
assert.match(member.card, /^L\d{6,}$/);

// Only what may run twice is sent twice.
let sent = 0;
const lossy = new Client(url, {
  fetch: (to, init) => (sent++ === 0 ? Promise.reject(new TypeError("lost")) : fetch(to, init)),
});
assert.equal((await lossy.bookGet({ book: 1 })).book.id, 1);
assert.equal(sent, 2);
// An error can say that repeating helps.
let answers = 0;
const busy = new Client(url, {
  fetch: async () => {
    const error = { code: 1503, message: "Database busy" };
    const body = { jsonrpc: "2.0", id: 1, ...(answers++ === 0 ? { error } : { result: member }) };
    return new Response(JSON.stringify(body));
  },
});
assert.deepEqual(await busy.memberAdd({ name: "Ann Example" }), member);
assert.equal(answers, 2);
// An error is known by its code, and those with the same code by their messages.
class Gone extends RpcError {
  static readonly code = 7;
  static readonly title: string = "Gone";
  constructor(message: string, data: unknown) {
    super(7, message, data);
  }
}
class Pruned extends Gone {
  static override readonly title = "Pruned";
}
const reworded = new Client(url, {
  fetch: async () => new Response('{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"Archived"}}'),
});
const thrown = (errors: (typeof Gone)[]) => reworded.send({ method: "m", errors }).catch((error: unknown) => error);
assert((await thrown([Gone])) instanceof Gone);
const generic = await thrown([Gone, Pruned]);
assert(generic instanceof RpcError && !(generic instanceof Gone));
sent = 0;
await assert.rejects(lossy.send({ method: "member.add", params: { name: "Ann Example" } }), TransportError);
assert.equal(sent, 1);

// A write has a key: if its answer is lost, it is sent again and done once.
const bodies: unknown[] = [];
const deaf = new Client(url, {
  token: () => token,
  fetch: async (to, init) => {
    bodies.push(init.body);
    const response = await fetch(to, init);
    if (bodies.length === 1) throw new TypeError("lost");
    return response;
  },
});
const before = (await writer.stats()).members;
assert.match((await deaf.memberAdd({ name: "Bea Example" })).card, /^L\d{6,}$/);
assert.equal((await writer.stats()).members, before + 1);
assert.equal(bodies.length, 2);
assert.equal(bodies[0], bodies[1]);
assert.match(String(bodies[0]), /"x-idempotency-key":"[0-9a-f]{32}"/);
await deaf.memberAdd({ name: "Bea Example" });
assert.notEqual(bodies[2], bodies[0]);
const dora = await deaf.memberAdd({ name: "Dora Example" }, { key: "dora" });
assert.equal((await deaf.memberAdd({ name: "Dora Example" }, { key: "dora" })).card, dora.card);
