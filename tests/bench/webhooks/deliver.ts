import { serveTasks } from "../children/serve-tasks.ts";
import { type TaskResult, timed } from "../store/tasks.ts";
import type { BenchEvent } from "./event-source.ts";
import type { DeliverTask } from "./tasks.ts";
import { withDispatcher } from "./with-dispatcher.ts";

const EVENTS_PER_BOOKING = 4;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Bookings of the accounts in turn, each with its events in a row: however many accounts, as many lanes at a time. */
function eventsOf(accounts: number, each: number): readonly BenchEvent[] {
  return numbers(accounts * each).map((number) => {
    const booking = Math.floor(number / EVENTS_PER_BOOKING);
    return { account: booking % accounts, booking };
  });
}

/** Counts deliveries, all of which are to succeed. */
class Deliveries {
  #count = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #done = Promise.withResolvers<void>();

  made(outcome: string): void {
    if (outcome !== "succeeded") this.#done.reject(new Error("a delivery has failed"));
    this.#count += 1;
    if (this.#count >= this.#wanted) this.#done.resolve();
  }

  /** Resolves when so many more have been made. */
  more(count: number): Promise<void> {
    this.#done = Promise.withResolvers();
    this.#wanted = this.#count + count;
    return this.#done.promise;
  }
}

/** The webhook dispatcher with a backlog of events: taken up, sent, recorded. */
serveTasks(async (task: DeliverTask): Promise<TaskResult> => {
  const { folder, url, accounts, endpointsEach, eventsEach, warmUpEach } = task;
  const endpoints = numbers(accounts * endpointsEach).map((number) => ({ number, account: number % accounts, url }));
  const deliveries = new Deliveries();
  const attempted = (outcome: string) => deliveries.made(outcome);
  return withDispatcher(folder, endpoints, attempted, async ({ source, dispatcher }) => {
    dispatcher.start();
    const deliver = async (each: number) => {
      await source.write(eventsOf(accounts, each));
      return timed(async () => {
        const wanted = accounts * each * endpointsEach;
        const done = deliveries.more(wanted);
        source.publish();
        await done;
        return wanted;
      });
    };
    if (warmUpEach > 0) await deliver(warmUpEach);
    return deliver(eventsEach);
  });
});
