/** The parts of a value that are integers that a double cannot hold, or bytes; nothing here has any. */
export type JsonShape = never;

/** Parses JSON. */
function parse(text: string): unknown {
  return JSON.parse(text);
}

/** Returns a value as the types have it. */
function read(value: unknown, _shape?: JsonShape): unknown {
  return value;
}
