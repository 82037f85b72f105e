import type { BoundHistogram, HistogramChild, Metrics } from "@travel-booking/runtime";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function requestHistogram(metrics: Metrics): BoundHistogram {
  return metrics.histogram({
    name: "http_request_duration_seconds",
    help: "Time from the head of a request to its answer.",
    bounds: SECONDS,
  });
}

/** Durations of one operation, by status; each status is bound when it is first answered. */
export class RequestMetrics {
  readonly #histogram: BoundHistogram;
  readonly #operation: string;
  readonly #byStatus: (HistogramChild | undefined)[] = new Array(600).fill(undefined);

  constructor(histogram: BoundHistogram, operation: string) {
    this.#histogram = histogram;
    this.#operation = operation;
  }

  /** Milliseconds. */
  observe(status: number, duration: number): void {
    let child = this.#byStatus[status];
    if (child === undefined) {
      child = this.#histogram.child({ operation: this.#operation, status: String(status) });
      this.#byStatus[status] = child;
    }
    child.observe(duration / 1_000);
  }
}
