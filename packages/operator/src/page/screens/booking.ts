import type { DisruptionBody, RefundBody, SeatMapBody } from "@travel-booking/api-contract";
import {
  actionsOf,
  amountOutstanding,
  bankTransferOf,
  CABINS,
  type ExistingBooking,
  netAmountPaid,
  openCase,
  type Payment,
  refundableAmount,
  writtenAmount,
} from "@travel-booking/domain";
import { type Html, html, type Part } from "@travel-booking/http/html";
import { type BookingAnswer, cancellationWords, type Moment, refundableWords } from "../../booking-words.ts";
import { happened } from "../../happened.ts";
import { money } from "../../money.ts";
import { amountField, choice, danger, field, form, hidden } from "../forms.ts";
import { accountLink, actorOf, type Names, namesOf } from "../names.ts";
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
import { flightLink } from "./flight.ts";
import { refundActionsOf } from "./money.ts";
import { seatMap } from "./seats.ts";
import { attemptTable, type DeliveryRow } from "./webhooks.ts";

export const bookingScreens: readonly Screen[] = [
  {
    path: "/bookings/:id",
    title: "Booking",
    async view(visit) {
      const { id = "" } = visit.params;
      const { at, before } = visit.query;
      const asked = new URLSearchParams({ ...(at && { at }), ...(before && { before }) });
      const answer = await visit.api.get<BookingAnswer>(`/operator/bookings${pathOf(id)}?${asked}`);
      const { booking, timeline: moments } = answer;
      const account = "accountId" in booking ? [booking.accountId] : [];
      const names = await namesOf(visit.api, [...account, ...moments.map(({ actor }) => actor.id)]);
      const parts =
        "passengers" in booking
          ? existing(visit, names, answer, booking, await sectionOf("Seats", () => seatsOn(visit, booking, answer)))
          : html`<p>It was never created.</p>`;
      return html`${asOf(answer)}${parts}
${await sectionOf("Deliveries", async () => attemptTable(await visit.api.list<DeliveryRow>(`/operator/webhook-deliveries?bookingId=${encodeURIComponent(id)}`)))}
${section("Timeline", timeline(answer, names))}
${section("Folded state", html`<details><summary>as JSON</summary>${json(booking)}</details>`)}`;
    },
    async version({ api, params: { id = "" } }, known = "0") {
      const { last } = await api.get<{ last: number }>(`/operator/bookings${pathOf(id)}/last?from=${known}`);
      return String(last);
    },
  },
];

function asOf({ id: bookingId, at, last, event }: BookingAnswer): Html {
  const stream = link(`/streams?name=${encodeURIComponent(`booking-${bookingId}`)}`, "raw events");
  return html`<p>${id(bookingId)}, ${stream}</p><form class="filters" method="get"><label>as of event ${at} of ${last}: ${event.type} ${time(event.at)}
<input type="range" name="at" min="0" max="${last}" value="${at}"></label><button>Show</button></form>`;
}

