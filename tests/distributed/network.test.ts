import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { describeWith, startEventStore, startMongo, startRedis, startToxiproxy } from "../engines/index.ts";
import { importFlights } from "../support/catalogue.ts";
import { Installation, type Servers } from "../support/distributed/installation.ts";
import { needsProxy } from "../support/distributed/needs-proxy.ts";
import { Audit } from "./kit/audit.ts";
import { Journeys } from "./kit/journeys.ts";

const FLIGHTS = ["NE-1", "NE-2"];
const ROWS = [10, 209] as const;
const CAPACITY = 1_200;
const CLIENTS = 6;
const A_FEW = 5;
const LATENCY_MS = 100;

type Proxied = Awaited<ReturnType<Extract<Awaited<ReturnType<typeof startToxiproxy>>, { proxy: unknown }>["proxy"]>>;

/** The services reach every server through a proxy that disturbs what passes. */
describeWith(
  { eventStore: startEventStore, mongo: startMongo, redis: startRedis, toxiproxy: startToxiproxy, proxy: needsProxy },
  "a network that does not work",
  ({ eventStore, mongo, redis, toxiproxy }) => {
    let installation: Installation;
    let servers: Servers;
    let apiKey: string;
    let journeys: Journeys;
    const ways: Record<string, Proxied> = {};

    beforeAll(async () => {
      ways["the event store"] = await toxiproxy.proxy(eventStore.url);
      ways["the document server"] = await toxiproxy.proxy(mongo.url);
      ways.Redis = await toxiproxy.proxy(redis.url);
      servers = { eventStoreUrl: eventStore.url, mongodbUrl: mongo.url, redisUrl: redis.url };
      installation = await Installation.start({
        servers: {
          eventStoreUrl: ways["the event store"].url,
          mongodbUrl: ways["the document server"].url,
          redisUrl: ways.Redis.url,
        },
        env: { RATE_LIMIT_PER_MINUTE: "1000000", SANDBOX_CLOCK: "true", LOG_LEVEL: "warn" },
      });
      await importFlights(
        installation,
        FLIGHTS.map((id) => ({ id, departsIn: 60, rows: ROWS })),
      );
      apiKey = (await installation.newApiKey()).apiKey;
      journeys = new Journeys(installation.baseUrl, apiKey, FLIGHTS);
      journeys.start(CLIENTS);
    }, 120_000);
    afterAll(() => installation.discard(), 60_000);

    const to = (name: string): Proxied => {
      const way = ways[name];
      if (way === undefined) throw new Error(`no way to ${name}`);
      return way;
    };

    /** Resolves when somebody had to repeat a request because of it. */
    async function felt(): Promise<void> {
      const { acknowledged } = journeys;
      const before = acknowledged.repeated;
      while (acknowledged.repeated === before) await new Promise((resolve) => setTimeout(resolve, 50));
    }

    describe.each(["the event store", "the document server"])("to %s", (name) => {
      test("slow: everything goes on, slower", async () => {
        await to(name).latency(LATENCY_MS, LATENCY_MS / 2);
        await journeys.progress(A_FEW);
        await to(name).restore();
      }, 120_000);

      test.each(["cut", "halfOpen", "reset", "down"] as const)(
        "%s: requests are refused or not answered, and it goes on by itself afterwards",
        async (fault) => {
          await journeys.progress(A_FEW);
          await to(name)[fault]();
          await felt();
          await to(name).restore();
          await journeys.progress(A_FEW);
        },
        180_000,
      );
    });

    test.each(["cut", "halfOpen", "reset", "down"] as const)(
      "%s to Redis: bookings and payments go on without it",
      async (fault) => {
        await to("Redis")[fault]();
        await journeys.progress(A_FEW);
        await to("Redis").restore();
        await journeys.progress(A_FEW);
      },
      180_000,
    );

    test("in the end nothing acknowledged is lost, nobody is charged twice, no seat is astray", async () => {
      const acknowledged = await journeys.stop();
      expect(acknowledged.surprises).toStrictEqual([]);
      const audit = new Audit(installation, servers, apiKey);
      await audit.settle();
      expect(await audit.missing(acknowledged)).toStrictEqual([]);
      expect(await audit.wronglyCharged(acknowledged)).toStrictEqual([]);
      expect(await audit.seatsAstray(FLIGHTS, CAPACITY)).toStrictEqual(new Map());
      const { asTheyAre, builtAnew } = await audit.readModels();
      for (const [model, documents] of builtAnew) {
        expect([model, documents]).toStrictEqual([model, asTheyAre.get(model)]);
      }
    }, 300_000);
  },
);
