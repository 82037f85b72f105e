import type { FanOutCheckpoint } from "@travel-booking/webhooks/deliveries";

/** Real time. What was delivered behind the stored checkpoint is in the attempt log. */
const DELAY_MS = 100;

/** Stores the checkpoint a moment after it has moved, so that many moves are one write. */
export class DelayedCheckpoint {
  readonly #checkpoint: Pick<FanOutCheckpoint, "save">;
  #reached = "";
  #saved = "";
  #saving: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(checkpoint: Pick<FanOutCheckpoint, "save">) {
    this.#checkpoint = checkpoint;
  }

  moveTo(sort: string): void {
    this.#reached = sort;
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), DELAY_MS).unref();
  }

  /** Durable when it resolves. After a failure it is tried again. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const flushed = this.#saving.then(() => this.#save());
    this.#saving = flushed.catch(() => undefined);
    return flushed;
  }

  /** Stores nothing more of what was reached. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reached = "";
  }

  async #save(): Promise<void> {
    const reached = this.#reached;
    if (reached === "" || reached === this.#saved) return;
    try {
      await this.#checkpoint.save(reached);
      this.#saved = reached;
    } catch (error) {
      this.moveTo(this.#reached);
      throw error;
    }
  }
}
