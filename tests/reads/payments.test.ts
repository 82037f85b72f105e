import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { listBookingPaymentsOperation, type PaymentBody, paymentSchema } from "@travel-booking/api-contract";
import { DAY, HOUR } from "@travel-booking/domain";
import { created, idsOf, paid, refundStarted, T0, TOTAL, transferStarted } from "./kit/bookings.ts";
import { type ApiReader, errorOf, type ReadService, readAllPages, startReadService } from "./kit/read-service.ts";

const ONE = idsOf(1);
const STREAM = `booking-${ONE.booking}`;
const CARD = { brand: "visa", last4: "4242", expMonth: 12, expYear: 2031 };

let service: ReadService;
let read: ApiReader;
beforeEach(async () => {
  service = await startReadService(T0);
  read = await service.openAccount("acc_1");
  await service.record(STREAM, created(ONE));
});
afterEach(() => service.stop());

describe("a payment", () => {
  test("by its id, with its refunds", async () => {
    await service.record(STREAM, ...paid(ONE, T0));
    const answer = await read(`/v1/payments/${ONE.card}`);
    expect(answer.status).toBe(200);
    expect(paymentSchema.safeParse(answer.body).success).toBe(true);
    expect(answer.text).toContain('"metadata":{"__proto__":"7"}');
    const { metadata: _, ...facts } = answer.body as PaymentBody;
    expect(facts).toStrictEqual({
      id: ONE.card,
      bookingId: ONE.booking,
      status: "succeeded",
      failureCode: null,
      failureMessage: null,
      amount: TOTAL,
      amountRefunded: 0,
      currency: "USD",
      method: { type: "card", card: CARD, wallet: null, bankTransfer: null },
      refunds: [],
      createdAt: "2027-01-03T10:00:00.000Z",
    });
  });

  test("a refund settles by the clock, recorded or not", async () => {
    const settlesAt = T0 + 3 * DAY;
    await service.record(STREAM, ...paid(ONE, T0), refundStarted(ONE, T0, settlesAt));
    const refund = (status: string) => ({
      id: ONE.refund,
      paymentId: ONE.card,
      amount: 400,
      currency: "USD",
      reason: "duplicate",
      status,
      createdAt: "2027-01-03T10:00:00.000Z",
    });
    const shown = async () => {
      const { amountRefunded, refunds } = (await read(`/v1/payments/${ONE.card}`)).body as PaymentBody;
      return { amountRefunded, refunds };
    };
    service.clock.set(settlesAt - 1);
    expect(await shown()).toStrictEqual({ amountRefunded: 400, refunds: [refund("pending")] });
    service.clock.set(settlesAt);
    expect(await shown()).toStrictEqual({ amountRefunded: 400, refunds: [refund("succeeded")] });
  });

  test("a bank transfer fails when it is due, recorded or not", async () => {
    await service.record(STREAM, transferStarted(ONE, T0));
    const shown = async () => {
      const { status, failureCode, method } = (await read(`/v1/payments/${ONE.transfer}`)).body as PaymentBody;
      return { status, failureCode, dueAt: method.bankTransfer?.dueAt };
    };
    const dueAt = "2027-01-06T10:00:00.000Z";
    service.clock.set(T0 + 72 * HOUR - 1);
    expect(await shown()).toStrictEqual({ status: "pending", failureCode: null, dueAt });
    service.clock.set(T0 + 72 * HOUR);
    expect(await shown()).toStrictEqual({ status: "failed", failureCode: "bank_transfer_expired", dueAt });
  });

  test("another account's is not there, nor is one nobody has", async () => {
    await service.record(STREAM, ...paid(ONE, T0));
    const readAsOther = await service.openAccount("acc_2");
    const missing = errorOf(404, "no payment with this id", "Not Found");
    expect((await readAsOther(`/v1/payments/${ONE.card}`)).body).toStrictEqual(missing);
    expect((await read(`/v1/payments/${ONE.transfer}`)).body).toStrictEqual(missing);
    expect((await read(`/v1/payments/${ONE.booking}`)).body).toStrictEqual(missing);
  });
});

describe("the payments of a booking", () => {
  const url = `/v1/bookings/${ONE.booking}/payments`;

  test("newest first, page by page, each as it is now", async () => {
    expect((await read(url)).body).toStrictEqual({ data: [], page: { nextCursor: null, hasMore: false } });
    await service.record(STREAM, transferStarted(ONE, T0), ...paid(ONE, T0 + 1));
    const [card, transfer] = [await read(`/v1/payments/${ONE.card}`), await read(`/v1/payments/${ONE.transfer}`)];
    const answer = await read(url);
    expect(answer.text).toBe(`{"data":[${card.text},${transfer.text}],"page":{"nextCursor":null,"hasMore":false}}`);
    expect(listBookingPaymentsOperation.success.body.safeParse(answer.body).success).toBe(true);
    expect(await readAllPages(read, `${url}?limit=1`)).toStrictEqual([[card.body], [transfer.body]]);
  });

  test("another account's booking is not there", async () => {
    const readAsOther = await service.openAccount("acc_2");
    expect((await readAsOther(url)).body).toStrictEqual(errorOf(404, "no booking with this id", "Not Found"));
  });
});

describe("a credential's own writes", () => {
  test("are waited for", async () => {
    await service.recordAs("crd_acc_1", STREAM, ...paid(ONE, T0));
    expect((await read(`/v1/payments/${ONE.card}`)).status).toBe(200);
    await service.recordAs("crd_acc_1", `booking-${idsOf(2).booking}`, created(idsOf(2)));
    const { data } = (await read("/v1/bookings")).body as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toStrictEqual([idsOf(2).booking, ONE.booking]);
  });
});
