import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { takeEvents } from "../../contract/event-store-contract.ts";
import { openTemporaryStore, temporaryFolder } from "./temporary-store.ts";

test("a store that can't be written any more fails every append, says so once, and keeps what it acknowledged", async () => {
  const folder = temporaryFolder();
  const script = join(import.meta.dirname, "children", "append-until-full.ts");
  // A limit on the size of a file stands in for a full disk: the same failure of the same call.
  const running = promisify(execFile)(
    "sh",
    ["-c", 'ulimit -f 2000; exec "$0" "$@"', process.execPath, script, folder],
    { env: { ...process.env, NODE_OPTIONS: "" } },
  );
  // LMDB's own message about a failed write can be longer than the memory it takes for it, which may abort the
  // process when it ends. What counts is what it told before.
  const { stdout } = await running.catch((failure) => {
    if (failure.signal === "SIGABRT") return failure;
    throw failure;
  });
  const { acknowledged, failures, later, fatal } = JSON.parse(stdout);
  const unavailable = { name: "EventStoreUnavailable", unknown: true };
  expect(failures).toStrictEqual(Array(10).fill(unavailable));
  expect(later).toStrictEqual(unavailable);
  expect(fatal).toStrictEqual([expect.stringMatching(/^the event log could not be written \(.+\): .+$/)]);
  expect(acknowledged.length).toBeGreaterThan(100);

  const { store, dispose } = openTemporaryStore({}, folder);
  const stored = await takeEvents(store, Number(await store.head()), { after: 0n });
  const ids = new Set(stored.map((event) => event.id));
  expect(acknowledged.filter((id: string) => !ids.has(id))).toStrictEqual([]);
  expect(
    (await store.append("stream-0", (await store.readStream("stream-0")).length - 1, stored.slice(0, 1))).position,
  ).toBe(BigInt(stored.length + 1));
  await store.close();
  await dispose();
});
