import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { SAID } from "@travel-booking/api-contract/error-examples";
import { ADA, ALAN, Client, newKey } from "./kit/client.ts";
import { messageOf } from "./kit/problems.ts";
import type { TestResponse } from "./kit/test-response.ts";
import { openWorld, type World } from "./kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 40 }] });
});
afterAll(() => world.discard());

/** Their words hang on the moment, or on a fault: the tests of packages/http have them. */
const OF_ANOTHER_MOMENT = ["internal_error", "key_in_progress", "overloaded", "rate_limited"];
const PERSON = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "example@example.com",
  dateOfBirth: "1985-12-10",
  nationality: "GB",
};

type Provocation = (alice: Client) => Promise<TestResponse>;

const PROVOCATIONS: Readonly<Record<string, Provocation>> = {
  invalid_request: (alice) => alice.get("/v1/bookings?limit=0&page=2"),
  invalid_api_key: () => new Client(world.service.baseUrl, { apiKey: "wrong" }).get("/v1/bookings"),
  insufficient_scope: async () => (await world.withScopes(["bookings:read"])).book("F"),
  destination_not_found: (alice) => alice.get("/v1/destinations/none"),
  flight_not_found: (alice) => alice.get("/v1/flights/none"),
  hold_not_found: (alice) => alice.book("F", { holdId: "hld_none" }),
  booking_not_found: (alice) => alice.get("/v1/bookings/none"),
  payment_not_found: (alice) => alice.get("/v1/payments/none"),
  profile_not_found: (alice) => alice.get("/v1/passengers/none"),
  disruption_not_found: (alice) => alice.get("/v1/disruptions/none"),
  event_not_found: (alice) => alice.get("/v1/events/none"),
  endpoint_not_found: (alice) => alice.get("/v1/webhook-endpoints/none/status"),
  async seat_taken(alice) {
    await alice.newBooking("F", { seats: ["12A"] });
    return alice.hold("F", ["12A"]);
  },
  async hold_used(alice) {
    const { body } = await alice.hold("F", ["13A"]);
    await alice.newBooking("F", { holdId: body.id });
    return alice.send("DELETE", `/v1/flights/F/seat-holds/${body.id}`);
  },
  async booking_cancelled(alice) {
    const { id } = await alice.newBooking("F");
    await alice.cancel(id);
    return alice.pay(id);
  },
  async already_paid(alice) {
    const { booking } = await alice.paidBooking("F");
    return alice.pay(booking.id);
  },
  async payment_fully_refunded(alice) {
    const { payment } = await alice.paidBooking("F");
    await alice.post(`/v1/payments/${payment.id}/refunds`, {});
    return alice.post(`/v1/payments/${payment.id}/refunds`, {});
  },
  not_enough_points: (alice) => alice.post("/v1/loyalty/redemptions", { reward: "lounge_access" }),
  async email_taken(alice) {
    await alice.post("/v1/passengers", PERSON);
    return alice.post("/v1/passengers", PERSON);
  },
  async key_reused(alice) {
    const key = { "idempotency-key": newKey() };
    await alice.book("F", {}, key);
    return alice.book("F", { reference: "another" }, key);
  },
  seat_unknown: (alice) => alice.hold("F", ["99Z"]),
  cabin_not_on_flight: (alice) => alice.book("F", { cabin: "first" }),
  async passenger_count_mismatch(alice) {
    const { id } = await alice.newBooking("F");
    return alice.patch(`/v1/bookings/${id}`, { passengers: [ADA, ALAN] });
  },
};

test("every example of an error is provoked here, or hangs on the moment", () => {
  const provoked = [...Object.keys(PROVOCATIONS), ...OF_ANOTHER_MOMENT];
  expect(provoked.sort()).toStrictEqual(Object.keys(SAID).sort());
});

test.each(Object.entries(PROVOCATIONS))("%s is answered as its example says", async (code, provoke) => {
  const answer = await provoke(world.alice);
  expect([answer.headers.get("service-error-code"), messageOf(answer)]).toStrictEqual([
    code,
    SAID[code as keyof typeof SAID],
  ]);
});
