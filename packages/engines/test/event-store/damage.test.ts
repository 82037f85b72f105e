import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { anEvent, takeEvents } from "../../contract/event-store-contract.ts";
import { DamagedStore, NO_STREAM } from "../../src/event-store/index.ts";
import { type EventDatabases, openEventDatabases, putIndexMarker } from "../../src/event-store/lmdb/databases.ts";
import type { Environment } from "../../src/lmdb/index.ts";
import { openTemporaryStore, type TemporaryStore, temporaryFolder } from "./temporary-store.ts";

const NEEDLE = "a-needle-in-the-log";

describe("a damaged store", () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = temporaryFolder();
    file = join(folder, "data.mdb");
    const { store, environment } = openTemporaryStore({}, folder);
    for (let n = 0; n < 40; n++) {
      const events = Array.from({ length: 50 }, (_, index) => anEvent({ n, index, text: "y".repeat(100) }));
      await store.append(`stream-${n}`, NO_STREAM, events);
    }
    await store.append("damaged", NO_STREAM, [anEvent({ text: NEEDLE })]);
    await store.append("whole", NO_STREAM, [anEvent({ text: "straw" })]);
    // These two share a record.
    await Promise.all(
      ["left", "right"].map((side) => store.append(side, NO_STREAM, [anEvent({ side: `${side}-side` })])),
    );
    await store.append("last", NO_STREAM, [anEvent({ text: "the-last-of-all" })]);
    await store.close();
    await environment.close();
    copyFileSync(file, join(folder, "copy"));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const openingFails = () => {
    const error = thrownBy(() => openTemporaryStore({}, folder));
    expect(error).toBeInstanceOf(DamagedStore);
    expect((error as Error).message).toMatch(/^the store .+ is damaged: .+; restore it from a backup$/);
    copyFileSync(join(folder, "copy"), file);
    return (error as Error).message;
  };

  /** Flips a bit in every copy of a text: LMDB keeps old pages in the file. */
  const flip = (text: string, offset: number) => {
    const bytes = readFileSync(file);
    let found = 0;
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
      bytes[at + offset]! ^= 0x01;
      found++;
    }
    expect(found).toBeGreaterThan(0);
    writeFileSync(file, bytes);
  };

  test("whose file is cut off is not opened", () => {
    const { length } = readFileSync(file);
    for (const size of [length - 4096, Math.floor(length / 2), 8192, 8191, 4096, 100, 0]) {
      truncateSync(file, size);
      openingFails();
    }
  });

  test("whose file is gone is not taken for a new one", () => {
    rmSync(file);
    expect(openingFails()).toContain("missing");
  });

  test.each([
    ["zeros", 0x00],
    ["ones", 0xff],
    ["text", 0x61],
  ])("with %s in its header is not opened", (_, byte) => {
    for (const [start, end] of [
      [0, 4096],
      [4096, 8192],
      [16, 64],
      [0, 100_000],
    ] as const) {
      const bytes = readFileSync(file);
      bytes.fill(byte, start, end);
      writeFileSync(file, bytes);
      openingFails();
    }
  });

  test("with one flipped bit in an event never gives that event, and says where it is", async () => {
    for (const offset of [0, 7, NEEDLE.length - 1]) {
      flip(NEEDLE, offset);
      const { store, environment } = openTemporaryStore({}, folder);
      const reading = store.readStream("damaged");
      await expect(reading).rejects.toBeInstanceOf(DamagedStore);
      await expect(reading).rejects.toThrow(
        "the store event log is damaged: the record at position 2001 is not what was written; restore it from a backup",
      );
      await expect(takeEvents(store, 2_002, { after: 0n })).rejects.toBeInstanceOf(DamagedStore);
      expect((await store.readStream("whole")).map(({ data }) => data)).toStrictEqual([{ text: "straw" }]);
      expect(await store.readStream("stream-39")).toHaveLength(50);
      await store.close();
      await environment.close();
      copyFileSync(join(folder, "copy"), file);
    }
  });

  test("with one flipped bit in its last record is not opened", () => {
    flip("the-last-of-all", 4);
    expect(openingFails()).toContain("is not what was written");
  });

  test("with one flipped bit in an event gives the other event of its record", async () => {
    flip("left-side", 4);
    const { store, environment } = openTemporaryStore({}, folder);
    await expect(store.readStream("left")).rejects.toBeInstanceOf(DamagedStore);
    expect((await store.readStream("right")).map(({ data }) => data)).toStrictEqual([{ side: "right-side" }]);
    await store.close();
    await environment.close();
  });

  test("gives all that comes before the damage", async () => {
    flip(NEEDLE, 4);
    const { store, environment } = openTemporaryStore({}, folder);
    let events = 0;
    const reading = async () => {
      const signal = new AbortController().signal;
      for await (const batch of store.subscribe({ after: 0n, signal, maxBatch: 50 })) events += batch.length;
    };
    await expect(reading()).rejects.toBeInstanceOf(DamagedStore);
    expect(events).toBe(2_000);
    await store.close();
    await environment.close();
  });
});

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

