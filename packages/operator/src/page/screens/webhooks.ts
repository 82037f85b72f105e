import { type Html, html, type Part } from "@travel-booking/http/html";
import { checkbox, choice, danger, field, form } from "../forms.ts";
import { accountLink, type Names, namesOf } from "../names.ts";
import {
  facts,
  figures,
  id,
  json,
  lead,
  link,
  pathOf,
  section,
  sectionOf,
  status,
  table,
  time,
  whole,
} from "../parts.ts";
import type { Action, Screen, Visit } from "../screen.ts";
import { shownOnce } from "./accounts.ts";

/** A row that `webhook endpoints` prints, too. */
export interface EndpointRow {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly events: readonly string[];
  /** `suspended`: its account is. */
  readonly status: "active" | "failing" | "paused" | "suspended";
  readonly reason: string | null;
  readonly since: string;
  readonly owed: number;
  readonly oldestOwedAt: string | null;
  readonly headerNames: readonly string[];
  readonly maxPerSecond: number | null;
}

/** A row that `delivery list` prints, too. */
export interface DeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Null: its event is not about a booking. */
  readonly bookingId: string | null;
  readonly status: "succeeded" | "failed" | "exhausted";
  readonly attempt: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly excerpt?: string;
  readonly durationMs: number;
  readonly deliveredAt: string;
  readonly nextAttemptAt: string | null;
}

interface DeliveryInFull extends DeliveryRow {
  readonly url: string;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null };
}

const ENDPOINTS = "/operator/webhook-endpoints";
const DELIVERIES = "/operator/webhook-deliveries";
const WORST_FIRST: readonly EndpointRow["status"][] = ["paused", "failing", "suspended", "active"];
const STATUSES = ["", "succeeded", "failed", "exhausted"];

const endpointPath = ({ id }: Pick<EndpointRow, "id">) => pathOf("webhooks", id);
const bookingLink = ({ bookingId }: DeliveryRow) =>
  bookingId === null ? undefined : link(pathOf("bookings", bookingId), bookingId);
const deliveryPath = ({ id }: Pick<DeliveryRow, "id">) => pathOf("deliveries", id);
const operatorPath = (base: string, { params: { id = "" } }: Pick<Visit, "params">) => base + pathOf(id);

export const webhookScreens: readonly Screen[] = [
  {
    path: "/webhooks",
    title: "Webhooks",
    view: async (visit) =>
      html`${await sectionOf("Endpoints", () => endpoints(visit))}${await latestAttempts(visit, DELIVERIES)}`,
  },
  {
    path: "/webhooks/:id",
    title: "Webhook endpoint",
    async view(visit) {
      const rows = await visit.api.list<EndpointRow>(ENDPOINTS);
      const row = rows.find(({ id }) => id === visit.params.id);
      if (row === undefined) return html`<p class="problem">The endpoint is deleted.</p>`;
      const attempts = await latestAttempts(visit, `${operatorPath(ENDPOINTS, visit)}/deliveries`);
      const names = await namesOf(visit.api, [row.accountId]);
      return html`${section("How it stands", standing(row, names))}${section("What to do", remedies(visit, row))}${attempts}`;
    },
  },
  { path: "/deliveries/:id", title: "Delivery attempt", view: attemptInFull },
];

async function endpoints({ api }: Visit): Promise<Html> {
  const rows = (await api.list<EndpointRow>(ENDPOINTS)).toSorted(
    (a, b) => WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status),
  );
  const names = await namesOf(
    api,
    rows.map(({ accountId }) => accountId),
  );
  return table(
    ["status", "endpoint", "account", "why", "since", "owed", "oldest owed"],
    rows.map((row) => [
      status(row.status),
      link(endpointPath(row), row.url),
      accountLink(names, row.accountId),
      row.reason ?? "–",
      time(row.since),
      row.owed,
      time(row.oldestOwedAt),
    ]),
    "No account has an endpoint.",
  );
}

function standing(row: EndpointRow, names: Names): Html {
  const {
    id: endpointId,
    accountId,
    url,
    events,
    status: word,
    reason,
    since,
    owed,
    oldestOwedAt,
    headerNames,
    maxPerSecond,
  } = row;
  return html`${lead(url, word, reason ?? "Deliveries arrive.")}${figures([
    {
      value: owed,
      name: html`deliveries owed${oldestOwedAt === null ? undefined : html`, since ${time(oldestOwedAt)}`}`,
      tone: owed === 0 ? "quiet" : undefined,
    },
  ])}${facts({
    id: id(endpointId),
    account: accountLink(names, accountId),
    events: events.join(", "),
    "headers of its own": headerNames.join(", ") || "–",
    "attempts a second": maxPerSecond ?? "no limit",
    since: time(since),
  })}`;
}

function remedies(visit: Visit, row: EndpointRow): Html {
  const since = field("all events since (UTC)", "since", html`required type="datetime-local" step="1"`);
  const name = URL.parse(row.url)?.host ?? row.id;
  return html`<div class="actions">${row.status === "active" || row.status === "suspended" ? undefined : form(visit, `${endpointPath(row)}/resume`, "Resume: deliver what is owed")}
${form(visit, `${endpointPath(row)}/replay-exhausted`, "Deliver what is exhausted once more")}
${danger(visit, `${endpointPath(row)}/replay`, "Deliver all once more", {
  name,
  what: "Its owner gets every event since then a second time.",
  fields: [since],
})}
${danger(visit, `${endpointPath(row)}/rotate-secret`, "Replace the secret", {
  name,
  what: "Its owner has to take the new one over within 24 hours, in which both sign.",
  fields: [checkbox("at once: the old one signs no more", "now")],
})}
${danger(visit, `${endpointPath(row)}/delete`, "Delete it", {
  name,
  what: "It is gone for good, with what it is owed and its attempts.",
})}</div>`;
}

