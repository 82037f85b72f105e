import { createRequire } from "node:module";
import { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { LRUCache } from "lru-cache";
import type { buildConnector, Pool } from "undici";
import { InterimResponses } from "./interim-responses.ts";
import { ANSWER_TOO_LONG } from "./outcome.ts";

/** Real time. */
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_CONNECTION_MS = 4_000;
const IDLE_ENDPOINT_MS = 60_000;

/** Bytes of one answer with its framing: twice the limit of a head. */
const MAX_ANSWER_BYTES = 32_768;
/** Bytes that undici gets at once, because it parses a piece to its end even after it has given up the answer. */
const PIECE_BYTES = 1_024;

/** Loaded with the first delivery, because a start would wait longer for undici than for all of this package. */
const undici = (): typeof import("undici") => createRequire(import.meta.url)("undici");

/**
 * Bounds the bytes parsed for one request. Otherwise a receiver could send interim responses and blank lines without
 * end. Each field of a head and each piece of a body takes time. Interim responses count, and are skipped.
 */
function boundAnswers(socket: Socket): void {
  let asked = 0;
  let left = 0;
  const interim = new InterimResponses();
  socket.read = () => {
    if (socket.bytesWritten !== asked) {
      asked = socket.bytesWritten;
      left = MAX_ANSWER_BYTES;
      interim.restart();
    }
    for (;;) {
      // Without bytes the size is undefined, because then the stream reports when bytes come.
      const size = Math.min(PIECE_BYTES, socket.readableLength) || undefined;
      const piece: Buffer | null = Socket.prototype.read.call(socket, size);
      if (piece === null) return null;
      left -= piece.length;
      if (left < 0) {
        socket.destroy(Object.assign(new Error("the answer is too long"), { code: ANSWER_TOO_LONG }));
        return null;
      }
      const taken = interim.take(piece);
      if (taken.length > 0) return taken;
    }
  };
}

interface ConnectionPoolsOptions {
  /** At most so many connections to one endpoint. */
  readonly perEndpoint: number;
  /** For receivers whose certificates come from a private authority. */
  readonly tls?: Pick<ConnectionOptions, "ca">;
}

interface EndpointPool {
  readonly origin: string;
  readonly address: string;
  readonly pool: Pool;
}

/**
 * Keep-alive connections to receivers, in one pool per endpoint, so that no endpoint waits for another. A pool connects
 * to one checked address and never resolves a name.
 */
export class ConnectionPools {
  readonly #options: ConnectionPoolsOptions;
  readonly #pools = new LRUCache<string, EndpointPool>({
    ttl: IDLE_ENDPOINT_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    // Requests in flight are finished.
    dispose: ({ pool }) => void pool.close().catch(() => undefined),
  });
  /** Sockets that are connecting, because undici does not close them when a pool is destroyed. */
  readonly #connecting = new Set<Socket>();

  constructor(options: ConnectionPoolsOptions) {
    this.#options = options;
  }

  /** The pool of an endpoint for one of these addresses. The address in use is kept if it is still one of them. */
  poolFor(endpointId: string, url: URL, addresses: readonly string[]): Pool {
    const known = this.#pools.get(endpointId);
    if (known !== undefined && known.origin === url.origin && addresses.includes(known.address)) return known.pool;
    return this.#open(endpointId, url, addresses[0] ?? "");
  }

  /** Uses the next address in the list from now on, because the one in use is unreachable. */
  useNextAddress(endpointId: string, url: URL, addresses: readonly string[]): void {
    const at = addresses.indexOf(this.#pools.get(endpointId)?.address ?? "");
    const next = addresses[(at + 1) % addresses.length];
    if (at !== -1 && addresses.length > 1 && next !== undefined) this.#open(endpointId, url, next);
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()].map(({ pool }) => pool);
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
    for (const socket of this.#connecting) socket.destroy();
  }

  #open(endpointId: string, url: URL, address: string): Pool {
    const { origin } = url;
    const pool = new (undici().Pool)(origin, {
      connections: this.#options.perEndpoint,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAliveMaxTimeout: IDLE_ENDPOINT_MS,
      // The attempt as a whole has a time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: this.#connectorTo(url, address),
    });
    this.#pools.set(endpointId, { origin, address, pool });
    return pool;
  }

  /** Connects to one address. The certificate has to be for the host name. */
  #connectorTo(url: URL, address: string): buildConnector.connector {
    const connect = undici().buildConnector({ ...this.#options.tls, allowH2: false, timeout: CONNECT_TIMEOUT_MS });
    const name = url.hostname.replace(/^\[|\]$|\.$/g, "");
    const servername = name === address ? {} : { servername: name };
    return ({ servername: _, ...rest }, callback) => {
      const socket: unknown = connect({ ...rest, host: name, hostname: address, ...servername }, (...connected) => {
        if (socket instanceof Socket) {
          this.#connecting.delete(socket);
          boundAnswers(socket);
        }
        callback(...connected);
      });
      if (socket instanceof Socket) this.#connecting.add(socket);
    };
  }
}
