import { describe, expect, test } from "@jest/globals";
import { RECOVERY_GRACE } from "@travel-booking/domain";
import { ProcessCrashed } from "../support/crashable.ts";
import { endState } from "../support/end-state.ts";
import { party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

const SEATS = ["10A", "11A"];

/** Two held seats are being booked when the process dies at `point`; the command id is the one to retry under. */
async function diesAt(point: string) {
  const dying = await Service.start(point);
  const { systems } = dying;
  const hold = await new Service(systems).hold(SEATS);
  const commandId = systems.ids.next();
  const body = { passengers: party(2), holdId: hold.body.id };
  await expect(dying.book(body, { repeatedCommandId: commandId })).rejects.toThrow(ProcessCrashed);
  return {
    holdId: hold.body.id,
    disk: systems,
    next: new Service(systems),
    retry: (service: Service) => service.book(body, { repeatedCommandId: commandId }),
  };
}

describe("a process that dies while it books", () => {
  test("before the booking: the seats come back once nobody can create it any more", async () => {
    const { disk, next, holdId } = await diesAt("book:allocated");
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE - 1);
    expect((await endState(disk)).occupants).toHaveLength(1);
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    expect(await endState(disk)).toStrictEqual({
      occupants: [],
      holds: [{ seats: SEATS, status: "active" }],
      bookings: [],
      abandoned: 1,
      gateway: [],
    });
    const rebooked = await next.book({ passengers: party(2), holdId });
    expect([rebooked.status, rebooked.body.seats]).toStrictEqual([201, SEATS]);
  });

  test("before the booking: a retry that comes too late is told so, and takes no seats", async () => {
    const { disk, next, retry } = await diesAt("book:allocated");
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    expect(await retry(next)).toStrictEqual({
      status: 409,
      body: { statusCode: 409, message: "this attempt to book was given up; book again", error: "Conflict" },
    });
    expect((await endState(disk)).occupants).toStrictEqual([]);
  });

  test("the request that was slow, not dead, finds its booking closed against it", async () => {
    const { systems } = await Service.start();
    let reclaimed: Promise<void> | undefined;
    const slow: Service = new Service(systems, (point) => {
      if (point === "book:allocated") reclaimed = slow.runDueTasksUntil(T0 + RECOVERY_GRACE);
    });
    const { status } = await slow.book({ passengers: party(2), seats: SEATS });
    await reclaimed;
    const { occupants, bookings, abandoned } = await endState(systems);
    // Whoever came first at the booking's stream has won; never both.
    expect({ taken: occupants.length, bookings: bookings.length, abandoned }).toStrictEqual(
      status === 201 ? { taken: 1, bookings: 1, abandoned: 0 } : { taken: 0, bookings: 0, abandoned: 1 },
    );
  });
});
