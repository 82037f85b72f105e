import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

type Store = "log" | "read" | "keys";

const dataOf = (dataDir: string, store: Store) => join(dataDir, store, "data.mdb");

/** Cuts the second half off. */
export function truncateStore(dataDir: string, store: Store): void {
  const file = dataOf(dataDir, store);
  truncateSync(file, Math.floor(statSync(file).size / 2));
}

/** Overwrites its first two pages. */
export function overwriteHeader(dataDir: string, store: Store): void {
  const descriptor = openSync(dataOf(dataDir, store), "r+");
  writeSync(descriptor, Buffer.alloc(8_192, 0x61), 0, 8_192, 0);
  closeSync(descriptor);
}

/** Flips one bit of every copy of a text: an engine keeps old pages in its file. */
export function flipBit(dataDir: string, store: Store, text: string): void {
  const file = dataOf(dataDir, store);
  const bytes = readFileSync(file);
  let found = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
    bytes[at + 2]! ^= 0x01;
    found += 1;
  }
  if (found === 0) throw new Error(`${file} does not hold ${text}`);
  writeFileSync(file, bytes);
}
