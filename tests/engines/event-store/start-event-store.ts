import { startEventStoreDouble } from "../eventstoredb/index.ts";
import type { EngineProvider } from "../providers/engine-provider.ts";
import { engineStarter } from "../providers/engine-starter.ts";
import type { ServerRequirements } from "../providers/environment-server.ts";
import { eventStoreFromEnvironment } from "./from-environment.ts";
import { eventStoreInContainer } from "./in-container.ts";
import type { EventStoreEngine } from "./options.ts";

const eventStoreDouble: EngineProvider<EventStoreEngine, ServerRequirements> = {
  name: "a double of EventStoreDB",
  missingReason: () => undefined,
  start: () => startEventStoreDouble(),
};

/** An EventStoreDB, or what speaks its protocol and behaves like it. Empty, unless the environment names it. */
export const startEventStore = engineStarter<EventStoreEngine, ServerRequirements>("event store", [
  eventStoreFromEnvironment,
  eventStoreInContainer,
  eventStoreDouble,
]);
