import { describe, expect, test } from "@jest/globals";
import { DAY, type DomainEvent, HOUR } from "@travel-booking/domain";
import { GatewayUnavailable, type LedgerCharge, type LedgerPage } from "@travel-booking/payment-gateway";
import { eventStubJson } from "@travel-booking/read-models";
import { silentLogger } from "@travel-booking/runtime";
import type { OperatorServices } from "../../src/operator/operator-services.ts";
import { Reconciliation } from "../../src/payments/daily-reconciliation.ts";
import { reconcile } from "../../src/payments/reconciliation.ts";
import { party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** A service with bookings that are paid, and the gateway's ledger in pages of one charge. */
async function paidBookings(count: number) {
  const service = await Service.start();
  const { systems } = service;
  const payments: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { body: booking } = await service.book({ passengers: party(1) });
    payments.push((await service.pay(booking.id)).body.id);
  }
  const ledger: LedgerCharge[] = payments.map((paymentId) => ({
    gatewayId: `pi_${paymentId}`,
    paymentId,
    isSecond: false,
    createdAt: T0 - HOUR,
    amount: 100_000,
    currency: "USD",
    refunds: [],
    disputes: [],
  }));
  const asked: { readonly since: number; readonly after: string | undefined }[] = [];
  systems.gateway.ledgerPage = async (since, after): Promise<LedgerPage> => {
    asked.push({ since, after });
    const index = Number(after ?? 0);
    return { charges: ledger.slice(index, index + 1), next: index + 1 < ledger.length ? String(index + 1) : undefined };
  };
  const services = {
    ...service.services,
    store: systems.store,
    state: systems.state,
    waitUntilProjected: async () => undefined,
    models: {
      page: async () =>
        (await systems.log())
          .filter(({ type }) => type === "PaymentSucceeded")
          .map(({ stream, at }, index) => ({ key: `evt_${index}`, sort: String(index), json: stubOf(stream, at) })),
    },
  } as unknown as OperatorServices;
  const run = () => reconcile(services, { since: T0 - DAY, offset: HOUR });
  return { service, systems, services, payments, ledger, asked, run };
}

const stubOf = (stream: string, at: DomainEvent["at"]) =>
  eventStubJson({
    type: "payment.succeeded",
    accountId: "acc_ada",
    about: stream.slice("booking-".length),
    at,
    revision: 1,
  });

