import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import {
  type FlightEvent,
  flightDecider,
  fold,
  type LoyaltyEvent,
  loyaltyDecider,
  type WebhookEndpointsEvent,
  webhookEndpointsDecider,
} from "../src/index.ts";
import * as flight from "./flight/sample-flight.ts";
import * as loyalty from "./loyalty/fixtures.ts";

/** Everything that can happen on a flight. */
const ON_A_FLIGHT: readonly FlightEvent[] = [
  flight.scheduled,
  { type: "FareChanged", at: flight.NOW, data: { cabin: "economy", amount: 90_000 } },
  flight.held("hld_1", ["10A"]),
  flight.holdReleased("hld_1"),
  flight.held("hld_2", ["10B"]),
  flight.expired("hld_2", flight.LATER),
  flight.held("hld_3", ["1A"], flight.LATER),
  flight.allocated("bkg_1", { seats: ["10A"] }),
  flight.allocated("bkg_2", { passengers: 2 }),
  flight.reserved("bkg_1", "chg_1", ["10B"]),
  flight.applied("bkg_1", "chg_1"),
  flight.reserved("bkg_1", "chg_2", ["10C"]),
  flight.dropped("bkg_1", "chg_2"),
  flight.reserved("bkg_1", "chg_3", ["11A"]),
  { type: "SeatsPaid", at: flight.LATER, data: { bookingIds: ["bkg_1"] } },
  flight.allocated("bkg_3", { seats: ["11C"] }),
  flight.allocationReleased("bkg_3"),
];

/** Much of what can happen to points. */
const OF_AN_ACCOUNT: readonly LoyaltyEvent[] = [
  loyalty.earned(loyalty.T0),
  loyalty.adjusted(loyalty.T0, 500, 2, 10_500),
  loyalty.setAside(loyalty.T0, "extra_baggage", 8_000, [loyalty.part("bkg_1", loyalty.MONTH_END, 8_000)]),
  loyalty.redeemed(loyalty.T0, { banked: 10_000 }),
];

const endpoint = (endpointId: string) => ({
  endpointId,
  accountId: "acc_1",
  url: "https://example.com/",
  events: ["*"],
});
const rotated = (secretId: string) =>
  ({ endpointId: "whe_1", accountId: "acc_1", secretId, previousExpiresAt: loyalty.T0 + 1 }) as const;

/** Everything that can happen to webhook endpoints. */
const OF_ENDPOINTS: readonly WebhookEndpointsEvent[] = [
  { type: "WebhookEndpointRegistered", at: loyalty.T0, data: endpoint("whe_1") },
  { type: "WebhookEndpointRegistered", at: loyalty.T0, data: endpoint("whe_2") },
  { type: "WebhookSecretRotated", at: loyalty.T0, data: rotated("whs_1") },
  { type: "WebhookSecretRotated", at: loyalty.T0, data: rotated("whs_2") },
  { type: "WebhookEndpointDeleted", at: loyalty.T0, data: { endpointId: "whe_2", accountId: "acc_1" } },
];

/** A short name of a state: whatever differs has another. */
function fingerprint(state: unknown): string {
  const plain = (_: string, value: unknown) =>
    value instanceof Map || value instanceof Set ? [value.constructor.name, ...value] : value;
  return createHash("sha256").update(JSON.stringify(state, plain)).digest("hex").slice(0, 16);
}

/**
 * Where this fails, a fold makes something else of the same events than before, and its old snapshots must not be used:
 * raise the decider's `snapshotVersion`, and write both here.
 */
test("a snapshot's version stands for what the fold makes", () => {
  expect([flightDecider.snapshotVersion, fingerprint(fold(flightDecider, ON_A_FLIGHT))]).toStrictEqual([
    4,
    "d1789aad5e475b23",
  ]);
  expect([loyaltyDecider.snapshotVersion, fingerprint(fold(loyaltyDecider, OF_AN_ACCOUNT))]).toStrictEqual([
    2,
    "ec21536057880ebb",
  ]);
  expect([
    webhookEndpointsDecider.snapshotVersion,
    fingerprint(fold(webhookEndpointsDecider, OF_ENDPOINTS)),
  ]).toStrictEqual([1, "93bcfd260a9657f9"]);
});
