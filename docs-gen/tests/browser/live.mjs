// Looks at the reference that a running service serves: `node live.mjs ADDRESS OTHER OPEN LOGINS`, where the
// first two are conformance services, the second is another origin, which the third lets call, and the last
// has results of its own for each login.
// Exits with 1 if anything is not as the contract has it.

import { chromium } from "playwright-core";

const [address, other, friendly, logins] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
const failures = [];
let checks = 0;

function expect(holds, what) {
  checks += 1;
  if (!holds) failures.push(what);
}

async function open(path) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => failures.push(`${path}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|Trusted/.test(message.text())) failures.push(`${path}: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(address)) failures.push(`${path}: asks ${request.url()}`);
  });
  await page.goto(address + path);
  return page;
}

async function send(page) {
  if (await page.locator(".try .start").count()) await page.locator(".try .start").click();
  await page.locator(".call .primary").click();
}

const answered = (page, text) => page.locator(".answer-text", { hasText: text }).waitFor();

async function frontDoor() {
  const page = await open("/rpc");
  expect(page.url() === `${address}/docs/`, "a browser that opens the mount gets to the reference");
  expect((await page.locator("h1").textContent()).includes("conformance"), "the reference is the service's own");
  await page.close();
}

async function calls() {
  const page = await open("/docs/subtract.html");
  await send(page);
  expect((await page.locator(".call .address").inputValue()).endsWith("/rpc"), "the form knows the service's address");
  await answered(page, '"result"');
  expect((await page.locator(".answer-text").textContent()).includes("19"), "a call is answered");
  await page.close();
  await tokens();

  const notified = await open("/docs/update.html");
  await send(notified);
  await notified.locator(".call .state", { hasText: "204" }).waitFor();
  expect(true, "a notification is sent");
  await notified.close();

  const failing = await open("/docs/constrained.html");
  await failing.locator(".try .start").click();
  await failing.locator(".tree .field :is(input, textarea)").first().fill("11");
  await send(failing);
  await answered(failing, "-32602");
  expect((await failing.locator(".answer-text").textContent()).includes("from 1 to 10"), "a failing call says what to change");
  await failing.locator(".error-link").click();
  await failing.waitForURL("**#code-32602");
  expect(await failing.locator("#code-32602").isVisible(), "the code of an error leads to what it means");
  await failing.close();
}

// On a live site a token is kept for the tab, if the reader asks: by the address's origin.
async function tokens() {
  const page = await open("/docs/subtract.html");
  await page.locator(".try .start").click();
  const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  await page.locator(".token").fill("Bearer s3cret");
  expect(!(await kept()).includes("s3cret"), "a token stays in memory unless the reader asks");
  await page.locator(".bar .with input").check();
  expect((await kept()).includes("s3cret"), "a token is kept for the tab on request");
  await page.locator(".call .address").fill("https://elsewhere.example/rpc");
  expect((await page.locator(".token").inputValue()) === "", "another origin gets another token");
  await page.reload();
  expect((await page.locator(".token").inputValue()) === "Bearer s3cret", "the token is there after a reload");
  await page.locator(".bar .with input").uncheck();
  expect(!(await kept()).includes("s3cret"), "and gone when it is no longer wanted");
  await page.close();
}

