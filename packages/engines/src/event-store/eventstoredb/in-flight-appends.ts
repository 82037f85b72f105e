import type { AppendResult, EventToAppend } from "../port.ts";

/**
 * The pending appends of this process. Identical ones share one result, because the server drops the second while the
 * first is pending, and the second would time out.
 */
export class InFlightAppends {
  readonly #results = new Map<string, Promise<AppendResult>>();

  run(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    append: () => Promise<AppendResult>,
  ): Promise<AppendResult> {
    const key = JSON.stringify([stream, expectedRevision, events.map(({ id }) => id)]);
    const first = this.#results.get(key);
    if (first !== undefined) return first;
    const result = append().finally(() => this.#results.delete(key));
    this.#results.set(key, result);
    return result;
  }

  /** Resolves when all appends have settled. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#results.values());
  }
}
