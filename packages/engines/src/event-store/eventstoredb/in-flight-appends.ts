import type { AppendResult, EventToAppend } from "../port.ts";

interface InFlightAppend {
  readonly events: readonly EventToAppend[];
  readonly result: Promise<AppendResult>;
}

/**
 * The appends of this process that are not answered yet. Where the same one is asked for twice they share the answer:
 * the server drops the second for as long as the first is under way, and lets it run into a time-out.
 */
export class InFlightAppends {
  readonly #all = new Set<Promise<AppendResult>>();
  /** The first at each place. */
  readonly #byExpectedRevision = new Map<string, InFlightAppend>();

  async run(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    append: () => Promise<AppendResult>,
  ): Promise<AppendResult> {
    const place = `${expectedRevision}@${stream}`;
    const first = this.#byExpectedRevision.get(place);
    if (first !== undefined && isSame(first.events, events)) return first.result;
    const result = append();
    if (first === undefined) this.#byExpectedRevision.set(place, { events, result });
    this.#all.add(result);
    try {
      return await result;
    } finally {
      this.#all.delete(result);
      if (this.#byExpectedRevision.get(place)?.result === result) this.#byExpectedRevision.delete(place);
    }
  }

  /** Resolves when all of them have come to their end, whatever that is. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#all);
  }
}

function isSame(some: readonly EventToAppend[], others: readonly EventToAppend[]): boolean {
  return some.length === others.length && some.every(({ id }, index) => id === others[index]?.id);
}
