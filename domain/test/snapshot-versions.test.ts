import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import {
  type Decider,
  type DomainEvent,
  type FlightEvent,
  flightDecider,
  type LoyaltyEvent,
  loyaltyDecider,
  type PassengerEmailEvent,
  passengerEmailDecider,
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
  { type: "SeatsPaid", at: flight.LATER, data: { bookingIds: ["bkg_2"] } },
  { type: "SeatsPaid", at: flight.LATER, data: { bookingIds: ["bkg_1"], revocable: true } },
  { type: "SeatsRefunded", at: flight.LATER, data: { bookingId: "bkg_1" } },
  { type: "SeatsRefunded", at: flight.LATER, data: { bookingId: "bkg_1", refundId: "rfd_1" } },
  { type: "SeatsRefundUndone", at: flight.LATER, data: { bookingId: "bkg_1", refundId: "rfd_1" } },
  { type: "SeatsRefunded", at: flight.LATER, data: { bookingId: "bkg_1", refundId: "rfd_2" } },
  flight.allocated("bkg_3", { seats: ["11C"] }),
  flight.allocationReleased("bkg_3"),
  { type: "SeatBlocked", at: flight.LATER, data: { cabin: "economy", seat: "10B", reason: "armrest" } },
  { type: "SeatUnblocked", at: flight.LATER, data: { cabin: "economy", seat: "10B" } },
  { type: "SalesClosed", at: flight.LATER, data: { revision: 1, reason: null } },
  { type: "SalesOpened", at: flight.LATER, data: { revision: 2, reason: "sold on" } },
  {
    type: "FlightRetimed",
    at: flight.LATER,
    data: {
      disruptionId: "dis_0",
      revision: 3,
      reason: null,
      departsAt: flight.DEPARTURE + 1,
      durationDays: 481,
      tolerance: { earlier: 1, later: 1 },
      bookings: 2,
      accounts: ["acc_1"],
    },
  },
  {
    type: "EquipmentChanged",
    at: flight.LATER,
    data: {
      disruptionId: "dis_00",
      revision: 4,
      reason: null,
      cabins: [{ ...flight.economy, rows: [10, 10], exitRows: [], blocked: [] }, flight.business],
      reseated: [
        { bookingId: "bkg_1", seats: ["10A"] },
        { bookingId: "bkg_2", seats: [], overfull: true },
      ],
      bookings: 2,
      accounts: ["acc_1"],
    },
  },
  flight.cancelledFlight(4),
  { type: "DisruptionPaused", at: flight.LATER, data: { disruptionId: "dis_1" } },
  { type: "DisruptionResumed", at: flight.LATER, data: { disruptionId: "dis_1" } },
  { type: "DisruptionEnded", at: flight.LATER, data: { disruptionId: "dis_1", stuck: ["bkg_1"] } },
  flight.reinstatedFlight(5),
];

const LATER = loyalty.T0 + 60_000;
const NEXT_MONTH = loyalty.MONTH_END + 60_000;

