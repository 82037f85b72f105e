/** Of one address in a minute; then no token is tried. */
const MOST = 10;
const WINDOW_MS = 60_000;

/** Counts wrong tokens by client address, in minutes of real time: whoever guesses is slow. Each instance counts its own. */
export class FailedSignIns {
  readonly #now: () => number;
  #window = 0;
  #failures = new Map<string, number>();

  /** @param now milliseconds since the epoch. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Seconds until a token of this address is tried again; undefined: now. */
  pauseOf(address: string): number | undefined {
    this.#forgetOthers();
    if ((this.#failures.get(address) ?? 0) < MOST) return undefined;
    return Math.ceil(((this.#window + 1) * WINDOW_MS - this.#now()) / 1_000);
  }

  count(address: string): void {
    this.#forgetOthers();
    this.#failures.set(address, (this.#failures.get(address) ?? 0) + 1);
  }

  #forgetOthers(): void {
    const window = Math.floor(this.#now() / WINDOW_MS);
    if (window === this.#window) return;
    this.#window = window;
    this.#failures = new Map();
  }
}
