// Looks at a site of several versions of one service: `node versions.mjs SITE_FOLDER`, where the folder
// holds the site of the versions example. Exits with 1 if anything is not as the contract has it.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { start } from "./page.mjs";

const { folder, server, expect, open, close, accessible, run } = await start(process.argv[2]);

const PAGES = [
  "index.html",
  "guide/start.html",
  "Library-1.10/changes/index.html",
  "Library-2.0/changes/index.html",
  "Library-1.9/index.html",
  "Library-1.9/book.find.html",
  "Library-1.9/book.search.html",
  "Library-2.0/book.find.html",
  "town/index.html",
  "town/changes.html",
  "town/guide/start.html",
  "town/Library/changes/index.html",
  "town/Library/versions/1.9/book.find.html",
];

// Presses Tab until what has the focus matches the selector.
async function tabTo(page, selector) {
  for (let at = 0; at < 40; at++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return true;
  }
  return false;
}

async function switching() {
  const page = await open(server.site + "Library-1.9/book.find.html");
  expect(await tabTo(page, ".versions summary"), "the keyboard gets to the switch");
  expect((await page.locator(".versions summary").textContent()) === "Version 1.9", "which says what is shown");
  expect(!(await page.locator(".versions a").first().isVisible()), "it is folded");
  await page.keyboard.press("Enter");
  expect(await tabTo(page, ".versions a"), "opens, and has links");
  expect((await page.evaluate(() => document.activeElement.textContent)) === "2.0", "the newest version comes first");
  const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  expect(ring === "solid", "the focus is visible");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/Library-2.0/book.find.html");
  expect((await page.locator("h1").textContent()) === "book.find", "the same page in another version");
  expect((await page.locator(".mark.old").count()) === 0, "the newest version is not marked as older");
  await close(page);

  const gone = await open(server.site + "Library-1.9/book.search.html");
  await gone.locator(".versions summary").click();
  await gone.locator(".versions a", { hasText: "2.0" }).click();
  await gone.waitForURL("**/Library-2.0/index.html");
  expect(true, "what another version lacks leads to its overview");
  await close(gone);

  const plain = await open(server.site + "Library-1.9/book.find.html", { width: 320, scripts: false });
  await plain.locator("button.menu").click();
  await plain.locator(".versions summary").click();
  await plain.locator(".versions a", { hasText: "1.10" }).click();
  await plain.waitForURL("**/Library-1.10/book.find.html");
  expect(true, "the switch works on a narrow screen without script");
  await close(plain);
}

async function head() {
  for (const [width, mark] of [[1280, ".top .mark.old"], [320, ".older .mark.old"]]) {
    const page = await open(server.site + "Library-1.9/book.find.html", { width });
    expect((await page.locator(".home").textContent()).trim() === "Library", "the site has the name of the service");
    expect((await page.locator(".top .version").textContent()) === "1.9", "without the name again beside it");
    await page.locator(mark).click();
    await page.waitForURL("**/Library-2.0/book.find.html");
    expect(true, `${width}: an older version leads to the newest`);
    await close(page);
  }
}

async function changes() {
  const page = await open(server.site + "Library-1.10/index.html");
  await page.locator("#nav a", { hasText: "Changes since 1.9" }).click();
  expect((await page.locator("h1").textContent()) === "Changes since 1.9", "the changes are in the list at the side");
  const breaking = page.locator("section", { has: page.locator("#breaking") });
  expect((await breaking.locator("li").allTextContents()).some((it) => it.includes("required-param-added") && it.includes("shelf")), "what breaks callers is listed");
  await breaking.locator("a", { hasText: "book.search" }).click();
  await page.waitForURL("**/Library-1.9/book.search.html");
  expect(true, "what is gone is shown in the version that had it");
  await close(page);
}

async function links() {
  const page = await open(server.site + "index.html");
  for (const name of PAGES) {
    await page.goto(server.site + name);
    const hrefs = await page.evaluate(() => [...document.querySelectorAll("a[href]")].map((it) => it.href));
    for (const href of new Set(hrefs.filter((it) => it.startsWith(server.site)))) {
      const answer = await page.request.get(href.split("#")[0]);
      expect(answer.ok(), `${name}: ${href} leads nowhere`);
    }
  }
  await close(page);
}

// The catalogue of two services in the folder `town`, each with an index of its own.
async function catalogue() {
  const front = await open(server.site + "town/index.html");
  await front.locator(".catalogue .find").click();
  expect(await front.locator("#search input").isVisible(), "the front has the search in its middle");
  await front.keyboard.press("Escape");
  await front.locator(".cards li", { hasText: "museum" }).click({ position: { x: 5, y: 5 } });
  expect(front.url().endsWith("/museum/index.html"), `all of a card leads to its service: ${front.url()}`);
  await close(front);
  const page = await open(server.site + "town/museum/index.html");
  await page.keyboard.press("/");
  const input = page.locator("#search input");
  const first = () => page.locator("#hits a").first();
  const leads = (path) => page.waitForFunction((path) => document.querySelector("#hits a")?.getAttribute("href").includes(path), path);
  await input.fill("library");
  await leads("../Library/index.html");
  expect((await first().textContent()).includes("service"), "another service is found from here");
  await input.fill("words");
  await leads("../museum/");
  expect((await first().getAttribute("href")).includes("#param.words"), "and parameters of this one");
  const all = await page.locator("#hits a").evaluateAll((links) => links.map((it) => it.getAttribute("href")));
  expect(new Set(all).size === all.length, "each of them once");
  await input.fill("loan.begin library");
  await leads("../Library/loan.begin.html");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/town/Library/loan.begin.html");
  await close(page);
}

async function singleFile() {
  const page = await open(pathToFileURL(join(folder, "single.html")).href + "#/Library-1.9/index");
  await page.locator('[id="/Library-1.9/index"] .about a', { hasText: "2.0" }).first().click();
  expect(page.url().endsWith("#/Library-2.0/index"), "the single file leads from version to version");
  expect(await page.locator('[id="/Library-2.0/index"]').isVisible(), "within itself");
  await close(page);
}

await run({ switching, head, changes, links, catalogue, singleFile, accessibility: () => accessible(PAGES) });
