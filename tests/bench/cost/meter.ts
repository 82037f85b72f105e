import type { Bench } from "../bench.ts";
import { Child } from "../children/child.ts";
import type { LoadJob, LoadReport, RequestTemplate } from "../load/job.ts";
import { cpuByThread, cpuSeconds } from "./process-figures.ts";

const CONNECTIONS = 64;
export const WARM_UP = 20_000;
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

/** CPU of one operation in microseconds. */
export interface Cpu {
  readonly each: number;
  /** What each kind of thread took of it, to be read. */
  readonly byThread: string;
}

/** Sends load from a process of its own, and reads what the server takes for it. */
export class Meter {
  readonly #generator: Child<LoadJob, LoadReport>;

  constructor({ atEnd }: Bench) {
    this.#generator = new Child(new URL("../load/main.ts", import.meta.url));
    atEnd(() => this.#generator.stop());
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

  async warmUp(server: Measured): Promise<void> {
    if (server.warmUp !== 0) await this.send(server, server.warmUp ?? WARM_UP);
  }

  /** Of one round. */
  async cpuOf(server: Measured): Promise<Cpu> {
    const { cpu, threads } = await this.send(server, server.operations);
    const each = (seconds: number) => (seconds / server.operations) * 1e6;
    const parts = Object.entries(threads).filter(([, seconds]) => seconds > 0);
    return {
      each: each(cpu),
      byThread: parts.map(([name, seconds]) => `${name} ${each(seconds).toFixed(0)}`).join(", "),
    };
  }
}
