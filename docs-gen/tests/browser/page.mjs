// What the browser tests share: a browser, a site served under the strict policy, and pages that count
// what they must not do.

import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

// Narrow and wide, light and dark, with and without script.
const VIEWS = [320, 1280].flatMap((width) => [
  { width, scheme: "light", scripts: true },
  { width, scheme: "dark", scripts: true },
  { width, scheme: width === 320 ? "dark" : "light", scripts: false },
]);

export async function start(path) {
  const folder = resolve(path);
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
  async function open(url, { width = 1280, height = 900, scheme = "light", scripts = true, axed = false, motion, elsewhere = [] } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, bypassCSP: axed, reducedMotion: motion });
    const page = await context.newPage();
    const where = `${url.split("/").pop()} ${width} ${scheme}${scripts ? "" : " no script"}`;
    page.on("pageerror", (error) => failures.push(`${where}: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && /Content Security Policy|Trusted/.test(message.text()) && !elsewhere.length) failures.push(`${where}: ${message.text()}`);
    });
    page.on("dialog", (dialog) => {
      failures.push(`${where}: a script ran: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("request", (request) => {
      const own = ["file:", "data:", server.address, ...elsewhere].some((start) => request.url().startsWith(start));
      if (!own) failures.push(`${where}: asks ${request.url()}`);
    });
    if (!scripts) await page.route(/\.js$/, (route) => route.abort());
    await page.goto(url);
    return page;
  }

  async function close(page) {
    await page.context().close();
  }

  // Checks that so many procedures are on the first screen of an overview, wide and on a phone.
  async function aboveFold(name, wide, narrow) {
    for (const [width, height, least] of [[1440, 900, wide], [390, 844, narrow]]) {
      for (const scripts of [true, false]) {
        const page = await open(server.site + name, { width, height, scripts });
        const seen = await page.locator(".listing :is(li, .folder)").evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
        expect(seen >= least, `${name} ${width}: ${seen} procedures on the first screen`);
        await close(page);
      }
    }
  }

  // Checks that pages are accessible. Two pages at a time, since a page does not keep two cores busy.
  async function accessible(names, views = VIEWS) {
    const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    const queue = names.flatMap((name) => views.map((view) => ({ name, ...view })))[Symbol.iterator]();
    async function work() {
      for (const view of queue) await accessibleIn(axe, view);
    }
    await Promise.all([work(), work()]);
  }

  // `before` brings the page into the state that is checked.
  async function accessibleIn(axe, { name, width, scheme, scripts, before }) {
    const page = await open(server.site + name, { width, scheme, scripts, axed: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide <= width, `${name} ${width}: scrolls sideways to ${wide}`);
    if (scripts) {
      // As it is when it is used: the form filled in, everything unfolded.
      if (await page.locator(".try .start").count()) {
        await page.evaluate(() => document.querySelector(".try .start").click());
        await page.waitForFunction(() => document.querySelector(".call .primary"));
      }
      await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
    }
    await before?.(page);
    await page.evaluate(axe);
    const result = await page.evaluate(() =>
      globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }),
    );
    for (const found of result.violations) {
      expect(false, `${name} ${width} ${scheme}${scripts ? "" : " no script"}: axe ${found.id}: ${found.nodes[0].html.slice(0, 160)} (${found.nodes.length})`);
    }
    await close(page);
  }

  // Runs the parts that the command names, or all.
  async function run(parts) {
    for (const name of process.argv[3]?.split(",") ?? Object.keys(parts)) {
      try {
        await parts[name]();
      } catch (error) {
        failures.push(`${name}: ${error.message.split("\n").slice(0, 3).join(" ")}`);
      }
    }
    await browser.close();
    server.close();
    for (const failure of [...new Set(failures)]) console.error(failure);
    console.log(`${checks} checks, ${failures.length} failures`);
    process.exitCode = failures.length ? 1 : 0;
  }

  return { folder, server, expect, open, close, aboveFold, accessible, run };
}
