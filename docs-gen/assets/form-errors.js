// An error as its service words it, behind its code.
function inWords({ code, message }) {
  const text = (isText(message) && inLine(JSON.parse(message))) || words.noMessage;
  return code === undefined ? text : `${code} ${text}`;
}

// The errors of an answer, and how many calls it answers: one, or those of a batch. Protocols before 2.0 have an error
// of null beside a result, and may have a text alone.
function errorsIn(tokens) {
  const inMessage = tokens[0] === "[" ? 2 : 1;
  const errors = [];
  let calls = 0;
  let depth = 0;
  let error;
  tokens.forEach((token, at) => {
    if (token === "{" || token === "[") {
      depth++;
      if (depth === inMessage) calls++;
    } else if (token === "}" || token === "]") depth--;
    else if (tokens[at + 1] === ":") {
      const value = tokens[at + 2];
      if (depth === inMessage) {
        error = token === '"error"' && (value === "{" || isText(value)) ? { message: value } : undefined;
        if (error) errors.push(error);
      } else if (depth === inMessage + 1 && error) {
        if (token === '"code"') error.code = value;
        if (token === '"message"') error.message = value;
      }
    }
  });
  return { errors, calls };
}

// A text that a service wrote, on one line that shows what is in it.
const MOST_IN_LINE = 200;
const MOST_REASONS = 50;
const DECEPTIVE = new RegExp("[" + languages.hidden + "]", "gu");

function inLine(text) {
  const line = text.replace(/\s+/g, " ").replace(DECEPTIVE, "").trim();
  return line.length > MOST_IN_LINE ? line.slice(0, MOST_IN_LINE) + "…" : line;
}

// Returns the reasons in an error of Docent, by the pointers of the values that are wrong.
function reasonsIn(text) {
  const textIn = (map, name) => (isText(map.get(name)) ? JSON.parse(map.get(name)) : "");
  try {
    const data = parse(text).get("error").get("data");
    return [data, ...(data.get("others") ?? [])].slice(0, MOST_REASONS).map((it) => [step(textIn(it, "parameter")) + textIn(it, "pointer"), inLine(textIn(it, "reason"))]);
  } catch {
    return [];
  }
}

// The schemes of a challenge (RFC 9110, section 11.6.1), in its order.
function schemesIn(challenge) {
  const parts = challenge.replace(/"(?:[^"\\]|\\.)*"/g, '""').split(",");
  return parts.flatMap((part) => part.match(/^\s*([\w-]+)(?=\s+[^\s=]|\s*$)/)?.[1] || []).slice(0, 4);
}

function isOneOf(schemes, { kind }) {
  return schemes.some((scheme) => scheme.toLowerCase() === CREDENTIALS[kind].scheme);
}

// Leads to the credential that a refusal asks for, and says which one it is.
function askFor(credentials, challenge) {
  const { all, requirements } = credentials;
  const schemes = schemesIn(challenge || "");
  const asked = all.find((credential) => isOneOf(schemes, credential)) || all.find(({ input }) => !input.value) || all[0];
  const isDescribed = asked.kind !== "unknown";
  const described = requirements.map((requirement) => requirement.map(({ name }) => name).join(" "));
  const others = schemes.filter((scheme) => !all.some((credential) => isOneOf([scheme], credential)));
  const names = isDescribed || !schemes.length ? [...described, ...others] : schemes;
  credentials.show(filled(asked.input.value.trim() ? words.refused : words.asked, names.join(", ")));
  if (!isDescribed && /^basic$/i.test(schemes[0])) asked.kind = "password";
  asked.input.placeholder = CREDENTIALS[asked.kind].hint;
  asked.input.focus({ preventScroll: true });
}
