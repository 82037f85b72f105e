import { endClient, type RedisConnection } from "../../redis/index.ts";

export type Client = RedisConnection["client"];

/** A command of a queue may wait its turn in a burst of them. */
export const COMMAND_TIMEOUT_MS = 2_000;
/** Longer than any command of a worker waits at the server. */
const SOCKET_TIMEOUT_MS = 20_000;

/** For what is asked of a queue: sent as soon as there is a connection, if that is soon. */
export function queueClient(redis: RedisConnection): Client {
  const client = redis.client.duplicate({ enableOfflineQueue: true, commandTimeout: COMMAND_TIMEOUT_MS });
  client.on("error", () => undefined);
  return client;
}

/**
 * For a worker: its commands have no deadline, as some wait at the server for something to do, and are sent again when
 * the connection was lost. It makes further ones from the one it is given; all of them can be ended.
 */
export class WorkerClients {
  readonly base: Client;
  readonly #all: Client[] = [];

  constructor(redis: RedisConnection) {
    this.base = this.#track(
      redis.client.duplicate({
        enableOfflineQueue: true,
        maxRetriesPerRequest: null,
        commandTimeout: undefined,
        socketTimeout: SOCKET_TIMEOUT_MS,
      }),
    );
    const duplicate = this.base.duplicate.bind(this.base);
    this.base.duplicate = (override) => this.#track(duplicate(override));
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#all.map(endClient));
  }

  #track(client: Client): Client {
    client.on("error", () => undefined);
    this.#all.push(client);
    return client;
  }
}
