import {
  type BookingState,
  bookingIdOfPayment,
  chargesTaken,
  type Difference,
  type DifferenceKind,
  differencesOf,
  findPayment,
  isExistingBooking,
  lookAtCharge,
  recordDispute,
  refundsMissingIn,
  refundToSendOf,
  SECOND,
  startedCharge,
} from "@travel-booking/domain";
import { pagesOf } from "@travel-booking/engines/read-store";
import {
  GatewayTimeout,
  GatewayUnavailable,
  type LedgerCharge,
  type LedgerPage,
} from "@travel-booking/payment-gateway";
import { ALL_PARTITION, EVENTS, parseEventStub } from "@travel-booking/read-models";
import { BoundedBackoff, realTime } from "@travel-booking/runtime/real-time";
import type { OperatorServices } from "../operator/operator-services.ts";
import { runSaga } from "../processes/run-saga.ts";
import { bookingStream } from "../streams.ts";

const PAGES = "reconciliation-pages";
const PAGE = 500;
/** How long the pages of an interrupted run are kept. */
const RESUMABLE_MS = 24 * 60 * 60 * 1_000;
/** Real time, for each answer of the gateway. */
const GIVE_UP_AFTER_MS = 10_000;
/** The ledger is read from so much earlier, because a charge is made before its success is recorded here. */
const MARGIN_MS = 60 * 60 * 1_000;

/** Differences of charges without a payment here. They are named only for charges since the given moment. */
const MADE_ELSEWHERE: ReadonlySet<DifferenceKind> = new Set(["charge_unknown_here", "charge_duplicated"]);

/** A page of the gateway's ledger that has been compared. */
interface ComparedPage {
  readonly next: string | null;
  readonly charges: number;
  readonly paymentIds: readonly string[];
  readonly differences: readonly Difference[];
}

/** How many charges of the gateway's ledger have been compared, and how many are known here. */
export interface ReconciliationProgress {
  readonly compared: number;
  readonly known: number;
}

export interface ReconcileOptions {
  /** By the service's clock. */
  readonly since: number;
  /** How far the service's clock is ahead of real time. */
  readonly offset: number;
  readonly onProgress?: (progress: ReconciliationProgress) => void;
  /** Ends the run before the next question to the gateway. */
  readonly signal?: AbortSignal;
}

/** The services and the state of a run. */
type RunServices = OperatorServices & {
  readonly signal: AbortSignal | undefined;
  /** Real time, to the second. */
  readonly from: number;
  /** The payments whose charges the run has seen in the ledger. */
  readonly seen: Set<string>;
};

/**
 * Compares the gateway's ledger with the bookings' payments since a moment, both page by page. Compared pages are kept,
 * so an interrupted run with the same `since` goes on. No money is moved, but news of the gateway is followed up: a
 * charge that had failed here is refunded, a dispute is recorded.
 * @throws GatewayTimeout or GatewayUnavailable the gateway did not answer for a while.
 * @throws AbortError the signal has ended it.
 */
export async function reconcile(
  operatorServices: OperatorServices,
  { since, offset, signal, onProgress = () => undefined }: ReconcileOptions,
): Promise<readonly Difference[]> {
  const from = Math.floor((since - offset) / SECOND) * SECOND;
  const seen = new Set<string>();
  const services: RunServices = { ...operatorServices, signal, from, seen };
  const { gateway, state, clock } = services;
  const bookings = await bookingsPaidSince(services, since);
  const run = new Date(since).toISOString();
  const key = (page: number) => `${run}/${String(page).padStart(8, "0")}`;
  const differences: Difference[] = [];
  let compared = 0;
  let after: string | undefined;
  let pages = 0;
  do {
    const kept = (await state.get<ComparedPage>(PAGES, key(pages)))?.value;
    const page =
      kept ??
      (await comparePage(services, await asked(services, () => gateway.ledgerPage(since - offset - MARGIN_MS, after))));
    if (kept === undefined) await state.put(PAGES, key(pages), page, { expiresAt: clock.now() + RESUMABLE_MS });
    for (const paymentId of page.paymentIds) seen.add(paymentId);
    differences.push(...page.differences);
    compared += page.charges;
    onProgress({ compared, known: bookings.size });
    after = page.next ?? undefined;
    pages += 1;
  } while (after !== undefined);
  for (const bookingId of bookings) {
    signal?.throwIfAborted();
    differences.push(...(await missingThere(services, bookingId)));
  }
  for (let page = 0; page < pages; page += 1) await state.remove(PAGES, key(page));
  return differences;
}

