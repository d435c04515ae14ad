// The functions of every platform that are needed here: the client compiles without the platform's own types.
declare function fetch(url: string, init: FetchInit): Promise<FetchResponse>;
declare function setTimeout(done: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare class URL {
  constructor(url: string | URL);
  readonly protocol: string;
  pathname: string;
  readonly href: string;
  readonly searchParams: { append(name: string, value: string): void };
}
declare class AbortController {
  readonly signal: CallSignal;
  abort(reason?: unknown): void;
}
declare const AbortSignal: { any(signals: CallSignal[]): CallSignal };
declare class TextDecoder {
  constructor(label: string, options: { fatal: boolean });
  decode(bytes: Uint8Array, options?: { stream: boolean }): string;
}
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare function btoa(binary: string): string;
declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

/**
 * The address of a service: a text or a `URL`. With `ws:` or `wss:`, calls and subscriptions share one WebSocket; see
 * `Rpc`.
 */
export type ServiceAddress = string | { readonly href: string };

/** What ends a call early: the signal of an `AbortController`. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A request, as `fetch` takes it. */
export interface FetchInit {
  method: "GET" | "POST";
  headers: Record<string, string>;
  // The type of a signal differs from platform to platform.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  signal: any;
  redirect: "manual";
  body?: string;
}

/** A response, as `fetch` returns it. */
export interface FetchResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly type: string;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): BodyReader } | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

