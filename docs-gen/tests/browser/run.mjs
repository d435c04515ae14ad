// Looks at a generated site in a browser: `node run.mjs SITE_FOLDER [PART,…]`, where the folder holds
// the site of the showcase example. Exits with 1 if anything is not as the contract has it.

import { createRequire } from "node:module";
import { readFile, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const folder = resolve(process.argv[2]);
const parts = process.argv[3]?.split(",");
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
const server = await serve(folder);
const failures = [];
let checks = 0;

function expect(holds, what) {
  checks += 1;
  if (!holds) failures.push(what);
}

// A page that counts what it must not do: break the policy, throw, or ask another host.
async function open(url, { width = 1280, scheme = "light", scripts = true, axed = false, motion } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, bypassCSP: axed, reducedMotion: motion });
  const page = await context.newPage();
  const where = `${url.split("/").pop()} ${width} ${scheme}${scripts ? "" : " no script"}`;
  page.on("pageerror", (error) => failures.push(`${where}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|Trusted/.test(message.text())) failures.push(`${where}: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    failures.push(`${where}: a script ran: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    const own = ["file:", "data:"].some((scheme) => request.url().startsWith(scheme)) || request.url().startsWith(server.address);
    if (!own) failures.push(`${where}: asks ${request.url()}`);
  });
  if (!scripts) await page.route(/\.js$/, (route) => route.abort());
  await page.goto(url);
  return page;
}

async function close(page) {
  await page.context().close();
}

async function all(kind) {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith(kind) && name !== "single.html").sort();
}

async function accessibility() {
  for (const name of await all(".html")) {
    for (const width of [320, 1280]) {
      for (const scheme of ["light", "dark"]) {
        for (const scripts of [true, false]) {
          const page = await open(server.site + name, { width, scheme, scripts, axed: true });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          expect(wide <= width, `${name} ${width}: scrolls sideways to ${wide}`);
          if (scripts) await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
          await page.evaluate(axe);
          const result = await page.evaluate(() =>
            globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }),
          );
          for (const found of result.violations) {
            expect(false, `${name} ${width} ${scheme}${scripts ? "" : " no script"}: axe ${found.id}: ${found.nodes[0].html.slice(0, 160)} (${found.nodes.length})`);
          }
          checks += 1;
          await close(page);
        }
      }
    }
  }
}

async function policy() {
  for (const name of await all(".html")) await close(await open(server.site + name));
  const single = await open(pathToFileURL(join(folder, "single.html")).href);
  expect(await single.locator("button.find").isVisible(), "the single file's script runs under its own policy");
  await close(single);
}

async function searchFrom(url, what) {
  const page = await open(url);
  await page.keyboard.press("/");
  const input = page.locator("#search input");
  await input.fill("bok.find");
  await page.locator("#hits li").first().waitFor({ timeout: 5000 }).catch(() => {});
  expect((await page.locator("#hits li").first().textContent().catch(() => ""))?.includes("book.find"), `${what}: one typo is forgiven`);
  await input.fill("1404");
  expect((await page.locator("#hits li").first().textContent())?.includes("book.find"), `${what}: an error code is found`);
  const first = () => page.locator("#hits a").first();
  await input.fill("No such shelf");
  expect((await first().getAttribute("href")).endsWith("error.1404"), `${what}: an error leads to its place`);
  expect((await page.locator("#hits mark").allTextContents()).includes("such"), `${what}: what was found is marked`);
  await input.fill("words");
  expect(/param\.words$/.test(await first().getAttribute("href")), `${what}: a parameter leads to its place`);
  await input.fill("serach");
  expect((await first().textContent()).includes("book.search"), `${what}: a typo in a name without its prefix is forgiven`);
  await input.fill("-32602");
  expect(/code-32602$/.test(await first().getAttribute("href")), `${what}: a code of the protocol is found`);
  await input.fill("isbn");
  expect((await page.locator("#hits li").count()) > 2, `${what}: parameters and types are found`);
  await input.fill("__proto__ constructor");
  expect((await page.locator("#hits li").count()) === 0, `${what}: nothing is found where there is nothing`);
  await input.fill("loan beg");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForURL(/loan\.begin/);
  expect(true, what);
  await close(page);
}

async function keyboard() {
  const page = await open(server.site + "book.find.html");
  await page.keyboard.press("Tab");
  expect((await page.evaluate(() => document.activeElement.className)) === "skip", "the first stop skips to the content");
  await page.keyboard.press("/");
  expect(await page.locator("#search").isVisible(), "a slash opens the search");
  await page.keyboard.press("Escape");
  expect(!(await page.locator("#search").isVisible()), "Escape closes it");
  await close(page);
  const narrow = await open(server.site + "book.find.html", { width: 320, scripts: false });
  expect(!(await narrow.locator("#nav").isVisible()), "the menu is closed");
  await narrow.locator("button.menu").click();
  expect(await narrow.locator("#nav").isVisible(), "the menu opens without script");
  await close(narrow);
}

async function theme() {
  const page = await open(server.site + "book.find.html");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.locator("button.theme").click();
  await page.locator("button.theme").click();
  const dark = await paper();
  expect(light !== dark, "the theme changes");
  await page.reload();
  expect((await paper()) === dark, "the theme is remembered");
  await close(page);
}

async function links() {
  const page = await open(server.site + "book.find.html#return.authors.name");
  expect(await page.locator('[id="return.authors.name"]').isVisible(), "a deep link unfolds what it leads to");
  await close(page);
  const file = await open(pathToFileURL(join(folder, "index.html")).href);
  await file.locator("main a", { hasText: "book.find" }).first().click();
  await file.locator(".signature a", { hasText: "Book" }).click();
  expect(file.url().endsWith("/types/Book.html"), "links work from a folder");
  await close(file);
}

// Where a procedure takes a token, the scheme is added; where it does not, the field is the header.
async function token() {
  for (const [name, typed, sent] of [
    ["loan.begin", " s3cret== ", "Bearer s3cret=="],
    ["loan.begin", "Bearer s3cret", "Bearer s3cret"],
    ["book.find", "s3cret", "s3cret"],
    ["book.find", "Basic eDp5", "Basic eDp5"],
  ]) {
    const page = await open(server.site + name + ".html");
    const field = page.locator(".try .token");
    const submit = () => page.locator(".try button[type=submit]").click();
    await page.locator(".try .address").fill(server.address + "/rpc");
    const before = server.calls.length;
    await field.fill("gehe\u0301im");
    await submit();
    expect(await field.evaluate((field) => !field.checkValidity()), "a token that no header can carry is marked");
    expect(server.calls.length === before, "a token that no header can carry is not sent");
    await field.fill(typed);
    await submit();
    await page.locator(".answer .text", { hasText: '"jsonrpc"' }).waitFor();
    expect(server.calls.at(-1).headers.authorization === sent, `${name}: ${typed} is sent as ${sent}`);
    expect((await field.getAttribute("type")) === "password", "a token is not shown");
    const kept = await page.evaluate(() => location.href + JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(!/s3cret|eDp5/.test(kept), "a token stands neither in the address nor in what is stored");
    await close(page);
  }
}

async function tryIt() {
  const page = await open(server.site + "loan.begin.html");
  const address = page.locator(".try .address");
  const state = page.locator(".try > .state");
  const answer = page.locator(".answer .text");
  const send = async (path) => {
    await address.fill(server.address + path);
    await page.locator(".try button[type=submit]").click();
  };
  const settled = (text) => page.waitForFunction((text) => document.querySelector(".try > .state").textContent.includes(text), text, { timeout: 10000 });
  const body = await page.locator(".try .body").inputValue();
  expect(body.includes("9223372036854775809"), "the form is filled with the example, digit by digit");
  await send("/rpc");
  await settled("200");
  expect((await answer.textContent()).includes("18446744073709551615") && (await answer.textContent()).includes("1e400"), "no number of the answer is rounded");
  expect(server.calls.at(-1).body.includes("9223372036854775809"), "no number of the call is rounded");
  expect(/ms.*bytes/.test(await state.textContent()), "time and size are shown");
  expect((await page.locator(".answer .headers").textContent()).includes("content-type"), "headers are shown");
  await page.locator(".try .silent").check();
  await send("/rpc");
  await settled("204");
  expect(!server.calls.at(-1).body.includes('"id"'), "a notification has no id");
  expect(!server.calls.at(-1).headers.authorization, "no token is sent where none was given");
  await send("/html");
  await settled("200");
  expect((await answer.textContent()).startsWith("<img"), "an answer that is HTML is text");
  await send("/redirect");
  await settled("No response");
  await send("/endless");
  await settled("truncated");
  const before = Date.now();
  await send("/deep");
  await page.locator(".answer .text", { hasText: "[[[[" }).waitFor();
  const shown = await answer.textContent();
  expect(shown.replace(/\s/g, "").length === 12034, `all brackets of a deep answer are shown: ${shown.replace(/\s/g, "").length}`);
  expect(shown.length < 2 * 12034, `a deep answer takes the room of its brackets: ${shown.length}`);
  // 16 s where each level is indented.
  expect(Date.now() - before < 2000, `a deep answer is shown at once: ${Date.now() - before} ms`);
  await send("/silent");
  await page.locator(".try .stop").click();
  await settled("Stopped");
  const calls = server.calls.length;
  await address.fill("javascript:alert(1)");
  await page.locator(".try button[type=submit]").click();
  await settled("Not a valid URL");
  await page.locator(".field input").nth(1).fill("1e");
  await send("/rpc");
  expect(server.calls.length === calls, "what is no number is not sent");
  await close(page);
  const failing = await open(server.site + "book.get.html");
  await failing.locator(".try .address").fill(server.address + "/rpc");
  await failing.locator(".try button[type=submit]").click();
  await failing.locator(".answer .text", { hasText: "1405" }).waitFor();
  expect(true, "an error is shown");
  await close(failing);
}

async function print() {
  for (const scripts of [true, false]) {
    const page = await open(server.site + "book.search.html", { scripts });
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const hidden = await page.evaluate(() =>
      [...document.querySelectorAll(".tree li .name")].filter((name) => !name.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })).map((name) => name.textContent),
    );
    expect(hidden.length === 0, `print shows every field (${scripts ? "" : "no "}script): ${hidden}`);
    await close(page);
  }
}

for (const [name, part] of Object.entries({
  policy,
  keyboard,
  theme,
  links,
  "search, served": () => searchFrom(server.site + "types/Book.html", "served"),
  "search, folder": () => searchFrom(pathToFileURL(join(folder, "index.html")).href, "folder"),
  "search, single file": () => searchFrom(pathToFileURL(join(folder, "single.html")).href, "single file"),
  tryIt,
  token,
  print,
  accessibility,
})) {
  if (parts && !parts.includes(name)) continue;
  try {
    await part();
  } catch (error) {
    failures.push(`${name}: ${error.message.split("\n").slice(0, 3).join(" ")}`);
  }
}
await browser.close();
server.close();
for (const failure of [...new Set(failures)]) console.error(failure);
console.log(`${checks} checks, ${failures.length} failures`);
process.exitCode = failures.length ? 1 : 0;
