import { setImmediate } from "node:timers/promises";
import { type BookingBody, type PaymentBody, type RefundBody, timestamp } from "@travel-booking/api-contract";
import { bookingIdOfRefund, DAY, type Instant, writtenAmount } from "@travel-booking/domain";
import { pagesOf } from "@travel-booking/engines/read-store";
import { OperatorError, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import {
  ALL_PARTITION,
  BOOKINGS,
  type BookingReportRow,
  boundsOfBookings,
  FLIGHTS,
  type FlightLoad,
  findCurrentBooking,
  findFlightSeats,
  jsonOfPayments,
  jsonOfRefunds,
  jsonOwnedBy,
  type PaymentReportRow,
  type PeriodTotals,
  type RefundReportRow,
  type ReportTotals,
  type Sum,
  timeSortKey,
} from "@travel-booking/read-models";
import { AttemptLog, type LoggedAttempt } from "@travel-booking/webhooks/deliveries";
import { z } from "zod";
import { loadOf } from "./flights.ts";
import { type OperatorServices, parse } from "./operator-services.ts";
import { accountsIn } from "./search.ts";

/** Rows that are read at a time, at first. */
const PAGE = 100;
/** Rows, pages that are read for them, and deliveries, as many as are counted for one answer: half a minute at most. */
const MOST_COUNTED = 200_000;
const MOST_PERIODS = 400;
const TOO_LONG = `to must be less than ${MOST_PERIODS} days after from, or less than ${MOST_PERIODS} months by month`;
const MOST_FLIGHTS = 30;

const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const asked = z
  .strictObject({ from: moment, to: moment, by: z.enum(["day", "month"]).default("day") })
  .refine(({ from, to }) => from < to, { path: ["to"], message: "must be after from" });

/** From `from` on, before `to`. */
type Period = Pick<z.infer<typeof asked>, "from" | "to">;
type ReportServices = Pick<OperatorServices, "store" | "clock" | "state"> & {
  readonly models: Pick<OperatorServices["models"], "page" | "document">;
};
/** Reads what an account has of a period, as it is now. */
type Read<Row> = (services: ReportServices, period: Period, accountId: string) => AsyncGenerator<readonly Row[]>;

/** `report bookings`, `payments`, `refunds`, and their totals; how full the next flights are. */
export function reportRoutes(services: OperatorServices): readonly OperatorRoute[] {
  const { waitUntilProjected, store } = services;
  const lists = Object.entries({ bookings, payments, refunds }).map(
    ([name, read]: [string, Read<MoneyRow>]): OperatorRoute => ({
      method: "GET",
      path: `/operator/reports/${name}`,
      async lines({ query, closed }) {
        const period = parse(asked, query);
        await waitUntilProjected(await store.head());
        return written(ofAllAccounts(services, read, period, () => closed.aborted));
      },
    }),
  );
  return [
    ...lists,
    operatorRoute("GET", "/operator/reports/totals", async ({ query, closed }) => {
      const { by, ...period } = parse(asked, query);
      await waitUntilProjected(await store.head());
      return totalsOf(services, period, by, closed);
    }),
    operatorRoute("GET", "/operator/reports/loads", async () => {
      await waitUntilProjected(await store.head());
      return { data: await loads(services) };
    }),
  ];
}

type MoneyRow = BookingReportRow | PaymentReportRow | RefundReportRow;

/** Rows with their amounts as people write them. */
async function* written(pages: AsyncIterable<readonly MoneyRow[]>): AsyncGenerator<object> {
  for await (const page of pages)
    for (const row of page) yield { ...row, amount: writtenAmount(row.amount, row.currency) };
}

/** Account by account, oldest first, until it is enough. Requests get their turn. */
async function* ofAllAccounts<Row>(
  services: ReportServices,
  read: Read<Row>,
  period: Period,
  isEnough: () => boolean,
): AsyncGenerator<readonly Row[]> {
  for (const { id } of await accountsIn(services.models)) {
    if (isEnough()) return;
    for await (const page of read(services, period, id)) {
      if (isEnough()) return;
      yield page;
      await setImmediate();
    }
    await setImmediate();
  }
}

const bookings: Read<BookingReportRow> = async function* ({ models, store, clock }, { from, to }, accountId) {
  const { model, byAccount: index } = BOOKINGS.booking;
  const end = (await store.head()) + 1n;
  const bounds = await boundsOfBookings(models, accountId, { from, before: to }, end);
  const list = { index, partition: accountId, order: "ascending", limit: PAGE, ...bounds } as const;
  for await (const page of pagesOf(models, model, list)) {
    const rows: BookingReportRow[] = [];
    for (const { json, staleAt } of page) {
      const stored = JSON.parse(jsonOwnedBy(accountId, json) ?? json) as BookingBody;
      const { createdAt, id, flightId, cabin, passengers, reference = null, totalAmount: amount, currency } = stored;
      if (Date.parse(createdAt) < from || Date.parse(createdAt) >= to) continue;
      const now = clock.now();
      const isStale = staleAt !== null && staleAt <= now;
      const { status } = (isStale && (await findCurrentBooking(models, accountId, id, now))) || stored;
      const booked = { createdAt, id, accountId, status, flightId, cabin, passengers: passengers.length };
      rows.push({ ...booked, reference, amount, currency });
    }
    yield rows;
  }
};

/** Those that were withdrawn are none. */
const payments: Read<PaymentReportRow> = async function* (services, period, accountId) {
  for await (const page of begunIn<PaymentBody>(services, BOOKINGS.payment, jsonOfPayments, period, accountId))
    yield page.map(({ createdAt, id, bookingId, method, status, amount, currency }) => {
      return { createdAt, id, bookingId, accountId, method: method.type, status, amount, currency };
    });
};

const refunds: Read<RefundReportRow> = async function* (services, period, accountId) {
  for await (const page of begunIn<RefundBody>(services, BOOKINGS.refundPlace, jsonOfRefunds, period, accountId))
    yield page.map(({ createdAt, id, status, amount, currency, paymentId, reason }) => {
      const bookingId = bookingIdOfRefund(id) ?? "";
      return { createdAt, id, bookingId, accountId, status, amount, currency, paymentId, reason };
    });
};

/** What an account has begun in a period, as much at a time as is read together. */
async function* begunIn<Body>(
  { models, clock }: ReportServices,
  { model, byAccount: index }: { readonly model: string; readonly byAccount: string },
  read: typeof jsonOfPayments,
  { from, to }: Period,
  partition: string,
): AsyncGenerator<readonly Body[]> {
  const bounds = { from: timeSortKey(from), before: timeSortKey(to) };
  const list = { index, partition, order: "ascending", limit: PAGE, ...bounds } as const;
  for await (const page of pagesOf(models, model, list)) {
    for (let ids = page.map(({ key }) => key); ids.length > 0; ) {
      const { json: found } = await read(models, partition, ids, clock.now());
      ids = ids.slice(found.length);
      yield found.flatMap((json) => (json === undefined ? [] : [JSON.parse(json) as Body]));
    }
  }
}

interface Counted {
  bookings: number;
  readonly paid: Map<string, number>;
  readonly refunded: Map<string, number>;
  delivered: number;
  notDelivered: number;
}

/** Counts what the reports list, by day or month, and deliveries as far as they are logged. */
async function totalsOf(
  services: ReportServices,
  period: Period,
  by: "day" | "month",
  closed: AbortSignal,
): Promise<ReportTotals> {
  const nameOf = (at: string | Instant) => new Date(at).toISOString().slice(0, by === "day" ? 10 : 7);
  const counted = new Map<string, Counted>();
  for (let at = period.from; at < period.to + DAY; at += DAY) {
    counted.set(nameOf(Math.min(at, period.to - 1)), none());
    if (counted.size > MOST_PERIODS) throw new OperatorError(400, TOO_LONG);
  }
  let left = MOST_COUNTED;
  const isEnough = () => closed.aborted || left <= 0;
  const { models } = services;
  // An account that has nothing costs as many reads as others.
  const counting: ReportServices["models"] = {
    document: (...asked) => models.document(...asked),
    page(...asked) {
      left -= 1;
      return models.page(...asked);
    },
  };
  const count = async <Row extends { readonly createdAt: string | Instant }>(
    rows: AsyncIterable<readonly Row[]>,
    add: (to: Counted, row: Row) => void,
  ) => {
    for await (const page of rows) {
      left -= page.length;
      for (const row of page) add(counted.get(nameOf(row.createdAt)) ?? none(), row);
    }
  };
  const all = <Row>(read: Read<Row>) => ofAllAccounts({ ...services, models: counting }, read, period, isEnough);
  await count(all(bookings), (to) => {
    to.bookings += 1;
  });
  await count(all(payments), ({ paid }, row) => row.status === "succeeded" && addTo(paid, row));
  await count(all(refunds), ({ refunded }, row) => addTo(refunded, row));
  await count(attempts(services, period, isEnough), (to, { createdAt, status }) => {
    if (createdAt >= period.from && createdAt < period.to)
      to[status === "succeeded" ? "delivered" : "notDelivered"] += 1;
  });
  const sums = (of: Counted["paid"]): readonly Sum[] => Array.from(of, ([currency, amount]) => ({ currency, amount }));
  return {
    isAll: left > 0,
    periods: Array.from(
      counted,
      ([name, { paid, refunded, ...numbers }]): PeriodTotals => ({
        period: name,
        ...numbers,
        paid: sums(paid),
        refunded: sums(refunded),
      }),
    ),
  };
}

function none(): Counted {
  return { bookings: 0, paid: new Map(), refunded: new Map(), delivered: 0, notDelivered: 0 };
}

function addTo(sums: Map<string, number>, { currency, amount }: Sum): void {
  sums.set(currency, (sums.get(currency) ?? 0) + amount);
}

/** Attempts to deliver events, as many as the log keeps; each page may have others, too. */
async function* attempts({ state }: ReportServices, { from }: Period, isEnough: () => boolean) {
  const log = new AttemptLog(state);
  for await (const endpointId of log.endpoints()) {
    let page: readonly LoggedAttempt[];
    let after: string | undefined;
    do {
      if (isEnough()) return;
      page = await log.page(endpointId, { after, limit: PAGE });
      yield page.map(({ attempt: { deliveredAt: createdAt, status } }) => ({ createdAt, status }));
      after = page.at(-1)?.sort;
      await setImmediate();
    } while (page.length === PAGE && (page.at(-1)?.attempt.deliveredAt ?? 0) >= from);
  }
}

/** The flights that depart next. */
async function loads({ models, clock }: Pick<OperatorServices, "models" | "clock">): Promise<readonly FlightLoad[]> {
  const { model, byDeparture: index } = FLIGHTS.flight;
  const now = clock.now();
  const next = {
    index,
    partition: ALL_PARTITION,
    order: "ascending",
    limit: MOST_FLIGHTS,
    from: timeSortKey(now),
  } as const;
  const found: FlightLoad[] = [];
  for (const { key: id } of await models.page(model, next)) {
    await setImmediate();
    const seats = await findFlightSeats(models, id);
    if (seats === undefined || seats.sale === "cancelled") continue;
    const sum = (field: "seats" | "blocked" | "booked" | "held" | "left") =>
      cabins.reduce((total, cabin) => total + cabin[field], 0);
    const cabins = loadOf(seats, now);
    const departsAt = timestamp(seats.plan.departsAt);
    found.push({
      id,
      departsAt,
      seats: sum("seats") - sum("blocked"),
      booked: sum("booked"),
      held: sum("held"),
      left: sum("left"),
    });
  }
  return found;
}