async function latestAttempts({ api, query }: Visit, path: string): Promise<Html> {
  const { status: wanted = "", bookingId = "" } = query;
  const filters = new URLSearchParams(
    Object.entries({ status: wanted, bookingId }).filter(([, value]) => value !== ""),
  );
  const inputs = html`${choice("status", "status", STATUSES, wanted)}${field("booking", "bookingId", html`placeholder="bkg_…"`, bookingId)}`;
  return html`<form class="filters" method="get">${inputs}<button>Show</button></form>${await sectionOf("Attempts", async () => attemptTable(await api.list<DeliveryRow>(`${path}?${filters}`)))}`;
}

const MOST_SHOWN = 50;

/** The newest first. */
export function attemptTable(rows: readonly DeliveryRow[]): Html {
  const more = rows.length > MOST_SHOWN ? html`<p class="hint">These are the latest ${MOST_SHOWN}.</p>` : undefined;
  const shown = table(
    ["time", "outcome", "event", "booking", "attempt", "answer", "next attempt"],
    rows
      .slice(0, MOST_SHOWN)
      .map((row) => [
        link(deliveryPath(row), time(row.deliveredAt)),
        status(row.status),
        whole(row.eventType),
        bookingLink(row),
        row.attempt === 0 ? "probe" : row.attempt,
        answer(row),
        time(row.nextAttemptAt),
      ]),
    "No attempt has been made.",
  );
  return html`${shown}${more}`;
}

function answer({ responseStatus, error, durationMs }: DeliveryRow): Part {
  return html`${error ?? responseStatus ?? "–"} <small>${durationMs} ms</small>`;
}

async function attemptInFull(visit: Visit): Promise<Html> {
  const row = await visit.api.get<DeliveryInFull>(operatorPath(DELIVERIES, visit));
  const { request, excerpt } = row;
  return html`${section(
    "Outcome",
    html`<p>${status(row.status)} ${answer(row)}</p>${facts({
      time: time(row.deliveredAt),
      attempt: row.attempt === 0 ? "a probe of a paused endpoint" : row.attempt,
      "next attempt": time(row.nextAttemptAt),
      endpoint: link(pathOf("webhooks", row.endpointId), row.url),
      event: `${row.eventType}, ${row.eventId}`,
      booking: bookingLink(row),
    })}<div class="actions">${form(visit, `${deliveryPath(row)}/resend`, "Send it once more")}</div>`,
  )}
${section(
  "What was sent",
  html`<pre tabindex="0"><code>POST ${row.url}
${Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\n`)}webhook-timestamp, webhook-signature: made for each attempt</code></pre>${request.body === null ? html`<p>The event is not there any more.</p>` : json(JSON.parse(request.body))}`,
)}
${section("What the receiver said", excerpt === undefined || excerpt === "" ? html`<p>${row.status === "succeeded" ? "Of a success the body is not kept." : "Nothing."}</p>` : html`<pre tabindex="0"><code>${excerpt}</code></pre>`)}`;
}

export const webhookActions: readonly Action[] = [
  {
    path: "/webhooks/:id/resume",
    async run(visit) {
      await visit.api.post(`${operatorPath(ENDPOINTS, visit)}/resume`);
      return "Resumed: what is owed is being delivered.";
    },
  },
  {
    path: "/webhooks/:id/replay",
    isDangerous: true,
    async run(visit, { since = "" }) {
      await visit.api.post(`${operatorPath(ENDPOINTS, visit)}/replay`, {
        since: `${since}${since.length === 16 ? ":00" : ""}Z`,
      });
      return `All events since ${since} UTC are delivered once more.`;
    },
  },
  {
    path: "/webhooks/:id/replay-exhausted",
    async run(visit) {
      const { events } = await visit.api.post<{ events: number }>(`${operatorPath(ENDPOINTS, visit)}/replay-exhausted`);
      return `Exhausted deliveries that are made once more: ${events}.`;
    },
  },
  {
    path: "/webhooks/:id/rotate-secret",
    isDangerous: true,
    async run(visit, { now }) {
      const made = await visit.api.post<Record<string, string>>(`${operatorPath(ENDPOINTS, visit)}/rotate-secret`, {
        expirePreviousNow: now === "on",
      });
      return { title: "A new secret", content: shownOnce(made, visit.url) };
    },
  },
  {
    path: "/webhooks/:id/delete",
    isDangerous: true,
    async run(visit) {
      await visit.api.delete(operatorPath(ENDPOINTS, visit));
      return "The endpoint is deleted.";
    },
  },
  {
    path: "/deliveries/:id/resend",
    async run(visit) {
      const { eventId } = await visit.api.post<{ eventId: string }>(`${operatorPath(DELIVERIES, visit)}/resend`);
      return `${eventId} is sent once more, after what its booking is owed before it.`;
    },
  },
];
