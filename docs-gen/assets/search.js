// The search: every word typed has to be found, as it is, as the start of a word, or with one
// letter wrong, missing, too much or swapped with its neighbour.
(function () {
  "use strict";
  const strings = self.docentStrings;
  const element = self.docentElement;
  const SHOWN = 40;

  const split = (text) => text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^\p{L}\p{N}-]+/u).filter(Boolean);

  function prepare(text) {
    const vocabulary = new Map();
    const entries = text.split("\n").filter(Boolean).map((line, at) => {
      const [kind, href, name, summary, service, terms] = line.split("\t");
      const lower = name.toLowerCase();
      const add = (word, weight) => {
        let users = vocabulary.get(word);
        if (!users) vocabulary.set(word, (users = new Map()));
        users.set(at, Math.max(users.get(at) || 0, weight));
      };
      add(lower, 60);
      for (const word of split(name)) add(word, 40);
      for (const word of split(terms)) add(word, 15);
      // A code is found with its sign and without.
      for (const code of terms.match(/-\d+/g) || []) add(code.slice(1), 15);
      for (const word of split(summary)) add(word, 6);
      for (const word of split(service)) add(word, 4);
      return { kind, href, name, lower, summary, service };
    });
    return { entries, vocabulary };
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

  function scores(index, word) {
    const found = new Map();
    const add = (users, factor) => {
      for (const [at, weight] of users) found.set(at, Math.max(found.get(at) || 0, weight * factor));
    };
    for (const [known, users] of index.vocabulary) {
      if (known === word) add(users, 3);
      else if (known.startsWith(word)) add(users, 2);
      else if (word.length > 2 && known.includes(word)) add(users, 1);
    }
    if (!found.size) {
      for (const [known, users] of index.vocabulary) if (near(word, known)) add(users, 0.5);
    }
    return found;
  }

  function find(index, query) {
    const lower = query.trim().toLowerCase();
    if (!lower) return [];
    let total;
    for (const word of lower.split(/\s+/)) {
      const found = scores(index, word);
      if (!total) {
        total = found;
        continue;
      }
      for (const [at, score] of total) {
        if (found.has(at)) total.set(at, score + found.get(at));
        else total.delete(at);
      }
    }
    const rank = ([at, score]) => {
      const entry = index.entries[at];
      const exact = entry.lower === lower ? 1000 : entry.lower.startsWith(lower) ? 200 : 0;
      return score + exact + (entry.kind === "p" ? 5 : 0) - entry.name.length / 100;
    };
    return [...total]
      .map((hit) => [hit[0], rank(hit)])
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .map(([at]) => index.entries[at]);
  }

  self.docentSearch = function (dialog, text, root) {
    const index = prepare(text);
    const input = dialog.querySelector("input");
    const list = dialog.querySelector("#hits");
    const state = dialog.querySelector(".state");
    let chosen = -1;

    function choose(at) {
      const options = list.children;
      if (options[chosen]) options[chosen].removeAttribute("aria-selected");
      chosen = options.length ? (at + options.length) % options.length : -1;
      const option = options[chosen];
      if (option) {
        option.setAttribute("aria-selected", "true");
        option.scrollIntoView({ block: "nearest" });
        input.setAttribute("aria-activedescendant", option.id);
      } else {
        input.removeAttribute("aria-activedescendant");
      }
    }

    function go(option) {
      dialog.close();
      location.href = option.dataset.href;
    }

    function show() {
      const hits = find(index, input.value);
      list.replaceChildren(
        ...hits.slice(0, SHOWN).map((hit, at) => {
          const option = element("li", { role: "option", id: "hit-" + at, "data-href": root + hit.href });
          option.append(element("code", {}, hit.name));
          if (hit.kind !== "p") option.append(" ", element("span", { class: "kind" }, hit.kind === "t" ? strings.type : strings.group));
          if (hit.service) option.append(" ", element("span", { class: "kind" }, hit.service));
          if (hit.summary) option.append(element("span", { class: "text" }, hit.summary));
          return option;
        }),
      );
      input.setAttribute("aria-expanded", String(hits.length > 0));
      state.textContent = !input.value.trim() ? "" : hits.length ? strings.found.replace("{}", hits.length) : strings.none;
      chosen = -1;
      choose(0);
    }

    input.addEventListener("input", show);
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") choose(chosen + 1);
      else if (event.key === "ArrowUp") choose(chosen - 1);
      else if (event.key === "Enter") {
        if (list.children[chosen]) go(list.children[chosen]);
      } else return;
      event.preventDefault();
    });
    list.addEventListener("click", (event) => {
      const option = event.target.closest("li");
      if (option) go(option);
    });
    show();
  };
})();
