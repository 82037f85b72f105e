import {
  amountOutstanding,
  type BankEntry,
  bankEntryDecider,
  bookingDecider,
  bookingIdOfReturn,
  entryIdOf,
  entryIdOfReturn,
  isCurrency,
  paymentOf,
  type Rejection,
  readAmount,
  referencesIn,
  returnIdOf,
  smallestUnitsPerUnit,
  type TransferMatch,
  writtenAmount,
} from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { BOOKINGS, type TransferPreview, type TransferRow, type TransferTarget } from "@travel-booking/read-models";
import { z } from "zod";
import type { CommandContext } from "../command-handling/command.ts";
import { receiveMoney } from "../payments/receive-money.ts";
import { reverseMoney } from "../payments/reverse-money.ts";
import { existingBooking } from "../responses.ts";
import { bankEntryStream, bookingStream } from "../streams.ts";
import { currentRows, line, listed, type OperatorServices, operatorContext, parse } from "./operator-services.ts";

/** How much: `amount` in the smallest unit, or `sum` as people write it. */
export const sumFields = { amount: z.int().min(1).optional(), sum: z.string().max(40).optional() };

const receivedMoney = z.strictObject({
  reference: z.string().trim().min(1).max(500),
  ...sumFields,
  currency: z.string().refine(isCurrency, "must be a currency of ISO 4217, such as USD").nullable().default(null),
  entryId: z
    .string()
    .regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/)
    .refine((id) => bookingIdOfReturn(id) === undefined, "must be the bank's: this is the id of a return")
    .optional(),
});

const reversal = z.strictObject({ reason: line(500), cancelBooking: z.boolean().default(false) });

/** `transfer receive`, `preview`, `list`, `expected`, `returned`, `reverse`. */
export function transferRoutes(services: OperatorServices): readonly OperatorRoute[] {
  const { expectedTransfer } = BOOKINGS;
  return [
    operatorRoute("POST", "/operator/transfers", async (request) => ({ data: await receive(services, request) })),
    operatorRoute("POST", "/operator/transfers/preview", (request) => preview(services, request)),
    operatorRoute("GET", "/operator/transfers", async () => ({ data: await transferRows(services) })),
    operatorRoute("GET", "/operator/transfers/expected", async ({ query }) => ({
      data: await currentRows(services, expectedTransfer.model, expectedTransfer.oldest, parse(listed, query).most),
    })),
    operatorRoute("POST", "/operator/transfers/:id/returned", (request) => markReturned(services, request)),
    operatorRoute("POST", "/operator/transfers/:id/reverse", (request) => reverse(services, request)),
  ];
}

async function transferRows(services: OperatorServices): Promise<readonly TransferRow[]> {
  const { model, newest } = BOOKINGS.transfer;
  const rows = (await currentRows(services, model, newest)) as readonly TransferRow[];
  return Promise.all(
    rows.map(async (row) => {
      const { payerTexts } = services;
      if (row.status === "unmatched") return { ...row, reference: await payerTexts.find(row.id) };
      if (row.status !== "reversed" || row.bookingId !== null) return row;
      return { ...row, reason: await payerTexts.find(reasonOf(row.id)) };
    }),
  );
}

/** Why an entry that matched nothing was reversed stands beside the texts of payers, because it may name people, too. */
const reasonOf = (entryId: string) => `${entryId}/reversed`;

type NamedTransfer = TransferTarget & { readonly reference: string };

/** The transfers whose references occur in a text. */
export async function transfersIn(
  models: Pick<ReadModels, "document">,
  text: string,
): Promise<readonly NamedTransfer[]> {
  const found: NamedTransfer[] = [];
  for (const reference of referencesIn(text)) {
    const document = await models.document(BOOKINGS.transferReference.model, reference);
    if (document !== undefined) found.push({ ...(document.state as TransferTarget), reference });
  }
  return found;
}

const REFUSED: Readonly<Record<string, string>> = {
  entry_differs: "was received already, with another amount, currency or reference",
  entry_returned: "was sent back already",
};

/** Money as an operator entered it, and the transfers that its text names; `match`: the only one. */
interface EnteredMoney {
  readonly text: string;
  readonly entry: BankEntry;
  readonly names: number;
  readonly match: TransferMatch | null;
  /** Without the bank's id the same sum for the same transfer is taken once. */
  readonly isNew: boolean;
}

