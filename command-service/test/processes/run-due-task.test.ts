import { describe, expect, test } from "@jest/globals";
import { type DueTask, HOUR, MINUTE } from "@travel-booking/domain";
import { runDueTask } from "../../src/index.ts";
import { ProcessCrashed } from "../support/crashable.ts";
import { ADA, DEPARTS_AT, party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** Runs it twice: answers what the first run recorded; the second records nothing. */
async function runTwice(service: Service, task: DueTask): Promise<readonly string[]> {
  await service.systems.newEvents();
  const position = await runDueTask(service.services, task);
  const types = await service.systems.newEventTypes();
  expect(position).toBe(await service.systems.store.head());
  await runDueTask(service.services, task);
  expect(await service.systems.newEvents()).toStrictEqual([]);
  return types;
}

async function openTask(service: Service, kind: DueTask["kind"]): Promise<DueTask> {
  const found = (await service.systems.openDueTasks()).find((task) => task.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} is open`);
  return found;
}

async function diedAt(point: string, go: (dying: Service, bookingId: string) => Promise<unknown>) {
  const dying = await Service.start(point);
  const { body: booking } = await new Service(dying.systems).book({ passengers: party(1), seats: ["10A"] });
  await expect(go(dying, booking.id)).rejects.toThrow(ProcessCrashed);
  return new Service(dying.systems);
}

describe("running a due task", () => {
  test("a hold whose time is up expires", async () => {
    const service = await Service.start();
    await service.hold(["10A"]);
    const task = await openTask(service, "expire_hold");
    expect(task.dueAt).toBe(T0 + 15 * MINUTE);
    service.systems.clock.set(task.dueAt);
    expect(await runTwice(service, task)).toStrictEqual(["SeatHoldExpired"]);
  });

  test("an allocation nobody booked: the booking is closed, then the seats go back", async () => {
    const service = await diedAt("book:allocated", (dying) => dying.book({ passengers: party(1), seats: ["10B"] }));
    expect(await runTwice(service, await openTask(service, "claim_allocation"))).toStrictEqual([
      "BookingAbandoned",
      "AllocationReleased",
    ]);
  });

  test("a seat change the booking has not decided is closed and dropped", async () => {
    const service = await diedAt("change:reserved", (dying, id) => dying.change(id, { seats: ["11A"] }));
    expect(await runTwice(service, await openTask(service, "finish_seat_change"))).toStrictEqual([
      "SeatChangeClosed",
      "SeatChangeDropped",
    ]);
  });

  test("an unpaid booking expires, and its seats go back as a due task of their own", async () => {
    const service = await Service.start();
    await service.book({ passengers: party(1) });
    const task = await openTask(service, "expire_booking");
    expect(task.dueAt).toBe(T0 + 24 * HOUR);
    service.systems.clock.set(task.dueAt);
    expect(await runTwice(service, task)).toStrictEqual(["BookingCancelled"]);
    expect(await runTwice(service, await openTask(service, "release_seats"))).toStrictEqual(["AllocationReleased"]);
  });

  test("a gateway out of reach leaves the charge open, to be tried again", async () => {
    const service = await diedAt("pay:charged", (dying, id) => dying.pay(id));
    const task = await openTask(service, "close_payment");
    service.systems.gateway.failUnavailable("close", 1);
    await expect(runDueTask(service.services, task)).rejects.toThrow("out of reach");
    expect(await openTask(service, "close_payment")).toStrictEqual(task);
    expect(await runTwice(service, task)).toStrictEqual(["PaymentSucceeded", "BookingConfirmed"]);
  });

  test("no task is open when all is done, up to the departure", async () => {
    const service = await Service.start();
    const { body: booking } = await service.book({ passengers: party(1) });
    await service.pay(booking.id);
    await service.book({ passengers: party(1) });
    await service.hold(["12A"]);
    await service.runDueTasksUntil(DEPARTS_AT);
    expect(await service.systems.openDueTasks()).toStrictEqual([
      { kind: "expire_points", accountId: ADA, dueAt: Date.parse("2029-03-01T00:00:00Z") },
    ]);
  });
});
