import { expect, test } from "@jest/globals";
import { HOUR } from "@travel-booking/domain";
import { party, SOON, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

test("a process that was down when its flight was moved does nothing at the old times, and all of it at the new ones", async () => {
  const service = await Service.start();
  const disk = service.systems;
  const { body: paid } = await service.book({ flightId: SOON, passengers: party(1) });
  await service.pay(paid.id);
  disk.clock.set(T0 + 5 * HOUR);
  const { body: unpaid } = await service.book({ flightId: SOON, passengers: party(1) });
  const old = (await disk.openDueTasks()).map((task) => ({ ...task, at: (task.dueAt - T0) / HOUR }));
  expect(old.map(({ kind, at }) => [kind, at])).toStrictEqual([
    ["assign_seats", 6],
    ["expire_booking", 28],
    ["earn_points", 30],
    ["earn_points", 30],
  ]);

  const tolerance = { earlier: HOUR, later: 3 * HOUR };
  const decided = { disruptionId: "dis_1", revision: 0, reason: null, tolerance };
  await service.onFlight({ type: "RetimeFlight", ...decided, departsAt: T0 + 60 * HOUR }, SOON);
  let seen = (await disk.log()).length;
  const newEvents = async () => {
    const log = (await disk.log()).slice(seen);
    seen += log.length;
    return log.map(({ stream, type, at }) => [stream, type, (at - T0) / HOUR] as const);
  };

  // It knows nothing of the flight, and nobody has swept.
  const next = new Service(disk);
  for (const { at, ...task } of old) {
    disk.clock.set(Math.max(disk.clock.now(), T0 + at * HOUR));
    await next.runTasks([task]);
  }
  expect(await newEvents()).toStrictEqual([
    [`booking-${paid.id}`, "BookingDisrupted", 6],
    [`booking-${paid.id}`, "DepartureMoved", 6],
    [`booking-${unpaid.id}`, "BookingDisrupted", 28],
    [`booking-${unpaid.id}`, "CaseResolved", 28],
    [`booking-${unpaid.id}`, "DepartureMoved", 28],
    // A day after it was made, which the old departure had cut short.
    [`booking-${unpaid.id}`, "BookingCancelled", 30],
  ]);

  await next.runDueTasksUntil(T0 + 60 * HOUR);
  const ofBooking = (await newEvents()).filter(([, type]) => type === "BookingChanged" || type === "BookingFlown");
  expect(ofBooking).toStrictEqual([
    [`booking-${paid.id}`, "BookingChanged", 36],
    [`booking-${paid.id}`, "BookingFlown", 60],
  ]);
});
