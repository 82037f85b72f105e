import { expect, test } from "@jest/globals";
import { MINUTE } from "@travel-booking/domain";
import type { PageItem, PageRequest } from "@travel-booking/engines/read-store";
import { positionSort } from "@travel-booking/engines/read-store";
import {
  ACCOUNTS,
  BOOKINGS,
  type BookingReportRow,
  type RefundReportRow,
  type ReportTotals,
  type StoredSegment,
  storeSegment,
  timeSortKey,
} from "@travel-booking/read-models";
import { reportRoutes } from "../../src/operator/reports.ts";
import { ADA, party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** What was booked, paid and paid back in a time (docs/rules.md#reports). */

type Lists = Readonly<Record<string, readonly (Pick<PageItem, "key" | "sort"> & Partial<PageItem>)[]>>;

const PERIOD = { from: new Date(T0 - MINUTE).toISOString(), to: new Date(T0 + MINUTE).toISOString() };
const accountsOf = (ids: readonly string[]): Lists => ({
  [ACCOUNTS.account.model]: ids.map((id) => ({ key: id, sort: id, json: JSON.stringify({ id }) })),
});

/** Reports of these lists, each of one page; what was read of them, and which bookings. */
function reportsOf(lists: Lists, { now = T0, state = {} as StoredSegment | object } = {}) {
  const pages = { read: 0 };
  const documents: string[] = [];
  const models = {
    async page(model: string, { from = "", before, after }: PageRequest) {
      pages.read += 1;
      const list = after === undefined ? (lists[model] ?? []) : [];
      return list.filter(({ sort }) => sort >= from && (before === undefined || sort < before));
    },
    async document(_: string, key: string) {
      documents.push(key);
      return { state, size: 1 };
    },
  };
  const services = {
    ...{ models, clock: { now: () => now }, store: { head: async () => 1_000_000n } },
    state: { list: async () => [] },
    waitUntilProjected: async () => undefined,
  };
  const route = (name: string) => reportRoutes(services as never).find(({ path }) => path.endsWith(name));
  const asked = { query: PERIOD, closed: new AbortController().signal } as never;
  async function rows(name: string): Promise<readonly unknown[]> {
    const found = route(name);
    if (found === undefined || !("lines" in found)) throw new Error(`no report ${name}`);
    return Array.fromAsync((await found.lines(asked)) as AsyncIterable<unknown>);
  }
  async function totals(): Promise<ReportTotals> {
    const found = route("totals");
    if (found === undefined || !("answer" in found)) throw new Error("no totals");
    return (await found.answer(asked)) as ReportTotals;
  }
  return { pages, documents, rows, totals };
}

/** A booking as the read models have it. */
async function stored({ systems }: Service, id: string): Promise<StoredSegment> {
  const events = (await systems.log()).filter(({ stream }) => stream === `booking-${id}`);
  return storeSegment({ start: null, events: events as never });
}

/** A booking that was paid, and of which two parts were paid back. */
async function refunded() {
  const service = await Service.start();
  const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
  const { body: payment } = await service.pay(booking.id);
  const refundIds: string[] = [];
  for (const amount of [100, 200]) refundIds.push((await service.refund(payment.id, { amount })).body.id);
  return { id: booking.id, refundIds, state: await stored(service, booking.id) };
}

test("an account with nothing costs a read of each list, or two", async () => {
  const { pages, totals } = reportsOf(accountsOf(["acc_1"]));
  expect((await totals()).isAll).toBe(true);
  const listed = pages.read;
  const more = reportsOf(accountsOf(["acc_1", "acc_2"]));
  await more.totals();
  expect(more.pages.read - listed).toBe(5);
});

test("an account whose bookings were all before costs no more", async () => {
  const json = JSON.stringify([ADA, { createdAt: new Date(0).toISOString() }]);
  const before: Lists = {
    ...accountsOf([ADA]),
    [BOOKINGS.booking.model]: [{ key: "bkg_1", sort: positionSort(7n), json }],
  };
  const [none, some] = [reportsOf(accountsOf([ADA])), reportsOf(before)];
  await none.totals();
  await some.totals();
  expect(some.pages.read).toBe(none.pages.read);
});

test("totals end after so many reads, and say so", async () => {
  const { pages, totals } = reportsOf(accountsOf(Array.from({ length: 70_000 }, (_, at) => `acc_${at}`)));
  expect((await totals()).isAll).toBe(false);
  expect(pages.read).toBeLessThan(201_000);
});

test("the refunds of a booking are read with it once", async () => {
  const { id, refundIds, state } = await refunded();
  const places = refundIds.map((key) => ({ key, sort: timeSortKey(T0, key) }));
  const lists = { ...accountsOf([ADA]), [BOOKINGS.refundPlace.model]: places };
  const { rows, documents } = reportsOf(lists, { state });
  const found = (await rows("refunds")) as readonly RefundReportRow[];
  expect(found.map((row) => [row.id, row.bookingId, row.amount])).toStrictEqual([
    [refundIds[0], id, "1.00"],
    [refundIds[1], id, "2.00"],
  ]);
  expect(documents).toStrictEqual([id]);
});

test("a booking that has expired is listed so, recorded or not", async () => {
  const service = await Service.start();
  const { body: booking } = await service.book({ passengers: party(1) });
  const state = await stored(service, booking.id);
  const staleAt = Number((state.events[0]?.[1] as { readonly expiresAt?: number } | undefined)?.expiresAt);
  const item = { key: booking.id, sort: positionSort(7n), json: JSON.stringify([ADA, booking]), staleAt };
  const lists = { ...accountsOf([ADA]), [BOOKINGS.booking.model]: [item] };
  const statusAt = async (now: number) =>
    ((await reportsOf(lists, { now, state }).rows("bookings")) as readonly BookingReportRow[]).map((row) => row.status);
  expect([await statusAt(staleAt - 1), await statusAt(staleAt)]).toStrictEqual([["pending"], ["cancelled"]]);
});
