// Runs the tools of OpenRPC against live services: node run.mjs PACKAGES LIBRARY CONFORMANCE.
// PACKAGES is a folder with what a generated client needs; the others are URLs.
// It is copied to the folder with the packages, because an import is looked for from there.
import { strict as assert } from "node:assert";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Client, HTTPTransport, RequestManager } from "@open-rpc/client-js";
import utils from "@open-rpc/schema-utils-js";

const { MethodCallValidator, parseOpenRPCDocument, validateOpenRPCDocument } = utils;
const [packages, library, conformance] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "openrpc-"));

/** The calls of the examples, in every form that a method takes, with the results that they promise. */
function calls(method) {
  const forms = [(params) => Object.fromEntries(params.map((it) => [it.name, it.value]))];
  if (method.paramStructure !== "by-name") forms.push((params) => params.map((it) => it.value));
  return (method.examples ?? []).flatMap(({ params, result }) => forms.map((form) => ({ params: form(params), result })));
}

/** The document is valid, and the validator takes the calls of its examples and no others. */
async function validator(document) {
  assert.equal(validateOpenRPCDocument(document), true);
  const parsed = await parseOpenRPCDocument(document, { validate: true, dereference: true });
  const judge = new MethodCallValidator(parsed);
  let count = 0;
  for (const method of parsed.methods) {
    for (const { params } of calls(method)) {
      assert.deepEqual(judge.validate(method.name, params), [], `${method.name} ${JSON.stringify(params)}`);
      count++;
    }
    // The tool takes what is missing for a value, which a schema without a type accepts.
    const required = method.params.filter((it) => it.required === true && it.schema.type !== undefined);
    if (required.length > 0) assert.notDeepEqual(judge.validate(method.name, {}), [], `${method.name} without parameters`);
  }
  assert(count > 10, `only ${count} examples`);
  return `${count} calls are valid`;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function post(url, body) {
  // Tools that run in between hold up this process, and the service closes idle connections meanwhile.
  const headers = { "content-type": "application/json", connection: "close" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

/** The mock server answers the calls of the examples with their results, and refuses others. */
async function mock(document, file) {
  const port = await freePort();
  const server = spawn(process.execPath, [join(import.meta.dirname, "node_modules/@open-rpc/mock-server/build/cli.js"), "-d", file, "-p", String(port)], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  try {
    for (let attempt = 0; ; attempt++) {
      assert(attempt < 100 && server.exitCode === null, "the mock server does not start");
      if (await fetch(url).then(() => true, () => false)) break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    let count = 0;
    for (const method of document.methods) {
      // It compares parameters by position unless the method takes names only.
      const wanted = calls(method).filter((it) => method.paramStructure === "by-name" || Array.isArray(it.params));
      for (const { params, result } of wanted) {
        const answer = await post(url, { jsonrpc: "2.0", id: 1, method: method.name, params });
        assert.equal(answer.error, undefined, `${method.name} ${JSON.stringify(params)}: ${JSON.stringify(answer.error)}`);
        // Which of several similar examples it takes is up to the tool.
        const results = method.examples.filter((it) => it.result !== undefined).map((it) => it.result.value);
        if (result !== undefined) assert(results.some((it) => isDeepStrictEqual(it, answer.result)), `${method.name}: ${JSON.stringify(answer)}`);
        count++;
      }
    }
    const { error } = await post(url, { jsonrpc: "2.0", id: 1, method: "no.such.method", params: [] });
    assert.equal(error?.code, -32601);
    assert(count > 5, `only ${count} calls`);
    return `${count} calls are answered`;
  } finally {
    server.kill();
  }
}

/** The client calls by name and by position, reads errors, and finds the document. */
async function client(document, url) {
  const own = new Client(new RequestManager([new HTTPTransport(url)]));
  const discovered = await own.request({ method: "rpc.discover", params: { version: "1.4.1" } });
  assert.equal(discovered.openrpc, "1.4.1");
  assert.equal(discovered.methods.length, document.methods.length);
  await assert.rejects(own.request({ method: "no.such.method", params: [] }), (error) => error.code === -32601);
  let count = 0;
  for (const method of document.methods.filter((it) => it["x-idempotent"] === true)) {
    for (const { params } of calls(method).slice(0, 2)) {
      await own.request({ method: method.name, params }).catch((error) => assert.notEqual(error.code, -32602, method.name));
      count++;
    }
  }
  assert(count > 5, `only ${count} calls`);
  return `${count} calls`;
}

/** Every example of an idempotent method is answered as it promises. */
function coverage(document, file) {
  // Without an example, the tool makes up parameters.
  const covered = document.methods.filter((method) => method["x-idempotent"] === true && method.examples?.length > 0);
  const skipped = document.methods.filter((method) => !covered.includes(method)).map((method) => method.name);
  const ran = run("test-coverage/bin/cli.js", ["-s", file, "-t", "http", "-r", "json", "--skip", skipped.join(",")]);
  const results = JSON.parse(ran);
  // The tool exits with 0 whatever it finds.
  for (const { valid, methodName, params, reason } of results) assert(valid, `${methodName} ${JSON.stringify(params)}: ${reason}`);
  assert.equal(results.length, covered.flatMap((method) => method.examples).length);
  return `${results.length} examples hold`;
}

/** Runs one of the tools, and returns what it prints. */
function run(program, parameters) {
  const ran = spawnSync(process.execPath, [join(import.meta.dirname, "node_modules/@open-rpc", program), ...parameters], { encoding: "utf8" });
  assert.equal(ran.status, 0, `${program}: ${ran.stdout}${ran.stderr}`);
  return ran.stdout;
}

/** Generates a client in TypeScript, and returns its folder and what the compiler says of it. */
function generated(name, file) {
  const made = join(folder, name);
  const configuration = join(folder, "generator.json");
  const components = [{ type: "client", name, language: "typescript" }];
  writeFileSync(configuration, JSON.stringify({ openrpcDocument: file, outDir: made, components }));
  run("generator/build/cli.js", ["generate", "-c", configuration]);
  const client = join(packages, name);
  rmSync(client, { recursive: true, force: true });
  cpSync(join(made, "client/typescript"), client, { recursive: true });
  const compiler = join(packages, "node_modules/typescript/bin/tsc");
  // The types of other packages are not ours to check.
  const compiled = spawnSync(process.execPath, [compiler, "-p", client, "--skipLibCheck"], { encoding: "utf8" });
  return { client, said: compiled.stdout.trim() };
}

/** A generated client compiles strictly, calls, and refuses what the schemas do not allow. */
async function generatedClient(file, url) {
  const { client, said } = generated("conformance", file);
  assert.equal(said, "");
  const { hostname, port, pathname } = new URL(url);
  const { default: Conformance } = createRequire(import.meta.url)(join(client, "build/index.js"));
  const own = new Conformance({ transport: { type: "http", host: hostname, port: Number(port), path: pathname } });
  assert.equal(await own.subtract(42, 23), 19);
  assert.deepEqual(await own.optional(1), { a: 1, b: 7, c: null });
  assert.deepEqual(await own.constrained(3, "three"), { n: 3, word: "three" });
  await assert.rejects(own.fail(77, "told to"), (error) => error.code === 77);
  await assert.rejects(own.constrained(30, "three"), (errors) => errors.length === 1);
  return "it compiles and calls";
}

/** Names with dots are no names of members, and that is all that keeps this client from compiling. */
function dots(file) {
  const { client, said } = generated("library", file);
  const lines = readFileSync(join(client, "src/index.ts"), "utf8").split("\n");
  for (const error of said.split("\n")) {
    const line = lines[Number(/index\.ts\((\d+),/.exec(error)?.[1]) - 1];
    assert.match(line ?? error, /^ {2}public \w+\.\w+:/);
  }
  return "only names with dots keep it from compiling";
}

for (const url of [library, conformance]) {
  for (const version of ["1.2.6", "1.3.2", "1.4.1"]) {
    const { result: document } = await post(url, { jsonrpc: "2.0", id: 1, method: "rpc.discover", params: { version } });
    assert.equal(document.openrpc, version);
    const file = join(folder, `${version}.json`);
    writeFileSync(file, JSON.stringify(document));
    console.log(`${url} ${version} schema-utils-js: ${await validator(document)}`);
    console.log(`${url} ${version} mock-server: ${await mock(document, file)}`);
    // Both know versions up to this one. test-coverage also makes values up, with which other procedures sleep for long.
    if (version === "1.2.6" && url === library) console.log(`${url} ${version} test-coverage: ${coverage(document, file)}`);
    if (version === "1.2.6") console.log(`${url} ${version} generator: ${url === library ? dots(file) : await generatedClient(file, url)}`);
  }
  const { result: document } = await post(url, { jsonrpc: "2.0", id: 1, method: "rpc.discover" });
  console.log(`${url} client-js: ${await client(document, url)}`);
}
rmSync(folder, { recursive: true });
process.exit();
