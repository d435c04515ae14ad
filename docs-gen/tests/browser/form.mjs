// Fills in and sends the forms of a generated site: `node form.mjs SITE_FOLDER [PART,…]`, where the
// folder holds the site of the corpus example. Exits with 1 if anything is not as the contract has it.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { start } from "./page.mjs";

const { folder, server, expect, open, close, aboveFold, run } = await start(process.argv[2]);
const CORPUS = "Corpus/";
const LIBRARY = "Library/";

async function form(name, options) {
  const page = await open(name.includes(":") ? name : server.site + name, options);
  await page.locator(".try .start").click();
  await page.locator(".call .primary").waitFor({ state: "attached" });
  return page;
}

const body = (page) => page.locator(".call .body").inputValue();
const sent = async (page) => JSON.parse(await body(page)).params;
const field = (page, name) => page.locator(`.field[data-name="${name}"]`).first();
const input = (page, name) => field(page, name).locator(":scope > .field-place").locator("input, textarea, select").first();
const unfold = (page, name) => field(page, name).locator(":scope > .field-head > .unfold").click();
const problem = (page, name) => field(page, name).locator(":scope > .problem").textContent();
const pane = (page, name) => page.locator(`.ways label[for$="-${name}"]`).click();
const options = async (page) => {
  await pane(page, "request");
  await page.locator(".options summary").click();
};
const state = (page) => page.locator(".call .state").textContent();
const settled = (page, text) => page.waitForFunction((text) => document.querySelector(".call .state").textContent.includes(text), text, { timeout: 10000 });

async function send(page, path) {
  if (path) await page.locator(".call .address").fill(server.address + path);
  await page.locator(".call .primary").click();
}

// What the generator wrote and what the page's script makes of the same message are the same bytes,
// colours included. Where no call was found that fits the schemas, an example is one that breaks them: the form does
// not begin with it, but takes it.
async function samples() {
  const page = await open(server.site + CORPUS + "kinds.html");
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".html")).sort();
  let compared = 0;
  for (const name of names) {
    await page.goto(server.site + name.split("/").map(encodeURIComponent).join("/"));
    const found = await page.evaluate(async () => {
      if (!document.querySelector(".try")) return [];
      const codes = () => [...document.querySelectorAll(".languages > input:not([value=json], [value=get])")].map((it) => [it.value, it.nextElementSibling.nextElementSibling.querySelector("code")]);
      const before = codes().map(([key, code]) => [key, code.innerHTML]);
      const example = document.querySelector(".example .request code")?.textContent;
      const button = document.querySelector(".try .start");
      if (button) button.click();
      while (!document.querySelector(".call .primary")) await new Promise((resolve) => setTimeout(resolve, 5));
      const body = document.querySelector(".call .body");
      const { lacks, params } = JSON.parse(document.querySelector(".try").dataset.form);
      if (lacks) document.querySelector(".example .fill")?.click();
      // Two parameters of one name cannot both have a field.
      const isOneEach = new Set(params.map(([name]) => name)).size === params.length;
      const own = lacks && isOneEach && !document.querySelector(".restore").hidden ? "not taken" : body.value;
      body.dispatchEvent(new Event("input", { bubbles: true }));
      const after = codes().map(([key, code]) => [key, code.innerHTML]);
      const all = before.map(([key, text], at) => [key, text, after[at][1]]);
      // An address that is none stays in the form for the reader to mend; samples have another.
      return example === undefined ? all : [...all, ["body", example, own]];
    });
    for (const [key, static_, filled] of found) {
      compared += 1;
      expect(static_ === filled, `${name}: ${key} differs: ${JSON.stringify(static_)} ${JSON.stringify(filled)}`);
    }
  }
  expect(compared > 300, `enough is compared: ${compared}`);
  await close(page);
}

async function kinds() {
  const page = await form(CORPUS + "kinds.html");
  expect((await body(page)).includes("9223372036854775809"), "the form is filled with the example, digit by digit");
  const texts = page.locator(".call .state, .field-name, .field > .problem, .field-place :is(input:not([type=file], [type=checkbox]), textarea:not(.json), option)");
  const directions = await texts.evaluateAll((all) => all.map((it) => it.dir));
  expect(directions.length > 10 && directions.every((it) => it === "auto"), `texts of an author have a direction of their own: ${directions}`);
  expect(!(await page.locator(".call :is(.body, textarea.json)").evaluateAll((all) => all.some((it) => it.dir))), "and JSON has that of the page");
  await input(page, "note").fill('it\'s "x"');
  expect((await sent(page)).note === 'it\'s "x"', "a text is typed without quotes");
  expect((await problem(page, "note")).includes("at most 5 characters"), "a text that is too long is said");
  const curl = page.locator("input[value=curl] + label + .panel code");
  expect((await curl.textContent()).includes(String.raw`it'\''s \"x\"`), "the samples follow the form");
  await field(page, "note").locator(".with input").check();
  expect((await sent(page)).note === null, "a switch makes it null");
  await field(page, "note").locator(".with input").uncheck();
  expect((await sent(page)).note === 'it\'s "x"', "what was typed comes back");
  for (const [text, phrase] of [["18446744073709551615", ""], ["18446744073709551616", "0 to 18446744073709551615"], ["-1", "0 to"], ["1.5", "an integer"], ["7e0", ""], ["1e", "an integer"]]) {
    await input(page, "big").fill(text);
    const said = await problem(page, "big");
    expect(phrase ? said.includes(phrase) : !said, `${text}: ${said}`);
    const raw = text === "1e" ? '"1e"' : text;
    expect((await body(page)).includes(`"big": ${raw}`), `${text} is sent as it is typed`);
  }
  await input(page, "ratio").fill("0.75");
  expect((await problem(page, "ratio")).includes("a multiple of 0.5"), "a step is checked");
  expect((await sent(page)).ratio === 0.75, "typing gives an optional value");
  await field(page, "ratio").locator(".with input").uncheck();
  expect(!("ratio" in (await sent(page))), "and a box leaves it out");
  expect((await input(page, "day").getAttribute("type")) === "date", "a date is a date");
  await input(page, "day").fill("2026-02-28");
  expect((await sent(page)).day === "2026-02-28", "a date is sent as the format has it");
  expect((await input(page, "order").locator("option").allTextContents()).join() === "title,year,null", "an enumeration is a choice");
  await input(page, "order").selectOption({ label: "title" });
  expect((await sent(page)).order === "title", "a choice is sent");
  await field(page, "flag").locator(".with input").check();
  await input(page, "flag").selectOption({ label: "false" });
  expect((await sent(page)).flag === false, "a boolean is sent");
  await field(page, "cover").locator(".with input").check();
  await field(page, "cover").locator("input[type=file]").setInputFiles({ name: "a.bin", mimeType: "", buffer: Buffer.from([0, 1, 2, 255]) });
  await page.waitForFunction(() => document.querySelector(".call .body").value.includes("cover\": \"AAEC/w==\""), null, { timeout: 10000 });
  await field(page, "cover").locator("input[type=file]").setInputFiles({ name: "b.bin", mimeType: "", buffer: Buffer.alloc(10_000_001) });
  expect((await problem(page, "cover")).includes("Larger than 10 MB"), "a file that is too large is not read");
  expect((await input(page, "cover").inputValue()) === "AAEC/w==", "and changes nothing");
  expect(await field(page, "cover").locator(".pick").isVisible(), "bytes have a button for a file");
  await input(page, "cover").fill("AAEC/w=");
  expect((await problem(page, "cover")) !== "", "bytes are in canonical base64");
  await input(page, "isbn").fill("123");
  expect((await problem(page, "isbn")).includes("97[89]"), "a safe pattern is checked");
  await input(page, "slow").fill("a".repeat(60) + "!");
  expect((await problem(page, "slow")) === "", "a slow pattern is left to the service");
  await close(page);
}

