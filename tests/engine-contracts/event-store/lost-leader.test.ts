import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { NO_STREAM } from "@travel-booking/engines/event-store";
import { anEvent } from "@travel-booking/engines/event-store/contract";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { BackgroundReader } from "./kit/reader.ts";
import { waitUntil } from "./kit/until.ts";
import { useDouble } from "./kit/use-double.ts";

const server = useDouble();
const other = useDouble();

test("a node that has lost its leader can't be used, though it answers reads from what it has", async () => {
  const store = server.open();
  await store.append(`booking-${randomUUID()}`, NO_STREAM, [anEvent()]);
  await server.faults.loseLeader(true);
  expect(await store.ping()).toBe(false);
  const failure = await store.append(`booking-${randomUUID()}`, NO_STREAM, [anEvent()]).catch((error) => error);
  expect(failure).toMatchObject({ name: "EventStoreUnavailable", outcomeUnknown: false });
  await server.faults.loseLeader(false);
  await waitUntil(() => store.ping());
});

test("a cluster without a leader, and then without a node, never ends the process, and is found again", async () => {
  // The fastest discovery, so that it ends while the last node is going.
  const settings = "maxDiscoverAttempts=5&discoveryInterval=50";
  const store = openEventStoreDb(`${server.double.url.replace(/^esdb/, "esdb+discover")}&${settings}`, {
    backOff: { initialMs: 5, maxMs: 50 },
    readTimeoutMs: 1_000,
  });
  const end = anEvent();
  const reader = new BackgroundReader(store, await store.head());
  try {
    const first = anEvent();
    await store.append(`booking-${randomUUID()}`, NO_STREAM, [first]);
    await reader.waitForEvent(first.id);
    await server.faults.loseLeader(true);
    // The client closes its channel, and looks for another leader.
    await expect(store.head()).rejects.toThrow("Server Is Not Ready");
    const looking = store.head().catch((error: unknown) => error);
    // The calls of the channel before fail meanwhile: the client then waits for a channel that can't be opened.
    await server.double.kill();
    expect(await looking).toMatchObject({ name: "EventStoreUnavailable", outcomeUnknown: false });
    await server.double.restart();
    await waitUntil(() => store.ping());
    await store.append(`booking-${randomUUID()}`, NO_STREAM, [end]);
    await reader.waitForEvent(end.id);
  } finally {
    await reader.stop();
    await store.close();
  }
});

test("the store goes where the leader is, also over an election in which nodes disagree about it", async () => {
  const hostOf = (url: string) => new URL(url).host;
  const [first, second] = [hostOf(server.double.url), hostOf(other.double.url)];
  const store = openEventStoreDb(`esdb://${first},${second}?tls=false&maxDiscoverAttempts=5&discoveryInterval=20`, {
    readTimeoutMs: 1_000,
  });
  // The two servers replicate nothing, so they have different logs: the store appends once, at the end.
  const reach = () => waitUntil(() => store.ping());
  const readsOf = async ({ faults }: typeof server) => (await faults.state()).reads;
  try {
    await other.faults.followLeader(first);
    const atFirst = await readsOf(other);
    await reach();
    expect(await readsOf(other)).toBe(atFirst);
    await server.faults.followLeader(second);
    await other.faults.followLeader(null);
    await reach();
    expect(await readsOf(other)).toBe(atFirst + 1);
    // Each names the other as the leader there was, or says that it is not ready.
    await other.faults.followLeader(first);
    for (const { faults } of [server, other]) await faults.loseLeader(true);
    for (let tries = 0; tries < 6; tries++) expect(await store.ping()).toBe(false);
    await server.faults.followLeader(null);
    for (const { faults } of [server, other]) await faults.loseLeader(false);
    await reach();
    const before = await readsOf(other);
    expect(await store.ping()).toBe(true);
    expect(await readsOf(other)).toBe(before);
    await store.append(`booking-${randomUUID()}`, NO_STREAM, [anEvent()]);
  } finally {
    await store.close();
  }
});
