import type { SeatMapBody } from "@travel-booking/api-contract";
import {
  amountOutstanding,
  bankTransferOf,
  type ExistingBooking,
  type Payment,
  writtenAmount,
} from "@travel-booking/domain";
import { type Html, html, type Part } from "@travel-booking/http/html";
import { money } from "../../money.ts";
import { amountField, danger, form, hidden } from "../forms.ts";
import { facts, json, link, pathOf, section, sectionOf, status, table, time, whole } from "../parts.ts";
import type { Action, Screen, Visit } from "../screen.ts";
import { refundActionsOf } from "./money.ts";
import { seatMap } from "./seats.ts";
import { attemptTable, type DeliveryRow } from "./webhooks.ts";

interface Moment {
  readonly revision: number;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly requestId: string | null;
  readonly causationId: string | null;
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
}

/** The response that `booking show` prints, too. */
interface BookingAnswer {
  readonly id: string;
  /** The revision whose state is shown, and the last revision. */
  readonly at: number;
  readonly last: number;
  readonly booking: ExistingBooking | { readonly status: "none" | "abandoned" };
  readonly timeline: readonly Moment[];
}

export const bookingScreens: readonly Screen[] = [
  {
    path: "/bookings/:id",
    title: "Booking",
    async view(visit) {
      const { id = "" } = visit.params;
      const at = visit.query.at === undefined ? "" : `?at=${encodeURIComponent(visit.query.at)}`;
      const answer = await visit.api.get<BookingAnswer>(`/operator/bookings${pathOf(id)}${at}`);
      const { booking } = answer;
      const parts =
        "passengers" in booking
          ? existing(visit, booking, await sectionOf("Seats", () => seatsOn(visit, booking, answer)))
          : html`<p>It was never created.</p>`;
      return html`${asOf(answer)}${parts}
${await sectionOf("Deliveries", async () => attemptTable(await visit.api.list<DeliveryRow>(`/operator/webhook-deliveries?bookingId=${encodeURIComponent(id)}`)))}
${section("Timeline", timeline(answer))}
${section("Folded state", html`<details><summary>as JSON</summary>${json(booking)}</details>`)}`;
    },
  },
];

function asOf({ id, at, last, timeline: moments }: BookingAnswer): Html {
  const shown = moments.find(({ revision }) => revision === at);
  const stream = link(`/streams?name=${encodeURIComponent(`booking-${id}`)}`, "raw events");
  return html`<p>${id}, ${stream}</p><form class="filters" method="get"><label>as of event ${at} of ${last}: ${shown?.type} ${time(shown?.at)}
<input type="range" name="at" min="0" max="${last}" value="${at}"></label><button>Show</button></form>`;
}

function existing(visit: Visit, booking: ExistingBooking, seats: Html): Html {
  const {
    status: word,
    accountId,
    flightId,
    cabin,
    reference,
    departsAt,
    createdAt,
    pendingPoints,
    documents,
  } = booking;
  return html`<div class="beside"><div>${section(
    "Booking",
    html`<p>${status(word)}</p>${facts({
      account: link(pathOf("accounts", accountId), accountId),
      flight: link(`/streams?name=${encodeURIComponent(`flight-${flightId}`)}`, flightId),
      cabin,
      "customer's reference": reference ?? "–",
      created: time(createdAt),
      departs: time(departsAt),
      "expires, unless paid": booking.status === "pending" ? time(booking.expiresAt) : "–",
      cancelled:
        booking.status === "cancelled" ? html`${time(booking.cancelledAt)} ${booking.reason ?? booking.cause}` : "–",
      "points to come": pendingPoints,
    })}`,
  )}
${section("Passengers", html`${passengers(booking)}${forget(visit, booking)}`)}</div>
${seats}</div>
${section("Money", ledger(visit, booking))}
${section(
  "Documents",
  table(
    ["document", "kind", "status", "uploaded", "why"],
    documents.map((document) => [
      link(pathOf("documents", document.documentId), document.fileName),
      document.kind,
      status(document.status),
      time(document.uploadedAt),
      document.rejectionReason ?? "–",
    ]),
  ),
)}`;
}

/** The seat map of today, whichever state of the booking is shown: the party's own seats of today are marked. */
async function seatsOn(
  { api }: Visit,
  { flightId, cabin, seats, status: word }: ExistingBooking,
  { at, last, timeline: moments }: BookingAnswer,
): Promise<Part> {
  const { seatMap: cabins } = await api.get<{ seatMap: SeatMapBody["cabins"] }>(`/operator/flights${pathOf(flightId)}`);
  const own = cabins.find((candidate) => candidate.cabin === cabin);
  if (own === undefined) return undefined;
  if (at === last) return seatMap(own, word === "cancelled" ? [] : seats);
  const today = moments.findLast(({ changes }) => changes.seats !== undefined)?.changes.seats?.to;
  return seatMap(own, seats, today as readonly string[] | undefined);
}

function passengers({ passengers: people, seats }: ExistingBooking): Html {
  return table(
    ["passenger", "name", "e-mail", "seat"],
    people.map(({ name, email }, index) => [index + 1, name, email, seats[index] ?? "not chosen"]),
  );
}

