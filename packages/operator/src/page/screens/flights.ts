import { DISRUPTION_POLICIES } from "@travel-booking/domain";
import { type Html, html } from "@travel-booking/http/html";
import type { DisruptionAnswer, DisruptionPlan, DisruptionRow } from "@travel-booking/read-models";
import { OperatorRefused } from "../../client/operator-client.ts";
import { money } from "../../money.ts";
import { choice, danger, field, form, hidden } from "../forms.ts";
import { jsonFile, jsonIn } from "../json-form.ts";
import { FIRST_ROWS, facts, link, pathOf, section, sectionOf, status, table, time } from "../parts.ts";
import type { Action, Screen, Visit } from "../screen.ts";
import { flightLink } from "./flight.ts";
import { refunds } from "./money.ts";

/** What an operator may decide about a flight, as the paths of the operator interface name it. */
const DECISIONS = ["cancel", "retime", "reinstate", "close-sales", "open-sales"];

export const flightScreens: readonly Screen[] = [
  {
    path: "/flights",
    title: "Flights",
    async view(visit) {
      const { api, query } = visit;
      const { flight = "", decision = "" } = query;
      const isAsked = flight !== "" && DECISIONS.includes(decision);
      return html`${section("Decide on a flight", question(query), false)}
${section("Send another ship", shipForm(visit), false)}
${isAsked ? await sectionOf("What would follow", () => plan(visit, flight, decision)) : undefined}
${await sectionOf("Disruptions, latest first", async () => disruptions(await api.list("/operator/disruptions")))}`;
    },
  },
  {
    path: "/disruptions/:id",
    title: "Disruption",
    async view(visit) {
      const shown = await visit.api.get<DisruptionAnswer>(`/operator/disruptions${pathOf(visit.params.id ?? "")}`);
      const { id, status: word, stuck } = shown;
      const path = pathOf("disruptions", id);
      const go =
        word === "running"
          ? form(visit, `${path}/pause`, "Pause")
          : form(visit, `${path}/resume`, word === "paused" ? "Go on" : "Sweep once more");
      return html`${section("How far it has got", html`${progress(shown)}${summary(shown)}`)}
${section("Do", html`<div class="actions">${go}</div>`)}
${stuck.length === 0 ? undefined : section("Stuck", html`<p>${stuck.map((bookingId) => html`${booking(bookingId)} `)}</p>`)}
${await sectionOf("Refunds that have not arrived", async () => refunds(visit, await visit.api.list(`/operator/refunds?disruption=${encodeURIComponent(id)}&${FIRST_ROWS}`)))}
${section("Bookings", casesOf(shown))}`;
    },
  },
];

/** The plan is made for whoever asks; it changes nothing, so it may be asked by its address. */
function question({
  flight = "",
  decision = "",
  policy = "",
  into = "",
  reason = "",
  departsAt = "",
  durationDays = "",
}: Visit["query"]): Html {
  const times = html`${field("new departure, where it is retimed", "departsAt", html`placeholder="2027-03-01T09:00:00Z"`, departsAt)}${field("new duration in days, or empty", "durationDays", html`inputmode="decimal"`, durationDays)}`;
  return html`<form class="filters" method="get" action="/flights">${field("flight", "flight", html`required`, flight)}${choice("decision", "decision", DECISIONS, decision)}${choice("who has paid, where it is cancelled", "policy", DISRUPTION_POLICIES, policy)}${field("flights to move them to", "into", html`placeholder="F2,F3"`, into)}${times}${field("reason, for everybody", "reason", html`maxlength="500"`, reason)}<button>Plan it</button></form>`;
}

/** What the decision needs besides its reason: the new times of a flight that is retimed, what becomes of those who have paid. */
function detailsOf(decision: string, { departsAt, durationDays, policy, into }: Visit["query"]): object {
  if (decision === "cancel") return { ...(policy && { policy }), ...(into && { into: into.split(",") }) };
  if (decision !== "retime") return {};
  return { ...(departsAt && { departsAt }), ...(durationDays && { durationDays: Number(durationDays) }) };
}

/** Its cabins are too long for the address of a page. */
function shipForm(visit: Visit): Html {
  const reason = field("reason, for everybody", "reason", html`maxlength="500"`);
  const fields = [field("flight", "flight"), ...jsonFile("ship", '{ "cabins": [] }'), reason];
  return form(visit, "/flights/swap", "Plan it", fields);
}

function plan(visit: Visit, flight: string, decision: string): Promise<Html> {
  const { reason = "" } = visit.query;
  const details = detailsOf(decision, visit.query);
  return planned(visit, { flight, decision, asked: details, fields: { reason, ...details } });
}

interface Planned {
  readonly flight: string;
  readonly decision: string;
  readonly asked: object;
  /** What the form that does it sends besides the revision. */
  readonly fields: Readonly<Record<string, unknown>>;
}

