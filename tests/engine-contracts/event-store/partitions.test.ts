import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { NO_STREAM, START } from "@travel-booking/engines/event-store";
import { anEvent } from "@travel-booking/engines/event-store/contract";
import { describeWith, startToxiproxy } from "../../engines/index.ts";
import { appendWithRetry } from "./kit/append-with-retry.ts";
import { BackgroundReader } from "./kit/reader.ts";
import { waitUntil } from "./kit/until.ts";
import { useCluster } from "./kit/use-cluster.ts";

const newStream = () => `booking-${randomUUID()}`;

describeWith({ toxiproxy: startToxiproxy }, "a cluster of three nodes", ({ toxiproxy }) => {
  const cluster = useCluster(toxiproxy);
  const appendsOf = async (index: number) => (await cluster.node(index).faults.state()).appends;

  test("whose leader is cut off from the others: writes wait for the election, and go to the new leader", async () => {
    const store = cluster.open();
    const reader = new BackgroundReader(store, START);
    await store.append(newStream(), NO_STREAM, [anEvent()]);
    await cluster.isolate(0);
    const [stream, event] = [newStream(), anEvent()];
    const appending = appendWithRetry(store, stream, NO_STREAM, [event]);
    // The old leader takes it and never answers.
    await waitUntil(async () => (await appendsOf(0)) > 1);
    await cluster.elect(1, 0);
    expect((await appending)?.revision).toBe(0);
    expect(await appendsOf(1)).toBeGreaterThan(0);
    await reader.waitForEvent(event.id);
    expect(await store.ping()).toBe(true);
    await reader.stop();
  });

  test("in an election: nobody is refused, and nothing is sent to a node that does not lead", async () => {
    const store = cluster.open();
    await store.append(newStream(), NO_STREAM, [anEvent()]);
    const problem = Promise.withResolvers<Error>();
    const waiting = cluster.open({ onProblem: problem.resolve });
    await cluster.isolate(0);
    await cluster.node(0).proxy.down();
    const appending = waiting.append(newStream(), NO_STREAM, [anEvent()]);
    const reading = waiting.readStream("booking-1");
    await problem.promise;
    expect(await waiting.ping()).toBe(false);
    await cluster.elect(2, 0);
    expect((await appending).revision).toBe(0);
    expect(await reading).toStrictEqual([]);
    await waitUntil(() => waiting.ping());
  });

  test("whose leader is out of reach from here: by way of a follower, until the leader is in reach again", async () => {
    const store = cluster.open();
    const reader = new BackgroundReader(store, START);
    await store.append(newStream(), NO_STREAM, [anEvent()]);
    await cluster.node(0).proxy.cut();
    const [stream, event] = [newStream(), anEvent()];
    expect((await appendWithRetry(store, stream, NO_STREAM, [event]))?.revision).toBe(0);
    expect((await store.readStream(stream)).map(({ id }) => id)).toStrictEqual([event.id]);
    await reader.waitForEvent(event.id);
    const atLeader = await appendsOf(0);
    await cluster.node(0).proxy.restore();
    await waitUntil(async () => {
      await store.append(newStream(), NO_STREAM, [anEvent()]).catch(() => undefined);
      return (await appendsOf(0)) > atLeader;
    });
    await reader.stop();
  });

  test("a read by way of a follower that lags waits until the follower has all that was acknowledged", async () => {
    const store = cluster.open();
    await cluster.node(0).proxy.cut();
    for (const index of [1, 2]) await cluster.node(index).faults.lag(true);
    const [stream, event] = [newStream(), anEvent()];
    expect((await appendWithRetry(store, stream, NO_STREAM, [event]))?.revision).toBe(0);
    const before = (await appendsOf(1)) + (await appendsOf(2));
    let isRead = false;
    const reading = store.readStream(stream).finally(() => {
      isRead = true;
    });
    // What it appends to see when the follower is up to date.
    await waitUntil(async () => (await appendsOf(1)) + (await appendsOf(2)) > before);
    const reads = async () =>
      (await cluster.node(1).faults.state()).reads + (await cluster.node(2).faults.state()).reads;
    const looks = await reads();
    await waitUntil(async () => (await reads()) > looks + 2);
    expect(isRead).toBe(false);
    for (const index of [1, 2]) await cluster.node(index).faults.lag(false);
    expect((await reading).map(({ id }) => id)).toStrictEqual([event.id]);
  });

  test("a read by way of a follower goes on after the answer to what it appends first was lost", async () => {
    const store = cluster.open({ appendTimeoutMs: 500, readTimeoutMs: 1_000 });
    await cluster.node(0).proxy.cut();
    const [stream, event] = [newStream(), anEvent()];
    expect((await appendWithRetry(store, stream, NO_STREAM, [event]))?.revision).toBe(0);
    expect((await store.readStream(stream)).map(({ id }) => id)).toStrictEqual([event.id]);
    for (const index of [1, 2]) await cluster.node(index).faults.onAppends("lose answer", 1);
    expect((await store.readStream(stream)).map(({ id }) => id)).toStrictEqual([event.id]);
  });

  test("whose leader hangs: it is left for the one that the others elect", async () => {
    const store = cluster.open();
    await store.append(newStream(), NO_STREAM, [anEvent()]);
    await cluster.node(0).proxy.cut();
    await cluster.isolate(0);
    const [stream, event] = [newStream(), anEvent()];
    const appending = appendWithRetry(store, stream, NO_STREAM, [event]);
    await cluster.elect(2, 0);
    expect((await appending)?.revision).toBe(0);
    expect((await store.readStream(stream)).map(({ id }) => id)).toStrictEqual([event.id]);
  });

  test("without a leader for longer than is waited: refused at once, nothing attempted, until a probe finds that it is back", async () => {
    const store = cluster.open({ toleratedOutageMs: 1_000 });
    await store.append(newStream(), NO_STREAM, [anEvent()]);
    for (const index of [0, 1, 2]) await cluster.node(index).faults.loseLeader(true);
    await cluster.isolate(0);
    await cluster.node(0).proxy.down();
    const failure = (call: Promise<unknown>) => call.catch((error: unknown) => error);
    // The first ones have waited.
    await Promise.all([
      failure(store.append(newStream(), NO_STREAM, [anEvent()])),
      failure(store.readStream("booking-1")),
    ]);
    const before = await Promise.all([0, 1, 2].map(appendsOf));
    for (const refused of [store.append(newStream(), NO_STREAM, [anEvent()]), store.readStream("booking-1")]) {
      expect(await failure(refused)).toMatchObject({
        name: "EventStoreUnavailable",
        message: "EventStoreDB has been out of reach for more than 1 s",
        outcomeUnknown: false,
      });
    }
    expect(await Promise.all([0, 1, 2].map(appendsOf))).toStrictEqual(before);
    expect(await store.ping()).toBe(false);
    await cluster.elect(1, 0);
    await waitUntil(() => store.ping());
    expect((await store.append(newStream(), NO_STREAM, [anEvent()])).revision).toBe(0);
  });

  test("that takes no appends though it answers reads is not ready", async () => {
    const store = cluster.open({ appendTimeoutMs: 200 });
    await store.append(newStream(), NO_STREAM, [anEvent()]);
    for (const index of [0, 1, 2]) await cluster.node(index).faults.onAppends("swallow");
    const failure = await store.append(newStream(), NO_STREAM, [anEvent()]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "EventStoreUnavailable", outcomeUnknown: true });
    expect(await store.readStream("booking-1")).toStrictEqual([]);
    expect(await store.ping()).toBe(false);
    for (const index of [0, 1, 2]) await cluster.node(index).faults.release();
    await waitUntil(() => store.ping());
  });
});
