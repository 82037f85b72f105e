import type { EngineProvider } from "../providers/engine-provider.ts";
import { environmentMissingReason, type ServerRequirements, uncontrollable } from "../providers/environment-server.ts";
import { isReady } from "./is-ready.ts";
import type { EventStoreEngine } from "./options.ts";

const VARIABLE = "TEST_EVENT_STORE_URL";

/** Its log is the one thing that cannot be had fresh: it holds what other tests have written. */
export const eventStoreFromEnvironment: EngineProvider<EventStoreEngine, ServerRequirements> = {
  name: `server of ${VARIABLE}`,
  isExpected: true,
  missingReason: (options) => environmentMissingReason(VARIABLE, options),
  async start() {
    const url = process.env[VARIABLE] ?? "";
    if (!(await isReady(url))) throw new Error("it does not answer");
    return { url, stop: async () => {}, ...uncontrollable(VARIABLE) };
  },
};