async function nested() {
  const page = await form(CORPUS + "kinds.html");
  await field(page, "person").locator(":scope > .field-head .with input").check();
  await page.locator('[id="param.person.name"] > .field input, [id="param.person.name"] > .field textarea').first().fill("Ada");
  expect((await sent(page)).person.name === "Ada", "a member is typed on its own row");
  await page.locator('[id="param.person.home"] > .field .with input').first().check();
  await page.locator('[id="param.person.home.number"] > .field .with input').check();
  await page.locator('[id="param.person.home.number"] > .field .field-place input').fill("0");
  expect((await sent(page)).person.home.number === 0, "and a member of a member");
  expect((await page.locator('[id="param.person.home.number"] > .field .problem').textContent()).includes("at least 1"), "what a member breaks is said beside it");
  await page.locator('[id="param.person.home"] > .field .with input').first().uncheck();
  expect(!("home" in (await sent(page)).person), "a member is left out");
  expect((await page.locator('[id="param.person.home.number"] .field').count()) === 0, "its inputs are gone with it");

  const shape = field(page, "shape");
  expect(!(await shape.locator("select").first().isVisible()), "inputs that need lines of their own are folded");
  await unfold(page, "shape");
  expect(await shape.locator("select").first().evaluate((it) => it === document.activeElement), "and lead to the first of them when a reader opens them");
  expect((await shape.locator("select").first().evaluate((it) => it.selectedOptions[0].textContent)) === "Square", "the alternative of the example is chosen");
  const label = shape.locator('.field[data-name="label"]');
  await label.locator(".with input").check();
  await label.locator(".field-place :is(input, textarea)").fill("mine");
  await shape.locator("select").first().selectOption({ label: "Circle" });
  expect((await sent(page)).shape.label === "mine", "another alternative takes the members that it has, too");
  await label.locator(".with input").uncheck();
  await shape.locator('.field[data-name="radius"] .field-place input').fill("2.50");
  expect((await body(page)).includes('{"kind": "circle", "radius": 2.50}'), "another alternative is filled in");
  await shape.locator("select").first().selectOption({ index: 2 });
  expect((await sent(page)).shape === "", "alternatives of other types too");
  await shape.locator("select").first().selectOption({ label: "Circle" });
  expect((await body(page)).includes('{"kind": "circle", "radius": 2.50}'), `what was typed comes back with the choice: ${await body(page)}`);
  await shape.locator("select").first().selectOption({ index: 2 });

  const untitled = field(page, "untitled");
  await untitled.locator(":scope > .field-head .with input").check();
  const options = await untitled.locator("select").first().locator("option").allTextContents();
  expect(options.join("|") === 'object {op: "sum"}|object {op: "neg"}|object {a, b, c, d, …}|boolean', `alternatives without a title are told apart: ${options.join("|")}`);

  const tags = field(page, "tags");
  await tags.locator(":scope > .field-head .with input").check();
  for (const text of ["x", "x", "z"]) {
    await tags.locator(".add").click();
    await tags.locator(".entry").last().locator("input, textarea").fill(text);
  }
  expect((await sent(page)).tags.join() === "x,x,z", "elements are added");
  expect((await problem(page, "tags")).includes("at most 2 elements"), "too many are said");
  await tags.locator(".remove").last().click();
  expect((await problem(page, "tags")).includes("no duplicates"), "duplicates are said");
  await tags.locator(".remove").first().click();
  expect((await sent(page)).tags.join() === "x", "elements are removed");
  expect(await tags.locator(".add").evaluate((add) => add === document.activeElement), "and the focus stays in the list");

  const prices = field(page, "prices");
  await prices.locator(":scope > .field-head .with input").check();
  await prices.locator(".add").click();
  await prices.locator(".key").fill("EUR");
  await prices.locator(".entry .field-place input").fill("1.50");
  expect((await body(page)).includes('{"EUR": 1.50}'), "a member of a map has a name of its own");

  const tree = field(page, "tree");
  await tree.locator(":scope > .field-head .with input").check();
  await page.locator('[id="param.tree.below"] > .field .add').click();
  await page.locator('[id="param.tree.below"] .entry [data-name="below"] .add').click();
  expect((await sent(page)).tree.below[0].below.length === 1, "a type that holds itself goes as deep as one likes");

  await page.getByRole("button", { name: "shape: JSON" }).click();
  await shape.locator("textarea").fill('{"kind": "square", "side": 12345678901234567890}');
  await page.getByRole("button", { name: "shape: JSON" }).click();
  expect((await body(page)).includes("12345678901234567890"), "JSON of one value flows back without rounding");
  expect((await shape.locator('.field[data-name="side"] .field-place input').inputValue()) === "12345678901234567890", "into its inputs");
  await close(page);
}

async function raw() {
  const page = await form(CORPUS + "kinds.html");
  await page.locator(".example + input + label", { hasText: "Everything" }).click();
  await page.locator(".example:visible .fill").click();
  const all = await sent(page);
  expect(all.note === null && all.order === null && all.shape === "none" && all.tags.length === 2, "an example fills the form");
  expect(await field(page, "note").locator(".with input").isChecked(), "null is a switch");
  expect((await input(page, "anything").inputValue()).includes("1e400"), "what has no type is JSON");
  await page.locator("label[for=language-json]").click();
  const text = page.locator(".call .body");
  await text.fill('{"jsonrpc": "2.0", "id": 1, "params": {"day": "2026-01-01", "big": 18446744073709551615, "note": "n", "order": "year", "shape": "s"}, "method": "kinds"}');
  expect((await input(page, "big").inputValue()) === "18446744073709551615", "JSON flows back into the form, exactly");
  expect((await page.locator(".restore").isVisible()) === false, "in whatever order it is");
  const shade = page.locator(".editor pre");
  expect((await shade.textContent()) === (await text.inputValue()) + "\n" && (await shade.locator(".k").count()) === 9, "JSON has its colours while it is typed");
  const sizes = await page.evaluate(() => [".editor pre", ".editor .body"].map((it) => JSON.stringify(document.querySelector(it).getBoundingClientRect())));
  expect(sizes[0] === sizes[1], `the colours lie behind the text: ${sizes}`);
  await text.fill('{"jsonrpc": "2.0", "trace": [1.0], "x-idempotency-key": "k", "method": "kinds", "params": {"note": "mine", "unknown": 1e400, "person": {"nick": 1}}, "id": 77}');
  expect((await problem(page, "day")).includes("Required"), "what is required and left out is said");
  await input(page, "note").fill("two");
  const mine = '{"jsonrpc": "2.0", "trace": [1.0], "x-idempotency-key": "k", "method": "kinds", "params": {"note": "two", "unknown": 1e400, "person": {"nick": 1}}, "id": 77}';
  expect((await body(page)).replace(/\s/g, "") === mine.replace(/\s/g, ""), `a row changes its own value and nothing else: ${await body(page)}`);
  await send(page, "/rpc");
  await settled(page, "200");
  expect(server.calls.at(-1).body === (await body(page)), "what is shown is sent");
  await pane(page, "request");
  for (const [wrong, reason] of [["{", "valid JSON"], ['[{"jsonrpc": "2.0"}]', "a batch"], ['{"method": "other"}', "this procedure"], ['{"method": "kinds", "params": 1}', "neither an object"], ['{"method": "kinds", "params": {"a": 1, "a": 2}}', "twice"]]) {
    await text.fill(wrong);
    expect((await page.locator(".bar .problem").allTextContents()).join().includes(reason), `what no row can change is said at Send: ${wrong}`);
    expect((await problem(page, "day")) !== "" && (await input(page, "day").evaluate((it) => Boolean(it.closest("[inert]")))), "and at the row, which takes nothing");
  }
  await page.locator(".restore").click();
  expect((await sent(page)).note === "two" && JSON.parse(await body(page)).id === 1, "until the reader begins anew with the rows");
  const many = JSON.stringify(Array(2000).fill("x"));
  await text.fill(`{"jsonrpc": "2.0", "method": "kinds", "params": {"note": "n", "tags": ${many}}, "id": 1}`);
  expect((await field(page, "tags").locator("textarea.json").count()) === 1, "a list of thousands is JSON, not thousands of inputs");
  expect((await problem(page, "tags")).includes("at most 2"), "and is checked all the same");
  await text.fill(`{"jsonrpc": "2.0", "method": "kinds", "params": {"anything": ${"[".repeat(300)}${"]".repeat(300)}}, "id": 1}`);
  expect(!(await page.locator(".restore").isVisible()) && (await input(page, "anything").inputValue()).replace(/\s/g, "").length === 600, "a value that is 300 deep flows into its row");
  await text.fill("[".repeat(5000) + "]".repeat(5000));
  expect(await page.locator(".restore").isVisible(), "a deep body stays text");
  await close(page);
}

