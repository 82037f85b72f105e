import { backgroundPause } from "@travel-booking/runtime/real-time";
import type { LogMark, ReadModelMark } from "../log-mark.ts";
import { type EventStore, EventStoreUnavailable, START } from "./port.ts";

export type { LogMark, ReadModelMark } from "../log-mark.ts";

export const NOTHING_SEEN: LogMark = { position: START, id: null };

/** The command with which an operator makes a running service accept another log. */
export const REBUILD_ALL = "operator projection rebuild --all";

/** The log is not the one seen before: an older copy, another log, or empty. Nothing was attempted. */
export class AnotherLog extends EventStoreUnavailable {
  override readonly name = "AnotherLog";
  override readonly engine = "the log that the read models were made from";

  /** The event that the log lacks. */
  readonly mark: LogMark;

  constructor(mark: LogMark) {
    const { position, id } = mark;
    super(
      `the event log is not the one that was read before: it lacks ${id === null ? "the event" : `event ${id}`} at position ${position}. ` +
        `Put the right log back, or have all read models built anew from this one: ${REBUILD_ALL}`,
      { outcomeUnknown: false },
    );
    this.mark = mark;
  }
}

/** @throws AnotherLog the log lacks the event of a mark. */
export async function assertSameLog(log: Pick<EventStore, "eventIdAt">, marks: readonly LogMark[]): Promise<void> {
  const found = new Map<bigint, Promise<string | undefined>>([[START, Promise.resolve(undefined)]]);
  for (const mark of marks) {
    const reading = found.get(mark.position) ?? log.eventIdAt(mark.position);
    found.set(mark.position, reading);
    const id = await reading;
    if (mark.position !== START && (id === undefined || (mark.id !== null && mark.id !== id)))
      throw new AnotherLog(mark);
  }
}

/** Real time between two checks whether the right log is back. */
const LOOK_AGAIN_MS = 500;

interface LogObserver {
  readonly onProblem: (error: AnotherLog) => void;
  /** Called when the log is the right one again. */
  readonly onRecovered: () => void;
}

/** Whether the server's log is the one that this process and the read models know. */
export class KnownLog {
  readonly #log: Pick<EventStore, "eventIdAt">;
  readonly #observer: LogObserver;
  readonly #closing: AbortSignal;
  /** The last event that this process appended. */
  #own = NOTHING_SEEN;
  #readModels: () => readonly ReadModelMark[] = () => [];
  #onChanged: () => void = () => undefined;
  #problem: AnotherLog | undefined;
  /** The builds of the read models at the time the log was found to be another one. */
  #buildsBefore: ReadonlySet<string> | undefined;

  constructor(log: Pick<EventStore, "eventIdAt">, observer: LogObserver, closing: AbortSignal) {
    this.#log = log;
    this.#observer = observer;
    this.#closing = closing;
  }

  /** Set while the log is another one. Meanwhile the log is checked again and again. */
  get problem(): AnotherLog | undefined {
    return this.#problem;
  }

  /**
   * From now on the log must also have the events that the read models have seen.
   * @param onChanged called when the log turns out to be another one, and when it is the right one again.
   */
  compareWith(readModels: () => readonly ReadModelMark[], onChanged: () => void): void {
    this.#readModels = readModels;
    this.#onChanged = onChanged;
  }

  /** Notes an event that this process appended. False if its position is not after all earlier ones. */
  appended(position: bigint, id: string): boolean {
    if (position <= this.#own.position) return false;
    this.#own = { position, id };
    return true;
  }

  /** @throws AnotherLog */
  async verify(): Promise<void> {
    try {
      const readModels = this.#readModels();
      await assertSameLog(this.#log, readModels);
      if (this.#areBuiltAnew(readModels)) this.#own = NOTHING_SEEN;
      await assertSameLog(this.#log, [this.#own]);
    } catch (error) {
      if (error instanceof AnotherLog) this.#found(error);
      throw error;
    }
    this.#buildsBefore = undefined;
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.#observer.onRecovered();
    this.#onChanged();
  }

  /** True if an operator has accepted this log, so that all read models were rebuilt from it. */
  #areBuiltAnew(readModels: readonly ReadModelMark[]): boolean {
    const before = this.#buildsBefore;
    return before !== undefined && readModels.length > 0 && readModels.every(({ build }) => !before.has(build));
  }

  #found(problem: AnotherLog): void {
    if (this.#problem !== undefined) return;
    this.#problem = problem;
    this.#observer.onProblem(problem);
    this.#onChanged();
    this.#buildsBefore = new Set(this.#readModels().map(({ build }) => build));
    void this.#lookUntilRight();
  }

  async #lookUntilRight(): Promise<void> {
    while (this.#problem !== undefined && !this.#closing.aborted) {
      await backgroundPause(LOOK_AGAIN_MS, this.#closing);
      // Another log still, or the server is out of reach.
      await this.verify().catch(() => undefined);
    }
  }
}
