// Runs the table of odd values through the generated client: node odd.js URL TABLE. Prints what becomes of each row.
import { readFileSync } from "node:fs";
import { Client, RpcError } from "./odd_values/index.ts";

type Row = [procedure: string, given: string, outcome: string];
type Arrived = { shown: string; value: unknown };
type Procedures = Record<string, (params: { value: unknown }) => Promise<Arrived>>;

const [url = "", table = ""] = process.argv.slice(2);
const clients = [new Client(url), new Client(url, { get: false })] as unknown as Procedures[];
/** The procedures whose integers are `bigint`. */
const exact = ["signed", "unsigned", "defaulted"];

/** The procedures whose texts are bytes. */
const binary = ["binary", "binaries"];

class NoValue extends Error {}

function bytes(text: string): Uint8Array {
  const value = Uint8Array.from(Buffer.from(text, "base64"));
  if (written(value) !== JSON.stringify(text)) throw new NoValue();
  return value;
}

function read(procedure: string, given: string): unknown {
  if (given === "left out") return undefined;
  if (binary.includes(procedure)) {
    return JSON.parse(given, (_, value: unknown) => (typeof value === "string" ? bytes(value) : value));
  }
  if (exact.includes(procedure) && /^-?\d+$/.test(given)) return BigInt(given);
  const json = given.replace(/-?\b(NaN|Infinity)\b/g, '{"number":"$&"}');
  return JSON.parse(json, (_, value: { number?: string } | null) => {
    return typeof value?.number === "string" ? Number(value.number) : value;
  });
}

/** Writes a value with its members in order, and -0 with its sign. */
function written(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Object.is(value, -0)) return "-0";
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString("base64"));
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${written(each)}`).join(",")}}`;
}

async function outcome(client: Procedures, procedure: string, given: string): Promise<string> {
  try {
    const arrived = await client[procedure]?.({ value: read(procedure, given) });
    return `${arrived?.shown}, returns ${written(arrived?.value)}`;
  } catch (error) {
    if (error instanceof RpcError) return error.message;
    if (error instanceof NoValue) return "no such value";
    if (error instanceof RangeError) return `not sent: ${error.message}`;
    throw error;
  }
}

for (const [procedure, given] of JSON.parse(readFileSync(table, "utf8")) as Row[]) {
  for (const client of clients) {
    console.log(JSON.stringify([procedure, given, await outcome(client, procedure, given)]));
  }
}