/** Everything that can happen to points. */
const OF_AN_ACCOUNT: readonly LoyaltyEvent[] = [
  loyalty.earned(loyalty.T0, { refundIds: ["ref_1"] }),
  loyalty.adjusted(loyalty.T0, 500, 2, 10_500),
  loyalty.setAside(loyalty.T0, "extra_baggage", 8_000, [loyalty.part("bkg_1", loyalty.MONTH_END, 8_000)]),
  loyalty.redeemed(loyalty.T0, { banked: 10_000 }),
  loyalty.setAside(LATER, "lounge_access", 400, [loyalty.part(null, loyalty.MONTH_END, 400)], "red_2"),
  {
    type: "PointsFreed",
    at: LATER,
    data: {
      ...loyalty.ofAccount,
      redemptionId: "red_2",
      code: "booking_cancelled",
      parts: [loyalty.part(null, loyalty.MONTH_END, 400)],
    },
  },
  { type: "CreditClaimed", at: LATER, data: { ...loyalty.ofAccount, bookingId: "bkg_2", amount: 3_000 } },
  {
    type: "CreditReturned",
    at: LATER,
    data: { ...loyalty.ofAccount, creditId: "bkg_2/claimed", bookingId: "bkg_2", amount: 3_000 },
  },
  { type: "CreditClaimed", at: LATER, data: { ...loyalty.ofAccount, bookingId: "bkg_3", amount: 2_000 } },
  {
    type: "CreditReturned",
    at: LATER,
    data: { ...loyalty.ofAccount, creditId: "can_1", bookingId: "bkg_3", amount: 500 },
  },
  {
    type: "PointsReversed",
    at: LATER,
    data: {
      ...loyalty.ofAccount,
      bookingId: "bkg_1",
      amount: 100_000,
      lifetimeAfter: 1_000,
      refundIds: ["ref_2"],
      parts: [loyalty.part("bkg_1", loyalty.MONTH_END, 2_000), loyalty.part(null, loyalty.MONTH_END, 500)],
      posting: { id: loyalty.transaction(4), points: -9_000, balanceAfter: -6_500 },
    },
  },
  loyalty.takenBack(LATER, 500, 5, -6_000),
  loyalty.earned(LATER, {
    bookingId: "bkg_4",
    lifetimeAfter: 11_000,
    posting: { id: loyalty.transaction(6), points: 10_000, balanceAfter: 4_000 },
  }),
  {
    type: "PointsExpired",
    at: NEXT_MONTH,
    data: {
      ...loyalty.ofAccount,
      expiresAt: loyalty.MONTH_END,
      posting: { id: loyalty.transaction(7), points: -4_000, balanceAfter: 0 },
    },
  },
  loyalty.adjusted(NEXT_MONTH, 700, 8, 700),
];

const endpoint = (endpointId: string) => ({
  endpointId,
  accountId: "acc_1",
  url: "https://example.com/",
  events: ["*"],
});
const rotated = (secretId: string) =>
  ({ endpointId: "whe_1", accountId: "acc_1", secretId, previousExpiresAt: loyalty.T0 + 1 }) as const;

const health = (status: "active" | "failing") =>
  ({ endpointId: "whe_1", accountId: "acc_1", status, reason: null, since: loyalty.T0 }) as const;

/** Everything that can happen to webhook endpoints. */
const OF_ENDPOINTS: readonly WebhookEndpointsEvent[] = [
  { type: "WebhookEndpointRegistered", at: loyalty.T0, data: endpoint("whe_1") },
  { type: "WebhookEndpointRegistered", at: loyalty.T0, data: endpoint("whe_2") },
  { type: "WebhookSecretRotated", at: loyalty.T0, data: rotated("whs_1") },
  { type: "WebhookSecretRotated", at: loyalty.T0, data: rotated("whs_2") },
  {
    type: "WebhookEndpointChanged",
    at: loyalty.T0,
    data: {
      endpointId: "whe_1",
      accountId: "acc_1",
      headers: { headersId: "whh_1", names: ["X-Key"] },
      maxPerSecond: 5,
    },
  },
  { type: "WebhookEndpointDeleted", at: loyalty.T0, data: { endpointId: "whe_2", accountId: "acc_1" } },
  { type: "WebhookEndpointFailing", at: loyalty.T0, data: health("failing") },
  { type: "WebhookEndpointRecovered", at: loyalty.T0, data: health("active") },
];

const claim = (claimId: string) => ({ accountId: "acc_1", emailKey: "ada", passengerId: "psg_1", claimId });

/** Everything that can happen to an e-mail address. */
const OF_AN_ADDRESS: readonly PassengerEmailEvent[] = [
  { type: "EmailClaimed", at: loyalty.T0, data: claim("c1") },
  { type: "EmailClaimed", at: loyalty.T0, data: claim("c2") },
  { type: "EmailReleased", at: loyalty.T0, data: claim("c1") },
  { type: "EmailReleased", at: loyalty.T0, data: claim("c2") },
];

