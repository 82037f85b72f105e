import { createHash } from "node:crypto";
import type { Redis } from "ioredis";

/** A Lua script: what it does happens at once for everybody. Sent in full only to a server that does not know it. */
export class Script {
  readonly #source: string;
  readonly #sha: string;

  constructor(source: string) {
    this.#source = source;
    this.#sha = createHash("sha1").update(source).digest("hex");
  }

  async run(client: Redis, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await client.evalsha(this.#sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(Error.isError(error) && error.message.startsWith("NOSCRIPT"))) throw error;
      return client.eval(this.#source, keys.length, ...keys, ...args);
    }
  }
}
