import { resolve } from "node:path";
import type { Bench } from "../bench.ts";
import { Child } from "../children/child.ts";
import { bookingRequest } from "../data/booking-request.ts";
import type { LoadJob, LoadReport, RequestTemplate } from "../load/job.ts";
import { Service } from "../service/service.ts";
import { FilledStore } from "./filled-store.ts";
import { Operations } from "./operations.ts";
import { cpuByThread, cpuSeconds } from "./process-figures.ts";

const CONNECTIONS = 64;
export const WARM_UP = 20_000;
/** Of a reference, in each round. */
const REFERENCE_OPERATIONS = 10_000;
const AN_HOUR = 3_600;

/** A server whose CPU time is read while it works. */
export interface Measured {
  readonly pid: number;
  readonly port: number;
  /** Of each round. */
  readonly operations: number;
  readonly expectedStatus: number;
  /** So many requests; what it takes to prepare them is not measured. */
  readonly requests: (count: number) => Promise<readonly RequestTemplate[]> | readonly RequestTemplate[];
  /** Resolves when nothing that follows from the requests is left to do. */
  readonly idle: () => Promise<void>;
  readonly warmUp?: number;
}

/** What is measured, beside what. */
export interface Compared {
  readonly ratio: number;
  /** CPU of one operation in microseconds, the least of all rounds. */
  readonly measured: number;
  readonly reference: number;
}

/** The service on copies of one store, the bare references and the load generator, each a process of its own. */
export class CostBench {
  readonly bench: Bench;
  readonly store: FilledStore;
  readonly #generator: Child<LoadJob, LoadReport>;
  #validatedPost: Promise<Measured> | undefined;

  private constructor(bench: Bench, store: FilledStore) {
    this.bench = bench;
    this.store = store;
    this.#generator = new Child(new URL("../load/main.ts", import.meta.url));
    bench.atEnd(() => this.#generator.stop());
  }

  static async start(bench: Bench): Promise<CostBench> {
    return new CostBench(bench, await FilledStore.make(bench));
  }

  /** Does something with the service on a copy of the store. */
  async withService<Result>(
    work: (service: Service, operations: Operations, folder: string) => Promise<Result>,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Result> {
    const folder = this.store.copy();
    const { profiles } = this.bench.options;
    const profiling = profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${resolve(profiles)}`];
    const options = [settings.NODE_OPTIONS, ...profiling].filter((option) => option !== undefined);
    const service = await Service.start(folder, {
      ...this.store.settings,
      ...settings,
      NODE_OPTIONS: options.join(" "),
    });
    try {
      return await work(service, new Operations(this.store.contents), folder);
    } finally {
      await service.stop();
      this.store.discard(folder);
    }
  }

  /** Reference (c), warm. */
  validatedPost(): Promise<Measured> {
    this.#validatedPost ??= this.#startValidatedPost();
    return this.#validatedPost;
  }

  async #startValidatedPost(): Promise<Measured> {
    const request: RequestTemplate = {
      method: "POST",
      path: "/bookings",
      headers: { "x-api-key": "bench-key" },
      body: bookingRequest("bench-flight-000"),
    };
    const reference = await this.reference("validated-post", {}, request, 201);
    await this.send(reference, WARM_UP);
    return { ...reference, warmUp: 0 };
  }

  /** A bare reference that gets the same request again and again. */
  async reference(name: string, task: object, request: RequestTemplate, expectedStatus: number): Promise<Measured> {
    const child = new Child<object, number>(new URL(`../references/${name}.ts`, import.meta.url));
    this.bench.atEnd(() => child.stop());
    const port = await child.run(task);
    return {
      pid: child.pid,
      port,
      operations: REFERENCE_OPERATIONS,
      expectedStatus,
      requests: () => [request],
      idle: async () => {},
    };
  }

  /** Sends so many requests over all connections. Answers CPU seconds of the server until it is idle again, also by thread. */
  async send(
    server: Measured,
    count: number,
    job: Partial<LoadJob> = {},
  ): Promise<{ cpu: number; threads: Readonly<Record<string, number>>; report: LoadReport }> {
    const messages = await server.requests(count);
    const before = cpuSeconds(server.pid);
    const threadsBefore = cpuByThread(server.pid);
    const report = await this.#generator.run({
      port: server.port,
      source: { kind: "cycle", messages, repeat: 1 },
      connections: CONNECTIONS,
      seconds: AN_HOUR,
      limit: count,
      expectedStatus: server.expectedStatus,
      pace: { kind: "closed" },
      ...job,
    });
    await server.idle();
    const cpu = cpuSeconds(server.pid) - before;
    const threads = Object.entries(cpuByThread(server.pid)).map(([name, seconds]) => {
      return [name, seconds - (threadsBefore[name] ?? 0)] as const;
    });
    return { cpu, threads: Object.fromEntries(threads), report };
  }

  /** The least CPU of one server divided by the least of the other. */
  async compare(what: string, measured: Measured, reference: Measured): Promise<Compared> {
    const [base = 0, cost = 0] = await this.leastCosts(what, [reference, measured]);
    return { ratio: cost / base, measured: cost, reference: base };
  }

  /** CPU of one operation of each in microseconds: the least of all rounds, which are in turn, after a warm-up of each. */
  async leastCosts(what: string, servers: readonly Measured[]): Promise<readonly number[]> {
    for (const server of servers) if (server.warmUp !== 0) await this.send(server, server.warmUp ?? WARM_UP);
    const least = servers.map(() => Number.POSITIVE_INFINITY);
    const threads = servers.map(() => "");
    for (let round = 1; round <= this.bench.options.rounds; round += 1) {
      const costs: number[] = [];
      for (const [index, server] of servers.entries()) {
        const sent = await this.send(server, server.operations);
        const microseconds = (seconds: number) => (seconds / server.operations) * 1e6;
        const cost = microseconds(sent.cpu);
        costs.push(cost);
        if (cost >= (least[index] ?? 0)) continue;
        least[index] = cost;
        const parts = Object.entries(sent.threads).filter(([, seconds]) => seconds > 0);
        threads[index] = parts.map(([name, seconds]) => `${name} ${microseconds(seconds).toFixed(0)}`).join(", ");
      }
      this.bench.say(`${what}, round ${round}: ${costs.map((cost) => cost.toFixed(1)).join(", ")} µs`);
    }
    this.bench.say(`${what}, least by thread: ${threads.join("; ")} µs`);
    return least;
  }
}
