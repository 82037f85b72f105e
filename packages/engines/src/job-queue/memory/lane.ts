/** setTimeout takes no more. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** One lane, and when it is to be worked next. Times are those of `performance.now()`. */
export class Lane {
  readonly name: string;
  /** What it waits for; only what is delayed has a timer that runs. */
  state: "delayed" | "waiting" | "active" = "delayed";
  failures = 0;
  #dueAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get isAskedFor(): boolean {
    return this.#dueAt !== undefined;
  }

  /** Whether that is sooner than what was asked for before. */
  askFor(dueAt: number): boolean {
    if (this.#dueAt !== undefined && this.#dueAt <= dueAt) return false;
    this.#dueAt = dueAt;
    return true;
  }

  /** Calls back when it is due: now, or later. */
  onceDue(callback: () => void): void {
    clearTimeout(this.#timer);
    const left = (this.#dueAt ?? 0) - performance.now();
    if (left <= 0) callback();
    else this.#timer = setTimeout(() => this.onceDue(callback), Math.min(Math.ceil(left), LONGEST_TIMER_MS));
  }

  /** Nothing is asked for any more. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#dueAt = undefined;
  }
}
