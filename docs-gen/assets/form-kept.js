// The values of a page survive a reload of the tab, but for secrets. A page of a folder, or a single file, stores nothing.
const MOST_STORED = 200000;
const isStoring = () => /^https?:/.test(location.protocol) && !document.getElementById("index");

// Returns a value without its secrets, or nothing where it is one, or where it is not known to be none.
function withoutSecrets(form, kind, value, depth = 0) {
  kind = resolved(form, kind);
  if (kind.s || depth > DEEPEST_INPUTS || (kind.t === "any" && kind.x)) return undefined;
  const inner = (kind, value) => withoutSecrets(form, kind, value, depth + 1);
  if (kind.t === "union") {
    const fitting = kind.a.filter(([, it]) => fits(form, it, value));
    return fitting.reduce((value, [, it]) => value && inner(it, value), value);
  }
  if (kind.t === "any" || typeof value === "string") return value;
  if (kind.t === "array" && Array.isArray(value)) {
    return value.map((element, at) => inner(kind.p?.[at] || kind.i || { t: "any" }, element)).filter((element) => element !== undefined);
  }
  if (kind.t !== "object" || !(value instanceof Map)) return undefined;
  const known = new Map(kind.f);
  const members = [...value].map(([name, member]) => [name, inner(known.get(name) || kind.o || { t: "any" }, member)]);
  return new Map(members.filter(([, member]) => member !== undefined));
}

class KeptValues {
  constructor(panel) {
    this.panel = panel;
    this.key = `docent-values ${location.pathname}#${panel.prefix}`;
    if (!isStoring()) return;
    addEventListener("pagehide", () => this.store());
  }

  // Returns the parameters of the page before it was loaded again.
  params() {
    const text = isStoring() && stored("sessionStorage", this.key);
    return text ? parse(text) : undefined;
  }

  // Stores what differs from what the form begins with. What is no JSON is not stored.
  store() {
    const { panel } = this;
    panel.flush();
    const { request } = panel;
    if (request.problem) return;
    let text = null;
    try {
      if (request.text !== this.begun) text = print(this.kept(parse(print(request.params ?? []))));
    } catch {
      // Of text that is no JSON nobody knows what in it is a secret.
    }
    stored("sessionStorage", this.key, text && text.length < MOST_STORED ? text : null);
  }

  // Returns the parameters without secrets. By position, those behind one are left out, too.
  kept(params) {
    const { panel } = this;
    const { fields } = panel;
    const kindOf = (field) => field?.kind || { t: "any" };
    if (params instanceof Map) {
      const members = [...params.keys()].map((name) => [name, kindOf(fields.find((field) => field.name === name))]);
      return withoutSecrets(panel, { t: "object", f: members }, params);
    }
    if (panel.request.isList) return withoutSecrets(panel, kindOf(fields[0]), params) ?? [];
    const values = params.map((value, at) => withoutSecrets(panel, kindOf(fields[at]), value));
    const end = values.indexOf(undefined);
    return end < 0 ? values : values.slice(0, end);
  }
}