async function ways() {
  const page = await form(LIBRARY + "book.find.html");
  await input(page, "words").fill("a b&c'");
  await options(page);
  await page.locator(".options select").selectOption("position");
  expect(JSON.stringify(await sent(page)) === `["a b&c'",2]`, "by position");
  await page.locator("label[for=language-json]").click();
  const text = page.locator(".call .body");
  await text.fill((await text.inputValue()).replace(", 2]", ', 2, "title", [9, 1e400]]'));
  await field(page, "limit").locator(".with input").uncheck();
  expect((await body(page)).includes("[9, 1e400]") && (await problem(page, "limit")).includes("later parameter"), "what has no row stays, and what cannot be left out says so");
  await page.locator(".options select").selectOption("name");
  expect((await state(page)).includes("without an input") && (await body(page)).includes("[9, 1e400]"), "and cannot get a name");
  await text.fill((await text.inputValue()).replace(/, "title".*\]/, "]"));
  await page.locator(".silent input").check();
  expect(!("id" in JSON.parse(await body(page))), "a notification has no id");
  await page.locator(".silent input").uncheck();
  await page.locator(".call .address").fill(server.address + "/rpc");
  await page.locator(".to select").selectOption("GET");
  const get = `${server.address}/rpc/book.find?words=a%20b%26c%27&limit=20`;
  expect((await page.locator(".open-get").getAttribute("href")) === get, "GET has an address that opens");
  expect((await page.locator("input[value=curl] + label + .panel code").textContent()) === `curl -sS '${get}'`, "and samples");
  await send(page);
  await settled(page, "200");
  expect(server.calls.at(-1).method === "GET" && server.calls.at(-1).url === get.slice(server.address.length), "and is sent");
  await page.locator(".to select").selectOption("POST");
  await pane(page, "request");
  await page.locator(".collect").click();
  await page.locator(".collect").click();
  await page.goto(server.site + LIBRARY + "loan.end.html");
  await page.locator(".collect").click();
  await page.locator(".call .address").fill(server.address + "/rpc");
  await page.locator(".send-batch").click();
  await settled(page, "1 of 3 calls failed · HTTP 200");
  expect((await page.locator(".call .state").getAttribute("data-outcome")) === "failure", "a batch is a failure if a call of it is");
  const batch = JSON.parse(server.calls.at(-1).body);
  expect(batch.map(({ id, method }) => id + method).join() === "1book.find,2book.find,3loan.end", "what was collected on pages is one batch");
  await page.locator(".batch .remove").first().click();
  expect((await page.locator(".batch li").count()) === 2, "an entry can be removed");
  await page.goto(server.site + LIBRARY + "book.find.html");
  expect((await page.locator(".options select").inputValue()) === "position", "by position is remembered");
  await close(page);
}

