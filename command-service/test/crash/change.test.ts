import { describe, expect, test } from "@jest/globals";
import { RECOVERY_GRACE } from "@travel-booking/domain";
import { ProcessCrashed } from "../support/crashable.ts";
import { endState } from "../support/end-state.ts";
import { ADA, FLIGHT, party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

async function diesAt(point: string, body: object = { seats: ["11A"], reference: "window please" }) {
  const dying = await Service.start(point);
  const { systems } = dying;
  const { body: booking } = await new Service(systems).book({ passengers: party(1), seats: ["10A"] });
  const commandId = systems.ids.next();
  await expect(dying.change(booking.id, body, { repeatedCommandId: commandId })).rejects.toThrow(ProcessCrashed);
  const retry = (service: Service) => service.change(booking.id, body, { repeatedCommandId: commandId });
  return { disk: systems, bookingId: booking.id, next: new Service(systems), retry };
}

/** With 10A, and 11A in a hold that the change uses. */
async function diesWithHold(point: string) {
  const dying = await Service.start(point);
  const { systems } = dying;
  const before = new Service(systems);
  const { body: booking } = await before.book({ passengers: party(1), seats: ["10A"] });
  const { body: hold } = await before.hold(["11A"]);
  await expect(dying.change(booking.id, { holdId: hold.id })).rejects.toThrow(ProcessCrashed);
  return { systems, booking, hold, next: new Service(systems) };
}

const on = (seat: string, bookingId: string) => [{ bookingId, seats: [seat], passengers: 1, change: null }];

describe("a process that dies while it changes seats", () => {
  test("before the booking has decided: the old seats stay, the new ones are free", async () => {
    const { disk, bookingId, next } = await diesAt("change:reserved");
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    const { occupants, bookings } = await endState(disk);
    expect(occupants).toStrictEqual(on("10A", bookingId));
    expect(bookings[0]?.seats).toStrictEqual(["10A"]);
    expect(await disk.newEventTypes()).toContain("SeatChangeClosed");
  });

  test("before the booking has decided: a retry that comes too late is told so", async () => {
    const { disk, bookingId, next, retry } = await diesAt("change:reserved");
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    const { status, body } = await retry(next);
    expect({ status, body }).toStrictEqual({
      status: 409,
      body: { statusCode: 409, message: "this attempt to change seats was given up; try again", error: "Conflict" },
    });
    expect((await endState(disk)).occupants).toStrictEqual(on("10A", bookingId));
  });

  test.each([
    ["change:reserved", { seats: ["11A"] }],
    ["change:decided", { seats: ["11A"] }],
    ["change:reserved", { reference: "window please" }],
    ["change:decided", { reference: "window please" }],
  ])("at %s: the same hold, asked for without a key, goes on with the change (%j)", async (point, besides) => {
    const { systems, booking, hold, next } = await diesWithHold(point);
    const { status, body } = await next.change(booking.id, { holdId: hold.id, ...besides });
    expect([status, body]).toMatchObject([200, { totalAmount: 104_000, ...besides, seats: ["11A"] }]);
    // It is finished now, and the hold used up.
    expect((await new Service(systems).change(booking.id, { holdId: hold.id, ...besides })).status).toBe(404);
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    const { occupants, holds } = await endState(systems);
    expect([occupants, holds]).toStrictEqual([on("11A", booking.id), [{ seats: ["11A"], status: "used" }]]);
  });

  test("the same seats, taken by the first request meanwhile, leave what else is asked for to be changed", async () => {
    const { disk, bookingId, next } = await diesAt("change:reserved", { seats: ["11A"] });
    const reserved = (await disk.log()).find(({ type }) => type === "SeatChangeReserved");
    const { changeId = "" } = (reserved?.data ?? {}) as { readonly changeId?: string };
    const seats = { flightId: FLIGHT, changeId, seats: ["11A"], surcharges: [0] };
    const second = new Service(disk, (point) => {
      if (point === "change:reserved") void next.onBooking(bookingId, { type: "ChangeBooking", accountId: ADA, seats });
    });
    await next.onBooking(bookingId, { type: "ExpireBooking" });
    const { status, body } = await second.change(bookingId, { seats: ["11A"], reference: "window please" });
    expect([status, body.seats, body.reference]).toStrictEqual([200, ["11A"], "window please"]);
    expect((await endState(disk)).occupants).toStrictEqual(on("11A", bookingId));
  });

  test("a change that is undone gives its hold back while that has time", async () => {
    const { systems, booking, hold, next } = await diesWithHold("change:reserved");
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    expect((await endState(systems)).holds).toStrictEqual([{ seats: ["11A"], status: "active" }]);
    expect((await next.hold(["11A"])).status).toBe(409);
    expect((await next.change(booking.id, { holdId: hold.id })).body.seats).toStrictEqual(["11A"]);
  });

  test("while the change is open another is asked to try again, and its key is not used up", async () => {
    const { bookingId, next } = await diesAt("change:reserved");
    expect(await next.change(bookingId, { seats: ["12A"] })).toMatchObject({
      status: 409,
      body: { message: "another change of this booking's seats is under way; try again" },
    });
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    expect((await next.change(bookingId, { seats: ["12A"] })).body.seats).toStrictEqual(["12A"]);
  });

  test("a change that had gone through answers a retry so, though the booking is cancelled by then", async () => {
    const { bookingId, next, retry } = await diesAt("change:decided");
    await next.cancel(bookingId);
    const { status, body } = await retry(next);
    expect([status, body.status, body.seats]).toStrictEqual([200, "cancelled", ["11A"]]);
  });

  test("a change cancelled half-way: every seat comes back", async () => {
    const { disk, bookingId, next } = await diesAt("change:reserved");
    await next.cancel(bookingId);
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    expect((await endState(disk)).occupants).toStrictEqual([]);
    expect(await disk.openDueTasks()).toStrictEqual([]);
    expect((await next.hold(["10A", "11A"])).status).toBe(201);
  });
});
