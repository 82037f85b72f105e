import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { describeWith, startEventStore, startMongo, startRedis } from "../engines/index.ts";
import { importFlights } from "../support/catalogue.ts";
import { Installation, type Servers } from "../support/distributed/installation.ts";
import { needsProxy } from "../support/distributed/needs-proxy.ts";
import type { ServiceName } from "../support/distributed/service-process.ts";
import { Audit } from "./kit/audit.ts";
import { Journeys } from "./kit/journeys.ts";

const FLIGHTS = ["KI-1", "KI-2", "KI-3"];
const ROWS = [10, 209] as const;
const CAPACITY = 1_200;
const CLIENTS = 8;
/** Payments before something is killed, while it is away, and after it is back. */
const A_FEW = 5;

const killable = {
  eventStore: startEventStore.with({ killable: true }),
  mongo: startMongo.with({ killable: true }),
  redis: startRedis.with({ killable: true }),
  proxy: needsProxy,
};

/** One installation for all of it, with clients that book and pay all the time. */
describeWith(killable, "each of the processes killed under load", ({ eventStore, mongo, redis }) => {
  let installation: Installation;
  let servers: Servers;
  let apiKey: string;
  let journeys: Journeys;

  beforeAll(async () => {
    servers = { eventStoreUrl: eventStore.url, mongodbUrl: mongo.url, redisUrl: redis.url };
    installation = await Installation.start({
      servers,
      instances: { "command-service": 2, "query-service": 2, projector: 2 },
      env: { RATE_LIMIT_PER_MINUTE: "0", SANDBOX_CLOCK: "true", LOG_LEVEL: "warn" },
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

  test.each<ServiceName>(["command-service", "query-service", "projector", "webhook-dispatcher"])(
    "every %s, one after the other: the others go on, and it takes part again",
    async (name) => {
      for (const service of installation.of(name)) {
        await journeys.progress(A_FEW);
        expect((await service.kill()).signal).toBe("SIGKILL");
        await journeys.progress(A_FEW);
        service.restart();
        await service.ready();
      }
      await journeys.progress(A_FEW);
    },
    300_000,
  );

  test.each([
    ["Redis", () => redis],
    ["the document server", () => mongo],
    ["the event store", () => eventStore],
  ])(
    "%s: nothing else has to be started again",
    async (_, engine) => {
      await journeys.progress(A_FEW);
      await engine().kill();
      await engine().restart();
      await journeys.progress(2 * A_FEW);
    },
    300_000,
  );

  test("in the end nothing acknowledged is lost, nobody is charged twice, no seat is astray", async () => {
    const acknowledged = await journeys.stop();
    expect(acknowledged.surprises).toStrictEqual([]);
    const audit = new Audit(installation, servers, apiKey);
    await audit.settle();
    expect(await audit.missing(acknowledged)).toStrictEqual([]);
    expect(await audit.wronglyCharged(acknowledged)).toStrictEqual([]);
    expect(await audit.seatsAstray(FLIGHTS, CAPACITY)).toStrictEqual(new Map());
  }, 300_000);

  test("and every read model is what the log alone makes of it", async () => {
    const { asTheyAre, builtAnew } = await new Audit(installation, servers, apiKey).readModels();
    expect([...builtAnew.keys()].toSorted()).toStrictEqual([...asTheyAre.keys()].toSorted());
    for (const [model, documents] of builtAnew) expect([model, documents]).toStrictEqual([model, asTheyAre.get(model)]);
  }, 300_000);
});
