import { expect, test } from "@jest/globals";
import { Lanes, laneKey } from "@travel-booking/webhooks/deliveries";
import { Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { World } from "./kit/world.ts";

const FORMER = "evt_5b1d3a9e8c525f0e9a435d0b6f2c7e11";

/** A release changed the ids of all events: what was pending then names ids that are no more. */
test("a pending delivery that names its event by a former id is the event, under its present id", async () => {
  const world = await World.open();
  const receiver = await Receiver.start(respondWith(500));
  world.dispatcher.start();
  const endpoint = await world.endpoint(receiver.url);
  const id = await world.event("bkg_1", "payment.failed");
  await world.drained();
  const key = laneKey({ endpointId: endpoint.id, about: "bkg_1" });
  await new Lanes(world.state).change(key, (lane) => {
    if (lane === undefined) throw new Error("nothing is pending");
    return { ...lane, owed: lane.owed.map((delivery) => ({ ...delivery, eventId: FORMER })) };
  });
  receiver.respond = respondWith(200);
  await world.advance(60 * 60 * 1_000);
  expect(receiver.received.length).toBe(2);
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers["webhook-id"]).toBe(id);
  expect((await world.attempts(endpoint)).map(({ eventId, status }) => [eventId, status])).toStrictEqual([
    [id, "failed"],
    [id, "succeeded"],
  ]);
  expect(await world.state.list("webhook-lanes", { limit: 10 })).toStrictEqual([]);
  await world.close();
  await receiver.stop();
});
