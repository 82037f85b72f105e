/** Where the servers are that the services share. */
export interface Servers {
  readonly eventStoreUrl: string;
  readonly mongodbUrl: string;
  readonly redisUrl: string;
}

interface Reachable {
  readonly url: string;
}

/** Where these are. */
export function serversAt(engines: {
  readonly eventStore: Reachable;
  readonly mongo: Reachable;
  readonly redis: Reachable;
}): Servers {
  const { eventStore, mongo, redis } = engines;
  return { eventStoreUrl: eventStore.url, mongodbUrl: mongo.url, redisUrl: redis.url };
}
