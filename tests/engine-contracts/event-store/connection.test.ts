import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { NO_STREAM, START } from "@travel-booking/engines/event-store";
import { anEvent } from "@travel-booking/engines/event-store/contract";
import { type EventStoreDbStore, openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { describeWith, startEventStore } from "../../engines/index.ts";
import { useDouble } from "./kit/use-double.ts";
import { useStores } from "./kit/use-stores.ts";

const server = useDouble();

async function expectToWork(store: EventStoreDbStore): Promise<void> {
  const stream = `booking-${randomUUID()}`;
  expect(await store.ping()).toBe(true);
  const { position } = await store.append(stream, NO_STREAM, [anEvent()]);
  expect(await store.head()).toBe(position);
  expect(await store.readStream(stream)).toHaveLength(1);
  await store.close();
}

test.each(["esdb", "kurrentdb", "esdb+discover", "kurrentdb+discover"])("%s:// finds the server", async (scheme) => {
  const url = server.double.url.replace(/^esdb/, scheme);
  await expectToWork(openEventStoreDb(url));
  await expectToWork(openEventStoreDb(`${url}&connectionName=test&defaultDeadline=5000&node_preference=leader`));
  await expectToWork(openEventStoreDb(url.replace("://", "://admin:changeit@")));
});

test("a store that was never used can be closed", async () => {
  await openEventStoreDb("esdb://127.0.0.1:9?tls=false").close();
});

test("closing ends what is being read", async () => {
  const store = openEventStoreDb(server.double.url);
  const stream = `booking-${randomUUID()}`;
  await store.append(stream, NO_STREAM, [anEvent()]);
  const pid = server.double.pid ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    const reading = store.readStream(stream).catch((error: unknown) => error);
    await store.close();
    expect(await reading).toMatchObject({ name: "EventStoreUnavailable", outcomeUnknown: false });
  } finally {
    process.kill(pid, "SIGCONT");
  }
});

test("nor does it wait for what was given up before", async () => {
  const store = openEventStoreDb(server.double.url, { readTimeoutMs: 1 });
  const stream = `booking-${randomUUID()}`;
  await server.open().append(
    stream,
    NO_STREAM,
    Array.from({ length: 10 }, () => anEvent()),
  );
  await Promise.allSettled(Array.from({ length: 200 }, () => store.readStream(stream)));
  const abort = new AbortController();
  const subscriptions = Array.from({ length: 20 }, async () => {
    for await (const _ of server.open().subscribe({ after: START, signal: abort.signal, maxBatch: 1 })) break;
  });
  await Promise.all(subscriptions);
  await server.faults.dropSubscriptions("ended");
  await store.close();
});

test("a cluster that can't be found has not been asked for anything", async () => {
  const store = openEventStoreDb("esdb+discover://127.0.0.1:9?tls=false&maxDiscoverAttempts=2&discoveryInterval=1");
  const failure = await store.append("booking-1", NO_STREAM, [anEvent()]).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: "EventStoreUnavailable", outcomeUnknown: false });
  expect(await store.ping()).toBe(false);
  await store.close();
});

describeWith({ eventStore: startEventStore }, "on any server", ({ eventStore }) => {
  const server = useStores(eventStore);
  test("others may write: it is not the only writer", () => {
    expect(server.open().singleWriter).toBe(false);
  });

  test("a closed store is out of reach, and says that nothing was attempted", async () => {
    const store = openEventStoreDb(eventStore.url);
    await store.head();
    await store.close();
    for (const call of [
      store.append("booking-1", NO_STREAM, [anEvent()]),
      store.readStream("booking-1"),
      store.head(),
    ]) {
      const failure = await call.catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: "EventStoreUnavailable", outcomeUnknown: false });
      expect(failure).toHaveProperty("message", "the event store is closed");
    }
    expect(await store.ping()).toBe(false);
    const batches = store.subscribe({ after: START, signal: new AbortController().signal })[Symbol.asyncIterator]();
    expect((await batches.next()).done).toBe(true);
    await store.close();
  });
});
