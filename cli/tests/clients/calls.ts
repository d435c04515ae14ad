// Calls the library with its generated client: node calls.js URL TOKEN.
import { strict as assert } from "node:assert";
import { Client, calls, NoSuchBookError, RpcError, TransportError, type BookPage } from "./library/index.js";

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
sent = 0;
await assert.rejects(lossy.memberAdd({ name: "Ann Example" }), TransportError);
assert.equal(sent, 1);
