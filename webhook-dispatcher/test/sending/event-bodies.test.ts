import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import type { PendingDelivery } from "@travel-booking/domain";
import { EventBodies } from "../../src/sending/event-bodies.ts";
import { ACCOUNT, World } from "../kit/world.ts";

let world: World;

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const deliveryOf = (eventId: string): PendingDelivery => ({ eventId, type: "booking.changed", sort: "", at: 0 });

test("the events of a lane are derived together, once for all endpoints", async () => {
  const owed: PendingDelivery[] = [];
  for (let n = 0; n < 8; n += 1) owed.push(deliveryOf(await world.event("bkg_1")));
  const bodies = new EventBodies(world.models.store);
  const first = await bodies.first(ACCOUNT, owed);
  const reads = [jest.spyOn(world.models.store, "body"), jest.spyOn(world.models.store, "page")];
  const found = await Promise.all(
    Array.from({ length: 40 }, (_, n) => bodies.first(ACCOUNT, owed.slice(n % owed.length))),
  );
  expect(reads.map(({ mock }) => mock.calls.length)).toStrictEqual([0, 0]);
  expect(found[0]).toBe(first);
  expect(found.map((event) => JSON.parse(Buffer.from(event?.body ?? []).toString()).id)).toStrictEqual(
    Array.from({ length: 40 }, (_, n) => owed[n % owed.length]?.eventId),
  );
});

test("an event that is not there yet is looked up again, and none of another account is found", async () => {
  const bodies = new EventBodies(world.models.store);
  expect(await bodies.first(ACCOUNT, [])).toBeUndefined();
  const next = `evt_${world.models.position + 1n}`;
  expect(await bodies.first(ACCOUNT, [deliveryOf(next)])).toBeUndefined();
  expect(await world.event("bkg_1")).toBe(next);
  expect((await bodies.first(ACCOUNT, [deliveryOf(next)]))?.eventId).toBe(next);
  expect(await bodies.first("acc_2", [deliveryOf(next)])).toBeUndefined();
});