// By position a gap has the default, or else null where that is allowed. Otherwise nothing is made up: the row says that
// it cannot be left out, and nothing is sent.
async function gaps() {
  const page = await form(CORPUS + "gaps.html");
  const include = (name) => field(page, name).locator(".field-head .with", { hasText: "include" }).locator("input");
  await options(page);
  await page.locator(".options select").selectOption("position");
  expect(JSON.stringify(await sent(page)) === '["whale"]', "by position, what is left out at the end is not sent");
  await include("shelf").check();
  await input(page, "shelf").fill("A");
  expect(JSON.stringify(await sent(page)) === '["whale","year",null,null,"A"]', `a gap is filled with what means the same: ${await body(page)}`);
  expect((await problem(page, "order")) === 'Sent as "year": a later parameter is given by position.', "and its row says so");
  await include("shelf").uncheck();
  await input(page, "limit").fill("5");
  const told = "“shelf” cannot be left out by position: a later parameter is given.";
  expect((await problem(page, "shelf")) === told && (await page.locator(".bar .problem").last().textContent()) === told, "what nothing stands for cannot be left out");
  expect((await body(page)).replace(/\s/g, "").includes('["whale","year",null,null,,5]'), `and nothing is made up: ${await body(page)}`);
  expect((await page.locator("input[value=curl] + label + .panel code").textContent()) === told, "nor in samples");
  const calls = server.calls.length;
  await page.locator(".call .address").fill(server.address + "/rpc");
  await send(page);
  await page.locator(".collect").click();
  await page.locator(".copy-link").click();
  expect(server.calls.length === calls && (await page.locator(".batch li").count()) === 0 && !page.url().includes("#"), "which is not sent, collected or linked");
  await page.locator(".options select").selectOption("name");
  expect(JSON.stringify(await sent(page)) === '{"words":"whale","limit":5}', "by name it is left out");
  await page.locator(".options select").selectOption("position");
  expect((await page.locator(".options select").inputValue()) === "name" && (await state(page)) === told, "and it stays by name");
  await include("shelf").check();
  await page.locator(".options select").selectOption("position");
  await send(page);
  await settled(page, "200");
  expect(JSON.stringify(JSON.parse(server.calls.at(-1).body).params) === '["whale","year",null,null,"A",5]', "until it is filled in");
  // The choice is kept on the next page, whose example has gaps.
  await page.goto(server.site + CORPUS + "kinds.html");
  await page.locator(".call .primary").waitFor();
  expect((await sent(page)).day === "2026-01-31" && (await state(page)).includes("“ratio” cannot be left out"), `an example stays as it is: ${await body(page)}`);
  await page.goto(server.site + CORPUS + "placed.html");
  await page.locator(".call .primary").waitFor();
  expect(/^\[7,"[^"]+",3\]$/.test(JSON.stringify(await sent(page))), `a sample by position has all that is required: ${await body(page)}`);
  await close(page);
}

// What is no JSON stays as it is typed, says where it breaks off, and is not sent, whatever it would make of the rest.
async function faults() {
  const page = await form(CORPUS + "kinds.html");
  await page.locator(".call .address").fill(server.address + "/rpc");
  await field(page, "anything").locator(".with input").check();
  const calls = server.calls.length;
  for (const [text, line, column] of [
    ["1 2", 1, 3], ["tr ue", 1, 1], ['1, "more": 2', 1, 2], ["1}", 1, 2], ["[1,\n  2,\n]", 3, 1], ["[1", 1, 3], ['{"a" 1}', 1, 6], ["{1: 1}", 1, 2],
    ["[}", 1, 2], ['{"a": 1,}', 1, 9], ["01", 1, 1], ["'a'", 1, 1], ['"a\tb"', 1, 1], ["[1\u00a0, 2]", 1, 3], ["  nul", 1, 3], ["[,1]", 1, 2], ['{"a": 1 "b": 2}', 1, 9], ["\u0001", 1, 1],
  ]) {
    await input(page, "anything").fill(text);
    const told = `This is not valid JSON: line ${line}, column ${column}.`;
    expect((await problem(page, "anything")) === told, `${text}: ${await problem(page, "anything")}`);
    expect((await page.locator(".bar .problem").last().textContent()) === `anything: ${told}`, `${text}: the bar says so too`);
    expect((await body(page)).includes(`"anything": ${text}`) && (await input(page, "anything").inputValue()) === text, `${text} stays as it is typed: ${await body(page)}`);
    await page.locator(".call .primary").click();
    expect((await state(page)) === "Not sent", `${text} is not sent`);
  }
  await page.locator(".collect").click();
  await page.locator(".copy-link").click();
  expect((await page.locator(".batch li").count()) === 0 && !page.url().includes("#"), "nor collected, nor linked");
  await input(page, "anything").fill('{"a": 1, "a": 2}');
  expect((await problem(page, "anything")).includes("twice"), "a name that occurs twice is told");
  await input(page, "anything").fill("[1, 2]");
  expect((await problem(page, "anything")) === "" && JSON.stringify((await sent(page)).anything) === "[1,2]", "until it is mended");
  await unfold(page, "shape");
  await page.getByRole("button", { name: "shape: JSON" }).click();
  await field(page, "shape").locator("textarea.json").fill('{"kind": "square",\n "side" 2}');
  expect((await problem(page, "shape")).includes("line 2, column 9"), "JSON of a value that has inputs, too");
  await page.locator("label[for=language-json]").click();
  await page.locator(".call .body").fill('{"jsonrpc": "2.0",\n "method" "kinds"}');
  await page.locator(".call .primary").click();
  expect((await page.locator(".bar .problem").last().textContent()) === "This is not valid JSON: line 2, column 11." && (await state(page)) === "Not sent", "and the whole request");
  expect(server.calls.length === calls, "nothing of it was sent");
  await close(page);
}

// What a schema accepts can be chosen and is not warned of, whatever kind of value it is, and what is not checked says so.
async function values() {
  const page = await form(CORPUS + "values.html");
  const problems = () => page.locator(".field .problem:not(:empty)").allTextContents();
  const chosen = (name) => input(page, name).evaluate((it) => it.selectedOptions?.[0].textContent ?? "no choice");
  expect((await problems()).length === 0, `constants of any kind are right: ${await problems()}`);
  expect((await chosen("fixed")) === '{"a": [1, null]}' && (await chosen("listed")) === '{"b": 1.0, "a": 2}' && (await chosen("nothing")) === "null", "and chosen");
  for (const [label, value] of [["[1, 2]", "[1,2]"], ["null", "null"], ['"x"', '"x"'], ["1.0", "1"], ['{"b": 1.0, "a": 2}', '{"b":1,"a":2}']]) {
    await input(page, "listed").selectOption({ label });
    expect(JSON.stringify((await sent(page)).listed) === value && (await problems()).length === 0, `${label} can be chosen: ${await problems()}`);
  }
  expect((await field(page, "sure").locator("option").allTextContents()).join() === "true,false,null", "null is one of the values, where it is accepted");
  await page.locator("label[for=language-json]").click();
  await page.locator(".call .body").fill('{"jsonrpc": "2.0", "method": "values", "params": {"fixed": {"a": [1.0, null]}, "listed": {"a": 2e0, "b": 1}, "nothing": null, "open": "x"}, "id": 1}');
  expect((await problems()).length === 0 && (await chosen("listed")) === '{"b": 1.0, "a": 2}', `values are compared as values: ${await problems()}`);
  expect((await field(page, "open").locator("textarea.json").inputValue()) === '"x"', "what may be of any kind is right as any kind");
  const suggested = input(page, "many");
  await suggested.fill("7");
  expect((await suggested.getAttribute("list")) && (await field(page, "many").locator("datalist option").count()) === 400, "values too many to choose from are suggested");
  expect((await sent(page)).many === 7 && (await problem(page, "many")) === "", "and typed as they are shown");
  await suggested.fill("400");
  expect((await sent(page)).many === "400" && (await problem(page, "many")).includes("one of a list"), `another value is told: ${await problem(page, "many")}`);
  await suggested.fill("399");
  await input(page, "slow").fill("aa");
  await input(page, "conditional").fill("3");
  const marked = await page.locator(".said > section .field").evaluateAll((all) => all.filter((it) => it.closest("li").querySelector(".unchecked:not([hidden], :empty)")).map((it) => it.dataset.name));
  expect(marked.join() === "conditional,slow", `rows that are not checked say so: ${marked}`);
  await close(page);
}

// The bar names an error in words, and leads to each row that is wrong: before a call as the schemas have it, and after
// it as the service says.
async function told() {
  const page = await form(CORPUS + "kinds.html");
  const leads = () => page.locator(".bar .lead").allTextContents();
  const focused = () => page.evaluate(() => document.activeElement.closest(".field")?.dataset.path);
  await page.locator(".call .address").fill(server.address + "/refusing");
  expect((await leads()).length === 0, "nothing is wrong at first");
  await input(page, "note").fill("too long for it");
  await field(page, "person").locator(":scope > .field-head .with input").check();
  await field(page, "tags").locator(":scope > .field-head .with input").check();
  for (let turns = 0; turns < 3; turns++) await field(page, "tags").locator(":scope > .field-place > .items > .add").click();
  expect((await leads()).join() === "note,person.name,tags", `each row that is wrong has a button: ${await leads()}`);
  // The rows are made anew where there is more or less room.
  for (const [width, place] of [[390, ".call"], [1280, ".said"]]) {
    await page.setViewportSize({ width, height: 900 });
    await page.locator(`${place} .field[data-name=note]`).waitFor({ state: "attached" });
  }
  for (const path of ["/person/name", "/tags", "/note"]) {
    await page.locator(".bar .lead", { hasText: path.slice(1).replace("/", ".") }).click();
    expect((await focused()).startsWith(path) && (await page.evaluate(() => document.activeElement.getBoundingClientRect().top < innerHeight)), `which leads to it: ${path} ${await focused()}`);
  }
  const wrong = await input(page, "note").evaluate((it) => getComputedStyle(it).borderColor);
  expect(wrong !== (await input(page, "day").evaluate((it) => getComputedStyle(it).borderColor)), "and looks like it");
  await input(page, "note").fill("a");
  await field(page, "person").locator(":scope > .field-head .with input").uncheck();
  await field(page, "tags").locator(":scope > .field-head .with input").uncheck();
  expect((await leads()).length === 0, "until it is right");
  await send(page);
  await settled(page, "-32602 Invalid params · HTTP 200");
  expect((await problem(page, "note")) === "expected a friend", `a row says what the service says of it: ${await problem(page, "note")}`);
  expect((await leads()).join() === "note,shape.side", `and the bar leads there: ${await leads()}`);
  await page.locator(".bar .lead").last().click();
  expect((await focused()) === "/shape/side", "inside of a value, too");
  await page.keyboard.type("1");
  expect((await leads()).join() === "note", "until another value is typed");
  await send(page, "/rpc");
  await settled(page, "200");
  expect((await leads()).length === 0, "or the service takes it");
  await send(page, "/untold");
  await settled(page, "7 Error without a message · HTTP 200");
  await send(page, "/failing");
  await settled(page, "Out of order · HTTP 503");
  await pane(page, "request");
  await page.locator("label[for=language-json]").click();
  await page.locator(".call .body").fill('{"jsonrpc": "2.0",\n  "method": kinds}');
  expect((await leads()).join() === "JSON", "JSON that breaks off has a button");
  await page.locator(".bar .lead").click();
  const [place, isBody] = await page.evaluate(() => [document.activeElement.selectionStart, document.activeElement.matches(".body")]);
  expect(isBody && place === 31, `which leads to the place: ${place}`);
  await close(page);
}

// A header field of the reader's own that stands in the place of a credential is told, sent and shown once.
async function overriding() {
  const page = await form(CORPUS + "locked.html");
  const shown = () => page.locator(".bar .fact").textContent();
  const warned = () => page.locator(".bar .problem", { hasText: "Options" }).allTextContents();
  await page.locator(".token").first().fill("s3cret");
  await options(page);
  await page.locator(".options .lines").fill("authorization: Basic eDp5\nX-Pin: 1");
  expect((await warned()).join() === "Authorization under Options is sent instead of what is typed here.", `it is told: ${await warned()}`);
  expect((await shown()) === "Sends Authorization: Basic …, X-Pin: …", `and what is sent: ${await shown()}`);
  const curl = await page.locator("input[value=curl] + label + .panel code").textContent();
  expect((curl.match(/authorization: /gi) ?? []).length === 1 && (curl.match(/X-Pin: /g) ?? []).length === 1, `a sample has it once: ${curl}`);
  await send(page, "/rpc");
  await settled(page, "200");
  expect(server.calls.at(-1).headers.authorization === "Basic eDp5", "it is sent");
  await pane(page, "request");
  await page.locator(".options .lines").fill("");
  expect((await warned()).length === 0 && (await shown()) === "Sends Authorization: Bearer …", `until it is gone: ${await shown()}`);
  await close(page);
}

async function answers() {
  const page = await form(LIBRARY + "loan.begin.html");
  const answer = page.locator(".answer-text");
  await send(page, "/rpc");
  await settled(page, "200");
  expect((await answer.textContent()).includes("18446744073709551615") && (await answer.textContent()).includes("1e400"), "no number of the answer is rounded");
  expect(server.calls.at(-1).body.includes("9223372036854775809"), "no number of the call is rounded");
  expect(/ms.*bytes/.test(await page.locator(".answer option").first().textContent()), "time and size are shown");
  expect((await page.locator(".answer .headers").textContent()).includes("content-type"), "headers are shown");
  expect((await answer.locator(".k").count()) > 2, "the answer has the colours of the examples");
  expect(!server.calls.at(-1).headers.authorization, "no token is sent where none was given");
  const looks = await page.evaluate(() => [".answer-text", ".response code"].map((it) => {
    const { fontSize, color } = getComputedStyle(document.querySelector(it));
    return fontSize + color;
  }));
  expect(looks[0] === looks[1], `an answer looks as an example does: ${looks}`);
  await page.locator(".answer pre").first().focus();
  expect(await page.evaluate(() => document.activeElement.matches(".answer pre")), "an answer can be scrolled with the keyboard");
  const outcome = () => page.locator(".call .state").getAttribute("data-outcome");
  expect((await outcome()) === "success", "a result is marked as one");
  await options(page);
  await page.locator(".silent input").check();
  await send(page);
  await settled(page, "HTTP 204 No Content");
  await pane(page, "request");
  await page.locator(".silent input").uncheck();
  const count = server.calls.length;
  await field(page, "reader").locator("input").press("Control+Enter");
  await page.waitForFunction(() => document.querySelector(".call .state").textContent.includes("200"));
  expect(server.calls.length === count + 1, "Ctrl+Enter sends");
  await send(page, "/html");
  await settled(page, "200");
  expect((await answer.textContent()).startsWith("<img"), "an answer that is HTML is text");
  await send(page, "/redirect");
  await settled(page, "redirect");
  expect(!(await answer.isVisible()) && (await page.locator(".example").first().isVisible()), "an answer does not stay beside a call that got none");
  await send(page, "/endless");
  await settled(page, "Too large");
  await send(page, "/large");
  await settled(page, "Only the beginning");
  await send(page, "/cut");
  await settled(page, "broke");
  expect((await answer.textContent()).includes("what came"), "what came before the end is shown");
  await send(page, "/slow");
  await page.waitForFunction(() => /Sending.* [1-9]\d* bytes/.test(document.querySelector(".call .state").textContent));
  await page.locator(".call .stop").click();
  await settled(page, "Stopped");
  expect((await answer.textContent()).includes("what came"), "stopping loses nothing that came");
  await send(page, "/silent");
  await page.locator(".call .stop").click();
  await settled(page, "Stopped");
  const calls = server.calls.length;
  await page.locator(".call .address").fill("javascript:alert(1)");
  await send(page);
  await settled(page, "Not a valid URL");
  await page.locator(".call .address").fill("");
  await send(page);
  await settled(page, "no server");
  expect(server.calls.length === calls, "without an address nothing is sent");
  await close(page);

  const failing = await form(LIBRARY + "book.get.html");
  await send(failing, "/rpc");
  await failing.locator(".error-link").waitFor();
  expect((await failing.locator(".call .state").getAttribute("data-outcome")) === "failure", "an error is marked as a failure, whatever its status");
  expect((await failing.locator(".error-link").getAttribute("href")) === "#error.1405", "an error's code leads to its declaration");
  await close(failing);
}

// An answer costs time in proportion to its size, however deep it is.
async function deep() {
  const page = await form(LIBRARY + "loan.begin.html");
  await send(page, "/rpc");
  await settled(page, "200");
  await page.evaluate(() => {
    const { fetch } = self;
    self.fetch = async (...all) => {
      const text = await (await fetch(...all)).text();
      self.began = performance.now();
      return new Response(text, { status: 200, statusText: "deep" });
    };
    new MutationObserver(() => {
      if (document.querySelector(".answer-text").textContent.includes("[[[[")) self.took ??= performance.now() - self.began;
    }).observe(document.querySelector(".answer-text"), { childList: true });
  });
  await send(page, "/deep");
  await page.waitForFunction(() => self.took !== undefined);
  const took = await page.evaluate(() => self.took);
  const shown = await page.locator(".answer-text").textContent();
  expect(shown.replace(/\s/g, "").length === 12034, `all brackets of a deep answer are shown: ${shown.replace(/\s/g, "").length}`);
  expect(shown.length < 2 * 12034, `a deep answer takes the room of its brackets: ${shown.length}`);
  expect(took < 200, `a deep answer is shown at once: ${took} ms`);
  await close(page);
}

// One message for each reason that there is no answer.
async function reasons() {
  const elsewhere = ["http://127.0.0.1", "http://localhost"];
  const other = server.address.replace("127.0.0.1", "localhost");
  const served = await form(LIBRARY + "loan.begin.html", { elsewhere });
  await served.locator(".call .address").fill(other + "/rpc");
  await send(served);
  await settled(served, "content security policy");
  await close(served);
  const file = await form(pathToFileURL(join(folder, LIBRARY + "loan.begin.html")).href, { elsewhere });
  await send(file, "/rpc");
  await settled(file, "does not allow pages of this origin (CORS), or the connection was cut");
  await file.locator(".call .address").fill("http://127.0.0.1:9/rpc");
  await send(file);
  await settled(file, "cannot be reached");
  await send(file, "/open");
  await settled(file, "200");
  expect((await file.locator(".with", { hasText: "Keep" }).count()) === 0, "a folder keeps no token");
  await close(file);
  const none = await form(CORPUS + "kinds.html");
  expect((await none.locator(".call .address").inputValue()) === "", "a description without a server has no address");
  const calls = server.calls.length;
  await send(none);
  await settled(none, "names no server");
  expect(server.calls.length === calls, "and nothing is sent");
  await close(none);
}

// Where a procedure takes a token, the scheme is added; where it does not, the field is the header.
async function token() {
  for (const [name, typed, header] of [
    ["loan.begin", " s3cret== ", "Bearer s3cret=="],
    ["loan.begin", "Bearer s3cret", "Bearer s3cret"],
    ["book.find", "s3cret", "Bearer s3cret"],
    ["book.find", "Basic eDp5", "Basic eDp5"],
  ]) {
    const page = await form(LIBRARY + name + ".html");
    const box = page.locator(".token");
    await page.locator(".call .address").fill(server.address + "/rpc");
    const before = server.calls.length;
    await box.fill("gehe\u0301im");
    await send(page);
    expect((await state(page)).includes("ASCII") && server.calls.length === before, "a token that no header can carry is not sent");
    await box.fill(typed);
    await send(page);
    await page.locator(".answer-text", { hasText: '"jsonrpc"' }).waitFor();
    expect(server.calls.at(-1).headers.authorization === header, `${name}: ${typed} is sent as ${header}`);
    expect((await box.getAttribute("type")) === "password", "a token is not shown");
    expect((await page.locator(".bar .fact").textContent()) === `Sends Authorization: ${header.split(" ")[0]} …`, "but its scheme is");
    const kept = await page.evaluate(() => location.href + document.querySelector(".samples").textContent + JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(!/s3cret|eDp5/.test(kept), "a token stands neither in the address, nor in samples, nor in what is stored");
    await close(page);
  }
}

// In every language the code reads the environment; also what the reader writes as a header field of their own.
async function secrets() {
  const page = await form(LIBRARY + "loan.begin.html");
  const codes = () => page.locator(".languages > input:not([value=json], [value=get]) + label + .panel code").allTextContents();
  const written = await codes();
  const reads = ['"Authorization: Bearer $TOKEN"', '"Bearer " + process.env.TOKEN', '"Bearer " + process.env.TOKEN', 'os.environ["TOKEN"]', 'std::env::var("TOKEN")?', '"Bearer " + process.env.TOKEN'];
  expect(written.every((code, at) => code.includes(reads[at])), `each language reads the environment in its own way: ${written}`);
  await page.locator(".token").fill("s3cret");
  expect((await codes()).join() === written.join(), "also when there is a token in the form");
  await options(page);
  await page.locator(".options .lines").fill("X-Api-Key: s3cret\nX-Proof: DPoP s3cret\n2fa-token: s3cret\nIf-None-Match: \"it's\"");
  const own = await codes();
  expect(!own.join().includes("s3cret"), `no secret stands in a sample: ${own}`);
  for (const line of ['-H "X-Api-Key: $X_API_KEY"', '-H "X-Proof: DPoP $TOKEN"', '-H "2fa-token: $_2FA_TOKEN"', String.raw`-H 'If-None-Match: "it'\''s"'`]) {
    expect(own[0].includes(line), `curl has ${line}: ${own[0]}`);
  }
  expect(own[3].includes('"X-Api-Key": os.environ["X_API_KEY"]') && own[3].includes(String.raw`"If-None-Match": "\"it's\""`), `as has Python: ${own[3]}`);
  await close(page);
}

// A long text takes several lines, and is copied as it is.
async function wrapping() {
  const page = await form(CORPUS + "kinds.html");
  const text = "x".repeat(300);
  await input(page, "note").fill(text);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator("label[for=language-curl]").click();
  const pre = page.locator("input[value=curl] + label + .panel pre");
  const [inner, outer] = await pre.evaluate((pre) => [pre.scrollWidth, pre.clientWidth]);
  expect(inner <= outer, `no long string makes code scroll sideways: ${inner} ${outer}`);
  await pre.hover();
  await page.locator("input[value=curl] + label + .panel .copy").click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.includes(`\n    "note": "${text}"`) && copied === (await pre.locator("code").textContent()), "what is copied has the text on one line");
  await close(page);
}

// The request and its response are two tabs of one card, which keeps its height; the response folds, can be saved, and the
// last five can be shown again.
async function card() {
  const page = await form(LIBRARY + "loan.begin.html");
  const height = () => page.locator(".pane:not([hidden])").evaluate((it) => it.getBoundingClientRect().height);
  const chosen = () => page.locator(".ways :checked").getAttribute("value");
  const before = await height();
  expect((await chosen()) === "request" && (await page.locator(".languages").isVisible()), "the request comes first");
  await send(page, "/rpc");
  await settled(page, "Result · HTTP 200");
  const text = page.locator(".answer-text");
  expect((await chosen()) === "response" && (await text.isVisible()) && !(await page.locator(".languages").isVisible()), "after Send the response is in its place");
  expect((await height()) === before, `the card keeps its height: ${before} ${await height()}`);
  const rows = () => text.evaluate((it) => it.innerText.trim().split("\n").length);
  const open = await rows();
  await text.locator("summary").nth(1).focus();
  await page.keyboard.press("Enter");
  expect((await rows()) < open, "an object of the response folds");
  await page.keyboard.press("ArrowUp");
  expect(await text.locator("summary").first().evaluate((it) => it === document.activeElement), "the arrows lead from fold to fold");
  expect((await text.locator('summary[tabindex="0"]').count()) === 1, "which are one stop of the Tab key");
  expect(!(await page.locator(".download").isVisible()), "a small response is not to be saved");
  await send(page, "/large");
  await settled(page, "Only the beginning");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".download").click()]);
  expect(download.suggestedFilename() === "loan.begin.json" && (await readFile(await download.path(), "utf8")).length > 2000000, "a large one is saved whole");
  for (const path of ["/html", "/failing", "/untold", "/refusing", "/rpc"]) {
    await send(page, path);
    await page.waitForFunction((path) => performance.getEntriesByName(path).length, server.address + path);
  }
  await settled(page, "Result · HTTP 200");
  const calls = await page.locator(".answer select option").allTextContents();
  expect(calls.length === 5 && calls[0].includes("Result") && calls[4].includes("HTTP 200 OK"), `the last five calls are listed: ${calls}`);
  await page.locator(".answer select").selectOption({ index: 1 });
  expect((await text.textContent()).includes("expected") && (await page.locator(".error-link").count()) === 1, "and shown again");
  await pane(page, "request");
  expect((await page.locator(".languages").isVisible()) && !(await text.isVisible()), "the sample is one click away");
  await page.locator("label[for=language-json]").click();
  expect((await height()) === before, "nor do the languages change the height");
  await close(page);
}

