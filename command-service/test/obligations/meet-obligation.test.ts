import { describe, expect, test } from "@jest/globals";
import { HOUR, MINUTE, type Obligation } from "@travel-booking/domain";
import { meetObligation } from "../../src/index.ts";
import { ProcessDied } from "../support/mortal.ts";
import { ADA, DEPARTS_AT, FLIGHT, party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** Meets it, and meets it once more: answers what the first time recorded; the second records nothing. */
async function metTwice(service: Service, obligation: Obligation): Promise<readonly string[]> {
  await service.disk.fresh();
  const position = await meetObligation(service.services, obligation);
  const types = await service.disk.freshTypes();
  expect(position).toBe(await service.disk.store.head());
  await meetObligation(service.services, obligation);
  expect(await service.disk.fresh()).toStrictEqual([]);
  return types;
}

async function owed(service: Service, kind: Obligation["kind"]): Promise<Obligation> {
  const found = (await service.disk.obligations()).find((obligation) => obligation.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} is owed`);
  return found;
}

async function diedAt(point: string, go: (dying: Service, bookingId: string) => Promise<unknown>) {
  const dying = await Service.open(point);
  const { body: booking } = await new Service(dying.disk).book({ passengers: party(1), seats: ["10A"] });
  await expect(go(dying, booking.id)).rejects.toThrow(ProcessDied);
  return new Service(dying.disk);
}

describe("meeting an obligation", () => {
  test("a hold whose time is up expires", async () => {
    const service = await Service.open();
    await service.hold(["10A"]);
    const obligation = await owed(service, "expire_hold");
    expect(obligation.dueAt).toBe(T0 + 15 * MINUTE);
    service.disk.clock.set(obligation.dueAt);
    expect(await metTwice(service, obligation)).toStrictEqual(["SeatHoldExpired"]);
  });

  test("a hold met too early is left alone", async () => {
    const service = await Service.open();
    await service.hold(["10A"]);
    expect(await metTwice(service, await owed(service, "expire_hold"))).toStrictEqual([]);
    expect((await owed(service, "expire_hold")).kind).toBe("expire_hold");
  });

  test("an allocation nobody booked: the booking is closed, then the seats go back", async () => {
    const service = await diedAt("book:allocated", (dying) => dying.book({ passengers: party(1), seats: ["10B"] }));
    expect(await metTwice(service, await owed(service, "claim_allocation"))).toStrictEqual([
      "BookingAbandoned",
      "AllocationReleased",
    ]);
  });

  test("an allocation that was booked after all is left alone", async () => {
    const service = await Service.open();
    const { body: booking } = await service.book({ passengers: party(1) });
    const obligation = { kind: "claim_allocation", flightId: FLIGHT, bookingId: booking.id, dueAt: T0 } as const;
    expect(await metTwice(service, obligation)).toStrictEqual([]);
  });

  test("a seat change the booking has not decided is closed and dropped", async () => {
    const service = await diedAt("change:reserved", (dying, id) => dying.change(id, { seats: ["11A"] }));
    expect(await metTwice(service, await owed(service, "finish_seat_change"))).toStrictEqual([
      "SeatChangeClosed",
      "SeatChangeDropped",
    ]);
  });

  test("a seat change the booking has taken over is applied", async () => {
    const service = await diedAt("change:decided", (dying, id) => dying.change(id, { seats: ["11A"] }));
    expect(await metTwice(service, await owed(service, "finish_seat_change"))).toStrictEqual(["SeatChangeApplied"]);
  });

  test("an unpaid booking expires, and its seats go back as an obligation of their own", async () => {
    const service = await Service.open();
    await service.book({ passengers: party(1) });
    const obligation = await owed(service, "expire_booking");
    expect(obligation.dueAt).toBe(T0 + 24 * HOUR);
    service.disk.clock.set(obligation.dueAt);
    expect(await metTwice(service, obligation)).toStrictEqual(["BookingCancelled"]);
    expect(await metTwice(service, await owed(service, "release_seats"))).toStrictEqual(["AllocationReleased"]);
  });

  test("an expiring booking with an open charge learns its outcome first", async () => {
    const service = await diedAt("pay:charged", (dying, id) => dying.pay(id));
    service.disk.clock.advance(24 * HOUR);
    expect(await metTwice(service, await owed(service, "expire_booking"))).toStrictEqual([
      "PaymentSucceeded",
      "BookingConfirmed",
    ]);
  });

  test("an expiring booking whose charge was never made: barred, failed, cancelled", async () => {
    const service = await diedAt("pay:started", (dying, id) => dying.pay(id));
    service.disk.clock.advance(24 * HOUR);
    expect(await metTwice(service, await owed(service, "expire_booking"))).toStrictEqual([
      "PaymentFailed",
      "BookingCancelled",
    ]);
    expect((await service.disk.ledger()).map(({ kind }) => kind)).toStrictEqual(["barred"]);
  });

  test("a bank transfer that is due and has not come: the payment fails, then the booking is cancelled", async () => {
    const service = await Service.open();
    const { body: booking } = await service.book({ passengers: party(1) });
    await service.transfer(booking.id);
    const obligation = await owed(service, "expire_booking");
    expect(obligation.dueAt).toBe(T0 + 72 * HOUR);
    service.disk.clock.set(obligation.dueAt);
    expect(await metTwice(service, obligation)).toStrictEqual(["PaymentFailed", "BookingCancelled"]);
  });

  test("an open charge is closed with its outcome", async () => {
    const service = await diedAt("pay:charged", (dying, id) => dying.pay(id, "tok_declined_expired_card"));
    expect(await metTwice(service, await owed(service, "close_payment"))).toStrictEqual(["PaymentFailed"]);
  });

  test("a gateway out of reach leaves the charge open, to be tried again", async () => {
    const service = await diedAt("pay:charged", (dying, id) => dying.pay(id));
    const obligation = await owed(service, "close_payment");
    service.disk.gateway.unavailableFor("close", 1);
    await expect(meetObligation(service.services, obligation)).rejects.toThrow("out of reach");
    expect(await owed(service, "close_payment")).toStrictEqual(obligation);
    expect(await metTwice(service, obligation)).toStrictEqual(["PaymentSucceeded", "BookingConfirmed"]);
  });

  test("a refund not confirmed yet is sent, once", async () => {
    const service = await Service.open();
    const { body: booking } = await service.book({ passengers: party(1) });
    const { body: payment } = await service.pay(booking.id);
    service.disk.gateway.failNext("refund", "timeout-after");
    await service.refund(payment.id, { amount: 10 });
    expect(await metTwice(service, await owed(service, "send_refund"))).toStrictEqual(["RefundSucceeded"]);
    const [entry] = await service.disk.ledger();
    expect(entry?.kind === "charged" && entry.refunds.map(({ amount }) => amount)).toStrictEqual([10]);
  });

  test("a refund by bank transfer settles at its time", async () => {
    const service = await Service.open();
    const { body: booking } = await service.book({ passengers: party(1) });
    const { body: payment } = await service.transfer(booking.id);
    const reference = payment.method.bankTransfer?.reference ?? "";
    const money = { entryId: "e1", reference, amount: 100_000, currency: "USD" };
    await service.onBooking(booking.id, { type: "ReceiveTransfer", ...money });
    await service.refund(payment.id);
    const obligation = await owed(service, "settle_refund");
    service.disk.clock.set(obligation.dueAt);
    expect(await metTwice(service, obligation)).toStrictEqual(["RefundSucceeded"]);
  });

  test("seats of a booking that is not cancelled are not given back", async () => {
    const service = await Service.open();
    const { body: booking } = await service.book({ passengers: party(1) });
    const obligation = { kind: "release_seats", bookingId: booking.id, dueAt: T0 } as const;
    await expect(meetObligation(service.services, obligation)).rejects.toThrow("not cancelled");
  });

  test("nothing is owed any more when all is done, up to the departure", async () => {
    const service = await Service.open();
    const { body: booking } = await service.book({ passengers: party(1) });
    await service.pay(booking.id);
    await service.book({ passengers: party(1) });
    await service.hold(["12A"]);
    await service.until(DEPARTS_AT);
    expect(await service.disk.obligations()).toStrictEqual([
      { kind: "expire_points", accountId: ADA, dueAt: Date.parse("2029-03-01T00:00:00Z") },
    ]);
  });
});
