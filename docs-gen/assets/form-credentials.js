// The credentials of a call: a field for each way to bring one. What is left empty is not sent.
const isAscii = (text) => !/[^ -~]/.test(text);

// How each kind of credential is named, what its header field holds, and what samples show in its place.
// A scheme that is pasted with a token or a password is the one to use.
const CREDENTIALS = {
  token: {
    label: () => words.token,
    hint: "",
    value: (typed) => (typed.includes(" ") ? typed : "Bearer " + typed),
    sample: "Bearer TOKEN",
  },
  password: {
    label: () => words.password,
    hint: "name:password",
    value: (typed) => (/^Basic \S+$/i.test(typed) ? typed : "Basic " + btoa(String.fromCharCode(...new TextEncoder().encode(typed)))),
    sample: "Basic CREDENTIALS",
  },
  key: { label: (field) => field, hint: "", value: (typed) => typed, sample: "KEY" },
  // The description does not say how to authenticate, or not in a way that a header field can carry.
  unknown: { label: () => words.authorization, hint: "Bearer …", value: (typed) => typed, sample: "Bearer TOKEN" },
};

class Credentials {
  constructor(panel, head) {
    this.panel = panel;
    const { data } = panel;
    const known = data.credentials || [{ kind: "unknown", field: "Authorization" }];
    const around = data.restricted ? head : element("details", { class: "access" });
    if (!data.restricted) around.append(element("summary", {}, words.authorization));
    // One list for each requirement, of what meets it.
    this.requirements = [];
    for (const { kind, field, or } of known) {
      const input = element("input", { type: "password", class: "token", autocomplete: "off", spellcheck: "false", placeholder: CREDENTIALS[kind].hint });
      const label = CREDENTIALS[kind].label(field);
      around.append(labelled(or ? filled(words.or, label) : label, input));
      const credential = { kind, field, input };
      if (or) this.requirements.at(-1).push(credential);
      else this.requirements.push([credential]);
    }
    this.all = this.requirements.flat();
    // They stay in memory unless the reader asks, on a live site, to keep them for the tab.
    if (data.live && /^https?:/.test(location.protocol)) {
      const keep = box(words.keepToken, "with", () => this.store());
      this.keep = keep.input;
      around.append(keep.label);
    }
    if (around !== head) head.append(around);
    this.note = element("p", { class: "problem", "aria-live": "polite" });
    around.append(this.note);
    for (const { input } of this.all) {
      input.addEventListener("input", () => {
        this.note.textContent = this.areSendable() ? "" : words.badToken;
        this.store();
        panel.refresh();
      });
    }
    this.moved();
  }

  areSendable() {
    return this.all.every(({ kind, input }) => kind === "password" || isAscii(input.value));
  }

  // The header fields to send.
  headers() {
    const headers = {};
    for (const { kind, field, input } of this.all) {
      const typed = input.value.trim();
      if (typed) headers[field] ??= CREDENTIALS[kind].value(typed);
    }
    return headers;
  }

  // The header fields of samples, with placeholders: what was filled in, or the first that meets a requirement.
  samples() {
    const fields = new Map();
    for (const requirement of this.requirements) {
      const given = requirement.filter(({ input }) => input.value.trim());
      const first = requirement.filter(({ kind }) => kind !== "unknown").slice(0, 1);
      for (const { kind, field } of given.length ? given : first) {
        if (!fields.has(field)) fields.set(field, CREDENTIALS[kind].sample);
      }
    }
    return [...fields];
  }

  origin() {
    try {
      return target(this.panel.address.value).origin;
    } catch {
      return undefined;
    }
  }

  storageKey({ kind, field }) {
    return `docent-token ${this.origin()} ${kind} ${field}`;
  }

  store() {
    if (!this.keep || !this.origin()) return;
    for (const credential of this.all) {
      const typed = this.keep.checked && credential.input.value;
      stored("sessionStorage", this.storageKey(credential), typed || null);
    }
  }

  // Another address has other credentials.
  moved() {
    const origin = this.keep && this.origin();
    if (!origin || origin === this.known) return;
    const kept = this.all.map((credential) => stored("sessionStorage", this.storageKey(credential)));
    if (kept.some(Boolean) || this.keep.checked) this.all.forEach(({ input }, at) => (input.value = kept[at] || ""));
    this.keep.checked = kept.some(Boolean);
    this.known = origin;
  }
}
