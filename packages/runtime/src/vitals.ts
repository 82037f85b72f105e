import type { Metrics } from "./metrics.ts";
import type { Shutdown } from "./shutdown.ts";

/** Real time. */
const INTERVAL_MS = 10_000;
/** The samples of an hour. */
const KEPT = 360;

/** A metric whose samples are summed and kept. `each`: one series per value of this label. */
interface Watched {
  readonly metric: string;
  /** True if the growth per second is kept instead of the value. */
  readonly perSecond?: true;
  readonly each?: string;
}

const WATCHED: Readonly<Record<string, Watched>> = {
  memory: { metric: "process_resident_memory_bytes" },
  disk: { metric: "disk_free_bytes" },
  commands: { metric: "commands_total", perSecond: true },
  requests: { metric: "http_request_duration_seconds", perSecond: true },
  projections: { metric: "projection_position", perSecond: true, each: "projection" },
};

/** Figures of this process over the last hour, oldest first. Names without a metric have none. */
export class Vitals {
  readonly intervalSeconds = INTERVAL_MS / 1_000;
  readonly #metrics: Pick<Metrics, "read">;
  readonly #series = new Map<string, number[]>();
  readonly #totals = new Map<string, number>();

  constructor(metrics: Pick<Metrics, "read">) {
    this.#metrics = metrics;
  }

  /** Adds the figures of this moment, and those of each ten seconds from now on. */
  start(shutdown: Shutdown): void {
    void this.sample().catch(() => undefined);
    shutdown.repeat("vitals", INTERVAL_MS, () => this.sample());
  }

  get series(): Readonly<Record<string, readonly number[]>> {
    return Object.fromEntries(this.#series);
  }

  /** Adds the figures of this moment. */
  async sample(): Promise<void> {
    for (const [name, { metric, perSecond, each }] of Object.entries(WATCHED)) {
      // Requests have no sample before the first one.
      const sums = new Map<string, number>(each === undefined && perSecond ? [[name, 0]] : []);
      for (const { metricName = metric, labels, value } of await this.#metrics.read(metric)) {
        if (metricName !== metric && !metricName.endsWith("_count")) continue;
        const key = each === undefined ? name : `${name}.${labels[each]}`;
        sums.set(key, (sums.get(key) ?? 0) + value);
      }
      for (const [key, sum] of sums) this.#add(key, perSecond === true ? this.#growth(key, sum) : sum);
    }
  }

  #growth(key: string, sum: number): number {
    const before = this.#totals.get(key) ?? sum;
    this.#totals.set(key, sum);
    return Math.max(0, sum - before) / this.intervalSeconds;
  }

  #add(key: string, value: number): void {
    const values = this.#series.get(key) ?? [];
    this.#series.set(key, values);
    values.push(value);
    if (values.length > KEPT) values.shift();
  }
}
