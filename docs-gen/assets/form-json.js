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

// Reads JSON, or throws: also if a name stands twice. It does not call itself, so any depth will do.
function parse(json) {
  JSON.parse(json);
  const open = [];
  let whole;
  let name;
  tokensOf(json).forEach((token, at, tokens) => {
    if (token === "," || token === ":") return;
    if (token === "]" || token === "}") {
      open.pop();
      return;
    }
    const around = open.at(-1);
    if (tokens[at + 1] === ":") {
      name = JSON.parse(token);
      if (around.has(name)) throw new SyntaxError("twice");
      return;
    }
    const value = token === "[" ? [] : token === "{" ? new Map() : token[0] === '"' ? quote(JSON.parse(token)) : token;
    if (!around) whole = value;
    else if (Array.isArray(around)) around.push(value);
    else around.set(name, value);
    if (typeof value !== "string") open.push(value);
  });
  return whole;
}

// Writes a value on one line. To compare values, members come in one order, and each number has one form.
function print(value, isCompared = false) {
  const parts = [];
  const rest = [value];
  while (rest.length) {
    const next = rest.pop();
    if (typeof next === "string") {
      parts.push(isCompared && NUMBER.test(next) ? normalized(next) : next);
      continue;
    }
    const isList = Array.isArray(next);
    const entries = [...next];
    if (isCompared && !isList) entries.sort(([one], [other]) => (one < other ? -1 : 1));
    parts.push(isList ? "[" : "{");
    rest.push(isList ? "]" : "}");
    for (let at = entries.length - 1; at >= 0; at--) {
      if (isList) rest.push(entries[at]);
      else rest.push(entries[at][1], quote(entries[at][0]) + ": ");
      if (at) rest.push(", ");
    }
  }
  return parts.join("");
}

// Returns where a text stops being JSON: at the first token that cannot stand there, or at its end.
function faultAt(text) {
  const open = [];
  let next = "value";
  let end = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const blank = text.slice(end, index).search(/[^ \t\r\n]/);
    if (blank >= 0) return end + blank;
    const around = open.at(-1);
    if (token === around && (next === "," || next === "first")) {
      open.pop();
      next = ",";
    } else if (next === "," || next === ":") {
      if (token !== next || (token === "," && !around)) return index;
      next = token === "," && around === "}" ? "name" : "value";
    } else if (next === "name" || (next === "first" && around === "}")) {
      if (token[0] !== '"' || !isJson(token)) return index;
      next = ":";
    } else if (token === "[" || token === "{") {
      open.push(token === "[" ? "]" : "}");
      next = "first";
    } else {
      if (!isJson(token)) return index;
      next = ",";
    }
    end = index + token.length;
  }
  return text.trimEnd().length;
}

// Returns the sentence that a text is no JSON, with the place; nothing where it is.
function notJson(text) {
  if (isJson(text)) return "";
  const lines = text.slice(0, faultAt(text)).split("\n");
  return filled(words.badJson, lines.length, lines.at(-1).length + 1);
}

const isText = (value) => typeof value === "string" && value[0] === '"';

// A step of a JSON Pointer.
const step = (name) => "/" + name.replaceAll("~", "~0").replaceAll("/", "~1");
const LONGEST_POINTER = 1000;
