import { operations } from "@travel-booking/api-contract";
import { type DomainEvent, SCOPES, type Scope } from "@travel-booking/domain";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";
import { InMemoryRateCounter } from "@travel-booking/engines/rate-counter/memory";
import { temporaryReadStore } from "@travel-booking/engines/read-store/testing";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { InMemoryWritePositions } from "@travel-booking/engines/write-positions/memory";
import {
  AccessTokens,
  AddressRateLimiter,
  ClientAddressResolver,
  Cursors,
  createApp,
  createAuthenticator,
  generateApiKey,
  hashSecret,
  Idempotency,
  RateLimiter,
  startServer,
} from "@travel-booking/http";
import { Projector, projections } from "@travel-booking/projector";
import { EventNotifier, queryRoutes } from "@travel-booking/query-service";
import { BOOKINGS, credentialDirectory, type ProjectionProgress } from "@travel-booking/read-models";
import { OpenedReadModels, SealedWords } from "@travel-booking/read-models/sealed-words";
import {
  ManualClock,
  Metrics,
  sequentialCommandIds,
  silentLogger,
  TextSealer,
  TextSigner,
} from "@travel-booking/runtime";
import { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { LogWriter } from "./log-writer.ts";

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed; undefined for an empty body. */
  readonly body: unknown;
}

const KEY = new Uint8Array(32).fill(7);
const LONG_TIMEOUT_MS = 120_000;

/** Counts what is opened of bookings. */
class CountedReadModels extends OpenedReadModels {
  /** With all that happened to them. */
  wholeBookings = 0;
  /** As they are shown. */
  listedBookings = 0;

  override document(...[model, key]: Parameters<OpenedReadModels["document"]>) {
    if (model === BOOKINGS.booking.model) this.wholeBookings += 1;
    return super.document(model, key);
  }

  override async page(...[model, request]: Parameters<OpenedReadModels["page"]>) {
    const items = await super.page(model, request);
    if (model === BOOKINGS.booking.model) this.listedBookings += items.length;
    return items;
  }
}

/** The query side over a real read store that the real projections write, behind real HTTP. */
export async function startReadService(now: number) {
  const clock = new ManualClock(now);
  const { store, close } = temporaryReadStore();
  const state = new InMemoryStateStore();
  const words = new SealedWords({ state, secretKey: "secret", shared: false });
  const models = new CountedReadModels(store, words);
  const log = new InMemoryEventStore();
  const writer = new LogWriter(log);
  const problems: unknown[] = [];
  const projector = new Projector({
    eventStore: log,
    readStore: store,
    words,
    skippedEvents: { has: async () => false },
    projections,
    onFatal: (error) => problems.push(error),
    onProblem: ({ error }) => problems.push(error),
  });
  await projector.start();

  const rateLimiter = new RateLimiter({ perMinute: 0, counter: new InMemoryRateCounter(), clock });
  const tokens = new AccessTokens({ keys: [KEY], keyInUse: async () => ({ index: 0, since: 0 }), clock });
  const positions = new InMemoryWritePositions();
  const heldBack = new Map<string, bigint>();
  const progress: ProjectionProgress = {
    positionOf: (name) => heldBack.get(name) ?? projector.progress.positionOf(name),
    waitUntil: (name, position, timeoutMs) => projector.progress.waitUntil(name, position, timeoutMs),
  };
  const commandIds = sequentialCommandIds();
  const cursors = new Cursors([KEY]);
  const deliveries = new EndpointDeliveries({ store: state });
  const tail = new EventNotifier({ models, progress });
  const boardingPasses = {
    assignSeats: () => Promise.reject(new Error("nobody assigns seats here")),
    positions,
    signer: new TextSigner([new Uint8Array(32)]),
    printer: { draw: async () => new Uint8Array() },
  };
  const app = createApp({
    routes: queryRoutes({
      models,
      progress,
      clock,
      words,
      cursors,
      eventNotifier: tail,
      testEvents: state,
      deliveries,
      boardingPasses,
    }),
    allOperations: operations,
    authenticator: createAuthenticator({ directory: credentialDirectory(models), tokens }),
    rateLimiter,
    addressRateLimiter: new AddressRateLimiter(rateLimiter, new ClientAddressResolver([])),
    commandIds,
    idempotency: new Idempotency({ store: state, clock, commandIds }),
    responseSealer: new TextSealer([KEY]),
    words,
    logger: silentLogger,
    metrics: new Metrics(),
    positions,
    progress,
  });
  const server = await startServer(app, { host: "127.0.0.1", port: 0 });

  async function record(stream: string, ...events: readonly DomainEvent[]): Promise<void> {
    const position = await writer.append(stream, ...events);
    const reached = projections.map(({ name }) => projector.progress.waitUntil(name, position, LONG_TIMEOUT_MS));
    const all = (await Promise.all(reached)).every(Boolean);
    if (!all || problems.length > 0) throw new AggregateError(problems, "a projection did not get there");
    models.refresh();
  }

  return {
    cursors,
    clock,
    /** Where test events are. */
    state,
    words,
    models,
    deliveries,
    tail,
    baseUrl: `http://127.0.0.1:${server.port}`,
    /** Until told otherwise this projection shows nothing of what comes now. */
    holdBack(projection: string): void {
      heldBack.set(projection, projector.progress.positionOf(projection));
    },
    letGo(): void {
      heldBack.clear();
    },
    /** Given events, visible to readers when this resolves. */
    record,
    /** Given events of the holder of this credential, visible to nobody but its own reads, as far as we know. */
    async recordAs(credentialId: string, stream: string, ...events: readonly DomainEvent[]): Promise<void> {
      positions.record(credentialId, await writer.append(stream, ...events));
    },
    /** An account with an API key; reads as that account. */
    async openAccount(accountId: string, scopes: readonly Scope[] = SCOPES) {
      const apiKey = generateApiKey();
      const credentialId = `crd_${accountId}`;
      const secretHash = hashSecret(apiKey);
      const account = { accountId, name: accountId, apiVersion: "2026-11-01" };
      const credential = { credentialId, accountId, kind: "api-key", name: null, scopes, secretHash, clientId: null };
      await record(
        `account-${accountId}`,
        { type: "AccountOpened", at: now, data: account },
        { type: "CredentialIssued", at: now, data: credential },
      );
      const read = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<TestResponse> => {
        const response = await fetch(`http://127.0.0.1:${server.port}${url}`, {
          headers: { "x-api-key": apiKey, ...headers },
        });
        const text = await response.text();
        return {
          status: response.status,
          headers: response.headers,
          text,
          body: text === "" ? undefined : (JSON.parse(text) as unknown),
        };
      };
      return Object.assign(read, { apiKey });
    },
    async stop(): Promise<void> {
      tail.stop();
      await server.stop(1_000);
      await projector.stop();
      await close();
    },
  };
}

export type ReadService = Awaited<ReturnType<typeof startReadService>>;
export type ApiReader = Awaited<ReturnType<ReadService["openAccount"]>>;

/** What every error looks like. */
export function errorOf(statusCode: number, message: string | readonly string[], error: string) {
  return { statusCode, message, error };
}

/** Every page of a list, by its cursors, from this one on; `url` already has a query. */
export async function readAllPages(read: ApiReader, url: string, from: string | null = null): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let cursor = from;
  do {
    const answer = await read(cursor === null ? url : `${url}&cursor=${cursor}`);
    const { data, page } = answer.body as { data: unknown[]; page: { nextCursor: string | null; hasMore: boolean } };
    if (page.hasMore !== (page.nextCursor !== null)) throw new Error("hasMore contradicts nextCursor");
    pages.push(data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}