/** While the journey is to come, nobody of it is forgotten. */
function forget(visit: Visit, { bookingId: id, status: word, flown }: ExistingBooking): Html | undefined {
  if (word !== "cancelled" && !flown) return undefined;
  const what = "Nobody can read any longer who they were: names, e-mail addresses, reference, documents.";
  return html`<div class="actions">${danger(visit, `${pathOf("bookings", id)}/erase`, "Forget them", { name: id, what })}</div>`;
}

export const bookingActions: readonly Action[] = [
  {
    path: "/bookings/:id/erase",
    isDangerous: true,
    async run({ api, params: { id = "" } }) {
      await api.post(`/operator/bookings${pathOf(id)}/erase`);
      return "The people of the booking are forgotten.";
    },
  },
];

/** Charges, payments and refunds, each cent once. */
function ledger(visit: Visit, booking: ExistingBooking): Html {
  const {
    currency,
    fareAmount,
    passengers: people,
    surcharges,
    creditApplied,
    totalAmount,
    payments,
    returns,
  } = booking;
  const shown = (amount: number) => money(amount, currency);
  const seats = surcharges.reduce((sum, amount) => sum + amount, 0);
  const paid = payments
    .filter((payment) => payment.status === "succeeded")
    .reduce((sum, { amount }) => sum + amount, 0);
  const refunds = payments.flatMap((payment) => payment.refunds);
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
  const line = (what: Part, state: Part, amount: string, action: Part = undefined): readonly Part[] => [
    what,
    state,
    whole(amount),
    action,
  ];
  return table(
    ["what", "status", "amount", "do"],
    [
      line(`fare, ${people.length} × ${shown(fareAmount)}`, "", shown(fareAmount * people.length)),
      line("seats", "", shown(seats)),
      line("credit", "", shown(0 - creditApplied)),
      line(html`<strong>total</strong>`, "", shown(totalAmount)),
      ...payments.map((payment) =>
        line(
          html`${payment.method.type.replaceAll("_", " ")} <small>${payment.paymentId}</small>`,
          html`${status(payment.status)} ${payment.failureCode ?? ""}`,
          shown(payment.amount),
          matchForm(visit, payment),
        ),
      ),
      ...refunds.map((refund) =>
        line(
          html`refund, ${refund.reason} <small>${refund.refundId}</small>`,
          html`${status(refund.status)} ${refund.failure?.reason ?? ""}`,
          shown(-refund.amount),
          refund.status === "pending"
            ? refundActionsOf(visit, refund, refund.refundId, refund.failure !== null)
            : undefined,
        ),
      ),
      line(html`<strong>paid and kept</strong>`, "", shown(paid - refunded)),
      ...returns.map(({ returnId, cause, status: word, amount, currency: of }) =>
        line(html`transfer to return, ${cause} <small>${returnId}</small>`, status(word), money(amount, of)),
      ),
    ],
  );
}

const MOST_NAMED = 6;

function summaryOf(fields: readonly string[]): string {
  const left = fields.length - MOST_NAMED;
  return left > 1 ? `${fields.slice(0, MOST_NAMED).join(", ")} and ${left} more` : fields.join(", ");
}

/** Enters money that came for a pending bank transfer. */
function matchForm(visit: Visit, payment: Payment): Html | undefined {
  const transfer = bankTransferOf(payment);
  if (transfer === undefined || payment.status !== "pending") return undefined;
  const left = amountOutstanding(payment);
  const came = amountField(`${payment.currency} that have come`, writtenAmount(left, payment.currency));
  const fields = [hidden("reference", transfer.reference), hidden("currency", payment.currency), came];
  return html`${transfer.reference}${form(visit, "/transfers/preview", "Match it…", fields)}`;
}

function timeline({ at: shown, timeline: moments }: BookingAnswer): Html {
  const change = ([name, { from, to }]: readonly [string, { readonly from: unknown; readonly to: unknown }]) =>
    html`<tr><th scope="row">${name}</th><td><code>${JSON.stringify(from)}</code></td><td><code>${JSON.stringify(to)}</code></td></tr>`;
  return html`<ol class="timeline">${moments.toReversed().map(
    ({
      revision,
      type,
      at,
      actor,
      requestId,
      causationId,
      changes,
    }) => html`<li${revision === shown ? html` aria-current="true"` : undefined}><p><strong>${type}</strong> ${time(at)} <small>event ${revision}</small></p>
<p><small>${actor.kind} ${actor.id}${requestId === null ? "" : `, request ${requestId}`}${causationId === null ? "" : `, caused by ${causationId}`}</small></p>
${Object.keys(changes).length === 0 ? undefined : html`<details><summary>${summaryOf(Object.keys(changes))}</summary><div class="scroll"><table><thead><tr><th scope="col">field</th><th scope="col">from</th><th scope="col">to</th></tr></thead><tbody>${Object.entries(changes).map(change)}</tbody></table></div></details>`}</li>`,
  )}</ol>`;
}
