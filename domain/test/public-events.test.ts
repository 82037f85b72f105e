import { expect, test } from "@jest/globals";
import { PUBLIC_EVENT_TYPES, PUBLIC_EVENTS, publicEventMadeBy, subscribedTypes } from "../src/index.ts";

const FIVE = ["booking.confirmed", "booking.changed", "booking.cancelled", "payment.succeeded", "payment.failed"];

test("the table begins as read models have stored its places", () => {
  const others = ["booking.created", "document.verified", "document.rejected", "refund.succeeded", "refund.failed"];
  const ofDisruptions = ["disruption.opened", "disruption.resolved", "flight.changed"];
  const since = ["hold.expired", ...ofDisruptions, "endpoint.failing", "endpoint.recovered", "disruption.revised"];
  expect(PUBLIC_EVENT_TYPES.slice(0, 17)).toStrictEqual([...FIVE, ...others, ...since]);
  expect(PUBLIC_EVENT_TYPES.filter((type) => PUBLIC_EVENTS[type].usual)).toStrictEqual(FIVE);
});

test("an event of the log makes one public event by itself, or none", () => {
  const makers = PUBLIC_EVENT_TYPES.flatMap((type) => PUBLIC_EVENTS[type].madeBy ?? []);
  expect(new Set(makers).size).toBe(makers.length);
  const made = [...new Set(makers.map(publicEventMadeBy))];
  expect(made).toStrictEqual(PUBLIC_EVENT_TYPES.filter((type) => type !== "booking.changed"));
  expect(publicEventMadeBy("PaymentStarted")).toBeUndefined();
});

test("`*` stands for the usual types, with others where they are named, each once", () => {
  expect(subscribedTypes(["*"])).toStrictEqual(FIVE);
  expect(subscribedTypes(["hold.expired", "*", "payment.failed"])).toStrictEqual(["hold.expired", ...FIVE]);
  expect(subscribedTypes(["refund.failed"])).toStrictEqual(["refund.failed"]);
});
