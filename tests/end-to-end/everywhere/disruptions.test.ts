import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type {
  DisruptionBody,
  EventBody,
  FlightBody,
  FlightStatusBody,
  SeatHoldBody,
  SeatMapBody,
} from "@travel-booking/api-contract";
import type {
  DisruptionAnswer,
  DisruptionEvidence,
  DisruptionPlan,
  DisruptionProof,
  DisruptionRow,
  RefundRow,
} from "@travel-booking/read-models";
import { until } from "../../support/until.ts";
import { type Client, expectStatus, type Page } from "../kit/client.ts";
import { asOperator, onceEnded } from "../kit/disruptions.ts";
import { eventsOf, typesOf } from "../kit/feed.ts";
import { expectRefused } from "../kit/problems.ts";
import { openWorld, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  world = await openWorld();
  ({ alice, bob } = world);
});
afterAll(() => world.discard());

const operator = <Body>(method: "GET" | "POST", path: string, body?: object) =>
  asOperator<Body>(world, method, path, body);

/** Cancels a flight by its plan, and waits until everybody on it has followed. */
async function cancelFlight(flightId: string, policy = "refund"): Promise<DisruptionAnswer> {
  const { revision } = await operator<DisruptionPlan>("POST", `/flights/${flightId}/cancel`, {});
  const body = { run: revision, policy, reason: "The ship needs another drive." };
  const { id } = await operator<DisruptionAnswer>("POST", `/flights/${flightId}/cancel`, body);
  return onceEnded(world, id);
}

const casesOf = async (client: Client, query = "") =>
  expectStatus(200, await client.get<Page<DisruptionBody>>(`/v1/disruptions${query}`)).data;

