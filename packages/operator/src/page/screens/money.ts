import { type Html, html } from "@travel-booking/http/html";
import type { DisputeRow, ExpectedTransferRow, RefundRow, TransferRow } from "@travel-booking/read-models";
import { field, form, hidden, link, money, pathOf, section, sectionOf, status, table, time } from "../parts.ts";
import type { Action, Screen, Visit } from "../screen.ts";

export const moneyScreens: readonly Screen[] = [
  {
    path: "/money",
    title: "Money",
    async view(visit) {
      const { api } = visit;
      return html`${await sectionOf("Refunds that have not arrived", async () => refunds(visit, await api.list("/operator/refunds")))}
${await sectionOf("Transfers expected, longest first", async () => expected(await api.list("/operator/transfers/expected")))}
${section("Money has arrived", receiveForm(visit), false)}
${await sectionOf("Money that matches nothing", async () => unmatched(visit, await received(visit, "unmatched")))}
${await sectionOf("Returns to send", async () => returns(visit, await received(visit, "to_return")))}
${await sectionOf("Transfers received", async () => transfers(visit, await received(visit, "applied", "partial", "returned", "reversed")))}
${await sectionOf("Disputes", async () => disputes(await api.list("/operator/disputes")))}`;
    },
  },
];

const bookingLink = (bookingId: string | null) =>
  bookingId === null ? "–" : link(pathOf("bookings", bookingId), bookingId);

function refunds(visit: Visit, rows: readonly RefundRow[]): Html {
  return table(
    ["refund", "booking", "amount", "status", "why", "since", "do"],
    rows.map(({ id, bookingId, amount, currency, status: word, failureReason, createdAt }) => [
      id,
      bookingLink(bookingId),
      money(amount, currency),
      status(word),
      failureReason ?? "–",
      time(createdAt),
      refundActionsOf(visit, id, word === "failed"),
    ]),
    "All refunds have arrived.",
  );
}

/** Actions for a refund that has not arrived. */
export function refundActionsOf(visit: Visit, id: string, hasFailed: boolean): Html {
  const path = pathOf("refunds", id);
  return html`<div class="actions">${form(visit, `${path}/settle`, "It has arrived")}${hasFailed ? form(visit, `${path}/retry`, "Send it again") : undefined}</div>`;
}

function expected(rows: readonly ExpectedTransferRow[]): Html {
  return table(
    ["reference", "booking", "still to come", "since"],
    rows.map(({ reference, bookingId, amount, currency, createdAt }) => [
      reference,
      bookingLink(bookingId),
      money(amount, currency),
      time(createdAt),
    ]),
    "No bank transfer is expected.",
  );
}

async function received({ api }: Visit, ...words: readonly TransferRow["status"][]): Promise<readonly TransferRow[]> {
  const rows = await api.list<TransferRow>("/operator/transfers");
  return rows.filter(({ status: word }) => words.includes(word));
}

/** Without a currency if none was entered. */
const moneyOf = ({ amount, currency }: TransferRow) => (currency === null ? `${amount} ¢` : money(amount, currency));

/** Takes back money that was entered by mistake. What has paid a booking goes with the booking only. */
function reverseForm(visit: Visit, { id, status: word }: TransferRow): Html | undefined {
  if (word === "returned" || word === "reversed") return undefined;
  const cancel = html`<label class="check"><input type="checkbox" name="cancelBooking"> cancel the booking that it has paid; nothing is sent to anybody</label>`;
  const fields = html`${field("why", "reason", html`required maxlength="500"`)}${word === "applied" ? cancel : undefined}`;
  return html`<details><summary>It was a mistake</summary>${form(visit, `${pathOf("transfers", id)}/reverse`, "Take it back", fields)}</details>`;
}

const returnedForm = (visit: Visit, { id }: TransferRow) =>
  form(visit, `${pathOf("transfers", id)}/returned`, "It was sent back");

