// Trying a procedure. The request is text from the first to the last: numbers are checked against
// JSON's grammar and sent as they were typed, and the answer is shown as it came.
(function () {
  "use strict";
  const strings = self.docentStrings;
  const SHOWN = 500000;
  const DEEPEST = 24;
  const LINES = Array.from({ length: DEEPEST + 1 }, (_, depth) => "\n" + "  ".repeat(depth));
  const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

  // A JSON text with line ends and indentation of its own; what is in strings, and every number,
  // stays as it is. What is nested deeper stays on one line: if each level had one more space, the
  // text would grow with the square of its depth.
  function indent(json) {
    let out = "";
    let depth = 0;
    const tokens = json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs) || [];
    const isAt = (at, brackets) => brackets.includes(tokens[at] || " ");
    tokens.forEach((token, at) => {
      const isBroken = depth <= DEEPEST;
      if (isAt(at, "]}")) {
        depth = Math.max(0, depth - 1);
        if (isBroken && !isAt(at - 1, "[{")) out += LINES[depth];
      }
      out += token;
      if (isAt(at, "[{")) {
        depth++;
        if (depth <= DEEPEST && !isAt(at + 1, "]}")) out += LINES[depth];
      } else if (token === ",") out += isBroken ? LINES[depth] : " ";
      else if (token === ":") out += " ";
    });
    return out;
  }

  const isJson = (text) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  // The value of a field as JSON text.
  function value(field) {
    const input = field.querySelector("input:not([type=checkbox]), textarea, select");
    const text = input.value;
    let problem = "";
    if (field.dataset.kind === "number" && !NUMBER.test(text.trim())) problem = strings.badNumber + text;
    if (field.dataset.kind === "json" && !isJson(text)) problem = strings.badJson + text;
    input.setCustomValidity(problem);
    return field.dataset.kind === "string" ? JSON.stringify(text) : text.trim();
  }

  function message(form) {
    const fields = [...form.querySelectorAll(".field")];
    const given = fields.filter((field) => {
      const box = field.querySelector("input[type=checkbox]");
      return !box || box.checked;
    });
    const members = ['"jsonrpc": "2.0"', '"method": ' + form.dataset.method];
    if ("variadic" in form.dataset) members.push('"params": ' + value(fields[0]));
    else if ("position" in form.dataset) {
      // A place cannot be left out, so everything before the last that is given goes with it.
      const last = fields.lastIndexOf(given[given.length - 1]);
      if (last >= 0) members.push('"params": [' + fields.slice(0, last + 1).map(value).join(", ") + "]");
    } else if (given.length) {
      const params = given.map((field) => field.dataset.name + ": " + value(field));
      members.push('"params": {' + params.join(", ") + "}");
    }
    if (!form.querySelector(".silent").checked) members.push('"id": 1');
    return indent("{" + members.join(", ") + "}");
  }

  // The value of the header field. Whoever pastes a scheme with the token means that scheme.
  function authorization(field) {
    const text = field.value.trim();
    const scheme = field.dataset.scheme;
    return scheme && text && !text.includes(" ") ? scheme + " " + text : text;
  }

  // Reads at most so much: an answer may never end.
  async function read(response) {
    if (!response.body) return { text: "", bytes: 0, whole: true };
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode(), bytes, whole: true };
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
      if (text.length > SHOWN) {
        reader.cancel();
        return { text: text.slice(0, SHOWN), bytes, whole: false };
      }
    }
  }

  function target(address) {
    const base = new URL(self.docentRoot, location.href);
    const url = new URL(address, address.includes(":") ? undefined : base);
    if (url.protocol !== "http:" && url.protocol !== "https:") throw new TypeError(address);
    return url;
  }

  function begin(section) {
    const form = section.querySelector("form");
    const body = form.querySelector(".body");
    const state = section.querySelector(".state");
    const answer = section.querySelector(".answer");
    const stop = form.querySelector(".stop");
    const address = form.querySelector(".address");
    const token = form.querySelector(".token");
    let running;

    const refresh = () => {
      body.value = message(form);
      body.rows = Math.min(24, body.value.split("\n").length + 1);
    };
    try {
      address.value = target(address.value).href;
    } catch {
      // Stays for the reader to fill in.
    }
    refresh();
    form.addEventListener("input", (event) => {
      const field = event.target.closest(".field");
      const box = field && field.querySelector("input[type=checkbox]");
      if (box && event.target !== box) box.checked = true;
      if (field || event.target.matches(".silent")) refresh();
      if (event.target === token) token.setCustomValidity(/[^ -~]/.test(token.value) ? strings.badToken : "");
    });
    stop.addEventListener("click", () => running && running.abort());

    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      let url;
      try {
        url = target(address.value);
      } catch {
        state.textContent = strings.badAddress + address.value;
        return;
      }
      if (running) running.abort();
      const mine = (running = new AbortController());
      const headers = { "Content-Type": "application/json" };
      const credential = authorization(token);
      if (credential) headers.Authorization = credential;
      state.textContent = strings.sending;
      answer.hidden = true;
      stop.hidden = false;
      const started = performance.now();
      try {
        const response = await fetch(url, { method: "POST", headers, body: body.value, redirect: "error", signal: mine.signal });
        const { text, bytes, whole } = await read(response);
        const time = Math.round(performance.now() - started);
        state.textContent = `${response.status} ${response.statusText} · ${time} ${strings.milliseconds} · ${bytes} ${strings.bytes}` + (whole ? "" : " · " + strings.cut);
        answer.querySelector(".text").textContent = !text ? strings.noAnswer : whole && isJson(text) ? indent(text) : text;
        answer.querySelector(".headers").textContent = [...response.headers].map(([name, value]) => name + ": " + value).join("\n");
        answer.hidden = false;
      } catch (error) {
        if (running === mine) state.textContent = error.name === "AbortError" ? strings.stopped : strings.error;
      } finally {
        if (running === mine) stop.hidden = true;
      }
    });
    section.hidden = false;
  }

  function all() {
    for (const section of document.querySelectorAll(".try")) begin(section);
  }
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", all);
  else all();
})();
