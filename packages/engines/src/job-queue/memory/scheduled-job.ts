/** setTimeout takes no more. */
const MAX_TIMER_MS = 2_147_483_647;

/** One lane, and when it is to be worked next. Times are those of `performance.now()`. */
export class ScheduledJob {
  readonly key: string;
  /** What it waits for; only what is delayed has a timer that runs. */
  state: "delayed" | "waiting" | "active" = "delayed";
  failures = 0;
  #dueAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(name: string) {
    this.key = name;
  }

  get isScheduled(): boolean {
    return this.#dueAt !== undefined;
  }

  /** Whether that is sooner than what was asked for before. */
  schedule(dueAt: number): boolean {
    if (this.#dueAt !== undefined && this.#dueAt <= dueAt) return false;
    this.#dueAt = dueAt;
    return true;
  }

  /** Calls back when it is due: now, or later. */
  whenDue(callback: () => void): void {
    clearTimeout(this.#timer);
    const left = (this.#dueAt ?? 0) - performance.now();
    if (left <= 0) callback();
    else this.#timer = setTimeout(() => this.whenDue(callback), Math.min(Math.ceil(left), MAX_TIMER_MS));
  }

  /** Nothing is asked for any more. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#dueAt = undefined;
  }
}
