// JSON as text. Numbers are never read as numbers of the language, so none is rounded. A value is
// the text of a scalar, an array, or a `Map` of members.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const HIDDEN = new RegExp('["\\\\\\n\\r\\t' + languages.hidden + "\\ud800-\\udfff]", "gu");
const SHORT = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
// The same widths as those of the generator, which lays out what stands in the page.
const WIDTH = 48;
const NARROW = 12;
const DEEPEST = 24;
const MOST_LEVELS = 200;

const quote = (text) => '"' + text.replace(HIDDEN, (it) => SHORT[it] || "\\u" + it.charCodeAt(0).toString(16).padStart(4, "0")) + '"';
const tokensOf = (json) => json.match(TOKEN) || [];
const spaced = (token) => (token === "," || token === ":" ? token + " " : token);
const compact = (json) => tokensOf(json).map(spaced).join("");

// Lays JSON out in lines, in time that grows with its length, however deep it is. Calls `write` for
// each piece with its kind: a name, a string, another scalar, or nothing of the three.
function layOut(tokens, write) {
  const starts = new Uint32Array(tokens.length + 1);
  const ends = new Uint32Array(tokens.length);
  const open = [];
  tokens.forEach((token, at) => {
    starts[at + 1] = starts[at] + spaced(token).length;
    if (token === "[" || token === "{") open.push(at);
    else if ((token === "]" || token === "}") && open.length) ends[open.pop()] = at;
  });
  let depth = 0;
  let column = 0;
  let flat = -1;
  const newLine = () => {
    write("\n" + "  ".repeat(Math.min(depth, DEEPEST)), "");
    column = 2 * depth;
  };
  tokens.forEach((token, at) => {
    const isEnd = token === "]" || token === "}";
    if (at > flat && isEnd) {
      depth = Math.max(0, depth - 1);
      newLine();
    }
    const isScalar = !isEnd && !"[{,:".includes(token);
    const kind = !isScalar ? "" : token[0] !== '"' ? "n" : tokens[at + 1] === ":" ? "k" : "s";
    const text = token === "," && at > flat ? "," : spaced(token);
    write(text, kind);
    column += text.length;
    if (at <= flat || isScalar || isEnd) return;
    if (token === ",") newLine();
    else if (token !== ":") {
      const width = starts[ends[at] + 1] - starts[at];
      // The bracket itself has been written already.
      if (ends[at] && (depth >= DEEPEST || width <= Math.max(WIDTH - column + 1, NARROW))) flat = ends[at];
      else {
        depth++;
        newLine();
      }
    }
  });
}

function pretty(json) {
  const parts = [];
  layOut(tokensOf(json), (text) => parts.push(text));
  return parts.join("");
}

// Reads JSON, or throws: also where a name stands twice, or where it is too deep for a form.
function parse(json) {
  JSON.parse(json);
  const tokens = tokensOf(json);
  let at = 0;
  const value = (depth) => {
    if (depth > MOST_LEVELS) throw new RangeError("deep");
    const token = tokens[at++];
    if (token === "[") {
      const list = [];
      while (tokens[at] !== "]") {
        list.push(value(depth + 1));
        if (tokens[at] === ",") at++;
      }
      at++;
      return list;
    }
    if (token === "{") {
      const members = new Map();
      while (tokens[at] !== "}") {
        const name = JSON.parse(tokens[at]);
        if (members.has(name)) throw new SyntaxError("twice");
        at += 2;
        members.set(name, value(depth + 1));
        if (tokens[at] === ",") at++;
      }
      at++;
      return members;
    }
    return token[0] === '"' ? quote(JSON.parse(token)) : token;
  };
  return value(0);
}

function print(value) {
  if (Array.isArray(value)) return "[" + value.map(print).join(", ") + "]";
  if (value instanceof Map) return "{" + [...value].map(([name, it]) => quote(name) + ": " + print(it)).join(", ") + "}";
  return value;
}

// The value with its members in one order, to compare.
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (!(value instanceof Map)) return value;
  return new Map([...value].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, it]) => [name, sorted(it)]));
}

const same = (one, other) => print(sorted(one)) === print(sorted(other));
const isText = (value) => typeof value === "string" && value[0] === '"';

// The first members of a message, without reading all of it: an error's code and message.
function errorIn(tokens) {
  let depth = 0;
  let inError = false;
  const found = {};
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") {
      depth--;
      if (depth === 1 && inError) return found;
    } else if (tokens[at + 1] === ":" && tokens[at + 2] !== undefined) {
      if (depth === 1 && tokens[0] === "{") inError = token === '"error"';
      if (depth === 2 && inError && token === '"code"') found.code = tokens[at + 2];
      if (depth === 2 && inError && token === '"message"') found.message = tokens[at + 2];
    }
  }
  return found;
}
