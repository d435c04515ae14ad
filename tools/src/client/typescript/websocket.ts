// The global that a platform may have. Its name is that of the option.
declare const WebSocket: ClientSocketClass | undefined;

/** A connection, as `WebSocket` makes it. */
export interface ClientSocket {
  // The types of events differ from platform to platform.
  /* eslint-disable @typescript-eslint/no-explicit-any */
  onopen: any;
  onmessage: any;
  onerror: any;
  onclose: any;
  /* eslint-enable @typescript-eslint/no-explicit-any */
  send(text: string): void;
  close(): void;
}

/** Makes connections: `WebSocket`, or a class like it. */
export type ClientSocketClass = new (url: string, protocols: string[]) => ClientSocket;

/** A message of a service. Which members it has tells what it is. */
interface SocketMessage {
  id?: unknown;
  method?: unknown;
  params?: { subscription?: unknown; result?: unknown; error?: unknown } | null;
  result?: unknown;
}

/** A message that was sent and has no answer. */
interface SentMessage {
  /** The ids of its calls. Notifications have none. */
  readonly ids: readonly number[];
  readonly answer: (text: string, message: SocketMessage) => void;
  readonly fail: (reason: TransportError) => void;
}

/** How many items of a subscription wait for its reader at most. */
const MAX_WAITING_ITEMS = 1_024;
/** The code of a close that the service has not told. */
const UNTOLD_CLOSE = 1006;
/** The time between two looks at whether anything has come. */
const PROBE_INTERVAL = 20_000;
/** The number of intervals without a message after which a connection is taken for lost. */
const MAX_SILENT_INTERVALS = 3;
/**
 * A request that every service answers. It takes the place of a ping, because platforms neither send these nor tell of
 * them. No call has its id.
 */
const PROBE = '{"jsonrpc":"2.0","method":"rpc.unsubscribe","params":{"subscription":""},"id":0}';

/**
 * Carries calls and subscriptions over a WebSocket, which all of them share. It is made for the first of them, and again
 * for the first one after it is lost.
 */
class SocketTransport {
  readonly #url: string;
  readonly #options: ClientOptions;
  readonly #timeout: number;
  readonly #limit: number;
  #connection: Promise<SocketConnection> | undefined;
  readonly #closed = new AbortController();
  #lastId = 0;

  constructor(url: string, options: ClientOptions, timeout: number, limit: number) {
    this.#url = url;
    this.#options = options;
    this.#timeout = timeout;
    this.#limit = limit;
  }

  /** Returns the first of so many ids that no other call has. */
  newIds(count: number): number {
    const first = this.#lastId + 1;
    this.#lastId += count;
    return first;
  }

  /** Sends a message, and returns its answer; undefined if there are only notifications. */
  async call(body: string, ids: readonly number[], signal: CallSignal): Promise<string | undefined> {
    const connection = await this.#connect();
    signal.throwIfAborted();
    return connection.call(body, ids, signal);
  }

