// The request, of which the rows and the editor are two views: a text, and the message that it stands for.
// A row changes its own value in the message and nothing else. Of a text that is no such message the
// problem says why no row can change it.
const KEY = "x-idempotency-key";
// Beyond these many characters work waits until the reader pauses, and a request is not laid out.
const MOST_AT_ONCE = 20000;
const MOST_LAID_OUT = 200000;
// The text in an array for a parameter that can only be left out by name.
const GAP = "";
// Stands for what a row holds that is no JSON, until the rest is laid out. No JSON has this character.
const TYPED = "\u0001";

class CallRequest {
  constructor({ method, by }) {
    this.method = method;
    this.isList = by === "list";
    this.read(`{"jsonrpc": "2.0", "method": ${quote(method)}, "id": 1}`);
  }

  // Takes a text that the reader wrote.
  read(text) {
    this.text = text;
    this.fault = notJson(text);
    this.problem = this.fault;
    if (this.fault) return;
    let message;
    try {
      message = parse(text);
    } catch {
      this.problem = words.twice;
      return;
    }
    const params = message instanceof Map ? message.get("params") : undefined;
    if (Array.isArray(message)) this.problem = words.isBatch;
    else if (!(message instanceof Map) || message.get("method") !== quote(this.method)) this.problem = words.otherMethod;
    else if (typeof params === "string" && params !== "null") this.problem = words.otherParams;
    else this.message = message;
  }

  // Writes the text anew, after the message has changed. What a row holds that is no JSON stays as it is typed.
  print() {
    const { message, params } = this;
    const typed = [];
    const shown = (value) => {
      if (typeof value !== "string" || isJson(value)) return value;
      typed.push(value);
      return TYPED;
    };
    const written = new Map(message);
    if (params instanceof Map) written.set("params", new Map([...params].map(([name, value]) => [name, shown(value)])));
    else if (params !== undefined) written.set("params", Array.isArray(params) ? params.map(shown) : shown(params));
    const line = print(written);
    const text = line.length > MOST_LAID_OUT ? line : pretty(line);
    this.text = text.replaceAll(TYPED, () => typed.shift());
  }

  get params() {
    const params = this.message.get("params");
    return params === "null" ? undefined : params;
  }

  get isByPosition() {
    return Array.isArray(this.params);
  }

  // The value for each row. What a row has written is text, and may be no JSON.
  values(rows) {
    const { params } = this;
    return rows.map((row, at) => {
      const value = params instanceof Map ? params.get(row.name) : this.isList ? params : params?.[at];
      try {
        return typeof value === "string" ? parse(value) : value;
      } catch {
        return value;
      }
    });
  }

  // The parameters by name, as GET sends them; nothing where one has no name, or cannot be read.
  named(rows) {
    const params = this.params ?? [];
    const read = (value) => parse(print(value));
    try {
      if (params instanceof Map) return [...params].map(([name, value]) => [name, read(value)]);
      if (this.isList) return params.length ? [[rows[0].name, read(params)]] : [];
      if (params.length > rows.length) return undefined;
      return params.flatMap((value, at) => (value === GAP ? [] : [[rows[at].name, read(value)]]));
    } catch {
      return undefined;
    }
  }

  // The first row that is left out before one that is given, if nothing stands for it: only names can leave it out.
  firstGap(rows) {
    const given = rows.filter((row) => row.given);
    return rows.slice(0, rows.indexOf(given.at(-1)) + 1).find((row) => !row.given && row.standIn === undefined);
  }

  // Writes what the rows hold, and leaves the parameters that have no row as they are.
  write(rows, isByPosition) {
    const { params } = this;
    const given = rows.filter((row) => row.given);
    const byName = new Map(params instanceof Map ? params : []);
    if (this.isList && !(params instanceof Map)) return this.set("params", given[0]?.get());
    if (isByPosition) {
      const others = this.isByPosition ? params.slice(rows.length) : [];
      const sent = rows.slice(0, others.length ? rows.length : rows.lastIndexOf(given.at(-1)) + 1);
      const values = [...sent.map((row) => row.get() ?? row.standIn ?? GAP), ...others];
      return this.set("params", values.length ? values : undefined);
    }
    for (const row of rows) if (!row.given) byName.delete(row.name);
    for (const row of given) byName.set(row.name, row.get());
    return this.set("params", byName.size ? byName : undefined);
  }

  // Returns whether each parameter has a row.
  hasRowsFor(rows) {
    const { params } = this;
    if (params instanceof Map) return [...params.keys()].every((name) => rows.some((row) => row.name === name));
    return !params || params.length <= rows.length;
  }

  set(name, value) {
    const { message } = this;
    const id = message.get("id");
    if (value === undefined) message.delete(name);
    else if (message.has(name) || id === undefined) message.set(name, value);
    else {
      // The id is last, as in the examples.
      message.delete("id");
      message.set(name, value).set("id", id);
    }
  }
}
