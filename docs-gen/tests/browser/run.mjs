// Looks at a generated site in a browser: `node run.mjs SITE_FOLDER [PART,…]`, where the folder holds
// the site of the showcase example. Exits with 1 if anything is not as the contract has it.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { start } from "./page.mjs";

const { folder, server, expect, open, close, aboveFold, accessible, run } = await start(process.argv[2]);

async function all(kind) {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith(kind) && name !== "single.html").sort();
}

async function policy() {
  for (const name of await all(".html")) await close(await open(server.site + name));
  const single = await open(pathToFileURL(join(folder, "single.html")).href);
  expect(await single.locator("button.find").isVisible(), "the single file's script runs under its own policy");
  const own = single.locator("article").filter({ has: single.locator("h1", { hasText: "loan.begin" }) });
  await own.locator(".start").click();
  await own.locator('.field[data-name="reader"] input').fill("18446744073709551615");
  expect((await own.locator(".languages code").first().textContent()).includes("18446744073709551615"), "the single file's forms work, each by itself");
  expect((await single.locator(".try .start").count()) > 3, "and wait to be asked for");
  await close(single);
}

async function searchFrom(url, what) {
  const page = await open(url);
  await page.keyboard.press("/");
  const input = page.locator("#search input");
  await input.fill("bok.find");
  await page.locator("#hits li").first().waitFor({ timeout: 5000 }).catch(() => {});
  expect((await page.locator("#hits li").first().textContent().catch(() => ""))?.includes("book.find"), `${what}: one typo is forgiven`);
  const first = () => page.locator("#hits a").first();
  await input.fill("1404");
  expect(/errors\/1404(\.html)?$/.test(await first().getAttribute("href")), `${what}: an error code leads to its page`);
  expect((await first().textContent()) === "1404 errorNo such shelf", `${what}: with what it says`);
  expect((await page.locator("#hits li").nth(1).textContent())?.includes("book.find"), `${what}: and then to the procedures that return it`);
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
  await input.fill("whale");
  const hits = await page.locator("#hits li").allTextContents();
  expect(hits.length > 0 && hits.every((hit) => /whale/i.test(hit)), `${what}: a word is what it is, and no other: ${hits}`);
  expect((await first().locator(".kind").textContent()) === "example", `${what}: values of examples are found`);
  expect((await first().locator(".phrase").textContent()).startsWith('"title": "Moby-Dick'), `${what}: with the member in which they stand`);
  await input.fill("while");
  expect((await page.locator("#hits li").count()) === 0, `${what}: a common word is no typo of another`);
  await input.fill("accents");
  const phrase = page.locator("#hits .phrase").first();
  expect((await phrase.textContent()) === "Words are compared without regard to case and accents.", `${what}: a whole sentence is shown`);
  expect((await phrase.locator("mark").textContent()) === "accents", `${what}: with what was found marked`);
  for (const [query, kind] of [["limit", "parameter"], ["authors", "field"], ["oldest", "value"], ["book.find", "procedure"], ["Book", "type"], ["1404", "error"]]) {
    await input.fill(query);
    const kinds = await page.locator("#hits .kind:first-of-type").allTextContents();
    expect(kinds.includes(kind), `${what}: ${query} is told to be a ${kind}: ${kinds}`);
  }
  for (const [query, place] of [["OpenRPC", "downloads"], ["llms.txt", "downloads"], ["GET", "mark-get"], ["Python", "language-python"]]) {
    // The single file has no files beside it.
    if (place === "downloads" && url.endsWith("single.html")) continue;
    await input.fill(query);
    const hrefs = await page.locator("#hits a").evaluateAll((links) => links.slice(0, 4).map((it) => it.getAttribute("href")));
    expect(hrefs.some((href) => href.endsWith(place)), `${what}: ${query} is found where it stands: ${hrefs}`);
  }
  await first().click();
  await page.waitForURL(/language-python$/);
  const python = page.locator('.languages > input[id$="language-python"]').first();
  expect((await python.isChecked()) && (await python.locator("+ label + .panel").isVisible()), `${what}: a sample in a language is shown`);
  // The tab has the focus, and no text is typed into it.
  await page.keyboard.press("/");
  await input.fill("loan");
  await page.locator("#hits mark").first().waitFor();
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

// A page in a language that is written from right to left.
async function rightToLeft() {
  const page = await open(server.site + "book.find.html");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  const code = page.locator("main :is(pre, code)");
  const directions = await code.evaluateAll((all) => [...new Set(all.map((it) => getComputedStyle(it).direction))]);
  expect(directions.join() === "ltr", `code is written from left to right: ${directions}`);
  const text = await page.locator("main p").first().evaluate((it) => getComputedStyle(it).direction);
  expect(text === "rtl", "and the text around it is not");
  const edge = await page.locator("nav").first().boundingBox();
  const title = await page.locator("h1").first().boundingBox();
  expect(edge.x > title.x, "the sidebar is at the right");
  await close(page);
}

// Results stand in groups by their kind, and buttons above narrow them to one.
async function groups(url, what) {
  const page = await open(url);
  await page.keyboard.press("/");
  const input = page.locator("#search input");
  const chip = (name) => page.locator(".chips").getByRole("button", { name });
  const count = async (name) => Number((await chip(name).textContent()).match(/\d+$/)[0]);
  await input.fill("is");
  await page.locator("#hits li").first().waitFor();
  const all = page.locator("#hits > [role=group]");
  for (const name of ["Procedures", "Parameters and fields", "Types", "Errors"]) {
    const group = page.locator("#hits").getByRole("group", { name });
    expect((await group.getByRole("heading", { name }).textContent()) === `${name} ${await count(name)}`, `${what}: a group says what it has, and how many`);
    expect((await group.getByRole("link").count()) > 0, `${what}: and has a name: ${name}`);
  }
  const totals = await page.locator(".chips button:visible .count").allTextContents();
  const sum = totals.slice(1).reduce((sum, it) => sum + Number(it), 0);
  const state = page.locator("#search [role=status]");
  expect(totals.length === (await all.count()) + 1 && Number(totals[0]) === sum, `${what}: each group has a button: ${totals}`);
  expect((await state.textContent()) === `${sum} found`, `${what}: how many are found is announced`);
  const beside = await page.locator("#hits").getByRole("group", { name: "Errors" }).getByRole("link").count();
  // By keyboard: from the field over the button that closes and that of all kinds.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await chip("All").waitFor();
  while (!(await chip("Errors").evaluate((it) => it === document.activeElement))) await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  expect((await all.count()) === 1 && (await chip("Errors").getAttribute("aria-pressed")) === "true", `${what}: a button narrows to its kind`);
  const alone = await all.getByRole("link").count();
  expect(alone === (await count("Errors")) && alone > beside, `${what}: of which it shows more: ${alone} for ${beside}`);
  expect((await state.textContent()) === `${alone} found`, `${what}: and announces how many`);
  const kinds = await page.locator("#hits .kind:first-of-type").allTextContents();
  expect(kinds.every((kind) => /error$/.test(kind)), `${what}: and nothing else: ${kinds}`);
  await input.fill("zeppelin");
  expect((await state.textContent()) === "Nothing found" && !(await chip("Errors").isVisible()), `${what}: without results there is nothing to choose`);
  await input.fill("2026");
  expect((await chip("Errors").isVisible()) && (await chip("Examples").isVisible()) && (await count("Errors")) === 0, `${what}: a chosen kind stays chosen, beside those that have something`);
  await page.locator("#search").getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("/");
  await input.fill("Book");
  expect((await chip("All").getAttribute("aria-pressed")) === "true", `${what}: the next search is for all again`);
  expect((await page.locator("#hits a").first().textContent()).startsWith("Book type"), `${what}: an exact name is first, whatever its kind`);
  await input.press("Enter");
  await page.waitForURL(/types\/Book/);
  await close(page);
}

// What the search shows for an empty query.
async function beginning(page) {
  await page.keyboard.press("/");
  await page.locator("#hits :is(li, p)").first().waitFor();
  return page.locator("#hits a").evaluateAll((links) => links.map((it) => `${it.textContent} ${it.getAttribute("href").split("/").slice(-2).join("/")}`));
}

// The pages that were visited last, or what can be found.
async function visited() {
  const page = await open(server.site + "book.find.html#param.words");
  expect((await beginning(page)).length === 0 && (await page.locator("#hits p").textContent()).startsWith("Search for procedures"), "the first time, the search says what can be found");
  const names = ["index", "types", "errors", "loan.end", "book.get", "types/Book", "loan.fees", "book.get", "guide/start", "errors/1404"];
  for (const name of names) await page.goto(`${server.site}${name}.html`);
  const found = await beginning(page);
  const titles = found.map((it) => it.split(" ")[0]).join();
  expect(titles === "Start,book.get,loan.fees,Book,loan.end,Errors,Types,Library", `then the last eight pages, each once, without this one: ${titles}`);
  expect((await page.getByRole("group", { name: "Visited last" }).getByRole("link").count()) === 8, "under a heading");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${server.site}book.get.html`);
  await beginning(page);
  await page.locator("#search input").fill("loan.end");
  await page.locator("#hits a", { hasText: "loan.end" }).first().waitFor();
  expect((await page.getByRole("group", { name: "Visited last" }).count()) === 0, "a query hides them");
  // Anything may be in the storage.
  const store = (value) => page.evaluate((value) => Object.keys(localStorage).filter((key) => key.includes("visits")).forEach((key) => (localStorage[key] = value)), value);
  const bad = ["javascript:alert(1)", "//evil.example/", "https://evil.example/", "../book.get.html", "a/../../b.html", "%2e%2e/b.html", "loan.end.html?x", "data:text/html,x", " javascript:alert(1)", 7, null];
  await store(JSON.stringify([...bad.slice(0, 7).map((path) => [path, "x"]), ["loan.fees.html", "<img src=x onerror=alert(1)>"]]));
  await page.goto(server.site + "types/Isbn.html");
  const kept = await beginning(page);
  expect(kept.join() === "<img src=x onerror=alert(1)> prefix/loan.fees.html" && (await page.locator("#hits img").count()) === 0, `only pages of this site are followed, and titles are texts: ${kept}`);
  for (const value of [JSON.stringify(bad.slice(7).map((path) => [path, "x"])), "null", "{", "7", '"abc"', "[7]", "[[]]"]) {
    await store(value);
    await page.goto(server.site + "loan.end.html");
    const shown = await beginning(page);
    expect(!shown.some((it) => it.startsWith("x")), `and nothing else: ${value}: ${shown}`);
  }
  await close(page);
  for (const name of ["index.html", "single.html"]) {
    const file = await open(pathToFileURL(join(folder, name)).href);
    await file.reload();
    expect((await beginning(file)).length === 0 && (await file.evaluate(() => !Object.keys(localStorage).some((key) => key.includes("visits")))), `${name}: a folder and a single file store nothing`);
    await close(file);
  }
  const forbidden = await open(server.site + "book.get.html");
  await forbidden.addInitScript(() => Object.defineProperty(window, "localStorage", { get() { throw new Error("forbidden"); } }));
  await forbidden.goto(server.site + "book.find.html");
  expect((await beginning(forbidden)).length === 0, "without storage the search is what it was");
  await close(forbidden);
}

// The search as it looks while it is used.
async function searched(query, press) {
  const views = [320, 1280].flatMap((width) => ["light", "dark"].map((scheme) => ({ width, scheme, scripts: true })));
  const before = async (page) => {
    await page.locator("button.find").click();
    await page.locator("#search input").fill(query);
    await page.locator("#hits :is(li, p)").first().waitFor();
    if (press) await page.locator(".chips").getByRole("button", { name: press }).click();
    const wide = await page.evaluate(() => Math.max(...["html", "#search", "#hits"].map((part) => document.querySelector(part)).map((it) => it.scrollWidth - it.clientWidth)));
    expect(wide <= 0, `search for ${query}: scrolls sideways by ${wide}`);
  };
  await accessible(["book.find.html"], views.map((view) => ({ ...view, before })));
}

// Tabs are one row, which scrolls to the one that is chosen. Without script, tabs that do not fit are several lines.
async function tabs() {
  for (const width of [320, 390, 1280]) {
    for (const scripts of [true, false]) {
      const page = await open(server.site + "book.find.html", { width, scripts });
      const where = `tabs ${width}${scripts ? "" : " no script"}`;
      if (scripts && width < 500) await page.locator("button.sheet").click();
      const row = page.locator(".answers .tabs");
      const labels = row.locator(":scope > label");
      const boxes = await labels.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().toJSON()));
      const isRow = boxes.every((it) => it.top === boxes[0].top);
      const fits = boxes.reduce((sum, it) => sum + it.width, 0) <= (await row.evaluate((row) => row.clientWidth));
      expect(boxes.length > 2 && isRow === (scripts || fits), `${where}: one row with script, and lines without: ${JSON.stringify(boxes)}`);
      expect(boxes.every((it) => it.height >= 24 && it.width >= 24), `${where}: large enough to hit`);
      await row.locator(":scope > input").first().focus();
      for (let at = 1; at <= boxes.length; at++) {
        await page.keyboard.press("ArrowRight");
        const seen = await row.evaluate((row) => {
          const label = row.querySelector(":scope > :checked + label");
          const [inner, outer, panel] = [label, row, label.nextElementSibling].map((it) => it.getBoundingClientRect());
          const isIn = inner.left >= outer.left - 1 && (inner.right <= outer.right + 1 || inner.width > outer.width);
          const style = getComputedStyle(label);
          return { text: label.textContent, isIn, below: Math.abs(panel.left - outer.left) < 3 && panel.width <= outer.width, outline: style.outlineStyle, focused: label.control === document.activeElement };
        });
        expect(seen.text === (await labels.nth(at % boxes.length).textContent()), `${where}: arrow keys choose ${seen.text}`);
        expect(seen.isIn && seen.below && seen.outline === "solid" && seen.focused, `${where}: what is chosen is in view: ${JSON.stringify(seen)}`);
      }
      await close(page);
    }
  }
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

// The language of samples.
async function language() {
  const page = await open(server.site + "book.find.html");
  const shown = () => page.locator(".languages > :checked").first().getAttribute("value");
  expect((await shown()) === "curl", "samples begin with curl");
  await page.locator(".languages > label", { hasText: "Python" }).first().click();
  await page.goto(server.site + "loan.fees.html");
  expect((await shown()) === "python", "the language is that of the next page, too");
  await page.locator(".languages > label", { hasText: "GET" }).click();
  await page.goto(server.site + "loan.begin.html");
  expect((await shown()) === "python", "GET is no language");
  await page.locator(".try .start").click();
  await page.locator(".languages > label", { hasText: "JSON" }).click();
  await page.goto(server.site + "book.find.html");
  await page.locator(".call .primary").waitFor();
  expect((await shown()) === "python", "nor is JSON");
  await page.locator(".languages > label", { hasText: "Rust" }).click();
  await page.goBack();
  expect((await shown()) === "rust", "a page that comes back has the language, too");
  await close(page);
}

// The page as Markdown, for readers who give it to a program.
async function markdown() {
  const page = await open(server.site + "book.find.html");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator("h1 ~ button.page").click();
  await page.locator("button.page", { hasText: "Copied" }).waitFor({ timeout: 5000 });
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.startsWith("# book.find"), `a page is copied as Markdown: ${copied.slice(0, 40)}`);
  await close(page);
  const file = await open(pathToFileURL(join(folder, "book.find.html")).href);
  expect((await file.locator("button.page").count()) === 0, "a page opened from a folder cannot be fetched, so there is no button");
  await close(file);
}

// What a reader would see at once, and no checker.
async function looks() {
  const narrow = await open(server.site + "book.find.html", { width: 320 });
  expect(await narrow.locator("button.theme").isVisible(), "the theme can be chosen on the narrowest screen");
  await close(narrow);
  const odd = await open(server.site + "book.find.html#%");
  expect(await odd.locator("button.find").isVisible(), "a fragment that encodes nothing does not end the script");
  const values = await odd.evaluate(() => {
    const list = document.querySelector(".tree .values");
    const nested = document.querySelector(".tree details ul li").appendChild(list.cloneNode(true));
    return [list, nested].map((it) => getComputedStyle(it.querySelector("li")).paddingBlock);
  });
  expect(values[0] === values[1], `values of a nested field lie as close as any: ${values}`);
  await close(odd);
  const errors = await open(server.site + "errors.html");
  const heads = await errors.locator("#protocol ~ .codes thead th").evaluateAll((all) => all.map((it) => [it.textContent, it.clientHeight]));
  expect(heads.length === 6 && heads.every((it) => it[1] < 60), `headings of tables take at most two lines: ${JSON.stringify(heads)}`);
  for (const width of [320, 940, 1440]) {
    await errors.setViewportSize({ width, height: 900 });
    const room = await errors.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(room <= 0, `the page of errors does not scroll sideways at ${width}: by ${room}`);
  }
  await close(errors);
  const overview = await open(server.site + "index.html");
  for (const width of [850, 940, 1440]) {
    await overview.setViewportSize({ width, height: 900 });
    const room = await overview.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(room <= 0, `the overview does not scroll sideways at ${width}: by ${room}`);
  }
  await overview.setViewportSize({ width: 1280, height: 900 });
  expect((await overview.locator("#nav .names-of b").allTextContents()).includes("GET"), "the list at the side marks what GET may call");
  await close(overview);
}

// The procedures come first, and a filter finds one.
async function overview() {
  await aboveFold("index.html", 8, 8);
  const page = await open(server.site + "index.html");
  const rows = page.locator(".listing li:visible");
  const all = await rows.count();
  const input = page.getByRole("searchbox", { name: "Filter" });
  await input.fill("LOAN fee");
  expect((await rows.count()) === 1 && (await page.locator(".listing h3:visible").count()) === 1, "the filter hides rows, and groups without rows");
  expect((await page.locator(".filter [role=status]").textContent()) === "1 found", "and says how many are left");
  await input.press("Escape");
  expect((await rows.count()) === all && (await input.inputValue()) === "", "Escape clears it");
  await input.fill("nothing at all");
  expect((await page.locator(".filter [role=status]").textContent()) === "Nothing found", "it says that there is nothing");
  await input.fill("fees");
  await input.press("Enter");
  await page.waitForURL(/loan\.fees/);
  await close(page);
}

// The filter knows the names of parameters, and leads to the search.
async function filter(url, what) {
  const page = await open("about:blank");
  let asked = 0;
  page.on("request", (request) => (asked += /assets\/(index|search)/.test(request.url())));
  await page.goto(url);
  const rows = page.locator(".overview .listing li:visible");
  const input = page.getByRole("searchbox", { name: "Filter" }).first();
  const wider = page.locator(".overview .wider");
  const all = await rows.count();
  expect(asked === 0 && !(await wider.isVisible()), `${what}: nothing is loaded before it is used`);
  await input.fill("isbn");
  await page.waitForFunction(() => document.querySelector(".overview .listing li:not([hidden]) .by")?.textContent);
  const found = await rows.locator("a").allTextContents();
  expect(found.join() === "book.get isbn,loan.begin isbn,branch.returned isbn", `${what}: procedures are found by the names of their parameters, which they show: ${found}`);
  await input.fill("loan ISBN");
  expect((await rows.locator("a").allTextContents()).join() === "loan.begin isbn", `${what}: beside other words`);
  await input.fill("o");
  expect((await rows.count()) > 3 && !(await wider.isVisible()), `${what}: where much is left, there is no need for more`);
  await input.fill("accents");
  expect((await rows.count()) === 0 && (await wider.textContent()) === "Search everything for “accents”", `${what}: where little is left, everything can be searched`);
  await wider.click();
  await page.locator("#hits mark", { hasText: "accents" }).first().waitFor();
  expect((await page.locator("#search input").inputValue()) === "accents", `${what}: for what was typed`);
  await page.locator("#search").getByRole("button", { name: "Close" }).click();
  await input.fill("Moby $& <b>");
  expect((await wider.textContent()) === "Search everything for “Moby $& <b>”", `${what}: which is shown as it is`);
  await input.fill("Moby");
  await input.press("Enter");
  await page.locator("#hits mark", { hasText: "Moby" }).first().waitFor();
  expect(page.url() === url, `${what}: Enter does the same`);
  await page.locator("#search").getByRole("button", { name: "Close" }).click();
  await input.press("Escape");
  expect((await rows.count()) === all && (await page.locator(".by:not(:empty)").count()) === 0 && !(await wider.isVisible()), `${what}: Escape clears all of it`);
  await input.fill("isbn");
  await input.press("Enter");
  await page.waitForURL(/book\.get/);
  await close(page);
}

// Lines of a length that can be read, contents beside them or folded above, and code to copy.
async function guide() {
  for (const scripts of [true, false]) {
    const page = await open(server.site + "guide/start.html", { width: 1440, scripts });
    const width = await page.locator(".guide .prose p").first().evaluate((line) => line.getBoundingClientRect().width / 16);
    expect(width <= 36, `lines of a guide are short: ${width}rem`);
    const [contents, text] = await Promise.all([".contents ul", ".guide .prose"].map((part) => page.locator(part).boundingBox()));
    expect(contents.x > text.x + text.width && contents.height > 60, `the contents are beside the text: ${JSON.stringify([contents, text])}`);
    await page.locator(".contents a").last().click();
    expect(page.url().endsWith("#section.errors-1"), "and lead to each of two headings of one name");
    await close(page);
  }
  const phone = await open(server.site + "guide/start.html", { width: 390 });
  expect(!(await phone.locator(".contents a").first().isVisible()), "on a phone they are folded");
  await phone.locator(".contents summary").click();
  expect(await phone.locator(".contents a").first().isVisible(), "and unfold");
  await phone.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await phone.locator(".copyable .copy").first().click();
  const copied = await phone.evaluate(() => navigator.clipboard.readText());
  expect(copied === "curl -sS 'https://town.example/rpc' \\\n  -d @call.json\necho done", `commands are copied without prompts and output: ${copied}`);
  await close(phone);
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

async function print() {
  for (const scripts of [true, false]) {
    const page = await open(server.site + "book.search.html", { scripts });
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const hidden = await page.evaluate(() =>
      [...document.querySelectorAll(".tree li .name")].filter((name) => !name.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })).map((name) => name.textContent),
    );
    const samples = await page.evaluate(() => {
      document.documentElement.dataset.theme = "dark";
      const labels = [...document.querySelectorAll(".languages > label")].filter((label) => label.checkVisibility());
      const codes = [...document.querySelectorAll(".call pre")].filter((pre) => pre.checkVisibility());
      const luminance = (element, what) => getComputedStyle(element)[what].match(/\d+/g).slice(0, 3).reduce((sum, it) => sum + Number(it), 0);
      return { labels: labels.map((label) => label.textContent).join(), codes: codes.length, dark: luminance(document.body, "color") < 200 };
    });
    expect(samples.labels === "curl,JavaScript,TypeScript,Python,Rust,TS client", `print names the languages: ${samples.labels}`);
    expect(samples.codes > 5, `print shows what is behind tabs: ${samples.codes}`);
    expect(samples.dark, "print is dark on white in the dark scheme too");
    expect(hidden.length === 0, `print shows every field (${scripts ? "" : "no "}script): ${hidden}`);
    await close(page);
  }
}

// A page of each kind, as a reader with an ordinary screen sees it.
async function glance() {
  await accessible(["index.html", "book.find.html", "errors.html", "types.html", "errors/1404.html", "types/Book.html"], [{ width: 1280, scheme: "light", scripts: true }]);
}

await run({
  glance,
  policy,
  tabs,
  keyboard,
  theme,
  language,
  "right to left": rightToLeft,
  markdown,
  looks,
  overview,
  filter: () => filter(server.site + "index.html", "served"),
  "filter from a folder": () => filter(pathToFileURL(join(folder, "index.html")).href, "folder"),
  "filter in a single file": () => filter(pathToFileURL(join(folder, "single.html")).href, "single file"),
  guide,
  links,
  search: () => searchFrom(server.site + "types/Book.html", "served"),
  groups: () => groups(server.site + "book.find.html", "served"),
  "groups in a single file": () => groups(pathToFileURL(join(folder, "single.html")).href, "single file"),
  visited,
  "accessible search": async () => {
    await searched("");
    const before = async (page) => {
      await page.locator(".filter > input").fill("accents");
      await page.locator(".wider:visible").waitFor();
    };
    await accessible(["index.html"], [320, 1280].flatMap((width) => ["light", "dark"].map((scheme) => ({ width, scheme, scripts: true, before }))));
    await searched("book");
    await searched("book", "Types");
  },
  "search from a folder": () => searchFrom(pathToFileURL(join(folder, "index.html")).href, "folder"),
  "search in a single file": () => searchFrom(pathToFileURL(join(folder, "single.html")).href, "single file"),
  print,
  accessibility: async () => accessible(await all(".html")),
});
