// The settings beside the parameters: the id, a key for writes, header fields of one's own, and a link.
const MOST_IN_LINK = 8000;
const SECRET = /auth|cookie|key|pass|secret|session|token/i;

// A link to the form with these parameters. It carries no credential and no key.
function linkStart(call) {
  return "#" + encodeURIComponent(call.id) + "=";
}

class Settings {
  constructor(panel) {
    this.panel = panel;
    const { data } = panel;
    const options = element("details", { class: "options" });
    this.options = options;
    options.append(element("summary", {}, words.options));
    if (data.servers) this.addServers(options);
    if (data.repeatable) this.addKey(options);
    this.by = choice([["name", words.byName], ["position", words.byPosition]], data.by === "position" ? "position" : "name");
    if (data.by === "either" && data.params.length) {
      options.append(labelled(words.params, this.by));
      this.by.addEventListener("change", () => panel.reshape());
    }
    const silent = box(words.notification, "with silent", (isSilent) => this.change("id", isSilent ? undefined : this.id));
    this.silent = silent.input;
    this.lines = element("textarea", { class: "lines", rows: "2", spellcheck: "false", placeholder: "If-None-Match: \"…\"" });
    this.lines.addEventListener("input", () => panel.refresh());
    this.problem = element("p", { class: "problem", "aria-live": "polite" });
    // A subscription is no notification.
    if (!data.events) options.append(silent.label);
    options.append(labelled(words.lines, this.lines), this.problem);
  }

  addServers(place) {
    const { panel } = this;
    const server = choice(panel.data.servers.map(([name, url]) => [url, name]), panel.data.address);
    server.addEventListener("change", () => {
      panel.address.value = server.value;
      panel.moved();
    });
    place.append(labelled(words.server, server));
  }

  addKey(place) {
    this.key = element("input", { type: "text", class: "key", maxlength: "255", spellcheck: "false", autocomplete: "off" });
    this.key.addEventListener("input", () => this.change(KEY, this.key.value ? quote(this.key.value) : undefined));
    const renew = button(words.newKey, "renew", () => {
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      this.key.value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      this.change(KEY, quote(this.key.value));
    });
    const line = element("div", { class: "key-line" });
    line.append(labelled(words.key, this.key), renew);
    place.append(line);
  }

  change(name, value) {
    this.panel.request.set(name, value);
    this.panel.changed();
  }

  // Follows the message; nothing can be set in a text that is none.
  show() {
    const { message, problem, isByPosition, params } = this.panel.request;
    for (const input of [this.by, this.silent, this.key]) if (input) input.disabled = Boolean(problem);
    if (problem) return;
    this.silent.checked = !message.has("id");
    this.id = message.get("id") ?? this.id ?? "1";
    if (params && this.panel.data.by === "either") this.by.value = isByPosition ? "position" : "name";
    const key = message.get(KEY);
    if (!this.key) return;
    this.key.value = isText(key) ? JSON.parse(key) : "";
    this.key.setAttribute("aria-invalid", String(/[^!-~]/.test(this.key.value)));
  }

  // The header fields of one's own. Lines that cannot be sent are named.
  headers() {
    const fields = [];
    this.problem.textContent = "";
    for (const line of this.lines.value.split("\n").filter((line) => line.trim())) {
      const field = line.match(/^([\w-]+):\s*([ -~]*?)\s*$/);
      if (field && new Request(location.href, { headers: [[field[1], field[2]]] }).headers.has(field[1])) fields.push([field[1], field[2]]);
      else this.problem.textContent = filled(words.badLine, line.slice(0, 60));
    }
    return fields;
  }

  // As samples show them: what may be a secret comes from a variable of the environment.
  samples() {
    return this.headers().map(([name, value]) => {
      if (schemeOf(value)) return [name, placeholder(value)];
      const variable = name.toUpperCase().replace(/\W/g, "_").replace(/^(?=\d)/, "_");
      return [name, SECRET.test(name) ? { scheme: "", variable } : value];
    });
  }

  // The link, or nothing where the values are too many.
  link() {
    const { params } = this.panel.request;
    const url = new URL(location.href);
    url.hash = linkStart(this.panel.call) + encodeURIComponent(params ? print(params) : "null");
    return url.href.length > MOST_IN_LINK ? undefined : url.href;
  }
}

// The parameters in the page's own address, as JSON, if there are any for this call.
function linkedParams(call) {
  const start = linkStart(call);
  if (!location.hash.startsWith(start) || location.hash.length > MOST_IN_LINK) return undefined;
  try {
    return parse(decodeURIComponent(location.hash.slice(start.length)));
  } catch {
    return undefined;
  }
}
