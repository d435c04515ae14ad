// JSON of an answer, laid out, in the colours of the rest of the page. Objects and lists of several lines fold. Each fold
// and colour is an element, so there are so many and no more; what lies deeper than the layout goes stays on its line.
const MOST_FOLDS = 1000;

// Appends a fold. Only the first is a stop of the Tab key; arrows lead to the others.
function fold(place, head, isFirst) {
  const own = element("details", { open: "" });
  const summary = element("summary", { tabindex: isFirst ? "0" : "-1" });
  summary.append(head);
  own.append(summary);
  place.append(own);
  return own;
}

function showFolds(place, text) {
  const room = { left: MOST_COLOURED };
  // The folds around a line. One that is too many is the fold around it.
  const around = [place];
  let folds = 0;
  let pieces = [];
  let line = [["", ""]];

  const write = () => {
    around.at(-1).append(coloured(pieces, room));
    pieces = [];
  };
  // A line that ends with a bracket begins a fold, and one that begins with a bracket ends it.
  const endLine = (end) => {
    const first = line[1][0];
    const last = line.at(-1)[0];
    const begins = last === "{" || last === "[";
    if (begins && folds < MOST_FOLDS) {
      write();
      around.push(fold(around.at(-1), coloured(line, room), folds === 0));
      folds += 1;
      return;
    }
    pieces.push(...line, [end, ""]);
    if (begins) around.push(around.at(-1));
    if (first !== "}" && first !== "]") return;
    write();
    around.pop();
  };

  place.replaceChildren();
  layOut(tokensOf(text), (piece, kind) => {
    if (piece[0] !== "\n") line.push([piece, kind]);
    else {
      endLine("\n");
      line = [[piece.slice(1), ""]];
    }
  });
  endLine("");
  write();
}

// The arrow keys go from fold to fold.
function addFoldKeys(place) {
  place.addEventListener("keydown", (event) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!move || event.target.localName !== "summary") return;
    const shown = [...place.querySelectorAll("summary")].filter((summary) => summary.checkVisibility());
    const next = shown[shown.indexOf(event.target) + move];
    if (!next) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