// Nothing moves when the form opens.
async function still() {
  for (const [name, narrow] of [[LIBRARY + "book.find", 1024], [LIBRARY + "loan.begin", 1440], [LIBRARY + "loan.begin", 390], [CORPUS + "pay", 1440], [CORPUS + "locked", 1440], [CORPUS + "kinds", 1024], [CORPUS + "kinds", 1440]]) {
    const page = await open(server.site + name + ".html", { width: narrow, height: 900 });
    if (narrow === 390) await page.locator("button.sheet").click();
    const tops = () => page.evaluate(() => ["h1", ".said h2", ".tree li", ".samples", ".answers", ".around"].flatMap((part) => [...document.querySelectorAll(part)].map((it) => Math.round(it.getBoundingClientRect().top))).join());
    const before = await tops();
    await page.locator(".try .start").click();
    await page.locator(".call .primary").waitFor();
    expect((await tops()) === before, `${name} ${narrow}: the page stays as it is when the form opens: ${before} ${await tops()}`);
    await close(page);
  }
}

// The bar has two rows, whatever came back, and says it in words.
async function outcome() {
  const page = await form(LIBRARY + "loan.begin.html");
  const height = () => page.locator(".bar").evaluate((it) => it.getBoundingClientRect().height);
  const before = await height();
  for (const [path, text] of [["/rpc", "Result · HTTP 200"], ["/refusing", "-32602 Invalid params · HTTP 200"], ["/html", "HTTP 200 OK"], ["/locked", "-32007 Refused · HTTP 401"]]) {
    await send(page, path);
    await page.waitForFunction((text) => document.querySelector(".call .state").textContent === text, text);
    expect((await height()) === before, `the bar keeps its height: ${text} ${before} ${await height()}`);
  }
  expect((await page.locator(".call .state").getAttribute("role")) === "status", "and it is read out");
  await close(page);
}

