import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import type { DueTaskEntry } from "./due-task-list.ts";

/** Space of the notes of tasks under way, by scheduler and first task. */
const UNDER_WAY = "due_tasks_under_way";
/** Space of the tasks that are put off, by their keys. */
const PUT_OFF = "due_tasks_put_off";

/** Real time that a task is put off for, by how often a process ended during it. The last value repeats. */
const PAUSES_MS = [10_000, 60_000, 600_000, 3_600_000] as const;

/**
 * Milliseconds of real time after its pause in which a task runs if it is still due. A task that was put off longer ago
 * was closed in another way, for example by an operator.
 */
const FORGOTTEN_AFTER_MS = 3_600_000;

/** A task that was under way when its process ended. */
export interface PutOff {
  /** How often in a row its process ended. */
  readonly times: number;
  /** The task waits until then; milliseconds since the epoch. */
  readonly until: number;
}

interface TaskGuardOptions {
  readonly state: Pick<StateStore, "get" | "put" | "remove" | "list">;
  /** The name of the guarded scheduler. Only one at a time has it. */
  readonly name: string;
  readonly onPutOff: (task: string, putOff: PutOff) => void;
  /** Milliseconds since the epoch, real time. */
  readonly now?: () => number;
}

/**
 * Notes the tasks that a scheduler has under way. A process may end during a task, by a watchdog or for want of memory.
 * Such a task is counted, put off, and then run alone, so that it harms no other one
 * (docs/decisions/0041-a-hung-process-ends-itself.md).
 */
export class TaskGuard {
  readonly #options: TaskGuardOptions;
  readonly #now: () => number;
  #recovering: Promise<Map<string, PutOff>> | undefined;
  #putOff: ReadonlyMap<string, PutOff> = new Map();

  constructor(options: TaskGuardOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** How often a process ended during this task, which `sort` has seen. */
  endsIn(key: string): number {
    return this.#putOff.get(key)?.times ?? 0;
  }

  /**
   * Splits the tasks that may run now: tasks that were never put off run together, the others alone.
   * @param waited true: the pause of tasks that were put off counts as over.
   */
  async sort(entries: readonly DueTaskEntry[], waited = false) {
    const known = await this.#known();
    const now = waited ? Number.MAX_VALUE : this.#now();
    return {
      together: entries.filter(({ key }) => !known.has(key)),
      alone: entries.filter(({ key }) => (known.get(key)?.until ?? Number.POSITIVE_INFINITY) <= now),
    };
  }

  /** Does work on these tasks and notes them meanwhile. If the process survives, they are no longer put off. */
  async watch<Result>(entries: readonly DueTaskEntry[], work: () => Promise<Result>): Promise<Result> {
    const [first] = entries;
    if (first === undefined) return work();
    const { state, name } = this.#options;
    const note = `${name}/${first.key}`;
    const keys = entries.map(({ key }) => key);
    await state.put(UNDER_WAY, note, keys);
    try {
      return await work();
    } finally {
      await state.remove(UNDER_WAY, note);
      const known = await this.#known();
      for (const key of keys) if (known.delete(key)) await state.remove(PUT_OFF, key);
    }
  }

  async #known(): Promise<Map<string, PutOff>> {
    this.#recovering ??= this.#recover();
    try {
      const known = await this.#recovering;
      this.#putOff = known;
      return known;
    } catch (error) {
      // The next call reads the records again.
      this.#recovering = undefined;
      throw error;
    }
  }

  /** Runs before the first task of this process. So every noted task ended an earlier process. */
  async #recover(): Promise<Map<string, PutOff>> {
    const { state, name, onPutOff } = this.#options;
    const known = new Map<string, PutOff>();
    for await (const { key, value } of scanPrefix<PutOff>(state, PUT_OFF, "")) {
      if (isForgotten(value, this.#now())) await state.remove(PUT_OFF, key);
      else known.set(key, value);
    }
    for await (const note of scanPrefix<readonly string[]>(state, UNDER_WAY, `${name}/`)) {
      for (const key of note.value) {
        const times = (known.get(key)?.times ?? 0) + 1;
        const pause = PAUSES_MS[Math.min(times, PAUSES_MS.length) - 1] ?? PAUSES_MS[0];
        const putOff = { times, until: this.#now() + pause };
        known.set(key, putOff);
        await state.put(PUT_OFF, key, putOff);
        onPutOff(key, putOff);
      }
      await state.remove(UNDER_WAY, note.key);
    }
    return known;
  }
}

const MAX_COUNTED = 1_000;

/** How many tasks are put off, 1,000 at most. @param now milliseconds since the epoch, real time. */
export async function countPutOff(state: Pick<StateStore, "list">, now: number): Promise<number> {
  const all = await state.list<PutOff>(PUT_OFF, { limit: MAX_COUNTED });
  return all.filter(({ value }) => !isForgotten(value, now)).length;
}

function isForgotten({ until }: PutOff, now: number): boolean {
  return until + FORGOTTEN_AFTER_MS < now;
}
