// The credentials of a call: a field for each way to bring one. What is left empty is not sent.
const isAscii = (text) => !/[^ -~]/.test(text);
const SCHEME = /^(basic|bearer|digest|dpop) +\S/i;

// The name of each kind of credential, and the value of its header field.
// A scheme that is typed with a token or a password is the one to use.
const CREDENTIALS = {
  token: {
    label: () => words.token,
    hint: "",
    scheme: "bearer",
    value: (typed) => (typed.includes(" ") ? typed : "Bearer " + typed),
  },
  password: {
    label: () => words.password,
    hint: "name:password",
    scheme: "basic",
    value: (typed) => (/^Basic \S+$/i.test(typed) ? typed : "Basic " + btoa(String.fromCharCode(...new TextEncoder().encode(typed)))),
  },
  key: { label: (field) => field, hint: "", value: (typed) => typed },
  // The description names no header field.
  unknown: {
    label: () => words.authorization,
    hint: "Bearer …",
    value: (typed) => (typed.includes(" ") ? typed : "Bearer " + typed),
  },
};

// The scheme of a header field's value, in lower case.
function schemeOf(value) {
  return value.match(SCHEME)?.[1].toLowerCase();
}

// Returns the text that stands for a secret in samples: its scheme, if it has one, and a variable of the environment.
function placeholder(value) {
  const { token } = languages.samples.credentials;
  const scheme = value.slice(0, schemeOf(value)?.length ?? 0);
  return scheme ? { ...token, scheme } : token;
}

// The value of a header field in a list, whatever the case of its name. The last one is sent.
function fieldIn(list, name) {
  return list.findLast(([own]) => own.toLowerCase() === name.toLowerCase())?.[1];
}

class Credentials {
  constructor(panel, bar, outcome) {
    this.panel = panel;
    const { data } = panel;
    const known = data.credentials || [{ kind: "unknown", field: "Authorization" }];
    // One list for each requirement, of what meets it.
    this.requirements = [];
    for (const { kind, field, or, optional } of known) {
      const input = element("input", { type: "password", class: "token", autocomplete: "off", spellcheck: "false", placeholder: CREDENTIALS[kind].hint });
      const label = CREDENTIALS[kind].label(field);
      const name = or ? filled(words.or, label) : optional ? filled(words.optional, label) : label;
      bar.append(labelled(name, input));
      const credential = { kind, field, input, name, optional };
      if (or) this.requirements.at(-1).push(credential);
      else this.requirements.push([credential]);
    }
    this.all = this.requirements.flat();
    // They stay in memory unless the reader asks, on a live site, to keep them for the tab.
    if (data.live && /^https?:/.test(location.protocol)) {
      const keep = box(words.keepToken, "with", () => (this.store(), this.show(this.note.textContent)));
      this.keep = keep.input;
      bar.append(keep.label);
    }
    this.sent = element("p", { class: "fact" });
    this.note = element("p", { class: "problem", id: panel.prefix + "credentials", role: "alert" });
    this.overridden = element("p", { class: "problem", "aria-live": "polite" });
    outcome.append(this.sent, this.note, this.overridden);
    for (const { input } of this.all) {
      input.setAttribute("aria-describedby", this.note.id);
      input.addEventListener("input", () => {
        this.store();
        this.show(this.areSendable() ? "" : words.badToken);
        panel.refresh();
      });
    }
    this.show();
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

  // The header fields of samples, which take secrets from the environment. Of several keys, the second has a variable
  // that ends with `_2`.
  samples() {
    const fields = new Map();
    const kinds = [];
    for (const requirement of this.requirements) {
      const given = requirement.filter(({ input }) => input.value.trim());
      const first = requirement.filter(({ kind, optional }) => kind !== "unknown" && !optional).slice(0, 1);
      for (const { kind, field, input } of given.length ? given : first) {
        if (fields.has(field)) continue;
        const { scheme, variable } = languages.samples.credentials[kind] ?? placeholder(input.value.trim());
        kinds.push(kind);
        const number = kinds.filter((own) => own === kind).length;
        fields.set(field, { scheme, variable: number > 1 ? `${variable}_${number}` : variable });
      }
    }
    return [...fields];
  }

  // Says what is wrong, or else what is sent. One line is always there, so that nothing moves.
  show(problem = "") {
    this.showSent();
    this.sent.hidden = Boolean(problem);
    this.note.textContent = problem;
  }

  // Says what is sent, without its secret. A header field of the reader's own goes in the place of what is typed here.
  showSent() {
    const typed = this.headers();
    const own = this.panel.settings?.headers() ?? [];
    const fields = new Set(this.all.map(({ field }) => field));
    const sent = [...fields].flatMap((field) => {
      const value = fieldIn(own, field) ?? typed[field];
      if (value === undefined) return [];
      const scheme = schemeOf(value);
      return `${field}: ${scheme ? value.slice(0, scheme.length) + " " : ""}…`;
    });
    this.sent.textContent = sent.length ? filled(words.sentAs, sent.join(", ")) : words.sentWithout;
    const overridden = Object.keys(typed).filter((field) => fieldIn(own, field) !== undefined);
    this.overridden.textContent = overridden.length ? filled(words.overridden, overridden.join(", ")) : "";
  }

  origin() {
    try {
      return target(this.panel.address.value).origin;
    } catch {
      return undefined;
    }
  }

  storageKey(field) {
    return `docent-token ${this.origin()} ${field}`;
  }

  // Keeps the values that are sent, so that every page of the service can show its scheme.
  store() {
    if (!this.keep || !this.origin()) return;
    const headers = this.keep.checked ? this.headers() : {};
    for (const { field } of this.all) stored("sessionStorage", this.storageKey(field), headers[field] || null);
  }

  // Another address has other credentials.
  moved() {
    const origin = this.keep && this.origin();
    if (!origin || origin === this.known) return;
    const kept = new Map(this.all.map(({ field }) => [field, stored("sessionStorage", this.storageKey(field))]));
    this.known = origin;
    const areKept = [...kept.values()].some(Boolean);
    if (areKept || this.keep.checked) {
      for (const { kind, field, input } of this.all) {
        const value = kept.get(field) || "";
        const isOther = (schemeOf(value) === "basic") !== (kind === "password") && this.all.filter((other) => other.field === field).length > 1;
        input.value = isOther ? "" : value;
      }
    }
    this.keep.checked = areKept;
    this.show();
  }
}
