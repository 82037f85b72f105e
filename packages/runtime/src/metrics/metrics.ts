import { Counter, collectDefaultMetrics, type Metric, Registry } from "prom-client";
import { BoundHistogram, type HistogramOptions } from "./histogram.ts";

/** One value under its labels. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics of one process, in the text format of Prometheus. */
export class Metrics {
  readonly registry = new Registry();

  /** Adds what prom-client knows about the process: memory, event loop, garbage collection. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  histogram(options: HistogramOptions): BoundHistogram {
    const histogram = new BoundHistogram(options);
    this.registry.registerMetric(histogram as unknown as Metric);
    return histogram;
  }

  /** For what happens seldom enough to pay for a label look-up. */
  counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** A value that is read when the metrics are asked for. */
  gauge(name: string, help: string, read: () => number): void {
    this.labelledGauge(name, help, () => [{ labels: {}, value: read() }]);
  }

  /**
   * Values under labels, read when the metrics are asked for. What can't be read at that moment is left out: the rest of
   * the page matters most while a store is out of reach.
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
    this.registry.registerMetric(registered as unknown as Metric);
  }

  async render(): Promise<{ readonly contentType: string; readonly text: string }> {
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }
}
