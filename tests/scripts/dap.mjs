// Drives `raddle dap` with the test client for debug adapters: node dap.mjs RADDLE NODE_MODULES PROGRAMS
// Every check that fails ends the script with a message and status 1.
import { createRequire } from "node:module";
import { spawn } from "node:child_process";
import assert from "node:assert/strict";
import path from "node:path";

const [raddle, modules, programs] = process.argv.slice(2);
const require = createRequire(path.join(modules, "x.js"));
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const buffer = path.join(programs, "bounded_buffer.c");
const counter = path.join(programs, "counter.c");

async function session(name, work, port) {
  const client = new DebugClient(raddle, "dap", "raddle", undefined, true);
  client.defaultTimeout = 30000;
  const late = (what) => new Promise((_, no) => setTimeout(() => no(new Error(`${name}: ${what} takes too long`)), 90000).unref());
  await Promise.race([client.start(port), late("the start")]);
  try {
    await Promise.race([work(client), late("a step")]);
    console.log(`ok ${name}`);
  } finally {
    await Promise.race([client.stop(), late("the end")]);
  }
}

// What a request leads to; the event is waited for before the request is sent.
async function stops(client, request) {
  const stopped = client.waitForEvent("stopped", 30000);
  await request;
  return (await stopped).body;
}

async function top(client, threadId) {
  const { body } = await client.stackTraceRequest({ threadId });
  return body.stackFrames[0];
}

async function scope(client, frameId, name) {
  const { body } = await client.scopesRequest({ frameId });
  const found = body.scopes.find((s) => s.name === name);
  const variables = await client.variablesRequest({ variablesReference: found.variablesReference });
  return { reference: found.variablesReference, all: variables.body.variables };
}

async function launch(client, launchArguments, configure = async () => {}) {
  const initialized = client.waitForEvent("initialized", 30000);
  const capabilities = (await client.initializeRequest({ adapterID: "raddle", linesStartAt1: true, columnsStartAt1: true })).body;
  assert.ok(capabilities.supportsStepBack && capabilities.supportsDataBreakpoints);
  await client.launchRequest(launchArguments);
  await initialized;
  await configure();
  return stops(client, client.configurationDoneRequest());
}

await session("lines, forwards and back", async (client) => {
  const entry = await launch(client, { program: buffer, stopOnEntry: true });
  assert.equal(entry.reason, "entry");
  const first = await top(client, 1);
  assert.equal(first.name, "main");
  assert.equal(first.source.path, buffer);
  const begin = first.line;
  await stops(client, client.nextRequest({ threadId: 1 }));
  const one = await top(client, 1);
  await stops(client, client.nextRequest({ threadId: 1 }));
  const two = await top(client, 1);
  assert.ok(begin <= one.line && one.line < two.line, `${begin} ${one.line} ${two.line}`);
  await stops(client, client.stepBackRequest({ threadId: 1 }));
  assert.equal((await top(client, 1)).line, one.line);
  await stops(client, client.nextRequest({ threadId: 1 }));
  assert.equal((await top(client, 1)).line, two.line);
  await stops(client, client.stepInRequest({ threadId: 1 }));
  const inside = await top(client, 1);
  assert.equal(inside.name, "put");
  const { body } = await client.stackTraceRequest({ threadId: 1 });
  assert.deepEqual(body.stackFrames.map((f) => f.name), ["put", "main"]);
  const locals = await scope(client, inside.id, "Locals");
  assert.deepEqual(locals.all.map((v) => [v.name, v.value]), [["item", "1"]]);
  await stops(client, client.stepOutRequest({ threadId: 1 }));
  assert.equal((await top(client, 1)).name, "main");
});

