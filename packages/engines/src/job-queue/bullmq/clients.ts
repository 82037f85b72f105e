import { endClient, type RedisConnection } from "../../redis/index.ts";

export type Client = RedisConnection["client"];

/** A command may wait in a burst of thousands. A Redis that hangs is noticed before, by the socket's time-out. */
const COMMAND_TIMEOUT_MS = 10_000;
/** Longer than any blocking command of a worker. */
const SOCKET_TIMEOUT_MS = 20_000;

/** For commands of the queue: they wait for a connection, up to the time-out. */
export function queueClient(redis: RedisConnection): Client {
  const client = redis.client.duplicate({ enableOfflineQueue: true, commandTimeout: COMMAND_TIMEOUT_MS });
  client.on("error", () => undefined);
  return client;
}

/**
 * The clients of a worker. Its commands have no deadline, as some block at the server, and are repeated when the
 * connection was lost. BullMQ duplicates the base client; all duplicates can be closed here.
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
