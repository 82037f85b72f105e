import { describe, expect, test } from "@jest/globals";
import { FOLLOW_UP_GRACE } from "@travel-booking/domain";
import { ProcessCrashed } from "../support/crashable.ts";
import { endState } from "../support/end-state.ts";
import { party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

const CANCEL_POINTS = ["cancel:recorded", "cancel:released", "refund:sending", "refund:sent", "refund:settled"];
const REFUND_POINTS = ["refund:started", "refund:sending", "refund:sent", "refund:settled"];
const FULL_REFUND_POINTS = ["refund:started", "refund:recounted", ...REFUND_POINTS.slice(1)];

async function paid(point: string) {
  const dying = await Service.start(point);
  const { systems } = dying;
  const before = new Service(systems);
  const { body: booking } = await before.book({ passengers: party(1), seats: ["10A"] });
  const { body: payment } = await before.pay(booking.id);
  return {
    dying,
    disk: systems,
    bookingId: booking.id,
    paymentId: payment.id,
    commandId: systems.ids.next(),
    next: new Service(systems),
  };
}

const CANCELLED = {
  occupants: [],
  holds: [],
  bookings: [
    {
      status: "cancelled",
      seats: ["10A"],
      payments: ["succeeded"],
      refunds: [{ amount: 100_000, status: "succeeded" }],
    },
  ],
  abandoned: 0,
  gateway: [{ succeeded: 100_000, refunded: 100_000 }],
};

describe("a process that dies while it cancels", () => {
  test.each(CANCEL_POINTS)("at %s: seats and money go back without any retry", async (point) => {
    const { dying, disk, bookingId, next } = await paid(point);
    await expect(dying.cancel(bookingId)).rejects.toThrow(ProcessCrashed);
    await next.runDueTasksUntil(T0 + FOLLOW_UP_GRACE);
    expect(await endState(disk)).toStrictEqual(CANCELLED);
    expect(await disk.openDueTasks()).toStrictEqual([]);
  });

  test.each(CANCEL_POINTS)("at %s: a retry finishes it at once", async (point) => {
    const { dying, disk, bookingId, commandId, next } = await paid(point);
    await expect(dying.cancel(bookingId, { repeatedCommandId: commandId })).rejects.toThrow(ProcessCrashed);
    const { status, body } = await next.cancel(bookingId, { repeatedCommandId: commandId });
    expect([status, body.status]).toStrictEqual([200, "cancelled"]);
    expect(await endState(disk)).toStrictEqual(CANCELLED);
    expect(await disk.openDueTasks()).toStrictEqual([]);
  });
});

describe("a process that dies while it refunds", () => {
  const refunded = {
    bookings: [
      {
        status: "confirmed",
        seats: ["10A"],
        payments: ["succeeded"],
        refunds: [{ amount: 30_000, status: "succeeded" }],
      },
    ],
    gateway: [{ succeeded: 100_000, refunded: 30_000 }],
  };

  test.each(REFUND_POINTS)("at %s: the refund is made once without any retry", async (point) => {
    const { dying, disk, paymentId, next } = await paid(point);
    await expect(dying.refund(paymentId, { amount: 30_000 })).rejects.toThrow(ProcessCrashed);
    await next.runDueTasksUntil(T0 + FOLLOW_UP_GRACE);
    expect(await endState(disk)).toMatchObject(refunded);
    expect((await disk.openDueTasks()).map(({ kind }) => kind)).toStrictEqual(["earn_points"]);
  });

  test.each(REFUND_POINTS)("at %s: a retry makes it once", async (point) => {
    const { dying, disk, paymentId, commandId, next } = await paid(point);
    const body = { amount: 30_000 };
    await expect(dying.refund(paymentId, body, { repeatedCommandId: commandId })).rejects.toThrow(ProcessCrashed);
    const again = await next.refund(paymentId, body, { repeatedCommandId: commandId });
    expect([again.status, again.body.amount, again.body.status]).toStrictEqual([201, 30_000, "succeeded"]);
    await next.runDueTasksUntil(T0 + FOLLOW_UP_GRACE);
    const { bookings, gateway } = await endState(disk);
    expect({ bookings, gateway }).toStrictEqual(refunded);
  });

  test.each(FULL_REFUND_POINTS)("in full, at %s: the flight counts its seats as unpaid, once", async (point) => {
    const { dying, disk, bookingId, paymentId, commandId, next } = await paid(point);
    await expect(dying.refund(paymentId, {}, { repeatedCommandId: commandId })).rejects.toThrow(ProcessCrashed);
    await next.runDueTasksUntil(T0 + FOLLOW_UP_GRACE);
    expect((await next.refund(paymentId, {}, { repeatedCommandId: commandId })).status).toBe(201);
    const told = (await disk.log()).filter(({ type }) => type === "SeatsRefunded");
    expect(told.map(({ data }) => data)).toStrictEqual([{ bookingId, refundId: expect.any(String) }]);
    expect((await disk.openDueTasks()).map(({ kind }) => kind)).toStrictEqual(["earn_points"]);
  });
});
