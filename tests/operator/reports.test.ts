import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { ReportTotals } from "@travel-booking/read-models";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { Client, expectStatus } from "../end-to-end/kit/client.ts";
import { DESTINATIONS, flightOf, importCatalogue } from "../end-to-end/kit/world.ts";
import { operatorCli, operatorJson } from "../support/operator-cli.ts";
import { Service } from "../support/service.ts";

/** What was booked, paid and paid back in a time (docs/operations.md#reports). */

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
  service = await Service.start({
    env: { RATE_LIMIT_PER_MINUTE: "0", SANDBOX_CLOCK: "true", WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" },
  });
  await importCatalogue(service, {
    destinations: [DESTINATIONS[0]],
    flights: [
      flightOf({ id: "FULL", departsIn: 40 }, Date.now()),
      flightOf({ id: "EMPTY", departsIn: 41 }, Date.now()),
    ],
  });
});
afterAll(async () => {
  await service.discard();
  await receiver.stop();
});

const run = (...line: readonly string[]) => operatorCli({ DATA_DIR: service.dataDir }, ...line);
const cli = <Value>(...line: readonly string[]) => operatorJson<Value>({ DATA_DIR: service.dataDir }, ...line);
const clock = () => cli<{ readonly now: string }>("clock", "show");
/** The rows of a CSV table, by the names in its first line. None of these cells has a comma. */
const rowsOf = (csv: string) => {
  const [names = [], ...rows] = csv
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]])));
};
const sum = (rows: readonly Record<string, string | undefined>[]) =>
  Math.round(100 * rows.reduce((total, { amount }) => total + Number(amount), 0));

test("what was booked, paid and paid back in a time is listed, and the totals are those of the lists", async () => {
  const [one, two] = [
    new Client(service.baseUrl, await service.newApiKey()),
    new Client(service.baseUrl, await service.newApiKey()),
  ];
  expectStatus(201, await one.post("/v1/webhook-endpoints", { url: receiver.url, events: ["payment.succeeded"] }));
  const early = await one.paidBooking("FULL", { reference: "=1+1" });
  await receiver.until(() => receiver.received.length > 0);
  const { now: first } = await clock();
  await cli("clock", "advance", "40h");
  const late = await two.paidBooking("FULL");
  const { id: unpaid } = await two.newBooking("FULL");
  expectStatus(201, await two.pay(unpaid, { type: "card", token: "tok_declined_card_declined" }));
  // The payment was before, the refund is not.
  const refund = { amount: 1_050, reason: "requested_by_customer" };
  const { id: refundId } = expectStatus(
    201,
    await one.post<{ id: string }>(`/v1/payments/${early.payment.id}/refunds`, refund, { "Idempotency-Key": "refund" }),
  );
  const { now: second } = await clock();

  const between = ["--from", first, "--to", second];
  const lists = async (...period: string[]) => {
    const [bookings, payments, refunds] = await Promise.all(
      ["bookings", "payments", "refunds"].map(async (kind) => rowsOf((await run("report", kind, ...period)).stdout)),
    );
    return { bookings: bookings ?? [], payments: payments ?? [], refunds: refunds ?? [] };
  };
  const found = await lists(...between);
  expect(found.bookings.map(({ id, status }) => [id, status])).toStrictEqual([
    [late.booking.id, "confirmed"],
    [unpaid, "pending"],
  ]);
  expect(found.payments.map(({ bookingId, status, method }) => [bookingId, status, method])).toStrictEqual([
    [late.booking.id, "succeeded", "card"],
    [unpaid, "failed", "card"],
  ]);
  expect(found.refunds.map(({ id, bookingId, amount }) => [id, bookingId, amount])).toStrictEqual([
    [refundId, early.booking.id, "10.50"],
  ]);
  for (const kind of ["bookings", "payments", "refunds"]) {
    const [row = ""] = (await run("report", kind, ...between, "--json")).stdout.split("\n");
    const [columns] = (await run("report", kind, "--from", second)).stdout.split("\n");
    expect(columns).toBe(Object.keys(JSON.parse(row)).join(","));
  }
  const all = await lists("--from", "7d", "--to", second);
  expect(all.bookings.map(({ reference }) => reference)).toStrictEqual(["'=1+1", "", ""]);
  expect((await lists("--from", second)).payments).toStrictEqual([]);

  const { isAll, periods } = await cli<ReportTotals>("report", "totals", "--from", "7d", "--to", second);
  const added = (name: "paid" | "refunded") =>
    periods.flatMap((each) => each[name]).reduce((total, { amount }) => total + amount, 0);
  expect([isAll, periods.reduce((total, { bookings }) => total + bookings, 0)]).toStrictEqual([true, 3]);
  expect(added("paid")).toBe(sum(all.payments.filter(({ status }) => status === "succeeded")));
  expect(added("refunded")).toBe(sum(all.refunds));
  const dayOf = (at: string) => periods.find(({ period }) => period === at.slice(0, 10));
  expect(dayOf(early.payment.createdAt)).toStrictEqual({
    ...{ period: first.slice(0, 10), bookings: 1, delivered: 1, notDelivered: 0, refunded: [] },
    paid: [{ currency: "USD", amount: early.payment.amount }],
  });
  const byMonth = await cli<ReportTotals>("report", "totals", "--from", "7d", "--to", second, "--by", "month");
  expect(byMonth.periods.every(({ period }) => /^\d{4}-\d\d$/.test(period))).toBe(true);
  expect((await run("report", "totals", "--from", "7d")).stdout).toContain("USD 10.50");
  expect((await run("report", "refunds", "--from", "7d", "--format", "table")).stdout).toMatch(/^createdAt +id /);
});

test("the next flights, with how full they are", async () => {
  const rows = await cli<readonly Record<string, unknown>[]>("report", "loads");
  expect(rows.map(({ id, booked, held }) => [id, booked, held])).toStrictEqual([
    ["FULL", 3, 0],
    ["EMPTY", 0, 0],
  ]);
  const [{ seats, booked, held, left } = {}] = rows;
  expect(Number(booked) + Number(held) + Number(left)).toBe(seats);
});

test("a time that ends before it begins, or has too many days, is refused", async () => {
  const refused = async (...line: string[]) => (await run("report", ...line)).stderr.trim();
  expect(await refused("bookings", "--from", "2026-02-01", "--to", "2026-01-01")).toBe("to must be after from");
  const days = ["--from", "2020-01-01", "--to", "2026-01-01"];
  expect(await refused("totals", ...days)).toBe(
    "to must be less than 400 days after from, or less than 400 months by month",
  );
  expect(await refused("totals", ...days, "--by", "month")).toBe("");
});