describe("a flight that is cancelled", () => {
  test("pays back whoever has paid, cancels the rest, and tells everybody why", async () => {
    await world.addFlights({ id: "GONE", departsIn: 40 });
    const { booking, payment } = await alice.paidBooking("GONE", { seats: ["12A"] });
    const pending = await bob.newBooking("GONE");
    const hold = expectStatus(201, await bob.hold("GONE", ["13A"]));

    const plan = await operator<DisruptionPlan>("POST", "/flights/GONE/cancel", {});
    expect(plan).toStrictEqual({
      flightId: "GONE",
      revision: 0,
      bookings: [
        { status: "confirmed", cabin: "economy", bookings: 1, passengers: 1 },
        { status: "pending", cabin: "economy", bookings: 1, passengers: 1 },
      ],
      significant: 2,
      places: [],
      placeless: [],
      passports: 0,
      money: [{ currency: "USD", method: "card", amount: payment.amount }],
      webhooks: 0,
    });
    expect((await alice.booking(booking.id)).status).toBe("confirmed");

    const ended = await cancelFlight("GONE");
    expect(ended).toMatchObject({ flightId: "GONE", kind: "cancelled", bookings: 2, stuck: [], open: 0 });
    expect(ended.money).toStrictEqual([{ currency: "USD", amount: payment.amount }]);

    expect((await alice.booking(booking.id)).status).toBe("cancelled");
    expect((await bob.booking(pending.id)).status).toBe("cancelled");
    await until(async () => (await alice.payment(payment.id)).refunds.some(({ status }) => status === "succeeded"));
    const { refunds } = await alice.payment(payment.id);
    expect(refunds.map(({ amount, reason }) => [amount, reason])).toStrictEqual([[payment.amount, "flight_cancelled"]]);
    expect(typesOf(await eventsOf(bob, pending.id))).toStrictEqual(["booking.cancelled"]);
    const named = "order=asc&type=flight.changed,disruption.opened,disruption.resolved,booking.cancelled";
    for (const client of [alice, bob]) {
      const { data } = expectStatus(200, await client.get<Page<EventBody>>(`/v1/events?${named}`));
      expect(typesOf(data)).toStrictEqual([
        "flight.changed",
        "disruption.opened",
        "disruption.resolved",
        "booking.cancelled",
      ]);
      expect(data[0]?.data.object).toStrictEqual(expectStatus(200, await client.get("/v1/flights/GONE/status")));
    }
    const shown = await bob.get<SeatHoldBody>(`/v1/flights/GONE/seat-holds/${hold.id}`);
    expect(expectStatus(200, shown).status).toBe("released");

    const [own, ...others] = await casesOf(alice, "?flightId=GONE");
    expect(others).toStrictEqual([]);
    const before = {
      flightId: "GONE",
      departsAt: own?.before.departsAt,
      durationDays: 480,
      cabin: "economy",
      seats: ["12A"],
    };
    expect(own).toStrictEqual({
      id: own?.id,
      disruptionId: ended.id,
      bookingId: booking.id,
      kind: "cancelled",
      significant: true,
      reason: "The ship needs another drive.",
      revision: 1,
      status: "resolved",
      before,
      after: null,
      actions: [],
      respondBy: null,
      onSilence: null,
      outcome: "refunded",
      refundAmount: payment.amount,
      createdAt: own?.createdAt,
      resolvedAt: own?.createdAt,
    });
    expect(expectStatus(200, await alice.get(`/v1/disruptions/${own?.id}`))).toStrictEqual(own);
    expect(expectStatus(200, await alice.get(`/v1/bookings/${booking.id}/disruptions`))).toStrictEqual({ data: [own] });
    expectRefused(await bob.get(`/v1/disruptions/${own?.id}`), 404, "no disruption with this id");
    expectRefused(await bob.get(`/v1/bookings/${booking.id}/disruptions`), 404, "no booking with this id");
    expect((await casesOf(bob, "?status=resolved")).map(({ refundAmount }) => refundAmount)).toStrictEqual([0]);
    expect(await casesOf(bob, "?status=open")).toStrictEqual([]);
    expect(await casesOf(bob, "?flightId=none")).toStrictEqual([]);
    const history = expectStatus(200, await alice.get<Page<{ type: string }>>(`/v1/bookings/${booking.id}/history`));

    const money = [{ currency: "USD", due: payment.amount, paid: payment.amount }];
    expect(await operator("GET", `/disruptions/${ended.id}/verify`)).toStrictEqual({
      id: ended.id,
      bookings: 2,
      followed: 2,
      open: 0,
      money,
      differences: [],
    });
    const evidence = await operator<readonly DisruptionEvidence[]>("GET", `/disruptions/${ended.id}/export`);
    expect(evidence.find(({ bookingId }) => bookingId === booking.id)).toStrictEqual({
      disruptionId: ended.id,
      flightId: "GONE",
      bookingId: booking.id,
      accountId: ended.cases.find(({ bookingId }) => bookingId === booking.id)?.accountId,
      status: "cancelled",
      toldAt: own?.createdAt,
      deliveredAt: null,
      offered: "refund",
      chosen: "refunded",
      resolvedAt: own?.createdAt,
      currency: "USD",
      due: payment.amount,
      paid: payment.amount,
      documentsByOperator: 0,
    });
    expect(evidence.map(({ due, paid }) => [due, paid]).toSorted()).toStrictEqual([
      [0, 0],
      [payment.amount, payment.amount],
    ]);
    const told = ["disruption.opened", "disruption.resolved", "booking.cancelled", "refund.created"];
    expect(history.data.map(({ type }) => type)).toEqual(expect.arrayContaining(told));
  });

  test("sells nothing, is in no list, and says what has become of it", async () => {
    await world.addFlights({ id: "OFF", departsIn: 41 }, { id: "ON", departsIn: 41 });
    const { id } = await alice.newBooking("OFF");
    const { booking } = await alice.paidBooking("OFF", { seats: ["12B"] });
    const hold = expectStatus(201, await alice.hold("OFF", ["12A"]));
    const planned = expectStatus(200, await alice.get<FlightStatusBody>("/v1/flights/OFF/status"));
    expect(planned).toMatchObject({ status: "scheduled", revision: 0, changes: [] });
    await cancelFlight("OFF");

    for (const refused of [
      await alice.hold("OFF", ["12C"]),
      await alice.book("OFF", { holdId: hold.id }),
      await alice.pay(id),
      await alice.patch(`/v1/bookings/${booking.id}`, { holdId: hold.id }),
      await alice.get(`/v1/bookings/${booking.id}/boarding-pass?format=json`),
    ]) {
      expectRefused(refused, 409, "the flight is cancelled");
    }
    for (const path of ["/v1/flights?limit=100", "/v1/flights?destinationId=kepler-442b&limit=100"]) {
      const listed = expectStatus(200, await alice.get<Page<FlightBody>>(path)).data.map((flight) => flight.id);
      expect([listed.includes("OFF"), listed.includes("ON")]).toStrictEqual([false, true]);
    }
    const found = expectStatus(200, await alice.get<FlightBody[]>("/v1/flights/search"));
    expect(found.map((flight) => flight.id)).not.toContain("OFF");
    const answer = await alice.get<FlightBody>("/v1/flights/OFF");
    expect([answer.status, answer.headers.get("flight-status")]).toStrictEqual([200, "cancelled"]);
    expect(answer.body.fares.map(({ seatsLeft }) => seatsLeft)).toStrictEqual([0, 0]);
    expect((await alice.get("/v1/flights/ON")).headers.get("flight-status")).toBeNull();
    const { cabins } = expectStatus(200, await alice.get<SeatMapBody>("/v1/flights/OFF/seat-map"));
    const statuses = cabins.flatMap(({ rows }) => rows.flatMap(({ seats }) => seats.map(({ status }) => status)));
    expect(new Set(statuses)).toStrictEqual(new Set(["blocked"]));
    const { departsAt, changes, ...status } = expectStatus(
      200,
      await alice.get<FlightStatusBody>("/v1/flights/OFF/status"),
    );
    expect(status).toStrictEqual({ flightId: "OFF", status: "cancelled", originalDepartsAt: departsAt, revision: 1 });
    expect(changes).toStrictEqual([
      {
        kind: "cancelled",
        revision: 1,
        at: changes[0]?.at,
        reason: "The ship needs another drive.",
        before: { departsAt, durationDays: 480 },
        after: null,
      },
    ]);
    expectRefused(await alice.get("/v1/flights/none/status"), 404, "no flight with this id");
  });

  test("is cancelled once, and only as the operator planned it", async () => {
    await world.addFlights({ id: "TWICE", departsIn: 42 });
    const wrong = await world.service.operator("POST", "/flights/TWICE/cancel", { run: 1 });
    expect(wrong.status).toBe(409);
    const { id } = await cancelFlight("TWICE");
    for (const body of [{ run: 0 }, { run: 1 }, {}]) {
      expect((await world.service.operator("POST", "/flights/TWICE/cancel", body)).status).toBe(409);
    }
    const { data } = await operator<{ data: readonly DisruptionRow[] }>("GET", "/disruptions");
    expect(data.filter(({ flightId }) => flightId === "TWICE").map((row) => row.id)).toStrictEqual([id]);
    await operator("POST", `/disruptions/${id}/resume`);
    await onceEnded(world, id);
    expect((await world.service.operator("POST", `/disruptions/${id}/pause`)).status).toBe(409);
    expect((await world.service.operator("POST", "/disruptions/none/pause")).status).toBe(404);
    expect((await world.service.operator("POST", "/flights/none/cancel", {})).status).toBe(404);
  });
});

