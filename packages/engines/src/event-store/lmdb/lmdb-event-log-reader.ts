import type { Environment } from "../../lmdb/index.ts";
import type { AppendNotifier } from "../append-notifier.ts";
import type { EventStore } from "../port.ts";
import type { Upcast } from "../upcasting.ts";
import { openEventDatabases } from "./databases.ts";
import { EventUnpacker } from "./event-codec.ts";
import { EventLog } from "./event-log.ts";
import { StreamIndex } from "./stream-index.ts";

/** What a thread sees that never appends. */
export type LmdbEventLogReader = Pick<EventStore, "subscribe" | "head" | "readStream">;

/**
 * Reads the log in another thread than the one that writes it. That one must have opened it before.
 * @param options.appendNotifier shares its buffer with the one the writer notifies.
 */
export function openLmdbEventLogReader(
  environment: Environment,
  options: { readonly appendNotifier: AppendNotifier; readonly upcast?: Upcast },
): LmdbEventLogReader {
  const databases = openEventDatabases(environment);
  const unpacker = new EventUnpacker(databases);
  const index = new StreamIndex(databases, unpacker);
  const log = new EventLog(databases, unpacker, index, options.appendNotifier, options.upcast);
  return {
    subscribe: (subscription) => log.subscribe(subscription),
    head: async () => BigInt(log.head()),
    readStream: async (stream, fromRevision = 0) => log.readStream(stream, fromRevision),
  };
}
