import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { flightDecider } from "@travel-booking/domain";
import type { EventStore } from "@travel-booking/engines/event-store";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { type Environment, openEnvironment } from "@travel-booking/engines/lmdb";
import type { StateStore } from "@travel-booking/engines/state-store";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import { type ApiResponse, Idempotency } from "@travel-booking/http";
import { SandboxGateway } from "@travel-booking/payment-gateway/sandbox";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { ManualClock, sequentialCommandIds, silentLogger } from "@travel-booking/runtime";
import { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { systemContext } from "../src/command-handling/command.ts";
import { CommandHandler, type CommandServices, commandRoutes, webhookServices } from "../src/index.ts";
import { GatewayMonitor } from "../src/payments/gateway-monitor.ts";
import { apiRequest, NO_DOCUMENTS, NO_QUOTAS, NOTHING_SEALED } from "../testing/index.ts";
import { ADA, BANK, FLIGHT, LOYALTY_RATES, plan, T0 } from "./support/sample.ts";

let path: string;
let environment: Environment;
let events: EventStore;
let state: StateStore;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "flushes-"));
  environment = openEnvironment({ path, maxDbs: LMDB_EVENT_STORE_DATABASES + LMDB_STATE_STORE_DATABASES });
});

afterEach(async () => {
  await events.close();
  await state.close();
  await environment.close();
  rmSync(path, { recursive: true, force: true });
});

const onFatal = (error: Error) => {
  throw error;
};

/** What a crash at this moment would leave of a booking's or a flight's events, and of the records of keys. */
interface Stored {
  readonly flushes: number;
  readonly events: readonly string[];
  readonly keys: number;
  readonly answered: number;
}

/** A service on one environment; `sharesLog`: its state store knows. */
async function serve(sharesLog: boolean) {
  const clock = new ManualClock(T0);
  const ids = sequentialCommandIds();
  events = openLmdbEventStore(environment, { onFatal });
  state = openLmdbStateStore(environment, { sharesLog, onFatal });
  const seen = new Map<string, Promise<Stored>>();
  const services: CommandServices = {
    handler: new CommandHandler({ store: events, clock, ids }),
    gateway: new SandboxGateway(state),
    gatewayMonitor: new GatewayMonitor(silentLogger),
    clock,
    ids,
    logger: silentLogger,
    quotas: NO_QUOTAS,
    bankAccount: BANK,
    loyaltyRates: LOYALTY_RATES,
    documents: NO_DOCUMENTS,
    words: new SealedWords({ state, secretKey: "secret", shared: false }),
    webhooks: webhookServices({
      state,
      secretKey: "secret",
      targets: { allowPrivate: false, ports: [] },
      deliveries: new EndpointDeliveries({ store: state }),
    }),
    findFlightOfHold: async () => undefined,
    waitUncounted: (wait) => wait,
    reachedFaultPoint: (name) => void seen.set(name, stored()),
  };
  await services.handler.execute({
    stream: `flight-${FLIGHT}`,
    decider: flightDecider,
    command: { type: "ScheduleFlight", plan },
    context: systemContext(services),
    reply: () => undefined,
  });
  // Each transaction is one flush.
  const { mock: transactions } = jest.spyOn(environment.root, "batch");
  const idempotency = new Idempotency({ store: state, clock, commandIds: ids, holder: null });

  async function stored(): Promise<Stored> {
    const flushes = transactions.calls.length;
    const kinds: string[] = [];
    if ((await events.head()) > 1n) {
      for await (const batch of events.subscribe({ after: 1n, signal: AbortSignal.timeout(1) })) {
        kinds.push(...batch.map(({ type }) => type));
        break;
      }
    }
    const keys = await state.list<{ readonly response: unknown }>("idempotency", { limit: 10 });
    return { flushes, events: kinds, keys: keys.length, answered: keys.filter(({ value }) => value.response).length };
  }

  /** Sends a request under a key, and counts the flushes it waited for. */
  async function send(operation: string, params: Readonly<Record<string, string>>, body: unknown, key: string) {
    const route = commandRoutes(services).find((each) => each.operation.id === operation);
    if (route === undefined) throw new Error(`no route ${operation}`);
    const from = transactions.calls.length;
    const response: ApiResponse = await idempotency.run(
      { accountId: ADA, operationId: operation, key, fingerprint: JSON.stringify(body), sealer: NOTHING_SEALED },
      (command) => Promise.resolve(route.handler(apiRequest({ accountId: ADA, params, body, command }) as never)),
    );
    return { response, flushes: transactions.calls.length - from };
  }

  const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
  const book = (key: string) => send("createBooking", {}, { flightId: FLIGHT, cabin: "economy", passengers }, key);
  const pay = (id: string, key: string) =>
    send("createPayment", { id }, { type: "card", token: "tok_visa", saveCard: false }, key);
  const hold = (seat: string, key: string) => send("createSeatHold", { id: FLIGHT }, { seats: [seat] }, key);
  return { book, pay, hold, seen, stored };
}

const idOf = ({ json }: ApiResponse) => (JSON.parse(String(json)) as { readonly id: string }).id;

describe("flushes of a request with an Idempotency-Key, where state and log share an environment", () => {
  test("a booking: its key, both of its events and its answer become durable in one", async () => {
    const { book, stored } = await serve(true);
    const { response, flushes } = await book("b");
    expect([response.status, flushes]).toStrictEqual([201, 1]);
    expect(await stored()).toStrictEqual({
      flushes: 1,
      events: ["SeatsAllocated", "BookingCreated"],
      keys: 1,
      answered: 1,
    });
    expect(response.position).toBe(await events.head());
  });

  test("a hold: one", async () => {
    const { hold } = await serve(true);
    const { response, flushes } = await hold("10A", "h");
    expect([response.status, flushes, response.position]).toStrictEqual([201, 1, await events.head()]);
  });

  test("a payment: its key with the intent, the charge, its outcome with the answer", async () => {
    const { book, pay, seen } = await serve(true);
    const bookingId = idOf((await book("b")).response);
    const { response, flushes } = await pay(bookingId, "p");
    expect([response.status, flushes]).toStrictEqual([201, 3]);
    // Money moves only after the key and the intent are on the disk.
    expect(await seen.get("pay:started")).toMatchObject({ flushes: 2, keys: 2, answered: 1 });
    expect((await seen.get("pay:started"))?.events.at(-1)).toBe("PaymentStarted");
    expect(await seen.get("pay:charged")).toMatchObject({ flushes: 3, answered: 1 });
    expect(response.position).toBe(await events.head());
  });

  test("a refusal rests on what is durable", async () => {
    const { hold, stored } = await serve(true);
    await hold("10A", "h");
    const { response } = await hold("10A", "other");
    expect(response.status).toBe(409);
    expect(await stored()).toMatchObject({ keys: 2, answered: 2 });
  });
});

test("a store that does not share the log makes a key durable before its command runs", async () => {
  const { book, pay, seen } = await serve(false);
  const booked = await book("b");
  expect(booked.flushes).toBe(3);
  expect(await seen.get("book:allocated")).toMatchObject({ keys: 1, events: [] });
  expect((await pay(idOf(booked.response), "p")).flushes).toBe(5);
});
