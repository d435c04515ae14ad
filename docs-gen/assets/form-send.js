// Sending, and what comes back: read piece by piece, so that time and size are shown while it comes
// and what has come stays when it stops.
const MOST_READ = 5000000;
const MOST_SHOWN = 1000000;
const SHOW_EVERY = 200;

function target(address) {
  if (!address.trim()) return undefined;
  const base = new URL(self.docentRoot, location.href);
  const url = new URL(address, address.includes(":") ? undefined : base);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new TypeError(address);
  return url;
}

// Reads an answer, or passes its pieces on to `events`; `seen` is told how much there is from time to time.
async function read(response, seen, events) {
  const answer = { text: "", bytes: 0, end: "whole" };
  if (!response.body) return answer;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const pieces = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      answer.bytes += value.length;
      const piece = decoder.decode(value, { stream: true });
      if (events) events.push(piece);
      else pieces.push(piece);
      seen(answer.bytes);
      if ((events ? events.text.length : answer.bytes) > MOST_READ) {
        answer.end = "large";
        reader.cancel().catch(() => {});
        break;
      }
    }
  } catch (error) {
    answer.end = error.name === "AbortError" ? "stopped" : "broken";
  }
  answer.text = pieces.join("") + decoder.decode();
  return answer;
}

// Why there is no answer. A page is not told, so it asks once more in the way that any page may: if
// something answers, it is there and does not let this page read it.
async function reason(url, refused) {
  if (refused.some((uri) => uri === url.href || uri === url.origin || url.href.startsWith(uri))) return words.policy;
  if (location.protocol === "https:" && url.protocol === "http:" && !/^(localhost|127\.|\[::1\])/.test(url.hostname)) return words.mixed;
  if (url.origin === location.origin) return words.down;
  try {
    await fetch(url, { mode: "no-cors", credentials: "omit", signal: AbortSignal.timeout(5000) });
    return words.origin;
  } catch {
    return words.down;
  }
}

// Makes the call. Returns the answer, or the message that stands for one.
async function send({ url, method, headers, body, signal, seen, events, withCookies }) {
  const refused = [];
  const note = (event) => refused.push(event.blockedURI);
  document.addEventListener("securitypolicyviolation", note);
  const started = performance.now();
  try {
    const response = await fetch(url, { method, headers, body, redirect: "manual", signal, credentials: withCookies ? "same-origin" : "omit" });
    if (response.type === "opaqueredirect") return { message: words.redirected };
    const isStream = events?.opens(response);
    const answer = await read(response, (bytes) => seen(bytes, performance.now() - started), isStream ? events : undefined);
    return { response, answer, time: performance.now() - started };
  } catch (error) {
    if (signal.aborted || error.name === "AbortError") return { message: words.stopped };
    // The violation is reported in a task of its own.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { message: await reason(url, refused) };
  } finally {
    document.removeEventListener("securitypolicyviolation", note);
  }
}

const isJson = (text) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