await session("breakpoints on lines, with conditions", async (client) => {
  const stop = await launch(client, { program: buffer }, async () => {
    const { body } = await client.setBreakpointsRequest({
      source: { path: buffer },
      breakpoints: [{ line: 28, condition: "item == 2" }, { line: 33 }, { line: 5000 }, { line: 30, condition: "item ==" }],
    });
    const seen = body.breakpoints.map((b) => [b.verified, b.line]);
    assert.deepEqual(seen, [[true, 28], [true, 35], [false, undefined], [false, undefined]]);
  });
  assert.equal(stop.reason, "breakpoint");
  const frame = await top(client, stop.threadId);
  assert.equal(frame.line, 28);
  const item = await client.evaluateRequest({ expression: "item + 40", frameId: frame.id, context: "watch" });
  assert.equal(item.body.result, "42");
  const none = await client.evaluateRequest({ expression: "nothing", frameId: frame.id, context: "watch" }).then(() => null, (e) => e);
  assert.match(none.message, /there is no `nothing` here/);
  const next = await stops(client, client.continueRequest({ threadId: stop.threadId }));
  assert.equal((await top(client, next.threadId)).line, 35);
  const back = await stops(client, client.reverseContinueRequest({ threadId: next.threadId }));
  assert.equal(back.threadId, stop.threadId);
  assert.equal((await top(client, back.threadId)).line, 28);
});

await session("functions, data, locks, threads", async (client) => {
  const stop = await launch(client, { program: buffer }, async () => {
    const { body } = await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "take" }, { name: "nobody" }] });
    assert.deepEqual(body.breakpoints.map((b) => b.verified), [true, false]);
  });
  assert.equal(stop.reason, "function breakpoint");
  const frame = await top(client, stop.threadId);
  assert.equal(frame.name, "take");
  await client.setFunctionBreakpointsRequest({ breakpoints: [] });
  const globals = await scope(client, frame.id, "Globals");
  assert.ok(globals.all.some((v) => v.name === "count" && v.value === "2"));
  const info = await client.customRequest("dataBreakpointInfo", { variablesReference: globals.reference, name: "count" });
  await client.customRequest("setDataBreakpoints", { breakpoints: [{ dataId: info.body.dataId }] });
  const changed = await stops(client, client.continueRequest({ threadId: stop.threadId }));
  assert.equal(changed.reason, "data breakpoint");
  assert.equal((await client.evaluateRequest({ expression: "count" })).body.result, "1");
  const before = await stops(client, client.reverseContinueRequest({ threadId: 1 }));
  assert.equal(before.reason, "data breakpoint");
  assert.equal((await client.evaluateRequest({ expression: "count" })).body.result, "2");
  await client.customRequest("setDataBreakpoints", { breakpoints: [] });
  await client.setExceptionBreakpointsRequest({ filters: ["lock"] });
  const locked = await stops(client, client.continueRequest({ threadId: 1 }));
  assert.match(locked.description, /any lock/);
  await client.setExceptionBreakpointsRequest({ filters: ["thread-end"] });
  const ended = await stops(client, client.continueRequest({ threadId: 1 }));
  assert.match(ended.description, /end of a thread/);
  const { body } = await client.threadsRequest();
  assert.deepEqual(body.threads.map((t) => t.id), [1, 2, 3]);
  assert.ok(body.threads.some((t) => t.name.includes("ended")), JSON.stringify(body.threads));
});

await session("variables can be changed, and time goes back over it", async (client) => {
  const stop = await launch(client, { program: counter }, async () => {
    await client.setBreakpointsRequest({ source: { path: counter }, breakpoints: [{ line: 9 }] });
  });
  const frame = await top(client, stop.threadId);
  const locals = await scope(client, frame.id, "Locals");
  const record = locals.all.find((v) => v.name === "mine");
  assert.ok(record.variablesReference > 0, JSON.stringify(locals.all));
  const parts = await client.variablesRequest({ variablesReference: record.variablesReference });
  assert.deepEqual(parts.body.variables.map((v) => v.name), ["a", "b", "next"]);
  const set = await client.setVariableRequest({ variablesReference: record.variablesReference, name: "b", value: "mine.a + 70" });
  assert.equal(set.body.value, "71");
  assert.equal((await client.evaluateRequest({ expression: "mine.b", frameId: frame.id })).body.result, "71");
});

