import { describe, expect, test } from "@jest/globals";
import { automaticRefundId, DAY, HOUR, SECOND } from "@travel-booking/domain";
import { party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

async function refunding(...outcomes: readonly ("succeeded" | "pending" | "failed")[]) {
  const service = await Service.start();
  const { systems } = service;
  const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
  const { body: payment } = await service.pay(booking.id);
  const answers = outcomes.map((status) => (status === "failed" ? { status, reason: "declined" } : { status }));
  const asked: { readonly at: number; readonly call: string; readonly attempt: number }[] = [];
  const answer = (call: string) => async (request: { readonly attempt: number }) => {
    asked.push({ at: systems.clock.now() - T0, call, attempt: request.attempt });
    return (answers.shift() ?? { status: "pending" }) as { readonly status: "pending" };
  };
  systems.gateway.refund = answer("refund");
  systems.gateway.refundOutcome = answer("ask");
  await systems.newEvents();
  return { service, systems, booking, payment, asked };
}

describe("a refund that the gateway carries out later", () => {
  test("is pending, and asked for after 20 seconds, an hour, and daily until it has arrived", async () => {
    const { service, systems, payment, asked } = await refunding(
      "pending",
      "pending",
      "pending",
      "pending",
      "succeeded",
    );
    const { status, body } = await service.refund(payment.id);
    expect([status, body.status]).toStrictEqual([201, "pending"]);
    await service.runDueTasksUntil(T0 + 5 * DAY);
    expect(asked).toStrictEqual([
      { at: 0, call: "refund", attempt: 1 },
      { at: 20 * SECOND, call: "ask", attempt: 1 },
      { at: 20 * SECOND + HOUR, call: "ask", attempt: 1 },
      { at: 20 * SECOND + HOUR + DAY, call: "ask", attempt: 1 },
      { at: 20 * SECOND + HOUR + 2 * DAY, call: "ask", attempt: 1 },
    ]);
    expect((await systems.newEventTypes()).at(-1)).toBe("RefundSucceeded");
    expect((await systems.openDueTasks()).filter(({ kind }) => kind.endsWith("_refund"))).toStrictEqual([]);
  });

  test("refused or failed later it stays pending, is sent no more, and an operator has it sent again", async () => {
    const { service, systems, booking, payment, asked } = await refunding("pending", "failed", "failed", "succeeded");
    const { body } = await service.refund(payment.id);
    await service.runDueTasksUntil(T0 + 3 * DAY);
    expect(await systems.newEventTypes()).toStrictEqual([
      "SeatsRefunded",
      "RefundStarted",
      "RefundAwaited",
      "RefundFailed",
    ]);
    expect(asked.map(({ call }) => call)).toStrictEqual(["refund", "ask"]);
    const retry = { type: "RetryRefund", refundId: body.id } as const;
    for (const attempt of [2, 3]) {
      expect(await service.onBooking(booking.id, retry)).toBeUndefined();
      await service.runDueTasksUntil(systems.clock.now() + DAY);
      expect(asked.at(-1)).toMatchObject({ call: "refund", attempt });
    }
    expect(await systems.newEventTypes()).toStrictEqual([
      "RefundRetried",
      "RefundFailed",
      "RefundRetried",
      "RefundSucceeded",
    ]);
    expect(await service.onBooking(booking.id, retry)).toBe("refund_not_failed");
  });

  test("of a cancelled booking is no other", async () => {
    const { service, systems, booking, payment } = await refunding("failed");
    expect((await service.cancel(booking.id)).status).toBe(200);
    await service.runDueTasksUntil(T0 + DAY);
    const failed = (await systems.log()).filter(({ type }) => type === "RefundFailed");
    expect(failed.map(({ stream, data }) => ({ stream, data }))).toStrictEqual([
      {
        stream: `booking-${booking.id}`,
        data: { refundId: automaticRefundId(payment.id), paymentId: payment.id, attempt: 1, reason: "declined" },
      },
    ]);
  });
});
