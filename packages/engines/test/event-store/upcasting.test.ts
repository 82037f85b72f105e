import { expect, test } from "@jest/globals";
import { anEvent, takeEvents } from "../../contract/event-store-contract.ts";
import { NO_STREAM, upcasting } from "../../src/event-store/index.ts";
import { openTemporaryStore } from "./temporary-store.ts";

const steps = [
  { type: "Held", version: 1, upcast: (data: unknown) => ({ ...(data as object), cabin: "economy" }) },
  {
    type: "Held",
    version: 2,
    upcast: (data: unknown) => ({ ...(data as object), seats: [(data as { seat: string }).seat] }),
  },
];

test("old events are read in the present shape, however they are read", async () => {
  const { store, dispose } = openTemporaryStore({ upcast: upcasting(steps) });
  const [v1, v2, v3, other] = [
    anEvent({ seat: "1A" }, "Held"),
    { ...anEvent({ seat: "2A", cabin: "first" }, "Held"), version: 2 },
    { ...anEvent({ seats: [] }, "Held"), version: 3 },
    anEvent({ seat: "4A" }, "Released"),
  ];
  await store.append("s", NO_STREAM, [v1, v2, v3, other]);
  const read = await store.readStream("s");
  expect(read.map(({ version, data }) => [version, data])).toStrictEqual([
    [3, { seat: "1A", cabin: "economy", seats: ["1A"] }],
    [3, { seat: "2A", cabin: "first", seats: ["2A"] }],
    [3, { seats: [] }],
    [1, { seat: "4A" }],
  ]);
  expect(await takeEvents(store, 4, { after: 0n })).toStrictEqual(read);
  await store.close();
  await dispose();
});

test("one step per type and version", () => {
  expect(() => upcasting([...steps, { type: "Held", version: 2, upcast: (data) => data }])).toThrow(
    "two upcasters for version 2 of Held",
  );
});
