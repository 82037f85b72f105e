import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { MAX_HEAD_BYTES } from "@travel-booking/api-contract";
import type { Express } from "express";
import { closeEndless, closeStalled, oneAfterAnother } from "./connections.ts";
import { limitConnections, MAX_CONNECTIONS } from "./limit-connections.ts";
import { namesOneHost, refuseHost, refuseTunnel, respondMalformed } from "./malformed.ts";
import { ClientAddressResolver } from "./rate-limit.ts";
import { readInTurns } from "./read-in-turns.ts";

/** Milliseconds for the whole of a request to arrive, for its head, and how often both are checked (docs/rules.md#connections). */
const REQUEST_TIMEOUT = 60_000;
const HEADERS_TIMEOUT = 10_000;
const TIMEOUT_CHECK_INTERVAL_MS = 2_500;
/** Milliseconds an answer may wait for its client to go on reading it. */
const UNREAD_TIMEOUT_MS = 30_000;
/** Longer than common proxies keep theirs, so that a proxy never sends a request on a connection we are closing. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const BACKLOG = 4_096;

/** Not `URL`: it would take milliseconds to encode a long host name that is not needed. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** The path of an absolute request target (RFC 9112 §3.2.2). `/` for one that has none. */
function originForm(target: string): string {
  const path = target.replace(ORIGIN, "");
  return path.startsWith("/") ? path : "/";
}
/** How often a stopping server closes connections that became idle. */
const IDLE_SWEEP_INTERVAL_MS = 20;
/** How long a stopping server waits for a request on each connection of a proxy, which learns with its answer that it was the last. */
const LAST_REQUESTS_MS = 1_000;
/** Turns of the event loop in which connections that the kernel has taken are taken over, before the server refuses more. */
const MAX_LAST_TURNS = 100;

/** Another process listens at this address. */
export class PortInUse extends Error {
  override readonly name = "PortInUse";
  readonly host: string;
  readonly port: number;

  constructor(host: string, port: number, cause: unknown) {
    super(`port ${port} on ${host} is in use by another process`, { cause });
    this.host = host;
    this.port = port;
  }
}

export interface ServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly lifecycle?: Lifecycle;
  /** Addresses and subnets whose connections are not bounded: they speak for many clients. */
  readonly trustedProxies?: readonly string[];
  /** In all; one address may have half of them, and strangers a quarter. By default `MAX_CONNECTIONS`. */
  readonly maxConnections?: number;
  readonly unreadTimeoutMs?: number;
}

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** Open ones. */
  readonly connections: number;
  /**
   * Stops accepting, lets running requests finish and closes connections as they become idle: those of a server behind
   * a proxy after one more answer, or a second. After so many milliseconds of real time it closes the rest.
   */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * @throws PortInUse
 * @throws Error another system error, for example that the address does not belong to this machine.
 */
export async function startServer(app: Express, options: ServerOptions): Promise<RunningServer> {
  const { host, port, lifecycle = { stopping: false }, trustedProxies = [] } = options;
  const listener = oneAfterAnother((request, response) => {
    if (!namesOneHost(request)) return refuseHost(request, response);
    if (request.url?.startsWith("/") !== true) request.url = originForm(request.url ?? "");
    if (lifecycle.stopping) response.shouldKeepAlive = false;
    app(request, response);
  });
  const constructors = {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
  };
  const server = createServer(
    {
      ...constructors,
      requestTimeout: REQUEST_TIMEOUT,
      headersTimeout: HEADERS_TIMEOUT,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: MAX_HEAD_BYTES,
      // Node's own refusal has an empty body.
      requireHostHeader: false,
    },
    listener,
  );
  limitConnections(server, options.maxConnections ?? MAX_CONNECTIONS, new ClientAddressResolver(trustedProxies));
  readInTurns(server);
  closeStalled(server, options.unreadTimeoutMs ?? UNREAD_TIMEOUT_MS);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => respondMalformed(error, socket as Socket));
  server.on("connect", (request, socket) => refuseTunnel(request, socket as Socket));
  // Without a listener Node would answer an unknown expectation itself, with an empty body.
  server.on("checkExpectation", listener);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  closeEndless(server, sockets);
  await listen(server, host, port);
  return {
    host,
    port: (server.address() as AddressInfo).port,
    get connections() {
      return sockets.size;
    },
    stop(deadlineMs) {
      lifecycle.stopping = true;
      return stop(server, sockets, deadlineMs, trustedProxies.length === 0 ? 0 : LAST_REQUESTS_MS);
    },
  };
}

/**
 * A constructor of `base` whose objects have this prototype. Express replaces the prototypes of every request and
 * response with its own (`app.request`, `app.response`), which is slow in V8: it drops what it has optimised for the
 * object. Objects that are created with the right prototype are spared that.
 */
function withPrototype<Constructor extends abstract new (...given: never) => object>(
  base: Constructor,
  prototype: object,
): Constructor {
  function Constructed(...given: unknown[]): object {
    return Reflect.construct(base, given, Constructed);
  }
  Constructed.prototype = prototype;
  return Constructed as unknown as Constructor;
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host, port, backlog: BACKLOG }, resolve);
  try {
    await promise;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EADDRINUSE" ? new PortInUse(host, port, error) : error;
  }
  server.off("error", reject);
  // A connection that can't be accepted, for want of files say, is no reason to end.
  server.on("error", () => undefined);
}

/**
 * A request may be on its way when its connection is closed, and whoever sent it can't know what became of it. A proxy
 * would answer 502, though another instance could serve it; so it is told before.
 */
async function stop(
  server: Server,
  sockets: ReadonlySet<Socket>,
  deadlineMs: number,
  lastRequestsMs: number,
): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const end = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await allAccepted(server);
  // Node's own closes idle connections with it.
  NetServer.prototype.close.call(server, () => resolve());
  await Promise.race([closed, pause(lastRequestsMs, undefined, { ref: false })]);
  // Node does not count a connection as idle before its first request.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_INTERVAL_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}

/** Until a turn of the event loop has brought no connection. */
async function allAccepted(server: Server): Promise<void> {
  let accepted = true;
  const note = () => {
    accepted = true;
  };
  server.on("connection", note);
  for (let turns = 0; accepted && turns < MAX_LAST_TURNS; turns += 1) {
    accepted = false;
    await nextTurn();
  }
  server.off("connection", note);
}

/** Whether the process is stopping; shared by the server and the app. */
export interface Lifecycle {
  stopping: boolean;
}
