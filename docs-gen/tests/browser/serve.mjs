// Serves a site's folder under the strict policy, below a prefix, and beside it a service that
// answers calls in the ways a try-it console has to bear.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".json": "application/json",
};

async function page(folder, path, response) {
  const file = join(folder, normalize(decodeURIComponent(path)));
  try {
    const bytes = await readFile(file);
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Content-Security-Policy": POLICY });
    response.end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

// A subscription in the ways in which it can go on. Pieces end in the middle of an event and of a character.
async function events(request, path, body, response) {
  if (path === "/events/refused") {
    response.writeHead(200, { "Content-Type": "application/json" });
    return response.end('{"jsonrpc":"2.0","error":{"code":1410,"message":"Closed for the holidays"},"id":1}');
  }
  const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
  const tell = (params, id) => `data: ${JSON.stringify({ jsonrpc: "2.0", method: "watch", params: { subscription: "s1", ...params } })}\n${id ? `id: ${id}\n` : ""}\n`;
  const item = (loan, more) => tell({ result: { loan, to: "Zoë" }, cursor: String(loan), ...more }, loan);
  const resumed = /"after": 2/.test(body) || request.url.includes("after=2");
  const ends = { "/events/failing": { error: { code: 1410, message: "Closed for the holidays" } }, "/events/ending": { ended: true } };
  const parts = ['data: {"jsonrpc":"2.0","result":"s1","id":1}\r\n\r\n: still there\n\n'];
  if (path === "/events/many") parts.push(Array.from({ length: 1000 }, (_, at) => item(at + 1)).join(""), tell({ ended: true }));
  else if (resumed) parts.push(item(3), tell({ ended: true }));
  else parts.push(item(1), item(2, { missed: 4 }));
  const end = ends[path];
  if (end) parts.push(tell(end));
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const bytes = Buffer.from(parts.join(""));
  const half = bytes.indexOf("ë") + 1 || bytes.length;
  response.write(bytes.subarray(0, half));
  await pause();
  response.write(bytes.subarray(half));
  await pause();
  if (path === "/events/open" && !resumed) return;
  if (path === "/events/lost" && !resumed) response.destroy();
  else response.end();
}

async function call(request, path, response, calls) {
  let body = "";
  for await (const chunk of request) body += chunk;
  calls.push({ path, body, headers: request.headers, method: request.method, url: request.url });
  if (path.startsWith("/events/")) return events(request, path.replace("/watch", ""), body, response);
  if (path === "/redirect") return response.writeHead(307, { Location: "/rpc" }).end();
  if (path === "/html") return response.writeHead(200, { "Content-Type": "text/html" }).end("<img src=x onerror=alert(1)><script>alert(1)</script>");
  if (path === "/endless") {
    response.writeHead(200, { "Content-Type": "application/json" });
    const timer = setInterval(() => response.write("[".repeat(100000)), 1);
    response.on("close", () => clearInterval(timer));
    return;
  }
  if (path === "/deep") {
    response.writeHead(200, { "Content-Type": "application/json" });
    return response.end(`{"jsonrpc":"2.0","result":${"[".repeat(6000)}${"]".repeat(6000)},"id":1}`);
  }
  if (path === "/silent") return;
  if (path === "/refusing") {
    const others = [{ parameter: "shape", pointer: "/side", reason: "expected a small square" }, { parameter: "unheard", pointer: "", reason: "unknown" }];
    const data = { parameter: "note", pointer: "", reason: "expected \u202ea friend", others };
    response.writeHead(200, { "Content-Type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32602, message: "Invalid\n\u202eparams", data }, id: 1 }));
  }
  if (path === "/untold" || path === "/failing") {
    response.writeHead(path === "/failing" ? 503 : 200, { "Content-Type": "application/json" });
    return response.end(path === "/failing" ? '{"error":"Out of order","result":null}' : '{"jsonrpc":"2.0","error":{"code":7},"id":1}');
  }
  if (path === "/locked" && request.headers.authorization !== "Bearer friend") {
    response.writeHead(401, { "Content-Type": "application/json", "WWW-Authenticate": 'DPoP realm="a, Digest b", Bearer error="invalid_token"' });
    return response.end('{"jsonrpc":"2.0","error":{"code":-32007,"message":"Refused"},"id":1}');
  }
  if (path === "/slow") {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.write('{"jsonrpc": "2.0", "result": "what came');
    return;
  }
  if (path === "/cut") {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
    response.write('{"jsonrpc": "2.0", "result": "what came');
    setTimeout(() => response.destroy(), 200);
    return;
  }
  if (path === "/large") {
    response.writeHead(200, { "Content-Type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", result: Array(200000).fill("0123456789"), id: 1 }));
  }
  if (path.startsWith("/open")) response.setHeader("Access-Control-Allow-Origin", "*");
  if (path.startsWith("/open") && request.method === "OPTIONS") {
    return response.writeHead(204, { "Access-Control-Allow-Headers": "content-type, authorization" }).end();
  }
  if (request.method === "GET") {
    response.writeHead(200, { "Content-Type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", result: request.url, id: null }));
  }
  if (request.method !== "POST") return response.writeHead(405).end();
  const message = JSON.parse(body);
  if (Array.isArray(message)) {
    response.writeHead(200, { "Content-Type": "application/json" });
    const error = { code: 1, message: "No" };
    return response.end(JSON.stringify(message.map(({ id, method }) => ({ jsonrpc: "2.0", ...(method === "loan.end" ? { error } : { result: null }), id }))));
  }
  if (!("id" in message)) return response.writeHead(204).end();
  response.writeHead(200, { "Content-Type": "application/json" });
  if (message.method === "book.get") {
    return response.end('{"jsonrpc":"2.0","error":{"code":1405,"message":"No such book"},"id":1}');
  }
  response.end('{"jsonrpc":"2.0","result":{"id":18446744073709551615,"big":1e400},"id":1}');
}

export function serve(folder) {
  const calls = [];
  const server = createServer((request, response) => {
    const { pathname: path } = new URL(request.url, "http://localhost");
    if (path.startsWith("/some/prefix/")) return page(folder, path.slice("/some/prefix".length), response);
    return call(request, path, response, calls);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = `http://127.0.0.1:${server.address().port}`;
      resolve({ calls, address, site: `${address}/some/prefix/`, close: () => (server.closeAllConnections(), server.close()) });
    });
  });
}
