// A field is one value of the form: whether it is given, whether it is null, and the input that its
// kind calls for. What the input cannot show is typed as JSON, so nothing is ever lost.
const element = self.docentElement;
const COMPOSITE = ["object", "array", "union"];
const MOST_TELLING = 4;
const MOST_INPUTS = 500;
const DEEPEST_BLANK = 12;
const DEEPEST_INPUTS = 24;
let made = 0;
// The field of each element.
const fieldsOf = new WeakMap();

function button(text, className, act) {
  const own = element("button", { type: "button", class: className }, text);
  own.addEventListener("click", act);
  return own;
}

// Takes an entry out of a list, which keeps the focus.
function remover(name, act) {
  const own = button("", "remove", () => {
    const list = own.closest(".items, .members, .batch");
    act();
    list.querySelector(":scope > button")?.focus();
  });
  own.setAttribute("aria-label", `${words.remove} ${name}`);
  return own;
}

// A box with its word; `act` gets whether it is checked.
function box(word, className, act) {
  const label = element("label", { class: className });
  const input = element("input", { type: "checkbox" });
  input.addEventListener("change", () => act(input.checked));
  label.append(input, element("span", {}, word));
  return { label, input };
}

// Returns the value to begin with if nothing else is given.
function blank(form, kind, depth = 0) {
  kind = resolved(form, kind);
  if (kind.n && depth) return "null";
  switch (kind.t) {
    case "string": return '""';
    case "integer": case "number": return kind.begin ?? (kind.min !== undefined && kind.min[0] !== "-" ? kind.min : "0");
    case "enum": return parse(kind.v[0] || "null");
    case "array": return kind.p ? kind.p.map((it) => (depth > 8 ? "null" : blank(form, it, depth + 1))) : [];
    case "object": {
      const required = depth > 8 ? [] : kind.f.filter((it) => it[2]);
      return new Map(required.map(([name, it]) => [name, blank(form, it, depth + 1)]));
    }
    case "union": return kind.a.length && depth < 8 ? blank(form, kind.a[0][1], depth + 1) : "null";
    default: return "null";
  }
}

// Returns whether a value has so many parts, or is so deep, that a page could not bear an input for each.
function isLarge(value) {
  let parts = 0;
  const isTooMuch = (part, depth) => ++parts > MOST_INPUTS || depth > DEEPEST_INPUTS || (typeof part !== "string" && [...part.values()].some((inner) => isTooMuch(inner, depth + 1)));
  return isTooMuch(value, 0);
}

// The words for a kind, where no row of the page says them.
function named(form, kind) {
  const { t, f, n, v } = resolved(form, kind);
  const isTruth = t === "enum" && /^true,false(,null)?$/.test(v.join());
  const isOne = t === "enum" && v.length === 1;
  const word = isOne ? v[0] : words[isTruth ? "kind.boolean" : t === "enum" ? "choice" : "kind." + t] || t;
  return word + (t === "string" && f ? ` (${f})` : "") + (n || (isTruth && v.length > 2) ? " " + words.orNull : "");
}

// The words for each alternative of a union. Where some have the same, the values or members that tell
// them apart are added.
function alternativesOf(form, all) {
  const texts = all.map(([name, kind]) => name || named(form, kind));
  return texts.map((text, at) => {
    const kind = resolved(form, all[at][1]);
    if (texts.indexOf(text) === texts.lastIndexOf(text) || kind.t !== "object") return text;
    const only = kind.f.map(([name, it]) => [name, resolved(form, it)]).filter(([, it]) => it.t === "enum" && it.v.length === 1);
    const tells = only.length ? only.map(([name, it]) => `${name}: ${it.v[0]}`) : kind.f.map(([name]) => name);
    const most = tells.slice(0, MOST_TELLING).join(", ");
    return most ? `${text} {${most}${tells.length > MOST_TELLING ? ", …" : ""}}` : text;
  });
}

