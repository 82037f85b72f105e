import { randomUUID } from "node:crypto";
import { type EventStoreDBClient, jsonEvent } from "@eventstore/db-client";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { NO_STREAM, START } from "@travel-booking/engines/event-store";
import { anEvent, takeEvents } from "@travel-booking/engines/event-store/contract";
import type { EventStoreDbStore } from "@travel-booking/engines/event-store/eventstoredb";
import { describeWith, startEventStore } from "../../engines/index.ts";
import { waitUntil } from "./kit/until.ts";
import { useDouble } from "./kit/use-double.ts";
import { useStores } from "./kit/use-stores.ts";

const empty = useDouble();
const server = useDouble();

let stream: string;
let store: EventStoreDbStore;
beforeEach(() => {
  stream = `booking-${randomUUID()}`;
  store = server.open();
});

/** The head is where somebody who reads everything ends up. */
async function expectReached(head: bigint, count: number, after: bigint): Promise<void> {
  const events = await takeEvents(store, count, { after });
  expect(events.at(-1)?.position).toBe(head);
}

test("where nobody has appended, the server's own events do not count", async () => {
  expect((await empty.faults.state()).events).toBeGreaterThan(0);
  expect(await empty.open().head()).toBe(START);
  await empty.faults.writeStatistics(1_500);
  const asked = empty.open();
  expect(await asked.head()).toBe(START);
  const { position } = await asked.append(stream, NO_STREAM, [anEvent()]);
  expect(await asked.head()).toBe(position);
});

test("the run of system events is read once, however often the head is asked for", async () => {
  const { position } = await store.append(stream, NO_STREAM, [anEvent()]);
  await server.faults.writeStatistics(3_000);
  expect(await store.head()).toBe(position);
  const { reads } = await server.faults.state();
  for (let n = 1; n <= 10; n++) {
    await server.faults.writeStatistics(5);
    expect(await store.head()).toBe(position);
  }
  expect((await server.faults.state()).reads - reads).toBeLessThanOrEqual(20);
});

test("an event that was scavenged is the head no longer", async () => {
  const before = await store.head();
  const { position } = await store.append(stream, NO_STREAM, [anEvent()]);
  const gone = `${stream}-gone`;
  const last = await store.append(gone, NO_STREAM, [anEvent()]);
  expect(await store.head()).toBe(last.position);
  await server.client().deleteStream(gone);
  // Deleted, and still there for everybody who reads everything.
  expect(await store.head()).toBe(last.position);
  await expectReached(last.position, 2, before);
  await server.faults.scavenge();
  expect(await store.head()).toBe(position);
  await expectReached(position, 1, before);
});

/** As the statistics that a server writes from time to time. */
async function writeStatistics(client: EventStoreDBClient, count: number): Promise<void> {
  const statistics = Array.from({ length: count }, (_, index) =>
    jsonEvent({ type: "$statsCollected", data: { index } }),
  );
  for (let at = 0; at < count; at += 1_000) {
    await client.appendToStream("$stats-of-a-test", statistics.slice(at, at + 1_000));
  }
}

describeWith({ eventStore: startEventStore }, "on any server, where nobody else writes", ({ eventStore }) => {
  const server = useStores(eventStore);
  beforeEach(() => {
    store = server.open();
  });

  describe("behind the last event there may be", () => {
    test("links to it, and any number of system events", async () => {
      const before = await store.head();
      const { position } = await store.append(stream, NO_STREAM, [anEvent(), anEvent()]);
      for (const count of [1, 7, 8, 9, 100, 3_000]) {
        await writeStatistics(server.client(), count);
        expect(await store.head()).toBe(position);
        expect(await server.open().head()).toBe(position);
      }
      await expectReached(position, 2, before);
    });

    test("ordinary events in a system stream, metadata, and what others wrote", async () => {
      const before = await store.head();
      const { position } = await store.append(stream, NO_STREAM, [anEvent()]);
      const client = server.client();
      await client.appendToStream("$maintenance", jsonEvent({ type: "Begun", data: {} }));
      await client.setStreamMetadata(stream, { maxAge: 100_000 });
      for (const metadata of [undefined, {}, { $correlationId: "x" }, ["text"], "text"]) {
        await client.appendToStream("orders-1", jsonEvent({ type: "Ordered", data: { n: 1 }, metadata }));
      }
      expect(await store.head()).toBe(position);
      const next = await store.append(stream, 0, [anEvent()]);
      expect(await store.head()).toBe(next.position);
      await expectReached(next.position, 2, before);
    });

    test("an event with our metadata in a stream of the server's, or of a type of its own", async () => {
      const { position } = await store.append(stream, NO_STREAM, [anEvent()]);
      let metadata: unknown;
      for await (const { event } of server.client().readStream(stream)) metadata = event?.metadata;
      const client = server.client();
      await client.appendToStream("$imitated", jsonEvent({ type: "Ordered", data: {}, metadata }));
      await client.appendToStream("orders-1", jsonEvent({ type: "$ordered", data: {}, metadata }));
      expect(await store.head()).toBe(position);
    });
  });

  test("a search that ran out of time has not been in vain", async () => {
    const { position } = await store.append(stream, NO_STREAM, [anEvent()]);
    await writeStatistics(server.client(), 8_000);
    const hasty = server.open({ readTimeoutMs: 100 });
    await waitUntil(async () => (await hasty.head().catch(() => START)) === position);
  });
});