interface BodyReader {
  read(): Promise<{ done: false; value: Uint8Array } | { done: true; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** A credential, or a function that returns it, which is asked before each request, or each connection. */
export type ClientCredential = string | (() => string | undefined | Promise<string | undefined>);

/** What a client can be told. */
export interface ClientOptions {
  /** The bearer token. A WebSocket carries it as the subprotocol `docent.bearer.TOKEN`. */
  token?: ClientCredential;
  /** Header fields for every request. A WebSocket has none. */
  headers?: Record<string, string>;
  /** Sends requests; `fetch` unless given. */
  fetch?: (url: string, init: FetchInit) => Promise<FetchResponse>;
  /** Makes connections; the platform's `WebSocket` unless given, such as that of the package `ws` for Node.js 20. */
  WebSocket?: ClientSocketClass;
  /**
   * How long a call may take, with all that is repeated, in milliseconds; 30,000 unless given. A subscription has this
   * time to begin.
   */
  timeout?: number;
  /** How large a response, or an item, may be, in bytes after decompression; 32 MiB unless given. */
  maxResponseBytes?: number;
  /** How often a call that is idempotent, or has a key, is repeated at most; 2 unless given. */
  repeats?: number;
  /** Whether idempotent procedures are called with GET where it can carry the parameters; true unless given. */
  get?: boolean;
}

/** What one call can be told. */
export interface CallOptions {
  signal?: CallSignal;
  /** The key of a call that can be repeated with one; a new one for each call unless given. */
  key?: string;
}

/** A call that has not been sent yet. */
export interface Call<T> {
  method: string;
  params?: unknown;
  idempotent?: boolean;
  /** Whether the call is given a key, so that it is done once however often it is sent. */
  repeatable?: boolean;
  get?: boolean;
  /** The name of the parameter with which a subscription resumes over a WebSocket, and whether its values are numbers. */
  resume?: { param: string; isNumber: boolean };
  errors?: readonly ErrorClass[];
  shape?: JsonShape;
  /** Never set; it only carries the type of the result. */
  result?: T;
}

/** A declared error. */
export interface ErrorClass {
  readonly code: number;
  readonly title: string;
  readonly shape?: JsonShape;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  new (message: string, data: any): RpcError;
}

/** How one call of a batch ended. */
export type CallOutcome<T> = { ok: true; value: T } | { ok: false; error: RpcError | TransportError };

/** The outcomes of a batch of calls, in their order. */
export type CallOutcomes<C extends readonly Call<unknown>[]> = {
  -readonly [K in keyof C]: C[K] extends Call<infer T> ? CallOutcome<T> : never;
};

/**
 * An error that the service answered with. The message of one that the protocol defines names the parameter and the
 * reason.
 */
export class RpcError<Data = unknown> extends Error {
  readonly code: number;
  readonly data: Data;
  /** Whether the same call may succeed later, if the service says so. */
  readonly retry: boolean | undefined;

  constructor(code: number, message: string, data: Data, retry?: boolean) {
    super(explained(code, message, data));
    this.name = new.target.name;
    this.code = code;
    this.data = data;
    this.retry = retry;
  }
}

/** A call got no answer, or none that can be understood. */
export class TransportError extends Error {
  /** The status of the response, if there was one. */
  readonly status: number | undefined;
  /** After how many seconds the service wants to be asked again. */
  readonly retryAfter: number | undefined;

  constructor(message: string, status?: number, retryAfter?: number, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "TransportError";
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** No complete response has arrived, so it is unknown whether the call has run. */
class LostError extends TransportError {
  constructor(message: string, cause?: unknown) {
    super(message, undefined, undefined, { cause });
  }
}

/**
 * Sends calls.
 *
 * If the address begins with `ws:` or `wss:`, all calls and subscriptions share one WebSocket, which is made for the first
 * of them. It is lost if either side closes it, if the service sends what is no message of JSON-RPC or one that is too
 * large, or if no message has come for 60 s while something is waited for. Then:
 *
 * - Calls without an answer fail with a `TransportError`, since they may have run. Those that are safe to repeat are, as
 *   over HTTP.
 * - The next call makes a new connection, with a token that is asked for anew.
 * - Subscriptions whose items have cursors come back on a new connection after the last item that was read; see
 *   `subscribe`. For all others, the loss is the end.
 *
 * A subscription for which 1,024 items wait to be read is treated as if its connection were lost. Calls and other
 * subscriptions on the connection are not affected.
 */
export class Rpc {
  readonly #url: URL;
  readonly #socket: SocketTransport | undefined;
  readonly #options: ClientOptions & { apiKey?: ClientCredential };
  readonly #busy: readonly number[];
  readonly #apiKeyField: string | undefined;

  constructor(
    url: ServiceAddress,
    options: ClientOptions & { apiKey?: ClientCredential },
    busy: readonly number[],
    apiKeyField?: string,
  ) {
    this.#url = new URL(typeof url === "string" ? url : url.href);
    this.#options = options;
    this.#busy = busy;
    this.#apiKeyField = apiKeyField;
    if (/^wss?:$/.test(this.#url.protocol)) {
      if (options.headers ?? options.apiKey) throw new TransportError("a WebSocket carries neither `headers` nor `apiKey`");
      this.#socket = new SocketTransport(this.#url.href, options, this.#timeout, this.#limit);
    }
  }

  /** Ends the WebSocket of the client, if it has one, and what uses it. Later calls fail. */
  close(): void {
    this.#socket?.close();
  }

  /** Sends a call and returns its result. */
  async send<T>(call: Call<T>, options: CallOptions = {}): Promise<T> {
    const key = call.repeatable === true ? (options.key ?? newKey()) : undefined;
    const id = this.#newIds(1);
    const body = request(call, id, key);
    return this.#repeat(call.idempotent === true || key !== undefined, options, async (late) => {
      const isGet = call.get === true && this.#options.get !== false && this.#socket === undefined;
      const address = isGet ? this.#query(call) : undefined;
      if (address !== undefined) {
        const answer = await this.#exchange(address, undefined, options, late).catch((error: unknown) => {
          if (error instanceof TransportError && error.status !== undefined && error.status !== 503) return undefined;
          throw error;
        });
        // What is not answered as JSON-RPC 2.0 may be by POST, and asking twice does no harm.
        if (isResponse(answer, null)) return result(call, answer);
      }
      const answer = await this.#post(body, [id], options, late);
      if (!isResponse(answer, id)) throw new TransportError(NO_RESPONSE);
      return result(call, answer);
    });
  }

  /** Sends calls together. Each has its own outcome. */
  async batch<const C extends readonly Call<unknown>[]>(calls: C, options: CallOptions = {}): Promise<CallOutcomes<C>> {
    if (calls.length === 0) return [] as unknown as CallOutcomes<C>;
    const safe = calls.every((call) => call.idempotent === true || call.repeatable === true);
    const first = this.#newIds(calls.length);
    const ids = calls.map((_, at) => first + at);
    const requests = calls.map((call, at) => request(call, first + at, call.repeatable === true ? newKey() : undefined));
    const body = `[${requests.join(",")}]`;
    const answer = await this.#repeat(safe, options, (late) => this.#post(body, ids, options, late));
    // A batch that is refused as a whole gets one error.
    if (isResponse(answer, null) && answer.error) result({ method: "" }, answer);
    const answers = new Map<number, unknown>();
    if (!Array.isArray(answer) || answer.length > calls.length) throw new TransportError(NO_RESPONSE);
    for (const each of answer as (RpcAnswer | null)[]) {
      const id = each?.id ?? null;
      // A service that has not read a call does not know its id.
      if (id === null) continue;
      if (typeof id !== "number" || !(id - first in calls) || answers.has(id)) throw new TransportError(NO_RESPONSE);
      answers.set(id, each);
    }
    return calls.map((call, at): CallOutcome<unknown> => {
      const own = answers.get(first + at);
      if (!isResponse(own, first + at)) return { ok: false, error: new TransportError(NO_RESPONSE) };
      try {
        return { ok: true, value: result(call, own) };
      } catch (error) {
        if (error instanceof RpcError || error instanceof TransportError) return { ok: false, error };
        throw error;
      }
    }) as CallOutcomes<C>;
  }

  /** Sends a call as a notification: it is executed and never answered. */
  async notify(call: Call<unknown>, options: CallOptions = {}): Promise<void> {
    const body = request(call);
    await this.#repeat(false, options, (late) => this.#post(body, [], options, late));
  }

  /**
   * Subscribes when the first item is asked for, and returns the items as they come.
   *
   * An error that the service answers with, and an unreachable service, are thrown for the first item. A connection that
   * is lost later, or that the service ends because it stops, is made again with the cursor of the last item, so no item
   * is missed and none comes twice. There are up to 10 attempts, after pauses that grow from 1 s to 30 s, or that the
   * service sets; each item starts this anew. A connection is lost if it breaks, or if nothing arrives for 45 s. What is
   * thrown after that is final: the error with which the service has ended the subscription, or the loss if all attempts
   * have failed or no item has had a cursor.
   *
   * To leave the loop, or to abort the signal, ends the subscription, without waiting for the service. Credentials that
   * are functions are asked before each attempt.
   */
  subscribe<T>(call: Call<T>, options: CallOptions = {}): AsyncIterableIterator<SubscriptionItem<T>> {
    const id = this.#newIds(1);
    const body = request(call, id);
    const left = new AbortController();
    const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal]);
    const socket = this.#socket;
    const connect = (cursor: string | undefined) => {
      if (socket === undefined) return this.#events(call, body, cursor, signal);
      return socket.events(cursor === undefined ? body : request(resumed(call, cursor), id), id, signal);
    };
    // Over HTTP, a header field takes the cursor, whatever the parameter is.
    const canResume = socket === undefined || call.resume !== undefined;
    const items = follow(call, id, connect, canResume, this.#busy, signal);
    return {
      next: async () => {
        try {
          return await items.next();
        } catch (error) {
          if (left.signal.aborted) return { done: true, value: undefined };
          throw error;
        }
      },
      // A read may be waiting, and it ends only with the request.
      return: async () => {
        left.abort();
        await items.return(undefined);
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  get #timeout(): number {
    return this.#options.timeout ?? 30_000;
  }

  async #repeat<T>(safe: boolean, options: CallOptions, send: (late: CallSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const end = Date.now() + this.#timeout;
    const timer = setTimeout(() => late.abort(), Math.min(this.#timeout, 2 ** 31 - 1));
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await send(late.signal);
        } catch (error) {
          const pause = this.#pause(error, attempt, safe);
          if (pause === undefined || Date.now() + pause > end) throw error;
          if (attempt >= (this.#options.repeats ?? 2) || options.signal?.aborted) throw error;
          await sleep(pause, options.signal);
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * How many milliseconds to wait before a call that failed like this is repeated; undefined if it must not be.
   * Without an answer, only what is safe may be sent again: it may have been executed.
   */
  #pause(error: unknown, attempt: number, safe: boolean): number | undefined {
    const backoff = 200 * 2 ** attempt * (0.5 + Math.random());
    if (error instanceof TransportError) {
      if (!safe) return undefined;
      if (error instanceof LostError) return backoff;
      return error.status === 503 ? seconds(error.retryAfter) : undefined;
    }
    if (!(error instanceof RpcError)) return undefined;
    const after = (error.data as { retryAfter?: unknown } | null | undefined)?.retryAfter;
    // The service has not executed a call that it was too busy for.
    const helps = error.retry ?? this.#busy.includes(error.code);
    return helps ? (typeof after === "number" ? seconds(after) : backoff) : undefined;
  }

  /** The address for GET, if it can carry the parameters as they are. */
  #query(call: Call<unknown>): URL | undefined {
    const url = new URL(this.#url);
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${encodeURIComponent(call.method)}`;
    for (const [name, value] of Object.entries(call.params ?? {})) {
      const values: unknown[] = Array.isArray(value) ? value : [value];
      if (values.length === 0) return undefined;
      for (const each of values) {
        if (each === undefined && !Array.isArray(value)) continue;
        if (each === undefined || each === null || each === "" || typeof each === "object") return undefined;
        url.searchParams.append(name, typeof each === "string" ? each : stringify(each));
      }
    }
    return url.href.length > 2000 ? undefined : url;
  }

  /** The first of so many ids. Each request over HTTP has its own answer, so ids may come again there. */
  #newIds(count: number): number {
    return this.#socket?.newIds(count) ?? 1;
  }

  /** Sends a message, and returns its answer; undefined if there is none. */
  async #post(body: string, ids: readonly number[], options: CallOptions, late: CallSignal): Promise<unknown> {
    const socket = this.#socket;
    if (socket === undefined) return this.#exchange(this.#url, body, options, late);
    const text = await this.#inTime((signal) => socket.call(body, ids, signal), options, late);
    try {
      return text === undefined ? undefined : parsed(text);
    } catch (cause) {
      throw new TransportError(NO_RESPONSE, undefined, undefined, { cause });
    }
  }

  async #exchange(url: URL, body: string | undefined, options: CallOptions, late: CallSignal): Promise<unknown> {
    const init = await this.#request(body);
    const receive = async (signal: CallSignal): Promise<[FetchResponse, Uint8Array | undefined]> => {
      try {
        const response = await this.#fetch(url, { ...init, signal });
        return [response, await bytesOf(response, this.#limit)];
      } catch (cause) {
        throw new LostError("the call got no answer", cause);
      }
    };
    const [response, bytes] = await this.#inTime(receive, options, late);
    return this.#answer(response, bytes);
  }

  /** Settles like the promise of what is begun, unless the call is aborted or late. */
  async #inTime<T>(begin: (signal: CallSignal) => Promise<T>, options: CallOptions, late: CallSignal): Promise<T> {
    const signal = options.signal === undefined ? late : AbortSignal.any([options.signal, late]);
    try {
      signal.throwIfAborted();
      // Not every `fetch` ends when it is aborted: that of Node.js 20 waits for ever for a broken gzip.
      const over = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return await Promise.race([begin(signal), over]);
    } catch (cause) {
      options.signal?.throwIfAborted();
      if (late.aborted) throw new LostError(`no complete response within ${this.#timeout} ms`);
      throw cause;
    }
  }

  /** Yields the events of one connection. What is not a stream of events is the answer to the call. */
  async *#events(
    call: Call<unknown>,
    body: string,
    cursor: string | undefined,
    signal: CallSignal,
  ): AsyncGenerator<ServerSentEvent, void, undefined> {
    const over = new AbortController();
    const init = { ...(await this.#request(body)), signal: AbortSignal.any([signal, over.signal]) };
    init.headers["Accept"] = "text/event-stream";
    if (cursor !== undefined) init.headers["Last-Event-ID"] = binary(new TextEncoder().encode(cursor));
    try {
      signal.throwIfAborted();
      const response = await within(this.#fetch(this.#url, init).catch(broken), this.#timeout, signal);
      const hasEvents = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
      if (!response.ok || !hasEvents) {
        const bytes = bytesOf(response, this.#limit).catch(broken);
        const answer = this.#answer(response, await within(bytes, this.#timeout, signal));
        if (isResponse(answer, 1) && answer.error) throw failure(call, answer.error);
        throw new TransportError(NO_SUBSCRIPTION, response.status);
      }
      const pieces = response.body?.getReader();
      if (pieces === undefined) throw new TransportError("this `fetch` has no streams", response.status);
      const reader = new EventReader();
      for (;;) {
        const piece = await within(pieces.read().catch(broken), MAX_SILENCE, signal);
        if (piece.done) return;
        yield* reader.read(piece.value);
        if (reader.stored > this.#limit) {
          throw new TransportError(`an item is larger than ${this.#limit} bytes`, response.status);
        }
      }
    } finally {
      over.abort();
    }
  }

  get #limit(): number {
    return this.#options.maxResponseBytes ?? 32 * 1024 * 1024;
  }

  async #fetch(url: URL, init: FetchInit): Promise<FetchResponse> {
    return (this.#options.fetch ?? fetch)(url.href, init);
  }

  /** A request with its credentials: with GET if there is no body. */
  async #request(body: string | undefined): Promise<Omit<FetchInit, "signal">> {
    const headers: Record<string, string> = { Accept: "application/json", ...this.#options.headers };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const key = await credential(this.#options.apiKey);
    if (key !== undefined && this.#apiKeyField !== undefined) headers[this.#apiKeyField] = key;
    const token = await credential(this.#options.token);
    if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
    const init = { headers, redirect: "manual" } as const;
    return body === undefined ? { ...init, method: "GET" } : { ...init, method: "POST", body };
  }

  /** The JSON in a response; undefined if there is none. */
  #answer(response: FetchResponse, bytes: Uint8Array | undefined): unknown {
    const { status, type } = response;
    if (bytes === undefined) throw new TransportError(`the response is larger than ${this.#limit} bytes`, status);
    // Browsers do not say which status and which address a redirect has.
    if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
      throw new TransportError(`HTTP status ${status}: a redirect, which is not followed`, status);
    }
    const after = response.headers.get("Retry-After");
    const retryAfter = after !== null && /^\d{1,9}$/.test(after) ? Number(after) : undefined;
    if (status === 503) throw new TransportError("the service is not available", 503, retryAfter);
    if (bytes.length === 0 && response.ok) return undefined;
    try {
      return parsed(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch (cause) {
      throw new TransportError(`HTTP status ${status}: ${NO_RESPONSE}`, status, retryAfter, { cause });
    }
  }
}

async function credential(given: ClientCredential | undefined): Promise<string | undefined> {
  return typeof given === "function" ? given() : given;
}

const NO_RESPONSE = "the answer is not a JSON-RPC 2.0 response to the call";
/** How deeply an answer may be nested, so that no walk through it overflows the stack. */
const MAX_DEPTH = 500;

/** Reads a body; undefined if it is larger than the limit. */
async function bytesOf(response: FetchResponse, limit: number): Promise<Uint8Array | undefined> {
  // Without a stream there is no body, or a `fetch` that has none.
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array(await response.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > limit) {
      // It fails if the connection has broken meanwhile.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Parses JSON. Throws if it is none, or if it has a number that no double holds, or too much nesting. */
function parsed(text: string): unknown {
  const value = parse(text);
  check(value, 0);
  return value;
}

/** Throws if there is a number that no double holds, or too much nesting. */
function check(value: unknown, depth: number): void {
  if (value === Infinity || value === -Infinity) throw new RangeError("a number that is too large");
  if (typeof value !== "object" || value === null) return;
  if (depth === MAX_DEPTH) throw new RangeError("too many brackets");
  for (const each of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) check(each, depth + 1);
}

interface RpcAnswer {
  id?: unknown;
  result?: unknown;
  error?: RpcFailure | null;
}

interface RpcFailure {
  code?: unknown;
  message?: unknown;
  data?: unknown;
}

/** Whether this answers the call with this id; a request with GET, and a batch as a whole, have none. */
function isResponse(answer: unknown, id: number | null): answer is RpcAnswer {
  if (typeof answer !== "object" || answer === null || !("jsonrpc" in answer)) return false;
  const { id: own = null, result, error = null } = answer as RpcAnswer;
  // A service that has not read the request does not know its id.
  if (error === null) return own === id && result !== undefined;
  return (own === id || own === null) && isCode(error.code);
}

/** Whether this is an integer of 64 bits. */
function isCode(code: unknown): boolean {
  const isInteger = typeof code === "bigint" || Number.isInteger(code);
  return isInteger && Math.abs(Number(code)) <= 2 ** 63;
}

/** The request of a call. Throws before anything is sent if JSON cannot represent it. */
function request({ method, params }: Call<unknown>, id?: number, key?: string): string {
  const text = JSON.stringify({ jsonrpc: "2.0", method, id, "x-idempotency-key": key });
  return params === undefined ? text : `${text.slice(0, -1)},"params":${stringify(params)}}`;
}

/** Writes a value, which is in the parameters at this place: `bigint` as the number that it is, -0 with its sign, and
 * bytes in base64. */
function stringify(value: unknown, place?: string): string {
  if (typeof value === "bigint") return value.toString();
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`${place}: a number is infinite or NaN, which JSON cannot represent`);
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (value instanceof Uint8Array) return JSON.stringify(btoa(binary(value)));
  if ("toJSON" in value && typeof value.toJSON === "function") return stringify(value.toJSON(), place);
  if (Array.isArray(value)) {
    const elements = Array.from(value, (each: unknown, at) => {
      return stringify(each, place === undefined ? `position ${at}` : `${place}/${at}`);
    });
    return `[${elements.join(",")}]`;
  }
  const members: string[] = [];
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined) continue;
    const token = name.replace(/~/g, "~0").replace(/\//g, "~1");
    members.push(`${JSON.stringify(name)}:${stringify(each, place === undefined ? token : `${place}/${token}`)}`);
  }
  return `{${members.join(",")}}`;
}

/** Bytes as characters. */
function binary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** The message of an error, with the reason if the protocol defines its code. */
function explained(code: number, message: string, data: unknown): string {
  if (code < -32768 || code > -32000 || typeof data !== "object" || data === null) return message;
  const { parameter, position, pointer, reason, others } = data as Record<string, unknown>;
  if (typeof reason !== "string") return message;
  let place = "";
  if (typeof parameter === "string") place = `: ${parameter}${typeof pointer === "string" ? pointer : ""}`;
  else if (typeof position === "number") place = `: position ${position}`;
  const count = Array.isArray(others) && others.length > 0 ? ` (and ${others.length} more)` : "";
  return `${message}${place}: ${reason}${count}`;
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function result<T>(call: Call<T>, { result, error }: RpcAnswer): T {
  if (error) throw failure(call, error);
  return read(result, call.shape) as T;
}

/** The error of a call: one that it declares, or another. */
function failure(call: Call<unknown>, error: RpcFailure): RpcError {
  const code = Number(error.code);
  const message = String(error.message);
  const same = (call.errors ?? []).filter((it) => it.code === code);
  // Only errors of one code are told apart by their messages.
  const isOne = same.every((it) => it.title === same[0]?.title);
  const type = same.find((it) => isOne || it.title === message);
  if (type === undefined) return new RpcError(code, message, read(error.data));
  return new type(message, read(error.data, type.shape));
}

/** Parameters by position. Those left out at the end are not sent. */
export function positions(values: unknown[]): unknown[] {
  let length = values.length;
  while (length > 0 && values[length - 1] === undefined) length--;
  return values.slice(0, length).map((value) => value ?? null);
}

/** Waits, unless the signal aborts the call. */
function sleep(milliseconds: number, signal: CallSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });
}

function seconds(seconds: number | undefined): number | undefined {
  return seconds === undefined || seconds < 0 || seconds > 30 ? undefined : seconds * 1000;
}
