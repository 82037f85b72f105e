import { describe, expect, test } from "@jest/globals";
import { DAY, HOUR, MINUTE } from "@travel-booking/domain";
import { pointsOf, redeem, systemsWithPoints } from "../loyalty/loyalty-fixtures.ts";
import { ProcessCrashed } from "../support/crashable.ts";
import { endState } from "../support/end-state.ts";
import { DEPARTS_AT, FLIGHT, party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

const answerCode = (answer: { readonly status: number; readonly body: unknown }) => [
  answer.status,
  (answer.body as { readonly message: string }).message,
];
const CANCELLED = [409, "the flight is cancelled"];

/** A paid booking, an unpaid one, and a hold. */
async function onBoard(at?: string) {
  const service = await Service.start(at);
  const { body: unpaid } = await service.book({ passengers: party(1) });
  const { body: paid } = await service.book({ passengers: party(2), seats: ["10A", "10B"] });
  const { body: payment } = await service.pay(paid.id);
  const { body: hold } = await service.hold(["11A"]);
  await service.systems.newEvents();
  return { service, disk: service.systems, unpaid, paid, payment, hold };
}

const swept = {
  occupants: [],
  holds: [{ seats: ["11A"], status: "released" }],
  bookings: [
    { status: "cancelled", seats: [], payments: [], refunds: [] },
    {
      status: "cancelled",
      seats: ["10A", "10B"],
      payments: ["succeeded"],
      refunds: [{ amount: 200_000, status: "succeeded" }],
    },
  ],
  abandoned: 0,
  gateway: [{ succeeded: 200_000, refunded: 200_000 }],
};

describe("cancelling a flight", () => {
  test("sweeps up whoever paid first, then the rest; seats and money go back by the tasks they always go by", async () => {
    const { service, disk, unpaid, paid } = await onBoard();
    await service.cancelFlight();
    expect((await disk.openDueTasks()).map(({ kind }) => kind)).toContain("sweep_disruption");
    expect(await disk.newEventTypes()).toStrictEqual(["FlightCancelled", "SeatHoldReleased"]);
    await service.runDueTasksUntil(T0);
    const sweep = (await disk.newEvents()).map(({ stream, type }) => `${stream} ${type}`);
    const following = ["BookingDisrupted", "CaseResolved", "BookingCancelled"];
    expect(sweep.filter((event) => event.startsWith("booking-"))).toStrictEqual([
      ...following.map((type) => `booking-${paid.id} ${type}`),
      `booking-${paid.id} RefundStarted`,
      ...following.map((type) => `booking-${unpaid.id} ${type}`),
    ]);
    expect(sweep).toContain(`flight-${FLIGHT} DisruptionEnded`);
    await service.runDueTasksUntil(T0 + MINUTE);
    expect(await endState(disk)).toStrictEqual(swept);
    expect(await disk.openDueTasks()).toStrictEqual([]);
  });

  test("a second sweep changes nothing", async () => {
    const { service, disk } = await onBoard();
    await service.cancelFlight();
    await service.runDueTasksUntil(T0 + MINUTE);
    await disk.newEvents();
    await service.onFlight({ type: "ResumeDisruption", disruptionId: "dis_1" });
    await service.runDueTasksUntil(T0 + DAY);
    expect(await disk.newEventTypes()).toStrictEqual(["DisruptionResumed", "DisruptionEnded"]);
  });

  test("whoever comes before the sweep is refused, and has followed in the same append", async () => {
    const { service, disk, unpaid, paid, hold } = await onBoard();
    await service.cancelFlight();
    expect(answerCode(await service.pay(unpaid.id))).toStrictEqual(CANCELLED);
    expect(answerCode(await service.change(paid.id, { seats: ["11A", "11B"], holdId: hold.id }))).toStrictEqual(
      CANCELLED,
    );
    expect(answerCode(await service.hold(["12A"]))).toStrictEqual(CANCELLED);
    expect(answerCode(await service.book({ passengers: party(1), holdId: hold.id }))).toStrictEqual(CANCELLED);
    expect((await service.cancel(paid.id)).body.status).toBe("cancelled");
    await service.runDueTasksUntil(T0 + MINUTE);
    expect(await endState(disk)).toStrictEqual(swept);
    expect(await disk.openDueTasks()).toStrictEqual([]);
  });

  test("a process that does not know takes a payment: the sweep gives it back", async () => {
    const { service, disk, unpaid } = await onBoard();
    await service.cancelFlight({ told: false });
    expect((await service.pay(unpaid.id)).body.status).toBe("succeeded");
    await service.runDueTasksUntil(T0 + MINUTE);
    const { bookings, gateway } = await endState(disk);
    expect(bookings.map(({ status }) => status)).toStrictEqual(["cancelled", "cancelled"]);
    expect(gateway).toStrictEqual([
      { succeeded: 100_000, refunded: 100_000 },
      { succeeded: 200_000, refunded: 200_000 },
    ]);
  });

  test("a process that does not know cancels a booking late: it looks at the flight first, and all goes back", async () => {
    const { service, disk, paid } = await onBoard();
    disk.clock.set(DEPARTS_AT - HOUR);
    await service.cancelFlight({ told: false });
    await disk.newEvents();
    expect((await service.cancel(paid.id)).body.status).toBe("cancelled");
    const ofBooking = (await disk.newEvents()).filter(({ stream }) => stream === `booking-${paid.id}`);
    expect(ofBooking.map(({ type }) => type)).toStrictEqual([
      "BookingDisrupted",
      "CaseResolved",
      "BookingCancelled",
      "RefundStarted",
      "RefundSucceeded",
    ]);
  });

  test("late money and a barred charge: what is open is asked after, and goes back", async () => {
    for (const [mode, gateway] of [
      ["timeout-after", { succeeded: 100_000, refunded: 100_000 }],
      ["timeout-before", "barred"],
    ] as const) {
      const { service, disk, unpaid } = await onBoard();
      for (let tries = 0; tries < 100; tries += 1) disk.gateway.failNext("charge", mode);
      expect((await service.pay(unpaid.id)).status).toBe(500);
      await service.cancelFlight();
      await service.runDueTasksUntil(T0 + 2 * MINUTE);
      expect((await endState(disk)).gateway).toStrictEqual([gateway, { succeeded: 200_000, refunded: 200_000 }]);
      expect(await disk.openDueTasks()).toStrictEqual([]);
    }
  });

  test("paused, it sweeps nobody, and clients' commands go on", async () => {
    const { service, disk, unpaid, paid } = await onBoard();
    await service.cancelFlight();
    await service.onFlight({ type: "PauseDisruption", disruptionId: "dis_1" });
    await disk.newEvents();
    await service.runDueTasksUntil(T0);
    expect(await disk.newEventTypes()).toStrictEqual([]);
    expect(answerCode(await service.pay(unpaid.id))).toStrictEqual(CANCELLED);
    await service.onFlight({ type: "ResumeDisruption", disruptionId: "dis_1" });
    await service.runDueTasksUntil(T0 + MINUTE);
    expect(await endState(disk)).toStrictEqual(swept);
    expect((await service.cancel(paid.id)).body.status).toBe("cancelled");
  });

  test("places without a booking are waited for", async () => {
    const { disk } = await onBoard();
    const dying = new Service(disk, "book:allocated");
    await expect(dying.book({ passengers: party(1) })).rejects.toThrow(ProcessCrashed);
    const next = new Service(disk);
    await next.cancelFlight();
    await expect(next.runDueTasksUntil(T0)).rejects.toThrow(`flight ${FLIGHT} has places for 1 bookings`);
    disk.clock.set(T0 + MINUTE);
    const claims = (await disk.openDueTasks()).filter(({ kind }) => kind !== "sweep_disruption");
    await next.runTasks(claims);
    await next.runDueTasksUntil(T0 + MINUTE);
    expect(await endState(disk)).toStrictEqual({ ...swept, abandoned: 1 });
    expect(await disk.openDueTasks()).toStrictEqual([]);
  });

  test("swept only after its departure, nobody has flown", async () => {
    const { service, disk } = await onBoard();
    await service.cancelFlight({ told: false });
    await service.onFlight({ type: "PauseDisruption", disruptionId: "dis_1" });
    disk.clock.set(DEPARTS_AT + DAY);
    const next = new Service(disk);
    await next.onFlight({ type: "ResumeDisruption", disruptionId: "dis_1" });
    const [sweep] = (await disk.openDueTasks()).filter(({ kind }) => kind === "sweep_disruption");
    await next.runTasks(sweep === undefined ? [] : [sweep]);
    await next.runDueTasksUntil(DEPARTS_AT + 2 * DAY);
    const types = new Set((await disk.log()).map(({ type }) => type));
    expect([types.has("BookingFlown"), types.has("PointsEarned")]).toStrictEqual([false, false]);
    expect(await disk.openDueTasks()).toStrictEqual([]);
  });
});

describe("points spent on the journey", () => {
  test.each([undefined, "points:returned"])("come back once, the service killed at %s", async (point) => {
    const disk = await systemsWithPoints(100_000);
    const service = new Service(disk);
    const { body: booking } = await service.book({ passengers: party(1) });
    for (const reward of ["extra_baggage", "cabin_upgrade", "booking_credit"]) {
      expect((await redeem(service, { reward, bookingId: booking.id })).status).toBe(201);
    }
    expect((await pointsOf(disk)).balance).toBe(42_000);
    await service.cancelFlight();
    const dying = new Service(disk, point);
    await dying.runDueTasksUntil(T0 + MINUTE).catch((error: unknown) => expect(error).toBeInstanceOf(ProcessCrashed));
    await new Service(disk).runDueTasksUntil(T0 + MINUTE);
    const { balance, credit } = await pointsOf(disk);
    expect([balance, credit]).toStrictEqual([90_000, 10_000]);
    expect((await disk.openDueTasks()).map(({ kind }) => kind)).not.toContain("return_points");
  });
});

describe("a flight that is reinstated", () => {
  const reinstate = async (service: Service) => {
    await service.onFlight({ type: "PauseDisruption", disruptionId: "dis_1" });
    return service.onFlight({ type: "ReinstateFlight", revision: 1, reason: null });
  };

  test("before anybody followed: nobody notices, and it sells on", async () => {
    const { service, disk, unpaid } = await onBoard();
    await service.cancelFlight({ told: false });
    await reinstate(service);
    await disk.newEvents();
    await service.runDueTasksUntil(T0);
    expect(await disk.newEventTypes()).toStrictEqual(["DisruptionEnded"]);
    expect((await service.pay(unpaid.id)).status).toBe(201);
    expect((await service.book({ passengers: party(1) })).status).toBe(201);
    expect((await endState(disk)).bookings.map(({ status }) => status)).toStrictEqual([
      "confirmed",
      "confirmed",
      "pending",
    ]);
  });

  test("while a process with older news cancels a booking: that stays so, and is in the list of its cases", async () => {
    const { service, disk, unpaid } = await onBoard();
    await service.cancelFlight();
    await reinstate(service);
    expect(answerCode(await service.pay(unpaid.id))).toStrictEqual(CANCELLED);
    await service.runDueTasksUntil(T0);
    const told = (await disk.log()).filter(({ type }) => type === "BookingDisrupted");
    expect(told.map(({ stream }) => stream)).toStrictEqual([`booking-${unpaid.id}`]);
    expect((await endState(disk)).bookings.map(({ status }) => status)).toStrictEqual(["cancelled", "confirmed"]);
  });
});

describe("a process that dies while a flight is cancelled", () => {
  test("after each booking of the sweep, again and again: each has one outcome", async () => {
    const { disk } = await onBoard();
    await new Service(disk).cancelFlight();
    for (let life = 0; life < 3; life += 1) {
      const dying = new Service(disk, "disrupt:followed");
      await dying.runDueTasksUntil(T0 + MINUTE).catch((error: unknown) => expect(error).toBeInstanceOf(ProcessCrashed));
    }
    await new Service(disk).runDueTasksUntil(T0 + MINUTE);
    expect(await endState(disk)).toStrictEqual(swept);
    expect(await disk.openDueTasks()).toStrictEqual([]);
  });

  test.each(["refund:sending", "refund:sent", "refund:settled"])("at %s: the money goes back once", async (point) => {
    const { disk } = await onBoard();
    await new Service(disk).cancelFlight();
    const dying = new Service(disk, point);
    await expect(dying.runDueTasksUntil(T0 + MINUTE)).rejects.toThrow(ProcessCrashed);
    await new Service(disk).runDueTasksUntil(T0 + MINUTE);
    expect(await endState(disk)).toStrictEqual(swept);
  });

  test("two processes sweep at once", async () => {
    const { disk } = await onBoard();
    const [one, other] = [new Service(disk, undefined, "one"), new Service(disk, undefined, "other")];
    await one.cancelFlight();
    const tasks = await disk.openDueTasks();
    const sweeps = tasks.filter(({ kind }) => kind === "sweep_disruption");
    await Promise.all([one.runTasks(sweeps), other.runTasks(sweeps)]);
    await new Service(disk).runDueTasksUntil(T0 + MINUTE);
    expect(await endState(disk)).toStrictEqual(swept);
    const told = (await disk.log()).filter(({ type }) => type === "BookingDisrupted");
    expect(told).toHaveLength(2);
  });
});
