// The panel: the form's fields on the rows of the parameters, what is sent beside them, and the answer.
// The body is what is sent. It follows the form until the reader edits it in a way that the form cannot
// show; then it stays as edited, until the reader replaces it with the form's values.
const batches = new Map();

function stored(area, key, value) {
  try {
    if (value === undefined) return self[area].getItem(key);
    if (value === null) self[area].removeItem(key);
    else self[area].setItem(key, value);
  } catch {
    // Not kept, then.
  }
  return null;
}

function labelled(text, input, className) {
  const label = element("label", { class: className || "setting" });
  label.append(element("span", {}, text), input);
  return label;
}

function choice(options, chosen) {
  const input = element("select");
  for (const [value, text] of options) input.append(element("option", { value }, text));
  input.value = chosen;
  return input;
}

class Panel {
  constructor(container) {
    this.container = container;
    this.data = JSON.parse(container.dataset.form);
    this.call = container.closest(".call");
    this.article = container.closest("article");
    this.prefix = this.call.id.slice(0, -"call".length);
    this.types = this.data.types;
    this.detached = false;
    this.addHead();
    this.addBody();
    this.addFields();
    this.addSend();
    this.addAnswer();
    this.begin();
  }

  addHead() {
    const { data } = this;
    const head = element("div", { class: "settings" });
    this.verb = choice(data.get ? [["POST", "POST"], ["GET", "GET"]] : [["POST", "POST"]], "POST");
    this.verb.setAttribute("aria-label", words.verb);
    this.address = element("input", { type: "text", class: "address", placeholder: "https://…", "aria-label": words.address, spellcheck: "false", autocomplete: "off" });
    this.address.value = data.address || "";
    try {
      this.address.value = target(this.address.value)?.href || "";
    } catch {
      // Stays for the reader to fill in.
    }
    const line = element("div", { class: "to" });
    line.append(this.verb, this.address);
    head.append(line);
    if (data.servers) {
      const server = choice(data.servers.map(([name, url]) => [url, name]), data.address);
      server.addEventListener("change", () => {
        this.address.value = server.value;
        this.credentials.moved();
        this.refresh();
      });
      head.append(labelled(words.server, server));
    }
    this.by = choice([["name", words.byName], ["position", words.byPosition]], data.by === "position" ? "position" : "name");
    if (data.by === "either" && data.params.length) {
      head.append(labelled(words.params, this.by));
      this.by.addEventListener("change", () => {
        stored("localStorage", "docent-by", this.by.value);
        this.changed();
      });
    }
    const silent = box(words.notification, "with silent", () => this.changed());
    this.silent = silent.input;
    head.append(silent.label);
    this.credentials = new Credentials(this, head);
    this.link = element("a", { class: "open-get", target: "_blank", rel: "noopener noreferrer", hidden: "" });
    head.append(this.link);
    this.verb.addEventListener("change", () => this.refresh());
    this.address.addEventListener("input", () => (this.credentials.moved(), this.refresh()));
    const samples = this.call.querySelector(".samples");
    this.call.insertBefore(head, samples || this.container);
  }

  addBody() {
    let samples = this.call.querySelector(".samples");
    if (!samples) {
      samples = element("div", { class: "samples" });
      samples.append(element("div", { class: "tabs languages" }));
      this.call.insertBefore(samples, this.container);
    }
    const tabs = samples.querySelector(".languages");
    const get = tabs.querySelector("input[value=get]");
    if (get) {
      if (get.checked) tabs.querySelector("input").checked = true;
      get.nextElementSibling.nextElementSibling.remove();
      get.nextElementSibling.remove();
      get.remove();
    }
    const id = this.prefix + "language-json";
    const tab = element("input", { type: "radio", name: this.prefix + "language", id, value: "json" });
    const panel = element("div", { class: "panel" });
    this.body = element("textarea", { class: "body", rows: "4", spellcheck: "false", autocomplete: "off", "aria-label": words.body });
    // A text that is typed has one colour. Its own is transparent, and behind it is the same text in many.
    this.shade = element("code");
    const shade = element("pre", { "aria-hidden": "true" });
    shade.append(this.shade);
    const editor = element("div", { class: "editor" });
    editor.append(shade, this.body);
    this.note = element("p", { class: "fact", "aria-live": "polite" });
    this.restore = button(words.restore, "restore", () => {
      this.detached = false;
      this.changed();
    });
    panel.append(editor, this.note, this.restore);
    tabs.prepend(tab, element("label", { for: id }, words.json), panel);
    self.docentTabs.observe(tabs);
    if (!tabs.querySelector(":checked")) tab.checked = true;
    this.body.addEventListener("input", () => this.edited());
    this.codes = languages.samples.languages.map((language) => [language, tabs.querySelector(`input[value=${language.key}] + label + .panel code`)]);
  }

