// Sends a call from Swagger UI and from Scalar, in a browser: node viewers.mjs LIBRARY.
// It is copied to the folder with the packages, because an import is looked for from there.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { chromium } from "playwright-core";

const [library] = process.argv.slice(2);
const page = (head, script) => ["text/html", `<!DOCTYPE html><title>API</title>${head}<div id="ui"></div><script>${script}</script>`];
const file = (type, path) => [type, readFileSync(`node_modules/${path}`)];
const own = {
  "/swagger": page(
    '<link rel="stylesheet" href="/swagger.css"><script src="/swagger.js"></script>',
    'SwaggerUIBundle({ url: "/openapi.json", dom_id: "#ui", tryItOutEnabled: true });',
  ),
  "/swagger.css": file("text/css", "swagger-ui-dist/swagger-ui.css"),
  "/swagger.js": file("text/javascript", "swagger-ui-dist/swagger-ui-bundle.js"),
  "/scalar": page(
    '<script src="/scalar.js"></script>',
    'Scalar.createApiReference("#ui", { url: "/openapi.json", withDefaultFonts: false });',
  ),
  "/scalar.js": file("text/javascript", "@scalar/api-reference/dist/browser/standalone.js"),
};

// The viewers and the service have one origin, as they would behind a proxy.
const server = createServer((incoming, outgoing) => {
  const found = own[incoming.url];
  if (found !== undefined) {
    outgoing.setHeader("content-type", `${found[0]}; charset=utf-8`);
    return outgoing.end(found[1]);
  }
  const { method, headers, url } = incoming;
  incoming.pipe(
    request(library + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    }),
  );
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});

async function shown(path, send) {
  const tab = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  const failures = [];
  tab.on("pageerror", (error) => failures.push(error.message));
  await tab.goto(origin + path);
  const sent = tab.waitForResponse((it) => it.url().includes("/rpc/book.get"));
  await send(tab);
  const answer = await sent;
  assert.equal(answer.status(), 200, answer.url());
  assert.match((await answer.json()).result.book.title, /./);
  assert.deepEqual(failures, []);
  if (process.env.PICTURES) await tab.screenshot({ path: `${process.env.PICTURES}${path}.png` });
  await tab.close();
  console.log(`${path.slice(1)}: sent ${answer.request().method()} ${new URL(answer.url()).pathname}`);
}

await shown("/swagger", async (tab) => {
  const operation = tab.locator(".opblock-get", { hasText: "/rpc/book.get" });
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Execute" }).click();
  await operation.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor();
});
await shown("/scalar", async (tab) => {
  await tab.goto(`${origin}/scalar#tag/catalogue/GET/rpc/book.get`);
  await tab.getByRole("button", { name: /Test Request.*book\.get/ }).first().click();
  await tab.getByRole("button", { name: /^Send/ }).first().click();
});
await browser.close();
server.close();
