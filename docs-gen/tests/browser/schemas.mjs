// Opens the form of each procedure of a site whose procedures take one value each, and chooses each of its alternatives:
// `node schemas.mjs SITE_FOLDER FILE`. Writes what the forms fill in to the file, as far as they find nothing wrong with it.

import { readdir, writeFile } from "node:fs/promises";
import { start } from "./page.mjs";

const { folder, server, expect, open, close, run } = await start(process.argv[2]);
const file = process.argv[3];
process.argv.length = 3;

async function filledIn() {
  const names = (await readdir(folder)).filter((name) => /^[A-Z].*\.html$/.test(name)).sort();
  const filled = [];
  const page = await open(server.site + names[0]);
  for (const name of names) {
    await page.goto(server.site + name);
    const messages = await page.evaluate(async () => {
      const messages = [];
      // A site remembers that a form was opened.
      document.querySelector(".try .start")?.click();
      for (let turns = 0; !document.querySelector(".call .primary"); turns++) {
        if (turns > 1000) throw new Error("there is no form");
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const body = document.querySelector(".call .body");
      const take = () => {
        const problems = [...document.querySelectorAll(".field .problem")].filter((it) => it.textContent);
        if (!problems.length) messages.push(body.value);
      };
      take();
      const choice = document.querySelector(".field > .field-place > .union > select");
      for (const option of choice ? choice.options : []) {
        choice.value = option.value;
        choice.dispatchEvent(new Event("change"));
        take();
      }
      return messages;
    });
    for (const message of messages) {
      const { params } = JSON.parse(message);
      filled.push([name.slice(0, -".html".length), Array.isArray(params) ? params[0] : params.value]);
    }
  }
  expect(filled.length > 80, `enough is filled in: ${filled.length}`);
  await close(page);
  await writeFile(file, JSON.stringify(filled));
}

await run({ filledIn });