test("offered its money, a booking waits for its client", async () => {
  await world.addFlights({ id: "OFFER", departsIn: 46 });
  const [asking, cancelling] = [await alice.paidBooking("OFFER"), await alice.paidBooking("OFFER", { seats: ["12A"] })];
  const plan = await operator<DisruptionPlan>("POST", "/flights/OFFER/cancel", { policy: "offer" });
  expect([plan.bookings.map(({ bookings }) => bookings), plan.money]).toStrictEqual([[2], []]);
  const { id, open } = await cancelFlight("OFFER", "offer");
  expect(open).toBe(2);
  const caseOf = async (bookingId: string) => {
    const found = (await casesOf(alice, "?status=open&flightId=OFFER")).find((one) => one.bookingId === bookingId);
    if (found === undefined) throw new Error(`${bookingId} has no open case`);
    return found;
  };
  const one = await caseOf(asking.booking.id);
  expect([one.actions, one.onSilence, one.outcome, one.after]).toStrictEqual([
    ["rebook", "refund"],
    "refund",
    null,
    null,
  ]);
  expect(Date.parse(one.respondBy ?? "") - Date.parse(one.createdAt)).toBe(7 * 86_400_000);
  expect((await alice.booking(asking.booking.id)).status).toBe("confirmed");
  expectRefused(
    await alice.get(`/v1/bookings/${asking.booking.id}/boarding-pass?format=json`),
    409,
    "the flight is cancelled",
  );
  const quote = await alice.get(`/v1/bookings/${asking.booking.id}/cancellation-quote`);
  expect(quote.body).toMatchObject({ refundAmount: asking.payment.amount });

  const answer = (client: Client, how: string, body: object = { revision: 1 }) =>
    client.post<DisruptionBody>(`/v1/disruptions/${one.id}/${how}`, body);
  expectRefused(await answer(bob, "refund"), 404, "no disruption with this id");
  expectRefused(await answer(alice, "accept"), 422, "nothing takes the place of the journey");
  expectRefused(await answer(alice, "refund", { revision: 2 }), 409, "it has changed since: the revision is 1");
  const answered = expectStatus(200, await answer(alice, "refund"));
  expect([answered.status, answered.outcome, answered.refundAmount, answered.actions]).toStrictEqual([
    "resolved",
    "refunded",
    asking.payment.amount,
    [],
  ]);
  expect(expectStatus(200, await answer(alice, "refund"))).toStrictEqual(answered);
  expectRefused(await answer(alice, "accept"), 409, "it was answered otherwise, or in time by nobody");
  expect((await alice.booking(asking.booking.id)).status).toBe("cancelled");

  const other = await caseOf(cancelling.booking.id);
  expectStatus(200, await alice.cancel(cancelling.booking.id));
  const cancelled = expectStatus(200, await alice.get<DisruptionBody>(`/v1/disruptions/${other.id}`));
  expect([cancelled.outcome, cancelled.refundAmount]).toStrictEqual(["refunded", cancelling.payment.amount]);
  const paid = asking.payment.amount + cancelling.payment.amount;
  await until(async () => {
    const { money, differences } = await operator<DisruptionProof>("GET", `/disruptions/${id}/verify`);
    expect(differences).toStrictEqual([]);
    return money[0]?.due === paid && money[0].paid === paid;
  });
});

