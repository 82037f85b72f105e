import { describe, expect, test } from "@jest/globals";
import { automaticRefundId, refundIdOf } from "@travel-booking/domain";
import { randomDigitsOf } from "@travel-booking/runtime";
import { ADA, BOB, party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

async function paid() {
  const service = await Service.start();
  const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
  const { body: payment } = await service.pay(booking.id);
  await service.systems.newEvents();
  return { service, disk: service.systems, booking, payment };
}

const refusal = (status: 404 | 409 | 422, message: string) => ({
  status,
  body: {
    statusCode: status,
    message,
    error: { 404: "Not Found", 409: "Conflict", 422: "Unprocessable Entity" }[status],
  },
});

describe("refunding", () => {
  test("records the intent, asks the gateway, and records that it arrived", async () => {
    const { service, disk, booking, payment } = await paid();
    const commandId = disk.ids.next();
    const refundId = refundIdOf(payment.id, randomDigitsOf(commandId));
    const { status, body } = await service.refund(
      payment.id,
      { amount: 30_000, reason: "duplicate" },
      { repeatedCommandId: commandId },
    );
    const shared = { amount: 30_000, currency: "USD", reason: "duplicate" };
    expect({ status, body }).toStrictEqual({
      status: 201,
      body: {
        id: refundId,
        paymentId: payment.id,
        ...shared,
        status: "succeeded",
        createdAt: new Date(T0).toISOString(),
      },
    });
    const stream = `booking-${booking.id}`;
    expect(await disk.newEvents()).toStrictEqual([
      {
        stream,
        type: "RefundStarted",
        data: {
          refundId,
          paymentId: payment.id,
          ...shared,
          settlesAt: null,
          pending: { accountId: ADA, from: 1_000, to: 700 },
        },
      },
      { stream, type: "RefundSucceeded", data: { refundId, paymentId: payment.id } },
    ]);
    expect(refundId).not.toBe(automaticRefundId(payment.id));
  });

  test("unconfirmed by the gateway it stays pending, and is sent again when due", async () => {
    const { service, disk, payment } = await paid();
    disk.gateway.failNext("refund", "timeout-after");
    const { status, body } = await service.refund(payment.id);
    expect([status, body.status]).toStrictEqual([201, "pending"]);
    await service.runDueTasksUntil(T0 + 5_000);
    expect(await disk.newEventTypes()).toStrictEqual(["SeatsRefunded", "RefundStarted", "RefundSucceeded"]);
    const [entry] = await disk.ledger();
    expect(entry?.kind === "charged" && entry.refunds).toStrictEqual([{ refundId: body.id, amount: 100_000 }]);
  });

  test("of a payment that took nothing: 409", async () => {
    const service = await Service.start();
    const { body: booking } = await service.book({ passengers: party(1) });
    const { body: declined } = await service.pay(booking.id, "tok_declined_card_declined");
    const { body: waiting } = await service.transfer(booking.id);
    for (const { id } of [declined, waiting]) {
      expect(await service.refund(id)).toStrictEqual(refusal(409, "the payment has not succeeded"));
    }
  });

  test("of no payment, another account's, or what is no payment's id at all: 404", async () => {
    const { service, disk, payment } = await paid();
    const unknown = refusal(404, "no payment with this id");
    expect(await service.refund(payment.id, {}, { accountId: BOB })).toStrictEqual(unknown);
    expect(await service.refund(`pay_${"0".repeat(44)}`)).toStrictEqual(unknown);
    expect(await service.refund("nonsense")).toStrictEqual(unknown);
    expect(await disk.newEvents()).toStrictEqual([]);
  });

  test("of a bank transfer waits for its settling, three business days or the operator", async () => {
    const service = await Service.start();
    const { systems } = service;
    const { body: booking } = await service.book({ passengers: party(1) });
    const { body: payment } = await service.transfer(booking.id);
    const reference = payment.method.bankTransfer?.reference ?? "";
    const money = { type: "ReceiveTransfer", entryId: "e1", reference, amount: 100_000, currency: "USD" } as const;
    expect(await service.onBooking(booking.id, money)).toBeUndefined();
    const { body: refund } = await service.refund(payment.id);
    expect(refund.status).toBe("pending");
    expect(systems.gateway.callCount("refund")).toBe(0);
    const thursday = Date.parse("2027-01-07T10:00:00Z");
    await systems.newEvents();
    await service.runDueTasksUntil(thursday - 1);
    expect(await systems.newEventTypes()).toStrictEqual([]);
    await service.runDueTasksUntil(thursday);
    expect(await systems.newEventTypes()).toStrictEqual(["RefundSucceeded"]);
  });
});
