// The search: every word typed has to be found, as it is, as the start of a word or within one. Only where
// nothing has it, a word with one letter wrong, missing, too much or swapped with its neighbour is found. A
// result is a page, and leads to the part of it that was found, with the phrase in which it was.
//
// Results stand in groups by their kind. A page is in each group of which a part of it was found, so that one page may
// be among the procedures with its name and among the parameters with one of its own. The group of the best result is
// first, so that Enter opens what fits best, whatever its kind. Buttons above narrow the results to a group.
(function () {
  "use strict";
  const strings = self.docentStrings;
  const element = self.docentElement;
  // The most results of a group, alone and beside others.
  const SHOWN = 40;
  const SHOWN_BESIDE = 5;
  // The longest phrase that is shown whole.
  const LONG = 180;
  const KINDS = {
    v: "service", p: "procedure", t: "type", u: "subscription", n: "sent", g: "group", s: "section", e: "code", r: "error", d: "guide",
    a: "param", f: "field", x: "example", l: "value",
  };
  // The groups in the order of their buttons, each with the kinds of entries in it.
  const GROUPS = [
    ["procedures", "pung"], ["values", "af"], ["types", "t"], ["errors", "er"], ["examples", "x"], ["sections", "ds"], ["services", "v"],
  ];
  // The kinds of entries whose names are identifiers.
  const NAMED = "vptungaf";

  const EDGES = /^[^\p{L}\p{N}_-]+|[^\p{L}\p{N}_-]+$/gu;
  const ASIDE = /[^\p{L}\p{N}]+/u;
  const CAPITALS = /([\p{Ll}\p{N}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu;

  // Adds a text's words: each whole, and in its parts. Of a name, also what follows a separator, and
  // the whole without any, so that it is found by readers who leave those out.
  function words(text, isName, add) {
    for (const chunk of text.split(/\s+/)) {
      const word = chunk.replace(EDGES, "");
      if (!word) continue;
      const lower = word.toLowerCase();
      add(lower, 1);
      const parts = lower.split(ASIDE).filter(Boolean);
      if (parts.length > 1) for (const part of parts) add(part, 0.7);
      if (lower !== word) {
        const inner = word.replace(CAPITALS, "$1$2 ").toLowerCase().split(ASIDE);
        if (inner.length > 1) for (const part of inner) if (part) add(part, 0.7);
      }
      if (!isName || parts.length < 2) continue;
      let from = lower.indexOf(parts[0]);
      for (let at = 1; at < parts.length; at++) {
        from = lower.indexOf(parts[at], from + parts[at - 1].length);
        add(lower.slice(from), 0.8);
      }
      for (let at = 0; at < parts.length - 1; at++) add(parts.slice(at).join(""), 0.8);
    }
  }

  function groupOf(kind) {
    return GROUPS.findIndex(([, kinds]) => kinds.includes(kind));
  }

  // The index: pages, and the texts on them. Each text is known once, and has a list of its places: the slot, which is
  // a group on a page, the part of the page (0 is the page itself), the weight, and the next place. Each word has a list
  // of posts: the text, how much of a word of it it is, and the next post. Lists are columns, because there may be
  // millions of elements.
  function begin() {
    return {
      pages: [], texts: [], names: new Map(), places: [], slot: [], part: [], weight: [], nextPlace: [],
      words: [], named: [], ids: new Map(), posts: [], text: [], share: [], nextPost: [], all: "", starts: [],
    };
  }

  // Adds a text with its words, and returns its number.
  function addText(index, text, kind, isName, isIdentifier) {
    const number = index.texts.push({ text, kind }) - 1;
    index.places.push(-1);
    words(text, isName, (word, share) => {
      let id = index.ids.get(word);
      if (id === undefined) {
        id = index.words.push(word) - 1;
        index.ids.set(word, id);
        index.posts.push(-1);
        index.named.push(false);
      }
      if (isIdentifier) index.named[id] = true;
      const last = index.posts[id];
      if (index.text[last] === number && index.share[last] >= share) return;
      index.nextPost.push(last);
      index.posts[id] = index.text.push(number) - 1;
      index.share.push(share);
    });
    return number;
  }

  // Puts a text onto the page that was added last. A part without a kind is of the kind of its page.
  function place(index, number, part, weight) {
    const page = index.pages.at(-1);
    const kind = part && page.parts[part - 1].kind;
    const slot = (index.pages.length - 1) * GROUPS.length + groupOf(kind || page.kind);
    index.nextPlace.push(index.places[number]);
    index.places[number] = index.slot.push(slot) - 1;
    index.part.push(part);
    index.weight.push(weight);
  }

  // Puts a name or a summary onto the page that was added last.
  function placeName(index, text, kind, part, weight) {
    if (!text) return;
    const isName = weight >= 30;
    const key = (isName ? kind || "-" : "") + " " + text;
    let number = index.names.get(key);
    if (number === undefined) {
      number = addText(index, text, "", isName, isName && kind && NAMED.includes(kind));
      index.names.set(key, number);
    }
    place(index, number, part, weight);
  }

  // Adds the lines of an index, but for pages in the folder `except`, in turns that leave time for the
  // reader.
  async function extend(index, text, except) {
    const before = [];
    const placeTexts = (numbers, part, weight) => {
      if (!numbers) return;
      for (const at of numbers.split(" ")) {
        const number = before[at];
        // JSON has many words that say little.
        place(index, number, part, index.texts[number].kind === "j" ? 3 : weight);
      }
    };
    let page;
    let turn = performance.now();
    for (let from = 0; from < text.length; ) {
      let end = text.indexOf("\n", from);
      if (end < 0) end = text.length;
      const fields = text.slice(from, end).split("\t");
      from = end + 1;
      if (fields[0] === "=") {
        before.push(addText(index, fields[2], fields[1], false, false));
      } else if (fields[0]) {
        const [kind, href, name, summary, service, numbers] = fields;
        page = undefined;
        if (except && href.startsWith(except)) continue;
        page = { kind, href, name, lower: name.toLowerCase(), summary, service, parts: [] };
        index.pages.push(page);
        placeName(index, name, kind, 0, 60);
        placeName(index, summary, "", 0, 10);
        placeName(index, service, "", 0, 4);
        placeTexts(numbers, 0, 6);
      } else if (page) {
        const [, anchor, name, numbers, kind] = fields;
        page.parts.push({ anchor, name, kind });
        placeName(index, name, kind, page.parts.length, 30);
        placeTexts(numbers, page.parts.length, 8);
      }
      if (performance.now() - turn > 40) {
        await new Promise((done) => setTimeout(done));
        turn = performance.now();
      }
    }
  // All words in one text, each between line ends, are searched at once.
    index.all = "\n" + index.words.join("\n") + "\n";
    index.starts = new Int32Array(index.words.length + 1);
    let start = 1;
    index.words.forEach((word, at) => {
      index.starts[at] = start;
      start += word.length + 1;
    });
    index.starts[index.words.length] = start;
  }

  // Returns whether `a`, as far as it has been typed, is the beginning of `b` but for one edit. Any letter of a name may be
  // wrong. Other words with another letter are other words, as "whale" and "while" are, and so are short ones.
  function near(a, b, isNamed) {
    const least = isNamed ? 4 : 7;
    if (a.length < least || b.length < Math.max(a.length - 1, least)) return false;
    let at = 0;
    while (at < a.length && a[at] === b[at]) at++;
    const same = (i, j) => b.startsWith(a.slice(i), j);
    return (
      (isNamed && same(at + 1, at + 1)) || (same(at + 1, at) && at + 1 < a.length) || same(at, at + 1) ||
      (a[at] === b[at + 1] && a[at + 1] === b[at] && same(at + 2, at + 2))
    );
  }

  // Calls `take` with each word that contains the text.
  function containing(index, text, take) {
    let word = 0;
    for (let found = index.all.indexOf(text); found >= 0; ) {
      // The word is the last one that starts at or before the place, or behind it where that is a line end.
      const place = text[0] === "\n" ? found + 1 : found;
      let last = index.starts.length - 2;
      while (word < last) {
        const middle = (word + last + 1) >> 1;
        if (index.starts[middle] <= place) word = middle;
        else last = middle - 1;
      }
      take(word);
      found = index.all.indexOf(text, index.starts[word + 1] - 1);
    }
  }

  // The score of each slot for one word, the part and the text that have it, and the words to mark.
  function scores(index, word) {
    const score = new Float32Array(index.pages.length * GROUPS.length);
    const part = new Int32Array(score.length);
    const text = new Int32Array(score.length);
    let some = false;
    const take = (word, factor) => {
      some = true;
      for (let post = index.posts[word]; post >= 0; post = index.nextPost[post]) {
        const found = index.text[post];
        const share = index.share[post] * factor;
        for (let at = index.places[found]; at >= 0; at = index.nextPlace[at]) {
          const value = Math.fround(index.weight[at] * share);
          const slot = index.slot[at];
          // Of equal ones, the first counts, and lists are from the last to the first.
          if (value > score[slot] || (value === score[slot] && index.part[at] <= part[slot])) {
            score[slot] = value;
            part[slot] = index.part[at];
            text[slot] = found;
          }
        }
      }
    };
    containing(index, word.length > 2 ? word : "\n" + word, (at) => {
      const known = index.words[at];
      take(at, known === word ? 3 : known.startsWith(word) ? 2 : 1);
    });
    const marks = [word];
    if (!some) {
      index.words.forEach((known, at) => {
        if (!near(word, known, index.named[at])) return;
        take(at, 0.5);
        if (marks.length < 20) marks.push(known);
      });
    }
    return { score, part, text, marks };
  }

  // The slot of a page with the best score, if there is any.
  function bestOf(score, first) {
    let best = -1;
    for (let slot = first; slot < first + GROUPS.length; slot++) if (score[slot] > (score[best] ?? 0)) best = slot;
    return best;
  }

  // The word that decides to which part a result leads, when each was found in one of these slots.
  function leading(found, slots) {
    let best = 0;
    slots.forEach((slot, at) => {
      const { score, part } = found[at];
      if (part[slot] && (!found[best].part[slots[best]] || score[slot] > found[best].score[slots[best]])) best = at;
    });
    return best;
  }

  // The results of a page: the slot of each, and the slots of the words. A group has a word if a part of it does, and not
  // much less than the page itself. The page itself may have the other words. Where no group has all words so, that of
  // the best one stands for the page.
  function resultsOf(found, first, own) {
    const best = found.map(({ score }) => bestOf(score, first));
    if (best.includes(-1)) return [];
    const results = [];
    for (let slot = first; slot < first + GROUPS.length; slot++) {
      const slots = found.map(({ score }) => (score[slot] && score[slot] * 2 >= score[own] ? slot : own));
      if (slots.includes(slot) && slots.every((it, at) => found[at].score[it])) results.push({ slot, slots });
    }
    return results.length ? results : [{ slot: best[leading(found, best)], slots: best }];
  }

  // Keeps the best results of a group, in order. Sorting all of them would take too long.
  function keep(group, hit) {
    const { hits } = group;
    group.total++;
    if (hits.length === SHOWN && hit.rank <= hits[SHOWN - 1].rank) return;
    let place = hits.length;
    while (place > 0 && hit.rank > hits[place - 1].rank) place--;
    hits.splice(place, 0, hit);
    if (hits.length > SHOWN) hits.pop();
  }

  // The results for a query by their groups, that of the best first.
  function find(index, query) {
    const groups = GROUPS.map(([name]) => ({ name, hits: [], total: 0 }));
    const lower = query.trim().toLowerCase();
    const typed = lower.split(/\s+/).map((word) => word.replace(EDGES, "") || word).filter(Boolean);
    if (!typed.length) return { groups: [], total: 0, marks: [] };
    const found = typed.map((word) => scores(index, word));
    let total = 0;
    index.pages.forEach((page, number) => {
      const first = number * GROUPS.length;
      const own = first + groupOf(page.kind);
      for (const { slot, slots } of resultsOf(found, first, own)) {
        let rank = -page.name.length / 100;
        slots.forEach((it, at) => (rank += found[at].score[it]));
        if (slot === own) rank += (page.lower === lower ? 1000 : page.lower.startsWith(lower) ? 200 : 0) + ("pun".includes(page.kind) ? 5 : 0);
        // The text that decided comes first.
        const lead = leading(found, slots);
        const numbers = new Set([lead, ...slots.keys()].map((at) => found[at].text[slots[at]]));
        const texts = [...numbers].map((it) => index.texts[it]);
        total++;
        keep(groups[slot - first], { page, part: page.parts[found[lead].part[slots[lead]] - 1], texts, rank });
      }
    });
    const filled = groups.filter((group) => group.total);
    filled.sort((a, b) => b.hits[0].rank - a.hits[0].rank);
    return { groups: filled, total, marks: found.flatMap((one) => one.marks) };
  }

  // The first of these words in a text, where a word begins if it can. A short one has to begin one.
  function mark(text, marks, from) {
    const lower = text.toLowerCase();
    let first;
    // Letters of which the small one is longer would move what follows them.
    if (lower.length !== text.length) return first;
    for (const word of marks) {
      for (let at = lower.indexOf(word, from); at >= 0; at = lower.indexOf(word, at + 1)) {
        const begins = !at || ASIDE.test(text[at - 1]);
        if (!begins && word.length < 3) continue;
        const better = !first || at < first.at || (at === first.at && word.length > first.length);
        if (better) first = { at, length: word.length };
        break;
      }
    }
    return first;
  }

  // A text with what was found in it marked.
  function marked(parent, text, marks) {
    let from = 0;
    for (let found = mark(text, marks, 0); found; found = mark(text, marks, from)) {
      const end = found.at + found.length;
      parent.append(text.slice(from, found.at), element("mark", {}, text.slice(found.at, end)));
      from = end;
    }
    parent.append(text.slice(from));
    return parent;
  }

  const SENTENCES = /[.!?…]["”’)\]]*\s+(?=\P{Ll})/gu;
  const CLAUSES = /[,;:]\s+|\s[–—]\s+|\s(?=\()|(?<=\))\s/gu;
  const MEMBERS = /, (?=")|[[\]{}]+,? ?/gu;

  // The part of a text around a place, between two ends.
  function between(text, at, ends) {
    let from = 0;
    for (const end of text.matchAll(ends)) {
      if (end.index + end[0].length > at) return text.slice(from, end.index + (ends === SENTENCES ? end[0].trimEnd().length : 0));
      from = end.index + end[0].length;
    }
    return text.slice(from);
  }

  // The sentence in which something was found. Of a long one, the clause.
  function phrase({ text, kind }, marks) {
    const found = mark(text, marks, 0);
    if (!found) return "";
    if (kind === "j") return between(text, found.at, MEMBERS);
    const sentence = between(text, found.at, SENTENCES);
    if (sentence.length <= LONG) return sentence;
    const clause = between(sentence, mark(sentence, marks, 0).at, CLAUSES);
    const { at } = mark(clause, marks, 0);
    // A clause may be as long as a text without any punctuation.
    const from = clause.length <= LONG || at < LONG / 2 ? 0 : clause.lastIndexOf(" ", at - LONG / 2) + 1;
    const to = clause.length - from <= LONG ? clause.length : clause.lastIndexOf(" ", from + LONG);
    return `${clause.length < sentence.length && !sentence.startsWith(clause) || from ? "… " : ""}${clause.slice(from, Math.max(to, at + 1))}${to < clause.length || !sentence.endsWith(clause) ? " …" : ""}`;
  }

  function row({ page, part, texts }, marks, root) {
    const anchor = part && part.anchor ? (page.href.includes("#") ? ":" : "#") + part.anchor : "";
    const link = element("a", { href: root + page.href + anchor });
    link.append(marked(element("code"), page.name, marks));
    if (part && part.name) link.append(" ", marked(element("code", { class: "part" }), part.name, marks));
    const kind = texts[0].kind === "l" ? "l" : (part && part.kind) || page.kind;
    if (KINDS[kind]) link.append(" ", element("span", { class: "kind" }, strings[KINDS[kind]]));
    if (page.service) link.append(" ", element("span", { class: "kind" }, page.service));
    if (page.summary) link.append(marked(element("span", { class: "text", dir: "auto" }), page.summary, marks));
    // Shows what was found in texts that are not shown otherwise, with what is around it.
    const shown = [page.name, page.summary, part && part.name, page.service];
    const more = texts.filter(({ text }) => !shown.includes(text)).slice(0, 2);
    for (const text of more) {
      const words = phrase(text, marks);
      if (words) link.append(marked(element("span", { class: "text phrase", dir: "auto" }), words, marks));
    }
    const item = element("li");
    item.append(link);
    return item;
  }

  // A group of results: a heading with their number, and a list that has its name.
  function section({ name, total }, rows) {
    const id = `hits-${name}`;
    const heading = element("h2", { id }, strings[name]);
    if (total) heading.append(" ", element("span", { class: "count" }, total));
    const list = element("ul");
    list.append(...rows);
    const made = element("div", { role: "group", "aria-labelledby": id });
    made.append(heading, list);
    return made;
  }

  // The buttons that narrow the results to a group, one for each with results. The group stays chosen for the next query.
  class Chips {
    constructor(row, onChoose) {
      this.chosen = "";
      this.buttons = new Map(["", ...GROUPS.map(([name]) => name)].map((name) => [name, element("button", { type: "button" })]));
      row.append(...this.buttons.values());
      for (const [name, button] of this.buttons) {
        button.addEventListener("click", () => {
          this.chosen = name === this.chosen ? "" : name;
          onChoose();
        });
      }
    }

    show(groups, total) {
      const totals = new Map([["", total], ...groups.map((group) => [group.name, group.total])]);
      const isNeeded = groups.length > 1 || (groups.length === 1 && this.chosen && !totals.has(this.chosen));
      for (const [name, button] of this.buttons) {
        button.hidden = !isNeeded || !(totals.has(name) || name === this.chosen);
        button.setAttribute("aria-pressed", String(name === this.chosen));
        button.replaceChildren(strings[name || "all"], " ", element("span", { class: "count" }, totals.get(name) ?? 0));
      }
    }
  }

  // What stands where there is no query: the pages that were visited last, or else what can be found.
  function begun(visits) {
    if (!visits.length) return element("p", {}, strings.hint);
    const rows = visits.map(({ href, title }) => {
      const item = element("li");
      item.append(element("a", { href, dir: "auto" }, title));
      return item;
    });
    return section({ name: "visited" }, rows);
  }

  // Returns what adds an index, and what names the parameters of the page with an address. `visits` returns the pages that were visited last.
  self.docentSearch = function (dialog, root, visits) {
    const index = begin();
    const input = dialog.querySelector("input");
    const list = dialog.querySelector("#hits");
    const state = dialog.querySelector(".state");

    const chips = new Chips(dialog.querySelector(".chips"), show);

    function show() {
      const hasQuery = input.value.trim() !== "";
      const { groups, total, marks } = find(index, input.value);
      chips.show(groups, total);
      const shown = groups.filter(({ name }) => !chips.chosen || name === chips.chosen);
      const most = shown.length > 1 ? SHOWN_BESIDE : SHOWN;
      const results = shown.map((group) => section(group, group.hits.slice(0, most).map((hit) => row(hit, marks, root))));
      list.replaceChildren(...(hasQuery ? results : [begun(visits())]));
      list.scrollTop = 0;
      // Until there is an index, the state is that of loading it.
      if (!index.pages.length) return;
      const count = shown.reduce((sum, group) => sum + group.total, 0);
      state.textContent = !hasQuery ? "" : count ? strings.found.replace("{}", count) : strings.none;
    }

    // From the field to the results and back; each result is a link, so that the rest is the browser's.
    function step(event) {
      const links = [...list.querySelectorAll("a")];
      const at = links.indexOf(document.activeElement);
      if (event.key === "ArrowDown") (links[at + 1] || links[0] || input).focus();
      else if (event.key === "ArrowUp") (at > 0 ? links[at - 1] : input).focus();
      else if (event.key === "Enter" && at < 0 && event.target === input) {
        if (links[0]) links[0].click();
      } else {
        if (at >= 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) input.focus();
        return;
      }
      event.preventDefault();
    }

    input.addEventListener("input", show);
    dialog.addEventListener("keydown", step);
    dialog.addEventListener("close", () => {
      if (!chips.chosen) return;
      chips.chosen = "";
      show();
    });
    list.addEventListener("click", (event) => {
      if (event.target.closest("a") && !event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close();
    });
    show();
    let pages;
    return {
      async add(text, except) {
        await extend(index, text, except);
        pages = new Map(index.pages.map((page) => [page.href, page]));
        show();
      },
      paramsOf(href) {
        const parts = pages.get(href)?.parts ?? [];
        return parts.filter(({ kind }) => kind === "a").map(({ name }) => name);
      },
    };
  };
})();
