import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { anEvent } from "../../contract/event-store-contract.ts";
import { DamagedStore, NO_STREAM } from "../../src/event-store/index.ts";
import { type EventDatabases, putIndexMarker } from "../../src/event-store/lmdb/databases.ts";
import { openDatabases } from "./open-databases.ts";
import { openTemporaryStore, type TemporaryStore } from "./temporary-store.ts";

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
