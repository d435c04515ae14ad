// The inputs of each kind. A control says its value as JSON text (`get`), checks and removes what it holds beside
// itself, and says what in it is no JSON (`check`).
const firstFault = (fields) => fields.map((field) => field.check()).find(Boolean) || "";

function jsonControl(field) {
  const input = field.describe(element("textarea", { class: "json", rows: "3" }));
  input.value = pretty(print(field.value));
  input.rows = Math.min(12, Math.max(2, input.value.split("\n").length));
  input.addEventListener("input", () => field.typed());
  return { element: input, get: () => (input.value.trim() ? input.value : "null"), check: () => notJson(input.value.trim() && input.value) };
}

function inputControl(field, input, read) {
  field.describe(input).dir = "auto";
  input.addEventListener("input", () => field.typed());
  return { element: input, get: () => read(input.value) };
}

const MOST_IN_FILE = 1e7;

// Bytes can come from a file, which a button writes into the input.
function withFile(field, input, control) {
  const file = element("input", { type: "file", class: "hush", "aria-label": `${field.name}: ${words.file}` });
  file.addEventListener("change", () => {
    const [chosen] = file.files;
    if (chosen?.size > MOST_IN_FILE) {
      file.value = "";
      return field.check(words.largeFile);
    }
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      input.value = reader.result.slice(reader.result.indexOf(",") + 1);
      field.typed();
    });
    if (chosen) reader.readAsDataURL(chosen);
  });
  const pick = element("label", { class: "pick" }, words.pick);
  pick.append(file);
  const box = element("div", { class: "with-file" });
  box.append(input, pick);
  return { ...control, element: box };
}

// Values that are too many for a choice are suggestions for a text. What is no value is sent as a text.
function suggestions(field) {
  const texts = new Map(field.kind.v.map((value) => [isText(value) ? JSON.parse(value) : value, value]));
  const list = element("datalist", { id: field.id + "-list" });
  for (const text of texts.keys()) list.append(element("option", { value: text }));
  const input = element("input", { type: "text", list: list.id });
  input.value = isText(field.value) ? JSON.parse(field.value) : print(field.value);
  const control = inputControl(field, input, (text) => texts.get(text) ?? quote(text));
  const box = element("div");
  box.append(input, list);
  return { ...control, element: box };
}