function existing(visit: Visit, names: Names, answer: BookingAnswer, booking: ExistingBooking, seats: Html): Html {
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
  const isToday = answer.at === answer.last;
  // Of the past none: a place in the party may be somebody else's by now.
  const canForget = isToday && (word === "cancelled" || booking.flown);
  return html`<div class="beside"><div>${section(
    "Booking",
    html`${lead(booking.passengers.map(({ name }) => name).join(", "), word)}${figures([
      { value: money(netAmountPaid(booking), booking.currency), name: "paid and kept" },
      { value: money(booking.totalAmount, booking.currency), name: "in all" },
      { value: new Date(departsAt).toISOString().slice(0, 10), name: "departs" },
    ])}${facts({
      account: accountLink(names, accountId),
      flight: flightLink(flightId),
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
${section("Passengers", html`${passengers(visit, booking, canForget)}${canForget ? forget(visit, booking) : undefined}`)}
${isToday ? section("In its owner's place", inPlaceOfOwner(visit, answer, booking)) : undefined}</div>
${seats}</div>
${section("Money", ledger(visit, booking))}
${section(
  "Documents",
  html`${table(
    ["document", "kind", "status", "uploaded", "why"],
    documents.map((document) => [
      link(pathOf("documents", document.documentId), document.fileName),
      document.kind,
      status(document.status),
      time(document.uploadedAt),
      document.rejectionReason ?? "–",
    ]),
  )}${canForget && documents.length > 0 ? forgetDocuments(visit, booking) : undefined}`,
)}`;
}

/** The seat map of today, whichever state of the booking is shown: the party's own seats of today are marked. */
async function seatsOn(
  { api }: Visit,
  { flightId, cabin, seats }: ExistingBooking,
  { at, last, seats: today }: BookingAnswer,
): Promise<Part> {
  const { seatMap: cabins } = await api.get<{ seatMap: SeatMapBody["cabins"] }>(`/operator/flights${pathOf(flightId)}`);
  const own = cabins.find((candidate) => candidate.cabin === cabin);
  if (own === undefined) return undefined;
  return at === last ? seatMap(own, today) : seatMap(own, seats, today);
}

function passengers(visit: Visit, booking: ExistingBooking, canForget: boolean): Html {
  const { bookingId, passengers: people, seats, erased = [] } = booking;
  const what = "Nobody can read any longer who it was: name, e-mail address, documents. The others of the party stay.";
  const forgetOne = (index: number, name: string) =>
    !canForget || erased === true || erased.includes(index)
      ? undefined
      : danger(visit, `${pathOf("bookings", bookingId)}/erase`, "Forget", {
          name,
          what,
          fields: [hidden("passenger", String(index))],
        });
  return table(
    ["passenger", "name", "e-mail", "seat", "do"],
    people.map(({ name, email }, index) => [
      index + 1,
      name,
      email,
      seats[index] ?? "not chosen",
      people.length > 1 ? forgetOne(index, name) : undefined,
    ]),
  );
}

function forget(visit: Visit, { bookingId: id }: ExistingBooking): Html {
  const what = "Nobody can read any longer who they were: names, e-mail addresses, reference, documents.";
  return html`<div class="actions">${danger(visit, `${pathOf("bookings", id)}/erase`, "Forget them", { name: id, what })}</div>`;
}

function forgetDocuments(visit: Visit, { bookingId: id, erased, documentsErased }: ExistingBooking): Html | undefined {
  if (erased === true || documentsErased === true) return undefined;
  const what = "Their files are gone, and nobody can read any longer what was read in them. The booking takes no more.";
  const fields = [hidden("documents", "true")];
  return html`<div class="actions">${danger(visit, `${pathOf("bookings", id)}/erase`, "Forget the documents", { name: id, what, fields })}</div>`;
}

/** What an operator does for whoever has the booking, by the same rules; and what only operators read. */
function inPlaceOfOwner(visit: Visit, answer: BookingAnswer, booking: ExistingBooking): Html {
  const { bookingId: id, status: word, seats, payments, erased } = booking;
  const path = pathOf("bookings", id);
  const why = erased !== undefined ? [] : [field("why, for operators alone", "reason", html`maxlength="500"`)];
  const left = payments.filter((payment) => refundableAmount(payment) > 0).map(({ paymentId }) => paymentId);
  const which = left.length > 1 ? choice("of", "paymentId", left) : hidden("paymentId", left[0] ?? "");
  const part = field(
    "how much; all that is left without",
    "sum",
    html`inputmode="decimal" size="9" placeholder="905.00"`,
  );
  const note = field("note", "text", html`required maxlength="1000" size="40"`);
  const open = openCase(booking);
  const answers = open === undefined ? [] : actionsOf(open);
  const cabins = booking.unplaced === true ? ["upgrade", "downgrade"] : [];
  const stays = [...answers.filter((each) => each !== "refund"), ...cabins];
  const toFlight = field("flight, to rebook", "flightId", html`size="12"`);
  const toCabin = cabins.length === 0 ? [] : [choice("cabin, to upgrade or downgrade", "cabin", CABINS)];
  const ofCase = hidden("caseId", open?.caseId ?? "");
  const others = field("seats, in the order of the passengers", "seats", html`required`, seats.join(" "));
  return html`${erased !== undefined ? undefined : form(visit, `${path}/notes`, "Write it down", [note])}
${word === "cancelled" ? undefined : form(visit, `${path}/seats`, "Change the seats", [others, ...why])}
${stays.length === 0 ? undefined : form(visit, `${path}/settle`, "Answer the disruption", [ofCase, choice("answer", "answer", stays), toFlight, ...toCabin, ...why])}
<div class="actions">${
    answers.includes("refund")
      ? danger(visit, `${path}/refund-case`, "Refund because of the disruption", {
          name: id,
          what: "The booking ends, and everything paid goes back.",
          fields: [ofCase, ...why],
        })
      : undefined
  }${
    left.length === 0
      ? undefined
      : danger(visit, `${path}/refunds`, "Refund", {
          name: id,
          what: `${refundableWords(answer)} The booking stays.`,
          fields: [which, part, ...why],
        })
  }${
    word === "cancelled"
      ? undefined
      : danger(visit, `${path}/cancel`, "Cancel the booking", {
          name: id,
          what: cancellationWords(answer),
          fields: why,
        })
  }</div>`;
}

const said = (reason: string | undefined) => (reason ? { reason } : {});

export const bookingActions: readonly Action[] = [
  {
    path: "/bookings/:id/notes",
    async run({ api, params: { id = "" } }, { text }) {
      await api.post(`/operator/bookings${pathOf(id)}/notes`, { text });
      return "It is written down.";
    },
  },
  {
    path: "/bookings/:id/seats",
    async run({ api, params: { id = "" } }, { seats = "", reason }) {
      const chosen = seats.split(/[\s,]+/).filter((seat) => seat !== "");
      await api.post(`/operator/bookings${pathOf(id)}/seats`, { seats: chosen, ...said(reason) });
      return `The seats are ${chosen.join(", ")}.`;
    },
  },
  {
    path: "/bookings/:id/refunds",
    isDangerous: true,
    async run({ api, params: { id = "" } }, { paymentId, sum, reason }) {
      const refund = { paymentId, ...(sum && { sum }), ...said(reason) };
      const { amount, currency } = await api.post<RefundBody>(`/operator/bookings${pathOf(id)}/refunds`, refund);
      return `${money(amount, currency)} goes back.`;
    },
  },
  {
    path: "/bookings/:id/cancel",
    isDangerous: true,
    async run({ api, params: { id = "" } }, { reason }) {
      await api.post(`/operator/bookings${pathOf(id)}/cancel`, said(reason));
      return "The booking is cancelled.";
    },
  },
  {
    path: "/bookings/:id/settle",
    async run({ api }, { caseId = "", answer = "", flightId = "", cabin = "", reason }) {
      const to = answer === "rebook" ? { flightId } : answer.endsWith("grade") ? { cabin } : {};
      const asked = { answer, ...to, ...said(reason) };
      const { outcome } = await api.post<DisruptionBody>(`/operator/cases${pathOf(caseId)}/settle`, asked);
      return `The disruption is ${outcome}.`;
    },
  },
  {
    path: "/bookings/:id/refund-case",
    isDangerous: true,
    async run({ api }, { caseId = "", reason }) {
      await api.post(`/operator/cases${pathOf(caseId)}/settle`, { answer: "refund", ...said(reason) });
      return "The booking is cancelled, and everything paid goes back.";
    },
  },
  {
    path: "/bookings/:id/erase",
    isDangerous: true,
    async run({ api, params: { id = "" } }, { passenger, documents, named: name }) {
      const whole = documents === undefined ? {} : { documents: true };
      const body = passenger === undefined ? whole : { passenger: Number(passenger), name };
      await api.post(`/operator/bookings${pathOf(id)}/erase`, body);
      if (documents !== undefined) return "The documents of the booking are forgotten.";
      return passenger === undefined ? "The people of the booking are forgotten." : "The passenger is forgotten.";
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
          html`${payment.method.type.replaceAll("_", " ")} ${id(payment.paymentId)}`,
          html`${status(payment.status)} ${payment.failureCode ?? ""}`,
          shown(payment.amount),
          matchForm(visit, payment),
        ),
      ),
      ...refunds.map((refund) =>
        line(
          html`refund, ${refund.reason} ${id(refund.refundId)}`,
          html`${status(refund.status)} ${refund.failure?.reason ?? ""}`,
          shown(-refund.amount),
          refund.status === "pending"
            ? refundActionsOf(visit, refund, refund.refundId, refund.failure !== null)
            : undefined,
        ),
      ),
      line(html`<strong>paid and kept</strong>`, "", shown(paid - refunded)),
      ...returns.map(({ returnId, cause, status: word, amount, currency: of }) =>
        line(html`transfer to return, ${cause} ${id(returnId)}`, status(word), money(amount, of)),
      ),
    ],
  );
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

/** Characters of a value. Longer ones are cut: the raw events have all of them. */
const VALUE = 300;

function timeline({ at: shown, timeline: moments, booking }: BookingAnswer, names: Names): Html {
  const value = (json: string) =>
    html`<td><code>${json.length > VALUE ? `${json.slice(0, VALUE)}…` : json}</code></td>`;
  const currency = "currency" in booking ? booking.currency : "";
  const first = moments[0]?.revision ?? 0;
  const change = ([name, { from, to }]: readonly [string, { readonly from: unknown; readonly to: unknown }]) =>
    html`<tr><th scope="row">${name}</th>${value(JSON.stringify(from))}${value(JSON.stringify(to))}</tr>`;
  const details = ({ type, requestId, causationId, changes }: Moment) =>
    html`<details><summary>details</summary><p><small>${type}${requestId === null ? "" : html`, request ${id(requestId)}`}${causationId === null ? "" : html`, caused by ${id(causationId)}`}</small></p>
<div class="scroll"><table><thead><tr><th scope="col">field</th><th scope="col">from</th><th scope="col">to</th></tr></thead><tbody>${Object.entries(changes).map(change)}</tbody></table></div></details>`;
  return html`<ol class="timeline">${moments.toReversed().map(
    (
      moment,
    ) => html`<li${moment.revision === shown ? html` aria-current="true"` : undefined}><p><strong>${happened(moment, currency)}</strong>, ${actorOf(names, moment.actor)}</p>
<p><small>${time(moment.at)}, event ${moment.revision}</small></p>
${details(moment)}</li>`,
  )}</ol>${first > 0 ? html`<p><a href="?at=${shown}&amp;before=${first}">Earlier events</a></p>` : undefined}`;
}