class Field {
  constructor(form, kind, name, { required = true, beginning, row, isPart, path = step(name) } = {}) {
    this.form = form;
    this.kind = resolved(form, kind);
    this.name = name;
    this.required = required;
    this.given = required;
    this.isNull = false;
    this.raw = this.kind.t === "any";
    // A value may have to hold values of its own kind without end.
    form.depth = (form.depth || 0) + 1;
    this.value = beginning ?? (form.depth > DEEPEST_BLANK ? "null" : blank(form, kind));
    this.row = row;
    // The choice above it has its name.
    this.isPart = isPart;
    // An input that needs more than the line of its row is folded until a reader opens it, so that no row moves when
    // the form opens.
    this.isFolded = Boolean(row);
    this.id = "field-" + ++made;
    // The place of the value, as a JSON Pointer into the parameters.
    this.path = path;
    this.element = element("div", { class: "field", "data-name": name, "data-path": path });
    fieldsOf.set(this.element, this);
    this.head = element("div", { class: "field-head" });
    this.place = element("div", { class: "field-place" });
    this.problem = element("p", { class: "problem", id: this.id + "-problem", dir: "auto", "aria-live": "polite" });
    this.element.append(this.head, this.place);
    this.addUnchecked(row?.querySelector(":scope > .row > .fact, :scope > .fact"));
    this.element.append(this.problem);
    this.addHead();
    this.set(required || beginning !== undefined ? this.value : undefined);
    if (!required) this.omit();
    form.depth--;
  }

  // What the form does not check is said behind the facts of a row, where there is room, or below the input.
  addUnchecked(facts) {
    this.unchecked = element(facts ? "span" : "p", { class: "unchecked fact" }, this.kind.x ? (facts ? " · " : "") + words.unchecked : "");
    (facts ?? this.element).append(this.unchecked);
  }

  // An input of one line says so once it is typed into: until then, the text could move the rows below.
  showUnchecked() {
    this.unchecked.hidden = !this.control || !this.kind.x || !(this.isTouched || this.raw || COMPOSITE.includes(this.kind.t));
  }

  // Takes the field away, with what it has placed on rows of the page.
  remove() {
    this.control?.remove?.();
    this.element.remove();
    this.unchecked.remove();
  }

  addHead() {
    if (!this.row && !this.isPart) {
      const about = [named(this.form, this.kind), ...asked(this.kind)].join(" · ");
      this.head.append(element("span", { class: "field-name", dir: "auto" }, this.name), element("span", { class: "kind" }, about));
    }
    this.include = box(words.include, "with include", (isOn) => {
      if (isOn) this.set(this.value);
      else this.omit();
      this.touched();
    });
    this.include.input.setAttribute("aria-label", `${words.include} ${this.name}`);
    if (this.kind.n) {
      this.nullBox = box("null", "with", (isOn) => {
        if (isOn) this.keep();
        this.set(isOn ? "null" : this.value === "null" ? blank(this.form, { ...this.kind, n: 0 }) : this.value);
        this.touched();
      });
      this.nullBox.input.setAttribute("aria-label", `${this.name}: null`);
      this.head.append(this.nullBox.label);
    }
    this.toggle = button("JSON", "mode", () => this.swap());
    this.toggle.setAttribute("aria-label", `${this.name}: JSON`);
    this.unfolder = button(words.edit, "unfold", () => {
      this.unfold();
      this.place.querySelector("input, select, textarea, button")?.focus();
    });
    this.unfolder.setAttribute("aria-label", `${words.edit} ${this.name}`);
    this.head.append(this.toggle, this.unfolder);
  }

  // Remembers what is typed, as far as it is JSON.
  keep() {
    const text = this.control && this.control.get();
    try {
      if (text !== undefined) this.value = parse(text);
    } catch {
      // Text that is no JSON cannot be shown in another way.
    }
  }

  // From the inputs to JSON and back. JSON that the inputs cannot show stays JSON.
  swap() {
    this.keep();
    if (this.raw && !this.hasInputs(this.value)) {
      this.toggle.setAttribute("aria-pressed", "true");
      return;
    }
    this.raw = !this.raw;
    this.show();
    this.form.changed();
  }

  hasInputs(value) {
    return this.kind.t !== "any" && !isLarge(value) && fits(this.form, this.kind, value);
  }