// Values survive a reload of the tab, but for secrets; a page of a folder stores nothing.
async function reloaded() {
  const stores = (page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  const page = await form(CORPUS + "secrets.html");
  await input(page, "note").fill("typed");
  await input(page, "phrase").fill("s3cret");
  const member = (name) => page.locator(`[id="param.login.${name}"] > .field`).locator("input:not([type=checkbox]), textarea").first();
  await member("name").fill("grace");
  await member("pin").fill("9876");
  await page.reload();
  await page.locator(".call .primary").waitFor();
  const { note, login } = await sent(page);
  expect(note === "typed" && login.name === "grace", `what was typed is there: ${await body(page)}`);
  expect(!/s3cret|9876/.test((await body(page)) + (await stores(page))), `but for secrets: ${await stores(page)}`);
  await page.locator("label[for=language-json]").click();
  await page.locator(".call .body").fill('{"jsonrpc": "2.0", "method": "secrets", "params": ["by position", {"name": "x", "pin": "4321"}, "s3cret"], "id": 1}');
  await page.reload();
  await page.locator(".call .primary").waitFor();
  expect((await body(page)).includes('"by position"') && !/s3cret|4321/.test(await stores(page)), `also by position: ${await stores(page)}`);
  await page.goto(server.site + CORPUS + "kinds.html");
  await page.locator(".call .primary").waitFor();
  expect((await sent(page)).note === "a", "each page has its own");
  await close(page);
  const file = await form(pathToFileURL(join(folder, CORPUS + "secrets.html")).href);
  await input(file, "note").fill("typed");
  await file.reload();
  expect((await stores(file)) === "{}", `a folder stores nothing: ${await stores(file)}`);
  await close(file);
}

// A procedure that takes a token, a key or a password has a field for each, and sends what is filled in.
async function credentials() {
  const page = await form(CORPUS + "locked.html");
  const labels = await page.locator(".setting:has(.token) > span").allTextContents();
  expect(labels.join() === "Bearer token,or X-Key,or Password,X-Pin", `each credential has a field: ${labels}`);
  await page.locator(".call .address").fill(server.address + "/rpc");
  const curl = () => page.locator("input[value=curl] + label + .panel code").textContent();
  const fields = async () => [...(await curl()).matchAll(/-H "(.*?)"/g)].map((found) => found[1]).join();
  expect((await fields()) === "Authorization: Bearer $TOKEN,X-Pin: $API_KEY", "samples have the first of several credentials, and all that are required");
  const [, key, password, pin] = await page.locator(".token").all();
  await pin.fill("1234");
  for (const [box, typed, shown, field, value] of [
    [key, "s3cret", "X-Key: $API_KEY,X-Pin: $API_KEY_2", "x-key", "s3cret"],
    [password, "zoë:a b", "Authorization: Basic $CREDENTIALS,X-Pin: $API_KEY", "authorization", `Basic ${Buffer.from("zoë:a b").toString("base64")}`],
  ]) {
    await box.fill(typed);
    expect((await fields()) === shown, `samples have what is filled in: ${await fields()}`);
    const before = server.calls.length;
    await send(page);
    await page.waitForFunction(() => document.querySelector(".call .state").textContent.startsWith("Result · HTTP 200"));
    const { headers } = server.calls.at(-1);
    expect(server.calls.length > before && headers[field] === value && headers["x-pin"] === "1234", `${field} is sent: ${JSON.stringify(headers)}`);
    await box.fill("");
  }
  expect(!server.calls.at(-1).headers["x-key"], "and nothing else");
  await close(page);
}

// Address, credentials and Send stay in view, nothing scrolls by itself, and a refusal leads to the credential.
async function bar() {
  for (const [width, height] of [[1280, 700], [390, 844]]) {
    const page = await open(server.site + LIBRARY + "loan.begin.html", { width, height });
    if (width === 390) await page.locator("button.sheet").click();
    await page.locator(".try .start").click();
    await page.locator(".call .address").fill(server.address + "/locked");
    const places = () => page.evaluate(() => [scrollY, document.querySelector(".call").scrollTop, document.querySelector(".call .primary").getBoundingClientRect().top].join());
    await page.evaluate(() => (document.querySelector(".call").scrollTop = 150));
    if (width !== 390) await page.evaluate(() => scrollTo(0, 120));
    const before = await places();
    const isInView = () => page.evaluate(() => [".address", ".token", ".primary", ".state"].every((name) => {
      const { top, left, width, height } = document.querySelector(`.bar ${name}`).getBoundingClientRect();
      return height > 0 && document.querySelector(`.bar ${name}`).contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }));
    await page.locator(".call .primary").click();
    await settled(page, "401");
    expect((await places()) === before, `nothing scrolls by itself: ${before} ${await places()}`);
    expect(await isInView(), `the bar is in view, ${width} wide`);
    expect(await page.evaluate(() => document.activeElement.matches(".token")), "a refusal leads to the token");
    const note = await page.locator(".bar .problem").first().textContent();
    expect(note === "The service asks for credentials: Bearer token, DPoP", `and says what is asked for: ${note}`);
    await page.keyboard.type("friend");
    await page.keyboard.press("Enter");
    await settled(page, "200");
    expect((await places()) === before, `nor after an answer: ${before} ${await places()}`);
    expect(await page.locator(".answer-text").evaluate((it) => it.getBoundingClientRect().top < innerHeight), "the answer is in view");
    await close(page);
  }
}

// A key for a write, header fields of one's own, and a link: each shows in what is sent.
async function extras() {
  const page = await form(CORPUS + "pay.html");
  await options(page);
  await page.locator(".key-line .renew").click();
  const key = JSON.parse(await body(page))["x-idempotency-key"];
  expect(/^[0-9a-f]{32}$/.test(key) && key === (await page.locator(".key-line input").inputValue()), `a new key: ${key}`);
  await page.locator(".options .lines").fill("If-None-Match: \"it's\"\nX-Secret: s3cret\nnonsense");
  expect((await page.locator(".options .problem").textContent()).includes("nonsense"), "a line that is no header field is said");
  await page.locator(".options .lines").fill("If-None-Match: \"it's\"\nX-Secret: s3cret\nHost: elsewhere");
  expect((await page.locator(".options .problem").textContent()).includes("Host"), "and one that no page can send");
  const curl = await page.locator("input[value=curl] + label + .panel code").textContent();
  expect(curl.includes(String.raw`-H 'If-None-Match: "it'\''s"'`) && curl.includes('-H "X-Secret: $X_SECRET"'), `samples have the fields, and no secret: ${curl}`);
  await page.locator(".token").first().fill("s3cret");
  await send(page, "/rpc");
  await settled(page, "200");
  const { headers } = server.calls.at(-1);
  expect(headers["if-none-match"] === "\"it's\"" && headers["x-secret"] === "s3cret", "fields of one's own are sent");
  await pane(page, "request");
  await input(page, "amount").fill("9007199254740993");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator(".copy-link").click();
  await settled(page, "copied");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(!link.includes("s3cret") && !link.includes(key), "a link carries neither a credential nor a key");
  const linked = await open(link);
  await linked.locator(".call .primary").waitFor();
  expect((await body(linked)).includes("9007199254740993") && (await state(linked)).includes("link"), "it fills in the form, and says so");
  await linked.evaluate(() => (location.hash = location.hash.split("=")[0] + "=" + encodeURIComponent('{"amount": 5, "other": 1}')));
  await linked.waitForFunction(() => document.querySelector(".call .body").value.includes('"other": 1'));
  expect((await input(linked, "amount").inputValue()) === "5" && (await linked.locator(".restore").isHidden()), "also where the page is open already");
  await close(linked);
  await close(page);
}

// A keystroke costs little, however long the value is.
async function large() {
  const page = await form(CORPUS + "kinds.html");
  await field(page, "anything").locator(".with input").check();
  const took = await page.evaluate(async () => {
    const input = document.querySelector('.field[data-name="anything"] textarea');
    input.value = JSON.stringify("x".repeat(1000000));
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 600));
    let longest = 0;
    for (let turns = 0; turns < 5; turns++) {
      input.setRangeText("y", 5, 5, "end");
      const began = performance.now();
      input.dispatchEvent(new Event("input", { bubbles: true }));
      longest = Math.max(longest, performance.now() - began);
    }
    return longest;
  });
  expect(took < 50, `a keystroke in a field of 1 MB: ${took} ms`);
  await send(page, "/rpc");
  await settled(page, "200");
  expect(JSON.parse(server.calls.at(-1).body).params.anything.length === 1000005, "what was typed last is sent");
  await close(page);
}

