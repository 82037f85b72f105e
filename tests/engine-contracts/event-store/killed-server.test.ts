import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { type AppendResult, NO_STREAM, START } from "@travel-booking/engines/event-store";
import { anEvent } from "@travel-booking/engines/event-store/contract";
import { appendWithRetry } from "./kit/append-with-retry.ts";
import { BackgroundReader } from "./kit/reader.ts";
import { waitUntil } from "./kit/until.ts";
import { useDouble } from "./kit/use-double.ts";

const server = useDouble({ notReadyMs: 50 });
const WRITERS = 40;

interface Acknowledged extends AppendResult {
  readonly stream: string;
  readonly ids: readonly string[];
}

test("killed with appends under way: nothing acknowledged is lost, and what is repeated is stored once", async () => {
  const store = server.open({ appendTimeoutMs: 1_000, backOff: { initialMs: 5, maxMs: 50 } });
  const reader = new BackgroundReader(store, await store.head());
  const acknowledged: Acknowledged[] = [];
  let stopped = false;
  const write = async () => {
    const stream = `booking-${randomUUID()}`;
    for (let revision = -1; !stopped; revision += 2) {
      const events = [anEvent(), anEvent()];
      const result = await appendWithRetry(store, stream, revision, events, () => stopped);
      if (result !== undefined) acknowledged.push({ ...result, stream, ids: events.map(({ id }) => id) });
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, write));
  for (const enough of [150, 350, 550]) {
    await waitUntil(() => acknowledged.length >= enough);
    await server.double.kill();
    const sofar = acknowledged.length;
    await server.double.restart();
    await waitUntil(() => acknowledged.length > sofar);
  }
  stopped = true;
  await writing;
  // What was given up in the end may be stored until now, or behind this.
  const end = anEvent();
  await appendWithRetry(server.open(), `booking-${randomUUID()}`, NO_STREAM, [end]);

  const byStream = Map.groupBy(acknowledged, ({ stream }) => stream);
  for (const [stream, appends] of byStream) {
    const events = await server.open().readStream(stream);
    expect(events.map(({ revision }) => revision)).toStrictEqual(events.map((_, index) => index));
    for (const { ids, revision, position } of appends) {
      expect(events.slice(revision - 1, revision + 1).map(({ id }) => id)).toStrictEqual(ids);
      expect(events[revision]?.position).toBe(position);
    }
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    // At most the last one of each was given up without an answer.
    expect(events.length - 2 * appends.length).toBeLessThanOrEqual(2);
  }
  await reader.waitForEvent(end.id);
  await reader.stop();
  const anew = new BackgroundReader(server.open(), START);
  await anew.waitForEvent(end.id);
  await anew.stop();
  const upToEnd = (ids: readonly string[]) => ids.slice(0, ids.indexOf(end.id) + 1);
  expect(upToEnd(reader.ids)).toStrictEqual(upToEnd(anew.ids));
});
