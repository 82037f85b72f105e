import { Latencies } from "../../bench/load/latencies.ts";

/** The latency of this kind is shown. */
export const BOOK = "book";

/** What was counted in some minutes. */
export interface TrafficCounts {
  /** Answered as asked, by kind. */
  readonly acknowledged: ReadonlyMap<string, number>;
  /** Answered with a refusal that has to be reckoned with: seats taken, nothing left. */
  readonly refused: number;
  /** 5xx and cut connections while nothing was killed. */
  readonly failures: number;
  /** The same around kills. */
  readonly failuresAroundKills: number;
  /** Milliseconds of bookings around no kill. */
  readonly booking: { readonly p50: number; readonly p99: number };
}

/** Counts what all customers do. */
export class Traffic {
  readonly #disturbed: (from: number, until: number) => boolean;
  readonly #failures = new Map<string, number>();
  /** Answers that nothing explains. */
  readonly unexpected: string[] = [];
  #acknowledged = new Map<string, number>();
  #refused = 0;
  #outside = 0;
  #around = 0;
  #bookings = new Latencies();

  /** @param disturbed whether anything was killed between two moments of `performance.now()`. */
  constructor(disturbed: (from: number, until: number) => boolean) {
    this.#disturbed = disturbed;
  }

  /** One attempt since `startedAt`; no status: nobody answered. */
  attempted(kind: string, startedAt: number, status: number | undefined): void {
    const endedAt = performance.now();
    const disturbed = this.#disturbed(startedAt, endedAt);
    if (status === undefined || status >= 500) {
      if (disturbed) this.#around += 1;
      else {
        this.#outside += 1;
        const what = `${kind}: ${status ?? "no answer"}`;
        this.#failures.set(what, (this.#failures.get(what) ?? 0) + 1);
      }
    } else if (kind === BOOK && !disturbed) this.#bookings.add(endedAt - startedAt);
  }

  acknowledged(kind: string): void {
    this.#acknowledged.set(kind, (this.#acknowledged.get(kind) ?? 0) + 1);
  }

  refused(): void {
    this.#refused += 1;
  }

  /** Of the whole run: what failed while nothing was killed, and how often. */
  get failures(): readonly string[] {
    return [...this.#failures].map(([what, count]) => `${count} × ${what}`);
  }

  /** Since it was last asked. */
  take(): TrafficCounts {
    const counts = {
      acknowledged: this.#acknowledged,
      refused: this.#refused,
      failures: this.#outside,
      failuresAroundKills: this.#around,
      booking: this.#bookings.summary(),
    };
    this.#acknowledged = new Map();
    this.#refused = this.#outside = this.#around = 0;
    this.#bookings = new Latencies();
    return counts;
  }
}
