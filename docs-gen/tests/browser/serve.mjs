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

async function call(request, path, response, calls) {
  let body = "";
  for await (const chunk of request) body += chunk;
  calls.push({ path, body, headers: request.headers });
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
  const message = JSON.parse(body);
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
    const path = new URL(request.url, "http://localhost").pathname;
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
