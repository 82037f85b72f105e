import type { LoadJob, LoadReport } from "./job.ts";
import { Latencies } from "./latencies.ts";
import type { NextRequest } from "./requests.ts";
import type { RawResponse } from "./response-reader.ts";

const A_SECOND_MS = 1_000;
const ID = /"id":"([^"]+)"/;

/** What one run has sent and got. The first unexpected status, or broken connection, fails it. */
export class Run {
  readonly next: NextRequest;
  readonly failed: Promise<never>;
  readonly #expectedStatus: number;
  readonly #toleratedStatus: number | undefined;
  readonly #latencies = new Latencies();
  readonly #tolerated = new Latencies();
  #withinSecond = 0;
  readonly #statuses: Record<number, number> = {};
  readonly #ids: string[] | undefined;
  #reject: (error: Error) => void = () => {};
  #failure: Error | undefined;

  constructor(next: NextRequest, job: Pick<LoadJob, "expectedStatus" | "toleratedStatus" | "keepIds">) {
    this.next = next;
    this.#expectedStatus = job.expectedStatus;
    this.#toleratedStatus = job.toleratedStatus;
    this.#ids = job.keepIds === true ? [] : undefined;
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

  /** `number`: the how manieth request this answers, from 0. */
  record({ status, body }: RawResponse, milliseconds: number, number: number): void {
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    this.#latencies.add(milliseconds);
    if (status === this.#toleratedStatus) this.#tolerated.add(milliseconds);
    if (status === this.#expectedStatus && milliseconds <= A_SECOND_MS) this.#withinSecond += 1;
    if (this.#ids !== undefined) this.#ids[number] = ID.exec(body.toString("latin1"))?.[1] ?? "";
    if (status !== this.#expectedStatus && status !== this.#toleratedStatus) {
      this.fail(new Error(`status ${status} instead of ${this.#expectedStatus}: ${body.toString("utf8", 0, 500)}`));
    }
  }

  report(seconds: number, generatorLoad: number): LoadReport {
    const requests = this.#latencies.count;
    const statuses = { ...this.#statuses };
    const latency = this.#latencies.summary();
    const tolerated = this.#tolerated.summary();
    const withinSecond = this.#withinSecond;
    const ids = this.#ids ?? [];
    const perSecond = requests / seconds;
    return { requests, seconds, perSecond, statuses, latency, tolerated, withinSecond, generatorLoad, ids };
  }
}
