// The search: every word typed has to be found, as it is, as the start of a word or within one, or
// with one letter wrong, missing, too much or swapped with its neighbour. A result is a page, and
// leads to the part of it that was found.
(function () {
  "use strict";
  const strings = self.docentStrings;
  const element = self.docentElement;
  const SHOWN = 40;
  const KINDS = { v: "service", t: "type", u: "subscription", n: "sent", g: "group", s: "section", e: "code", r: "error", d: "guide" };

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

  // The parts of words are the same wherever they are found.
  function remembered() {
    const known = [new Map(), new Map()];
    return (text, isName, add) => {
      const of = known[Number(isName)];
      for (const chunk of text.split(/\s+/)) {
        let found = of.get(chunk);
        if (!found) {
          found = [];
          words(chunk, isName, (word, share) => found.push(word, share));
          of.set(chunk, found);
        }
        for (let at = 0; at < found.length; at += 2) add(found[at], found[at + 1]);
      }
    };
  }

  // The pages, and the words on them. A word has a list of posts: the page, the part of it (0 is the page
  // itself), the weight, and the next post. Posts are columns, because there may be millions of them.
  function begin() {
    return { pages: [], words: [], ids: new Map(), first: [], at: [], part: [], weight: [], next: [], text: "", starts: [] };
  }

  // Adds the lines of an index, but for pages in the folder `except`, in turns that leave time for the
  // reader.
  async function extend(index, text, except) {
    const split = remembered();
    let page;
    let weigh;
    const post = (part, weight) => (word, share) => {
      let id = index.ids.get(word);
      if (id === undefined) {
        id = index.words.push(word) - 1;
        index.ids.set(word, id);
        index.first.push(-1);
      }
      index.next.push(index.first[id]);
      index.first[id] = index.at.push(index.pages.length - 1) - 1;
      index.part.push(part);
      index.weight.push(weight * share);
    };
    let turn = performance.now();
    for (let from = 0; from < text.length; ) {
      let end = text.indexOf("\n", from);
      if (end < 0) end = text.length;
      const fields = text.slice(from, end).split("\t");
      from = end + 1;
      if (fields[0]) {
        const [kind, href, name, summary, service, more] = fields;
        page = undefined;
        if (except && href.startsWith(except)) continue;
        page = { kind, href, name, lower: name.toLowerCase(), summary, service, more, parts: [] };
        index.pages.push(page);
        split(name, true, post(0, 60));
        split(summary, false, post(0, 10));
        split(more, false, post(0, 6));
        if (service) split(service, false, post(0, 4));
      } else if (page) {
        const [, anchor, name, more] = fields;
        page.parts.push({ anchor, name, more });
        split(name, true, post(page.parts.length, 30));
        split(more, false, post(page.parts.length, 8));
      }
      if (performance.now() - turn > 40) {
        await new Promise((done) => setTimeout(done));
        turn = performance.now();
      }
    }
    // All words in one text, each between line ends, are searched at once.
    index.text = "\n" + index.words.join("\n") + "\n";
    index.starts = new Int32Array(index.words.length + 1);
    let start = 1;
    index.words.forEach((word, at) => {
      index.starts[at] = start;
      start += word.length + 1;
    });
    index.starts[index.words.length] = start;
  }

  // Whether `a`, as far as it has been typed, is the beginning of `b` but for one edit.
  function near(a, b) {
    if (a.length < 4 || b.length < a.length - 1) return false;
    let at = 0;
    while (at < a.length && a[at] === b[at]) at++;
    const same = (i, j) => b.startsWith(a.slice(i), j);
    return (
      same(at + 1, at + 1) || same(at + 1, at) || same(at, at + 1) ||
      (a[at] === b[at + 1] && a[at + 1] === b[at] && same(at + 2, at + 2))
    );
  }

  // Calls `take` with each word that contains the text.
  function containing(index, text, take) {
    let word = 0;
    for (let found = index.text.indexOf(text); found >= 0; ) {
      // The word is the last one that starts at or before the place, or behind it where that is a line end.
      const place = text[0] === "\n" ? found + 1 : found;
      let last = index.starts.length - 2;
      while (word < last) {
        const middle = (word + last + 1) >> 1;
        if (index.starts[middle] <= place) word = middle;
        else last = middle - 1;
      }
      take(word);
      found = index.text.indexOf(text, index.starts[word + 1] - 1);
    }
  }

  // The score of each page for one word, the part that has it, and the words to mark.
  function scores(index, word) {
    const score = new Float32Array(index.pages.length);
    const part = new Int32Array(index.pages.length);
    let some = false;
    const take = (at, factor) => {
      some = true;
      for (let post = index.first[at]; post >= 0; post = index.next[post]) {
        const value = Math.fround(index.weight[post] * factor);
        const page = index.at[post];
        // Of equal ones, the first counts, and the posts are from the last to the first.
        if (value > score[page] || (value === score[page] && index.part[post] < part[page])) {
          score[page] = value;
          part[page] = index.part[post];
        }
      }
    };
    const judge = (at) => {
      const known = index.words[at];
      take(at, known === word ? 3 : known.startsWith(word) ? 2 : 1);
    };
    containing(index, word.length > 2 ? word : "\n" + word, judge);
    const marks = [word];
    if (!some) {
      index.words.forEach((known, at) => {
        if (!near(word, known)) return;
        take(at, 0.5);
        if (marks.length < 20) marks.push(known);
      });
    }
    return { score, part, marks };
  }

  function find(index, query) {
    const lower = query.trim().toLowerCase();
    const typed = lower.split(/\s+/).map((word) => word.replace(EDGES, "") || word).filter(Boolean);
    if (!typed.length) return { hits: [], total: 0, marks: [] };
    const found = typed.map((word) => scores(index, word));
    // The best, in order. Sorting all of them would take too long.
    const hits = [];
    let total = 0;
    index.pages.forEach((page, at) => {
      let sum = 0;
      let best = 0;
      let part = 0;
      for (const one of found) {
        const score = one.score[at];
        if (!score) return;
        sum += score;
        if (one.part[at] && score > best) {
          best = score;
          part = one.part[at];
        }
      }
      total++;
      const exact = page.lower === lower ? 1000 : page.lower.startsWith(lower) ? 200 : 0;
      const rank = sum + exact + ("pun".includes(page.kind) ? 5 : 0) - page.name.length / 100;
      if (hits.length === SHOWN && rank <= hits[SHOWN - 1].rank) return;
      let place = hits.length;
      while (place > 0 && rank > hits[place - 1].rank) place--;
      hits.splice(place, 0, { page, part: page.parts[part - 1], rank });
      if (hits.length > SHOWN) hits.pop();
    });
    return { hits, total, marks: found.flatMap((one) => one.marks) };
  }

  // A text with what was found in it marked.
  function marked(parent, text, marks) {
    const lower = text.toLowerCase();
    let from = 0;
    // Letters of which the small one is longer would move what follows them.
    while (lower.length === text.length && from < text.length) {
      let start = -1;
      let length = 0;
      for (const mark of marks) {
        const at = lower.indexOf(mark, from);
        if (at >= 0 && (start < 0 || at < start || (at === start && mark.length > length))) {
          start = at;
          length = mark.length;
        }
      }
      if (start < 0) break;
      parent.append(text.slice(from, start), element("mark", {}, text.slice(start, start + length)));
      from = start + length;
    }
    parent.append(text.slice(from));
    return parent;
  }

  function row({ page, part }, marks, root) {
    const anchor = part && part.anchor ? (page.href.includes("#") ? ":" : "#") + part.anchor : "";
    const link = element("a", { href: root + page.href + anchor });
    link.append(marked(element("code"), page.name, marks));
    if (part && part.name) link.append(" ", marked(element("code", { class: "part" }), part.name, marks));
    if (KINDS[page.kind]) link.append(" ", element("span", { class: "kind" }, strings[KINDS[page.kind]]));
    if (page.service) link.append(" ", element("span", { class: "kind" }, page.service));
    if (page.summary) link.append(marked(element("span", { class: "text" }), page.summary, marks));
    // What was found in words that are not shown is shown with those beside it.
    const more = (part || page).more || "";
    const lower = more.toLowerCase();
    const at = link.querySelector("mark") || lower.length !== more.length ? [] : marks.map((mark) => lower.indexOf(mark)).filter((at) => at >= 0);
    if (at.length) {
      const from = at[0] < 30 ? 0 : more.lastIndexOf(" ", at[0] - 20) + 1;
      link.append(marked(element("span", { class: "text" }, from ? "… " : ""), more.slice(from, from + 80), marks));
    }
    const item = element("li");
    item.append(link);
    return item;
  }

  // Returns a function that adds an index.
  self.docentSearch = function (dialog, root) {
    const index = begin();
    const input = dialog.querySelector("input");
    const list = dialog.querySelector("#hits");
    const state = dialog.querySelector(".state");

    function show() {
      const { hits, total, marks } = find(index, input.value);
      list.replaceChildren(...hits.map((hit) => row(hit, marks, root)));
      list.scrollTop = 0;
      state.textContent = !input.value.trim() ? "" : total ? strings.found.replace("{}", total) : strings.none;
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
    list.addEventListener("click", (event) => {
      if (event.target.closest("a") && !event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close();
    });
    return async (text, except) => {
      await extend(index, text, except);
      show();
    };
  };
})();
