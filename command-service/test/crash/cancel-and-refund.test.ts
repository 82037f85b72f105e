import { describe, expect, test } from "@jest/globals";
import { FOLLOW_UP_GRACE } from "@travel-booking/domain";
import { ProcessCrashed } from "../support/crashable.ts";
import { party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

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

describe("a process that dies while it refunds", () => {
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
