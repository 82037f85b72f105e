import { describe, expect, test } from "@jest/globals";
import { RECOVERY_GRACE } from "@travel-booking/domain";
import { ProcessCrashed } from "../support/crashable.ts";
import { party, T0 } from "../support/sample.ts";
import { type ExternalSystems, Service } from "../support/service.ts";
import { checkInvariants, pointsOf, redeem, systemsWithPoints } from "./loyalty-fixtures.ts";

const AFTER = T0 + 2 * RECOVERY_GRACE;
const BOOKING = { passengers: party(1), seats: ["10A"] };

/** Ada has $100 in the bank. */
async function banked(): Promise<ExternalSystems> {
  const disk = await systemsWithPoints(10_000);
  expect((await redeem(new Service(disk), { reward: "booking_credit" })).status).toBe(201);
  return disk;
}

describe("a process that dies while it books with credit", () => {
  test.each(["book:allocated", "book:credit-claimed"])(
    "at %s: nobody asking again, the credit is back",
    async (point) => {
      const disk = await banked();
      await expect(new Service(disk, point).book(BOOKING)).rejects.toThrow(ProcessCrashed);
      await new Service(disk).runDueTasksUntil(AFTER);
      expect((await pointsOf(disk)).credit).toBe(10_000);
      await checkInvariants(disk);
      expect((await new Service(disk).book(BOOKING)).body.totalAmount).toBe(90_000);
      await checkInvariants(disk);
    },
  );

  test.each(["credit:abandoned"])("dies once more at %s, and the credit is back all the same", async (point) => {
    const disk = await banked();
    await expect(new Service(disk, "book:credit-claimed").book(BOOKING)).rejects.toThrow(ProcessCrashed);
    await expect(new Service(disk, point).runDueTasksUntil(AFTER)).rejects.toThrow(ProcessCrashed);
    await new Service(disk).runDueTasksUntil(AFTER);
    expect((await pointsOf(disk)).credit).toBe(10_000);
    await checkInvariants(disk);
  });

  test("a retry that comes when the booking has been made without any credit takes none away", async () => {
    const disk = await systemsWithPoints(10_000);
    const repeats = disk.ids.next();
    await expect(new Service(disk, "book:created").book(BOOKING, { repeatedCommandId: repeats })).rejects.toThrow(
      ProcessCrashed,
    );
    expect((await redeem(new Service(disk), { reward: "booking_credit" })).status).toBe(201);
    const again = await new Service(disk).book(BOOKING, { repeatedCommandId: repeats });
    expect([again.status, again.body.totalAmount]).toStrictEqual([201, 100_000]);
    await new Service(disk).runDueTasksUntil(AFTER);
    expect((await pointsOf(disk)).credit).toBe(10_000);
    await checkInvariants(disk);
  });

  test("the request that was slow finds its booking closed, and the credit is back once", async () => {
    const disk = await banked();
    let cleared: Promise<void> | undefined;
    const slow: Service = new Service(disk, (point) => {
      if (point === "book:credit-claimed") cleared = new Service(disk).runDueTasksUntil(AFTER);
    });
    await slow.book(BOOKING);
    await cleared;
    await new Service(disk).runDueTasksUntil(AFTER + RECOVERY_GRACE);
    await checkInvariants(disk);
  });
});