  addFields() {
    const list = document.getElementById(this.prefix + "params")?.closest("section").querySelector(":scope > .tree");
    const rows = list ? [...list.children] : [];
    const rest = element("div", { class: "rest" });
    this.fields = this.data.params.map(([name, kind, required, beginning], at) => {
      const row = rows.length >= this.data.params.length ? rows[at] : undefined;
      const field = new Field(this, kind, name, { required: Boolean(required), beginning: beginning && parse(beginning), row });
      if (row) place(row, field.element);
      else rest.append(field.element);
      return field;
    });
    if (rest.children.length) this.call.insertBefore(rest, this.container);
  }

  addSend() {
    this.sendButton = button(words.send, "primary", () => this.send());
    this.stopButton = button(words.stop, "stop", () => this.running?.abort());
    this.stopButton.hidden = true;
    const collect = button(words.collect, "collect", () => this.collect());
    const line = element("div", { class: "send" });
    line.append(this.sendButton, this.stopButton, collect, element("kbd", {}, "Ctrl+Enter"));
    this.state = element("p", { class: "state", role: "status" });
    this.batch = element("div", { class: "batch", hidden: "" });
    this.container.replaceChildren(line, this.state, this.batch);
    this.article.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.send();
    });
    this.showBatch();
  }

  addAnswer() {
    let answers = this.call.querySelector(".answers");
    if (!answers) {
      answers = element("div", { class: "answers" });
      answers.append(element("div", { class: "tabs" }));
      this.call.append(answers);
    }
    const tabs = answers.querySelector(".tabs");
    const id = this.prefix + "answer-own";
    this.tab = element("input", { type: "radio", name: this.prefix + "answer", id });
    this.tabLabel = element("label", { for: id }, words.answer);
    this.answer = element("div", { class: "panel answer" });
    this.explained = element("p", { class: "fact" });
    this.code = element("code", { class: "answer-text" });
    this.text = "";
    const pre = element("pre", { tabindex: "0" });
    pre.append(this.code);
    const frame = element("div", { class: "copyable" });
    frame.append(pre, self.docentCopy(() => this.text));
    this.headers = element("code", { class: "headers" });
    const fold = element("details");
    const headers = element("pre", { tabindex: "0" });
    headers.append(this.headers);
    fold.append(element("summary", {}, words.headers), headers);
    this.answer.append(this.explained, frame, fold);
    this.tab.hidden = this.tabLabel.hidden = true;
    tabs.prepend(this.tab, this.tabLabel, this.answer);
    self.docentTabs.observe(tabs);
    for (const example of tabs.querySelectorAll(".example")) {
      const request = example.querySelector(".request code");
      if (!request) continue;
      example.append(button(words.fill, "fill", () => {
        this.body.value = request.textContent;
        this.edited();
      }));
    }
  }

  begin() {
    this.body.value = pretty(this.data.message || "{}");
    this.edited();
    // Where no value was found for a parameter, or too large a one, the form has one to begin with.
    if (this.data.lacks || !this.data.message) {
      this.detached = false;
      this.changed();
    }
    const by = stored("localStorage", "docent-by");
    if (!this.detached && this.data.by === "either" && by && by !== this.by.value && this.data.params.length) {
      this.by.value = by;
      if (this.by.value === by) this.changed();
      else this.by.value = "name";
    }
  }

  // The message that the form stands for.
  message() {
    const { data, fields } = this;
    const parts = ['"jsonrpc": "2.0"', '"method": ' + quote(data.method)];
    const given = fields.filter((it) => it.given);
    if (data.by === "list") {
      if (given.length) parts.push('"params": ' + given[0].get());
    } else if (given.length && this.by.value === "position") {
      // A place cannot be left out, so everything before the last that is given goes with it.
      const all = fields.slice(0, fields.lastIndexOf(given[given.length - 1]) + 1);
      parts.push('"params": [' + all.map((it) => it.get() ?? print(it.value)).join(", ") + "]");
    } else if (given.length) {
      parts.push('"params": {' + given.map((it) => quote(it.name) + ": " + it.get()).join(", ") + "}");
    }
    if (!this.silent.checked) parts.push('"id": 1');
    return "{" + parts.join(", ") + "}";
  }

  // Takes a message into the form; returns whether the form now stands for it.
  take(message) {
    if (!(message instanceof Map) || message.get("method") !== quote(this.data.method)) return false;
    const params = message.get("params");
    const { fields } = this;
    this.filling = true;
    this.silent.checked = !message.has("id");
    if (this.data.by === "list") fields[0]?.set(params instanceof Map ? params.get(fields[0].name) : params);
    else if (Array.isArray(params)) fields.forEach((it, at) => it.set(params[at]));
    else fields.forEach((it) => it.set(params instanceof Map ? params.get(it.name) : undefined));
    if (params && this.data.by === "either") this.by.value = Array.isArray(params) ? "position" : "name";
    this.filling = false;
    return same(parse(this.message()), message);
  }

  // The body was edited by hand, or filled in from an example.
  edited() {
    let problem = words.apart;
    try {
      const message = parse(this.body.value);
      this.detached = !this.take(message);
    } catch {
      this.filling = false;
      this.detached = true;
      if (!isJson(this.body.value)) problem = words.badJson;
    }
    this.problem = problem;
    this.refresh();
  }

  // The form was filled in.
  changed() {
    if (this.filling) return;
    if (!this.detached) this.body.value = pretty(this.message());
    this.refresh();
  }

  // What follows from the form and the body.
  refresh() {
    if (!this.codes || this.filling) return;
    this.fields?.forEach((it) => it.check());
    this.note.textContent = this.detached ? this.problem || words.apart : "";
    this.restore.hidden = !this.detached;
    // An empty last line has no height of its own.
    paint(this.shade, [...piecesOfJson(this.body.value), ["\n", ""]], MOST_IN_SAMPLES);
    const isGet = this.verb.value === "GET";
    const get = isGet ? this.get() : undefined;
    this.link.hidden = !get;
    if (get) {
      this.link.href = get;
      this.link.textContent = get;
    }
    const credentials = this.credentials.samples();
    let address = "https://service.example/rpc";
    try {
      address = target(this.address.value)?.href || address;
    } catch {
      // The sample keeps an address that is one.
    }
    for (const [language, code] of this.codes) {
      if (!code) continue;
      if (isGet && !get) code.textContent = words.noGet;
      else paint(code, sample(language, { address, message: this.body.value, get, credentials }), MOST_IN_SAMPLES);
    }
  }

  get() {
    const given = this.fields.filter((it) => it.given);
    try {
      const address = target(this.address.value);
      if (!address || address.search || address.hash) return undefined;
      const asked = query(this.data.method, given.map((it) => [it.name, parse(it.get())]));
      return asked && address.href + asked;
    } catch {
      return undefined;
    }
  }

  async send(body = this.body.value) {
    let url;
    try {
      url = target(this.address.value);
    } catch {
      return this.say(words.badAddress + this.address.value);
    }
    if (!url) return this.say(words.noAddress);
    if (!this.credentials.areSendable()) return this.say(words.badToken);
    const isGet = this.verb.value === "GET" && body === this.body.value;
    if (isGet) {
      const get = this.get();
      if (!get) return this.say(words.noGet);
      url = new URL(get);
    }
    this.running?.abort();
    const mine = (this.running = new AbortController());
    const headers = this.credentials.headers();
    if (!isGet) headers["Content-Type"] = "application/json";
    this.say(words.sending);
    this.stopButton.hidden = false;
    const started = performance.now();
    let bytes = 0;
    const clock = setInterval(() => this.say(`${words.sending} ${this.size(performance.now() - started, bytes)}`), SHOW_EVERY);
    const outcome = await send({ url, method: isGet ? "GET" : "POST", headers, body: isGet ? undefined : body, signal: mine.signal, seen: (count) => (bytes = count) });
    clearInterval(clock);
    if (this.running !== mine) return undefined;
    this.running = undefined;
    this.stopButton.hidden = true;
    if (!outcome.message) return this.show(outcome);
    this.forget();
    return this.say(outcome.message, "failure");
  }

  say(text, outcome = "") {
    this.state.textContent = text;
    this.state.dataset.outcome = outcome;
  }

  // Where a call has no answer, that of the call before is none of it.
  forget() {
    this.text = "";
    const first = this.answer.parentElement.querySelector("input:not([hidden]) ~ input");
    this.tab.hidden = this.tabLabel.hidden = true;
    if (this.tab.checked && first) first.checked = true;
    else this.tab.checked = false;
  }

  size(time, bytes) {
    return `${Math.round(time)} ${words.milliseconds} · ${bytes} ${words.bytes}`;
  }

  show({ response, answer, time }) {
    const { text, bytes, end } = answer;
    const ends = { stopped: words.stopped, broken: words.broken, large: words.large };
    const parts = [`${response.status} ${response.statusText}`.trim(), this.size(time, bytes)];
    if (end !== "whole") parts.push(ends[end]);
    else if (text.length > MOST_SHOWN) parts.push(words.cut);
    this.text = text;
    this.explained.replaceChildren();
    const isWhole = end === "whole" && isJson(text);
    if (!text) this.code.textContent = words.noAnswer;
    else if (!isWhole || text.length > MOST_SHOWN) this.code.textContent = text.slice(0, MOST_SHOWN);
    else {
      showJson(this.code, text);
      this.text = this.code.textContent;
    }
    const code = isWhole ? errorIn(tokensOf(text)).code : undefined;
    this.linkError(code);
    this.say(parts.join(" · "), response.ok && end === "whole" && code === undefined ? "success" : "failure");
    this.headers.textContent = [...response.headers].map(([name, value]) => name + ": " + value).join("\n");
    this.tab.hidden = this.tabLabel.hidden = false;
    this.tab.checked = true;
    this.answer.scrollIntoView({ block: "nearest" });
  }

  // From an error's code to what the page says of it.
  linkError(code) {
    if (code === undefined) return;
    const known = this.data.foreign ? protocolCodes.foreign : protocolCodes.docent;
    const declared = document.getElementById(`${this.prefix}error.${code}`);
    const isKnown = known.includes(Number(code));
    const href = declared ? "#" + declared.id : isKnown ? this.data.codes + code : "";
    if (href) this.explained.append(element("a", { href, class: "error-link" }, filled(words.errorCode, code)));
  }

  batchKey() {
    return "docent-batch " + (this.data.address || location.pathname.replace(/[^/]*$/, ""));
  }

  // The messages that were collected, on this page and others of the service, without credentials.
  collected() {
    const key = this.batchKey();
    try {
      return JSON.parse(stored("sessionStorage", key)) || batches.get(key) || [];
    } catch {
      return [];
    }
  }

  store(list) {
    batches.set(this.batchKey(), list);
    stored("sessionStorage", this.batchKey(), JSON.stringify(list));
    this.showBatch();
  }

  collect() {
    if (!isJson(this.body.value)) return this.say(words.badJson);
    return this.store([...this.collected(), compact(this.body.value)]);
  }

  showBatch() {
    const list = this.collected();
    this.batch.hidden = !list.length;
    const entries = element("ol");
    list.forEach((text, at) => {
      const entry = element("li");
      entry.append(element("code", {}, text.length > 120 ? text.slice(0, 120) + "…" : text), remover(String(at + 1), () => this.store(list.filter((_, own) => own !== at))));
      entries.append(entry);
    });
    // Each call of a batch has its own id, or its answer could not be told from the others.
    const numbered = () => list.map((text, at) => {
      try {
        const message = parse(text);
        if (message.has("id")) message.set("id", String(at + 1));
        return print(message);
      } catch {
        return text;
      }
    });
    this.batch.replaceChildren(
      element("p", { class: "fact" }, filled(words.batch, String(list.length))),
      entries,
      button(words.sendBatch, "send-batch", () => this.send(pretty("[" + numbered().join(", ") + "]"))),
    );
  }
}

self.docentForm = (container) => new Panel(container);