test("a flight is reinstated: it is on sale as before, unless bookings were cancelled by then", async () => {
  await world.addFlights({ id: "BACK", departsIn: 45 }, { id: "TOO-LATE", departsIn: 45 });
  const hold = expectStatus(201, await alice.hold("BACK", ["12A"]));
  const reinstate = (flightId: string, body: object) =>
    world.service.operator("POST", `/flights/${flightId}/reinstate`, body);
  expect((await reinstate("BACK", { run: 0 })).status).toBe(409);
  const { id } = await cancelFlight("BACK");
  const plan = await operator<DisruptionPlan>("POST", "/flights/BACK/reinstate", {});
  const none = { significant: 0, places: [], placeless: [], passports: 0 };
  const nothing = { bookings: [], ...none, money: [], webhooks: 0 };
  expect(plan).toStrictEqual({ flightId: "BACK", revision: 1, ...nothing });
  const shown = await operator<DisruptionAnswer>("POST", "/flights/BACK/reinstate", {
    run: 1,
    reason: "It is mended.",
  });
  expect([shown.id, shown.kind, shown.reinstatedAt === null]).toStrictEqual([id, "cancelled", false]);
  await onceEnded(world, id);

  expectStatus(201, await alice.hold("BACK", ["12A"]));
  expect(await alice.seatsLeft("BACK")).toBe(58);
  const ended = expectStatus(200, await alice.get<SeatHoldBody>(`/v1/flights/BACK/seat-holds/${hold.id}`));
  expect(ended.status).toBe("released");
  const listed = expectStatus(200, await alice.get<Page<FlightBody>>("/v1/flights?limit=100")).data;
  expect(listed.map((flight) => flight.id)).toContain("BACK");
  expect((await alice.get("/v1/flights/BACK")).headers.get("flight-status")).toBeNull();
  const status = expectStatus(200, await alice.get<FlightStatusBody>("/v1/flights/BACK/status"));
  expect([status.status, status.revision, status.changes.map(({ kind, revision }) => [kind, revision])]).toStrictEqual([
    "scheduled",
    2,
    [
      ["cancelled", 1],
      ["reinstated", 2],
    ],
  ]);
  expect((await operator<DisruptionProof>("GET", `/disruptions/${id}/verify`)).differences).toStrictEqual([]);
  const feed = expectStatus(200, await alice.get<Page<EventBody>>("/v1/events?order=asc&type=flight.changed")).data;
  const told = feed.flatMap(({ data: { object } }) =>
    "flightId" in object && object.flightId === "BACK" ? [object] : [],
  );
  expect(told.map((object) => "status" in object && object.status)).toStrictEqual(["cancelled"]);

  await alice.newBooking("TOO-LATE");
  await cancelFlight("TOO-LATE");
  for (const body of [{}, { run: 1 }]) {
    const refused = await reinstate("TOO-LATE", body);
    expect([refused.status, JSON.stringify(refused.body)]).toStrictEqual([
      409,
      expect.stringContaining("1 bookings were moved, cancelled or answered"),
    ]);
  }
});