/** Bookings with a payment that succeeded since the given moment. */
async function bookingsPaidSince(services: RunServices, since: number): Promise<ReadonlySet<string>> {
  await services.waitUntilProjected(await services.store.head());
  const { model, all } = EVENTS.event;
  const bookings = new Set<string>();
  const range = { index: all, partition: ALL_PARTITION, order: "descending", limit: PAGE } as const;
  for await (const page of pagesOf(services.models, model, range)) {
    services.signal?.throwIfAborted();
    for (const item of page) {
      const { type, about, at } = parseEventStub(item.key, item);
      if (at < since) return bookings;
      if (type === "payment.succeeded") bookings.add(about);
    }
  }
  return bookings;
}

async function comparePage(services: RunServices, { charges, next }: LedgerPage): Promise<ComparedPage> {
  const { from, seen } = services;
  const differences: Difference[] = [];
  const paymentIds: string[] = [];
  for (const charge of charges) {
    const { paymentId, createdAt } = charge;
    // If the gateway does not know which charge is the payment's, the first one in the ledger counts.
    const isSecond = charge.isSecond || (paymentId !== null && seen.has(paymentId));
    if (paymentId !== null && !isSecond) {
      seen.add(paymentId);
      paymentIds.push(paymentId);
    }
    const isOlder = createdAt !== null && createdAt < from;
    const found = await compare(services, { ...charge, isSecond });
    differences.push(...found.filter(({ difference }) => !(isOlder && MADE_ELSEWHERE.has(difference))));
  }
  return { next: next ?? null, charges: charges.length, paymentIds, differences };
}

async function compare(services: RunServices, theirs: LedgerCharge): Promise<readonly Difference[]> {
  const { paymentId, gatewayId } = theirs;
  const bookingId = paymentId === null ? undefined : bookingIdOfPayment(paymentId);
  if (bookingId === undefined || paymentId === null) return differencesOf({ status: "none" }, theirs);
  const { differences, unsure } = await readBooking(services, bookingId, (booking) => {
    const payment = findPayment(booking, paymentId);
    return {
      differences: differencesOf(booking, theirs),
      unsure: (payment ? refundsMissingIn(payment, theirs) : []).map((refundId) =>
        refundToSendOf(bookingId, booking, refundId),
      ),
    };
  });
  const missing: Difference[] = [];
  for (const refund of unsure) {
    const outcome = await asked(services, () => services.gateway.refundOutcome(refund));
    if (outcome?.status === "succeeded" || outcome?.status === "pending") continue;
    const { refundId, amount } = refund;
    missing.push({
      paymentId,
      gatewayId,
      difference: "refund_missing_there",
      ours: { refundId, amount },
      theirs: null,
    });
  }
  if (differences.some(({ difference }) => difference === "charge_failed_here")) {
    await runSaga(services, lookAtCharge(bookingId, paymentId));
  }
  for (const { paymentId: _, ...dispute } of theirs.disputes) {
    await runSaga(services, recordDispute(bookingId, paymentId, dispute));
  }
  return [...differences, ...missing];
}

/** Charges that succeeded here, but are not in the ledger, and that the gateway does not know when asked. */
async function missingThere(services: RunServices, bookingId: string): Promise<readonly Difference[]> {
  const unseen = await readBooking(services, bookingId, (booking) =>
    isExistingBooking(booking)
      ? chargesTaken(booking)
          .filter(({ paymentId }) => !services.seen.has(paymentId))
          .map((payment) => startedCharge(booking, payment))
      : [],
  );
  const differences: Difference[] = [];
  for (const charge of unseen) {
    const outcome = await asked(services, () => services.gateway.chargeOutcome(charge));
    if (outcome?.status === "succeeded") continue;
    const { paymentId, amount, currency } = charge;
    differences.push({
      paymentId,
      gatewayId: null,
      difference: "charge_missing_there",
      ours: { amount, currency },
      theirs: null,
    });
  }
  return differences;
}

function readBooking<Reply>(services: OperatorServices, bookingId: string, reply: (booking: BookingState) => Reply) {
  return services.handler.readState({ ...bookingStream(bookingId), reply });
}

/** Asks the gateway again until it answers, for a while. @throws GatewayTimeout or GatewayUnavailable, AbortError */
async function asked<Answer>(
  { gatewayMonitor, realTime: time = realTime, signal }: RunServices,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const backoff = new BoundedBackoff(time, GIVE_UP_AFTER_MS);
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      gatewayMonitor.report(error);
      const mayPass = error instanceof GatewayTimeout || error instanceof GatewayUnavailable;
      if (!mayPass || !(await backoff.pause())) throw error;
    }
  }
}
