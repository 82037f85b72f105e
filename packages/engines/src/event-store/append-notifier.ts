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

  /** Take it before reading what is new. */
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
    const wait = Atomics.waitAsync(this.#count, 0, seen);
    if (!wait.async) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    signal.addEventListener("abort", end, { once: true });
    void wait.value.then(end);
    await promise;
    signal.removeEventListener("abort", end);
  }
}