async function phone() {
  const page = await open(server.site + LIBRARY + "book.find.html", { width: 390, height: 844 });
  expect(!(await page.locator(".call").isVisible()), "on a phone the panel is closed");
  await page.locator("button.sheet").click();
  expect(await page.locator(".call .start").isVisible(), "it opens as a sheet");
  await page.locator(".call .start").click();
  const frame = await page.locator(".call").boundingBox();
  expect(Math.round(frame.y + frame.height) === 844 && frame.width === 390, "from the bottom");
  await input(page, "words").fill("typed in the sheet");
  expect((await page.locator(".call .field[data-name=words]").isVisible()) && (await sent(page)).words === "typed in the sheet", "which holds the fields");
  await send(page, "/rpc");
  await settled(page, "200");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.locator(".said .field[data-name=words]").waitFor();
  expect((await input(page, "words").inputValue()) === "typed in the sheet", "and gives them to the page where there is room");
  await page.setViewportSize({ width: 390, height: 844 });
  await pane(page, "request");
  await page.locator(".call .field[data-name=words]").waitFor();
  await send(page, "/rpc");
  await settled(page, "200");
  const shown = await page.locator(".answer-text").boundingBox();
  expect(shown && shown.y < 844 - 100, `the sheet shows the response at once: ${JSON.stringify(shown)}`);
  await page.keyboard.press("Escape");
  expect(!(await page.locator(".call").isVisible()), "Escape closes it");
  await close(page);
}

