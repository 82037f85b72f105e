import { setTimeout as pause } from "node:timers/promises";
import { Mutex } from "@travel-booking/runtime/real-time";
import type { EventStoreEngine } from "../../engines/event-store/options.ts";

/** As docs/testing.md says: the event store of every installation loses its leader again and again. */
export const ELECTIONS = process.env.TEST_EVENT_STORE_ELECTIONS === "true";

/** Real milliseconds. */
const [WITH_LEADER_MS, WITHOUT_LEADER_MS] = [1_500, 500];

/** One at a time, and none while something is done that can't be repeated. */
const elections = new Mutex();

/** `work`, while all installations of this process keep their leaders. */
export function withoutElections<Result>(work: () => Promise<Result>): Promise<Result> {
  return ELECTIONS ? elections.runExclusive(work) : work();
}

/** Until the signal aborts. @throws Error it is no double: nobody can tell a real server to. */
export function holdElections({ faults }: EventStoreEngine, signal: AbortSignal): void {
  if (faults === undefined) throw new Error("TEST_EVENT_STORE_ELECTIONS is for the double of EventStoreDB");
  const sleep = (milliseconds: number) => pause(milliseconds, undefined, { signal, ref: false });
  const election = async () => {
    await faults.loseLeader(true);
    await sleep(WITHOUT_LEADER_MS);
    await faults.loseLeader(false);
  };
  const hold = async () => {
    for (;;) {
      await sleep(WITH_LEADER_MS);
      await elections.runExclusive(election);
    }
  };
  hold().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
