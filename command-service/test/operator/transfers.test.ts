import { beforeEach, describe, expect, test } from "@jest/globals";
import { writtenAmount } from "@travel-booking/domain";
import { OperatorError } from "@travel-booking/http/operator";
import { transferRoutes } from "../../src/operator/transfers.ts";
import { party } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** As a former release has kept an entry. */
const TAKEN = "transfer-entries";

let service: Service;
let bookingId: string;
let reference: string;
let paymentId: string;
let total: number;
/** What `transfer list` shows. */
let rows: readonly { readonly id: string }[];

beforeEach(async () => {
  service = await Service.start();
  const { body: booking } = await service.book({ passengers: party(1) });
  const { body: payment } = await service.transfer(booking.id);
  bookingId = booking.id;
  paymentId = payment.id;
  total = payment.amount;
  rows = [];
  reference = payment.method.bankTransfer?.reference ?? "";
  await service.systems.newEvents();
});

const receive = (body: object) => ask("/operator/transfers", body).then(({ status }) => status);

/** The answer, and 200 or what is refused with. */
async function ask(
  path: string,
  body: object,
  repeated = false,
): Promise<{ readonly status: number; readonly answer?: unknown }> {
  const { systems, services } = service;
  const target = { accountId: "acc_ada", bookingId, paymentId };
  const routes = transferRoutes({
    ...services,
    state: systems.state,
    payerTexts: { keep: async () => undefined, forget: async () => undefined },
    store: { head: async () => 0n },
    models: {
      document: async (_: string, key: string) => (key === reference ? { state: target } : undefined),
      page: async () => rows.map((row) => ({ sort: row.id, json: JSON.stringify(row) })),
    },
    waitUntilProjected: async () => undefined,
  } as never);
  const command = { commandId: "019ad5f0-0000-7000-8000-000000000000", repeated };
  const asked = {
    params: { id: "e1" },
    query: {},
    operator: "operator",
    requestId: "r1",
    closed: new AbortController().signal,
  };
  const route = routes.find((each) => each.path === path && each.method === "POST");
  if (route === undefined || "lines" in route) throw new Error("there is no such route");
  try {
    return { status: 200, answer: await route.answer({ ...asked, command, body }) };
  } catch (error) {
    if (error instanceof OperatorError) return { status: error.status, answer: error.message };
    throw error;
  }
}

describe("an entry that a former release has taken", () => {
  test("is the same only with what its booking has counted", async () => {
    await service.systems.state.create(TAKEN, "e1", { reference });
    const counted = { entryId: "e1", reference, amount: 1_000, currency: "USD" };
    await service.onBooking(bookingId, { type: "ReceiveTransfer", ...counted });
    await service.systems.newEvents();
    expect(await receive(counted)).toBe(200);
    expect(await receive({ entryId: "e1", reference, amount: 1_000 })).toBe(200);
    expect(await receive({ ...counted, amount: 1_001 })).toBe(409);
    expect(await receive({ ...counted, currency: "EUR" })).toBe(409);
    expect(await receive({ ...counted, reference: "RF18539007547034" })).toBe(409);
    expect(await service.systems.newEvents()).toStrictEqual([]);
  });

  test("and whose booking a crash kept from it is counted now", async () => {
    await service.systems.state.create(TAKEN, "e1", { reference });
    expect(await receive({ entryId: "e1", reference, amount: 1_000 })).toBe(200);
    expect(await service.systems.newEventTypes()).toStrictEqual(["TransferReceived"]);
  });
});

test.each([
  { entryId: "." },
  { entryId: ".." },
  { entryId: "a/b" },
  { entryId: `ret_${"0".repeat(32)}_e1` },
  { currency: "ZZZ" },
  { amount: 0 },
])("%j is refused", async (change) => {
  expect(await receive({ entryId: "e1", reference, amount: 1_000, ...change })).toBe(400);
  expect(await service.systems.newEvents()).toStrictEqual([]);
});

