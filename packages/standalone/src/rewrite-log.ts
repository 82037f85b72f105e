import { rmSync } from "node:fs";
import { readAll, readErasureRecords, SealedEventStore } from "@travel-booking/command-service";
import { openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { copyDatabases, type Environment, lockDataFolder, rewriteEnvironment } from "@travel-booking/engines/lmdb";
import { isStateDatabase, openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { StartupError } from "@travel-booking/runtime";
import { checkKeys, openClock, openSecretKeys, type ServiceContext, secretsOf } from "@travel-booking/service-host";
import { dataFolders, openKeys, openLogEnvironment } from "./local-storage.ts";

/**
 * `log rewrite`, with the service stopped. Seals words that older releases stored plain
 * (docs/privacy.md#events-from-before). Positions, revisions and ids stay. Returns what was done. A crash leaves the
 * old log or the new one.
 * @throws StartupError, StorageError
 */
export async function rewriteLog({ settings, machineClock, reachedFaultPoint }: ServiceContext): Promise<string> {
  const { dataDir, eventStoreUrl, mongodbUrl } = settings;
  if (eventStoreUrl !== undefined || mongodbUrl !== undefined) {
    throw new StartupError("log rewrite is for the log in DATA_DIR: EVENT_STORE_URL and MONGODB_URL must not be set");
  }
  const lock = lockDataFolder(dataDir);
  const keysEnvironment = openKeys(dataDir);
  const keys = openLmdbStateStore(keysEnvironment, { onFatal: raise });
  const log = openLogEnvironment(dataDir);
  try {
    const given = { ...settings, ...secretsOf(settings), secretKeyIsNew: false };
    let counted = { events: 0, sealed: 0 };
    async function copy(from: Environment, to: Environment): Promise<void> {
      const state = openLmdbStateStore(from, { onFatal: raise });
      const clock = await openClock(state, machineClock);
      const { secretKey } = await openSecretKeys(given, { state, clock, unusual: [] });
      await checkKeys(state, keys, { secretKeyIsNew: false });
      const erased = new Set((await readErasureRecords(state)).map(({ id }) => id));
      await state.close();
      await copyDatabases(from, to, isStateDatabase);
      reachedFaultPoint("rewrite:state");
      // The copy, not the old log, gets the record of the newest key.
      const copied = openLmdbStateStore(to, { onFatal: raise });
      const words = new SealedWords({ state: keys, log: copied, secretKey, shared: false });
      counted = await copyEvents(from, to, words, (subject) => erased.has(subject));
      await copied.close();
      reachedFaultPoint("rewrite:events");
      // Read models show plain words. They can be built again from either log.
      rmSync(dataFolders(dataDir).read, { recursive: true, force: true });
      reachedFaultPoint("rewrite:read models");
    }
    await log.copyAlone(() => rewriteEnvironment(log, { copy }));
    const { events, sealed } = counted;
    return `${events} events written, ${sealed} of them sealed anew. The next start builds the read models.\n`;
  } finally {
    await log.close();
    await keys.close();
    await keysEnvironment.close();
    lock.release();
  }
}

async function copyEvents(
  from: Environment,
  to: Environment,
  words: SealedWords,
  isErased: (subject: string) => boolean,
): Promise<{ events: number; sealed: number }> {
  const source = openLmdbEventStore(from, { onFatal: raise });
  const target = openLmdbEventStore(to, { onFatal: raise });
  const sealing = new SealedEventStore(source, words);
  const counted = { events: 0, sealed: 0 };
  try {
    for await (const batch of readAll(source)) {
      const appends: Promise<unknown>[] = [];
      for (const event of batch) {
        const sealed = await sealing.seal(event, isErased);
        counted.events += 1;
        if (sealed !== event) counted.sealed += 1;
        appends.push(target.append(event.stream, event.revision - 1, [sealed]));
      }
      await Promise.all(appends);
    }
    return counted;
  } finally {
    await source.close();
    await target.close();
  }
}

function raise(error: Error): never {
  throw error;
}