/** @throws OperatorError 400 */
async function entered(services: OperatorServices, request: OperatorRequest): Promise<EnteredMoney> {
  const { models, store, waitUntilProjected } = services;
  const given = parse(receivedMoney, request.body);
  const { reference: text, currency } = given;
  await waitUntilProjected(await store.head());
  const named = await transfersIn(models, text);
  const [transfer] = named.length === 1 ? named : [];
  const match = transfer === undefined ? null : { ...transfer, currency: await currencyOf(services, transfer) };
  const amount = amountOf(given, currency ?? match?.currency);
  const ownId = match === null ? request.command.commandId : entryIdOf(match, amount, currency ?? match.currency);
  const entry = { entryId: given.entryId ?? ownId, amount, currency };
  const isNew = given.entryId === undefined && !request.command.repeated;
  return { text, entry, names: named.length, match, isNew };
}

/**
 * In the smallest unit of the currency.
 * @throws OperatorError 400
 */
export function amountOf(
  { amount, sum }: Pick<z.infer<typeof receivedMoney>, "amount" | "sum">,
  currency: string | undefined,
): number {
  if ((amount === undefined) === (sum === undefined))
    throw new OperatorError(400, "sum or amount is required, one of them");
  if (amount !== undefined) return amount;
  if (currency === undefined)
    throw new OperatorError(400, "currency is required where the reference names no transfer");
  const read = readAmount(sum ?? "", currency);
  if (read === undefined) {
    const example = writtenAmount(905 * smallestUnitsPerUnit(currency), currency);
    throw new OperatorError(400, `sum must be an amount in ${currency} such as ${example}`);
  }
  return read;
}

/**
 * Matches money to a payment by its reference. Returns the rows of this money.
 * @throws OperatorError 404 the money is unmatched, and listed as such; 409 the entry was received differently.
 */
async function receive(services: OperatorServices, request: OperatorRequest): Promise<readonly TransferRow[]> {
  const { payerTexts, waitUntilProjected } = services;
  const { text, entry, names, match, isNew } = await entered(services, request);
  const { entryId } = entry;
  let step = 0;
  const newContext = () => operatorContext(request, { step: step++ });
  const outcome =
    (await receiveTaken(services, entry, match, newContext())) ??
    (await receiveMoney(services, entry, match, newContext, isNew));
  if (!outcome.accepted) throw notReceived(entryId, outcome.rejection);
  if (match === null) {
    await payerTexts.keep(entryId, text);
    await waitUntilProjected(outcome.position);
    // Without the text itself, which may name people: refusals are kept plain under an Idempotency-Key.
    const why = names === 0 ? "no bank transfer has this reference" : "this names several bank transfers";
    throw new OperatorError(404, `${why}: the money stands in transfer list as unmatched, its entry is ${entryId}`);
  }
  await payerTexts.forget(entryId);
  const rows = await transferRows(services);
  const own = [entryId, returnIdOf(match.bookingId, entryId)];
  return rows.filter((row) => row.paymentId === match.paymentId && own.includes(row.id));
}

function notReceived(entryId: string, { code }: Rejection): OperatorError {
  if (code === "entry_known")
    return new OperatorError(409, `entryId is required: the same sum has come for this transfer before (${entryId})`);
  return new OperatorError(409, `entry ${entryId} ${REFUSED[code] ?? `was refused: ${code}`}`);
}

/** Decides as `receive` does, and records nothing. @throws OperatorError 400, 409 */
async function preview(services: OperatorServices, request: OperatorRequest): Promise<TransferPreview> {
  const { handler, clock } = services;
  const { entry, names, match, isNew } = await entered(services, request);
  const { entryId, amount } = entry;
  const at = clock.now();
  const recorded = await handler.readState({
    ...bankEntryStream(entryId),
    reply(state) {
      const command = { type: "RecordBankEntry", entry, match, isNew } as const;
      const { rejection, events } = bankEntryDecider.decide(command, state, at);
      return { rejection, isKnown: events.length === 0, currency: "entry" in state ? state.entry.currency : null };
    },
  });
  if (recorded.rejection !== undefined) throw notReceived(entryId, recorded.rejection);
  const currency = entry.currency ?? recorded.currency ?? match?.currency ?? null;
  const nothing = { arrived: 0, applied: 0, stillToCome: 0, toReturn: 0, cause: null };
  const money = { names, amount, currency, receivedBefore: recorded.isKnown };
  if (match === null || currency === null)
    return { ...money, bookingId: null, reference: null, total: null, ...nothing };
  const { bookingId, paymentId, reference } = match;
  const command = { type: "ReceiveTransfer", entryId, reference, amount, currency } as const;
  return handler.readState({
    ...bookingStream(bookingId),
    reply(booking): TransferPreview {
      const payment = paymentOf(booking, paymentId);
      const { events } = bookingDecider.decide(command, booking, at);
      const applied = events.find((event) => event.type === "TransferReceived")?.data.applied ?? 0;
      const due = events.findLast((event) => event.type === "ReturnDue" && event.data.entryId === entryId);
      const { amount: toReturn, cause } = due?.type === "ReturnDue" ? due.data : { amount: 0, cause: null };
      const left = amountOutstanding(payment);
      const [total, arrived, stillToCome] = [payment.amount, payment.amount - left, left - applied];
      return { ...money, bookingId, reference, total, arrived, applied, stillToCome, toReturn, cause };
    },
  });
}

