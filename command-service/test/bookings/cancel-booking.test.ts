import { describe, expect, test } from "@jest/globals";
import { HOUR } from "@travel-booking/domain";
import { BOB, DEPARTS_AT, FLIGHT, party } from "../support/sample.ts";
import { Service } from "../support/service.ts";

async function booked() {
  const service = await Service.start();
  const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
  await service.systems.newEvents();
  return { service, disk: service.systems, booking };
}

describe("cancelling", () => {
  test("decides in the booking, then gives the seats back", async () => {
    const { service, disk, booking } = await booked();
    const answer = await service.cancel(booking.id, {}, { reason: "ill" });
    expect(answer).toStrictEqual({ status: 200, body: { ...booking, status: "cancelled" } });
    expect(await disk.newEvents()).toStrictEqual([
      {
        stream: `booking-${booking.id}`,
        type: "BookingCancelled",
        data: { bookingId: booking.id, cause: "requested", reason: "ill" },
      },
      { stream: `flight-${FLIGHT}`, type: "AllocationReleased", data: { bookingId: booking.id } },
    ]);
    expect(await disk.openDueTasks()).toStrictEqual([]);
  });

  test("early enough, what was paid goes back by the gateway", async () => {
    const { service, disk, booking } = await booked();
    const { body: payment } = await service.pay(booking.id);
    await service.refund(payment.id, { amount: 30_000 });
    disk.clock.set(DEPARTS_AT - 24 * HOUR);
    await disk.newEvents();
    await service.cancel(booking.id);
    expect(await disk.newEventTypes()).toStrictEqual([
      "BookingCancelled",
      "RefundStarted",
      "AllocationReleased",
      "RefundSucceeded",
    ]);
    const [entry] = await disk.ledger();
    expect(entry?.kind === "charged" && entry.refunds.map(({ amount }) => amount)).toStrictEqual([30_000, 70_000]);
  });

  test("a gateway out of reach does not refuse it: the refund stays pending, and is sent later", async () => {
    const { service, disk, booking } = await booked();
    await service.pay(booking.id);
    disk.gateway.failNext("refund", "timeout-after");
    expect((await service.cancel(booking.id)).status).toBe(200);
    expect((await disk.openDueTasks()).map(({ kind }) => kind)).toStrictEqual(["send_refund"]);
    await service.runDueTasksUntil(disk.clock.now() + 5_000);
    expect(await disk.openDueTasks()).toStrictEqual([]);
    const [entry] = await disk.ledger();
    expect(entry?.kind === "charged" && entry.refunds.map(({ amount }) => amount)).toStrictEqual([100_000]);
  });

  test("a booking that has expired meanwhile gives its seats back all the same", async () => {
    const { service, disk, booking } = await booked();
    disk.clock.advance(24 * HOUR);
    const { body } = await service.cancel(booking.id);
    expect(body.status).toBe("cancelled");
    expect(await disk.newEventTypes()).toStrictEqual(["BookingCancelled", "AllocationReleased"]);
  });

  test("an unknown booking and another account's: 404", async () => {
    const { service, disk, booking } = await booked();
    const unknown = { status: 404, body: { statusCode: 404, message: "no booking with this id", error: "Not Found" } };
    expect(await service.cancel("bkg_none")).toStrictEqual(unknown);
    expect(await service.cancel(booking.id, { accountId: BOB })).toStrictEqual(unknown);
    expect(await disk.newEvents()).toStrictEqual([]);
  });
});
