// Calls the library with types that openapi-typescript made from its document.
import createClient from "openapi-fetch";
import type { paths } from "./library.js";

const client = createClient<paths>({ baseUrl: process.argv[2] });

const found = await client.GET("/rpc/book.find", { params: { query: { words: "whale", limit: 1 } } });
if (found.data === undefined) throw new Error(JSON.stringify(found.error));
const [{ id: book }] = found.data.result.books;

const body = { jsonrpc: "2.0", method: "book.get", params: { book }, id: 1 } as const;
const { data: got } = await client.POST("/rpc/book.get", { body });
if (got === undefined || Array.isArray(got) || !("result" in got)) throw new Error(JSON.stringify(got));

const { response, error } = await client.GET("/rpc/book.get", { params: { query: { book: 0xffff } } });
const said = { title: got.result.book.title, status: response.status, refusal: error?.error.message };
const wanted = { title: "Moby-Dick; or, The Whale", status: 404, refusal: "No such book" };
if (JSON.stringify(said) !== JSON.stringify(wanted)) throw new Error(JSON.stringify(said));
console.log(`openapi-fetch: ${JSON.stringify(said)}`);

export function refusedByTheCompiler() {
  // @ts-expect-error The parameter is called `book`.
  return client.GET("/rpc/book.get", { params: { query: { id: 1 } } });
}
