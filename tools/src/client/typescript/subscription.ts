/** An item of a subscription. */
export interface SubscriptionItem<T> {
  readonly value: T;
  /** The place of the item, if the subscription can be resumed after it: the value of its parameter for that, as text. */
  readonly cursor: string | undefined;
  /** How many of the source's items were lost before this one, because they were read too slowly. */
  readonly missed: number;
}

/**
 * An event of a stream (Server-Sent Events; HTML, section 9.2.6), or a message of a WebSocket. One without data only sets
 * the other members.
 */
interface ServerSentEvent {
  data: string;
  id?: string;
  /** After how many milliseconds to come back when the stream has ended. */
  retry?: number;
}

/** What a message of a subscription tells: an item, an error, or the end. */
interface ItemParams {
  result?: unknown;
  cursor?: unknown;
  missed?: unknown;
  error?: RpcFailure | null;
}

const NO_SUBSCRIPTION = "this is not a subscription";
/** The code of an error that ends a subscription because the service stops. */
const GOING_AWAY = -32015;
/** The `id` of the last event, if there is nothing to come back to. */
const LAST_CURSOR = "-";
/** The time without a byte after which a connection is taken for lost. A service sends a comment every 15 s. */
const MAX_SILENCE = 45_000;
/** How many attempts to come back fail at most, one after the other. */
const MAX_ATTEMPTS = 10;

/** Yields the items of a subscription, over as many connections as it takes. */
async function* follow<T>(
  call: Call<T>,
  id: number,
  connect: (cursor: string | undefined) => AsyncGenerator<ServerSentEvent, void, undefined>,
  canResume: boolean,
  busy: readonly number[],
  signal: CallSignal,
): AsyncGenerator<SubscriptionItem<T>, void, undefined> {
  let cursor: string | undefined;
  let pause: number | undefined;
  let failures = 0;
  for (;;) {
    let isAnswered = false;
    // Of the errors that end a subscription, only one says to come back.
    let isFinal = false;
    try {
      for await (const { data, id: eventId, retry } of connect(cursor)) {
        pause = retry ?? pause;
        if (data === "") {
          // A service that tells no ends still tells that there is nothing to come back to.
          if (eventId === LAST_CURSOR) return;
          continue;
        }
        const message = messageOf(data);
        if (!isAnswered) {
          if (!isResponse(message, id)) throw new TransportError(NO_RESPONSE);
          if (message.error) throw failure(call, message.error);
          isAnswered = true;
          continue;
        }
        const { params } = message as { params?: ItemParams };
        if (typeof params !== "object" || params === null) throw new TransportError(NO_SUBSCRIPTION);
        const { error, result, missed = 0 } = params;
        if (error) {
          if (!isCode(error.code)) throw new TransportError(NO_SUBSCRIPTION);
          const reason = failure(call, error);
          isFinal = reason.code !== GOING_AWAY || eventId === LAST_CURSOR;
          throw reason;
        }
        if (result === undefined) return;
        const place = params.cursor ?? eventId ?? cursor;
        if ((place !== undefined && typeof place !== "string") || typeof missed !== "number") {
          throw new TransportError(NO_SUBSCRIPTION);
        }
        failures = 0;
        cursor = place;
        yield { value: read(result, call.shape) as T, cursor, missed };
      }
      throw new LostError("the stream has ended");
    } catch (error) {
      const mayReturn = canResume && !isFinal && cursor !== undefined && failures < MAX_ATTEMPTS;
      if (signal.aborted || !mayReturn || !isTemporary(error, busy)) throw error;
    }
    // A service that stops has drawn its pause at random, and may not be back before.
    await sleep(pause ?? randomPause(failures), signal);
    signal.throwIfAborted();
    pause = undefined;
    failures++;
  }
}

/** Returns the call that resumes a subscription after the item with this cursor. */
function resumed<T>(call: Call<T>, cursor: string): Call<T> {
  const { param, isNumber } = call.resume ?? { param: "", isNumber: false };
  // A double does not hold every integer.
  const value = !isNumber ? cursor : /^-?\d+$/.test(cursor) ? BigInt(cursor) : Number(cursor);
  return { ...call, params: { ...(call.params as object | undefined), [param]: value } };
}

/** Reads the data of an event. */
function messageOf(data: string): object {
  let message: unknown;
  try {
    message = parsed(data);
  } catch (cause) {
    throw new TransportError(NO_SUBSCRIPTION, undefined, undefined, { cause });
  }
  if (typeof message !== "object" || message === null) throw new TransportError(NO_SUBSCRIPTION);
  return message;
}

/** Whether it helps to subscribe again after an error. */
function isTemporary(error: unknown, busy: readonly number[]): boolean {
  if (error instanceof RpcError) return busy.includes(error.code);
  if (!(error instanceof TransportError)) return false;
  // Such as a page of a proxy whose service starts anew.
  return error instanceof LostError || [502, 503, 504].includes(error.status ?? 0);
}

/** A pause after so many attempts that have failed. Clients that have lost their connections together do not come back
 * together. */
function randomPause(failures: number): number {
  return Math.min(1_000 * 2 ** failures, 30_000) * (0.5 + Math.random() / 2);
}

/** Throws because a connection has failed. */
function broken(cause: unknown): never {
  throw new LostError("the connection has broken", cause);
}

/** Settles like a promise. If it takes longer than this, the connection is lost. */
async function within<T>(promise: Promise<T>, milliseconds: number, signal: CallSignal): Promise<T> {
  let timer: unknown;
  let abort = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    const late = new LostError(`nothing has arrived for ${milliseconds} ms`);
    timer = setTimeout(() => reject(late), Math.min(milliseconds, 2 ** 31 - 1));
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([promise, over]);
  } catch (cause) {
    signal.throwIfAborted();
    throw cause;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Reads events from the pieces of a body, which may end anywhere: within a line, and within a character. */
class EventReader {
  /** The number of bytes since the last event was complete. */
  stored = 0;
  readonly #decoder = new TextDecoder("utf-8", { fatal: false });
  /** The line that has begun. */
  #line = "";
  /** Whether the text so far ends with CR, so that LF belongs to the same line break. */
  #endsWithReturn = false;
  #event: ServerSentEvent | undefined;

  /** Takes the next piece, and returns the events that it completes. */
  read(piece: Uint8Array): ServerSentEvent[] {
    this.stored += piece.length;
    let text = this.#decoder.decode(piece, { stream: true });
    if (this.#endsWithReturn && text.startsWith("\n")) text = text.slice(1);
    else if (text === "") return [];
    this.#endsWithReturn = text.endsWith("\r");
    const events: ServerSentEvent[] = [];
    const [first = "", ...others] = text.split(/\r\n|\n|\r/);
    this.#line += first;
    for (const next of others) {
      if (this.#line !== "") this.#readField(this.#line);
      else events.push(...this.#takeEvent());
      this.#line = next;
    }
    return events;
  }

  /** Returns the event that a blank line completes, if there is one. */
  #takeEvent(): ServerSentEvent[] {
    const event = this.#event;
    this.#event = undefined;
    this.stored = 0;
    return event === undefined ? [] : [{ ...event, data: event.data.slice(0, -1) }];
  }

  #readField(line: string): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + (line.charAt(colon + 1) === " " ? 2 : 1));
    const event = this.#event ?? { data: "" };
    if (name === "data") event.data += `${value}\n`;
    else if (name === "id" && !value.includes("\0")) event.id = value;
    else if (name === "retry" && /^\d{1,9}$/.test(value)) event.retry = Number(value);
    // A comment, or a field of no use.
    else return;
    this.#event = event;
  }
}
