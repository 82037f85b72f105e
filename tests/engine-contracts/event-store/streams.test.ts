import { randomUUID } from "node:crypto";
import { binaryEvent, jsonEvent } from "@eventstore/db-client";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { NO_STREAM, upcasting } from "@travel-booking/engines/event-store";
import { anEvent, takeEvents } from "@travel-booking/engines/event-store/contract";
import {
  type EventStoreDbStore,
  ForeignEvent,
  StreamTombstoned,
} from "@travel-booking/engines/event-store/eventstoredb";
import { describeWith, startEventStore } from "../../engines/index.ts";
import { waitUntil } from "./kit/until.ts";
import { useDouble } from "./kit/use-double.ts";
import { useStores } from "./kit/use-stores.ts";

describeWith({ eventStore: startEventStore }, "streams", ({ eventStore }) => {
  const server = useStores(eventStore);

  let stream: string;
  let start: bigint;
  let store: EventStoreDbStore;
  beforeEach(async () => {
    stream = `booking-${randomUUID()}`;
    store = server.open();
    start = await store.head();
  });

  test("what is stored are JSON and the names that EventStoreDB's projections go by", async () => {
    const caused = anEvent({ seats: ["10A"] });
    const event = { ...caused, metadata: { ...caused.metadata, causationId: randomUUID() } };
    await store.append(stream, NO_STREAM, [caused, event]);
    const stored: unknown[] = [];
    for await (const { event: read } of server.client().readStream(stream)) {
      stored.push([read?.isJson, read?.data, read?.metadata]);
    }
    const { accountId, actor, requestId, commandId, causationId } = event.metadata;
    const common = { version: 1, at: event.at, accountId, actor, requestId };
    expect(stored).toStrictEqual([
      [true, caused.data, { $correlationId: caused.metadata.commandId, ...common }],
      [true, event.data, { $correlationId: commandId, $causationId: causationId, ...common }],
    ]);
  });

  describe("events that this service did not write", () => {
    test.each([
      ["without metadata", jsonEvent({ type: "Ordered", data: {} })],
      [
        "with the metadata of others",
        jsonEvent({ type: "Ordered", data: {}, metadata: { $correlationId: "1", by: "x" } }),
      ],
      ["that are not JSON", binaryEvent({ type: "Ordered", data: Buffer.from("x"), metadata: Buffer.from("x") })],
    ])("(%s) are passed over by a subscription, and make a stream unreadable", async (_, foreign) => {
      const [first, last] = [anEvent(), anEvent()];
      await store.append(stream, NO_STREAM, [first]);
      await server.client().appendToStream(stream, foreign);
      await store.append(stream, 1, [last]);
      const read = await takeEvents(store, 2, { after: start });
      expect(read.map(({ id, revision }) => [id, revision])).toStrictEqual([
        [first.id, 0],
        [last.id, 2],
      ]);
      const failure = await store.readStream(stream).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ForeignEvent);
      expect(failure).toHaveProperty(
        "message",
        `event 1 of stream ${stream} in EventStoreDB was not written by this service`,
      );
      expect(await store.readStream(stream, 2)).toStrictEqual(read.slice(1));
    });
  });

  describe("a stream that was", () => {
    test("deleted is empty until somebody appends again", async () => {
      await store.append(stream, NO_STREAM, [anEvent(), anEvent()]);
      await server.client().deleteStream(stream);
      expect(await store.readStream(stream)).toStrictEqual([]);
      expect(await store.readStream(stream, 1)).toStrictEqual([]);
      const event = anEvent();
      await store.append(stream, NO_STREAM, [event]);
      await waitUntil(async () => (await store.readStream(stream)).length === 1);
      expect((await store.readStream(stream))[0]).toMatchObject({ id: event.id, revision: 2 });
      // In the order of the whole log they are all still there.
      expect((await takeEvents(store, 3, { after: start })).map(({ revision }) => revision)).toStrictEqual([0, 1, 2]);
    });

    test("deleted for good says so", async () => {
      await store.append(stream, NO_STREAM, [anEvent()]);
      await server.client().tombstoneStream(stream);
      const failure = await store.readStream(stream).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StreamTombstoned);
      expect(await takeEvents(store, 1, { after: start })).toHaveLength(1);
    });

    test("cut off begins where it was cut", async () => {
      const events = Array.from({ length: 5 }, () => anEvent());
      await store.append(stream, NO_STREAM, events);
      await server.client().setStreamMetadata(stream, { maxCount: 2 });
      expect((await store.readStream(stream)).map(({ id, revision }) => [id, revision])).toStrictEqual([
        [events[3]?.id, 3],
        [events[4]?.id, 4],
      ]);
      expect(await takeEvents(store, 5, { after: start })).toHaveLength(5);
    });
  });

  test("old events are read in the present shape, however they are read", async () => {
    const upcast = upcasting([
      { type: "Held", version: 1, upcast: (data) => ({ ...(data as object), cabin: "economy" }) },
    ]);
    const present = server.open({ upcast });
    await store.append(stream, NO_STREAM, [anEvent({ seat: "1A" }, "Held"), anEvent({ seat: "1B" }, "Released")]);
    const read = await present.readStream(stream);
    expect(read.map(({ version, data }) => [version, data])).toStrictEqual([
      [2, { seat: "1A", cabin: "economy" }],
      [1, { seat: "1B" }],
    ]);
    expect(await takeEvents(present, 2, { after: start })).toStrictEqual(read);
  });

  test("what an upcaster throws ends the subscription, and is not tried again", async () => {
    const problems: Error[] = [];
    const upcast = () => {
      throw new Error("a field is missing");
    };
    const failing = server.open({ upcast, onProblem: (problem) => problems.push(problem) });
    await store.append(stream, NO_STREAM, [anEvent()]);
    await expect(takeEvents(failing, 1, { after: start })).rejects.toThrow("a field is missing");
    await expect(failing.readStream(stream)).rejects.toThrow("a field is missing");
    expect(problems).toStrictEqual([]);
  });
});

describe("a server that does not answer", () => {
  const server = useDouble();

  test("no read waits longer than it is given", async () => {
    const hasty = server.open({ readTimeoutMs: 100, toleratedOutageMs: 0 });
    const pid = server.double.pid ?? 0;
    process.kill(pid, "SIGSTOP");
    try {
      for (const read of [hasty.readStream("booking-1"), hasty.head()]) {
        const failure = await read.catch((error: unknown) => error);
        expect(failure).toMatchObject({ name: "EventStoreUnavailable", outcomeUnknown: false });
        expect(failure).toHaveProperty("message", expect.stringMatching(/no answer to a read within \d+ ms/));
      }
      expect(await hasty.ping(50)).toBe(false);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await waitUntil(() => hasty.ping());
  });
});
