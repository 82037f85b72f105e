import { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { buildConnector, Pool } from "undici";

/** Real time. */
const CONNECT_WITHIN_MS = 10_000;
const IDLE_CONNECTION_MS = 4_000;
const IDLE_ENDPOINT_MS = 60_000;

export interface ConnectionPoolsOptions {
  /** Connections to one endpoint at most. */
  readonly perEndpoint: number;
  /** For receivers whose certificates are not known to everybody. */
  readonly tls?: Pick<ConnectionOptions, "ca">;
}

interface EndpointPool {
  readonly origin: string;
  readonly address: string;
  readonly pool: Pool;
  usedAt: number;
}

/**
 * Connections to receivers, kept open between deliveries; apart for each endpoint, so that none waits for another's.
 * Every one of them leads to an address that was checked: no name is ever looked up here.
 */
export class ConnectionPools {
  readonly #options: ConnectionPoolsOptions;
  readonly #pools = new Map<string, EndpointPool>();
  /** Those that are being made: undici lets them be when a pool is destroyed. */
  readonly #connecting = new Set<Socket>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: ConnectionPoolsOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => this.#closeIdle(), IDLE_ENDPOINT_MS);
    this.#sweep.unref();
  }

  /** The connections of an endpoint to one of these addresses: that in use where it still is one of them. */
  poolFor(endpointId: string, url: URL, addresses: readonly string[]): Pool {
    const known = this.#pools.get(endpointId);
    if (known !== undefined && known.origin === url.origin && addresses.includes(known.address)) {
      known.usedAt = performance.now();
      return known.pool;
    }
    return this.#open(endpointId, url, addresses[0] ?? "");
  }

  /** The address in use can't be reached: the one behind it is taken next. */
  useNextAddress(endpointId: string, url: URL, addresses: readonly string[]): void {
    const at = addresses.indexOf(this.#pools.get(endpointId)?.address ?? "");
    const next = addresses[(at + 1) % addresses.length];
    if (at !== -1 && addresses.length > 1 && next !== undefined) this.#open(endpointId, url, next);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const pools = [...this.#pools.values()].map(({ pool }) => pool);
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
    for (const socket of this.#connecting) socket.destroy();
  }

  #open(endpointId: string, url: URL, address: string): Pool {
    const before = this.#pools.get(endpointId);
    const { origin } = url;
    const pool = new Pool(origin, {
      connections: this.#options.perEndpoint,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAliveMaxTimeout: IDLE_ENDPOINT_MS,
      // An attempt has a time limit as a whole.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: this.#connectorTo(url, address),
    });
    this.#pools.set(endpointId, { origin, address, pool, usedAt: performance.now() });
    // What is under way goes on to its end.
    before?.pool.close().catch(() => undefined);
    return pool;
  }

  #closeIdle(): void {
    for (const [endpointId, { pool, usedAt }] of this.#pools) {
      if (performance.now() - usedAt < IDLE_ENDPOINT_MS) continue;
      this.#pools.delete(endpointId);
      pool.close().catch(() => undefined);
    }
  }

  /** Connects to one address, whatever the name is; the certificate has to be the name's. */
  #connectorTo(url: URL, address: string): buildConnector.connector {
    const connect = buildConnector({ ...this.#options.tls, allowH2: false, timeout: CONNECT_WITHIN_MS });
    const name = url.hostname.replace(/^\[|\]$|\.$/g, "");
    const servername = name === address ? {} : { servername: name };
    return ({ servername: _, ...rest }, callback) => {
      const socket: unknown = connect({ ...rest, host: name, hostname: address, ...servername }, (...connected) => {
        if (socket instanceof Socket) this.#connecting.delete(socket);
        callback(...connected);
      });
      if (socket instanceof Socket) this.#connecting.add(socket);
    };
  }
}
