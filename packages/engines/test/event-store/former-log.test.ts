import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { anEvent, takeEvents } from "../../contract/event-store-contract.ts";
import { DamagedStore, type RecordedEvent } from "../../src/event-store/index.ts";
import { FORMER_EVENTS, formerEvent } from "./former-events.ts";
import { openTemporaryStore, temporaryFolder } from "./temporary-store.ts";

/** Written by the release before: events in msgpack, the last 20 of them not in the stream index. */
const FIXTURE = gunzipSync(readFileSync(join(import.meta.dirname, "..", "fixtures", "log-in-msgpack.mdb.gz")));

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, "data.mdb"), FIXTURE);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const STORED: readonly RecordedEvent[] = Array.from({ length: FORMER_EVENTS }, (_, n) => ({
  ...formerEvent(n),
  position: BigInt(n + 1),
}));

test("a log of an earlier release is read, whole and by stream, and goes on in the present form", async () => {
  let { store, environment } = openTemporaryStore({}, folder);
  expect(await takeEvents(store, FORMER_EVENTS, { after: 0n, maxBatch: 7 })).toStrictEqual(STORED);
  const byStream = Map.groupBy(STORED, ({ stream }) => stream);
  for (const [stream, events] of byStream) {
    expect(await store.readStream(stream)).toStrictEqual(events);
    expect(await store.readStream(stream, 5)).toStrictEqual(events.slice(5));
    const last = await store.append(stream, events.length - 1, [anEvent({ newer: true })]);
    expect(last.revision).toBe(events.length);
  }
  const { stream, revision, ...first } = formerEvent(0);
  expect(await store.append(stream, -1, [first])).toStrictEqual({ revision, position: 1n });
  await store.close();
  await environment.close();

  ({ store, environment } = openTemporaryStore({}, folder));
  const all = await takeEvents(store, FORMER_EVENTS + byStream.size, { after: 0n });
  expect(all.slice(0, FORMER_EVENTS)).toStrictEqual(STORED);
  expect(all.slice(FORMER_EVENTS).map(({ data }) => data)).toStrictEqual(Array(byStream.size).fill({ newer: true }));
  for (const name of byStream.keys()) {
    expect(await store.readStream(name)).toStrictEqual(all.filter((event) => event.stream === name));
  }
  await store.close();
  await environment.close();
});

test("with names of fields that are not what was written it is not opened", () => {
  const bytes = Buffer.from(FIXTURE);
  for (let at = bytes.indexOf('"metadata"'); at >= 0; at = bytes.indexOf('"metadata"', at + 1)) bytes[at + 3]! ^= 0x01;
  writeFileSync(join(folder, "data.mdb"), bytes);
  expect(() => openTemporaryStore({}, folder)).toThrow(DamagedStore);
  expect(() => openTemporaryStore({}, folder)).toThrow("the names of the fields of events are not what was written");
});
