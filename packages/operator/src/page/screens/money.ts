import { type Difference, writtenAmount } from "@travel-booking/domain";
import { type Html, html } from "@travel-booking/http/html";
import type {
  DisputeRow,
  ExpectedTransferRow,
  RefundRow,
  TransferPreview,
  TransferRow,
} from "@travel-booking/read-models";
import { OperatorRefused } from "../../client/operator-client.ts";
import { money } from "../../money.ts";
import { previewWords } from "../../transfer-words.ts";
import { amountField, checkbox, danger, field, form, hidden } from "../forms.ts";
import {
  andMore,
  FIRST_ROWS,
  figure,
  figures,
  idOf,
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
import type { Summary } from "./overview.ts";

export const moneyScreens: readonly Screen[] = [
  {
    path: "/money",
    title: "Money",
    async view(visit) {
      const { api } = visit;
      const transfersOf = api.list<TransferRow>("/operator/transfers");
      // Each section says itself what it can't have.
      transfersOf.catch(() => undefined);
      const received = async (...words: readonly TransferRow["status"][]) =>
        (await transfersOf).filter(({ status: word }) => words.includes(word));
      return html`${await sectionOf("To do", async () => toDo(await api.get<Summary>("/operator/summary")))}
${section("Money has arrived", receiveForm(visit), false)}
${await sectionOf(REFUNDS, async () => refunds(visit, await api.list(`/operator/refunds?${FIRST_ROWS}`)))}
${await sectionOf(UNMATCHED, async () => unmatched(visit, await received("unmatched")))}
${await sectionOf(RETURNS, async () => returns(visit, await received("to_return")))}
${await sectionOf(EXPECTED, async () => expected(await api.list(`/operator/transfers/expected?${FIRST_ROWS}`)))}
${await sectionOf("Transfers received", async () => transfers(visit, await received("applied", "partial", "returned", "reversed")))}
${await sectionOf("Disputes", async () => disputes(await api.list(`/operator/disputes?${FIRST_ROWS}`)))}
${section("Compare with the payment gateway", reconcileForm(visit), false)}`;
    },
  },
];

const REFUNDS = "Refunds that have not arrived";
const UNMATCHED = "Money that matches nothing";
const RETURNS = "Returns to send";
const EXPECTED = "Transfers expected, longest first";

/** Each leads to its section. */
function toDo({ waiting }: Summary): Html {
  if (waiting === null) return html`<p class="problem">What waits is not known.</p>`;
  const at = (title: string) => `#${idOf(title)}`;
  return figures([
    figure(waiting.refundsFailed, "refunds failed", { to: at(REFUNDS), isBad: true }),
    figure(waiting.unmatched, "sums of money match nothing", { to: at(UNMATCHED), isBad: true }),
    figure(waiting.returns, "returns to send", { to: at(RETURNS) }),
    figure(waiting.transfers, "transfers expected", { to: at(EXPECTED) }),
    figure(waiting.refundsPending, "refunds on their way", { to: at(REFUNDS) }),
  ]);
}

const bookingLink = (bookingId: string | null) =>
  bookingId === null ? "–" : link(pathOf("bookings", bookingId), bookingId);

export function refunds(visit: Visit, rows: readonly RefundRow[]): Html {
  return html`${table(
    ["refund", "booking", "amount", "status", "why", "since", "do"],
    rows.map((row) => [
      row.id,
      bookingLink(row.bookingId),
      whole(money(row.amount, row.currency)),
      status(row.status),
      row.failureReason ?? "–",
      time(row.createdAt),
      refundActionsOf(visit, row, row.id, row.status === "failed"),
    ]),
    "All refunds have arrived.",
  )}${andMore(rows)}`;
}

/** Actions for a refund that has not arrived. */
export function refundActionsOf(
  visit: Visit,
  { amount, currency }: Pick<RefundRow, "amount" | "currency">,
  id: string,
  hasFailed: boolean,
): Html {
  const path = pathOf("refunds", id);
  const arrived = danger(visit, `${path}/settle`, "It has arrived", {
    name: writtenAmount(amount, currency),
    what: "The customer has the money: the refund is not sent again.",
  });
  return html`<div class="actions">${hasFailed ? form(visit, `${path}/retry`, "Send it again") : undefined}${arrived}</div>`;
}

function expected(rows: readonly ExpectedTransferRow[]): Html {
  return html`${table(
    ["reference", "booking", "still to come", "since"],
    rows.map(({ reference, bookingId, amount, currency, createdAt }) => [
      reference,
      bookingLink(bookingId),
      whole(money(amount, currency)),
      time(createdAt),
    ]),
    "No bank transfer is expected.",
  )}${andMore(rows)}`;
}

/** Without a currency if none was entered. */
const moneyOf = ({ amount, currency }: TransferRow) => (currency === null ? `${amount} ¢` : money(amount, currency));

/** Takes back money that was entered by mistake. What has paid a booking goes with the booking only. */
function reverseForm(visit: Visit, row: TransferRow): Html | undefined {
  const { id, status: word } = row;
  if (word === "returned" || word === "reversed") return undefined;
  const cancel = checkbox("cancel the booking that it has paid; nothing is sent to anybody", "cancelBooking");
  const why = field("why", "reason", html`required maxlength="500"`);
  return danger(visit, `${pathOf("transfers", id)}/reverse`, "It was a mistake", {
    name: `mistake ${writtenOf(row)}`,
    what: "It never came, or not like this: it counts no longer, and may be entered anew.",
    fields: word === "applied" ? [why, cancel] : [why],
  });
}

const writtenOf = ({ amount, currency }: TransferRow) =>
  currency === null ? String(amount) : writtenAmount(amount, currency);

const returnedForm = (visit: Visit, row: TransferRow) =>
  danger(visit, `${pathOf("transfers", row.id)}/returned`, "It was sent back", {
    name: writtenOf(row),
    what: "The money has left the bank account.",
  });

function unmatched(visit: Visit, rows: readonly TransferRow[]): Html {
  return table(
    ["entry", "what the payer wrote", "amount", "since", "do"],
    rows.map((row) => [
      row.id,
      row.reference ?? "–",
      whole(moneyOf(row)),
      time(row.createdAt),
      html`<div class="actions">${form(visit, "/transfers/preview", "Match it…", matchFields(row))}${returnedForm(visit, row)}${reverseForm(visit, row)}</div>`,
    ]),
    "All money has found what it is for.",
  );
}

const matchFields = ({ id, amount, currency }: TransferRow) => [
  hidden("entryId", id),
  hidden("amount", String(amount)),
  hidden("currency", currency ?? ""),
  field("its reference", "reference"),
];

function returns(visit: Visit, rows: readonly TransferRow[]): Html {
  return table(
    ["return", "reference", "booking", "amount", "since", "do"],
    rows.map((row) => [
      row.id,
      row.reference ?? "–",
      bookingLink(row.bookingId),
      whole(moneyOf(row)),
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
      whole(moneyOf(row)),
      html`${status(row.status)} ${row.reason ?? undefined}`,
      time(row.createdAt),
      reverseForm(visit, row),
    ]),
    "No money has come by bank transfer.",
  );
}

function receiveForm(visit: Visit): Html {
  const fields = [
    field("reference the payer wrote", "reference"),
    amountField("amount"),
    field("currency, if not the booking's", "currency", html`pattern="[A-Z]{3}" size="4" placeholder="USD"`),
    field("the bank's id of the entry", "entryId", html`pattern="[A-Za-z0-9._\\-]{1,100}"`),
  ];
  return form(visit, "/transfers/preview", "Match it…", fields, { look: "primary" });
}

type MoneyForm = Readonly<Record<string, string>>;

/** The fields of money that arrived which the operator interface takes. */
function moneyIn({ reference, amount, sum, currency, entryId }: MoneyForm): object {
  return {
    reference,
    ...(amount ? { amount: Number(amount) } : { sum }),
    ...(currency && { currency }),
    ...(entryId && { entryId }),
  };
}

/** What it would do to enter money, with the form that does it. */
function previewed(visit: Visit, sent: MoneyForm, preview: TransferPreview): Html {
  const { bookingId, reference } = preview;
  const fields = ["reference", "amount", "sum", "currency", "entryId"]
    .filter((name) => sent[name])
    .map((name) => hidden(name, sent[name] ?? ""));
  const label = preview.total === null ? "Keep it as unmatched" : "Match it";
  const which =
    bookingId === null
      ? undefined
      : html`<p>Transfer ${reference ?? undefined} for booking ${bookingLink(bookingId)}</p>`;
  return html`<section><p>${previewWords(preview)}</p>${which}<div class="actions">${form(visit, "/transfers", label, fields)}${link(visit.url, "Back")}</div></section>`;
}

function disputes(rows: readonly DisputeRow[]): Html {
  return html`${table(
    ["dispute", "booking", "amount", "reason", "status", "changed"],
    rows.map(({ id, bookingId, amount, currency, reason, status: word, changedAt }) => [
      id,
      bookingLink(bookingId),
      whole(money(amount, currency)),
      reason,
      word,
      time(changedAt),
    ]),
  )}${andMore(rows)}`;
}

function reconcileForm(visit: Visit): Html {
  return html`${form(visit, "/payments/reconcile", "Compare", [
    field("charges made since (UTC)", "since", html`required type="datetime-local"`),
  ])}<p class="hint">It takes a while for many charges; the same again goes on where it was.</p>`;
}

/** What the end of a reconciliation says: every difference between both ledgers. */
interface Reconciled {
  readonly result?: readonly Difference[];
  readonly error?: string | { readonly message: string };
}

function differences(rows: readonly Difference[]): Html {
  return table(
    ["difference", "payment", "at the gateway", "here", "there"],
    rows.map(({ difference, paymentId, gatewayId, ours, theirs }) => [
      difference.replaceAll("_", " "),
      paymentId === null ? "–" : link(`/find?word=${encodeURIComponent(paymentId)}`, paymentId),
      gatewayId ?? "–",
      html`<code>${JSON.stringify(ours)}</code>`,
      html`<code>${JSON.stringify(theirs)}</code>`,
    ]),
    "Both ledgers say the same.",
  );
}

export const moneyActions: readonly Action[] = [
  {
    path: "/payments/reconcile",
    async run({ api, url }, { since = "" }) {
      const at = new Date(`${since}Z`);
      if (Number.isNaN(at.getTime())) throw new OperatorRefused(["since must be a date and a time"]);
      const body = { since: at.toISOString() };
      let found: readonly Difference[] = [];
      for await (const { result, error } of api.lines<Reconciled>("POST", "/operator/payments/reconcile", body)) {
        if (error !== undefined) throw new OperatorRefused([typeof error === "string" ? error : error.message]);
        found = result ?? found;
      }
      return { title: "Both ledgers", content: html`${differences(found)}<p>${link(url, "Back")}</p>` };
    },
  },
  {
    path: "/refunds/:id/settle",
    isDangerous: true,
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
    isDangerous: true,
    async run({ api, params: { id = "" } }) {
      await api.post(`/operator/transfers${pathOf(id)}/returned`);
      return "Recorded as sent back.";
    },
  },
  {
    path: "/transfers/:id/reverse",
    isDangerous: true,
    async run({ api, params: { id = "" } }, { reason, cancelBooking }) {
      const row = await api.post<TransferRow>(`/operator/transfers${pathOf(id)}/reverse`, {
        reason,
        cancelBooking: cancelBooking === "on",
      });
      return `${moneyOf(row)} taken back.`;
    },
  },
  {
    path: "/transfers/preview",
    async run(visit, sent) {
      const preview = await visit.api.ask<TransferPreview>("/operator/transfers/preview", moneyIn(sent));
      return { title: "What would happen", content: previewed(visit, sent, preview) };
    },
  },
  {
    path: "/transfers",
    async run({ api }, sent) {
      try {
        const { data } = await api.post<{ readonly data: readonly TransferRow[] }>(
          "/operator/transfers",
          moneyIn(sent),
        );
        return data.map((row) => `${moneyOf(row)} ${row.status.replaceAll("_", " ")}`).join(", ");
      } catch (error) {
        // The money is recorded, and matches nothing: as the operator was told before.
        if (error instanceof OperatorRefused && error.status === 404) return error.message;
        throw error;
      }
    },
  },
];
