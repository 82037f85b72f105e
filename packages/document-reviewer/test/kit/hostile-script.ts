/** Tries what a script smuggled into the reading process by a document would try. Sends the result of each attempt. */
import { createHook } from "node:async_hooks";
import { spawn } from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns/promises";
import { openAsBlob, readFileSync, writeFileSync } from "node:fs";
import { createRequire, enableCompileCache, register, registerHooks } from "node:module";
import net from "node:net";
import { setPriority } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { TLSSocket } from "node:tls";
import { createTracing } from "node:trace_events";
import { setFlagsFromString, writeHeapSnapshot } from "node:v8";
import { createContext, runInNewContext, Script } from "node:vm";
import { MessageChannel, Worker } from "node:worker_threads";
import { answerRequests } from "@travel-booking/runtime/messages";
import { denyAddons, streamOfService } from "../../src/lockdown.ts";

denyAddons();
const require = createRequire(import.meta.url);
const [, , , secretFile = "", newFile = "", port = "", addon = "", servicePid = ""] = process.argv;
/** The service's process id outside the namespace. */
const service = Number(servicePid);

function settled(emitter: NodeJS.EventEmitter, done: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  emitter.once(done, () => resolve());
  emitter.once("error", reject);
  return promise;
}

function denied(why: string): never {
  throw Object.assign(new Error(why), { code: "ERR_ACCESS_DENIED" });
}

interface Handle {
  readonly _parent: Handle;
  connect(request: object, address: string, port?: number): number;
  bind(address: string, port?: number): number;
}

/** The native handle of a socket, reached through one that makes its own. */
const handleOf = (socket: net.Socket) => (socket as unknown as { readonly _handle: Handle })._handle;
const tcpHandle = () => handleOf(new TLSSocket(undefined as unknown as net.Socket))._parent;

/** An object of the native class that a request to connect must have. */
function nativeRequest(): object {
  let made: object = {};
  const shutdown = (request: object) => {
    made = request;
    return 0;
  };
  const socket = Object.assign(new net.Socket(), { _handle: { shutdown } });
  (socket as unknown as { _final(done: () => void): void })._final(() => undefined);
  return made;
}

/** @throws Error the operating system refused it by a number, so it was attempted. */
function attempted(errorNumber: number): void {
  if (errorNumber !== 0) throw Object.assign(new Error("attempted"), { code: String(errorNumber) });
}

/** A module for Node's thread of loader hooks, where nothing else was loaded before. */
const HOOKS = `data:text/javascript,import net from "node:net";
  export function initialize({ result, port }) {
    const tell = ({ code } = {}) => result.postMessage(code ?? "done");
    net.connect(port, "127.0.0.1").on("connect", tell).on("error", tell);
  }`;

async function connectFromHooks(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  register(HOOKS, { data: { result: port2, port: Number(port) }, transferList: [port2] });
  const told = await new Promise((resolve) => port1.once("message", resolve));
  port1.close();
  if (told !== "done") throw Object.assign(new Error("attempted"), { code: told });
}

const ATTEMPTS: Readonly<Record<string, () => unknown>> = {
  "read a file": () => readFileSync(secretFile),
  "read the service's environment": () => readFileSync(`/proc/${service}/environ`),
  "read a file as a blob": async () => (await openAsBlob(secretFile)).text(),
  "read a database": () => new DatabaseSync(secretFile).prepare("SELECT 1").get(),
  "write a file": () => writeFileSync(newFile, "x"),
  "write a database": () => new DatabaseSync(newFile).exec("CREATE TABLE x (y)"),
  "write a database by way of require": () => {
    const sqlite = require("node:sqlite") as { DatabaseSync: typeof DatabaseSync };
    new sqlite.DatabaseSync(newFile).exec("CREATE TABLE x (y)");
  },
  "connect by way of require": () => require("node:net").connect(Number(port), "127.0.0.1"),
  "write a cache of code": () => enableCompileCache(newFile).directory ?? denied("no cache"),
  "write a trace": () => createTracing({ categories: ["v8"] }).enable(),
  "write a heap snapshot": () => writeHeapSnapshot(newFile),
  "write a log of V8": () => setFlagsFromString(`--logfile=${newFile}`),
  "write a report": () => process.report.writeReport(newFile),
  "start a process": () => settled(spawn("/bin/true"), "exit"),
  "signal the service": () => process.kill(service, 0),
  "start a thread": () => settled(new Worker("1", { eval: true }), "exit"),
  "start a thread by its prototype": () => {
    const Original = Worker.prototype.constructor as typeof Worker;
    return settled(new Original("1", { eval: true, execArgv: [] }), "exit");
  },
  "load a native library": () => process.dlopen({ exports: {} }, addon),
  "make code of text": () => new Function("return 1")(),
  "make a context": () => createContext({}),
  "make code of text in a context": () => runInNewContext("1"),
  "make a script of text": () => new Script("1").runInThisContext(),
  "connect from a thread of hooks": connectFromHooks,
  "hook the loader": () => registerHooks({ load: (url, context, next) => next(url, context) }),
  "get at Node's inner parts": () => (process as unknown as { binding(name: string): object }).binding("tcp_wrap"),
  "become another user": () => process.setuid?.(0),
  "become another group": () => process.setegid?.(0),
  "join other groups": () => process.setgroups?.([0]),
  connect: () => settled(net.connect(Number(port), "127.0.0.1"), "connect"),
  "connect natively": () => attempted(tcpHandle().connect(nativeRequest(), "127.0.0.1", Number(port))),
  "listen natively": () => attempted(tcpHandle().bind("127.0.0.1", 0)),
  "listen by the prototype of servers": () => {
    const server = net.createServer() as unknown as { _listen2(address: string, port: number, kind: number): void };
    server._listen2("127.0.0.1", 0, 4);
  },
  "open the service's debugger": () =>
    (process as unknown as { _debugProcess(pid: number): void })._debugProcess(service),
  "get at objects of Node": () => createHook({ init: () => undefined }),
  "slow the service down": () => setPriority(service, 19),
  fetch: () => fetch(`http://127.0.0.1:${port}/`),
  "send a request": () => settled(require("node:http").get(`http://127.0.0.1:${port}/`), "response"),
  listen: () => settled(net.createServer().listen(0, "127.0.0.1"), "listening"),
  "send a datagram": () => dgram.createSocket("udp4").send("x", Number(port), "127.0.0.1"),
  "look a name up": () => dns.lookup("localhost"),
  "ask a name server": () => new dns.Resolver().resolve4("localhost"),
};

async function outcomesOfAll(): Promise<Readonly<Record<string, string>>> {
  const outcomes: Record<string, string> = {};
  for (const [name, attempt] of Object.entries(ATTEMPTS)) {
    try {
      await attempt();
      outcomes[name] = "done";
    } catch (error) {
      outcomes[name] = "denied";
      const { code, cause, name: kind } = error as NodeJS.ErrnoException;
      const reason = code ?? (cause as NodeJS.ErrnoException | undefined)?.code ?? kind;
      if (reason !== "ERR_ACCESS_DENIED" && reason !== "EvalError") outcomes[name] = `failed: ${reason}`;
    }
  }
  return outcomes;
}

await answerRequests(streamOfService(), 1_000_000, async () => ({ answer: { outcomes: await outcomesOfAll() } }));