function currencyOf({ handler }: OperatorServices, { bookingId }: NamedTransfer): Promise<string> {
  return handler.readState({ ...bookingStream(bookingId), reply: (booking) => existingBooking(booking).currency });
}

/** Entries that an older release received, with their references. Their other data is in the booking. */
const TAKEN_BEFORE = "transfer-entries";

/** Undefined if no older release received the entry. */
async function receiveTaken(
  { state, handler }: OperatorServices,
  entry: BankEntry,
  match: TransferMatch | null,
  context: CommandContext,
) {
  const taken = await state.get<{ readonly reference: string }>(TAKEN_BEFORE, entry.entryId);
  if (taken === undefined) return undefined;
  if (match?.reference !== taken.value.reference)
    return { accepted: false, rejection: { code: "entry_differs" } } as const;
  const { bookingId, reference } = match;
  const currency = entry.currency ?? match.currency;
  const command = { type: "ReceiveTransfer", ...entry, reference, currency } as const;
  return handler.execute({ ...bookingStream(bookingId), command, context, reply: () => undefined });
}

async function markReturned(services: OperatorServices, request: OperatorRequest): Promise<TransferRow> {
  const id = request.params.id ?? "";
  const row = (await transferRows(services)).find((candidate) => candidate.id === id);
  if (row === undefined) throw new OperatorError(404, "no transfer with this id");
  const { handler, payerTexts } = services;
  const asked = { context: operatorContext(request), reply: () => undefined };
  const outcome =
    row.bookingId === null
      ? await handler.execute({ ...bankEntryStream(id), ...asked, command: { type: "MarkEntryReturned", entryId: id } })
      : await handler.execute({
          ...bookingStream(row.bookingId),
          ...asked,
          command: { type: "MarkReturnSent", returnId: id },
        });
  if (!outcome.accepted) throw new OperatorError(409, "this money is not to be returned");
  await payerTexts.forget(id);
  await services.waitUntilProjected(outcome.position);
  return { ...row, status: "returned" };
}

const NOT_REVERSED: Readonly<Record<string, string>> = {
  entry_sent_back: "money of it was sent back, or is on its way: what goes back to a payer can't be taken back here",
  entry_returned: "it was sent back already: what has left the account can't be taken back here",
  payment_succeeded: "it has paid its booking; --cancel-booking cancels that, and nothing is sent to anybody",
  entry_matched: "it is being matched at this moment; try again",
};

/** @throws OperatorError 404, 409. */
async function reverse(services: OperatorServices, request: OperatorRequest): Promise<TransferRow> {
  const { state, models, payerTexts } = services;
  const { reason, cancelBooking } = parse(reversal, request.body);
  const { id = "" } = request.params;
  const entryId = entryIdOfReturn(id) ?? id;
  const former = await state.get<{ readonly reference: string }>(TAKEN_BEFORE, entryId);
  const [owner] = former === undefined ? [] : await transfersIn(models, former.value.reference);
  let step = 0;
  const newContext = () => operatorContext(request, { step: step++ });
  const outcome = await reverseMoney(services, { entryId, reason, cancelBooking }, owner?.bookingId, newContext);
  if (!outcome.accepted) {
    const why = NOT_REVERSED[outcome.rejection.code];
    throw why === undefined
      ? new OperatorError(404, "no money with this id")
      : new OperatorError(409, `entry ${entryId}: ${why}`);
  }
  if (former !== undefined) await state.remove(TAKEN_BEFORE, entryId);
  await payerTexts.forget(entryId);
  if (outcome.reply === null) {
    await payerTexts.forget(reasonOf(entryId));
    await payerTexts.keep(reasonOf(entryId), reason);
  }
  await services.waitUntilProjected(outcome.position);
  const rows = await transferRows(services);
  // Received again meanwhile, its money may be to return.
  const row = rows.find((each) => each.id === entryId) ?? rows.find((each) => entryIdOfReturn(each.id) === entryId);
  if (row === undefined) throw new OperatorError(503, "recorded, but not shown yet");
  return row;
}
