// The search: every word typed has to be found, as it is, as the start of a word or within one, or
// with one letter wrong, missing, too much or swapped with its neighbour. A result is a page, and
// leads to the part of it that was found.
(function () {
  "use strict";
  const strings = self.docentStrings;
  const element = self.docentElement;
  const SHOWN = 40;
  const KINDS = { t: "type", g: "group", s: "section", e: "code", r: "error", d: "guide" };

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

  // For each word, a list of threes: the page, the part of it (0 is the page itself), the weight.
  function prepare(text) {
    const vocabulary = new Map();
    const pages = [];
    let page;
    let known;
    const post = (part, weight) => (word, share) => {
      let posts = vocabulary.get(word);
      if (!posts) vocabulary.set(word, (posts = []));
      posts.push(pages.length - 1, part, weight * share);
    };
    for (const line of text.split("\n")) {
      if (!line) continue;
      const fields = line.split("\t");
      if (fields[0]) {
        const [kind, href, name, summary, service, more] = fields;
        page = { kind, href, name, lower: name.toLowerCase(), summary, service, more, parts: [] };
        pages.push(page);
        words(name, true, post(0, 60));
        words(summary, false, post(0, 10));
        words(more, false, post(0, 6));
        if (service) words(service, false, post(0, 4));
        known = page.parts;
      } else {
        const [, anchor, name, more] = fields;
        known.push({ anchor, name, more });
        words(name, true, post(known.length, 30));
        words(more, false, post(known.length, 8));
      }
    }
    return { pages, words: [...vocabulary.keys()], posts: [...vocabulary.values()] };
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

  // The score of each page for one word, the part that has it, and the words to mark.
  function scores(index, word) {
    const score = new Float32Array(index.pages.length);
    const part = new Int32Array(index.pages.length);
    let some = false;
    const take = (posts, factor) => {
      some = true;
      for (let at = 0; at < posts.length; at += 3) {
        const value = posts[at + 2] * factor;
        if (value > score[posts[at]]) {
          score[posts[at]] = value;
          part[posts[at]] = posts[at + 1];
        }
      }
    };
    index.words.forEach((known, at) => {
      if (known === word) take(index.posts[at], 3);
      else if (known.startsWith(word)) take(index.posts[at], 2);
      else if (word.length > 2 && known.includes(word)) take(index.posts[at], 1);
    });
    const marks = [word];
    if (!some) {
      index.words.forEach((known, at) => {
        if (!near(word, known)) return;
        take(index.posts[at], 0.5);
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
    const ranked = [];
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
      const exact = page.lower === lower ? 1000 : page.lower.startsWith(lower) ? 200 : 0;
      ranked.push({ page, part: page.parts[part - 1], rank: sum + exact + (page.kind === "p" ? 5 : 0) - page.name.length / 100, at });
    });
    ranked.sort((a, b) => b.rank - a.rank || a.at - b.at);
    return { hits: ranked.slice(0, SHOWN), total: ranked.length, marks: found.flatMap((one) => one.marks) };
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

  self.docentSearch = function (dialog, text, root) {
    const index = prepare(text);
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
    show();
  };
})();
