import { describe, expect, test } from "@jest/globals";
import { RECOVERY_GRACE } from "@travel-booking/domain";
import { ProcessCrashed } from "../support/crashable.ts";
import { party, T0 } from "../support/sample.ts";
import { type ExternalSystems, Service } from "../support/service.ts";
import { checkInvariants, pointsOf, redeem, systemsWithPoints } from "./loyalty-fixtures.ts";

const SIMPLE = ["redeem:set-aside", "redeem:given", "redeem:completed"];
const CASES = [
  ...SIMPLE.map((point) => ["extra_baggage", point] as const),
  ...SIMPLE.map((point) => ["booking_credit", point] as const),
  ...["redeem:set-aside", "redeem:reserved", "redeem:given", "redeem:applied", "redeem:completed"].map(
    (point) => ["cabin_upgrade", point] as const,
  ),
];
const COST = { extra_baggage: 8_000, booking_credit: 10_000, cabin_upgrade: 40_000 };
const AFTER = T0 + 2 * RECOVERY_GRACE;

async function booked(points = 50_000): Promise<{ disk: ExternalSystems; bookingId: string }> {
  const disk = await systemsWithPoints(points);
  const { body } = await new Service(disk).book({ passengers: party(1), seats: ["10A"] });
  return { disk, bookingId: body.id };
}

describe.each(CASES)("a process that dies while it redeems %s, at %s", (reward, point) => {
  test("the same request after it was cleared up is told what came of it", async () => {
    const { disk, bookingId } = await booked();
    const repeats = disk.ids.next();
    const ask = (service: Service) => redeem(service, { reward, bookingId }, { repeatedCommandId: repeats });
    await expect(ask(new Service(disk, point))).rejects.toThrow(ProcessCrashed);
    await new Service(disk).runDueTasksUntil(AFTER);
    const { balance } = await pointsOf(disk);
    const late = await ask(new Service(disk));
    expect(late.status).toBe(balance === 50_000 ? 409 : 201);
    expect((await pointsOf(disk)).balance).toBe(balance);
    await new Service(disk).runDueTasksUntil(AFTER + RECOVERY_GRACE);
    await checkInvariants(disk);
  });
});

describe("clearing up", () => {
  test.each(["redeem:closed", "redeem:freed"])("dies at %s, and is done again", async (point) => {
    const { disk, bookingId } = await booked();
    await expect(
      redeem(new Service(disk, "redeem:set-aside"), { reward: "extra_baggage", bookingId }),
    ).rejects.toThrow();
    await expect(new Service(disk, point).runDueTasksUntil(AFTER)).rejects.toThrow(ProcessCrashed);
    await new Service(disk).runDueTasksUntil(AFTER);
    await checkInvariants(disk);
    expect((await pointsOf(disk)).balance).toBe(50_000);
  });

  test("closes the booking against a request that was slow, not dead", async () => {
    const { disk, bookingId } = await booked();
    let cleared: Promise<void> | undefined;
    const slow: Service = new Service(disk, (point) => {
      if (point === "redeem:set-aside") cleared = new Service(disk).runDueTasksUntil(AFTER);
    });
    const { status } = await redeem(slow, { reward: "cabin_upgrade", bookingId });
    await cleared;
    await new Service(disk).runDueTasksUntil(AFTER + RECOVERY_GRACE);
    await checkInvariants(disk);
    expect((await pointsOf(disk)).balance).toBe(status === 201 ? 10_000 : 50_000);
  });
});

describe("a reward that is refused after its points were set aside", () => {
  test.each(["extra_baggage", "cabin_upgrade"])("%s of a booking that is cancelled meanwhile", async (reward) => {
    const { disk, bookingId } = await booked();
    let cancelled: Promise<unknown> | undefined;
    const service: Service = new Service(disk, (point) => {
      if (point === "redeem:set-aside") cancelled = service.cancel(bookingId);
    });
    const answer = await redeem(service, { reward, bookingId });
    await cancelled;
    await new Service(disk).runDueTasksUntil(AFTER);
    await checkInvariants(disk);
    expect((await pointsOf(disk)).balance).toBe(answer.status === 201 ? 50_000 - COST[reward as never] : 50_000);
  });

  test("leaves its points to be spent on something else", async () => {
    const { disk, bookingId } = await booked(40_000);
    const full = new Service(disk, (point) => {
      // The last places of the next cabin go while the points are set aside.
      if (point === "redeem:set-aside") taken ??= new Service(disk).hold(["1A", "1B"]);
    });
    let taken: Promise<unknown> | undefined;
    const answer = await redeem(full, { reward: "cabin_upgrade", bookingId });
    await taken;
    if (answer.status === 409) {
      expect((await redeem(new Service(disk), { reward: "lounge_access" })).status).toBe(201);
      expect((await pointsOf(disk)).balance).toBe(35_000);
    }
    await new Service(disk).runDueTasksUntil(AFTER);
    await checkInvariants(disk);
  });
});

describe("at once", () => {
  test("never more is spent than there is, each attempt given or refused", async () => {
    const { disk, bookingId } = await booked(20_000);
    const service = new Service(disk);
    const answers = await Promise.all([
      redeem(service, { reward: "extra_baggage", bookingId }),
      redeem(service, { reward: "booking_credit", bookingId }),
      redeem(service, { reward: "booking_credit" }),
      redeem(service, { reward: "lounge_access", bookingId }),
      redeem(service, { reward: "lounge_access" }),
    ]);
    const spent = answers.reduce((sum, { status, body }) => sum + (status === 201 ? body.points : 0), 0);
    expect((await pointsOf(disk)).balance).toBe(20_000 - spent);
    await service.runDueTasksUntil(AFTER);
    await checkInvariants(disk);
  });
});
