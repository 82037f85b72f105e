import type { Database } from "lmdb";
import { type Environment, translateReadErrors } from "../../lmdb/index.ts";

/** Three databases of one environment. */
export interface EventDatabases {
  /** Position of the first event of a record -> the record. */
  readonly commits: Database<Buffer, number>;
  /** Stream and revision of its first event in a record -> where that and the following ones are. */
  readonly streams: Database<Buffer, [stream: string, revision: number]>;
  /** The structures that packed events refer to. */
  readonly meta: Database<Buffer, string>;
}

export const LMDB_EVENT_STORE_DATABASES = 3;

export function openEventDatabases({ root }: Environment): EventDatabases {
  return translateReadErrors("event log", () => ({
    commits: root.openDB<Buffer, number>({ name: "commits", encoding: "binary" }),
    streams: root.openDB<Buffer, [string, number]>({ name: "streams", encoding: "binary" }),
    meta: root.openDB<Buffer, string>({ name: "meta", encoding: "binary" }),
  }));
}
