import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { NO_STREAM } from "@travel-booking/engines/event-store";
import { anEvent } from "@travel-booking/engines/event-store/contract";
import type { EventStoreDbStore } from "@travel-booking/engines/event-store/eventstoredb";
import { describeWith, startEventStore } from "../../engines/index.ts";
import { waitUntil } from "./kit/until.ts";
import { useDouble } from "./kit/use-double.ts";
import { useStores } from "./kit/use-stores.ts";

/*
 * The client keeps one list of pending appends for the whole process. What happens to one store must not fail the
 * appends of another, and the answers that come for them must not end the process.
 */
const [one, other] = [useDouble(), useDouble()];

/** Appends that the server has, and whose answers it holds. */
async function underWay(store: EventStoreDbStore, count: number) {
  const { faults } = one;
  await faults.onAppends("hold answer");
  const before = (await faults.state()).appends;
  const appends = Array.from({ length: count }, () => store.append(`booking-${randomUUID()}`, NO_STREAM, [anEvent()]));
  await waitUntil(async () => (await faults.state()).appends === before + count);
  return async () => {
    await faults.release();
    return (await Promise.all(appends)).map(({ revision }) => revision);
  };
}

describe("two stores in one process: the appends of one are not touched where the other", () => {
  test("loses its server", async () => {
    const [survivor, victim] = [one.open({ appendTimeoutMs: 20_000 }), other.open()];
    const answers = await underWay(survivor, 20);
    const stream = `booking-${randomUUID()}`;
    await other.faults.onAppends("swallow");
    const before = (await other.faults.state()).appends;
    const lost = victim.append(stream, NO_STREAM, [anEvent()]).catch((error: unknown) => error);
    await waitUntil(async () => (await other.faults.state()).appends > before);
    await other.double.kill();
    expect(await lost).toMatchObject({ name: "EventStoreUnavailable", outcomeUnknown: true });
    expect(await answers()).toStrictEqual(new Array(20).fill(0));
  });

  test("is closed", async () => {
    const [survivor, closed] = [one.open({ appendTimeoutMs: 20_000 }), one.open()];
    await closed.append(`booking-${randomUUID()}`, NO_STREAM, [anEvent()]);
    const answers = await underWay(survivor, 20);
    await closed.close();
    expect(await answers()).toStrictEqual(new Array(20).fill(0));
  });
});

describeWith({ eventStore: startEventStore }, "two stores on one server", ({ eventStore }) => {
  const server = useStores(eventStore);
  test("each sees what the other appends", async () => {
    const [writer, reader] = [server.open(), server.open()];
    const stream = `booking-${randomUUID()}`;
    for (let revision = -1; revision < 20; revision += 2) {
      const mine = await writer.append(stream, revision, [anEvent()]);
      expect(await reader.head()).toBe(mine.position);
      const theirs = await reader.append(stream, revision + 1, [anEvent()]);
      expect(await writer.head()).toBe(theirs.position);
      expect(await writer.readStream(stream, revision + 1)).toHaveLength(2);
    }
  });
});
