// An error as its service words it, with its code.
function inWords({ code, message }) {
  const text = (isText(message) && inLine(JSON.parse(message))) || words.noMessage;
  return code === undefined ? text : `${text} (${code})`;
}

// The answer to a call, as text, behind a tab of its own before those of the examples.
class Answer {
  constructor(panel) {
    this.panel = panel;
    this.place = panel.call.querySelector(".answers");
    if (!this.place) {
      this.place = element("div", { class: "answers" });
      this.place.append(element("div", { class: "tabs" }));
      panel.call.append(this.place);
    }
    const tabs = this.place.querySelector(".tabs");
    const id = panel.prefix + "answer-own";
    this.tab = element("input", { type: "radio", name: panel.prefix + "answer", id });
    this.label = element("label", { for: id }, words.answer);
    this.element = element("div", { class: "panel answer" });
    this.explained = element("p", { class: "fact" });
    this.code = element("code", { class: "answer-text" });
    this.text = "";
    const pre = element("pre", { tabindex: "0" });
    pre.append(this.code);
    this.pre = pre;
    const frame = element("div", { class: "copyable" });
    frame.append(pre, self.docentCopy(() => this.text));
    this.headers = element("code", { class: "headers" });
    const fold = element("details");
    const headers = element("pre", { tabindex: "0" });
    headers.append(this.headers);
    fold.append(element("summary", {}, words.headers), headers);
    this.element.append(this.explained, frame, fold);
    this.tab.hidden = this.label.hidden = true;
    tabs.prepend(this.tab, this.label, this.element);
    self.docentTabs.observe(tabs);
  }

  // Removes the answer of the call before, because the last call has none.
  forget() {
    this.text = "";
    const first = this.element.parentElement.querySelector("input:not([hidden]) ~ input");
    this.tab.hidden = this.label.hidden = true;
    if (this.tab.checked && first) first.checked = true;
    else this.tab.checked = false;
  }

  // Shows the tab, with what every response has.
  begin(response) {
    this.explained.replaceChildren();
    this.element.querySelector(".events")?.remove();
    this.pre.hidden = false;
    this.headers.textContent = [...response.headers].map(([name, value]) => name + ": " + value).join("\n");
    this.tab.hidden = this.label.hidden = false;
    this.tab.checked = true;
  }

  // Shows what came back; returns its error in words, if there is one, and whether it is a result.
  show({ response, answer: { text, end } }) {
    this.text = text;
    this.begin(response);
    const isWhole = end === "whole" && isJson(text);
    if (!text) this.code.textContent = words.noAnswer;
    else if (!isWhole || text.length > MOST_SHOWN) this.code.textContent = text.slice(0, MOST_SHOWN);
    else {
      showJson(this.code, text);
      this.text = this.code.textContent;
    }
    const { errors, calls } = errorsIn(isWhole ? tokensOf(text) : []);
    if (errors[0]?.code !== undefined && text.trimStart()[0] === "{") this.linkError(errors[0].code);
    const error = calls > 1 && errors.length ? filled(words.failed, errors.length, calls) : errors.map(inWords).join("");
    return { error, isResult: response.ok && end === "whole" && !errors.length };
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
