/**
 * Notifies readers, in this thread and in others, that there may be new events. It carries a count only: a reader that
 * takes the count before it reads the log misses nothing.
 */
export class AppendNotifier {
  /** To share with a worker thread, which constructs its own `AppendNotifier` from it. */
  readonly buffer: SharedArrayBuffer;
  readonly #count: Int32Array<SharedArrayBuffer>;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#count = new Int32Array(buffer);
  }

  /** To be taken before reading new events. */
  version(): number {
    return Atomics.load(this.#count, 0);
  }

  notify(): void {
    Atomics.add(this.#count, 0, 1);
    Atomics.notify(this.#count, 0);
  }

  /** Resolves after a notification since `seen` was taken, or when the signal aborts. */
  async waitForChange(seen: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    // Other waiting readers wake up, too, and look once more.
    const end = () => this.notify();
    signal.addEventListener("abort", end, { once: true });
    await Atomics.waitAsync(this.#count, 0, seen).value;
    signal.removeEventListener("abort", end);
  }
}
