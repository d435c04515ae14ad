// The panel: the bar that sends, the editor and samples of the request, and the fields on the parameters' rows.
const PAUSE = 300;
const MOST_LED_TO = 30;
// The part that shows responses. It is loaded when the first call is sent.
let answerParts;
// A sheet holds the fields, too.
const sheet = matchMedia("(max-width: 58rem)");

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

// Radio buttons that look like tabs, as those of the samples do: `options` has the value, the text and the panel of each.
function addTabs(place, name, options) {
  for (const [value, text, panel] of options.reverse()) {
    const id = `${name}-${value}`;
    place.prepend(element("input", { type: "radio", name, id, value }), element("label", { for: id }, text), ...(panel ? [panel] : []));
  }
}

// A pointer as readers know it from the anchors of rows.
const nameOf = (path) => path.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");

// The field of a value, or else the nearest around it.
function fieldAt(article, path) {
  for (let at = path.slice(0, LONGEST_POINTER); at; at = at.slice(0, at.lastIndexOf("/"))) {
    const found = [...article.querySelectorAll(".field")].filter((own) => own.dataset.path === at);
    if (found.length) return fieldsOf.get(found.at(-1));
  }
  return undefined;
}

// Returns the note at a parameter that is left out before one that is given by position.
function noteOfGap({ name, standIn }) {
  return standIn === undefined ? filled(words.noGap, name) : filled(words.gap, standIn);
}