function unmatched(visit: Visit, rows: readonly TransferRow[]): Html {
  return table(
    ["entry", "what the payer wrote", "amount", "since", "do"],
    rows.map((row) => [
      row.id,
      row.reference ?? "–",
      moneyOf(row),
      time(row.createdAt),
      html`<div class="actions">${form(visit, "/transfers", "Match it", matchFields(row))}${returnedForm(visit, row)}${reverseForm(visit, row)}</div>`,
    ]),
    "All money has found what it is for.",
  );
}

const matchFields = ({ id, amount, currency }: TransferRow) =>
  html`${hidden("entryId", id)}${hidden("amount", String(amount))}${hidden("currency", currency ?? "")}${field("its reference", "reference")}`;

function returns(visit: Visit, rows: readonly TransferRow[]): Html {
  return table(
    ["return", "reference", "booking", "amount", "since", "do"],
    rows.map((row) => [
      row.id,
      row.reference ?? "–",
      bookingLink(row.bookingId),
      moneyOf(row),
      time(row.createdAt),
      html`<div class="actions">${returnedForm(visit, row)}${reverseForm(visit, row)}</div>`,
    ]),
    "No money is to be sent back.",
  );
}

function transfers(visit: Visit, rows: readonly TransferRow[]): Html {
  return table(
    ["entry", "reference", "booking", "amount", "status", "received", "do"],
    rows.map((row) => [
      row.id,
      row.reference ?? "–",
      bookingLink(row.bookingId),
      moneyOf(row),
      html`${status(row.status)} ${row.reason ?? undefined}`,
      time(row.createdAt),
      reverseForm(visit, row),
    ]),
    "No money has come by bank transfer.",
  );
}

function receiveForm(visit: Visit): Html {
  return form(
    visit,
    "/transfers",
    "Match it",
    html`${field("reference the payer wrote", "reference")}${field("amount in cents", "amount", html`required inputmode="numeric" pattern="[1-9][0-9]*"`)}
${field("currency, if not the booking's", "currency", html`pattern="[A-Z]{3}" size="4"`)}${field("the bank's id of the entry", "entryId", html`pattern="[A-Za-z0-9._\\-]{1,100}"`)}`,
  );
}

function disputes(rows: readonly DisputeRow[]): Html {
  return table(
    ["dispute", "booking", "amount", "reason", "status", "changed"],
    rows.map(({ id, bookingId, amount, currency, reason, status: word, changedAt }) => [
      id,
      bookingLink(bookingId),
      money(amount, currency),
      reason,
      word,
      time(changedAt),
    ]),
  );
}

export const moneyActions: readonly Action[] = [
  {
    path: "/refunds/:id/settle",
    async run({ api, params: { id = "" } }) {
      await api.post(`/operator/refunds${pathOf(id)}/settle`);
      return "The refund has arrived.";
    },
  },
  {
    path: "/refunds/:id/retry",
    async run({ api, params: { id = "" } }) {
      await api.post(`/operator/refunds${pathOf(id)}/retry`);
      return "The refund is being sent again.";
    },
  },
  {
    path: "/transfers/:id/returned",
    async run({ api, params: { id = "" } }) {
      await api.post(`/operator/transfers${pathOf(id)}/returned`);
      return "Recorded as sent back.";
    },
  },
  {
    path: "/transfers/:id/reverse",
    async run({ api, params: { id = "" } }, { reason, cancelBooking }) {
      const row = await api.post<TransferRow>(`/operator/transfers${pathOf(id)}/reverse`, {
        reason,
        cancelBooking: cancelBooking === "on",
      });
      return `${moneyOf(row)} taken back.`;
    },
  },
  {
    path: "/transfers",
    async run({ api }, { reference, amount, currency, entryId }) {
      const { data } = await api.post<{ readonly data: readonly TransferRow[] }>("/operator/transfers", {
        reference,
        amount: Number(amount),
        ...(currency && { currency }),
        ...(entryId && { entryId }),
      });
      return data.map((row) => `${moneyOf(row)} ${row.status.replaceAll("_", " ")}`).join(", ");
    },
  },
];
