import type { Latency } from "./job.ts";

/** Collects latencies; every one is kept, so the percentiles are exact. */
export class Latencies {
  #values = new Float64Array(1 << 16);
  #count = 0;

  add(milliseconds: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count++] = milliseconds;
  }

  get count(): number {
    return this.#count;
  }

  /** Nearest-rank percentiles; zeros where nothing was collected. */
  summary(): Latency {
    const sorted = this.#values.slice(0, this.#count).sort();
    const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
    return { p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), max: rank(1) };
  }
}
