import { PrinterBusy } from "./failures.ts";

interface TurnsOptions {
  /** The limit of all accounts together. */
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
  readonly maxWaitingOfAccount: number;
}

/** Runs a few tasks at once, one per account. By turns, an account delays another by one task at most. */
export class Turns {
  readonly #options: TurnsOptions;
  /** Waiting tasks by account. The next account comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #waitingCount = 0;
  readonly #running = new Set<string>();

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** @throws PrinterBusy too many tasks are waiting. */
  async run<Result>(account: string, task: () => Promise<Result>): Promise<Result> {
    const queue = this.#waiting.get(account) ?? [];
    const { maxWaiting, maxWaitingOfAccount } = this.#options;
    if (this.#waitingCount >= maxWaiting) throw new PrinterBusy("too many boarding passes wait to be drawn");
    if (queue.length >= maxWaitingOfAccount) throw new PrinterBusy("too many of this account wait to be drawn");
    const turn = Promise.withResolvers<void>();
    queue.push(turn.resolve);
    this.#waiting.set(account, queue);
    this.#waitingCount += 1;
    this.#beginNext();
    await turn.promise;
    try {
      return await task();
    } finally {
      this.#running.delete(account);
      this.#beginNext();
    }
  }

  #beginNext(): void {
    if (this.#running.size >= this.#options.maxConcurrent) return;
    const account = this.#waiting.keys().find((waiting) => !this.#running.has(waiting));
    if (account === undefined) return;
    const [begin, ...others] = this.#waiting.get(account) ?? [];
    this.#waiting.delete(account);
    if (others.length > 0) this.#waiting.set(account, others);
    this.#waitingCount -= 1;
    this.#running.add(account);
    begin?.();
  }
}