  /** Yields the messages of a subscription, of which the first is the answer to the call. */
  async *events(body: string, id: number, signal: CallSignal): AsyncGenerator<ServerSentEvent, void, undefined> {
    const connection = await within(this.#connect(), this.#timeout, signal);
    const queue = new MessageQueue();
    const end = (): void => queue.end(signal.reason);
    signal.addEventListener("abort", end);
    try {
      signal.throwIfAborted();
      connection.subscribe(body, id, queue);
      yield { data: await within(queue.next(), this.#timeout, signal) };
      if (queue.subscription === undefined) throw new TransportError(NO_SUBSCRIPTION);
      for (;;) {
        signal.throwIfAborted();
        yield { data: await queue.next() };
      }
    } finally {
      signal.removeEventListener("abort", end);
      connection.leave(queue);
    }
  }

  /** Ends the connection, and what uses it. There will be no other. */
  close(): void {
    const reason = new TransportError("the client is closed");
    this.#closed.abort(reason);
    this.#connection?.then((connection) => connection.end(reason), () => undefined);
  }

  /** Returns the connection, which is made if there is none. */
  async #connect(): Promise<SocketConnection> {
    this.#closed.signal.throwIfAborted();
    if (this.#connection === undefined) {
      const connection = this.#open(() => {
        if (this.#connection === connection) this.#connection = undefined;
      });
      this.#connection = connection;
    }
    return this.#connection;
  }

  async #open(forget: () => void): Promise<SocketConnection> {
    let connection: SocketConnection | undefined;
    try {
      const token = await credential(this.#options.token);
      this.#closed.signal.throwIfAborted();
      const protocols = token === undefined ? [] : [`docent.bearer.${token}`];
      connection = new SocketConnection(this.#newSocket(protocols), this.#limit, forget);
      await within(connection.opened, this.#timeout, this.#closed.signal);
      return connection;
    } catch (cause) {
      forget();
      connection?.end(new LostError("cannot connect", cause));
      throw cause;
    }
  }

  #newSocket(protocols: string[]): ClientSocket {
    const made = this.#options.WebSocket ?? (typeof WebSocket === "undefined" ? undefined : WebSocket);
    if (made === undefined) throw new TransportError("this platform has no `WebSocket`: give one as an option");
    try {
      return new made(this.#url, protocols);
    } catch (cause) {
      throw new TransportError("cannot connect: the address or the token is not valid", undefined, undefined, { cause });
    }
  }
}

/** A connection. Each answer goes to the call with its id, and each item to its subscription; others are ignored. */
class SocketConnection {
  /** Settled once messages can be sent, or never will be. */
  readonly opened: Promise<void>;
  readonly #socket: ClientSocket;
  readonly #limit: number;
  readonly #forget: () => void;
  #refuse: (reason: TransportError) => void = () => undefined;
  /** In the order in which they were sent. */
  readonly #sent = new Set<SentMessage>();
  /** The messages of subscriptions, by the ids of these. */
  readonly #queues = new Map<unknown, MessageQueue>();
  /** The reason why the connection is over. */
  #end: TransportError | undefined;
  #probes: unknown;
  #silentIntervals = 0;

  constructor(socket: ClientSocket, limit: number, forget: () => void) {
    this.#socket = socket;
    this.#limit = limit;
    this.#forget = forget;
    let fate = "cannot connect";
    this.opened = new Promise((resolve, reject) => {
      this.#refuse = reject;
      socket.onopen = () => {
        fate = "the connection has broken";
        this.#probe();
        resolve();
      };
    });
    socket.onmessage = ({ data }: { data: unknown }) => this.#receive(data);
    let cause: unknown;
    socket.onerror = (event: { error?: unknown }) => (cause = event.error);
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => {
      const isTold = code !== UNTOLD_CLOSE;
      this.end(new LostError(isTold ? `${fate}: the service has closed it: ${code} ${reason}`.trimEnd() : fate, cause));
    };
  }

  call(body: string, ids: readonly number[], signal: CallSignal): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const fail = (reason: TransportError): void => {
        reject(reason instanceof LostError ? new LostError(`the call may have run: ${reason.message}`, reason) : reason);
      };
      const sent: SentMessage = { ids, answer: resolve, fail };
      this.#send(body, sent);
      if (ids.length === 0) resolve(undefined);
      signal.addEventListener("abort", () => this.#sent.delete(sent));
    });
  }

  /** Subscribes. The queue gets the answer, and then the items. */
  subscribe(body: string, id: number, queue: MessageQueue): void {
    const answer = (text: string, { result }: SocketMessage): void => {
      queue.push(text);
      if (typeof result !== "string" && typeof result !== "number") return;
      queue.subscription = result;
      this.#queues.set(result, queue);
      if (queue.isLeft) this.leave(queue);
    };
    this.#send(body, { ids: [id], answer, fail: (reason) => queue.end(reason) });
  }

  /** Ends a subscription unless it is over, as soon as its id is known. */
  leave(queue: MessageQueue): void {
    queue.isLeft = true;
    if (!this.#queues.delete(queue.subscription)) return;
    this.#socket.send(request({ method: "rpc.unsubscribe", params: { subscription: queue.subscription } }));
  }

  /** Ends the connection, and tells all that wait why. */
  end(reason: TransportError): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    clearTimeout(this.#probes);
    this.#forget();
    this.#socket.close();
    this.#refuse(reason);
    for (const { fail } of this.#sent) fail(reason);
    for (const queue of this.#queues.values()) queue.end(reason);
    this.#queues.clear();
  }

  #send(body: string, sent: SentMessage): void {
    if (this.#end !== undefined) return sent.fail(this.#end);
    if (sent.ids.length > 0) this.#sent.add(sent);
    this.#socket.send(body);
  }

  #probe(): void {
    this.#probes = setTimeout(() => {
      if (this.#sent.size + this.#queues.size === 0) this.#silentIntervals = 0;
      else if (++this.#silentIntervals === MAX_SILENT_INTERVALS) return this.#lose("nothing came for 60 s");
      else this.#socket.send(PROBE);
      this.#probe();
    }, PROBE_INTERVAL);
  }

  #lose(reason: string): void {
    this.end(new LostError(`the connection has broken: ${reason}`));
  }

  #receive(data: unknown): void {
    if (this.#end !== undefined) return;
    this.#silentIntervals = 0;
    if (typeof data !== "string") return this.#lose("the service has sent a binary frame");
    if (data.length > this.#limit) return this.#lose(`the service has sent more than ${this.#limit} bytes`);
    let message: unknown;
    try {
      message = JSON.parse(data);
    } catch {
      message = undefined;
    }
    if (typeof message !== "object" || message === null) {
      return this.#lose("the service has sent what is no message of JSON-RPC");
    }
    if ("method" in message) this.#takeItem(data, message);
    else this.#takeAnswer(data, message);
  }

  /** Gives an answer to the call that has its id. One without an id is for the call that has waited longest. */
  #takeAnswer(text: string, message: SocketMessage): void {
    const answers: (SocketMessage | null)[] = Array.isArray(message) ? message : [message];
    const ids = new Set(answers.map((each) => each?.id ?? null));
    ids.delete(null);
    for (const sent of this.#sent) {
      if (ids.size > 0 && !sent.ids.some((id) => ids.has(id))) continue;
      this.#sent.delete(sent);
      return sent.answer(text, message);
    }
  }

  #takeItem(text: string, { params }: SocketMessage): void {
    const queue = this.#queues.get(params?.subscription);
    if (queue === undefined) return;
    if (queue.isFull) {
      queue.end(new LostError(`${MAX_WAITING_ITEMS} items of the subscription wait to be read`));
      return this.leave(queue);
    }
    queue.push(text);
    if (params?.error || params?.result === undefined) this.#queues.delete(queue.subscription);
  }
}

/** The messages of a subscription that wait for its reader. */
class MessageQueue {
  /** The id of the subscription, once it is known. */
  subscription: unknown;
  /** Whether the reader has gone. */
  isLeft = false;
  readonly #messages: string[] = [];
  #end: { readonly reason: unknown } | undefined;
  #wake: () => void = () => undefined;

  get isFull(): boolean {
    return this.#messages.length >= MAX_WAITING_ITEMS;
  }

  push(message: string): void {
    this.#messages.push(message);
    this.#wake();
  }

  /** Ends the messages with an error, after those that wait. */
  end(reason: unknown): void {
    this.#end ??= { reason };
    this.#wake();
  }

  async next(): Promise<string> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) return message;
      if (this.#end !== undefined) throw this.#end.reason;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