/** Positions 1 to 9: three records of three events of one stream. */
describe("a store with a damaged index", () => {
  let temporary: TemporaryStore;

  beforeEach(async () => {
    temporary = openTemporaryStore();
    for (const head of [NO_STREAM, 2, 5]) {
      await temporary.store.append("stream", head, [anEvent(), anEvent(), anEvent()]);
    }
    await temporary.store.close();
  });

  afterEach(async () => {
    await temporary.environment.close();
    rmSync(temporary.folder, { recursive: true, force: true });
  });

  const damage = async (change: (databases: EventDatabases) => void) => {
    const { environment } = temporary;
    await environment.root.batch(() => change(openDatabases(environment)));
    await environment.close();
  };

  const open = () => {
    temporary = openTemporaryStore({}, temporary.folder);
    return temporary.store;
  };

  const openingFails = async (what: string) => {
    expect(open).toThrow(DamagedStore);
    expect(open).toThrow(what);
  };

  test.each([10, 1_000_000, 1, 5, -1, 0.5, Number.NaN])("that says it goes to %d is not opened", async (position) => {
    await damage((databases) => putIndexMarker(databases, position));
    await openingFails("where no record ends");
  });

  test("whose log has a record where another belongs is not opened", async () => {
    await damage((databases) => {
      putIndexMarker(databases, 3);
      void databases.commits.put(4, databases.commits.get(7)!);
    });
    await openingFails("the record at position 4 belongs to another position");
  });

  test("whose log has a record of another format is not opened", async () => {
    await damage((databases) => {
      putIndexMarker(databases, 3);
      const record = Buffer.from(databases.commits.get(4)!);
      record.writeUInt32LE(0xffff_ffff, 8);
      void databases.commits.put(4, record);
    });
    expect(open).toThrow("the event log was written by another release (the record at position 4 has another format)");
  });

  test("that does not say readably how far it goes is not opened", async () => {
    await damage(({ meta }) => void meta.put("indexed", Buffer.alloc(12, 1)));
    await openingFails("is not what was written");
  });

  test("whose log lacks a record that is not indexed yet is not opened", async () => {
    await damage((databases) => {
      putIndexMarker(databases, 3);
      void databases.commits.remove(4);
    });
    await openingFails("position 4 is missing");
  });

  test.each([1, 4])("that points to a missing record at %d never gives that stream", async (position) => {
    await damage(({ commits }) => void commits.remove(position));
    await expect(open().readStream("stream")).rejects.toThrow("is not where its index says");
  });

  test.each([0, 3])("that lacks the entry of revision %d never gives that stream", async (revision) => {
    await damage(({ streams }) => void streams.remove(["stream", revision]));
    await expect(open().readStream("stream")).rejects.toBeInstanceOf(DamagedStore);
  });
});

/** The databases of a store, as of now. */
export function openDatabases(environment: Environment): EventDatabases {
  environment.root.resetReadTxn();
  return openEventDatabases(environment);
}
