import { join } from "node:path";
import { InMemoryJobQueue } from "@travel-booking/engines/job-queue/memory";
import { openEnvironment } from "@travel-booking/engines/lmdb";
import { LMDB_READ_STORE_DATABASES, openLmdbReadStore } from "@travel-booking/engines/read-store/lmdb";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import { OpenedReadModels, SealedWords } from "@travel-booking/read-models/sealed-words";
import { silentLogger, systemClock } from "@travel-booking/runtime";
import { Dispatcher, type DispatcherOptions } from "@travel-booking/webhook-dispatcher";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { type BenchEndpoint, EventSource, endpointIdOf } from "./event-source.ts";

export interface DispatcherSetup {
  readonly source: EventSource;
  readonly dispatcher: Dispatcher;
}

/** Does something with the webhook dispatcher of the embedded profile, its stores in an empty folder. Not started yet. */
export async function withDispatcher<Result>(
  folder: string,
  endpoints: readonly BenchEndpoint[],
  attempted: DispatcherOptions["deliveryMetrics"]["recordAttempt"],
  work: (dispatching: DispatcherSetup) => Promise<Result>,
): Promise<Result> {
  const read = openEnvironment({ path: join(folder, "read"), maxDbs: LMDB_READ_STORE_DATABASES });
  const log = openEnvironment({ path: join(folder, "log"), maxDbs: LMDB_STATE_STORE_DATABASES });
  try {
    const state = openLmdbStateStore(log, {
      onFatal: (error) => {
        throw error;
      },
    });
    const store = openLmdbReadStore(read.root);
    const words = new SealedWords({ state, secretKey: "secret", shared: false });
    const source = await EventSource.open(store, words, endpoints);
    const secrets = new WebhookSecrets(state, "a secret key of at least 32 characters");
    await Promise.all(endpoints.map(({ number }) => secrets.getOrCreate(endpointIdOf(number))));
    const dispatcher = new Dispatcher({
      state,
      models: new OpenedReadModels(store, words),
      progress: source.progress,
      queue: new InMemoryJobQueue(),
      clock: systemClock,
      secrets,
      words,
      targets: { allowPrivate: true, ports: [] },
      deliveryMetrics: { recordAttempt: attempted, recordPause: () => undefined },
      logger: silentLogger,
    });
    try {
      return await work({ source, dispatcher });
    } finally {
      await dispatcher.stop();
      await state.close();
    }
  } finally {
    await read.close();
    await log.close();
  }
}
