// The samples, from the generator's own templates. A test compares the two.
function escaped(name, text) {
  if (name === "quote") return quote(text);
  if (name === "words") return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|[a-z]+/gs, (it) => (Object.hasOwn(languages.samples.words, it) ? languages.samples.words[it] : it));
  if (name === "fence") {
    let hashes = "#";
    while (text.includes('"' + hashes)) hashes += "#";
    return hashes;
  }
  return (languages.samples.escapes[name] || []).reduce((text, [from, to]) => text.replaceAll(from, to), text);
}

// The texts of a template, and the values between them, which have names.
function parts(template, values) {
  return template.split(/<<(.*?)>>/).map((part, at) => {
    if (at % 2 === 0) return { text: part };
    const [name, ...escapes] = part.split("|");
    return { name, escapes, text: escapes.reduce((text, it) => escaped(it, text), values[name]) };
  });
}

// The code around the message, and the message, each with its colours.
function fill(template, values) {
  let code = "";
  const all = [];
  parts(template, values).forEach(({ name, escapes, text }) => {
    if ((name === "body" || name === "arguments") && !escapes.includes("fence")) {
      all.push(...piecesOfCode(code), ...piecesOfJson(text));
      code = "";
    } else {
      code += text;
    }
  });
  return [...all, ...piecesOfCode(code)];
}

// Returns whether JavaScript and Python send the message as it is when they read it as their own.
function survives(message) {
  return tokensOf(message).every((token, at, tokens) => {
    if (/^-?\d/.test(token)) return isExact(token);
    if (tokens[at + 1] !== ":" || token[0] !== '"') return true;
    return token !== '"__proto__"' && !(token.includes("\\") && /^"__proto__"$/.test(token.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)))));
  });
}

// No address ends a string of any language.
const harmless = (address) => address.replace(/[^A-Za-z0-9\-._~:/?#[\]@!$&()*+,;=%]/gu, encodeURIComponent).replaceAll("'", "%27");

// A header field has a value, or the place of a secret in the environment.
function headerField(language, [field, value]) {
  const [template, values] = typeof value === "string" ? [language.field, { field, value }] : [language.credential[Number(Boolean(value.scheme))], { field, ...value }];
  return parts(template, values).map(({ text }) => text).join("");
}

function sample(language, { address, message, get, fields, method, named }) {
  const url = harmless(get || address);
  const lines = fields.map((field) => headerField(language, field)).join("");
  const headers = (get ? language.get_headers : language.headers)[Number(Boolean(lines))].replace("<<credentials>>", () => lines);
  const hasSecret = fields.some(([, value]) => typeof value !== "string");
  const environment = (hasSecret && language.environment) || "";
  if (get) return fill(language.get, { url, headers, environment });
  const template = language.exact && !survives(message) ? language.exact : language.post;
  return fill(template, { url, line: compact(message), body: pretty(message), headers, environment, method, arguments: named?.length ? pretty(print(new Map(named))) : "" });
}

// Returns the path and query of a GET, behind the address; nothing where a value cannot be sent that way.
function query(method, params) {
  if (!params) return undefined;
  const encoded = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (it) => "%" + it.charCodeAt(0).toString(16).toUpperCase());
  const parts = [];
  for (const [name, value] of params) {
    for (const element of Array.isArray(value) ? value : [value]) {
      if (typeof element !== "string" || element === "null") return undefined;
      parts.push(encoded(name) + "=" + encoded(isText(element) ? JSON.parse(element) : element));
    }
  }
  return "/" + encoded(method) + (parts.length ? "?" + parts.join("&") : "");
}