class Panel {
  constructor(container) {
    this.container = container;
    this.data = JSON.parse(container.dataset.form);
    this.call = container.closest(".call");
    this.article = container.closest("article");
    this.prefix = this.call.id.slice(0, -"call".length);
    this.types = this.data.types;
    this.request = new CallRequest(this.data);
    this.addBar();
    this.addCard();
    this.addEditor();
    this.addFillButtons();
    this.addFields();
    this.kept = new KeptValues(this);
    this.begin();
    this.article.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey || event.target.matches(".token, .address"))) return;
      event.preventDefault();
      this.send();
    });
    this.article.addEventListener("focusin", () => this.flush());
    sheet.addEventListener("change", () => {
      this.flush();
      this.addFields();
      this.take();
    });
    addEventListener("hashchange", () => this.follow());
  }

  // The bar stays in view: the address and Send, and below them the credentials and how the call went.
  addBar() {
    const { data, container } = this;
    this.verb = data.get ? choice([["POST", "POST"], ["GET", "GET"]], "POST") : element("span", { class: "verb" }, "POST");
    if (data.get) this.verb.setAttribute("aria-label", words.verb);
    this.verb.addEventListener("change", () => this.refresh());
    this.address = element("input", { type: "text", class: "address", placeholder: "https://…", "aria-label": words.address, spellcheck: "false", autocomplete: "off" });
    this.address.value = data.address || "";
    try {
      this.address.value = target(this.address.value)?.href || "";
    } catch {
      // Stays for the reader to fill in.
    }
    this.address.addEventListener("input", () => this.moved());
    this.sendButton = button(words.send, "primary", () => this.send());
    this.stopButton = button(words.stop, "stop", () => this.running?.abort());
    this.stopButton.hidden = true;
    const line = element("div", { class: "to" });
    line.append(this.verb, this.address, this.stopButton, this.sendButton);
    const credentials = element("div", { class: "credentials" });
    const outcome = element("div", { class: "outcome" });
    const status = element("div", { class: "status" });
    status.append(credentials, outcome);
    container.replaceChildren(line, status);
    this.state = element("p", { class: "state", dir: "auto", role: "status" });
    outcome.append(this.state);
    this.credentials = new Credentials(this, credentials, outcome);
    if (!sheet.matches) this.say("Ctrl+Enter");
    // What the rows cannot change.
    this.note = element("p", { class: "problem", "aria-live": "polite" });
    this.wrong = element("div", { class: "wrong", role: "group", "aria-label": words.toCheck });
    this.restore = button(words.restore, "restore", () => this.reset());
    outcome.append(this.note, this.wrong, this.restore);
  }

  // The card has the request and its response behind each other, so that it keeps its height.
  addCard() {
    const samples = this.call.querySelector(".samples");
    const head = element("div", { class: "card-head" });
    const ways = element("div", { class: "ways", role: "radiogroup", "aria-label": words.card });
    addTabs(ways, this.prefix + "pane", [["request", words.request], ["response", words.answer]]);
    this.tabs = samples.querySelector(".languages");
    this.tabs.querySelector(":scope > .note")?.remove();
    this.panes = { request: element("div", { class: "pane" }), response: element("div", { class: "pane answer" }) };
    this.panes.response.append(element("p", { class: "fact" }, words.notSent));
    const title = samples.querySelector("h2");
    this.tabs.replaceWith(head, this.panes.request, this.panes.response);
    this.panes.request.append(this.tabs);
    head.append(...(title ? [title] : []), ways);
    this.ways = ways;
    ways.addEventListener("change", (event) => this.showPane(event.target.value));
    this.showPane("request");
  }

  showPane(name) {
    for (const [own, pane] of Object.entries(this.panes)) pane.hidden = own !== name;
    this.ways.querySelector(`[value=${name}]`).checked = true;
  }

  addEditor() {
    const { tabs } = this;
    const get = tabs.querySelector("input[value=get]");
    if (get) {
      if (get.checked) tabs.querySelector("input").checked = true;
      get.nextElementSibling.nextElementSibling.remove();
      get.nextElementSibling.remove();
      get.remove();
    }
    const panel = element("div", { class: "panel" });
    this.body = element("textarea", { class: "body", rows: "4", spellcheck: "false", autocomplete: "off", "aria-label": words.body });
    // The text is transparent, and behind it is the same text in colours.
    this.shade = element("code");
    const shade = element("pre", { "aria-hidden": "true" });
    shade.append(this.shade);
    this.editor = element("div", { class: "editor" });
    this.editor.append(shade, this.body);
    this.cut = element("p", { class: "fact" });
    panel.append(this.editor, this.cut);
    addTabs(tabs, this.prefix + "language", [["json", words.json, panel]]);
    self.docentTabs.observe(tabs);
    if (!tabs.querySelector(":checked")) this.tab("json").checked = true;
    this.body.addEventListener("input", () => this.soon(() => this.edited(this.body.value), this.body.value.length));
    this.codes = languages.samples.languages.map((language) => [language, tabs.querySelector(`input[value=${language.key}] + label + .panel code`)]);
    const after = element("div", { class: "after-request" });
    this.settings = new Settings(this);
    this.batch = new Batch(this);
    this.link = element("a", { class: "open-get", target: "_blank", rel: "noopener noreferrer", hidden: "" });
    const actions = element("div", { class: "actions" });
    // No batch has a subscription.
    if (!this.data.events) actions.append(button(words.collect, "collect", () => this.collect()));
    actions.append(button(words.copyLink, "copy-link", () => this.copyLink()));
    after.append(this.link, this.settings.options, actions);
    this.panes.request.append(after);
    this.call.append(this.batch.element);
  }

  // The tab of a language, of the JSON, or of the inputs that have no row on the page.
  tab(value) {
    return document.getElementById(`${this.prefix}language-${value}`);
  }

  addFillButtons() {
    for (const example of this.call.querySelectorAll(".example")) {
      const request = example.querySelector(".request code");
      if (!request) continue;
      request.closest("details").before(button(words.fill, "fill", () => {
        this.edited(request.textContent);
        this.showPane("request");
      }));
    }
  }

  addFields() {
    this.fields?.forEach((field) => field.remove());
    this.rest?.remove();
    for (const own of this.tabs.querySelectorAll(":scope > input[value=fields], :scope > input[value=fields] + label")) own.remove();
    const list = document.getElementById(this.prefix + "params")?.closest("section").querySelector(":scope > .tree");
    const rows = list && !sheet.matches ? [...list.children] : [];
    this.rest = element("div", { class: "panel rest" });
    this.fields = this.data.params.map(([name, kind, required, standIn], at) => {
      const row = rows.length >= this.data.params.length ? rows[at] : undefined;
      const beginning = standIn && standIn !== "null" ? parse(standIn) : undefined;
      const field = new Field(this, kind, name, { required: Boolean(required), beginning, row });
      // What is sent for it by position, if it is left out before others.
      field.standIn = required ? undefined : standIn;
      if (row) place(row, field.element);
      else this.rest.append(field.element);
      return field;
    });
    if (this.rest.children.length) {
      addTabs(this.tabs, this.prefix + "language", [["fields", words.params, this.rest]]);
      this.tab("fields").checked = true;
    } else if (!this.tabs.querySelector(":checked")) this.tab("json").checked = true;
  }

  begin() {
    if (this.data.message) this.request.read(pretty(this.data.message));
    this.take();
    // Without a value, or with too large a one, the form has one to begin with.
    if (this.data.lacks || !this.data.message) {
      this.request.set("params", undefined);
      for (const field of this.fields) if (field.required && !field.given) field.set(field.value);
      this.changed();
    }
    this.kept.begun = this.request.text;
    if (this.follow() || this.fill(this.kept.params())) return;
    const by = stored("localStorage", "docent-by");
    if (this.data.by === "either" && by && by !== this.settings.by.value && this.data.params.length) {
      this.settings.by.value = by;
      this.reshape();
    }
  }

  // Fills in what the page's address carries; returns whether it carries anything.
  follow() {
    const isLinked = this.fill(linkedParams(this.call));
    if (isLinked) this.say(words.linked);
    return isLinked;
  }

  // Fills in parameters, if there are any; returns whether there are.
  fill(params) {
    if (typeof params !== "object") return false;
    this.request = new CallRequest(this.data);
    this.request.set("params", params.length === 0 ? undefined : params);
    this.request.print();
    this.take();
    return true;
  }

  // Begins anew with what the rows hold.
  reset() {
    this.request = new CallRequest(this.data);
    this.changed();
  }

  // Work that grows with the request waits for a pause, if there is much of it.
  soon(work, length) {
    clearTimeout(this.timer);
    this.work = work;
    if (length < MOST_AT_ONCE) this.flush();
    else this.timer = setTimeout(() => this.flush(), PAUSE);
  }

  flush() {
    const { work } = this;
    clearTimeout(this.timer);
    this.work = undefined;
    work?.();
  }

  // The text was edited by hand, or is that of an example.
  edited(text) {
    this.request.read(text);
    this.take();
  }

  // Shows the request in its other views.
  take() {
    const { request, fields } = this;
    if (!request.problem) request.values(fields).forEach((value, at) => fields[at].set(value));
    this.refresh();
  }

  // A row was changed.
  changed() {
    this.soon(() => {
      const { request, settings } = this;
      if (request.problem) return;
      const isByPosition = request.params ? request.isByPosition : settings.by.value === "position";
      request.write(this.fields, isByPosition);
      request.print();
      this.refresh();
    }, this.request.text.length);
  }

  // Sends the parameters by name or by position, as the reader chose.
  reshape() {
    const { request, settings } = this;
    const isByPosition = settings.by.value === "position";
    const gap = isByPosition && request.firstGap(this.fields);
    if (gap) {
      settings.show();
      this.say(filled(words.noGap, gap.name));
    } else if (request.hasRowsFor(this.fields)) {
      stored("localStorage", "docent-by", settings.by.value);
      request.set("params", undefined);
      request.write(this.fields, isByPosition);
      request.print();
      this.refresh();
    } else {
      settings.show();
      this.say(words.noReshape);
    }
  }

  // Another address may have other credentials.
  moved() {
    this.credentials.moved();
    this.refresh();
  }

  // Updates what follows from the request, the address and the credentials.
  refresh() {
    if (!this.fields) return;
    const { request } = this;
    this.restore.hidden = !request.problem;
    this.settings.show();
    const sent = request.problem || !request.isByPosition ? 0 : request.params.length;
    const faults = this.fields.map((field, at) => {
      const fault = field.check(request.problem ? words.locked : !field.given && at < sent ? noteOfGap(field) : "");
      return fault && `${field.name}: ${fault}`;
    });
    const gap = sent ? request.firstGap(this.fields) : undefined;
    // Why the request cannot be sent as it is.
    this.refusal = request.fault || (gap ? noteOfGap(gap) : faults.find(Boolean) || "");
    this.note.textContent = this.refusal || (request.problem && filled(words.apart, request.problem));
    for (const part of this.article.querySelectorAll(".field > :not(.problem)")) part.inert = Boolean(request.problem);
    this.credentials.showSent();
    this.showWrong();
    this.showText();
    this.showSamples();
  }

  // Leads to each row that is wrong, and to a text that is no JSON.
  showWrong() {
    const { fault, problem } = this.request;
    const wrong = problem ? [] : [...this.article.querySelectorAll(".field > .problem:not(:empty)")].map((note) => note.parentElement);
    const paths = wrong.map((own) => own.dataset.path);
    const shown = JSON.stringify([fault, paths]);
    // A button that has the focus stays.
    if (this.wrong.dataset.shown === shown) return;
    this.wrong.dataset.shown = shown;
    const buttons = paths.slice(0, MOST_LED_TO).map((path) => button(nameOf(path), "lead", () => this.lead(fieldAt(this.article, path).element)));
    if (fault) buttons.push(button(words.json, "lead", () => this.showFault()));
    this.wrong.replaceChildren(...(buttons.length ? [element("span", {}, words.toCheck), ...buttons] : []));
  }

  // Brings a row into view, marks it, and goes to its input.
  lead(own) {
    for (let at = own; at; at = at.parentElement) {
      if (at.localName === "details") at.open = true;
      fieldsOf.get(at)?.unfold();
    }
    if (this.rest.contains(own)) this.tab("fields").checked = true;
    this.showPane("request");
    this.article.querySelector(".field.led")?.classList.remove("led");
    own.classList.add("led");
    own.scrollIntoView({ block: "center" });
    const inputs = [":scope > .field-place", ":scope > .field-head"].flatMap((part) => [...own.querySelectorAll(`${part} :is(input, select, textarea, button)`)]);
    inputs.find((input) => input.getClientRects().length)?.focus({ preventScroll: true });
  }

  // Leads to where the text stops being JSON.
  showFault() {
    this.showPane("request");
    this.tab("json").checked = true;
    const at = faultAt(this.body.value);
    this.body.focus();
    this.body.setSelectionRange(at, at + 1);
  }

  showText() {
    const { text } = this.request;
    const isLong = text.length > MOST_LAID_OUT && this.body.value !== text;
    const shown = isLong ? text.slice(0, MOST_AT_ONCE) : text;
    if (this.body.value !== shown) this.body.value = shown;
    this.body.readOnly = isLong;
    this.cut.textContent = isLong ? words.long : "";
    const isPlain = shown.length > MOST_LAID_OUT;
    this.editor.classList.toggle("plain", isPlain);
    // An empty last line has no height of its own.
    paint(this.shade, isPlain ? [] : [...piecesOfJson(shown), ["\n", ""]], MOST_IN_SAMPLES);
  }

  showSamples() {
    const { data, request } = this;
    const isGet = this.verb.value === "GET";
    const get = isGet ? this.get() : undefined;
    this.link.hidden = !get;
    if (get) {
      this.link.href = get;
      this.link.textContent = get;
    }
    const own = this.settings.samples();
    const fields = [...this.credentials.samples().filter(([name]) => !fieldIn(own, name)), ...own];
    let address = "https://service.example/rpc";
    try {
      address = target(this.address.value)?.href || address;
    } catch {
      // The sample keeps its own.
    }
    const isLong = request.text.length > MOST_AT_ONCE;
    const named = isLong || request.problem ? undefined : request.named(this.fields);
    for (const [language, code] of this.codes) {
      if (!code) continue;
      if (isGet && !get) code.textContent = words.noGet;
      else if (isLong) code.textContent = words.longSample;
      else if (!isGet && this.refusal) code.textContent = this.refusal;
      else if (!language.get && !named) code.textContent = request.problem;
      else paint(code, sample(data.events ? { ...language, ...language.events } : language, { address, message: request.text, get: language.get && get, fields, method: data.client, named }), MOST_IN_SAMPLES);
    }
  }

  get() {
    try {
      const address = target(this.address.value);
      if (!address || address.search || address.hash || this.request.problem) return undefined;
      const asked = query(this.data.method, this.request.named(this.fields));
      return asked && address.href + asked;
    } catch {
      return undefined;
    }
  }

  // The header fields of the call; its own lines come last, so that they win.
  headers(isGet) {
    const headers = new Headers(isGet ? {} : { "Content-Type": "application/json" });
    if (this.data.events) headers.set("Accept", "text/event-stream");
    for (const [name, value] of [...Object.entries(this.credentials.headers()), ...this.settings.headers()]) headers.set(name, value);
    return headers;
  }

  async send(batch) {
    this.flush();
    let url;
    try {
      url = target(this.address.value);
    } catch {
      return this.say(words.badAddress + this.address.value);
    }
    if (!url) return this.say(words.noAddress);
    if (!this.credentials.areSendable()) return this.say(words.badToken);
    const isGet = this.verb.value === "GET" && !batch;
    if (this.refusal && !isGet && !batch) return this.say(words.unsent, "failure");
    if (isGet) {
      const get = this.get();
      if (!get) return this.say(words.noGet);
      url = new URL(get);
    }
    this.running?.abort();
    const mine = (this.running = new AbortController());
    this.say(words.sending);
    try {
      await this.prepareAnswer();
    } catch {
      return this.say(self.docentStrings.failed, "failure");
    }
    if (this.running !== mine) return undefined;
    this.stopButton.hidden = false;
    const started = performance.now();
    let bytes = 0;
    const events = this.data.events && !batch ? new answerParts.Events(this) : undefined;
    const clock = setInterval(() => this.say(events?.isOpen ? events.progress : `${words.sending} ${this.size(performance.now() - started, bytes)}`), SHOW_EVERY);
    const body = isGet ? undefined : batch || this.request.text;
    const outcome = await send({
      url,
      method: isGet ? "GET" : "POST",
      headers: this.headers(isGet),
      body,
      signal: mine.signal,
      seen: (count) => (bytes = count),
      events,
      // Otherwise the browser asks for a password itself.
      withCookies: !this.credentials.all.some(({ kind }) => kind === "password"),
    });
    clearInterval(clock);
    if (this.running !== mine) return undefined;
    this.running = undefined;
    this.stopButton.hidden = true;
    if (outcome.answer && events?.isOpen) return events.close(outcome);
    if (!outcome.message) return this.show(outcome);
    this.answer.fail(outcome.message);
    return this.say(outcome.message, "failure");
  }

  // The part that shows responses is loaded when the first call is sent.
  async prepareAnswer() {
    if (!self.docentAnswer) await self.docentLoad("answer.js");
    answerParts ||= self.docentAnswer({ CREDENTIALS, MOST_AT_ONCE, MOST_COLOURED, MOST_SHOWN, button, coloured, element, filled, isJson, isText, languages, layOut, parse, pretty, print, quote, showJson, step, tokensOf });
    this.answer ||= new answerParts.Answer(this, this.panes.response);
  }

  say(text, outcome = "") {
    if (this.state.textContent !== text) this.state.textContent = text;
    this.state.dataset.outcome = outcome;
  }

  size(time, bytes) {
    return `${Math.round(time)} ${words.milliseconds} · ${bytes} ${words.bytes}`;
  }

  // Says what became of a call, and leads to what its service says of each value.
  show(call) {
    const { response, answer, time } = call;
    const { text, bytes, end } = answer;
    const ends = { stopped: words.stopped, broken: words.broken, large: words.large };
    const { error, isResult, isAnswer } = this.answer.show(call);
    const isPlain = !error && !(isResult && isAnswer);
    const parts = [error || (isPlain ? "" : words.result), `HTTP ${response.status} ${isPlain ? response.statusText : ""}`.trim()];
    if (end !== "whole") parts.push(ends[end]);
    else if (text.length > MOST_SHOWN) parts.push(words.cut);
    const outcome = parts.filter(Boolean).join(" · ");
    this.say(outcome, isResult ? "success" : "failure");
    this.answer.keep(`${this.size(time, bytes)} · ${outcome}`, call);
    this.tell(error ? answerParts.reasonsIn(text) : []);
    if (response.status === 401) answerParts.askFor(this.credentials, response.headers.get("WWW-Authenticate"));
    else this.credentials.show();
  }

  // Says at the rows what the service says of their values.
  tell(reasons) {
    for (const field of this.told ?? []) field.told = undefined;
    this.told = reasons.flatMap(([path, reason]) => fieldAt(this.article, path)?.tell(reason) ?? []);
    this.refresh();
  }

  collect() {
    this.flush();
    const { text } = this.request;
    if (this.refusal) this.say(this.refusal);
    else this.batch.store([...this.batch.collected(), compact(text)]);
  }

  async copyLink() {
    this.flush();
    const link = this.request.problem || this.refusal ? undefined : this.settings.link();
    if (!link) return this.say(words.noLink);
    try {
      await navigator.clipboard.writeText(link);
      return this.say(words.linkCopied);
    } catch {
      // Without a clipboard the address bar has it.
      location.hash = new URL(link).hash;
      return this.say(words.linkShown);
    }
  }
}

self.docentForm = (container) => new Panel(container);
