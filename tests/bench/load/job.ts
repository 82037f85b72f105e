/** One request, before it is laid out as bytes. */
export interface RequestTemplate {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The seats of one flight a run may ask for: every column of every row from 1 on. */
export interface SeatBlock {
  readonly flightId: string;
  readonly columns: string;
  readonly rows: number;
}

/**
 * What is sent. `cycle` repeats its messages, each so many times in a row; `holds` asks for each seat once, flight by
 * flight or spread evenly over all of them, and is exhausted when no seat is left.
 */
export type RequestSource =
  | { readonly kind: "cycle"; readonly messages: readonly RequestTemplate[]; readonly repeat: number }
  | {
      readonly kind: "holds";
      readonly flights: readonly SeatBlock[];
      readonly order: "flight-by-flight" | "spread";
      readonly headers: Readonly<Record<string, string>>;
    };

/** `closed`: each connection sends as soon as it has its answer. `open`: requests start at fixed moments, come what may. */
export type LoadPattern = { readonly kind: "closed" } | { readonly kind: "open"; readonly perSecond: number };

export interface LoadJob {
  readonly port: number;
  readonly source: RequestSource;
  readonly connections: number;
  readonly seconds: number;
  /** Ends the run early, once so many were sent. */
  readonly limit?: number;
  /** Any other status fails the run. */
  readonly expectedStatus: number;
  /** May be answered, too; the report counts it, and has its latency apart. */
  readonly toleratedStatus?: number;
  /** Each connection has sent a request before the run: a service reads connections of strangers after all others. */
  readonly known?: boolean;
  /** The report has the ids in the answers, in the order of the requests. */
  readonly keepIds?: boolean;
  readonly pace: LoadPattern;
}

/** Latencies in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

export interface LoadReport {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly statuses: Readonly<Record<number, number>>;
  readonly latency: Latency;
  /** Of the answers with the tolerated status. */
  readonly tolerated: Latency;
  /** Answers with the expected status that took no more than a second. */
  readonly withinSecond: number;
  /** Share of one core the load generator itself used: near 1 it was the bottleneck. */
  readonly generatorLoad: number;
  readonly ids: readonly string[];
}
