import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { describeWith, startEventStore, startMongo, startRedis } from "../engines/index.ts";
import { needsProxy } from "../support/distributed/needs-proxy.ts";
import { serversAt } from "../support/distributed/servers.ts";
import type { ServiceName } from "../support/distributed/service-process.ts";
import { LoadedInstallation } from "./kit/loaded-installation.ts";

/** Payments before something is killed, while it is away, and after it is back. */
const A_FEW = 3;

const killable = {
  eventStore: startEventStore.with({ killable: true }),
  mongo: startMongo.with({ killable: true }),
  redis: startRedis.with({ killable: true }),
  proxy: needsProxy,
};

/** One installation for all of it, with clients that book and pay all the time. */
describeWith(killable, "each of the processes killed under load", ({ eventStore, mongo, redis }) => {
  let load: LoadedInstallation;

  beforeAll(async () => {
    load = await LoadedInstallation.start({
      servers: serversAt({ eventStore, mongo, redis }),
      instances: { "command-service": 2, "query-service": 2, projector: 2 },
      flights: ["KI-1", "KI-2", "KI-3"],
      clients: 3,
    });
  });
  afterAll(() => load.installation.discard());

  test.each<ServiceName>(["command-service", "query-service", "projector", "webhook-dispatcher"])(
    "every %s, one after the other: the others go on, and it takes part again",
    async (name) => {
      for (const service of load.installation.of(name)) {
        await load.journeys.waitForPayments(A_FEW);
        expect((await service.kill()).signal).toBe("SIGKILL");
        await load.journeys.waitForPayments(A_FEW);
        service.restart();
        await service.ready();
      }
      await load.journeys.waitForPayments(A_FEW);
    },
  );

  test.each([
    ["Redis", () => redis],
    ["the document server", () => mongo],
    ["the event store", () => eventStore],
  ])("%s: nothing else has to be started again", async (_, engine) => {
    await load.journeys.waitForPayments(A_FEW);
    await engine().kill();
    await engine().restart();
    await load.journeys.waitForPayments(2 * A_FEW);
  });

  test("in the end nothing acknowledged is lost, nobody is charged twice, no seat is astray", async () => {
    await load.expectConsistent();
  });

  test("and every read model is what the log alone makes of it", async () => {
    await load.expectReadModelsMatchRebuild();
  });
});
