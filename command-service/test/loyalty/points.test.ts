import { describe, expect, test } from "@jest/globals";
import { DAY, FOLLOW_UP_GRACE } from "@travel-booking/domain";
import { ProcessCrashed } from "../support/crashable.ts";
import { DEPARTS_AT, party } from "../support/sample.ts";
import { Service } from "../support/service.ts";
import { pointsOf, redeem } from "./loyalty-fixtures.ts";

async function paid() {
  const service = await Service.start();
  const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
  const { body: payment } = await service.pay(booking.id);
  return { disk: service.systems, service, bookingId: booking.id, paymentId: payment.id };
}

describe("the points of a booking", () => {
  test.each(["points:departed", "points:posted"])(
    "are earned once, also where the process dies at %s",
    async (point) => {
      const { disk } = await paid();
      await expect(new Service(disk, point).runDueTasksUntil(DEPARTS_AT)).rejects.toThrow(ProcessCrashed);
      await new Service(disk).runDueTasksUntil(DEPARTS_AT);
      expect(await pointsOf(disk)).toMatchObject({ balance: 1_000, lifetime: 1_000, postings: 1 });
    },
  );

  test.each(["refund:started", "points:departed", "points:posted", "refund:sent"])(
    "fall once, also where the process dies at %s",
    async (point) => {
      const { disk, service, paymentId } = await paid();
      await service.runDueTasksUntil(DEPARTS_AT);
      await expect(new Service(disk, point).refund(paymentId, { amount: 30_000 })).rejects.toThrow(ProcessCrashed);
      await new Service(disk).runDueTasksUntil(DEPARTS_AT + FOLLOW_UP_GRACE);
      expect(await pointsOf(disk)).toMatchObject({ balance: 700, lifetime: 700, postings: 2 });
    },
  );

  test("fall with a refund after a departure that the flight does not have any more, and nothing is left to do", async () => {
    const { disk, service, paymentId } = await paid();
    const decided = { disruptionId: "dis_1", revision: 0, reason: null, tolerance: { earlier: 0, later: 0 } } as const;
    await service.onFlight({ type: "RetimeFlight", ...decided, departsAt: DEPARTS_AT + DAY });
    disk.clock.set(DEPARTS_AT + 1);
    expect((await service.refund(paymentId, { amount: 30_000 })).status).toBe(201);
    await service.runDueTasksUntil(DEPARTS_AT + DAY);
    expect(await pointsOf(disk)).toMatchObject({ balance: 700, lifetime: 700, postings: 1 });
    expect((await disk.openDueTasks()).map(({ kind }) => kind)).toStrictEqual(["expire_points"]);
  });

  test("expire by the timer, and are not spent after that", async () => {
    const { disk, service } = await paid();
    await service.runDueTasksUntil(DEPARTS_AT);
    const [expiry] = await disk.openDueTasks();
    if (expiry === undefined) throw new Error("points expire");
    await service.runDueTasksUntil(expiry.dueAt);
    expect(await pointsOf(disk)).toMatchObject({ balance: 0, lifetime: 1_000 });
    expect((await redeem(service, { reward: "lounge_access" })).status).toBe(409);
    expect(await disk.openDueTasks()).toStrictEqual([]);
  });
});
