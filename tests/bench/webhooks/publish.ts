import { setTimeout as pause } from "node:timers/promises";
import { serveTasks } from "../children/serve-tasks.ts";
import { type PublishTask, type Timestamps, timestampNow } from "./tasks.ts";
import { withDispatcher } from "./with-dispatcher.ts";

const EVERY_MS = 20;
/** For what is under way to the receivers that take everything. */
const GRACE_MS = 1_000;

/** The webhook dispatcher while events happen at a steady rate. Answers when each of them could be seen. */
serveTasks(({ folder, seconds, perSecond, bookingsEach, endpoints }: PublishTask): Promise<Timestamps> => {
  const accounts = [...new Set(endpoints.map(({ account }) => account))];
  const numbered = endpoints.map(({ account, url }, number) => ({ account, url, number }));
  return withDispatcher(
    folder,
    numbered,
    () => undefined,
    async ({ source, dispatcher }) => {
      const moments: Record<string, number> = {};
      dispatcher.start();
      const startedAt = timestampNow();
      const wanted = Math.floor(seconds * perSecond);
      for (let published = 0; published < wanted; await pause(EVERY_MS)) {
        const due = Math.min(wanted, Math.floor(((timestampNow() - startedAt) / 1_000) * perSecond));
        const events = Array.from({ length: due - published }, (_, index) => eventAt(published + index));
        const ids = await source.write(events);
        const now = timestampNow();
        source.publish();
        for (const id of ids) moments[id] = now;
        published = due;
      }
      await pause(GRACE_MS);
      return moments;
    },
  );

  function eventAt(number: number) {
    const turn = Math.floor(number / accounts.length);
    const account = accounts[number % accounts.length] ?? 0;
    return { account, booking: (turn % bookingsEach) * accounts.length + (number % accounts.length) };
  }
});
