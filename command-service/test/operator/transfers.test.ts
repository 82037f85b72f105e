import { beforeEach, describe, expect, test } from "@jest/globals";
import { OperatorError } from "@travel-booking/http/operator";
import { transferRoutes } from "../../src/operator/transfers.ts";
import { party } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** As a former release has kept an entry. */
const TAKEN = "transfer-entries";

let service: Service;
let bookingId: string;
let reference: string;

beforeEach(async () => {
  service = await Service.start();
  const { body: booking } = await service.book({ passengers: party(1) });
  const { body: payment } = await service.transfer(booking.id);
  bookingId = booking.id;
  reference = payment.method.bankTransfer?.reference ?? "";
  await service.systems.newEvents();
});

/** 200, or what is refused with. */
async function receive(body: object): Promise<number> {
  const { systems, services } = service;
  const target = { accountId: "acc_ada", bookingId, paymentId: "pay_1" };
  const [route] = transferRoutes({
    ...services,
    state: systems.state,
    payerTexts: { keep: async () => undefined, forget: async () => undefined },
    store: { head: async () => 0n },
    models: {
      document: async (_: string, key: string) => (key === reference ? { state: target } : undefined),
      page: async () => [],
    },
    waitUntilProjected: async () => undefined,
  } as never);
  const command = { commandId: "019ad5f0-0000-7000-8000-000000000000", repeated: false };
  const asked = { params: {}, query: {}, operator: "operator", requestId: "r1", closed: new AbortController().signal };
  if (route === undefined || "lines" in route) throw new Error("there is no such route");
  try {
    await route.answer({ ...asked, command, body });
    return 200;
  } catch (error) {
    if (error instanceof OperatorError) return error.status;
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