describe("reconciling payments", () => {
  test("ledgers that agree differ in nothing; the gateway is asked by real time", async () => {
    const { run, asked } = await paidBookings(3);
    expect(await run()).toStrictEqual([]);
    const since = T0 - DAY - 2 * HOUR;
    expect(asked).toStrictEqual([
      { since, after: undefined },
      { since, after: "1" },
      { since, after: "2" },
    ]);
  });

  test("names what either side lacks", async () => {
    const { run, ledger, payments, systems } = await paidBookings(2);
    const [missing] = payments;
    ledger[0] = { ...(ledger[0] as LedgerCharge), gatewayId: "pi_dashboard", paymentId: null };
    systems.gateway.chargeOutcome = async () => undefined;
    expect(await run()).toStrictEqual([
      {
        paymentId: null,
        gatewayId: "pi_dashboard",
        difference: "charge_unknown_here",
        ours: null,
        theirs: { amount: 100_000, currency: "USD" },
      },
      {
        paymentId: missing,
        gatewayId: null,
        difference: "charge_missing_there",
        ours: { amount: 100_000, currency: "USD" },
        theirs: null,
      },
    ]);
  });

  test("a second charge under one payment's id is named, whether the gateway knows that or the walk meets both", async () => {
    const { run, ledger, payments } = await paidBookings(2);
    const [known, met] = payments;
    const [first, other] = ledger as [LedgerCharge, LedgerCharge];
    ledger.unshift({ ...first, gatewayId: "pi_again", isSecond: true });
    ledger.push({ ...other, gatewayId: "pi_once_more" });
    const sides = {
      ours: { amount: 100_000, currency: "USD", status: "succeeded" },
      theirs: { amount: 100_000, currency: "USD" },
    };
    expect(await run()).toStrictEqual([
      { paymentId: known, gatewayId: "pi_again", difference: "charge_duplicated", ...sides },
      { paymentId: met, gatewayId: "pi_once_more", difference: "charge_duplicated", ...sides },
    ]);
  });

  test("what was charged elsewhere before the moment asked for is left out", async () => {
    const { run, ledger } = await paidBookings(1);
    const [ours] = ledger as [LedgerCharge];
    /** By real time, which the service's clock is an hour ahead of. */
    const from = T0 - DAY - HOUR;
    const elsewhere = { ...ours, paymentId: null };
    ledger.push({ ...elsewhere, gatewayId: "pi_before", createdAt: from - 1_000 });
    ledger.push({ ...elsewhere, gatewayId: "pi_then", createdAt: from });
    ledger.push({ ...elsewhere, gatewayId: "pi_some_time", createdAt: null });
    ledger.push({ ...ours, gatewayId: "pi_again", createdAt: from - 1_000, isSecond: true });
    expect((await run()).map(({ gatewayId, difference }) => [gatewayId, difference])).toStrictEqual([
      ["pi_then", "charge_unknown_here"],
      ["pi_some_time", "charge_unknown_here"],
    ]);
  });

  test("a service that stops does not wait until all payments are compared", async () => {
    const { services, ledger, systems } = await paidBookings(3);
    ledger.splice(0);
    const stopping = new AbortController();
    let asked = 0;
    systems.gateway.chargeOutcome = async () => {
      asked += 1;
      stopping.abort();
      return { status: "succeeded" };
    };
    const { signal } = stopping;
    const run = reconcile(services, { since: T0 - DAY, offset: 0, signal });
    await expect(run).rejects.toMatchObject({ name: "AbortError" });
    expect(asked).toBe(1);
  });

  test("a charge that the walk has not met, but that the gateway knows, is no difference", async () => {
    const { run, ledger } = await paidBookings(2);
    ledger.splice(0, 1);
    expect(await run()).toStrictEqual([]);
  });

  test("money of a payment that had failed here goes back, and disputes are recorded", async () => {
    const { run, service, systems, ledger } = await paidBookings(1);
    const { body: booking } = await service.book({ passengers: party(1) });
    systems.gateway.failUnavailable("charge", 1_000);
    await service.pay(booking.id);
    await service.runDueTasksUntil(T0 + HOUR);
    const failed = (await systems.log()).find(({ type }) => type === "PaymentFailed");
    const { paymentId } = (failed as unknown as { readonly data: { readonly paymentId: string } }).data;
    const dispute = { disputeId: "dp_1", amount: 1, currency: "USD", reason: "general", status: "needs_response" };
    const first = ledger[0] as LedgerCharge;
    ledger[0] = { ...first, disputes: [{ ...dispute, paymentId: String(first.paymentId) }] };
    ledger.push({ ...first, gatewayId: "pi_late", paymentId, disputes: [] });
    systems.gateway.chargeOutcome = async () => ({ status: "succeeded" });
    systems.gateway.refund = async () => ({ status: "succeeded" });
    await systems.newEvents();
    expect((await run()).map(({ difference, gatewayId }) => [difference, gatewayId])).toStrictEqual([
      ["dispute", "dp_1"],
      ["charge_failed_here", "pi_late"],
    ]);
    expect(await systems.newEventTypes()).toStrictEqual([
      "PaymentDisputed",
      "PaymentSucceeded",
      "RefundStarted",
      "RefundSucceeded",
    ]);
    ledger[1] = {
      ...(ledger[1] as LedgerCharge),
      refunds: [{ gatewayId: "re_1", refundId: `rfd_${paymentId.slice(4)}`, amount: 100_000, status: "succeeded" }],
    };
    expect(await run()).toStrictEqual([]);
  });

  test("a gateway that stops answering ends it; the same again goes on where it was", async () => {
    const { run, ledger, systems, asked, payments } = await paidBookings(3);
    ledger[0] = { ...(ledger[0] as LedgerCharge), amount: 1 };
    const { ledgerPage } = systems.gateway;
    systems.gateway.ledgerPage = async (since, after) => {
      if (after === "2") throw new GatewayUnavailable("down");
      return ledgerPage(since, after);
    };
    await expect(run()).rejects.toThrow(GatewayUnavailable);
    asked.splice(0);
    systems.gateway.ledgerPage = ledgerPage;
    expect((await run()).map(({ paymentId, difference }) => [paymentId, difference])).toStrictEqual([
      [payments[0], "amount_differs"],
    ]);
    expect(asked.map(({ after }) => after)).toStrictEqual(["2"]);
    // It came to its end: the next one begins anew.
    await run();
    expect(asked.map(({ after }) => after)).toStrictEqual(["2", undefined, "1", "2"]);
  });

  test("the last result is kept, that of a run that was ended is none", async () => {
    const { services, ledger } = await paidBookings(1);
    const clock = { now: () => T0 + HOUR, offset: 0 } as never;
    const reconciliation = new Reconciliation({ services: { ...services, logger: silentLogger }, clock });
    const ended = reconciliation.run(T0, { signal: AbortSignal.abort() });
    await expect(ended).rejects.toMatchObject({ name: "AbortError" });
    expect(await reconciliation.summary()).toBeUndefined();
    ledger[0] = { ...(ledger[0] as LedgerCharge), amount: 1 };
    await reconciliation.run(T0);
    expect(await reconciliation.summary()).toBe(
      "reconciled at 2027-01-04T11:00:00.000Z since 2027-01-04T10:00:00.000Z: 1 differences",
    );
  });
});
