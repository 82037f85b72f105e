import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";

const SPACE = "webhook-failing-endpoints";

interface StoredFailure {
  readonly accountId: string;
  /** Whether the log has it. */
  readonly isRecorded: boolean;
}

/** An endpoint that has failed. */
export interface FailingEndpoint extends StoredFailure {
  readonly endpointId: string;
  readonly version: number;
}

/** Endpoints that have failed, until the log has their recovery, too (docs/rules.md#events-about-endpoints). */
export class FailingEndpoints {
  readonly #store: Pick<StateStore, "create" | "replace" | "removeIfVersion" | "list">;

  constructor(store: Pick<StateStore, "create" | "replace" | "removeIfVersion" | "list">) {
    this.#store = store;
  }

  /** After every failed attempt that lets it be told: one that is lost with its process is made good by the next. */
  async add(endpointId: string, accountId: string): Promise<void> {
    await this.#store.create<StoredFailure>(SPACE, endpointId, { accountId, isRecorded: false });
  }

  async *all(): AsyncGenerator<FailingEndpoint> {
    for await (const { key, value, version } of scanPrefix<StoredFailure>(this.#store, SPACE, "")) {
      yield { ...value, endpointId: key, version };
    }
  }

  async markRecorded({ endpointId, accountId, version }: FailingEndpoint): Promise<void> {
    await this.#store.replace<StoredFailure>(SPACE, endpointId, version, { accountId, isRecorded: true });
  }

  async remove({ endpointId, version }: FailingEndpoint): Promise<void> {
    await this.#store.removeIfVersion(SPACE, endpointId, version);
  }
}
