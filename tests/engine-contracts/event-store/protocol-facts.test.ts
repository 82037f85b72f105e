import { randomUUID } from "node:crypto";
import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  EventStoreDBClient,
  excludeSystemEvents,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  NotLeaderError,
  type Position,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  streamNameFilter,
  TimeoutError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from "@eventstore/db-client";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { describeWith, startEventStore } from "../../engines/index.ts";
import { rawAppend, rawRead } from "./kit/raw-calls.ts";
import { waitUntil } from "./kit/until.ts";
import { useDouble } from "./kit/use-double.ts";

/*
 * What the engine rests on, as the official client shows it: of the double and of a real server alike.
 */
/** More than any server takes that these facts were seen on. */
const HUGE = 2 ** 24;
/** KurrentDB goes on with a reason. */
const unknown = (text: string) => expect.stringMatching(new RegExp(`^2 UNKNOWN: ${text}(?: >> .*)?$`));
const anEvent = (data: object = {}) => jsonEvent({ type: "SomethingHappened", data: { ...data } });
const failureOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);

async function all<Event>(read: AsyncIterable<Event>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of read) events.push(event);
  return events;
}

describeWith({ eventStore: startEventStore }, "as the client sees it", ({ eventStore }) => {
  let client: EventStoreDBClient;
  let stream: string;
  beforeEach(() => {
    client = EventStoreDBClient.connectionString(eventStore.url);
    stream = `test-${randomUUID()}`;
  });
  afterEach(() => client.dispose());

  /** In bytes: a setting of the server, which its refusal names. */
  async function maxAppendSize(): Promise<number> {
    for (let size = 2 ** 20; size <= HUGE; size *= 2) {
      const failure = await failureOf(client.appendToStream(`${stream}-size`, anEvent({ text: "x".repeat(size) })));
      if (failure instanceof MaxAppendSizeExceededError) return failure.maxAppendSize;
    }
    throw new Error("the server takes whatever it is sent");
  }

  const idsIn = async () => (await all(client.readStream(stream))).map(({ event }) => event?.id);

  describe("an append", () => {
    test("answers where its last event is; commit and prepare are the same", async () => {
      const answer = await client.appendToStream(stream, [anEvent(), anEvent()], { expectedRevision: NO_STREAM });
      const read = await all(client.readStream(stream));
      const position = read[1]?.event?.position;
      expect(answer).toStrictEqual({ success: true, nextExpectedRevision: 1n, position });
      expect(position?.commit).toBe(position?.prepare);
    });

    test("at a wrong revision is refused with the right one", async () => {
      const refused = (expectedRevision: bigint | typeof NO_STREAM) =>
        failureOf(client.appendToStream(stream, anEvent(), { expectedRevision }));
      const missing = await refused(3n);
      expect(missing).toBeInstanceOf(WrongExpectedVersionError);
      expect(missing).toMatchObject({ message: "", streamName: stream, expectedVersion: 3n, actualVersion: NO_STREAM });
      await client.appendToStream(stream, [anEvent(), anEvent()]);
      for (const expected of [NO_STREAM, 0n, 2n] as const) {
        const actual = { expectedVersion: expected, actualVersion: 1n };
        expect(await refused(expected)).toMatchObject(actual);
      }
    });

    test("may have as many bytes as the server says: data, metadata, and two for each character of the types", async () => {
      const withoutText = anEvent({ text: "" });
      const counted = JSON.stringify(withoutText.data).length + 2 * withoutText.type.length;
      const full = "x".repeat((await maxAppendSize()) - counted);
      const failure = await failureOf(client.appendToStream(stream, anEvent({ text: `${full}x` })));
      expect(failure).toBeInstanceOf(MaxAppendSizeExceededError);
      expect(await client.appendToStream(stream, anEvent({ text: full }))).toMatchObject({ success: true });
    });

    test("whose deadline has passed is timed out, and not stored", async () => {
      const failure = await failureOf(client.appendToStream(stream, anEvent(), { deadline: -60_000 }));
      expect(failure).toHaveProperty("type", "deadline-exceeded");
      expect(await failureOf(all(client.readStream(stream)))).toBeInstanceOf(StreamNotFoundError);
    });

    test("where a stream must be is refused where none is, and where it was deleted, as deleted", async () => {
      const append = () => failureOf(client.appendToStream(stream, anEvent(), { expectedRevision: STREAM_EXISTS }));
      expect(await append()).toBeInstanceOf(WrongExpectedVersionError);
      await client.appendToStream(stream, anEvent());
      await client.deleteStream(stream);
      expect(await append()).toBeInstanceOf(StreamDeletedError);
    });

    test("of no events succeeds, and makes no stream", async () => {
      expect(await client.appendToStream(stream, [], { expectedRevision: NO_STREAM })).toMatchObject({ success: true });
      expect(await failureOf(all(client.readStream(stream)))).toBeInstanceOf(StreamNotFoundError);
    });

    test("of 64 at one revision one wins; 64 at any are all stored in order", async () => {
      const attempts = Array.from({ length: 64 }, () => anEvent());
      await client.appendToStream(`${stream}-first`, anEvent());
      const raced = await Promise.allSettled(
        attempts.map((event) => client.appendToStream(stream, event, { expectedRevision: NO_STREAM })),
      );
      expect(raced.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const [winner] = await idsIn();
      const others = attempts.map(() => anEvent());
      await Promise.all(others.map((event) => client.appendToStream(stream, event)));
      expect(await idsIn()).toStrictEqual([winner, ...others.map(({ id }) => id)]);
    });
  });

  test("a stream that is not there can't be deleted, whatever is expected", async () => {
    for (const [expectedRevision, expectedVersion] of [
      [undefined, -2n],
      [NO_STREAM, -1n],
    ] as const) {
      const options = expectedRevision === undefined ? {} : { expectedRevision };
      const failure = await failureOf(client.deleteStream(stream, options));
      expect(failure).toBeInstanceOf(WrongExpectedVersionError);
      expect(failure).toMatchObject({ code: 9, expectedVersion, actualVersion: -1n });
    }
    await client.appendToStream(stream, anEvent());
    const wrong = await failureOf(client.deleteStream(stream, { expectedRevision: 3n }));
    expect(wrong).toMatchObject({ expectedVersion: 3n, actualVersion: 0n });
    expect((await client.deleteStream(stream)).position).toBeDefined();
  });

  describe("the same ids again", () => {
    test("at the original revision, at any, or where there is a stream: the first answer", async () => {
      await client.appendToStream(stream, anEvent());
      const events = [anEvent({ n: 1 }), anEvent()];
      const first = await client.appendToStream(stream, events, { expectedRevision: 0n });
      await client.appendToStream(stream, anEvent());
      const other = events.map((event) => ({ ...event, data: { n: 2 } }));
      for (const options of [{ expectedRevision: 0n }, {}, { expectedRevision: STREAM_EXISTS } as const]) {
        expect(await client.appendToStream(stream, other, options)).toStrictEqual(first);
      }
      const read = await all(client.readStream(stream));
      expect(read.map(({ event }) => event?.data)).toStrictEqual([{}, { n: 1 }, {}, {}]);
    });

    test("in another order at any, or where there is a stream: they are there, and nothing is stored", async () => {
      const [one, two] = [anEvent(), anEvent()];
      await client.appendToStream(stream, [one, two]);
      for (const options of [{}, { expectedRevision: STREAM_EXISTS } as const]) {
        expect(await client.appendToStream(stream, [two, one], options)).toMatchObject({ success: true });
      }
      expect(await idsIn()).toStrictEqual([one.id, two.id]);
    });

    test("at the present revision they are stored a second time", async () => {
      const event = anEvent();
      await client.appendToStream(stream, event);
      await client.appendToStream(stream, event, { expectedRevision: 0n });
      expect(await idsIn()).toStrictEqual([event.id, event.id]);
    });

    test("mixed with new ones, or at another revision, they are refused", async () => {
      const [one, two] = [anEvent(), anEvent()];
      await client.appendToStream(stream, [one, two, anEvent()]);
      for (const [events, expectedRevision] of [
        [[one, anEvent()], NO_STREAM],
        [[anEvent(), two], NO_STREAM],
        [[two, one], NO_STREAM],
        [[one, two], 1n],
      ] as const) {
        const failure = await failureOf(client.appendToStream(stream, [...events], { expectedRevision }));
        expect(failure).toBeInstanceOf(WrongExpectedVersionError);
      }
    });
  });

  describe("a read", () => {
    test("of a stream that is not there, or deleted, or deleted for good", async () => {
      expect(await failureOf(all(client.readStream(stream)))).toBeInstanceOf(StreamNotFoundError);
      await client.appendToStream(stream, [anEvent(), anEvent()]);
      expect(await all(client.readStream(stream, { fromRevision: 7n }))).toStrictEqual([]);
      await client.deleteStream(stream);
      expect(await failureOf(all(client.readStream(stream)))).toBeInstanceOf(StreamNotFoundError);
      const again = await client.appendToStream(stream, anEvent(), { expectedRevision: NO_STREAM });
      expect(again.nextExpectedRevision).toBe(2n);
      await client.tombstoneStream(stream);
      expect(await failureOf(all(client.readStream(stream)))).toBeInstanceOf(StreamDeletedError);
      expect(await failureOf(client.appendToStream(stream, anEvent()))).toBeInstanceOf(StreamDeletedError);
    });

    test("of a stream forwards from the end, or of nothing, is none, whether or not it is there", async () => {
      await client.appendToStream(stream, anEvent());
      for (const name of [stream, `${stream}-missing`]) {
        for (const options of [{ fromRevision: END }, { maxCount: 0 }] as const) {
          const failure = await failureOf(all(client.readStream(name, options)));
          expect(failure).toBeInstanceOf(UnknownError);
          expect(failure).toHaveProperty("message", unknown("Unexpected ReadStreamResult: Error"));
        }
      }
    });

    test("of everything from the end or beyond it finds nothing forwards, and is refused backwards", async () => {
      const { position } = await client.appendToStream(stream, anEvent());
      const far = (position?.commit ?? 0n) + 1_000_000_000n;
      const beyond = { commit: far, prepare: far };
      expect(await all(client.readAll({ fromPosition: END }))).toStrictEqual([]);
      expect(await all(client.readAll({ fromPosition: beyond }))).toStrictEqual([]);
      expect(await failureOf(all(client.readAll({ fromPosition: beyond, direction: BACKWARDS })))).toHaveProperty(
        "message",
        unknown("Unexpected ReadAllResult: Error"),
      );
      const torn = { commit: far, prepare: far + 1n };
      expect(await failureOf(all(client.readAll({ fromPosition: torn })))).toHaveProperty(
        "message",
        unknown("Exception was thrown by handler."),
      );
    });

    test("of everything from a position between two events is refused", async () => {
      await client.appendToStream(stream, [anEvent(), anEvent()]);
      const [first] = await all(client.readStream(stream));
      const at = (first?.event?.position?.commit ?? 0n) + 1n;
      const fromPosition = { commit: at, prepare: at };
      for (const options of [{ fromPosition }, { fromPosition, direction: BACKWARDS }] as const) {
        const failure = await failureOf(all(client.readAll(options)));
        expect(failure).toHaveProperty("message", expect.stringMatching(/^2 UNKNOWN: .*InvalidPosition/));
      }
    });

    test("of nothing of everything is never answered", async () => {
      // A real server is busy with it until the call is cancelled.
      const read = client.readAll({ maxCount: 0 });
      const answers: string[] = [];
      const over = new Promise<void>((resolve) => {
        read.on("data", () => answers.push("data"));
        read.on("end", () => resolve(void answers.push("end")));
        read.on("error", () => resolve());
      });
      // Whatever was asked later has been answered.
      expect(await all(client.readAll({ maxCount: 1 }))).toHaveLength(1);
      expect(answers).toStrictEqual([]);
      await read.cancel();
      await over;
    });

    test("of everything includes its position forwards, and excludes it backwards", async () => {
      const appended = await client.appendToStream(stream, [anEvent(), anEvent(), anEvent()]);
      const [first, second] = (await all(client.readStream(stream))).map(({ event }) => event?.position);
      const fromPosition = second as Position;
      const [forwards] = await all(client.readAll({ fromPosition, maxCount: 1 }));
      expect(forwards?.event?.position).toStrictEqual(second);
      const [backwards] = await all(client.readAll({ fromPosition, direction: BACKWARDS, maxCount: 1 }));
      expect(backwards?.event?.position).toStrictEqual(first);
      const last = await all(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 50 }));
      expect(last.map(({ event }) => event?.position)).toContainEqual(appended.position);
    });

    test("of a stream leaves out what its metadata cuts off, a read of everything does not", async () => {
      const { position } = await client.appendToStream(stream, [anEvent(), anEvent(), anEvent()]);
      await client.setStreamMetadata(stream, { maxCount: 1 });
      const read = await all(client.readStream(stream));
      expect(read.map(({ event }) => event?.revision)).toStrictEqual([2n]);
      const before = await all(
        client.readAll({ fromPosition: position as Position, direction: BACKWARDS, maxCount: 2 }),
      );
      expect(before.map(({ event }) => event?.streamId)).toStrictEqual([stream, stream]);
    });
  });

  describe("what this client keeps to itself", () => {
    test("a read of a stream ends with its last revision; one past the end has the next one before that", async () => {
      await client.appendToStream(stream, [anEvent(), anEvent(), anEvent()]);
      expect(await rawRead(client, stream, 0)).toStrictEqual(["event", "event", "event", "last 2"]);
      expect(await rawRead(client, stream, 7)).toStrictEqual(["first 3", "last 2"]);
      expect(await rawRead(client, stream, 0, 0)).toStrictEqual(["event", "event", "event"]);
    });

    test("a single append at a wrong revision says the right one to clients of before 20.6.1, too", async () => {
      await client.appendToStream(stream, [anEvent(), anEvent()]);
      const wrong = await rawAppend(client, stream, "7");
      expect([wrong?.getCurrentRevision(), wrong?.getExpectedRevision()]).toStrictEqual(["1", "7"]);
      expect([wrong?.getCurrentRevision2060(), wrong?.getExpectedRevision2060()]).toStrictEqual([1, 7]);
    });
  });

  test("events older than a stream's $maxAge are hidden from its readers, and from nobody else", async () => {
    const { position } = await client.appendToStream(stream, anEvent());
    await client.setStreamMetadata(stream, { maxAge: 1 });
    await waitUntil(async () => (await all(client.readStream(stream))).length === 0);
    const [there] = await all(client.readAll({ fromPosition: position as Position, maxCount: 1 }));
    expect(there?.event?.streamId).toBe(stream);
  });

  describe("a subscription to everything", () => {
    test("goes on behind a position, passes ordinary events in system streams, and tells how far it has looked", async () => {
      const { position } = await client.appendToStream(stream, anEvent());
      const after = [anEvent(), anEvent(), anEvent()];
      await client.appendToStream(stream, after.slice(0, 2));
      await client.appendToStream(`$${stream}`, anEvent());
      await client.appendToStream(stream, after.slice(2));
      const checkpoints: Position[] = [];
      const filter = excludeSystemEvents({
        maxSearchWindow: 1,
        checkpointInterval: 2,
        checkpointReached: (_, checkpoint) => void checkpoints.push(checkpoint),
      });
      const subscription = client.subscribeToAll({ fromPosition: position as Position, filter });
      const seen: AllStreamResolvedEvent[] = [];
      for await (const event of subscription) {
        if (event.event?.streamId.endsWith(stream)) seen.push(event);
        if (seen.length === 4) break;
      }
      await subscription.unsubscribe();
      const streams = seen.map(({ event }) => event?.streamId);
      expect(streams).toStrictEqual([stream, stream, `$${stream}`, stream]);
      expect(checkpoints.length).toBeGreaterThan(0);
    });

    test("from beyond the end is confirmed, has caught up, and waits", async () => {
      const { position } = await client.appendToStream(stream, anEvent());
      const far = (position?.commit ?? 0n) + 1_000_000_000n;
      const subscription = client.subscribeToAll({ fromPosition: { commit: far, prepare: far } });
      const failed = Promise.withResolvers<never>();
      subscription.on("error", failed.reject);
      subscription.on("data", () => undefined);
      const caughtUp = new Promise((resolve) => subscription.once("caughtUp", () => resolve("caught up")));
      expect(await Promise.race([caughtUp, failed.promise])).toBe("caught up");
      await subscription.unsubscribe();
    });

    test("from a position between two events is confirmed, and then refused", async () => {
      await client.appendToStream(stream, [anEvent(), anEvent()]);
      const [first] = await all(client.readStream(stream));
      const at = (first?.event?.position?.commit ?? 0n) + 1n;
      const subscription = client.subscribeToAll({ fromPosition: { commit: at, prepare: at } });
      let confirmations = 0;
      subscription.on("confirmation", () => confirmations++);
      const failure = await failureOf(all(subscription));
      expect(failure).toHaveProperty("code", 3);
      expect(confirmations).toBe(1);
    });

    test("by a filter that is none is refused", async () => {
      const filter = streamNameFilter({ regex: "(" });
      const failure = await failureOf(all(client.subscribeToAll({ filter })));
      expect(failure).toHaveProperty("message", expect.stringMatching(/^2 UNKNOWN: Exception was thrown by handler\./));
    });

    test("that is read slowly is not dropped: it falls behind, catches up, and gets every event", async () => {
      const subscription = client.subscribeToAll({ fromPosition: END });
      let timesCaughtUp = 0;
      const first = new Promise<void>((resolve) => {
        subscription.on("caughtUp", () => {
          timesCaughtUp++;
          resolve();
        });
      });
      const events = Array.from({ length: 600 }, () => anEvent({ text: "x".repeat(20_000) }));
      const gate = Promise.withResolvers<void>();
      const seen: string[] = [];
      const reading = (async () => {
        for await (const { event } of subscription) {
          await gate.promise;
          if (event?.streamId === stream) seen.push(event.id);
        }
      })();
      await first;
      for (let at = 0; at < events.length; at += 20) await client.appendToStream(stream, events.slice(at, at + 20));
      gate.resolve();
      await Promise.race([reading, waitUntil(() => seen.length === events.length && timesCaughtUp > 1)]);
      expect(seen).toStrictEqual(events.map(({ id }) => id));
      await subscription.unsubscribe();
      await reading;
    });
  });
});

