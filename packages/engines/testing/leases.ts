import { setImmediate as settled } from "node:timers/promises";
import type { RealTime } from "@travel-booking/runtime/real-time";
import { type StateStore, StateStoreUnavailable } from "../src/state-store/index.ts";
import { InMemoryStateStore } from "./state-store.ts";

interface Sleeper {
  readonly dueAt: number;
  readonly wake: () => void;
}

/** Real time that passes when a test says so. */
export class ManualTime implements RealTime {
  #now = 0;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.#now;
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleeper = { dueAt: this.#now + milliseconds, wake: resolve };
    this.#sleepers.add(sleeper);
    signal?.addEventListener("abort", resolve as () => void, { once: true });
    return promise.finally(() => this.#sleepers.delete(sleeper));
  }

  /** Lets time pass. Whoever sleeps wakes in time, and has done what it can do at once before time goes on. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    await settled();
    for (let next = this.#dueBy(until); next !== undefined; next = this.#dueBy(until)) {
      this.#now = Math.max(this.#now, next.dueAt);
      this.#sleepers.delete(next);
      next.wake();
      await settled();
    }
    this.#now = until;
  }

  #dueBy(moment: number): Sleeper | undefined {
    const [first] = [...this.#sleepers].sort((one, other) => one.dueAt - other.dueAt);
    return first !== undefined && first.dueAt <= moment ? first : undefined;
  }
}

type Fault = "lost-before" | "lost-after";

/** A state store that fails, or keeps its callers waiting, while it is told to. */
export class FaultyStateStore {
  readonly inner = new InMemoryStateStore();
  /** While set, every call fails so: nothing was done, or it was and the answer is lost. */
  fault: Fault | undefined;
  /** While set, calls wait for it before they take effect. */
  gate: Promise<void> | undefined;
  writes = 0;

  /** The store as one process sees it. */
  get store(): StateStore {
    const { inner } = this;
    return {
      get: (space, key) => this.#call(() => inner.get(space, key)),
      create: (space, key, value, options) => this.#write(() => inner.create(space, key, value, options)),
      put: (space, key, value, options) => this.#write(() => inner.put(space, key, value, options)),
      replace: (space, key, version, value, options) =>
        this.#write(() => inner.replace(space, key, version, value, options)),
      remove: (space, key) => this.#write(() => inner.remove(space, key)),
      removeIfVersion: (space, key, version) => this.#write(() => inner.removeIfVersion(space, key, version)),
      list: (space, options) => this.#call(() => inner.list(space, options)),
      removeExpired: (now, limit) => inner.removeExpired(now, limit),
      close: () => inner.close(),
    };
  }

  #write<Answer>(effect: () => Promise<Answer>): Promise<Answer> {
    this.writes += 1;
    return this.#call(effect);
  }

  async #call<Answer>(effect: () => Promise<Answer>): Promise<Answer> {
    await this.gate;
    const { fault } = this;
    if (fault === "lost-before") throw new StateStoreUnavailable("the state store did not answer");
    const answer = await effect();
    if (fault === "lost-after") throw new StateStoreUnavailable("the state store did not answer");
    return answer;
  }
}
