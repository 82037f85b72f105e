import { type StateStore, StateStoreUnavailable } from "../../src/state-store/index.ts";
import { InMemoryStateStore } from "../../src/state-store/memory.ts";

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
      insertUnchecked: (space, key, value, options) =>
        this.#write(() => inner.insertUnchecked(space, key, value, options)),
      put: (space, key, value, options) => this.#write(() => inner.put(space, key, value, options)),
      replace: (space, key, version, value, options) =>
        this.#write(() => inner.replace(space, key, version, value, options)),
      remove: (space, key) => this.#write(() => inner.remove(space, key)),
      removeIfVersion: (space, key, version) => this.#write(() => inner.removeIfVersion(space, key, version)),
      list: (space, options) => inner.list(space, options),
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