test("the refunds of a disruption that have not arrived", async () => {
  await world.addFlights({ id: "OWED", departsIn: 44 });
  const { id, totalAmount: amount } = await alice.newBooking("OWED");
  const { method } = expectStatus(201, await alice.pay(id, { type: "bank_transfer" }));
  await operator("POST", "/transfers", { reference: method.bankTransfer?.reference, amount, entryId: "owed" });
  const disruption = await cancelFlight("OWED");
  const { data } = await operator<{ data: readonly RefundRow[] }>("GET", `/refunds?disruption=${disruption.id}`);
  expect(data.map((refund) => [refund.bookingId, refund.amount, refund.status])).toStrictEqual([
    [id, amount, "pending"],
  ]);
  expect(await operator("GET", "/refunds?disruption=none")).toStrictEqual({ data: [] });
});

test("closed sales take nothing new, and what was sold goes on", async () => {
  await world.addFlights({ id: "SHUT", departsIn: 43 });
  const booking = await alice.newBooking("SHUT", { seats: ["12A"] });
  const hold = expectStatus(201, await alice.hold("SHUT", ["12B"]));
  await operator("POST", "/flights/SHUT/close-sales", { run: 0 });
  expectRefused(await alice.hold("SHUT", ["12C"]), 409, "the flight is not on sale");
  expectRefused(await alice.book("SHUT"), 409, "the flight is not on sale");
  expect(await alice.seatsLeft("SHUT")).toBe(0);
  expectStatus(201, await alice.pay(booking.id));
  expectStatus(200, await alice.patch(`/v1/bookings/${booking.id}`, { seats: ["12F"] }));
  expectStatus(201, await alice.book("SHUT", { holdId: hold.id }));
  expect((await world.service.operator("POST", "/flights/SHUT/close-sales", { run: 1 })).status).toBe(409);
  await operator("POST", "/flights/SHUT/open-sales", { run: 1 });
  expectStatus(201, await alice.book("SHUT"));
  expect(await alice.seatsLeft("SHUT")).toBe(56);
  const { revision, changes } = expectStatus(200, await alice.get<FlightStatusBody>("/v1/flights/SHUT/status"));
  expect([revision, changes]).toStrictEqual([2, []]);
});
