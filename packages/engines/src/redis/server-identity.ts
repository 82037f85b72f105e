import type { Redis } from "ioredis";
import type { Problems } from "./problems.ts";

/** Which server is at the other end: asked at each connection before the connection counts as there. */
export class ServerIdentity {
  readonly #client: Redis;
  readonly #problems: Problems;
  #runId: string | undefined;
  #known = Promise.withResolvers<void>();

  constructor(client: Redis, problems: Problems) {
    this.#client = client;
    this.#problems = problems;
    client.on("ready", () => this.#ask());
    client.on("close", () => this.#forget());
  }

  get runId(): string | undefined {
    return this.#runId;
  }

  /** Resolves when there is a connection and it is known to whom. */
  get known(): Promise<void> {
    return this.#known.promise;
  }

  async #ask(): Promise<void> {
    try {
      const info = await this.#client.info();
      const runId = /^run_id:(\w+)/m.exec(info)?.[1];
      if (runId === undefined) throw new Error("its answer to INFO has no run_id");
      this.#problems.over();
      this.#mustRemember(info);
      this.#runId = runId;
      this.#known.resolve();
    } catch (error) {
      this.#problems.tell("it does not say which server it is", error);
      if (this.#client.status === "ready") this.#client.disconnect(true);
    }
  }

  /** A server that drops keys where memory is short says nothing when it does. */
  #mustRemember(info: string): void {
    const policy = /^maxmemory_policy:([\w-]+)/m.exec(info)?.[1] ?? "noeviction";
    if (policy === "noeviction") return;
    const reason = new Error(`its maxmemory-policy is ${policy} and must be noeviction`);
    this.#problems.tell("it may forget what was written", reason);
  }

  #forget(): void {
    if (this.#runId === undefined) return;
    this.#runId = undefined;
    this.#known = Promise.withResolvers();
  }
}
