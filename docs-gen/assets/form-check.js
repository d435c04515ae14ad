// Checks what a schema asks of a value as one types. A violation is said and stops nothing: the
// service decides. Numbers are compared as they are written, at any size.
const MOST_DIGITS = 400;
const LONGEST_CHECKED = 400;

function decimal(text) {
  const [, sign, whole, part = "", power = "0"] = text.match(/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/);
  const all = (whole + part).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  return { negative: Boolean(sign && digits), digits, power: digits ? Number(power) - part.length + all.length - digits.length : 0 };
}

function normalized(number) {
  const { negative, digits, power } = decimal(number);
  return `${negative ? "-" : ""}${digits || "0"}e${power}`;
}

// Returns the place of a value among those of an enumeration, or -1.
function placeOf(value, { v }) {
  printedValues.get(v) ?? printedValues.set(v, v.map((text) => print(parse(text), true)));
  return printedValues.get(v).indexOf(print(value, true));
}
// The values of each enumeration, as they are compared.
const printedValues = new WeakMap();

function compare(one, other) {
  if (one.negative !== other.negative) return one.negative ? -1 : 1;
  const sign = one.negative ? -1 : 1;
  const top = ({ digits, power }) => (digits ? digits.length + power : -Infinity);
  if (top(one) !== top(other)) return top(one) < top(other) ? -sign : sign;
  const length = Math.max(one.digits.length, other.digits.length);
  const [a, b] = [one, other].map(({ digits }) => digits.padEnd(length, "0"));
  return a === b ? 0 : a < b ? -sign : sign;
}

// Returns whether a number is the same after the language has read it.
function isExact(text) {
  if (!NUMBER.test(text) || text.length > 40 || (text.startsWith("-0") && !/[1-9]/.test(text))) return false;
  const double = Number(text);
  return Number.isFinite(double) && compare(decimal(String(double)), decimal(text)) === 0;
}

function isMultiple(text, step) {
  const [a, b] = [decimal(text), decimal(step)];
  const power = Math.min(a.power, b.power);
  if (!b.digits || a.power - power > MOST_DIGITS || b.power - power > MOST_DIGITS) return true;
  const whole = ({ digits, power: own }) => BigInt(digits || 0) * 10n ** BigInt(own - power);
  return whole(a) % whole(b) === 0n;
}

// Returns whether a text has a format, as far as a pattern tells.
function hasFormat(name, text) {
  const { pattern } = formatNamed(name);
  return !pattern || text.length > LONGEST_CHECKED || new RegExp(pattern, "u").test(text);
}

const formatNamed = (name) => (Object.hasOwn(formats, name) ? formats[name] : {});

const filled = (text, ...values) => values.reduce((text, value) => text.replace("{}", () => value), text);

function count(unit, least, most) {
  const values = [least, most].filter((it) => it !== undefined && it !== "0");
  if (!values.length) return "";
  const bound = least === most ? "exactly" : values.length === 2 ? "range" : values[0] === most ? "most" : "least";
  const single = bound === "exactly" ? values.slice(1) : values;
  const form = single.length === 1 && single[0] === "1" ? ".one" : "";
  return filled(facts[`${unit}.${bound}${form}`] || "", ...single);
}

// Returns what a kind asks, as phrases in the words of the rest of the page.
function asked(kind) {
  const phrases = [];
  if (kind.t === "integer" || kind.t === "number") {
    if (kind.min !== undefined && kind.max !== undefined) phrases.push(filled(facts.between, kind.min, kind.max));
    else {
      if (kind.min !== undefined) phrases.push(filled(facts.minimum, kind.min));
      if (kind.max !== undefined) phrases.push(filled(facts.maximum, kind.max));
    }
    if (kind.above !== undefined) phrases.push(filled(facts.above, kind.above));
    if (kind.below !== undefined) phrases.push(filled(facts.below, kind.below));
    if (kind.by !== undefined) phrases.push(filled(facts.multiple, kind.by));
  }
  if (kind.t === "string") {
    phrases.push(count("length", kind.least, kind.most));
    if (kind.p) phrases.push(filled(facts.pattern, kind.p));
  }
  if (kind.t === "array") {
    phrases.push(count("items", kind.least, kind.most));
    if (kind.u) phrases.push(facts.unique);
  }
  return phrases.filter(Boolean);
}

