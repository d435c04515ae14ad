// A subscription: each event of the response has a message, which is shown as it comes. It is a script of its own, which
// only pages of subscriptions load; `form-answer.js` hands it what it needs of the others.
const MOST_EVENTS = 100;
const MOST_IN_ITEM = 200000;
const EVENT_END = /\r\n\r\n|\n\n|\r\r/g;

function dataOf(event) {
  const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:"));
  return lines.map((line) => line.slice(line[5] === " " ? 6 : 5)).join("\n");
}

class Events {
  constructor(panel) {
    this.panel = panel;
    this.text = "";
    this.kept = [];
    this.waiting = [];
    this.count = 0;
  }

  // Returns whether a response is a stream of events, and makes room for them.
  opens(response) {
    this.isOpen = response.ok && /^text\/event-stream\b/i.test(response.headers.get("Content-Type"));
    if (!this.isOpen) return false;
    const { answer } = this.panel;
    answer.begin(response);
    answer.text = "";
    answer.pre.hidden = true;
    // Items are read with the keys, too, once there are more than fit.
    this.list = element("ol", { class: "events", tabindex: "0", "aria-label": words.list });
    answer.pre.before(this.list);
    return true;
  }

  // Takes the next piece of the stream. What is left is the beginning of an event.
  push(piece) {
    this.text += piece;
    let start = 0;
    EVENT_END.lastIndex = Math.max(0, this.text.length - piece.length - 3);
    for (let end; (end = EVENT_END.exec(this.text)); start = EVENT_END.lastIndex) {
      const data = dataOf(this.text.slice(start, end.index));
      // Without data it is a comment, which only keeps the connection.
      if (data) this.take(data);
    }
    this.text = this.text.slice(start);
  }

  take(data) {
    this.kept = [...this.kept, data].slice(-MOST_EVENTS);
    let params;
    try {
      const message = parse(data);
      params = message.get("params") ?? new Map([["id", message.get("result")]]);
    } catch {
      params = new Map([["result", data]]);
    }
    this.cursor = params.get("cursor") ?? this.cursor;
    this.error = params.get("error") ?? this.error;
    this.hasEnded ||= params.get("ended") === "true";
    if (!params.has("result")) return;
    this.count += 1;
    // Only what is shown is laid out, and only once for all that comes at a time.
    this.waiting = [...this.waiting, params].slice(-MOST_EVENTS);
    if (this.waiting.length === 1) requestAnimationFrame(() => this.draw());
  }

  draw() {
    const { waiting, list, panel } = this;
    this.waiting = [];
    if (list.isConnected) panel.answer.text = this.kept.join("\n");
    for (const params of waiting) list.prepend(this.entry(params));
    while (list.children.length > MOST_EVENTS) list.lastChild.remove();
  }

  // The newest is first, so that nobody has to scroll for it.
  entry(params) {
    const entry = element("li");
    const missed = params.get("missed");
    if (missed) entry.append(element("p", { class: "problem" }, filled(words.missed, missed)));
    const code = element("code");
    const text = print(params.get("result"));
    if (isJson(text) && text.length < MOST_IN_ITEM) showJson(code, text);
    else code.textContent = text.slice(0, MOST_IN_ITEM);
    const item = element("pre");
    item.append(code);
    entry.append(item);
    return entry;
  }

  get progress() {
    return `${words.subscribed} · ${filled(words.received, this.count)}`;
  }

  // Says how it went, and shows the way back.
  close({ response, answer: { end } }) {
    const { panel, error } = this;
    const ends = { stopped: words.stopped, large: words.large, broken: words.lost, whole: panel.data.untold ? words.over : words.lost };
    const code = error instanceof Map ? error.get("code") : undefined;
    const text = code ? inWords({ code, message: error.get("message") }) : this.hasEnded ? words.ended : ends[end];
    this.draw();
    const outcome = `${text} · ${filled(words.received, this.count)}`;
    panel.say(outcome, this.hasEnded || end === "stopped" ? "success" : "failure");
    panel.answer.keep(outcome, { response, answer: { text: this.kept.join("\n"), end } });
    if (code) panel.answer.linkError(code);
    if (!isText(this.cursor) || !panel.data.resume) return;
    const cursor = JSON.parse(this.cursor);
    const again = button(words.resume, "resume", () => this.resume(cursor));
    panel.answer.explained.append(element("span", {}, filled(words.cursor, inLine(cursor))), again);
  }

  // Subscribes again, after the item that has this cursor.
  resume(cursor) {
    const { panel } = this;
    const [name, takesText] = panel.data.resume;
    panel.fields.find((field) => field.name === name)?.set(takesText ? quote(cursor) : cursor);
    panel.changed();
    panel.send();
  }
}