async function planned(visit: Visit, { flight, decision, asked, fields: sent }: Planned): Promise<Html> {
  const path = `/operator/flights${pathOf(flight)}/${decision}`;
  const made = await visit.api.ask<DisruptionPlan>(path, asked);
  const { revision, bookings, significant, places, placeless, passports, money: amounts, webhooks } = made;
  const { reseated, unplaced } = made;
  const fields = Object.entries({ revision, ...sent }).map(([name, value]) => hidden(name, String(value)));
  const action = `${pathOf("flights", flight)}/${decision}`;
  const what = "The flight never departs, and its bookings end.";
  return html`${table(
    ["bookings", "cabin", "how many", "passengers"],
    bookings.map((row) => [status(row.status), row.cabin, row.bookings, row.passengers]),
    "No booking changes.",
  )}
${
  places.length + placeless.length === 0
    ? undefined
    : table(
        ["moved to", "cabin", "bookings", "passengers"],
        places.map((row) => [flightLink(row.flightId), row.cabin, row.bookings, row.passengers]),
        "No flight has room.",
      )
}
${facts({
  ...(placeless.length > 0 && { "for whom there is no room": placeless.map((id) => html`${booking(id)}<br>`) }),
  "goes back":
    amounts.length === 0
      ? "nothing"
      : amounts.map(
          ({ amount, currency, method }) => html`${money(amount, currency)} by ${method.replaceAll("_", " ")}<br>`,
        ),
  "bookings that it is significant for": significant,
  ...(reseated !== undefined && { "bookings with other seats": reseated, "bookings without a place": unplaced }),
  "passports that are refused or read again": passports,
  "deliveries to endpoints": webhooks,
  "revision of the flight": revision,
})}
<div class="actions">${decision === "cancel" ? danger(visit, action, "Cancel the flight", { name: flight, what, fields }) : form(visit, action, "Do it", fields)}</div>`;
}

function disruptions(rows: readonly DisruptionRow[]): Html {
  return table(
    ["decided", "disruption", "flight", "what", "status", "bookings", "stuck"],
    rows.map(({ id, flightId, kind, status: word, bookings, stuck, createdAt }) => [
      time(createdAt),
      link(pathOf("disruptions", id), id),
      flightLink(flightId),
      kind,
      status(word),
      bookings,
      stuck.length,
    ]),
    "Every flight goes as it was sold.",
  );
}

function progress({ bookings, followed }: DisruptionAnswer): Html {
  return html`<p><progress max="${Math.max(1, bookings)}" value="${followed}" aria-label="bookings that have followed"></progress> ${followed} of ${bookings} bookings</p>`;
}

function summary({
  flightId,
  kind,
  policy,
  reason,
  status: word,
  createdAt,
  reinstatedAt,
  money: amounts,
  open,
  unplaced,
  stuck,
}: DisruptionAnswer): Html {
  return facts({
    flight: flightLink(flightId),
    what: policy === null ? kind : html`${kind} (${policy})`,
    reason: reason ?? "–",
    decided: time(createdAt),
    ...(reinstatedAt !== null && { "taken back": time(reinstatedAt) }),
    sweep: status(word),
    "goes back":
      amounts.length === 0 ? "nothing" : amounts.map(({ amount, currency }) => html`${money(amount, currency)}<br>`),
    "waiting for an answer": open,
    ...(kind === "equipment_changed" && { "without a place": unplaced }),
    stuck: stuck.length,
  });
}

const booking = (bookingId: string) => link(pathOf("bookings", bookingId), bookingId);

function casesOf({ kind, cases }: DisruptionAnswer): Html {
  const isOvertaken = kind === "retimed" || cases.some(({ after }) => after !== null);
  return table(
    [
      "booking",
      "status",
      "outcome",
      "flight",
      "goes back",
      ...(isOvertaken ? ["documents that operators verified"] : []),
    ],
    cases.map(({ bookingId, status: word, outcome, after, refundAmount, currency, documentsByOperator }) => [
      booking(bookingId),
      status(word),
      outcome ?? "–",
      after === null ? "–" : flightLink(after),
      money(refundAmount, currency),
      ...(isOvertaken ? [documentsByOperator] : []),
    ]),
    "No booking has followed yet.",
  );
}

const DONE: Readonly<Record<string, string>> = {
  cancel: "The flight is cancelled",
  retime: "The flight is retimed",
  swap: "The flight goes with another ship",
  reinstate: "The flight departs after all",
};

export const flightActions: readonly Action[] = [
  {
    path: "/flights/swap",
    async run(visit, form) {
      const { flight = "", reason = "", ship = "" } = form;
      const asked = { flight, decision: "swap", asked: jsonIn("ship", form), fields: { reason, ship } };
      return { title: "What would follow", content: await planned(visit, asked) };
    },
  },
  ...[...DECISIONS, "swap"].map((decision) => ({
    path: `/flights/:id/${decision}`,
    isDangerous: decision === "cancel",
    async run({ api, params: { id = "" } }: Visit, form: Readonly<Record<string, string>>) {
      const { revision = "", reason } = form;
      if (!/^\d+$/.test(revision)) throw new OperatorRefused(["revision must be a whole number"]);
      const details = decision === "swap" ? jsonIn("ship", form) : detailsOf(decision, form);
      const body = { ...details, run: Number(revision), ...(reason && { reason }) };
      const done = await api.post<Partial<DisruptionAnswer>>(`/operator/flights${pathOf(id)}/${decision}`, body);
      return done.id === undefined
        ? `It is done: the flight's revision is ${Number(revision) + 1}.`
        : {
            title: DONE[decision] ?? "It is done",
            content: html`<p>${link(pathOf("disruptions", done.id), "Follow its bookings")}</p>`,
          };
    },
  })),
  ...(["pause", "resume"] as const).map((verb) => ({
    path: `/disruptions/:id/${verb}`,
    async run({ api, params: { id = "" } }: Visit) {
      await api.post(`/operator/disruptions${pathOf(id)}/${verb}`);
      return verb === "pause" ? "The sweep is paused." : "The sweep goes on.";
    },
  })),
];