test("the same sum without the bank's id counts once, until the id says that it is another entry", async () => {
  expect(await receive({ reference, sum: "10.00" })).toBe(200);
  await service.systems.newEvents();
  const entryId = `${reference}-1000-USD`;
  for (const [path, body] of [
    ["/operator/transfers", { reference: ` ${reference.toLowerCase()}`, amount: 1_000, currency: "USD" }],
    ["/operator/transfers/preview", { reference, sum: "10.00" }],
  ] as const) {
    expect(await ask(path, body)).toStrictEqual({
      status: 409,
      answer: `entryId is required: the same sum has come for this transfer before (${entryId})`,
    });
  }
  expect(await service.systems.newEvents()).toStrictEqual([]);
  expect(await receive({ reference, sum: "10.00", entryId: "e2" })).toBe(200);
  expect(await receive({ reference, sum: "10.01" })).toBe(200);
});

test("a reversal is shown as what the entry is by then: received again, its money may be to return", async () => {
  expect(await receive({ entryId: "e1", reference, amount: 1_000 })).toBe(200);
  rows = [{ id: `ret_${bookingId.slice(4)}_e1` }];
  const answer = await ask("/operator/transfers/:id/reverse", { reason: "mistyped" });
  expect(answer).toStrictEqual({ status: 200, answer: rows[0] });
});

test("the same command once more is no other entry", async () => {
  expect(await receive({ reference, sum: "10.00" })).toBe(200);
  expect((await ask("/operator/transfers", { reference, sum: "10.00" }, true)).status).toBe(200);
});

describe("what would happen", () => {
  const preview = (body: object) => ask("/operator/transfers/preview", body);
  let usd: object;

  beforeEach(() => {
    const match = { names: 1, bookingId, reference, currency: "USD", receivedBefore: false, total };
    usd = { ...match, arrived: 0, applied: 0, stillToCome: total, toReturn: 0, cause: null };
  });

  test("is told of a part, of too much, of another currency, and nothing is recorded", async () => {
    const written = writtenAmount(total, "USD");
    expect(await preview({ reference, sum: "9.05" })).toStrictEqual({
      status: 200,
      answer: { ...usd, amount: 905, applied: 905, stillToCome: total - 905 },
    });
    const more = { amount: total + 1, applied: total, stillToCome: 0, toReturn: 1, cause: "excess" };
    expect((await preview({ reference, amount: total + 1 })).answer).toStrictEqual({ ...usd, ...more });
    expect((await preview({ reference, sum: written, currency: "EUR" })).answer).toStrictEqual({
      ...usd,
      ...{ amount: total, currency: "EUR", toReturn: total, cause: "wrong_currency" },
    });
    expect(await service.systems.newEvents()).toStrictEqual([]);
  });

  test("is told of money that would match nothing", async () => {
    const nothing = { bookingId: null, reference: null, total: null, stillToCome: 0 };
    expect((await preview({ reference: "for the trip", sum: "5.00", currency: "USD" })).answer).toStrictEqual({
      ...usd,
      ...{ ...nothing, names: 0, amount: 500 },
    });
  });

  test("is nothing for an entry that was received before, and a refusal for one that was received otherwise", async () => {
    expect(await receive({ entryId: "e1", reference, amount: 1_000 })).toBe(200);
    const { answer } = await preview({ entryId: "e1", reference, amount: 1_000 });
    expect((answer as { receivedBefore: boolean }).receivedBefore).toBe(true);
    expect((await preview({ entryId: "e1", reference, amount: 1_001 })).status).toBe(409);
  });
});

test.each([
  [{ sum: "9,05" }, "sum must be an amount in USD such as 905.00"],
  [{ sum: "905.0" }, "sum must be an amount in USD such as 905.00"],
  [{ sum: "905.00", currency: "JPY" }, "sum must be an amount in JPY such as 905"],
  [{ sum: "905.00", amount: 90_500 }, "sum or amount is required, one of them"],
  [{}, "sum or amount is required, one of them"],
  [{ sum: "905.00", reference: "for the trip" }, "currency is required where the reference names no transfer"],
])("%j is refused by its field", async (change, message) => {
  expect(await ask("/operator/transfers", { reference, ...change })).toStrictEqual({ status: 400, answer: message });
  expect(await service.systems.newEvents()).toStrictEqual([]);
});
