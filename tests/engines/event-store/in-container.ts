import { setTimeout as pause } from "node:timers/promises";
import { CONTAINERS, startContainer } from "../containers/container.ts";
import { dockerMissingReason } from "../providers/docker.ts";
import type { EngineProvider } from "../providers/engine-provider.ts";
import type { ServerRequirements } from "../providers/environment-server.ts";
import { isReady } from "./is-ready.ts";
import type { EventStoreEngine } from "./options.ts";

const PORT = 2113;
const LOOK_AGAIN_MS = 100;
const READY_WITHIN_MS = 60_000;

export const eventStoreInContainer: EngineProvider<EventStoreEngine, ServerRequirements> = {
  name: `container ${CONTAINERS.eventStore.image}`,
  isExpected: true,
  missingReason: dockerMissingReason,
  async start() {
    const { Wait } = await import("testcontainers");
    return startContainer({
      image: CONTAINERS.eventStore.image,
      platform: CONTAINERS.eventStore.platform,
      port: PORT,
      environment: {
        ...CONTAINERS.eventStore.environment,
        EVENTSTORE_INSECURE: "true",
        EVENTSTORE_CLUSTER_SIZE: "1",
        EVENTSTORE_RUN_PROJECTIONS: "System",
        EVENTSTORE_START_STANDARD_PROJECTIONS: "true",
      },
      ready: Wait.forHttp("/health/live", PORT).forStatusCode(204),
      urlOf: (address) => `esdb://${address}?tls=false`,
      started: waitUntilReady,
    });
  },
};

/** It lives a moment before it has made itself the leader, and refuses everything until then. */
async function waitUntilReady(url: string): Promise<void> {
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  while (!(await isReady(url))) {
    if (performance.now() > giveUpAt) throw new Error("it did not become ready");
    await pause(LOOK_AGAIN_MS);
  }
}
