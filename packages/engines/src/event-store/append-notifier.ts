/**
 * Tells readers, in this thread and in others, that there may be something new. It carries nothing but a count: a
 * reader that looked at the count before it looked at the log misses nothing.
 */
export class AppendNotifier {
  /** Give this to a worker thread, which makes its own `AppendNotifier` of it. */
  readonly buffer: SharedArrayBuffer;
  readonly #count: Int32Array<SharedArrayBuffer>;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#count = new Int32Array(buffer);
  }

  /** To be taken before looking for what is new. */
  version(): number {
    return Atomics.load(this.#count, 0);
  }

  notify(): void {
    Atomics.add(this.#count, 0, 1);
    Atomics.notify(this.#count, 0);
  }

  /** Resolves once there was a notification since `seen` was taken, or the signal aborts. */
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