await session("a violation is an exception, and one can go back from it", async (client) => {
  const stop = await launch(client, { program: counter, find: true, properties: ["unreach-call"] });
  assert.equal(stop.reason, "exception");
  assert.match(stop.description, /unreach-call/);
  const info = await client.customRequest("exceptionInfo", { threadId: stop.threadId });
  assert.equal(info.body.exceptionId, "unreach-call");
  const failed = await client.evaluateRequest({ expression: "total", context: "hover" });
  assert.equal(failed.body.result, "1");
  const back = await stops(client, client.stepBackRequest({ threadId: stop.threadId }));
  assert.equal(back.reason, "step");
  const again = await stops(client, client.continueRequest({ threadId: stop.threadId }));
  assert.equal(again.reason, "exception");
  const branches = await client.evaluateRequest({ expression: "branches", context: "repl" });
  assert.match(branches.body.result, /schedule/);
  const over = client.waitForEvent("terminated", 30000);
  await client.continueRequest({ threadId: stop.threadId });
  await over;
});

await session("a question is answered with a run that can be stepped", async (client) => {
  await launch(client, { program: counter, stopOnEntry: true, properties: ["unreach-call"] });
  const asked = await stops(client, (async () => {
    const { body } = await client.evaluateRequest({ expression: "can-fail", context: "repl" });
    assert.match(body.result, /^yes: /);
  })());
  assert.equal(asked.reason, "goto");
  // The run is a branch now: it is stepped to its violation.
  let lines = 0;
  for (;;) {
    const stop = await stops(client, client.nextRequest({ threadId: 1 }));
    lines += 1;
    if (stop.reason === "exception") {
      assert.match(stop.description, /unreach-call/);
      break;
    }
    assert.ok(lines < 50);
  }
  const total = await client.evaluateRequest({ expression: "total", context: "watch" });
  assert.equal(total.body.result, "1");
  const no = await client.evaluateRequest({ expression: "can-deadlock", context: "repl" });
  assert.match(no.body.result, /^no: /);
  const mistake = await client.evaluateRequest({ expression: "can-reach nowhere", context: "repl" }).then(() => null, (e) => e);
  assert.match(mistake.message, /is no line/);
});

await session("another interleaving is found meanwhile", async (client) => {
  const warned = client.waitForEvent("output", 30000);
  await launch(client, { program: counter, stopOnEntry: true, properties: ["unreach-call"] });
  assert.match((await warned).body.output, /another interleaving of this run goes wrong/);
  const jumped = await stops(client, client.evaluateRequest({ expression: "jump", context: "repl" }));
  assert.equal(jumped.reason, "goto");
  assert.equal((await client.evaluateRequest({ expression: "total", context: "watch" })).body.result, "1");
});

await session("a thread that spins can be paused", async (client) => {
  await launch(client, { program: path.join(programs, "spin.c"), stopOnEntry: true });
  const stopped = client.waitForEvent("stopped", 30000);
  await client.continueRequest({ threadId: 1 });
  await client.pauseRequest({ threadId: 1 });
  assert.equal((await stopped).body.reason, "pause");
});

await session("mistakes are told", async (client) => {
  await client.initializeRequest({ adapterID: "raddle" });
  const no = await client.launchRequest({ program: path.join(programs, "none.c") }).then(() => null, (e) => e);
  assert.match(no.message, /none\.c/);
  const wrong = await client.launchRequest({ program: path.join(programs, "wrong.c") }).then(() => null, (e) => e);
  assert.match(wrong.message, /wrong\.c:2:/);
  const unknown = await client.launchRequest({ program: counter, properties: ["nonsense"] }).then(() => null, (e) => e);
  assert.match(unknown.message, /unknown property/);
});

const server = spawn(raddle, ["dap", "--port", "0"], { stdio: ["ignore", "ignore", "pipe"] });
let told = "";
const port = await new Promise((resolve) => server.stderr.on("data", (d) => {
  told += d.toString();
  const found = /listening on 127\.0\.0\.1:(\d+)\n/.exec(told);
  if (found) resolve(Number(found[1]));
}));
try {
  await session("over TCP", async (client) => {
    const entry = await launch(client, { program: buffer, stopOnEntry: true });
    assert.equal(entry.reason, "entry");
  }, port);
} finally {
  server.kill();
}
console.log("all sessions went as they should");
