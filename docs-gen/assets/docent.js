// Adds to every page a theme to choose, code to copy, folds that print, and the
// search, which loads itself on first use. Texts are only ever set as text.
(function () {
  "use strict";
  const strings = self.docentStrings;
  const root = document.documentElement;

  function store(key, value) {
    try {
      if (value === undefined) return localStorage.getItem(key);
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // Not remembered, then.
    }
    return null;
  }

  function element(name, attributes, text) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // The icons: paths on a square of 16, as lines.
  const icons = {
    find: "M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0ZM10.2 10.2 14 14",
    system: "M8 2.5a5.5 5.5 0 0 1 0 11ZM8 2.5a5.5 5.5 0 0 0 0 11M9.5 3v10M11 4v8M12.5 6v4",
    light: "M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
    dark: "M13.5 9.5A6 6 0 1 1 6.5 2.5a5 5 0 0 0 7 7Z",
  };

  function icon(name) {
    const make = (part) => document.createElementNS("http://www.w3.org/2000/svg", part);
    const [svg, path] = [make("svg"), make("path")];
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", icons[name]);
    svg.append(path);
    return svg;
  }

  // Theme: system, light, dark, and around again.
  function themes() {
    const button = document.querySelector("button.theme");
    const order = ["system", "light", "dark"];
    const show = () => {
      const now = root.dataset.theme || "system";
      button.replaceChildren(icon(now));
      button.title = strings[now];
      button.setAttribute("aria-label", strings[now]);
      return now;
    };
    button.addEventListener("click", () => {
      const next = order[(order.indexOf(show()) + 1) % order.length];
      if (next === "system") delete root.dataset.theme;
      else root.dataset.theme = next;
      store("docent-theme", next === "system" ? null : next);
      show();
    });
    show();
    button.hidden = false;
  }

  // A button that copies what `text` says when it is pressed.
  function copier(text) {
    const button = element("button", { type: "button", class: "copy" }, strings.copy);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text());
      } catch {
        // Pages opened from a folder may lack the clipboard; a selection can be copied by hand.
        const code = button.parentElement.querySelector("code");
        if (code) getSelection().selectAllChildren(code);
        document.execCommand("copy");
      }
      button.textContent = strings.copied;
      setTimeout(() => (button.textContent = strings.copy), 1500);
    });
    return button;
  }

  // Of a session in a shell, only the commands are copied, without their prompts.
  function commands(code) {
    const found = code.match(/^\$ (?:.*\\\n)*.*$/gm);
    return found ? found.map((command) => command.slice(2)).join("\n") : code;
  }

  // A button beside the title that copies the page as Markdown. A page opened from a folder cannot fetch it.
  function markdown() {
    const beside = document.querySelector('link[type="text/markdown"]');
    const title = document.querySelector("main h1");
    if (!beside || !title || location.protocol === "file:") return;
    const button = element("button", { type: "button", class: "copy page" }, strings.markdown);
    button.addEventListener("click", async () => {
      try {
        const response = await fetch(beside.href);
        if (!response.ok) throw new Error(response.statusText);
        await navigator.clipboard.writeText(await response.text());
        button.textContent = strings.copied;
      } catch {
        button.textContent = strings.failed;
      }
      setTimeout(() => (button.textContent = strings.markdown), 1500);
    });
    if (!title.closest(".head")) {
      const head = element("div", { class: "head" });
      title.replaceWith(head);
      head.append(title);
    }
    title.closest(".head").append(button);
  }

  // One beside each piece of code.
  function copies() {
    for (const pre of document.querySelectorAll("main pre:not(.signature)")) {
      const frame = element("div", { class: "copyable" });
      pre.replaceWith(frame);
      frame.append(pre, copier(() => commands(pre.querySelector("code").textContent)));
    }
  }

  // A list of procedures is filtered as one types. The names of parameters are in no list: they come from the index of
  // the search, which is loaded with the first letter. Where few procedures are left, all pages can be searched.
  const FEW = 3;

  function filters(search) {
    for (const head of document.querySelectorAll(".filter")) {
      const groups = [...head.nextElementSibling.children];
      const rows = groups.flatMap((group) => [...group.querySelectorAll("li, .folder")].map((row) => {
        const heading = group.querySelector("h3");
        const link = row.querySelector("a");
        const by = element("code", { class: "by" });
        const text = (row.textContent + " " + (heading ? heading.textContent : "")).toLowerCase();
        link?.append(by);
        return { row, link, by, text, params: [] };
      }));
      if (rows.length < 8) continue;
      const input = element("input", { type: "search", placeholder: strings.filter, "aria-label": strings.filter });
      const state = element("span", { class: "state", role: "status" });
      const wider = element("button", { type: "button", class: "wider" });
      let asked = false;
      const filter = () => {
        const query = input.value.trim();
        const words = query.toLowerCase().split(/\s+/);
        let left = 0;
        for (const { row, by, text, params } of rows) {
          // Words that the row lacks may be names of its parameters.
          const rest = words.filter((word) => !text.includes(word));
          const named = params.filter((name) => rest.some((word) => name.toLowerCase().includes(word)));
          row.hidden = !rest.every((word) => named.some((name) => name.toLowerCase().includes(word)));
          by.textContent = named.length ? " " + named.join(", ") : "";
          left += !row.hidden;
        }
        for (const group of groups) group.hidden = !group.querySelector(":is(li, .folder):not([hidden])");
        state.textContent = query ? left ? strings.found.replace("{}", left) : strings.none : "";
        wider.hidden = !query || left > FEW;
        wider.textContent = strings.wider.replace("{}", () => query);
      };
      input.addEventListener("input", async () => {
        filter();
        if (asked) return;
        asked = true;
        const paramsOf = await search.paramsOf();
        for (const it of rows) it.params = it.link && paramsOf ? paramsOf(it.link.href) : [];
        filter();
      });
      input.addEventListener("keydown", (event) => {
        const first = rows.find(({ row }) => !row.hidden);
        if (event.key === "Enter") {
          // Or else the key would close the dialog that it opens.
          event.preventDefault();
          if (first) first.link?.click();
          else search.open(input.value.trim());
        } else if (event.key === "Escape") {
          input.value = "";
          filter();
        }
      });
      wider.addEventListener("click", () => search.open(input.value.trim()));
      filter();
      head.append(state, input);
      head.after(wider);
    }
  }

  // One button unfolds all, if there is much to unfold.
  function folds() {
    for (const said of document.querySelectorAll(".said, .code-page")) {
      const all = [...said.querySelectorAll(".tree details")];
      if (all.length < 3) continue;
      const button = element("button", { type: "button", class: "folds" });
      const isFolded = () => all.some((fold) => !fold.open);
      const show = () => (button.textContent = isFolded() ? strings.expand : strings.collapse);
      button.addEventListener("click", () => {
        const open = isFolded();
        for (const fold of all) fold.open = open;
      });
      for (const fold of all) fold.addEventListener("toggle", show);
      show();
      said.prepend(button);
    }
  }

  // The form is a script of its own, which the page loads when a reader asks for it. A reader who
  // has used it finds it on the next page too.
  function forms() {
    let ready;
    const begin = async (container) => {
      const button = container.querySelector("button");
      if (button) button.disabled = true;
      const names = "events" in container.dataset ? ["events.js", "try.js"] : ["try.js"];
      // The form takes up what those before it have brought.
      ready ||= self.docentForm ? Promise.resolve() : names.reduce((before, name) => before.then(() => self.docentLoad(name)), Promise.resolve());
      try {
        await ready;
      } catch {
        ready = undefined;
        button.disabled = false;
        button.textContent = strings.failed;
        return;
      }
      self.docentForm(container);
    };
    const all = [...document.querySelectorAll(".try")];
    for (const container of all) {
      container.querySelector("button").addEventListener("click", async () => {
        store("docent-form", "open");
        await begin(container);
        container.querySelector(".primary").focus({ preventScroll: true });
      });
    }
    // A link that fills in a form opens it.
    const follow = () => {
      const container = all.find((one) => location.hash.startsWith(`#${encodeURIComponent(one.closest(".call").id)}=`));
      if (container?.querySelector(".start")) begin(container);
      if (container) toggle(container.closest(".call"), true);
      return container;
    };
    addEventListener("hashchange", follow);
    if (!follow() && all.length === 1 && store("docent-form")) begin(all[0]);
  }

  // A row of tabs scrolls sideways, by as much as brings the chosen one into view; the page does not move.
  function showTab(input) {
    const row = input.parentElement;
    const [label, around] = [input.nextElementSibling, row].map((it) => it.getBoundingClientRect());
    if (label.left < around.left || label.right > around.right) row.scrollLeft += (label.left + label.right - around.left - around.right) / 2;
  }
  // The style sheet needs the width of each row.
  const rows = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      target.style.setProperty("--row", target.clientWidth + "px");
      const chosen = target.querySelector(":scope > :checked");
      if (chosen) showTab(chosen);
    }
  });

  function tabs() {
    for (const row of document.querySelectorAll(".tabs")) rows.observe(row);
    document.addEventListener("change", (event) => {
      if (event.target.matches(".tabs > input")) showTab(event.target);
    });
  }

  // The language chosen for samples is that of every page, also of one that comes back from the history. A page may lack
  // it, and the request as JSON or by GET is no language.
  function languages() {
    let chosen = store("docent-language");
    const choose = () => {
      for (const input of document.querySelectorAll(".languages > input")) {
        if (input.value === chosen) input.checked = true;
      }
    };
    choose();
    document.addEventListener("change", (event) => {
      if (!event.target.matches(".languages > input:not([value=json], [value=get], [value=fields])")) return;
      chosen = event.target.value;
      store("docent-language", chosen);
      choose();
    });
    // By then, browsers have restored what was chosen when the reader left.
    addEventListener("pageshow", () => {
      chosen = store("docent-language") ?? chosen;
      choose();
    });
  }

  // An address that is relative is completed where it is shown; it cannot hold a quotation mark.
  function addresses() {
    for (const span of document.querySelectorAll("[data-address]")) {
      if (location.protocol === "file:") continue;
      const base = new URL(self.docentRoot, location.href);
      const full = new URL(span.dataset.address, base).href;
      if (!/['"\\]/.test(full)) span.textContent = full;
    }
  }

  // Everything that is folded is printed.
  function printing() {
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("main details:not([open])")];
      for (const fold of opened) fold.open = true;
    });
    addEventListener("afterprint", () => {
      for (const fold of opened) fold.open = false;
    });
  }

  // On narrow screens, the panel is a sheet: a button at the top opens it.
  function toggle(call, isOpen) {
    const button = document.querySelector("button.sheet");
    for (const other of document.querySelectorAll(".call.open")) other.classList.remove("open");
    call.classList.toggle("open", isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
    button.textContent = isOpen ? strings.close : strings.call;
  }

  function sheets() {
    const button = document.querySelector("button.sheet");
    const calls = [...document.querySelectorAll(".call")];
    if (!calls.length) return;
    // The one whose text is being read; a single file has many.
    const near = () => calls.findLast((call) => call.closest("article").getBoundingClientRect().top < innerHeight / 2) || calls[0];
    button.hidden = false;
    button.addEventListener("click", () => {
      const open = document.querySelector(".call.open");
      toggle(open || near(), !open);
      if (!open) document.querySelector(".call.open :is(a, button, input)").focus({ preventScroll: true });
    });
    document.addEventListener("keydown", (event) => {
      const open = event.key === "Escape" && document.querySelector(".call.open");
      if (!open || open.querySelector(":popover-open") || document.querySelector("dialog[open]")) return;
      toggle(open, false);
      button.focus();
    });
  }

  // A link to something folded unfolds it.
  function reveal() {
    let name = location.hash.slice(1);
    try {
      name = decodeURIComponent(name);
    } catch {
      // A fragment such as `#%` is no encoding of anything, and no anchor here.
    }
    const target = name && document.getElementById(name);
    if (!target) return;
    for (let at = target.parentElement; at; at = at.parentElement) {
      if (at.localName === "details") at.open = true;
    }
    // Brings what is behind a tab, or in the sheet, to the front.
    const tab = document.getElementById(target.id + "-tab");
    if (tab) tab.checked = true;
    if (target.matches(".languages > input")) target.click();
    const call = target.closest(".call");
    if (call) toggle(call, true);
    target.scrollIntoView();
  }

  // The pages of the folder of this site that were visited last, but for this one, which is stored before them: the
  // newest first, each with its address and its title. A page opened from a folder, or a single file, stores none. What is stored may be anything, so an
  // address counts only if it is one of a page in the folder, and a title is only ever a text.
  const MAX_VISITS = 8;
  const isStoring = () => /^https?:/.test(location.protocol) && !document.getElementById("index");
  const pageOf = (href) => href.split(/[?#]/)[0].replace(/index\.html$/, "");

  function visits(folder) {
    if (!isStoring()) return [];
    try {
      return JSON.parse(store("docent-visits " + folder)).flatMap(([path, title]) => {
        const { href } = new URL(path, folder);
        const isPage = typeof path === "string" && href.startsWith(folder) && /^[\w.~/-]*$/.test(href.slice(folder.length)) && pageOf(href) !== pageOf(location.href);
        return isPage ? [{ href, title: String(title).slice(0, 200) }] : [];
      }).slice(0, MAX_VISITS);
    } catch {
      return [];
    }
  }

  // Only pages have Markdown beside them; that for an address without a page has none.
  function visit(folder) {
    if (!isStoring() || !document.querySelector('link[type="text/markdown"]')) return;
    const all = [{ href: location.href.split(/[?#]/)[0], title: document.title }, ...visits(folder)];
    store("docent-visits " + folder, JSON.stringify(all.map(({ href, title }) => [href.slice(folder.length), title])));
  }

  // The policy that a strict page needs to load a script: only those of this site.
  const files = self.docentFiles;
  const policy = self.trustedTypes && trustedTypes.createPolicy("docent", {
    createScriptURL(url) {
      if (Object.values(files).some((file) => url.endsWith(file))) return url;
      throw new TypeError(url);
    },
  });

  function load(url) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = policy ? policy.createScriptURL(url) : url;
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
  }

  function searching() {
    const dialog = document.getElementById("search");
    // The front of a catalogue has a second button, in its middle.
    const buttons = document.querySelectorAll("button.find");
    const button = buttons[0];
    const input = dialog.querySelector("input");
    const state = dialog.querySelector(".state");
    const base = button.dataset.root;
    const inside = document.getElementById("index");
    const folder = new URL(inside ? "" : base || ".", location.href).href;
    visit(folder);
    // In a catalogue, the index of the page's own service comes before that of all services.
    const own = button.dataset.index;
    const folders = own ? [own, ""] : [""];
    const indexed = (folder) => new Promise((resolve, reject) => {
      self.docentIndex = resolve;
      load(base + folder + files["index.js"]).catch(reject);
    });
    let search;
    let ready;
    async function prepare() {
      if (!inside) await load(base + files["search.js"]);
      search ||= self.docentSearch(dialog, inside ? "" : base, () => visits(folder));
      while (folders.length) {
        state.textContent = strings.loading;
        const text = inside ? JSON.parse(inside.textContent) : await indexed(folders[0]);
        await search.add(text, folders[0] === "" && own);
        folders.shift();
      }
    }
    function start() {
      if (ready) return;
      state.textContent = strings.loading;
      ready = prepare().catch(() => {
        ready = undefined;
        state.textContent = strings.failed;
      });
    }
    function open(query) {
      if (query) {
        input.value = query;
        input.dispatchEvent(new Event("input"));
      }
      if (!dialog.open) dialog.showModal();
      start();
    }
    for (const one of buttons) {
      one.prepend(icon("find"));
      one.hidden = false;
      one.addEventListener("click", () => open());
    }
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");
      const slash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
      const k = event.key === "k" && (event.ctrlKey || event.metaKey);
      if (!slash && !k) return;
      event.preventDefault();
      open();
    });
    // Loads the index, and returns the function that names the parameters of the procedure with an address.
    async function paramsOf() {
      start();
      await ready;
      return search && ((href) => search.paramsOf(href.slice(folder.length)));
    }
    return { open, paramsOf };
  }

  function begin() {
    self.docentRoot = document.querySelector("button.find").dataset.service || ".";
    themes();
    copies();
    filters(searching());
    markdown();
    folds();
    tabs();
    languages();
    addresses();
    printing();
    sheets();
    forms();
    reveal();
    addEventListener("hashchange", reveal);
    const menu = document.getElementById("nav");
    if (menu) {
      menu.addEventListener("click", (event) => {
        if (event.target.closest("a") && menu.matches(":popover-open")) menu.hidePopover();
      });
      const here = menu.querySelector("[aria-current]");
      // Only the list itself may move, never the page.
      if (here && menu.scrollHeight > menu.clientHeight) {
        menu.scrollTop = here.offsetTop - menu.clientHeight / 2;
      }
    }
  }

  self.docentElement = element;
  self.docentLoad = (name) => load(document.querySelector("button.find").dataset.root + files[name]);
  self.docentCopy = copier;
  // Observing a row again measures it again, with the tabs that the form has added.
  self.docentTabs = rows;
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", begin);
  else begin();
})();
