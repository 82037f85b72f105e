import { givenMissing, notOurs, type OwnServer } from "../ways/given.ts";
import type { Way } from "../ways/way.ts";
import { isReady } from "./is-ready.ts";
import type { EventStoreEngine } from "./options.ts";

const VARIABLE = "TEST_EVENT_STORE_URL";

/** Its log is the one thing that cannot be had fresh: it holds what other tests have written. */
export const eventStoreOfEnvironment: Way<EventStoreEngine, OwnServer> = {
  name: `server of ${VARIABLE}`,
  missing: (options) => givenMissing(VARIABLE, options),
  async start() {
    const url = process.env[VARIABLE] ?? "";
    if (!(await isReady(url))) throw new Error("it does not answer");
    return { url, stop: async () => {}, ...notOurs(VARIABLE) };
  },
};
