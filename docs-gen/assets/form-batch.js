// The batch: requests that were collected, on this page and others of the service, without credentials.
const batches = new Map();

class Batch {
  constructor(panel) {
    this.panel = panel;
    this.key = "docent-batch " + (panel.data.address || location.pathname.replace(/[^/]*$/, ""));
    this.element = element("div", { class: "batch", hidden: "" });
    this.show();
  }

  collected() {
    try {
      return JSON.parse(stored("sessionStorage", this.key)) || batches.get(this.key) || [];
    } catch {
      return [];
    }
  }

  store(list) {
    batches.set(this.key, list);
    stored("sessionStorage", this.key, JSON.stringify(list));
    this.show();
  }

  // Each call of a batch has its own id, or its answer could not be told from the others.
  text() {
    const numbered = this.collected().map((text, at) => {
      try {
        const message = parse(text);
        if (message.has("id")) message.set("id", String(at + 1));
        return print(message);
      } catch {
        return text;
      }
    });
    return pretty("[" + numbered.join(", ") + "]");
  }

  show() {
    const list = this.collected();
    this.element.hidden = !list.length;
    const entries = element("ol");
    list.forEach((text, at) => {
      const entry = element("li");
      entry.append(element("code", {}, text.length > 120 ? text.slice(0, 120) + "…" : text), remover(String(at + 1), () => this.store(list.filter((_, own) => own !== at))));
      entries.append(entry);
    });
    this.element.replaceChildren(
      element("p", { class: "fact" }, filled(words.batch, String(list.length))),
      entries,
      button(words.sendBatch, "send-batch", () => this.panel.send(this.text())),
    );
  }
}