const controls = {
  string(field) {
    const text = isText(field.value) ? JSON.parse(field.value) : "";
    const isLine = !/[\n\r\0-\x1f\x7f]/.test(text);
    const format = formatNamed(field.kind.f);
    const isOwn = format.input && (!text || hasFormat(field.kind.f, text));
    const isShort = field.kind.f || field.kind.p || Number(field.kind.most) <= 80;
    const input = isOwn ? element("input", { type: format.input }) : isLine && isShort ? element("input", { type: "text" }) : element("textarea", { rows: "1" });
    if (input.localName === "textarea") input.rows = Math.min(8, text.split("\n").length);
    if (format.example) input.placeholder = format.example;
    input.value = text;
    const control = inputControl(field, input, quote);
    return field.kind.b ? withFile(field, input, control) : control;
  },

  // Text that is no number goes as a string, so that the service can say what it expects.
  number(field) {
    const input = element("input", { type: "text", inputmode: "decimal" });
    input.value = typeof field.value === "string" && NUMBER.test(field.value) ? field.value : "";
    return inputControl(field, input, (text) => (NUMBER.test(text.trim()) ? text.trim() : quote(text)));
  },

  integer: (field) => controls.number(field),

  enum(field) {
    if (field.kind.g) return suggestions(field);
    const input = element("select");
    const areTexts = field.kind.v.every((text) => isText(text) || text === "null") && !field.kind.v.includes('"null"');
    field.kind.v.forEach((value, at) => input.append(element("option", { value: String(at), dir: "auto" }, areTexts && isText(value) ? JSON.parse(value) : value)));
    input.value = String(Math.max(0, placeOf(field.value, field.kind)));
    return inputControl(field, input, (at) => field.kind.v[at] ?? "null");
  },

  // Members stand on the rows that the page has for them, and otherwise below each other.
  object(field) {
    const box = element("div", { class: "members", role: "group", "aria-label": field.name });
    const rows = rowsBelow(field.row);
    const value = field.value instanceof Map ? field.value : new Map();
    const fields = field.kind.f.map(([name, kind, required]) => {
      const row = rows.get(name);
      const own = new Field(field.form, kind, name, { required: Boolean(required), beginning: value.get(name), row, path: field.path + step(name) });
      if (!value.has(name)) own.omit();
      else if (!required) own.set(value.get(name));
      if (row) place(row, own.element);
      else box.append(own.element);
      return own;
    });
    const known = new Set(field.kind.f.map(([name]) => name));
    const others = [];
    const add = (name, value) => {
      const row = element("div", { class: "entry" });
      const key = element("input", { type: "text", class: "key", dir: "auto", "aria-label": words.name });
      key.value = name;
      const own = new Field(field.form, field.kind.o || { t: "any" }, words.value, { required: true, beginning: value, path: field.path + step(name || words.value) });
      const entry = { key, own };
      key.addEventListener("input", () => field.typed());
      row.append(key, own.element, remover(name || words.name, () => {
        others.splice(others.indexOf(entry), 1);
        row.remove();
        field.typed();
      }));
      others.push(entry);
      box.insertBefore(row, box.querySelector(":scope > .add"));
    };
    if (!field.kind.c && (field.kind.o || !field.kind.f.length)) {
      box.append(button(words.addMember, "add", () => {
        add("", undefined);
        field.typed();
      }));
    }
    for (const [name, it] of value) if (!known.has(name)) add(name, it);
    const all = () => [...fields.map((it) => [it.name, it]), ...others.map(({ key, own }) => [key.value, own])];
    return {
      element: box,
      get() {
        const members = all().map(([name, it]) => [name, it.get()]);
        return "{" + members.filter((it) => it[1] !== undefined).map(([name, text]) => quote(name) + ": " + text).join(", ") + "}";
      },
      check: () => firstFault(all().map(([, it]) => it)),
      remove: () => fields.forEach((it) => it.remove()),
    };
  },

  array(field) {
    const box = element("div", { class: "items", role: "group", "aria-label": field.name });
    const places = field.kind.p || [];
    const items = [];
    const isOpen = !field.kind.p || field.kind.i;
    const add = (value) => {
      const at = items.length;
      const kind = places[at] || field.kind.i || { t: "any" };
      const own = new Field(field.form, kind, `${field.name}[${at}]`, { required: true, beginning: value, path: `${field.path}/${at}` });
      const row = element("div", { class: "entry" });
      row.append(own.element);
      if (at >= places.length) {
        row.append(remover(own.name, () => {
          items.splice(items.indexOf(own), 1);
          row.remove();
          field.typed();
        }));
      }
      items.push(own);
      box.insertBefore(row, box.querySelector(":scope > .add"));
      return own;
    };
    if (isOpen) {
      box.append(button(words.add, "add", () => {
        const own = add(undefined);
        field.typed();
        own.element.querySelector(".field-place :is(input, select, textarea)")?.focus();
      }));
    }
    for (const it of Array.isArray(field.value) ? field.value : []) add(it);
    return {
      element: box,
      get: () => "[" + items.map((it) => it.get()).join(", ") + "]",
      check: () => firstFault(items),
      remove: () => items.forEach((it) => it.control?.remove?.()),
    };
  },

  union(field) {
    const box = element("div", { class: "union" });
    const input = field.describe(element("select"));
    const alternatives = field.kind.a;
    alternativesOf(field.form, alternatives).forEach((text, at) => input.append(element("option", { value: String(at), dir: "auto" }, text)));
    const scores = alternatives.map(([, kind]) => misfit(field.form, kind, field.value));
    let at = scores.indexOf(Math.min(...scores));
    let own;
    const show = (value) => {
      own?.remove();
      const [name, kind] = alternatives[at];
      own = new Field(field.form, kind, name || field.name, { required: true, beginning: value, isPart: true, path: field.path });
      box.append(own.element);
    };
    input.value = String(at);
    input.addEventListener("change", () => {
      own.keep();
      const { value, kind: left } = own;
      // What is typed comes back with the choice.
      field.typedIn ??= new Map();
      field.typedIn.set(at, value);
      at = Number(input.value);
      show(field.typedIn.get(at));
      // Members that both have stay, unless the alternative that is left requires them and this one does not: they may
      // be what tells the alternatives apart.
      if (own.kind.t === "object" && value instanceof Map) {
        const asked = left.t === "object" ? left.f.filter((it) => it[2]).map(([name]) => name) : [];
        const kept = own.kind.f.filter(([name, kind, required]) =>
          value.has(name) && (required || !asked.includes(name)) && fits(field.form, kind, value.get(name)));
        own.set(new Map([...own.value, ...kept.map(([name]) => [name, value.get(name)])]));
      }
      field.typed();
    });
    box.append(input);
    show(field.value);
    return { element: box, get: () => own.get(), check: () => own.check(), remove: () => own.control?.remove?.() };
  },
};

// The rows of a row's members, by name. Rows of elements and of alternatives stand for many values.
function rowsBelow(row) {
  const rows = new Map();
  const list = row?.querySelector(":scope > details > ul");
  for (const below of list ? list.children : []) {
    const name = below.querySelector(":scope > .row > .name:not(.label)");
    if (name && !rows.has(name.textContent)) rows.set(name.textContent, below);
  }
  return rows;
}

// A field in a row comes behind what the row says and before the rows below it.
function place(row, field) {
  row.insertBefore(field, row.querySelector(":scope > :is(ul, details)"));
}
