import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BookingBody, BookingHistoryEntry } from "@travel-booking/api-contract";
import { ADA, ALAN, type Client, expectStatus, type Page } from "./kit/client.ts";
import { expectProblems, expectRefused } from "./kit/problems.ts";
import { openWorld, readAllEntries, type World } from "./kit/world.ts";

let world: World;
let alice: Client;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 400 }] });
  ({ alice } = world);
});
afterAll(() => world.discard());

const historyOf = async (id: string) =>
  expectStatus(200, await alice.get<Page<BookingHistoryEntry>>(`/v1/bookings/${id}/history`)).data;
const asOf = (id: string, moment: string) =>
  alice.get<BookingBody>(`/v1/bookings/${id}?asOf=${encodeURIComponent(moment)}`);

describe("history", () => {
  test("oldest first: what happened, who did it, in which request, and what changed", async () => {
    const created = await alice.book("F", { reference: "r" }, { "x-request-id": "req-1" });
    const booking = expectStatus(201, created);
    const path = `/v1/bookings/${booking.id}`;
    const changed = await alice.patch<BookingBody>(
      path,
      { reference: null, seats: ["12A"] },
      { "x-request-id": "req-2" },
    );
    const payment = expectStatus(201, await alice.pay(booking.id));
    await alice.cancel(booking.id, { reason: "rain" });
    const [refund] = (await alice.payment(payment.id)).refunds;

    const history = await historyOf(booking.id);
    expect(history.map(({ type }) => type)).toStrictEqual([
      "booking.created",
      "booking.changed",
      "payment.created",
      "payment.succeeded",
      "booking.confirmed",
      "booking.cancelled",
      "refund.created",
      "refund.succeeded",
    ]);
    const [first, second] = history;
    expect(first).toStrictEqual({
      id: first?.id,
      type: "booking.created",
      createdAt: booking.createdAt,
      actor: { kind: "credential", id: first?.actor.id },
      requestId: "req-1",
      changes: first?.changes,
    });
    for (const [field, to] of Object.entries(booking)) {
      expect(first?.changes[field]).toStrictEqual({ from: null, to });
    }
    expect(second?.requestId).toBe("req-2");
    expect(second?.changes).toStrictEqual({
      reference: { from: "r", to: null },
      seats: { from: [], to: ["12A"] },
      totalAmount: { from: 129_900, to: 132_400 },
    });
    expect(expectStatus(200, changed).totalAmount).toBe(132_400);
    expect(history[2]?.changes).toMatchObject({
      [`payments.${payment.id}`]: { status: { from: null, to: "pending" } },
    });
    expect(history[3]?.changes).toStrictEqual({
      [`payments.${payment.id}`]: { status: { from: "pending", to: "succeeded" } },
    });
    expect(history[4]?.changes).toStrictEqual({ status: { from: "pending", to: "confirmed" } });
    expect(history[5]?.changes).toStrictEqual({ status: { from: "confirmed", to: "cancelled" } });
    expect(history[7]?.changes).toStrictEqual({
      [`refunds.${refund?.id}`]: { status: { from: "pending", to: "succeeded" } },
    });
    expect(new Set(history.map(({ id }) => id)).size).toBe(history.length);
    expect(new Set(history.slice(0, 7).map(({ actor }) => actor.id)).size).toBe(1);
  });

  test("page by page", async () => {
    const { id } = await alice.newBooking("F");
    for (const reference of ["a", "b", "c", "d"]) await alice.patch(`/v1/bookings/${id}`, { reference });
    const whole = await historyOf(id);
    expect(whole).toHaveLength(5);
    for (const limit of [1, 2, 5]) {
      expect(await readAllEntries(alice, `/v1/bookings/${id}/history`, limit)).toStrictEqual(whole);
    }
  });

  test("names the system for what the clock did, and the operator for what an operator did", async () => {
    const expired = await alice.newBooking("F");
    const paying = await alice.newBooking("F");
    const { method } = expectStatus(201, await alice.pay(paying.id, { type: "bank_transfer" }));
    const reference = method.type === "bank_transfer" ? method.bankTransfer.reference : "";
    await world.service.operator("POST", "/transfers", { reference, amount: 129_901 });
    await world.advance(25 * 3_600);
    const last = (await historyOf(expired.id)).at(-1);
    expect([last?.type, last?.actor.kind, last?.requestId]).toStrictEqual(["booking.cancelled", "system", null]);
    const received = (await historyOf(paying.id)).slice(2);
    expect(received.map(({ type, actor }) => [type, actor.kind])).toStrictEqual([
      ["transfer.received", "operator"],
      ["return.due", "operator"],
      ["payment.succeeded", "operator"],
      ["booking.confirmed", "operator"],
    ]);
  });
});

describe("asOf", () => {
  test("the booking as the last event at or before that moment left it", async () => {
    const booking = await alice.newBooking("F", { passengers: [ADA, ALAN] });
    await world.advance(60);
    const changed = expectStatus(
      200,
      await alice.patch<BookingBody>(`/v1/bookings/${booking.id}`, { reference: "later", seats: ["14A", "14B"] }),
    );
    await world.advance(60);
    const cancelled = expectStatus(200, await alice.cancel(booking.id));
    const [, second, third] = await historyOf(booking.id);
    const at = (moment: string | undefined, offset = 0) =>
      asOf(booking.id, new Date(Date.parse(moment ?? "") + offset).toISOString());
    expect(expectStatus(200, await at(booking.createdAt))).toStrictEqual(booking);
    expect(expectStatus(200, await at(second?.createdAt, -1))).toStrictEqual(booking);
    expect(expectStatus(200, await at(second?.createdAt))).toStrictEqual(changed);
    expect(expectStatus(200, await at(third?.createdAt, -1))).toStrictEqual(changed);
    expect(expectStatus(200, await at(third?.createdAt))).toStrictEqual(cancelled);
    const local = new Date(Date.parse(second?.createdAt ?? "") + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
    expect(expectStatus(200, await asOf(booking.id, local))).toStrictEqual(changed);
  });

  test("404 before it was created", async () => {
    const { id, createdAt } = await alice.newBooking("F");
    for (const moment of [
      new Date(Date.parse(createdAt) - 1).toISOString(),
      "1970-01-01T00:00:00Z",
      "0000-01-01T00:00:00Z",
    ]) {
      expectRefused(await asOf(id, moment), 404, "did not exist yet");
    }
    expectRefused(await asOf("bkg_none", createdAt), 404, "no booking");
  });

  test("400 in the future, or where it is no moment", async () => {
    const { id } = await alice.newBooking("F");
    expectProblems(await asOf(id, "9999-12-31T23:59:59Z"), ["asOf must not be in the future"]);
    const NO_MOMENT = "asOf must be an ISO 8601 date-time with an offset, such as 2027-03-01T09:00:00Z";
    for (const moment of ["2026-02-30T00:00:00Z", "2026-11-21T25:00:00Z"]) {
      expectProblems(await asOf(id, moment), ["asOf is not a moment of the calendar"]);
    }
    const odd = ["", "now", "2026-11-21", "99999-01-01T00:00:00Z"];
    for (const moment of [...odd, "2026-11-21T10:00:00", "1e308", "-1", "0"]) {
      expectProblems(await asOf(id, moment), [NO_MOMENT]);
    }
  });
});
