import type { Redis } from "ioredis";
import type { ProblemReporter } from "./problem-reporter.ts";

/** Which server is at the other end: asked at each connection before the connection counts as there. */
export class ServerIdentity {
  readonly #client: Redis;
  readonly #problems: ProblemReporter;
  #runId: string | undefined;
  #known = Promise.withResolvers<void>();

  constructor(client: Redis, problems: ProblemReporter) {
    this.#client = client;
    this.#problems = problems;
    client.on("ready", () => this.#identify());
    client.on("close", () => this.#clear());
  }

  get runId(): string | undefined {
    return this.#runId;
  }

  /** Resolves when there is a connection and it is known to whom. */
  get identified(): Promise<void> {
    return this.#known.promise;
  }

  async #identify(): Promise<void> {
    try {
      const info = await this.#client.info();
      const runId = /^run_id:(\w+)/m.exec(info)?.[1];
      if (runId === undefined) throw new Error("its answer to INFO has no run_id");
      this.#problems.resolve();
      this.#checkEvictionPolicy(info);
      this.#runId = runId;
      this.#known.resolve();
    } catch (error) {
      this.#problems.report("it does not say which server it is", error);
      if (this.#client.status === "ready") this.#client.disconnect(true);
    }
  }

  /** A server that drops keys where memory is short says nothing when it does. */
  #checkEvictionPolicy(info: string): void {
    const policy = /^maxmemory_policy:([\w-]+)/m.exec(info)?.[1] ?? "noeviction";
    if (policy === "noeviction") return;
    const reason = new Error(`its maxmemory-policy is ${policy} and must be noeviction`);
    this.#problems.report("it may evict what was written", reason);
  }

  #clear(): void {
    if (this.#runId === undefined) return;
    this.#runId = undefined;
    this.#known = Promise.withResolvers();
  }
}
