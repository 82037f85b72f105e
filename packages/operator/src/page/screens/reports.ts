import { type Html, html } from "@travel-booking/http/html";
import type { FlightLoad, PeriodTotals, ReportTotals, Sum } from "@travel-booking/read-models";
import { csvLines } from "../../csv.ts";
import { money } from "../../money.ts";
import { REPORT_COLUMNS } from "../../reports.ts";
import { chart } from "../chart.ts";
import { choice, field } from "../forms.ts";
import { link, section, sectionOf, share, table, time } from "../parts.ts";
import type { File, Screen, Visit } from "../screen.ts";
import { flightLink } from "./flight.ts";

const KINDS = ["bookings", "payments", "refunds"] as const;
const DAY_MS = 86_400_000;
const DAYS_AT_FIRST = 30;

/** What there was in a time, as charts, and the tables that they sum up. */
export const reports: Screen = {
  path: "/reports",
  title: "Reports",
  async view({ api, query }) {
    const { now } = await api.get<{ now: string }>("/operator/clock");
    const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
    const {
      from = dayOf(Date.parse(now) - (DAYS_AT_FIRST - 1) * DAY_MS),
      to = dayOf(Date.parse(now)),
      by = "day",
    } = query;
    const time = timeOf(from, to);
    const totals = async () =>
      charts(await api.get<ReportTotals>(`/operator/reports/totals?${time}&by=${encodeURIComponent(by)}`));
    const day = html`required type="date"`;
    return html`<form class="filters" method="get">${field("first day (UTC)", "from", day, from)}${field("last day", "to", day, to)}${choice("by", "by", ["day", "month"], by)}<button>Show</button></form><p>All of it as CSV tables: ${KINDS.map((kind) => html`${link(`/reports/${kind}.csv?${time}`, kind)} `)}</p>
${await totals().catch((error: Error) => html`<p class="problem">${error.message}</p>`)}
${await sectionOf("The next departures", async () => loads(await api.list("/operator/reports/loads")), false)}`;
  },
};

/** As the operator interface takes it, where the last day counts as a whole. What is no day is for it to refuse. */
function timeOf(from: string, to: string): string {
  const end = Date.parse(to) + DAY_MS;
  const moment = (at: number, text: string) => (Number.isNaN(at) ? text : new Date(at).toISOString());
  return String(new URLSearchParams({ from: moment(Date.parse(from), from), to: moment(end, to) }));
}

function charts({ isAll, periods: counted }: ReportTotals): Html {
  const periods = counted.map(({ period }) => period);
  const of = (name: string, count: (counts: PeriodTotals) => number) => ({ name, values: counted.map(count) });
  const number = (value: number) => value.toLocaleString("en");
  const currencies = [
    ...new Set(counted.flatMap(({ paid, refunded }) => [...paid, ...refunded].map(({ currency }) => currency))),
  ];
  const amountIn = (sums: readonly Sum[], wanted: string) =>
    sums.find(({ currency }) => currency === wanted)?.amount ?? 0;
  const bookings = chart({ periods, up: of("bookings made", ({ bookings }) => bookings), show: number });
  const deliveries = chart({
    periods,
    up: of("attempts succeeded", ({ delivered }) => delivered),
    down: of("failed", ({ notDelivered }) => notDelivered),
    show: number,
  });
  const revenue = currencies.toSorted().map((currency) =>
    section(
      `Money, ${currency}`,
      chart({
        periods,
        up: of("paid", ({ paid }) => amountIn(paid, currency)),
        down: of("paid back", ({ refunded }) => amountIn(refunded, currency)),
        show: (value) => money(value, currency),
      }),
      false,
    ),
  );
  const rest = html`<p class="problem">There is too much: not all of it is counted. Choose a shorter time.</p>`;
  return html`${isAll ? undefined : rest}<div class="tiles charts">${revenue}${section("Bookings", bookings, false)}${section("Webhooks", html`${deliveries}<p class="hint">Of the newest 10,000 attempts of each endpoint.</p>`, false)}</div>`;
}

function loads(flights: readonly FlightLoad[]): Html {
  return table(
    ["flight", "departs", "load", "seats"],
    flights.map(({ id, departsAt, seats, booked, held, left }) => [
      flightLink(id),
      time(departsAt),
      share(booked, seats),
      `${booked} booked, ${held} held, ${left} left`,
    ]),
    "No flight departs.",
  );
}

export const reportFiles: readonly File[] = KINDS.map((kind) => ({
  path: `/reports/${kind}.csv`,
  type: "text/csv",
  nameOf: ({ query: { from = "", to = "" } }: Visit) => `${kind} ${from.slice(0, 10)} ${to.slice(0, 10)}.csv`,
  async *content({ api, query: { from = "", to = "" } }: Visit) {
    const path = `/operator/reports/${kind}?${new URLSearchParams({ from, to })}`;
    for await (const line of csvLines(api.lines<object>("GET", path), REPORT_COLUMNS[kind])) yield `${line}\n`;
  },
}));
