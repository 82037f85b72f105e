import { type Html, html, type Part } from "@travel-booking/http/html";
import {
  type Figure,
  facts,
  figure,
  figures,
  id,
  link,
  megabytes,
  pathOf,
  perSecond,
  sectionOf,
  sparkline,
  status,
  table,
  time,
} from "../parts.ts";
import type { Screen, Visit } from "../screen.ts";
import type { ProjectionRow } from "./projections.ts";
import type { EndpointRow } from "./webhooks.ts";

export interface Summary {
  readonly instance: { readonly host: string; readonly process: number; readonly startedAt: string };
  readonly now: string;
  readonly missing: readonly string[];
  readonly details: Readonly<Record<string, string>>;
  readonly due: { readonly now: number; readonly overdue: number; readonly oldest: string | null } | null;
  readonly waiting: Readonly<
    Record<
      | "documents"
      | "transfers"
      | "unmatched"
      | "returns"
      | "refundsPending"
      | "refundsStuck"
      | "refundsFailed"
      | "disruptionsHanging"
      | "partiesWithoutSeats"
      | "partiesUnseated",
      number
    > & { readonly unseated: readonly string[] }
  > | null;
  readonly vitals: { readonly series: Readonly<Record<string, readonly number[]>> };
  readonly problems: readonly (Readonly<Record<string, unknown>> & {
    readonly time: string;
    readonly level: string;
    readonly msg: string;
  })[];
}

/** Each part makes its own request, so that a failed service affects only its own part. */
export const overview: Screen = {
  path: "/",
  title: "Overview",
  async view({ api }) {
    const asked = api.get<Summary>("/operator/summary");
    asked.catch(() => undefined);
    const parts = await Promise.all([
      sectionOf("To do", async () => toDo(await asked)),
      sectionOf("Ready", async () => readiness(await asked)),
      sectionOf("Webhooks", async () => webhooks(await api.list<EndpointRow>("/operator/webhook-endpoints"))),
      sectionOf("Last hour", async () => lastHour(await asked)),
      sectionOf("Projections", async () =>
        projections({ api }, (await asked.catch(() => undefined))?.vitals.series ?? {}),
      ),
      sectionOf("Latest problems", async () => problems(await asked)),
    ]);
    return html`<div class="tiles">${parts}</div>`;
  },
};

function readiness({ missing, details, instance, now }: Summary): Html {
  const { projections: stopped, backupsOverdue, ...others } = details;
  const wrong = [...missing, ...[stopped, backupsOverdue].filter((line) => line !== undefined)];
  const state =
    wrong.length === 0
      ? status("ready")
      : html`<ul class="problem">${wrong.map((line) => html`<li>${line}</li>`)}</ul>`;
  return html`<p>${state}</p>${facts({
    instance: `${instance.host}, process ${instance.process}`,
    "running since": time(instance.startedAt),
    "service's time": time(now),
    ...others,
  })}`;
}

function count(number: number, isBad = number > 0): Part {
  return isBad ? html`<strong class="bad">${number}</strong>` : number;
}

/** What has gone wrong comes first, then what waits; what is not there is quiet. */
function toDo({ due, waiting }: Summary): Html {
  const unknown = html`<p class="problem">What waits is not known.</p>`;
  const oldest = due?.oldest ? html`<small>oldest ${due.oldest}</small>` : undefined;
  const [bad, money, flights] = [{ isBad: true }, { to: "/money" }, { to: "/flights" }];
  const entries = [
    ...(due === null
      ? []
      : [figure(due.overdue, html`due tasks are overdue ${oldest}`, bad), figure(due.now, "due tasks")]),
    ...(waiting === null
      ? []
      : [
          figure(waiting.unmatched, "sums of money match nothing", { ...money, ...bad }),
          figure(waiting.refundsStuck, "refunds on their way for two weeks", { ...money, ...bad }),
          figure(waiting.refundsFailed, "refunds failed", { ...money, ...bad }),
          figure(waiting.disruptionsHanging, "disruptions hang", { ...flights, ...bad }),
          figure(waiting.partiesUnseated, unseated(waiting.unseated), bad),
          figure(waiting.documents, "documents to review", { to: "/documents" }),
          figure(waiting.returns, "returns to send", money),
          figure(waiting.transfers, "transfers expected", money),
          figure(waiting.refundsPending, "refunds on their way", money),
          figure(waiting.partiesWithoutSeats, "parties without seats within 48 h"),
        ]),
  ];
  const rank = ({ tone }: Figure) => (tone === "bad" ? 0 : tone === undefined ? 1 : 2);
  const sorted = entries.toSorted((one, other) => rank(one) - rank(other));
  return html`${due === null || waiting === null ? unknown : undefined}${figures(sorted)}`;
}

function unseated(bookings: readonly string[]): Html {
  return html`parties given up by the automatic assignment ${bookings.map((booking) => html`${link(pathOf("bookings", booking), booking)} `)}`;
}

function webhooks(endpoints: readonly EndpointRow[]): Html {
  const having = (wanted: EndpointRow["status"]) => endpoints.filter((endpoint) => endpoint.status === wanted).length;
  const oldest = endpoints
    .filter(({ oldestOwedAt }) => oldestOwedAt !== null)
    .toSorted((a, b) => (String(a.oldestOwedAt) < String(b.oldestOwedAt) ? -1 : 1))[0];
  const owed = endpoints.reduce((sum, each) => sum + each.owed, 0);
  const since = oldest && link(pathOf("webhooks", oldest.id), html`since ${time(oldest.oldestOwedAt)}`);
  const to = "/webhooks";
  return figures([
    figure(having("failing"), "failing", { to, isBad: true }),
    figure(having("paused"), "paused", { to, isBad: true }),
    figure(endpoints.length, "endpoints", { to }),
    figure(owed, html`deliveries owed ${since}`),
  ]);
}

function lastHour({ vitals: { series } }: Summary): Html {
  const line = (title: string, name: string, show: (value: number) => string) =>
    series[name] && sparkline(title, series[name], show);
  return html`${line("Requests", "requests", perSecond)}${line("Commands", "commands", perSecond)}${line("Memory", "memory", megabytes)}${line("Free disk", "disk", megabytes)}`;
}

async function projections({ api }: Pick<Visit, "api">, series: Summary["vitals"]["series"]): Promise<Html> {
  const rows = await api.list<ProjectionRow>("/operator/projections");
  const rate = (name: string) => perSecond(series[`projections.${name}`]?.at(-1) ?? 0);
  return table(
    ["projection", "state", "lag", "positions per second"],
    rows.map(({ name, state, lag }) => [
      link("/projections", name),
      status(state),
      count(lag, state === "stopped"),
      rate(name),
    ]),
  );
}

function problems({ problems: lines }: Summary): Html {
  return table(
    ["time", "level", "what", "request"],
    lines
      .slice(0, 10)
      .map(({ time: at, level, msg, err, requestId, ...more }) => [
        time(at),
        status(level),
        html`${msg}${isError(err) ? html`<br><small>${err.message}</small>` : undefined}${about(more)}`,
        requestId === undefined ? "–" : id(String(requestId)),
      ]),
    "No warning and no error since the start.",
  );
}

/** What a line says besides: which endpoint, and why. */
function about({ endpointId, reason }: Readonly<Record<string, unknown>>): Html | undefined {
  if (typeof endpointId !== "string") return undefined;
  const why = typeof reason === "string" ? `: ${reason}` : "";
  return html`<br><small>${link(`/webhooks/${encodeURIComponent(endpointId)}`, endpointId)}${why}</small>`;
}

function isError(value: unknown): value is { readonly message: string } {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";
}