  omit() {
    if (this.given) this.keep();
    this.given = false;
    this.show();
  }

  set(value) {
    if (value === undefined) return this.omit();
    this.given = true;
    this.isNull = Boolean(this.kind.n) && value === "null";
    if (!this.isNull) {
      this.value = value;
      this.raw = !this.hasInputs(value);
    }
    this.show();
  }

  show() {
    this.control?.remove?.();
    this.place.replaceChildren();
    const isComposite = COMPOSITE.includes(this.kind.t);
    const isShown = this.given ? !this.isNull : !isComposite && !this.raw;
    this.control = isShown ? (this.raw ? jsonControl : controls[this.kind.t])(this) : undefined;
    if (this.control) this.place.append(this.control.element);
    this.layOut();
    this.showUnchecked();
    this.showGiven();
    if (this.nullBox) {
      this.nullBox.input.checked = this.given && this.isNull;
      this.nullBox.label.hidden = !this.given && isComposite;
    }
    this.toggle.hidden = this.kind.t === "any" || !this.given || this.isNull || !(isComposite || this.raw) || this.isPart;
    this.toggle.setAttribute("aria-pressed", String(this.raw));
  }

  // Puts the input behind the name of its row, if it has room there or is folded, or else below.
  layOut() {
    const isTall = Boolean(this.control) && !this.isLine(this.control.element);
    const isFolded = isTall && this.isFolded;
    this.element.classList.toggle("line", !isTall || isFolded);
    this.element.classList.toggle("folded", isFolded);
  }

  isLine(input) {
    if (this.raw) return false;
    return COMPOSITE.includes(this.kind.t) ? !input.querySelector(".field") : !(input.rows > 1);
  }

  unfold() {
    this.isFolded = false;
    this.layOut();
    const members = this.row?.querySelector(":scope > details");
    if (members && this.kind.t === "object") members.open = true;
  }

  // Only JSON can leave out what is required, and the box brings it back.
  showGiven() {
    this.include.input.checked = this.given;
    if (this.required && this.given) this.include.label.remove();
    else this.head.insertBefore(this.include.label, this.nullBox?.label || this.toggle);
    this.element.classList.toggle("absent", !this.given);
  }

  // Typing into a field that is left out, or null, gives it.
  typed() {
    this.given = true;
    this.isNull = false;
    this.showGiven();
    this.touched();
  }

  // Follows each change by the reader.
  touched() {
    this.isTouched = true;
    this.showUnchecked();
    if (this.given) this.unfold();
    this.form.changed();
  }

  get() {
    if (!this.given) return undefined;
    return this.isNull ? "null" : this.control.get();
  }

  // Shows what this value and those in it break, or a note that is more urgent. Returns what of it is no JSON.
  check(note = "") {
    let phrase = "";
    let fault = "";
    if (!note && !this.given && this.required) note = words.missing;
    if (!note && this.given && !this.isNull) {
      const text = this.control.get();
      this.place.firstElementChild.classList.toggle("long", text.length > MOST_AT_ONCE);
      fault = this.control.check?.() ?? "";
      try {
        const value = parse(text);
        phrase = this.raw && !this.kind.e && !fits(this.form, this.kind, value) ? named(this.form, this.kind) : broken(this.kind, value);
      } catch {
        // A fault of a part is said there.
        note = fault ? (this.raw ? fault : "") : words.twice;
      }
    }
    if (!phrase && !note && this.told?.value === this.get()) note = this.told?.reason ?? "";
    this.problem.textContent = phrase ? filled(words.expected, phrase) : note;
    const input = this.place.querySelector("input, select, textarea");
    input?.setAttribute("aria-invalid", String(Boolean(phrase || note)));
    return fault;
  }

  // Keeps what the service says of the value, until the value is another.
  tell(reason) {
    this.told = { reason, value: this.get() };
    return this;
  }

  describe(input) {
    input.id = this.id;
    input.setAttribute("aria-label", this.name);
    input.setAttribute("aria-describedby", this.problem.id);
    input.autocomplete = "off";
    input.spellcheck = false;
    return input;
  }
}
