import { resolve } from "node:path";
import { readAll, readErasureRecords } from "@travel-booking/command-service";
import { auditLog } from "@travel-booking/command-service/audit-log";
import { openFolderBlobStore } from "@travel-booking/engines/blob-store/folder";
import { openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/memory";
import { aggregateIdOf } from "@travel-booking/projector";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { type Clock, type Settings, StartupError } from "@travel-booking/runtime";
import { checkKeys, openClock, openSecretKeys, secretsOf } from "@travel-booking/service-host";
import { dataFolders, openKeys, openLogEnvironment } from "./local-storage.ts";

/** What was read of a backup, all of it whole. */
export interface VerifiedBackup {
  readonly path: string;
  readonly events: number;
  /** Records of the state store, and keys of personal words. */
  readonly records: number;
  readonly keys: number;
  readonly files: number;
}

const MOST_TOLD = 20;

/**
 * `backup verify`: reads all of a backup and changes nothing in it. Every checksum is compared, every event follows the one
 * before it, every seal is opened, seats, money and points add up, and every document has its file. Read models are left out,
 * because they can be built anew.
 * @throws StartupError, StorageError what is not as it should be.
 */
export async function verifyBackup(settings: Settings, machineClock: Clock, folder: string): Promise<VerifiedBackup> {
  const path = resolve(folder);
  const opened = { readOnly: true };
  const log = openLogEnvironment(path, opened);
  const keysEnvironment = openKeys(path, opened);
  const stored = openLmdbStateStore(log, { onFatal: raise });
  const storedKeys = openLmdbStateStore(keysEnvironment, { onFatal: raise });
  const events = openLmdbEventStore(log, { onFatal: raise });
  try {
    const [state, keys] = [new InMemoryStateStore(stored), new InMemoryStateStore(storedKeys)];
    // The token is of no use here, and none is to be made.
    const { secretKey: given } = secretsOf({ ...settings, operatorToken: "unused", readOnly: true });
    const clock = await openClock(state, machineClock);
    const keySettings = { ...settings, secretKey: given, secretKeyIsNew: false };
    const { secretKey } = await openSecretKeys(keySettings, { state, clock, unusual: [] });
    await checkKeys(state, keys, { secretKeyIsNew: false });
    const words = new SealedWords({ state: keys, log: state, secretKey, shared: false });
    const problems: string[] = [];
    const read = { path, events: 0, records: stored.count(), keys: storedKeys.count(), files: 0 };
    const revisions = new Map<string, number>();
    const uploads = new Map<string, readonly (string | null)[]>();
    for await (const batch of words.openBatches(readAll(events))) {
      for (const event of batch) {
        const { position, stream, revision, type, data, metadata } = event;
        read.events += 1;
        if (position !== BigInt(read.events)) problems.push(`event ${read.events} is missing: ${position} follows`);
        const expected = (revisions.get(stream) ?? -1) + 1;
        if (revision !== expected) problems.push(`${stream}: ${revision} stands where ${expected} should`);
        revisions.set(stream, revision);
        if (type !== "DocumentUploaded") continue;
        const { uploadId } = data as { readonly uploadId: string };
        uploads.set(uploadId, [aggregateIdOf(event), metadata.accountId]);
      }
    }
    // Streams that are not whole can't be folded.
    if (problems.length === 0) {
      for await (const finding of auditLog(events, [...revisions.keys()])) problems.push(finding);
    }
    const erased = new Set((await readErasureRecords(state)).map(({ id }) => id));
    const blobs = await openFolderBlobStore(dataFolders(path).files, undefined, true);
    for (const [uploadId, owners] of uploads) {
      try {
        const file = await blobs.get(uploadId);
        if (file === undefined) {
          if (owners.some((owner) => owner !== null && erased.has(owner))) continue;
          problems.push(`the file of upload ${uploadId} is missing`);
        } else for await (const _ of file.stream);
        read.files += 1;
      } catch (error) {
        problems.push((error as Error).message);
      }
    }
    if (problems.length > 0)
      throw new StartupError([`${path} is not whole:`, ...problems.slice(0, MOST_TOLD)].join("\n"));
    return read;
  } finally {
    for (const store of [events, stored, storedKeys, log, keysEnvironment]) await store.close();
  }
}

function raise(error: Error): never {
  throw error;
}
