import type { LoadReport } from "./job.ts";
import { Latencies } from "./latencies.ts";
import type { NextRequest } from "./requests.ts";
import type { RawResponse } from "./response-reader.ts";

/** What one run has sent and got. The first unexpected status, or broken connection, fails it. */
export class Run {
  readonly next: NextRequest;
  readonly failed: Promise<never>;
  readonly #expectedStatus: number;
  readonly #latencies = new Latencies();
  readonly #statuses: Record<number, number> = {};
  #reject: (error: Error) => void = () => {};
  #failure: Error | undefined;

  constructor(next: NextRequest, expectedStatus: number) {
    this.next = next;
    this.#expectedStatus = expectedStatus;
    this.failed = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.failed.catch(() => {});
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#reject(error);
  }

  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  record({ status, body }: RawResponse, milliseconds: number): void {
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    this.#latencies.add(milliseconds);
    if (status !== this.#expectedStatus) {
      this.fail(new Error(`status ${status} instead of ${this.#expectedStatus}: ${body.toString("utf8", 0, 500)}`));
    }
  }

  report(seconds: number, generatorLoad: number): LoadReport {
    const requests = this.#latencies.count;
    const statuses = { ...this.#statuses };
    const latency = this.#latencies.summary();
    return { requests, seconds, perSecond: requests / seconds, statuses, latency, generatorLoad };
  }
}
