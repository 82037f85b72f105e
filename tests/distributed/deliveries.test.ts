import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  bookingOf,
  distinctIds,
  isSigned,
  Receiver,
  type Respond,
  respondWith,
} from "@travel-booking/webhooks/receiver/testing";
import { Redis } from "ioredis";
import { describeWith, startEventStore, startMongo, startRedis } from "../engines/index.ts";
import type { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Installation } from "../support/distributed/installation.ts";
import { needsProxy } from "../support/distributed/needs-proxy.ts";
import { until } from "../support/until.ts";
import { everyEvent } from "./kit/events.ts";
import { ClientJourneys } from "./kit/journeys.ts";
import { RetryingApi } from "./kit/retrying-api.ts";

const FLIGHT = "DE-1";
/** The server that stands in for MongoDB looks through all it has for what is not named by its id: a few will do. */
const CLIENTS = 2;
/** Payments before something is killed, while it is away, and after it is back. */
const A_FEW = 2;
/** `payment.succeeded`, then `booking.confirmed`. */
const EVENTS_OF_A_PAYMENT = 2;
const AN_HOUR = 3_600;
const TYPES = ["booking.confirmed", "booking.changed", "booking.cancelled", "payment.succeeded", "payment.failed"];

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

interface Status {
  readonly status: string;
  readonly owed: number;
}

const good = respondWith(204);

let requests = 0;

/** What receivers do while services and Redis are killed. */
const RECEIVERS: Readonly<Record<string, Respond>> = {
  good,
  "failing every third time": (_, response) => {
    requests += 1;
    response.writeHead(requests % 3 === 0 ? 500 : 204).end();
  },
};

describeWith(
  {
    eventStore: startEventStore,
    mongo: startMongo,
    redis: startRedis.with({ killable: true }),
    proxy: needsProxy,
  },
  "deliveries by several dispatchers",
  ({ eventStore, mongo, redis }) => {
    let installation: Installation;
    let api: ApiClient;
    let journeys: ClientJourneys;
    const receivers = new Map<string, Receiver>();
    const endpoints = new Map<string, Endpoint>();

    beforeAll(async () => {
      installation = await Installation.start({
        servers: { eventStoreUrl: eventStore.url, mongodbUrl: mongo.url, redisUrl: redis.url },
        instances: { "webhook-dispatcher": 2 },
        env: {
          RATE_LIMIT_PER_MINUTE: "0",
          SANDBOX_CLOCK: "true",
          WEBHOOK_ALLOW_PRIVATE_TARGETS: "true",
          LOG_LEVEL: "warn",
        },
      });
      await importFlights(installation, [{ id: FLIGHT, departsIn: 60, rows: [10, 409] }]);
      const { apiKey } = await installation.newApiKey();
      api = new RetryingApi(installation.baseUrl, { apiKey });
      for (const [name, respond] of Object.entries(RECEIVERS)) {
        const receiver = await Receiver.start(respond);
        receivers.set(name, receiver);
        const { body } = await api.post<Endpoint>("/v1/webhook-endpoints", { url: receiver.url, events: TYPES });
        endpoints.set(name, body);
      }
      journeys = new ClientJourneys(installation.baseUrl, apiKey, [FLIGHT]);
    });
    afterAll(async () => {
      await installation.discard();
      await Promise.all([...receivers.values()].map((receiver) => receiver.stop()));
    });

    /** Does it between two times that customers book and pay; resolves when the good receiver has heard of all of it. */
    async function amidst(what: () => Promise<void>): Promise<void> {
      journeys.start(CLIENTS);
      await journeys.waitForPayments(A_FEW);
      await what();
      await journeys.waitForPayments(A_FEW);
      const { bookings } = await journeys.stop();
      const [receiver] = receivers.values();
      const paid = (id: string) => new Set(receiver?.idsOfBooking(id)).size === EVENTS_OF_A_PAYMENT;
      await receiver?.until(() => [...bookings.keys()].every(paid));
    }

    test("go on while one dispatcher after the other is killed", async () => {
      for (const dispatcher of installation.of("webhook-dispatcher")) {
        await amidst(async () => {
          expect((await dispatcher.kill()).signal).toBe("SIGKILL");
          await journeys.waitForPayments(A_FEW);
          dispatcher.restart();
          await dispatcher.ready();
        });
      }
    });

    test("go on when Redis has lost all it had, and when it was away", async () => {
      await amidst(async () => {
        const client = new Redis(redis.url);
        await client.flushall();
        client.disconnect();
      });
      await amidst(async () => {
        await redis.kill();
        await journeys.waitForPayments(A_FEW);
        await redis.restart();
      });
    });

    test("and in the end every receiver has had every event, signed, each booking's in order", async () => {
      expect(journeys.acknowledged.unexpectedResponses).toStrictEqual([]);
      for (const receiver of receivers.values()) receiver.respond = good;
      const moved = await installation.operator("POST", "/clock/advance", { seconds: AN_HOUR });
      expect(moved.status).toBe(200);
      const expected = Map.groupBy(await everyEvent(api), bookingOf);
      for (const [name, endpoint] of endpoints) {
        const path = `/v1/webhook-endpoints/${endpoint.id}/status`;
        await until(async () => (await api.get<Status>(path)).body.owed === 0);
        expect([name, (await api.get<Status>(path)).body.status]).toStrictEqual([name, "active"]);
        const receiver = receivers.get(name);
        for (const received of receiver?.received ?? []) expect(isSigned(received, endpoint.secret)).toBe(true);
        for (const [bookingId, events] of expected) {
          expect([name, distinctIds(receiver?.idsOfBooking(bookingId) ?? [])]).toStrictEqual([
            name,
            events.map(({ id }) => id),
          ]);
        }
      }
    });
  },
);
