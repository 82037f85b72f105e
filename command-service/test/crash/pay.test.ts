import { describe, expect, test } from "@jest/globals";
import { RECOVERY_GRACE } from "@travel-booking/domain";
import { ProcessCrashed } from "../support/crashable.ts";
import { endState } from "../support/end-state.ts";
import { party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

async function diesAt(point: string, token = "tok_visa") {
  const dying = await Service.start(point);
  const { systems } = dying;
  const { body: booking } = await new Service(systems).book({ passengers: party(1), seats: ["10A"] });
  const commandId = systems.ids.next();
  await expect(dying.pay(booking.id, token, { repeatedCommandId: commandId })).rejects.toThrow(ProcessCrashed);
  const retry = (service: Service) => service.pay(booking.id, token, { repeatedCommandId: commandId });
  return { disk: systems, bookingId: booking.id, next: new Service(systems), retry };
}

const PAID = {
  bookings: [{ status: "confirmed", seats: ["10A"], payments: ["succeeded"], refunds: [] }],
  gateway: [{ succeeded: 100_000, refunded: 0 }],
};

async function money(disk: Service["systems"]) {
  const { bookings, gateway } = await endState(disk);
  return { bookings, gateway };
}

describe("a process that dies while it takes money", () => {
  test("before the charge: its id is barred for good, and a late retry begins another charge", async () => {
    const { disk, next, retry } = await diesAt("pay:started");
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    const barred = {
      bookings: [{ status: "pending", seats: ["10A"], payments: ["failed"], refunds: [] }],
      gateway: ["barred"],
    };
    expect(await money(disk)).toStrictEqual(barred);
    const message = "this attempt to pay was given up and nothing was charged; pay again";
    expect(await retry(next)).toMatchObject({ status: 409, body: { message } });
    expect(await money(disk)).toStrictEqual(barred);
  });

  test("a decline nobody recorded is found too, and leaves the booking to be paid", async () => {
    const { disk, bookingId, next } = await diesAt("pay:charged", "tok_declined_insufficient_funds");
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    expect((await next.pay(bookingId)).body.status).toBe("succeeded");
    expect(await money(disk)).toStrictEqual({
      bookings: [{ status: "confirmed", seats: ["10A"], payments: ["failed", "succeeded"], refunds: [] }],
      gateway: [
        { failed: 100_000, refunded: 0 },
        { succeeded: 100_000, refunded: 0 },
      ],
    });
  });

  test("cancelled before the outcome was recorded: the charge is given back in full", async () => {
    const { disk, bookingId, next } = await diesAt("pay:charged");
    expect((await next.cancel(bookingId)).status).toBe(200);
    await next.runDueTasksUntil(T0 + RECOVERY_GRACE);
    expect(await money(disk)).toStrictEqual({
      bookings: [
        {
          status: "cancelled",
          seats: ["10A"],
          payments: ["succeeded"],
          refunds: [{ amount: 100_000, status: "succeeded" }],
        },
      ],
      gateway: [{ succeeded: 100_000, refunded: 100_000 }],
    });
    expect((await endState(disk)).occupants).toStrictEqual([]);
  });

  test("while nobody knows the outcome, another payment waits", async () => {
    const { next, bookingId } = await diesAt("pay:charged");
    expect(await next.pay(bookingId)).toStrictEqual({
      status: 409,
      body: { statusCode: 409, message: "another payment of this booking is under way", error: "Conflict" },
    });
  });

  test("a booking past its time is not given up while a charge may have been made", async () => {
    const { disk, next } = await diesAt("pay:charged");
    disk.clock.advance(25 * 3_600_000);
    await next.runDueTasksUntil(disk.clock.now());
    expect(await money(disk)).toStrictEqual(PAID);
  });
});