/** Each type of event of the stream, as far as the compiler knows. */
type Types<Event extends { readonly type: string }> = Readonly<Record<Event["type"], true>>;
const OF_FLIGHTS: Types<FlightEvent> = {
  FlightScheduled: true,
  FareChanged: true,
  SeatsHeld: true,
  SeatHoldReleased: true,
  SeatHoldExpired: true,
  SeatsAllocated: true,
  SeatChangeReserved: true,
  SeatChangeApplied: true,
  SeatChangeDropped: true,
  AllocationReleased: true,
  SeatsPaid: true,
  SeatsRefunded: true,
  SeatsRefundUndone: true,
  SeatBlocked: true,
  SeatUnblocked: true,
  SalesClosed: true,
  SalesOpened: true,
  FlightCancelled: true,
  FlightReinstated: true,
  FlightRetimed: true,
  EquipmentChanged: true,
  DisruptionPaused: true,
  DisruptionResumed: true,
  DisruptionEnded: true,
};
const OF_POINTS: Types<LoyaltyEvent> = {
  PointsEarned: true,
  PointsReversed: true,
  PointsAdjusted: true,
  PointsExpired: true,
  PointsSetAside: true,
  PointsRedeemed: true,
  PointsFreed: true,
  CreditClaimed: true,
  CreditReturned: true,
  CreditTakenBack: true,
};

const OF_ENDPOINT_STREAMS: Types<WebhookEndpointsEvent> = {
  WebhookEndpointRegistered: true,
  WebhookEndpointChanged: true,
  WebhookSecretRotated: true,
  WebhookEndpointDeleted: true,
  WebhookEndpointFailing: true,
  WebhookEndpointRecovered: true,
};

const OF_ADDRESSES: Types<PassengerEmailEvent> = { EmailClaimed: true, EmailReleased: true };

test.each([
  [OF_ADDRESSES, OF_AN_ADDRESS],
  [OF_FLIGHTS, ON_A_FLIGHT],
  [OF_POINTS, OF_AN_ACCOUNT],
  [OF_ENDPOINT_STREAMS, OF_ENDPOINTS],
])("no type of event is left out of what a version stands for", (types, events) => {
  expect(new Set(events.map(({ type }) => type))).toStrictEqual(new Set(Object.keys(types)));
});

/** A short name of all states on the way through these events: whatever differs has another. */
function fingerprint<State, Event extends DomainEvent>(
  { initialState, evolve }: Pick<Decider<never, State, Event>, "initialState" | "evolve">,
  events: readonly Event[],
): string {
  const hash = createHash("sha256");
  const plain = (_: string, value: unknown) =>
    value instanceof Map || value instanceof Set ? [value.constructor.name, ...value] : value;
  let state = initialState();
  for (const event of events) {
    state = evolve(state, event);
    hash.update(JSON.stringify(state, plain));
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * Where this fails, a fold makes something else of the same events than before, and its old snapshots must not be used:
 * raise the decider's `snapshotVersion`, and write both here.
 */
test("a snapshot's version stands for what the fold makes", () => {
  expect([flightDecider.snapshotVersion, fingerprint(flightDecider, ON_A_FLIGHT)]).toStrictEqual([
    10,
    "c0db9e3bfe3f6bb9",
  ]);
  expect([loyaltyDecider.snapshotVersion, fingerprint(loyaltyDecider, OF_AN_ACCOUNT)]).toStrictEqual([
    2,
    "b63109ff828a0bc7",
  ]);
  expect([webhookEndpointsDecider.snapshotVersion, fingerprint(webhookEndpointsDecider, OF_ENDPOINTS)]).toStrictEqual([
    1,
    "01408128baa487ce",
  ]);
  expect([passengerEmailDecider.snapshotVersion, fingerprint(passengerEmailDecider, OF_AN_ADDRESS)]).toStrictEqual([
    1,
    "85271749b3d813cd",
  ]);
});
