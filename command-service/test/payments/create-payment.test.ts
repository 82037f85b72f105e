import { describe, expect, test } from "@jest/globals";
import type { PaymentBody } from "@travel-booking/api-contract";
import { HOUR, isCreditorReference, paymentIdOf } from "@travel-booking/domain";
import { randomDigitsOf } from "@travel-booking/runtime";
import { ADA, BANK, BOB, DEPARTS_AT, party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

const conflict = (message: string) => ({ status: 409, body: { statusCode: 409, message, error: "Conflict" } });
const GIVEN_UP = conflict("this attempt to pay was given up and nothing was charged; pay again");

async function booked(body: object = {}) {
  const service = await Service.start();
  const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"], ...body });
  await service.systems.newEvents();
  return { service, disk: service.systems, booking };
}

describe("paying by card or wallet", () => {
  test("records the intent, charges, and records the outcome with the confirmation", async () => {
    const { service, disk, booking } = await booked();
    const commandId = disk.ids.next();
    const paymentId = paymentIdOf(booking.id, randomDigitsOf(commandId));
    const card = { brand: "visa", last4: "4242", expMonth: 12, expYear: 2099 };
    const { status, body } = await service.pay(booking.id, "tok_visa", { repeatedCommandId: commandId });
    const stream = `booking-${booking.id}`;
    expect(await disk.newEvents()).toStrictEqual([
      {
        stream,
        type: "PaymentStarted",
        data: {
          paymentId,
          amount: 100_000,
          currency: "USD",
          method: { type: "card", card, saveCard: false },
          metadata: [],
        },
      },
      {
        stream,
        type: "PaymentSucceeded",
        data: { paymentId, pending: { accountId: ADA, from: 0, to: 1_000 } },
      },
      { stream, type: "BookingConfirmed", data: { bookingId: booking.id } },
    ]);
    expect({ status, body }).toStrictEqual({
      status: 201,
      body: {
        id: paymentId,
        bookingId: booking.id,
        status: "succeeded",
        failureCode: null,
        failureMessage: null,
        amount: 100_000,
        amountRefunded: 0,
        currency: "USD",
        method: { type: "card", card, wallet: null, bankTransfer: null },
        metadata: {},
        refunds: [],
        createdAt: new Date(T0).toISOString(),
      },
    });
    expect(await disk.ledger()).toStrictEqual([
      {
        kind: "charged",
        paymentId,
        amount: 100_000,
        currency: "USD",
        outcome: { status: "succeeded" },
        refunds: [],
      },
    ]);
  });

  test("never writes the token down", async () => {
    const { service, disk, booking } = await booked();
    await service.pay(booking.id, "tok_mastercard");
    const log = await disk.log();
    expect(JSON.stringify(log.map(({ data, metadata }) => [data, metadata]))).not.toContain("tok_");
  });

  test("a decline is an answer too, and leaves the booking to be paid otherwise", async () => {
    const { service, disk, booking } = await booked();
    const { status, body } = await service.pay(booking.id, "tok_declined_insufficient_funds");
    expect([status, body.status, body.failureCode]).toStrictEqual([201, "failed", "insufficient_funds"]);
    expect(await disk.newEventTypes()).toStrictEqual(["PaymentStarted", "PaymentFailed"]);
    expect((await service.pay(booking.id)).body.status).toBe("succeeded");
  });

  test("a token nobody knows is a mistake in the request, and nothing begins", async () => {
    const { service, disk, booking } = await booked();
    expect(await service.pay(booking.id, "tok_nonsense")).toMatchObject({
      status: 400,
      body: { message: ["token is not known to the payment gateway"] },
    });
    expect(await disk.newEvents()).toStrictEqual([]);
  });

  test.each(["timeout-before", "timeout-after", "unavailable"] as const)(
    "%s once: the answer is found out, and the charge made once",
    async (fault) => {
      const { service, disk, booking } = await booked();
      disk.gateway.failNext("charge", fault);
      expect((await service.pay(booking.id)).body.status).toBe("succeeded");
      expect(await disk.ledger()).toHaveLength(1);
    },
  );

  test("a gateway that refuses for ten seconds fails no payment: 503, and the same command charges it", async () => {
    const { service, disk, booking } = await booked();
    disk.gateway.failUnavailable("charge", 20);
    const commandId = disk.ids.next();
    const first = await service.pay(booking.id, "tok_visa", { repeatedCommandId: commandId });
    expect(first).toMatchObject({ status: 503, body: { statusCode: 503 } });
    expect(disk.waitedMs).toBeGreaterThanOrEqual(9_000);
    expect(await disk.newEventTypes()).toStrictEqual(["PaymentStarted"]);
    disk.waitedMs = 0;
    const again = await service.pay(booking.id, "tok_visa", { repeatedCommandId: commandId });
    expect([again.status, again.body.status]).toStrictEqual([201, "succeeded"]);
    expect(await disk.ledger()).toHaveLength(1);
  });

  test("a gateway that refuses the service itself: 503 for the client, and the operator is told once a minute", async () => {
    const { service, disk, booking } = await booked();
    const monitor = service.services.gatewayMonitor;
    disk.gateway.failNext("charge", ...Array.from({ length: 40 }, () => "misconfigured" as const));
    expect((await service.pay(booking.id)).status).toBe(503);
    expect(monitor.refusals).toBe(1);
  });

  test("a token that only the gateway can tell is none: 400, nothing charged, and the booking can be paid", async () => {
    const { service, disk, booking } = await booked();
    const { charge } = disk.gateway;
    disk.gateway.charge = async () => ({ status: "rejected" });
    const commandId = disk.ids.next();
    expect(await service.pay(booking.id, "tok_visa", { repeatedCommandId: commandId })).toMatchObject({
      status: 400,
      body: { message: ["token is not known to the payment gateway"] },
    });
    expect(await disk.newEventTypes()).toStrictEqual(["PaymentStarted", "PaymentWithdrawn"]);
    expect(await disk.ledger()).toStrictEqual([]);
    disk.gateway.charge = charge;
    expect((await service.pay(booking.id)).body.status).toBe("succeeded");
    // Its process died before it could free the key.
    const repeated = await service.pay(booking.id, "tok_visa", { repeatedCommandId: commandId });
    expect(repeated).toStrictEqual(GIVEN_UP);
  });

  test("a charge that somebody has barred is given up: its key begins another one", async () => {
    const { service, disk, booking } = await booked();
    const { charge } = disk.gateway;
    disk.gateway.charge = async (asked) => {
      await disk.gateway.cancelCharge(asked);
      return charge.call(disk.gateway, asked);
    };
    expect(await service.pay(booking.id)).toStrictEqual(GIVEN_UP);
    expect(await disk.newEventTypes()).toStrictEqual(["PaymentStarted", "PaymentFailed"]);
  });

  test("the gateway is told whose payment for what it is, and nobody's name", async () => {
    const { service, disk, booking } = await booked();
    const asked: unknown[] = [];
    const { charge } = disk.gateway;
    disk.gateway.charge = (request) => {
      asked.push(request);
      return charge.call(disk.gateway, request);
    };
    const params = { id: booking.id };
    const { body } = await service.call<PaymentBody>("createPayment", params, {
      type: "card",
      token: "tok_visa",
      saveCard: true,
      metadata: { order: "7" },
    });
    expect(asked).toStrictEqual([
      {
        paymentId: body.id,
        bookingId: booking.id,
        accountId: ADA,
        amount: 100_000,
        currency: "USD",
        method: "card",
        saveCard: true,
        token: "tok_visa",
      },
    ]);
  });

  test("details that the gateway tells with the outcome are the payment's", async () => {
    const { service, disk, booking } = await booked();
    const card = { brand: "amex", last4: "0005", expMonth: 1, expYear: 2031 };
    disk.gateway.charge = async () => ({ status: "succeeded", details: { type: "card", card } });
    expect((await service.pay(booking.id)).body.method.card).toStrictEqual(card);
  });

  test("an answer that does not come in ten seconds: 500, pending, and the same command finds it later", async () => {
    const { service, disk, booking } = await booked();
    disk.gateway.failNext("charge", "timeout-after", ...Array.from({ length: 14 }, () => "timeout-before" as const));
    const commandId = disk.ids.next();
    const first = await service.pay(booking.id, "tok_visa", { repeatedCommandId: commandId });
    expect(first.status).toBe(500);
    expect(disk.waitedMs).toBeGreaterThanOrEqual(9_000);
    expect(disk.waitedMs).toBeLessThanOrEqual(10_000);
    expect(await disk.newEventTypes()).toStrictEqual(["PaymentStarted"]);
    expect(await service.pay(booking.id)).toStrictEqual(conflict("another payment of this booking is under way"));
    const again = await service.pay(booking.id, "tok_visa", { repeatedCommandId: commandId });
    expect([again.status, again.body.status]).toStrictEqual([201, "succeeded"]);
    expect(await disk.ledger()).toHaveLength(1);
  });

  test("an unknown booking and another account's: 404; nothing reaches the gateway", async () => {
    const { service, disk, booking } = await booked();
    const unknown = { status: 404, body: { statusCode: 404, message: "no booking with this id", error: "Not Found" } };
    expect(await service.pay("bkg_none")).toStrictEqual(unknown);
    expect(await service.pay(booking.id, "tok_visa", { accountId: BOB })).toStrictEqual(unknown);
    expect(await service.transfer(booking.id, { accountId: BOB })).toStrictEqual(unknown);
    expect(disk.gateway.callCount("charge")).toBe(0);
  });

  test("paid, cancelled or departed: 409", async () => {
    const paid = await booked();
    await paid.service.pay(paid.booking.id);
    expect(await paid.service.pay(paid.booking.id)).toStrictEqual(conflict("the booking is already paid"));
    const cancelled = await booked();
    await cancelled.service.cancel(cancelled.booking.id);
    expect(await cancelled.service.pay(cancelled.booking.id)).toStrictEqual(conflict("the booking is cancelled"));
    const departed = await booked();
    departed.disk.clock.set(DEPARTS_AT);
    expect(await departed.service.pay(departed.booking.id)).toStrictEqual(conflict("the booking is cancelled"));
  });

  test("cancelled between intent and outcome: charged, told so, and given back in full", async () => {
    const { disk, booking } = await booked();
    let cancelled: Promise<unknown> | undefined;
    const service: Service = new Service(disk, (point) => {
      if (point === "pay:started") cancelled = service.cancel(booking.id);
    });
    const { status, body } = await service.pay(booking.id);
    await cancelled;
    expect([status, body.status]).toStrictEqual([201, "succeeded"]);
    await service.runDueTasksUntil(disk.clock.now());
    const [entry] = await disk.ledger();
    expect(entry?.kind === "charged" && entry.refunds.map(({ amount }) => amount)).toStrictEqual([100_000]);
    const types = await disk.newEventTypes();
    expect(types).not.toContain("BookingConfirmed");
    expect(types.filter((type) => type === "RefundStarted")).toHaveLength(1);
  });
});

describe("paying by bank transfer", () => {
  test("waits for the money, and says where it is to go and until when", async () => {
    const { service, disk, booking } = await booked();
    const { status, body } = await service.transfer(booking.id);
    expect([status, body.status, body.amount]).toStrictEqual([201, "pending", 100_000]);
    const { bankTransfer, ...others } = body.method;
    expect(others).toStrictEqual({ type: "bank_transfer", card: null, wallet: null });
    expect(bankTransfer).toStrictEqual({
      ...BANK,
      dueAt: new Date(T0 + 72 * HOUR).toISOString(),
      reference: expect.any(String),
    });
    expect(isCreditorReference(bankTransfer?.reference ?? "")).toBe(true);
    expect(await disk.newEventTypes()).toStrictEqual(["PaymentStarted"]);
    expect(disk.gateway.callCount("charge")).toBe(0);
  });
});
