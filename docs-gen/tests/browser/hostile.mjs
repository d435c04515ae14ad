// Opens every page of a site whose descriptions attack their reader: `node hostile.mjs FOLDER`.
// Nothing may run, break the policy or ask another host. Exits with 1 if anything does.

import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const folder = resolve(process.argv[2]);
const server = await serve(folder);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
const failures = new Set();
let checks = 0;

async function tab() {
  const page = await browser.newPage();
  const fail = (what) => failures.add(`${decodeURIComponent(page.url().slice(server.site.length))}: ${what}`);
  page.on("pageerror", (error) => fail(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|Trusted/.test(message.text())) fail(message.text());
  });
  page.on("dialog", (dialog) => {
    fail(`a script ran: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(server.address)) fail(`asks ${request.url()}`);
  });
  return { page, fail };
}

async function look({ page, fail }, name) {
  await page.goto(server.site + name.split("/").map(encodeURIComponent).join("/"));
  const found = await page.evaluate(() => {
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    const scripts = [...document.scripts].filter((script) => !script.src || new URL(script.src).origin !== location.origin);
    const handlers = [...document.querySelectorAll("*")].filter((element) => [...element.attributes].some(({ name }) => name.startsWith("on")));
    const links = [...document.querySelectorAll("a[href]")].filter((link) => !["http:", "https:", "mailto:"].includes(link.protocol));
    return { twice: ids.filter((id, place) => ids.indexOf(id) !== place), foreign: scripts.length + handlers.length + links.length };
  });
  checks += 1;
  if (found.twice.length) fail(`ids that stand twice: ${found.twice.slice(0, 3)}`);
  if (found.foreign) fail(`${found.foreign} scripts, handlers or links that the page must not have`);
}

const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".html") && name !== "single.html").sort();
const queue = names[Symbol.iterator]();
async function work() {
  const own = await tab();
  for (const name of queue) await look(own, name).catch((error) => failures.add(`${name}: ${error.message}`));
}
await Promise.all([work(), work()]);
await browser.close();
server.close();
for (const failure of failures) console.error(failure);
console.log(`${checks} checks, ${failures.size} failures`);
process.exitCode = failures.size || checks !== names.length ? 1 : 0;
