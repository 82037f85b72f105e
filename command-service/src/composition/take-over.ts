import type { EventStore } from "@travel-booking/engines/event-store";
import type { Presence } from "@travel-booking/engines/leases";
import { DUE_TASKS, type ProjectionProgress } from "@travel-booking/read-models";
import type { Clock, Shutdown } from "@travel-booking/runtime";
import type { DueTaskList } from "../processes/due-task-list.ts";
import type { Scheduler } from "../processes/scheduler.ts";
import { tasksLeftBehind } from "../processes/take-up.ts";

/** Real time: how long the list may take to show what a process that has ended wrote last. */
const LISTED_WITHIN_MS = 5_000;

interface TakeOverOptions {
  readonly presence: Pick<Presence, "watch">;
  readonly list: Pick<DueTaskList, "dueBy">;
  readonly newScheduler: () => Pick<Scheduler, "runNow">;
  readonly clock: Clock;
  readonly progress: Pick<ProjectionProgress, "waitUntil">;
  readonly events: Pick<EventStore, "head">;
}

/** Runs at once what instances that have ended left unfinished. */
export class TakeOver {
  readonly #options: TakeOverOptions;
  readonly #stop = new AbortController();
  #watching: Promise<void> | undefined;

  constructor(options: TakeOverOptions) {
    this.#options = options;
  }

  start(): void {
    this.#watching = this.#options.presence.watch((instance) => this.#takeOver(instance), this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  /** @throws Error the list does not show all that the instance wrote. */
  async #takeOver(instance: string): Promise<void> {
    const { list, newScheduler, clock, progress, events } = this.#options;
    const isListed = await progress.waitUntil(DUE_TASKS.projection, await events.head(), LISTED_WITHIN_MS);
    if (!isListed) throw new Error("the list of due tasks is behind the log");
    await newScheduler().runNow(await tasksLeftBehind(list, clock, instance));
  }
}

/** Tells the other instances that this one lives, until its requests and tasks have ended. */
export function announcePresence(presence: Presence, shutdown: Shutdown): void {
  const stop = new AbortController();
  const announced = presence.announce(stop.signal);
  shutdown.register("presence", async () => {
    stop.abort();
    await announced;
  });
}
