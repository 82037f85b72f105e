import { afterAll, beforeAll, describe, test } from "@jest/globals";
import {
  describeWith,
  type FaultProxy,
  startEventStore,
  startMongo,
  startRedis,
  startToxiproxy,
} from "../engines/index.ts";
import { needsProxy } from "../support/distributed/needs-proxy.ts";
import { serversAt } from "../support/distributed/servers.ts";
import { LoadedInstallation } from "./kit/loaded-installation.ts";

const A_FEW = 5;
const LATENCY_MS = 100;

/** The services reach every server through a proxy that disturbs what passes. */
describeWith(
  { eventStore: startEventStore, mongo: startMongo, redis: startRedis, toxiproxy: startToxiproxy, proxy: needsProxy },
  "a network that does not work",
  ({ eventStore, mongo, redis, toxiproxy }) => {
    let load: LoadedInstallation;
    const ways: Record<string, FaultProxy> = {};

    beforeAll(async () => {
      ways["the event store"] = await toxiproxy.proxy(eventStore.url);
      ways["the document server"] = await toxiproxy.proxy(mongo.url);
      ways.Redis = await toxiproxy.proxy(redis.url);
      load = await LoadedInstallation.start({
        servers: serversAt({
          eventStore: ways["the event store"],
          mongo: ways["the document server"],
          redis: ways.Redis,
        }),
        auditServers: serversAt({ eventStore, mongo, redis }),
        // So many that nobody reaches it, while every request is still counted in Redis.
        env: { RATE_LIMIT_PER_MINUTE: "1000000" },
        flights: ["NE-1", "NE-2"],
        clients: 3,
      });
    });
    afterAll(() => load.installation.discard());

    const to = (name: string): FaultProxy => {
      const way = ways[name];
      if (way === undefined) throw new Error(`no way to ${name}`);
      return way;
    };

    /** Resolves when somebody had to repeat a request because of it. */
    async function felt(): Promise<void> {
      const { acknowledged } = load.journeys;
      const before = acknowledged.repeated;
      while (acknowledged.repeated === before) await new Promise((resolve) => setTimeout(resolve, 50));
    }

    describe.each(["the event store", "the document server"])("to %s", (name) => {
      test("slow: everything goes on, slower", async () => {
        await to(name).latency(LATENCY_MS, LATENCY_MS / 2);
        await load.journeys.waitForPayments(A_FEW);
        await to(name).restore();
      });

      test.each(["cut", "halfOpen", "reset", "down"] as const)(
        "%s: requests are refused or not answered, and it goes on by itself afterwards",
        async (fault) => {
          await load.journeys.waitForPayments(A_FEW);
          await to(name)[fault]();
          await felt();
          await to(name).restore();
          await load.journeys.waitForPayments(A_FEW);
        },
      );
    });

    test.each(["cut", "halfOpen", "reset", "down"] as const)(
      "%s to Redis: bookings and payments go on without it",
      async (fault) => {
        await to("Redis")[fault]();
        await load.journeys.waitForPayments(A_FEW);
        await to("Redis").restore();
        await load.journeys.waitForPayments(A_FEW);
      },
    );

    test("in the end nothing acknowledged is lost, nobody is charged twice, no seat is astray", async () => {
      await load.expectConsistent();
      await load.expectReadModelsMatchRebuild();
    });
  },
);
