// The response of a call, in the place of the request: what came, as text that folds, and its header fields. It is a
// script of its own, which the form loads when the first call is sent; `form-panel.js` hands it what it needs.
const MOST_CALLS = 5;

class Answer {
  constructor(panel, pane) {
    this.panel = panel;
    this.text = "";
    // The last calls, the newest first.
    this.calls = [];
    this.choice = element("select", { "aria-label": words.calls });
    this.choice.addEventListener("change", () => this.show(this.calls[this.choice.value]));
    this.download = button(words.download, "download", () => this.save());
    const head = element("div", { class: "answer-head" });
    head.append(this.choice, this.download);
    this.explained = element("p", { class: "fact" });
    this.code = element("code", { class: "answer-text" });
    addFoldKeys(this.code);
    this.pre = element("pre", { tabindex: "0" });
    this.pre.append(this.code);
    const frame = element("div", { class: "copyable" });
    frame.append(this.pre, self.docentCopy(() => this.text));
    this.headers = element("code", { class: "headers" });
    this.fold = element("details");
    const headers = element("pre", { tabindex: "0" });
    headers.append(this.headers);
    this.fold.append(element("summary", {}, words.headers), headers);
    pane.replaceChildren(head, this.explained, frame, this.fold);
    this.pane = pane;
  }

  // Says why there is no response; the one of the call before does not stay.
  fail(message) {
    this.choice.value = "";
    this.write("");
    this.explained.textContent = message;
    this.pre.hidden = this.fold.hidden = true;
    this.panel.showPane("response");
  }

  // Shows the pane, with what every response has.
  begin(response) {
    this.explained.replaceChildren();
    this.pane.querySelector(".events")?.remove();
    this.pre.hidden = this.fold.hidden = false;
    this.headers.textContent = [...response.headers].map(([name, value]) => name + ": " + value).join("\n");
    this.panel.showPane("response");
  }

  // Keeps a call, to be shown again, under what became of it.
  keep(title, call) {
    this.calls = [{ title: `${new Date().toLocaleTimeString(document.documentElement.lang)} · ${title}`, ...call }, ...this.calls].slice(0, MOST_CALLS);
    this.choice.replaceChildren(...this.calls.map(({ title }, at) => element("option", { value: String(at) }, title)));
  }

  // Shows what came back; returns its error in words, if there is one, and whether it is a result.
  show({ response, answer: { text, end } }) {
    this.begin(response);
    const isWhole = end === "whole" && isJson(text);
    const isFolded = isWhole && text.length <= MOST_SHOWN;
    if (isFolded) showFolds(this.code, text);
    else this.code.textContent = text.slice(0, MOST_SHOWN) || words.noAnswer;
    this.write(isFolded ? pretty(text) : text);
    const { errors, calls } = errorsIn(isWhole ? tokensOf(text) : []);
    if (errors[0]?.code !== undefined && text.trimStart()[0] === "{") this.linkError(errors[0].code);
    const error = calls > 1 && errors.length ? filled(words.failed, errors.length, calls) : errors.map(inWords).join("");
    return { error, isResult: response.ok && end === "whole" && !errors.length, isAnswer: calls > 0 };
  }

  // Takes the text to be copied or saved.
  write(text) {
    this.text = text;
    this.download.hidden = text.length < MOST_AT_ONCE;
  }

  // Saves a large text as a file.
  save() {
    const href = URL.createObjectURL(new Blob([this.text]));
    element("a", { href, download: `${this.panel.data.method}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }

  // From an error's code to what the page says of it.
  linkError(code) {
    const { data, prefix } = this.panel;
    const known = data.foreign ? protocolCodes.foreign : protocolCodes.docent;
    const declared = document.getElementById(`${prefix}error.${code}`);
    const href = declared ? "#" + declared.id : known.includes(Number(code)) ? data.codes + code : "";
    if (href) this.explained.append(element("a", { href, class: "error-link" }, filled(words.errorCode, code)));
  }
}