// A page of another site must not be able to make a call: what a browser sends without asking
// first has no media type that is taken, and what it asks about first is not allowed.
async function otherSite() {
  const page = await browser.newPage();
  await page.goto(`${other}/health`);
  const body = '{"jsonrpc":"2.0","method":"count","id":1}';
  for (const [type, mode] of [["application/json", "cors"], ["text/plain", "no-cors"], ["application/x-www-form-urlencoded", "no-cors"]]) {
    await page.evaluate(
      ([url, type, mode, body]) => fetch(url, { method: "POST", mode, headers: { "Content-Type": type }, body }).catch(() => {}),
      [`${address}/rpc`, type, mode, body],
    );
  }
  await page.evaluate((url) => fetch(url, { mode: "no-cors" }).catch(() => {}), `${address}/rpc/count`);
  await page.evaluate((url) => navigator.sendBeacon(url, new Blob(['{"jsonrpc":"2.0","method":"count"}'])), `${address}/rpc`);
  await page.close();
  const answer = await fetch(`${address}/rpc`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  expect((await answer.json()).result === 1, "a page of another site cannot call");
}

// Where an origin is allowed, its pages call, and see what they need of the head; no other's do.
async function allowedSite() {
  const from = async (origin, credential) => {
    const page = await browser.newPage();
    await page.goto(`${origin}/health`);
    const seen = await page.evaluate(
      async ([url, credential]) => {
        const headers = { "Content-Type": "application/json", ...(credential && { Authorization: credential }) };
        const body = '{"jsonrpc":"2.0","method":"write","id":1}';
        try {
          const call = await fetch(url, { method: "POST", headers, body });
          const read = await fetch(`${url}/read`);
          return { status: call.status, challenge: call.headers.get("www-authenticate"), answer: await call.text(), tag: read.headers.get("etag") };
        } catch (error) {
          return { error: error.name };
        }
      },
      [`${friendly}/rpc`, credential],
    );
    await page.close();
    return seen;
  };
  const served = await from(other, "Bearer friend");
  expect(served.status === 200 && JSON.parse(served.answer).result === 43, `a page of an allowed origin calls: ${JSON.stringify(served)}`);
  expect(served.tag, "and sees the validator");
  const refused = await from(other);
  expect(refused.status === 401 && refused.challenge?.startsWith("Bearer"), `and sees a challenge: ${JSON.stringify(refused)}`);
  expect((await from(address, "Bearer friend")).error === "TypeError", "a page of another origin does not");
}

// A browser that knows what one login got asks again for the next one with the validator that it knows.
async function twoLogins() {
  const page = await browser.newPage();
  await page.goto(`${logins}/health`);
  const runs = async () => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${logins}/rpc`, { method: "POST", headers, body: '{"jsonrpc":"2.0","method":"runs","id":1}' });
    return (await answer.json()).result;
  };
  const read = ([url, token, session]) =>
    page.evaluate(
      async ([url, token, session]) => {
        document.cookie = session ? `session=${session}; path=/` : "session=; path=/; max-age=0";
        const answer = await fetch(url, { headers: token ? { Authorization: `Bearer ${token}` } : {} });
        return answer.status === 200 ? (await answer.json()).result : String(answer.status);
      },
      [url, token, session],
    );
  for (const [procedure, kind] of Object.entries({ required: "token", optional: "token", session: "cookie", cookie: "cookie" })) {
    for (const login of ["ann", "bob", undefined, "ann", "ann", "bob", "bob"]) {
      const who = procedure === "cookie" && login ? `session=${login}` : (login ?? "nobody");
      const expected = procedure === "required" && !login ? "401" : `secret of ${who}`;
      const seen = await read([`${logins}/rpc/${procedure}`, kind === "token" && login, kind === "cookie" && login]);
      expect(seen === expected, `${procedure}: ${login ?? "nobody"} sees ${seen}`);
    }
    const before = await runs();
    await read([`${logins}/rpc/${procedure}`, kind === "token" && "bob", kind === "cookie" && "bob"]);
    expect((await runs()) === before, `${procedure}: the browser has what the last login got, and no handler runs`);
  }
  await page.close();
}

for (const [name, part] of Object.entries({ frontDoor, calls, otherSite, allowedSite, twoLogins })) {
  try {
    await part();
  } catch (error) {
    failures.push(`${name}: ${error.message.split("\n").slice(0, 3).join(" ")}`);
  }
}
await browser.close();
for (const failure of [...new Set(failures)]) console.error(failure);
console.log(`${checks} checks, ${failures.length} failures`);
process.exitCode = failures.length ? 1 : 0;