describe("as real servers were observed, where it takes a fault", () => {
  const server = useDouble({ writeTimeoutMs: 50 });
  const stream = () => `test-${randomUUID()}`;

  test.each([
    ["SIGKILL", UnavailableError, 14],
    ["SIGTERM", UnknownError, 13],
  ] as const)("%s ends an append under way", async (signal, type, code) => {
    const client = server.client();
    await client.appendToStream(stream(), anEvent());
    await server.faults.onAppends("swallow");
    const before = (await server.faults.state()).appends;
    const underWay = failureOf(client.appendToStream(stream(), anEvent()));
    await waitUntil(async () => (await server.faults.state()).appends > before);
    process.kill(server.double.pid ?? 0, signal);
    const failure = await underWay;
    expect(failure).toBeInstanceOf(type);
    expect(failure).toHaveProperty("code", code);
    // And while it is away, it is no error of the client's own.
    await server.double.kill();
    const away = await failureOf(server.client().appendToStream(stream(), anEvent()));
    expect((away as Error).constructor.name).toBe("Error");
    expect(away).toHaveProperty("code", 14);
    await server.double.restart();
  });

  test("just after its start it is not ready, and answers who does not need the leader from what it has", async () => {
    const [client, name] = [server.client(), stream()];
    await client.appendToStream(name, anEvent());
    await server.faults.notReady(10_000);
    const failure = await failureOf(client.appendToStream(stream(), anEvent()));
    expect(failure).toBeInstanceOf(UnknownError);
    expect((failure as Error).message).toMatch(/Server Is Not Ready$/);
    const read = await failureOf(all(server.client().readStream(name, { requiresLeader: true })));
    expect(read).toBeInstanceOf(UnavailableError);
    expect(await all(client.readStream(name, { requiresLeader: false }))).toHaveLength(1);
  });

  test("a follower names the leader to who needs it, and answers others from what it has", async () => {
    const { faults } = server;
    const client = server.client();
    const name = stream();
    await client.appendToStream(name, anEvent());
    await faults.followLeader("127.0.0.1:9");
    const failure = await failureOf(all(server.client().readStream(name, { requiresLeader: true })));
    expect(failure).toBeInstanceOf(NotLeaderError);
    expect(failure).toMatchObject({ code: 5, leader: { address: "127.0.0.1", port: 9 } });
    expect(await all(client.readStream(name, { requiresLeader: false }))).toHaveLength(1);
    expect(await client.appendToStream(name, anEvent())).toMatchObject({ success: true, nextExpectedRevision: 1n });
  });

  test("a repetition of what is under way runs into a time-out", async () => {
    const [client, event, name] = [server.client(), anEvent(), stream()];
    // The first appends of a client may overtake each other.
    await client.appendToStream(stream(), anEvent());
    await server.faults.onAppends("hold write", 1);
    const first = client.appendToStream(name, event, { expectedRevision: NO_STREAM });
    const repeated = await failureOf(client.appendToStream(name, event, { expectedRevision: NO_STREAM }));
    expect(repeated).toHaveProperty("type", "deadline-exceeded");
    await server.faults.release();
    const stored = await first;
    expect(await client.appendToStream(name, event, { expectedRevision: NO_STREAM })).toStrictEqual(stored);
  });

  test("a subscription that is dropped tells an error, and never comes back", async () => {
    const subscription = server.client().subscribeToAll();
    const reading = failureOf(all(subscription));
    await waitUntil(async () => (await server.faults.state()).subscriptions === 1);
    await server.faults.dropSubscriptions("too slow");
    const failure = await reading;
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure).toHaveProperty("code", 10);
    expect((failure as Error).message).toContain("Consumer too slow");
  });
});
