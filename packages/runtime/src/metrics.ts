import { Counter, collectDefaultMetrics, type Metric, Registry } from "prom-client";

/** Counts of one histogram under one set of labels. Observing costs a short search and no allocation. */
export class HistogramChild {
  readonly labels: Readonly<Record<string, string>>;
  readonly #bounds: readonly number[];
  /** Counts per bucket, not cumulative. The last bucket is for values above all bounds. */
  readonly #counts: number[];
  #sum = 0;

  constructor(labels: Readonly<Record<string, string>>, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] as number)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sum += value;
  }

  /** Samples in the form prom-client prints. */
  samples(name: string): Sample[] {
    const samples: Sample[] = [];
    let total = 0;
    this.#counts.forEach((count, bucket) => {
      total += count;
      const le = bucket < this.#bounds.length ? String(this.#bounds[bucket]) : "+Inf";
      samples.push({ metricName: `${name}_bucket`, labels: { ...this.labels, le }, value: total });
    });
    samples.push({ metricName: `${name}_sum`, labels: this.labels, value: this.#sum });
    samples.push({ metricName: `${name}_count`, labels: this.labels, value: total });
    return samples;
  }
}

export interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  /** Upper bounds, ascending. */
  readonly bounds: readonly number[];
}

/**
 * A histogram whose label sets are bound once. prom-client's own looks its labels up by a hash at every observation,
 * and the request path would pay for that. Registered with prom-client, which prints it.
 */
export class BoundHistogram {
  readonly name: string;
  readonly help: string;
  readonly type = "histogram";
  readonly #bounds: readonly number[];
  readonly #children: HistogramChild[] = [];

  constructor({ name, help, bounds }: HistogramOptions) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
  }

  /** Bind once and reuse the child. */
  child(labels: Readonly<Record<string, string>>): HistogramChild {
    const child = new HistogramChild(labels, this.#bounds);
    this.#children.push(child);
    return child;
  }

  get() {
    const values = this.#children.flatMap((child) => child.samples(this.name));
    return { name: this.name, help: this.help, type: this.type, aggregator: "sum", values };
  }
}

/** One value under its labels. */
interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics of one process, in the text format of Prometheus. */
export class Metrics {
  readonly #registry = new Registry();

  /** Adds what prom-client knows about the process: memory, event loop, garbage collection. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  histogram(options: HistogramOptions): BoundHistogram {
    const histogram = new BoundHistogram(options);
    this.#registry.registerMetric(histogram as unknown as Metric);
    return histogram;
  }

  /** For rare events, because every increment looks its labels up. */
  counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  /** A value that is read at every scrape; undefined if there is none. */
  gauge(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void {
    this.labelledGauge(name, help, async () => {
      const value = await read();
      return value === undefined ? [] : [{ labels: {}, value }];
    });
  }

  /**
   * Values under labels, read at every scrape. A gauge that can't be read is left out: while a store is out of reach,
   * the other metrics matter most.
   */
  labelledGauge(
    name: string,
    help: string,
    read: () => readonly MetricSample[] | Promise<readonly MetricSample[]>,
  ): void {
    const metric = { name, help, type: "gauge", aggregator: "sum" };
    const values = () =>
      Promise.resolve()
        .then(read)
        .catch(() => []);
    const registered = { ...metric, get: async () => ({ ...metric, values: await values() }) };
    this.#registry.registerMetric(registered as unknown as Metric);
  }

  /** The samples of one metric, including the parts of a histogram; none if there is no such metric. */
  async read(name: string): Promise<readonly (MetricSample & { readonly metricName?: string })[]> {
    const metric = this.#registry.getSingleMetric(name);
    return metric === undefined
      ? []
      : ((await metric.get()).values as readonly (MetricSample & { metricName?: string })[]);
  }

  async render(): Promise<{ readonly contentType: string; readonly text: string }> {
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }
}
