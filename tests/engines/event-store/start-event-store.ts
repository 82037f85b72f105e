import { startEventStoreDouble } from "../eventstoredb/index.ts";
import type { OwnServer } from "../ways/given.ts";
import { starter } from "../ways/starter.ts";
import type { Way } from "../ways/way.ts";
import { eventStoreInContainer } from "./in-container.ts";
import { eventStoreOfEnvironment } from "./of-environment.ts";
import type { EventStoreEngine } from "./options.ts";

const eventStoreDouble: Way<EventStoreEngine, OwnServer> = {
  name: "a double of EventStoreDB",
  missing: () => undefined,
  start: () => startEventStoreDouble(),
};

/** An EventStoreDB, or what speaks its protocol and behaves like it. Empty, unless the environment names it. */
export const startEventStore = starter<EventStoreEngine, OwnServer>("event store", [
  eventStoreOfEnvironment,
  eventStoreInContainer,
  eventStoreDouble,
]);
