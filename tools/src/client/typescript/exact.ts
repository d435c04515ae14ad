// The functions of every platform that are needed here.
declare function atob(text: string): string;

/** The parts of a value that JSON has no type for: integers that a double cannot hold, and bytes. */
export type JsonShape =
  | "big"
  | "bytes"
  | { readonly list: JsonShape }
  | { readonly items: readonly (JsonShape | undefined)[]; readonly rest?: JsonShape }
  | { readonly map: JsonShape }
  | ShapeMembers
  | { readonly either: readonly JsonShape[] }
  | (() => JsonShape);

interface ShapeMembers {
  readonly fields: ReadonlyMap<string, JsonShape | undefined>;
  readonly rest?: JsonShape;
  /** Members that have one value only, which tells the alternatives of a union apart. */
  readonly is?: readonly (readonly [string, unknown])[];
}

/** Parses JSON. Integers that a double cannot hold become `bigint`. */
function parse(text: string): unknown {
  // Text that is not JSON fails here, so the reader below need not look for mistakes.
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  const token = /[\]}]|\s*[,:]\s*|[[{]\s*|"|-?\d[\d.eE+-]*|true|false|null/y;
  const mark = /["\\]/g;
  let at = 0;
  const next = (): string => {
    for (;;) {
      while (" \t\r\n".includes(text.charAt(at)) && at < text.length) at++;
      token.lastIndex = at;
      const found = token.exec(text)?.[0] ?? "";
      const start = at;
      at += found.length;
      if (found === "\"") {
        // Step by step: a regular expression for a whole string would overflow its stack with long ones.
        let isEscape: boolean;
        do {
          mark.lastIndex = at;
          isEscape = mark.exec(text)?.[0] === "\\";
          at = mark.lastIndex + (isEscape ? 1 : 0);
        } while (isEscape);
        return text.slice(start, at);
      }
      const word = found.trim();
      if (word !== "," && word !== ":") return word;
    }
  };
  const from = (word: string): unknown => {
    if (word === "[") {
      const list: unknown[] = [];
      for (let each = next(); each !== "]"; each = next()) list.push(from(each));
      return list;
    }
    if (word === "{") {
      const object = {};
      for (let name = next(); name !== "}"; name = next()) {
        const value = from(next());
        // Assigning would do something else for the name `__proto__`.
        Object.defineProperty(object, JSON.parse(name) as string, { value, writable: true, enumerable: true, configurable: true });
      }
      return object;
    }
    const plain: unknown = JSON.parse(word);
    return /^-?\d+$/.test(word) && !Number.isSafeInteger(plain) && Number.isFinite(plain) ? BigInt(word) : plain;
  };
  return from(next());
}

/** Returns a value as the types have it: `bigint` and bytes where its shape says so, `number` and `string` elsewhere. */
function read(value: unknown, ...shapes: (JsonShape | undefined)[]): unknown {
  const known = shapes.flatMap(open);
  if (typeof value === "bigint" || typeof value === "number") {
    if (!known.includes("big")) return Number(value);
    return typeof value === "bigint" || Number.isInteger(value) ? BigInt(value) : value;
  }
  if (typeof value === "string" && known.includes("bytes")) {
    return Uint8Array.from(atob(value), (char) => char.charCodeAt(0));
  }
  if (Array.isArray(value)) {
    return value.map((each: unknown, at) => read(each, ...known.map((it) => element(it, at))));
  }
  if (typeof value !== "object" || value === null) return value;
  const object = value as Record<string, unknown>;
  const fitting = known.filter((it) => fits(it, object));
  for (const name of Object.keys(object)) object[name] = read(object[name], ...fitting.map((it) => member(it, name)));
  return object;
}

function open(shape: JsonShape | undefined): JsonShape[] {
  if (shape === undefined) return [];
  if (typeof shape === "function") return open(shape());
  return typeof shape === "object" && "either" in shape ? shape.either.flatMap(open) : [shape];
}

function element(shape: JsonShape, at: number): JsonShape | undefined {
  if (typeof shape !== "object") return undefined;
  if ("list" in shape) return shape.list;
  if (!("items" in shape)) return undefined;
  return at < shape.items.length ? shape.items[at] : shape.rest;
}

function fits(shape: JsonShape, object: Record<string, unknown>): boolean {
  if (typeof shape !== "object" || !("is" in shape) || shape.is === undefined) return true;
  return shape.is.every(([name, value]) => object[name] === value);
}

function member(shape: JsonShape, name: string): JsonShape | undefined {
  if (typeof shape !== "object") return undefined;
  if ("map" in shape) return shape.map;
  if (!("fields" in shape)) return undefined;
  return shape.fields.has(name) ? shape.fields.get(name) : shape.rest;
}
