/**
 * Loaded before anything else in each thread of the process that reads documents. Closes what Node's permission model
 * leaves open: the network, SQLite's files, flags of V8, signals to other processes, other users. Also closes threads
 * and native libraries, except those that the reader needs.
 */
import asyncHooks from "node:async_hooks";
import dgram from "node:dgram";
import dns from "node:dns";
import module, { createRequire, syncBuiltinESMExports } from "node:module";
import net from "node:net";
import os from "node:os";
import { fileURLToPath } from "node:url";
import v8 from "node:v8";
import vm from "node:vm";
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

/** The file descriptor of the stream that `startReader` opened. The socket is made while that is still possible. */
const STREAM = 3;
const stream = isMainThread ? new net.Socket({ fd: STREAM, readable: true, writable: true }) : undefined;

/** The stream of the service's requests. Only for the main thread. */
export function streamOfService(): net.Socket {
  return stream ?? denied();
}

/** Denies the native functions of a socket's handle. Every socket of this kind connects and listens with them. */
function denyHandlesOf(address: net.SocketConnectOpts): void {
  const socket = new net.Socket().on("error", () => undefined).connect(address);
  const { _handle: handle } = socket as unknown as { readonly _handle: object };
  deny(Object.getPrototypeOf(handle), ["bind", "bind6", "connect", "connect6", "listen", "open"]);
  socket.destroy();
}

// TLS, HTTP, fetch and servers reach a handle in ways of their own, and scripts find more.
denyHandlesOf({ host: "127.0.0.1", port: 1 });
denyHandlesOf({ path: "/" });
deny(net.Socket.prototype, ["connect"]);
deny(net.Server.prototype, ["listen", "_listen2", "_setupWorker"]);
deny(net, ["_createServerHandle"]);
deny(asyncHooks, ["createHook"]);
for (const owner of [dgram, dns.promises, dns]) deny(owner, functionsOf(owner));
// Not imported, because what `import` gives of this module could not be replaced any more.
const sqlite = require("node:sqlite") as object;
deny(sqlite, functionsOf(sqlite));
// One of the flags names a file to write.
deny(v8, ["setFlagsFromString"]);

const raw = process as unknown as { _kill: (pid: number, signal: number) => number };
const kill = raw._kill;
raw._kill = (pid, signal) => (pid === process.pid ? kill(pid, signal) : denied());
deny(process, ["_debugProcess", "_debugEnd"]);
deny(process, ["setuid", "seteuid", "setgid", "setegid", "setgroups", "initgroups"]);

// Loader hooks run in a thread where this is not loaded, and the built-ins of a new context would not be denied.
deny(module, ["register", "registerHooks"]);
deny(vm, functionsOf(vm));

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

/** From now on no native library can be loaded, and no priority can be changed. */
export function denyAddons(): void {
  deny(process, ["dlopen"]);
  deny(os, ["setPriority"]);
  syncBuiltinESMExports();
}
if (!isMainThread) denyAddons();

syncBuiltinESMExports();
