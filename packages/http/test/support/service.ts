import { SCOPES, type Scope } from "@travel-booking/domain";
import { InMemoryRateCounter } from "@travel-booking/engines/rate-counter/memory";
import { InMemoryWritePositions } from "@travel-booking/engines/write-positions/memory";
import {
  AccessTokens,
  AddressRateLimiter,
  type AppOptions,
  ClientAddressResolver,
  createApp,
  createAuthenticator,
  generateApiKey,
  generateClientSecret,
  type Handler,
  hashSecret,
  Idempotency,
  type Lifecycle,
  RateLimiter,
  type Route,
  type RunningServer,
  startServer,
  tokenEndpoint,
} from "@travel-booking/http";
import type { CredentialRecord } from "@travel-booking/read-models";
import { ManualClock, Metrics, sequentialCommandIds, silentLogger, TextSealer } from "@travel-booking/runtime";
import { MemoryStateStore } from "./memory-state-store.ts";
import * as contract from "./operations.ts";

export const NOW = Date.parse("2027-01-10T12:00:30.500Z");

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
export type Credential = Mutable<CredentialRecord> & {
  readonly apiKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** A directory of the test's credentials; with `later` it returns promises. */
export class MemoryCredentialDirectory {
  later = false;
  readonly #byHash = new Map<string, CredentialRecord>();
  readonly #byClient = new Map<string, CredentialRecord>();
  #count = 0;

  /** An API key and an OAuth client with the same rights. */
  add(scopes: readonly Scope[] = SCOPES): { key: Credential; client: Credential } {
    this.#count += 1;
    const make = (kind: string, secret: string): Credential => ({
      accountId: `acc_${this.#count}`,
      credentialId: `crd_${kind}_${this.#count}`,
      accountActive: true,
      credentialActive: true,
      scopes: new Set(scopes),
      apiVersion: "2026-11-01",
      secretHash: hashSecret(secret),
      apiKey: secret,
      clientId: `client-${this.#count}`,
      clientSecret: secret,
    });
    const key = make("key", generateApiKey());
    const client = make("client", generateClientSecret());
    this.#byHash.set(key.secretHash, key);
    this.#byClient.set(client.clientId, client);
    return { key, client };
  }

  byApiKeyHash(hash: string) {
    const found = this.#byHash.get(hash);
    return this.later ? Promise.resolve(found) : found;
  }

  byClientId(clientId: string) {
    const found = this.#byClient.get(clientId);
    return this.later ? Promise.resolve(found) : found;
  }
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  readonly body: any;
}

export interface ServiceOptions extends Partial<AppOptions> {
  readonly perMinute?: number;
  readonly trustedProxies?: readonly string[];
  readonly maxWaitMs?: number;
  readonly maxConnections?: number;
  readonly unreadTimeoutMs?: number;
  /** Handlers by the id of their operation. The default one responds with the request it gets. */
  readonly handlers?: Readonly<Record<string, Handler<never, never>>>;
  readonly reads?: Readonly<Record<string, readonly string[]>>;
  /** Ids of confidential operations. */
  readonly confidential?: readonly string[];
}

/** No word is sealed. */
export const unsealedWords: AppOptions["words"] = {
  sealAnswer: async (json) => json,
  openAnswer: async (json) => json,
  keys: { requestKey: async (_accountId, fingerprint) => fingerprint },
};

/** Responds with the request it gets. */
const echo: Handler = ({ params, query, body, caller, command }) => ({
  status: 200,
  json: JSON.stringify({
    params,
    query,
    body,
    command,
    caller: caller && { ...caller, scopes: [...caller.scopes] },
  }),
});

/** A real server with the operations of the test, on a free port. */
export async function startService(options: ServiceOptions = {}) {
  const clock = new ManualClock(NOW);
  const directory = new MemoryCredentialDirectory();
  const { key, client } = directory.add();
  const tokens = new AccessTokens({
    keys: [new Uint8Array(32).fill(7)],
    keyInUse: async () => ({ index: 0, since: 0 }),
    clock,
  });
  const rateLimiter = new RateLimiter({ perMinute: options.perMinute ?? 0, counter: new InMemoryRateCounter(), clock });
  const addressRateLimiter = new AddressRateLimiter(
    rateLimiter,
    new ClientAddressResolver(options.trustedProxies ?? []),
  );
  const store = new MemoryStateStore();
  const commandIds = sequentialCommandIds();
  const maxWait = options.maxWaitMs === undefined ? {} : { maxWaitMs: options.maxWaitMs };
  const lifecycle: Lifecycle = { stopping: false };
  const metrics = new Metrics();
  const served = [
    contract.getThing,
    contract.searchThings,
    contract.listThings,
    contract.makeThing,
    contract.payThing,
    contract.cancelThing,
    contract.dropThing,
    contract.openDocument,
  ];
  const routes: Route[] = served.map((operation) => {
    const reads = options.reads?.[operation.id];
    const confidential = options.confidential?.includes(operation.id) === true;
    const handler = options.handlers?.[operation.id] ?? echo;
    const route = { operation, handler, confidential };
    return reads === undefined ? route : { ...route, reads };
  });
  routes.push(tokenEndpoint({ directory, tokens, rateLimiter, addressRateLimiter }));
  const app = createApp({
    routes,
    allOperations: contract.operations,
    authenticator: createAuthenticator({ directory, tokens }),
    rateLimiter,
    addressRateLimiter,
    commandIds,
    logger: silentLogger,
    metrics,
    idempotency: new Idempotency({ store, clock, commandIds, ...maxWait }),
    positions: new InMemoryWritePositions(),
    responseSealer: new TextSealer([new Uint8Array(32).fill(7)]),
    words: unsealedWords,
    progress: { positionOf: () => 0n, waitUntil: async () => true },
    lifecycle,
    ...options,
  });
  const server: RunningServer = await startServer(app, { host: "127.0.0.1", port: 0, lifecycle, ...options });
  const baseUrl = `http://127.0.0.1:${server.port}`;

  /** Sends with the API key, unless `headers` bring a credential or `x-api-key` is null. */
  async function send(
    method: string,
    path: string,
    init: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      readonly anonymous?: boolean;
    } = {},
  ): Promise<TestResponse> {
    const headers: Record<string, string> = { ...init.headers };
    const named = Object.keys(headers).map((name) => name.toLowerCase());
    if (init.anonymous !== true && !named.includes("authorization") && !named.includes("x-api-key")) {
      headers["x-api-key"] = key.apiKey;
    }
    const raw = init.body instanceof Uint8Array || typeof init.body === "string";
    if (init.body !== undefined && !named.includes("content-type")) headers["content-type"] = "application/json";
    const body = raw || init.body === undefined ? init.body : JSON.stringify(init.body);
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: body as string }),
    });
    const text = await response.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = undefined;
    }
    return { status: response.status, headers: response.headers, text, body: parsed };
  }

  return {
    baseUrl,
    port: server.port,
    server,
    clock,
    directory,
    key,
    client,
    tokens,
    store,
    metrics,
    lifecycle,
    send,
    get: (path: string, headers: Readonly<Record<string, string>> = {}) => send("GET", path, { headers }),
    post: (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      send("POST", path, { body, headers }),
    stop: () => server.stop(1_000),
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;