async function keyboard() {
  const page = await open(server.site + LIBRARY + "book.find.html");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  let stops = 0;
  for (; stops < 12; stops++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.matches(".try button"))) break;
  }
  expect(stops < 6, `the second stop of the page leads to the call: ${stops} stops to its form`);
  await page.keyboard.press("Enter");
  await page.locator(".call .primary").waitFor();
  expect(await page.evaluate(() => Boolean(document.activeElement.closest(".try"))), "focus stays in the form");
  await close(page);
}

async function folderAndFile() {
  const page = await form(pathToFileURL(join(folder, CORPUS + "kinds.html")).href);
  await input(page, "note").fill("x");
  expect((await sent(page)).note === "x", "the form works from a folder");
  await close(page);
}

const items = (page) => page.locator(".answer .events > li").allTextContents();

async function subscription() {
  const page = await form(CORPUS + "watch.html");
  const samples = await page.locator(".languages > label").allTextContents();
  expect(samples.join() === "JSON,curl,JavaScript,TS client", `a subscription has samples that read events: ${samples}`);
  expect((await page.locator(".collect, .silent").count()) === 0, "it is in no batch, and no notification");
  await send(page, "/events/open");
  await settled(page, "items received: 2");
  expect((await items(page)).join() === 'Missed before this item: 4{"loan": 2, "to": "Zoë"},{"loan": 1, "to": "Zoë"}', `items are shown as they come, the newest first: ${await items(page)}`);
  expect((await state(page)).startsWith("Subscribed"), "while the connection is open");
  expect(server.calls.at(-1).headers.accept === "text/event-stream", "it asks for events");
  await page.locator(".call .stop").click();
  await settled(page, "Stopped");
  expect((await items(page)).length === 2, "what has come stays");
  await send(page, "/events/lost");
  await settled(page, "The connection was lost before the subscription ended. · items received: 2");
  expect((await page.locator(".answer .fact").textContent()).includes("Cursor of the last item: 2"), "the last cursor is shown");
  await page.locator(".answer .resume").click();
  await settled(page, "The subscription has ended. · items received: 1");
  expect((await sent(page)).after === 2, "and it resumes after it");
  expect((await items(page)).join() === '{"loan": 3, "to": "Zoë"}', `without an item twice: ${await items(page)}`);
  await page.locator(".call .to select").selectOption("GET");
  const javascript = page.locator("input[value=javascript] + label + .panel code");
  expect((await javascript.textContent()).includes(`new EventSource("${server.address}/events/lost/watch?after=2")`), "with GET it is an EventSource");
  await send(page);
  await settled(page, "The subscription has ended.");
  expect(server.calls.at(-1).url === "/events/lost/watch?after=2", "and is sent so");
  await page.locator(".call .to select").selectOption("POST");
  await input(page, "after").fill("7");
  await send(page, "/events/failing");
  await settled(page, "1410 Closed for the holidays · items received: 2");
  expect((await page.locator(".answer .error-link").getAttribute("href")) === "#error.1410", "an error leads to what it means");
  await send(page, "/events/refused");
  await settled(page, "1410 Closed for the holidays · HTTP 200");
  expect((await items(page)).length === 0 && (await page.locator(".answer .answer-text").isVisible()), "an error before the first event is the response");
  await send(page, "/events/many");
  await settled(page, "items received: 1000");
  const shown = await items(page);
  expect(shown.length === 100 && shown[0].includes("1000"), `of many items the last are shown: ${shown.length}`);
  await close(page);
}

const overview = () => aboveFold(CORPUS + "index.html", 15, 5);

await run({ overview, samples, kinds, nested, raw, ways, gaps, faults, values, told, overriding, answers, deep, reasons, card, still, outcome, reloaded, token, secrets, wrapping, credentials, bar, extras, large, phone, keyboard, folderAndFile, subscription });
