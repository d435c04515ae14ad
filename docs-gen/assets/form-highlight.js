// The colours of code and JSON, as the generator gives them, up to a number of pieces that a page can
// bear. What is painted is a list of texts and their kinds.
const MOST_COLOURED = 12000;
const MOST_IN_SAMPLES = 2000;
const CODE = /(?<!\S)(?:\/\/|#) [^\n]*|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*'|\w+/g;
const VALUE = /"[^"\\]*(?:\\.[^"\\]*)*"?|[!#-+\--9;-Z\\^-z|~]+/gs;
const KEYWORDS = new Set(languages.samples.keywords);

function kindOfCode(token, next) {
  if (token[0] === '"' || token[0] === "'") return next === ":" ? "k" : "s";
  return token[0] === "/" || token[0] === "#" ? "c" : KEYWORDS.has(token) ? "w" : "";
}

function kindOfValue(token, next) {
  if (token[0] !== '"') return "n";
  return next === ":" ? "k" : "s";
}

function pieces(text, pattern, kindOf) {
  const found = [];
  let plain = 0;
  for (const { 0: token, index } of text.matchAll(pattern)) {
    const end = index + token.length;
    const kind = kindOf(token, text[end]);
    if (!kind) continue;
    found.push([text.slice(plain, index), ""], [token, kind]);
    plain = end;
  }
  found.push([text.slice(plain), ""]);
  return found;
}

const piecesOfCode = (text) => pieces(text, CODE, kindOfCode);
const piecesOfJson = (text) => pieces(text, VALUE, kindOfValue);

// Returns texts in their colours. `room` says how many more pieces the page can bear.
function coloured(all, room) {
  const fragment = document.createDocumentFragment();
  let plain = "";
  for (const [text, kind] of all) {
    if (!kind || --room.left < 0) {
      plain += text;
      continue;
    }
    if (plain) fragment.append(plain);
    plain = "";
    const span = document.createElement("span");
    span.className = kind;
    span.textContent = text;
    fragment.append(span);
  }
  if (plain) fragment.append(plain);
  return fragment;
}

function paint(place, all, most = MOST_COLOURED) {
  place.replaceChildren(coloured(all, { left: most }));
}

// Shows JSON, laid out, in the colours of the rest of the page.
function showJson(place, text) {
  const all = [];
  layOut(tokensOf(text), (piece, kind) => all.push([piece, kind]));
  paint(place, all);
}
