/**
 * Loaded before anything else in each thread of the process that reads documents: closes what Node's permission model
 * leaves open. That is the network, SQLite's files, flags of V8, signals to other processes, and threads and native
 * libraries besides those the reader needs.
 */
import dgram from "node:dgram";
import dns from "node:dns";
import { createRequire, syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { fileURLToPath } from "node:url";
import v8 from "node:v8";
import threads, { isMainThread, type WorkerOptions } from "node:worker_threads";

const require = createRequire(import.meta.url);

type Functions = Record<string, unknown>;

function denied(): never {
  throw Object.assign(new Error("the reviewer may not do this"), { code: "ERR_ACCESS_DENIED" });
}

function deny(owner: object, names: readonly string[]): void {
  for (const name of names) (owner as Functions)[name] = denied;
}

const functionsOf = (owner: object) =>
  Object.keys(owner).filter((name) => typeof (owner as Functions)[name] === "function");

// All of TCP, TLS, HTTP, fetch and local sockets connect and listen through these.
deny(net.Socket.prototype, ["connect"]);
deny(net.Server.prototype, ["listen"]);
deny(net, ["_createServerHandle"]);
for (const owner of [dgram, dns.promises, dns]) deny(owner, functionsOf(owner));
// Not imported: what `import` gives of this module could not be replaced any more.
const sqlite = require("node:sqlite") as object;
deny(sqlite, functionsOf(sqlite));
// One of them names a file to write.
deny(v8, ["setFlagsFromString"]);

const raw = process as unknown as { _kill: (pid: number, signal: number) => number };
const kill = raw._kill;
raw._kill = (pid, signal) => (pid === process.pid ? kill(pid, signal) : denied());

const { Worker } = threads;
const WORKERS = [
  fileURLToPath(new URL("./child-watchdog.ts", import.meta.url)),
  require.resolve("tesseract.js/src/worker-script/node/index.js"),
];
threads.Worker = function startKnown(file: string | URL, { workerData, eval: isCode }: WorkerOptions = {}) {
  const path = file instanceof URL ? fileURLToPath(file) : file;
  if (isCode === true || !WORKERS.includes(path)) denied();
  return new Worker(path, { workerData });
} as unknown as typeof Worker;
Worker.prototype.constructor = threads.Worker;

/** From now on no further native library can be loaded. */
export function denyAddons(): void {
  deny(process, ["dlopen"]);
}
if (!isMainThread) denyAddons();

syncBuiltinESMExports();