// Counts the characters of a text. A pair of surrogates is one.
function characters(text) {
  let pairs = 0;
  for (let at = 1; at < text.length; at++) if ((text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00) pairs++;
  return text.length - pairs;
}

const outside = (size, { least, most }) => (least !== undefined && size < Number(least)) || (most !== undefined && size > Number(most));

// The first thing that a value breaks, as a phrase; nothing where it fits.
function broken(kind, value) {
  if (kind.t === "integer" || kind.t === "number") {
    if (!NUMBER.test(value)) return words[kind.t];
    const own = decimal(value);
    if (kind.t === "integer" && own.power < 0) return words.integer;
    const beyond = (bound, test) => bound !== undefined && test(compare(own, decimal(bound)));
    if (beyond(kind.min, (it) => it < 0) || beyond(kind.max, (it) => it > 0)) return asked({ t: kind.t, min: kind.min, max: kind.max })[0];
    if (beyond(kind.above, (it) => it <= 0)) return filled(facts.above, kind.above);
    if (beyond(kind.below, (it) => it >= 0)) return filled(facts.below, kind.below);
    if (kind.by !== undefined && !isMultiple(value, kind.by)) return filled(facts.multiple, kind.by);
  } else if (kind.t === "string") {
    if (!isText(value)) return words.string;
    const text = JSON.parse(value);
    if (outside(characters(text), kind)) return count("length", kind.least, kind.most);
    if (kind.f && !hasFormat(kind.f, text)) return filled(words.format, kind.f);
    if (kind.p && text.length <= LONGEST_CHECKED && !new RegExp(kind.p, "u").test(text)) return filled(facts.pattern, kind.p);
  } else if (kind.g && !kind.x) {
    if (placeOf(value, kind) < 0) return words.choice;
  } else if (kind.t === "array" && Array.isArray(value)) {
    if (outside(value.length, kind)) return count("items", kind.least, kind.most);
    if (kind.u && new Set(value.map((element) => print(element, true))).size < value.length) return facts.unique;
  }
  return "";
}

// Returns whether a value can be shown by the inputs of a kind, whatever else it breaks.
function fits(form, kind, value, depth = 0) {
  kind = resolved(form, kind);
  if (value === "null" && kind.n) return true;
  switch (kind.t) {
    case "string": return isText(value);
    case "integer": case "number": return typeof value === "string" && NUMBER.test(value);
    case "enum": return Boolean(kind.g) || placeOf(value, kind) >= 0;
    case "object": return value instanceof Map;
    case "array": return Array.isArray(value);
    case "union": return depth < 8 && kind.a.some(([, it]) => fits(form, it, value, depth + 1));
    default: return true;
  }
}

// Returns how badly a value fits, to choose between alternatives.
function misfit(form, kind, value, depth = 0) {
  kind = resolved(form, kind);
  if (value === "null" && kind.n) return 0;
  if (!fits(form, kind, value)) return 100;
  if (depth > 5) return 0;
  if (kind.t === "object") {
    const known = new Map(kind.f.map((it) => [it[0], it]));
    let sum = kind.f.filter(([name, , required]) => required && !value.has(name)).length * 20;
    for (const [name, it] of value) {
      const field = known.get(name);
      sum += field ? Math.min(60, misfit(form, field[1], it, depth + 1)) : kind.c ? 30 : 2;
    }
    return Math.min(99, sum);
  }
  if (kind.t === "union") return Math.min(...kind.a.map(([, it]) => misfit(form, it, value, depth + 1)));
  if (kind.t === "array") return value.length && kind.i ? Math.min(50, misfit(form, kind.i, value[0], depth + 1)) : 0;
  return kind.t === "any" ? 1 : broken(kind, value) ? 10 : 0;
}

// A kind with what it refers to in its place. Null is one of the values of an enumeration that accepts it.
function resolved(form, kind) {
  let { n: nullable, s: secret } = kind;
  for (let turns = 0; "r" in kind; turns++) {
    kind = turns < 20 ? form.types[kind.r] : { t: "any" };
    nullable = nullable || kind.n;
    secret = secret || kind.s;
  }
  if (nullable && kind.t === "enum" && !kind.g) return { ...kind, n: undefined, s: secret, v: [...kind.v, "null"] };
  return (nullable && !kind.n) || (secret && !kind.s) ? { ...kind, n: nullable, s: secret } : kind;
}
