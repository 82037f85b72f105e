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
/** Milliseconds a response may wait for its client to go on reading. */
const UNREAD_TIMEOUT_MS = 30_000;
/** Longer than common proxies keep connections, so that none sends a request on one that we are closing. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const BACKLOG = 4_096;

/** Not `URL`, which would take milliseconds to encode a long host name that is not needed. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** The path of an absolute request target (RFC 9112 §3.2.2). `/` if it has none. */
function originForm(target: string): string {
  const path = target.replace(ORIGIN, "");
  return path.startsWith("/") ? path : "/";
}
/** How often a stopping server closes connections that became idle. */
const IDLE_SWEEP_INTERVAL_MS = 20;
/** How long a stopping server waits for one more request on each proxy connection. Its response closes it. */
const LAST_REQUESTS_MS = 1_000;
/** Turns of the event loop in which a stopping server still accepts connections that the kernel has established. */
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
  /** Addresses and subnets whose connections are not bounded, because they speak for many clients. */
  readonly trustedProxies?: readonly string[];
  /** For all connections. One address may have half of them, and strangers a quarter. By default `MAX_CONNECTIONS`. */
  readonly maxConnections?: number;
  readonly unreadTimeoutMs?: number;
}

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** The number of open connections. */
  readonly connections: number;
  /**
   * Stops accepting, lets running requests finish and closes connections as they become idle. Connections from a proxy
   * close after one more response, or a second. After so many milliseconds of real time all the rest are closed.
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
      // Node's own refusal would have an empty body.
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
 * A constructor of `base` whose objects have this prototype. Express gives every request and response a prototype of
 * its own (`app.request`, `app.response`). V8 then drops its optimisations for the object. Objects that are created
 * with the right prototype avoid that.
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
  // A connection that can't be accepted, for example for want of files, does not end the server.
  server.on("error", () => undefined);
}

/**
 * A request may be on its way when its connection closes, and its sender can't know whether it was carried out. A proxy
 * would respond 502, though another instance could serve it. So each proxy's last response says that it is the last.
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
  // Node's own `close` would also close idle connections.
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

/** Waits for a turn of the event loop that brings no connection. */
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
