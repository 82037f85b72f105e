import type { Reward } from "../loyalty/rules.ts";
import type { Changing } from "../shared/changes.ts";
import type { Instant } from "../shared/decision.ts";
import type { FlightChange, FlightTimes } from "../shared/flight-change.ts";
import type { Mutable } from "../shared/values.ts";
import type { DocumentKind, ReadZone } from "../travel-document/reading.ts";
import type {
  BookingCancelled,
  BookingCreated,
  BookingDisrupted,
  CaseOutcome,
  DocumentUploaded,
  PaymentStarted,
  RefundStarted,
  ReturnDue,
  TransferReceived,
  TransferReversed,
} from "./events.ts";
import type { BankTransferDetails, Dispute, PaymentFailureCode, PaymentMethod } from "./payment.ts";

type Data = BookingCreated["data"];
type Created = Required<Omit<Data, "expiresAt" | "metadata" | "flightRevision" | "passengerIds">> &
  Pick<Data, "metadata">;
/** Fields that later events change. `surcharges` follow `seats` while the booking is pending, and then are frozen. */
type ChangedFields =
  | "flightId"
  | "cabin"
  | "fareAmount"
  | "departsAt"
  | "passengers"
  | "seats"
  | "surcharges"
  | "creditApplied"
  | "totalAmount"
  | "reference"
  | "metadata";

/** The fields of every booking, whatever its status. Amounts in cents. Plain JSON, because read models store it. */
export interface BookingFields
  extends Omit<Created, ChangedFields>,
    Mutable<Pick<Created, ChangedFields>>,
    Mutable<Changing> {
  readonly createdAt: Instant;
  /** Cents of `creditApplied` that the booking claimed from the account's banked credit when it was created. */
  readonly creditClaimed: number;
  /** Oldest first. */
  payments: Payment[];
  /** Ids of payments whose token the gateway did not know. */
  paymentsWithdrawn?: readonly string[];
  /** Refunds closed against a late start. */
  refundsClosed?: readonly string[];
  /** Oldest first. */
  returns: TransferReturn[];
  /** Ids of the seat changes the booking has applied, oldest first. */
  changesApplied: string[];
  /** Seat changes closed against a late decision. */
  changesClosed: string[];
  /** Oldest first. */
  documents: TravelDocument[];
  /** Files closed before their document was recorded. */
  uploadsClosed: string[];
  /** Granted rewards, oldest first. */
  rewards: GrantedReward[];
  /** Redemptions closed against a late decision. */
  redemptionsClosed: string[];
  /** Points the account gets at departure. */
  pendingPoints: number;
  /** True once its departure is recorded. */
  flown: boolean;
  /** The revision of the flight that the booking follows. Absent: 0. */
  flightRevision?: number;
  /** The times that the traveller agreed to last. Absent: the present ones. */
  agreed?: FlightTimes;
  /** Those that it was to depart at before, oldest first. Absent: none. */
  formerDepartures?: readonly Instant[];
  /** True: the flight will never depart. */
  flightCancelled?: true;
  /** By which it got to its flight, oldest first. Absent: none. */
  moves?: readonly Move[];
  /** True: it has no place on its flight, since another ship has come. */
  unplaced?: true;
  /** What its seats are to cost once the payment under way has succeeded. Absent: as before. */
  surchargesDue?: readonly number[];
  /** Oldest first. Absent: none. */
  cases?: DisruptionCase[];
  /** All personal words are erased, or those of these passengers. Absent: none. */
  readonly erased?: true | readonly number[];
  /** Its documents are forgotten. */
  readonly documentsErased?: true;
}

export interface Move {
  readonly moveId: string;
  /** That has led to it. */
  readonly caseId: string;
  /** The flight that it left. */
  readonly left: string;
}

interface NoBooking {
  readonly status: "none";
}

/** Closed before anything was created. A late `CreateBooking` is refused. */
interface AbandonedBooking {
  readonly status: "abandoned";
  readonly bookingId: string;
}

export interface PendingBooking extends BookingFields {
  readonly status: "pending";
  /** Null only between creation and confirmation in the same append. A bank transfer moves it to its due time. */
  expiresAt: Instant | null;
}

export interface ConfirmedBooking extends BookingFields {
  readonly status: "confirmed";
  readonly confirmedAt: Instant;
}

export interface CancelledBooking extends BookingFields {
  readonly status: "cancelled";
  readonly cancelledAt: Instant;
  readonly cause: BookingCancelled["data"]["cause"];
  readonly reason: string | null;
}

export type ExistingBooking = PendingBooking | ConfirmedBooking | CancelledBooking;

export type BookingState = NoBooking | AbandonedBooking | ExistingBooking;

export function isExistingBooking(state: BookingState): state is ExistingBooking {
  return state.status !== "none" && state.status !== "abandoned";
}

/** The booking, if it exists and belongs to this account. */
export function bookingOf(state: BookingState, accountId: string): ExistingBooking | undefined {
  return isExistingBooking(state) && state.accountId === accountId ? state : undefined;
}

type CaseFacts = Omit<BookingDisrupted["data"], "flightRevision" | "refundAmount" | "unplaced">;

/** What a disruption of the flight means for the booking. */
export interface DisruptionCase extends CaseFacts {
  /** What the last revision replaced. Absent: it was never revised. */
  former?: CaseFacts;
  /** Of the case, from 1. */
  readonly revision: number;
  readonly createdAt: Instant;
  status: "open" | "resolved";
  outcome: CaseOutcome | null;
  refundAmount: number;
  resolvedAt: Instant | null;
}

export const CASE_STATUSES = ["open", "resolved"] as const;

/** A reward the booking was given. */
export interface GrantedReward {
  readonly redemptionId: string;
  readonly reward: Reward;
  /** Cents that lowered the price; 0 except for a credit. */
  readonly amount: number;
}

export type PaymentStatus = "pending" | "succeeded" | "failed";

/** Money that goes back to the customer. */
export interface Refund extends Omit<RefundStarted["data"], "pending" | "departed" | "keepsLessThanHalf"> {
  readonly createdAt: Instant;
  /** `pending` even after a failure, because the customer has not got the money. */
  status: "pending" | "succeeded";
  /** 1 at first; grows by one each time an operator sends the refund again. */
  attempt: number;
  /** How often the gateway has reported this attempt as on its way. */
  checks: number;
  /** The last attempt that failed, and the gateway's reason. */
  failure: { readonly attempt: number; readonly reason: string } | null;
}

/** Money that arrived on the bank account. `applied` of its cents count towards the payment. */
export interface TransferEntry extends Omit<TransferReceived["data"], "paymentId"> {
  readonly receivedAt: Instant;
}

/** An entry that an operator has taken back. */
export interface ReversedEntry extends TransferEntry, Pick<TransferReversed["data"], "reason" | "departed"> {
  /** How often it has been reversed. */
  readonly reversals: number;
}

/** One payment of a booking. Its statuses are the public ones. Amounts in cents. */
export interface Payment extends Omit<PaymentStarted["data"], "method"> {
  method: PaymentMethod;
  readonly createdAt: Instant;
  status: PaymentStatus;
  /** Set exactly when failed. */
  failureCode: PaymentFailureCode | null;
  /** Present if it failed because its id was barred, so that it was never charged. */
  barred?: true;
  /** Oldest first. */
  refunds: Refund[];
  /** Entries of a bank transfer, oldest first; empty for a charge. */
  entries: TransferEntry[];
  /** Entries that an operator has taken back, oldest first; absent: none. */
  reversed?: ReversedEntry[];
  /** Disputes of a charge, oldest first. */
  disputes: Dispute[];
}

type DueReturn = ReturnDue["data"];

/** Transferred money that goes back to its sender. */
export interface TransferReturn extends DueReturn {
  readonly createdAt: Instant;
  status: "due" | "sent";
}

export const DOCUMENT_STATUSES = ["pending", "verified", "rejected"] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** The holder of a verified document. If the passenger is renamed later, the document is not the new one's. */
export interface DocumentHolder {
  /** 0-based index of the booking's passengers. */
  readonly passenger: number;
  /** The passenger's name when the document was verified. */
  readonly name: string;
  /** `SURNAME/GIVEN NAMES` as the document writes it; absent if none was read. */
  readonly zoneName?: string;
}

type UploadedFile = DocumentUploaded["data"];

/** A document of a booking. Plain JSON, like all of a booking's state. */
export interface TravelDocument extends UploadedFile {
  readonly uploadedAt: Instant;
  kind: DocumentKind;
  status: DocumentStatus;
  /** Null unless rejected. */
  rejectionReason: string | null;
  /** Whether an operator has decided on it last. */
  decidedByOperator?: boolean;
  /** `SURNAME/GIVEN NAMES` as read in a document that was left to an operator. */
  zoneName?: string;
  /** The zone as read, perhaps wrongly, for the operator. */
  read?: ReadZone;
  /** Who must look at the document next; null once it is decided. */
  awaits: "reviewer" | "operator" | null;
  /** Empty unless verified. */
  holders: readonly DocumentHolder[];
}

/** Whether a booking that is told so is on a flight that will never depart: only where it does may silence accept. */
export function isGrounding({ kind, onSilence }: Pick<BookingDisrupted["data"], "kind" | "onSilence">): boolean {
  return kind === "cancelled" && onSilence !== "accept";
}

/** Oldest first. */
export function casesOf(state: BookingState): readonly DisruptionCase[] {
  return isExistingBooking(state) ? (state.cases ?? []) : [];
}

/** At most one is open: a further disruption revises it. */
export function openCase(state: BookingState): DisruptionCase | undefined {
  return casesOf(state).find(({ status }) => status === "open");
}

/** @throws Error the booking has no such case. */
export function caseOf(state: BookingState, caseId: string): DisruptionCase {
  const found = casesOf(state).find((each) => each.caseId === caseId);
  if (found === undefined) throw new Error(`the booking has no case ${caseId}`);
  return found;
}

/** The places that a booking has left by a move; undefined: it has not moved so. `placedBy`: the move that it had them by, if any. */
export function placesLeftBy(
  state: BookingState,
  moveId: string,
): { readonly flightId: string; readonly placedBy: string | undefined } | undefined {
  const moves = (isExistingBooking(state) && state.moves) || [];
  const index = moves.findIndex((move) => move.moveId === moveId);
  const move = moves[index];
  return move && { flightId: move.left, placedBy: moves[index - 1]?.moveId };
}

/** Whether the booking has not decided on a move yet. */
export function mayMoveBy({ status, changesApplied, changesClosed }: ExistingBooking, moveId: string): boolean {
  return status !== "cancelled" && !changesApplied.includes(moveId) && !changesClosed.includes(moveId);
}

/**
 * The changes of its flight that a booking has not followed yet, oldest first; none if it is over. A cancellation that was
 * taken back before the booking heard of it never was.
 */
export function changesToFollow(state: BookingState, changes: readonly FlightChange[]): readonly FlightChange[] {
  if (changes.length === 0 || !isExistingBooking(state) || state.status === "cancelled") return [];
  const { flightRevision = 0 } = state;
  const news = changes.filter(({ revision }) => revision > flightRevision);
  const ofKind = (kind: FlightChange["kind"]) =>
    new Set(news.filter((change) => change.kind === kind).map(({ disruptionId }) => disruptionId));
  const takenBack = ofKind("reinstated").intersection(ofKind("cancelled"));
  return news.filter(({ disruptionId }) => !takenBack.has(disruptionId));
}

/** Whether the booking has followed its flight through all of these, or need not because it is over. */
export function hasFollowed(state: BookingState, changes: readonly FlightChange[]): boolean {
  return state.status !== "none" && changesToFollow(state, changes).length === 0;
}

export function paymentsOf(state: BookingState): readonly Payment[] {
  return isExistingBooking(state) ? state.payments : [];
}

export function findPayment(state: BookingState, paymentId: string): Payment | undefined {
  return paymentsOf(state).find((payment) => payment.paymentId === paymentId);
}

/** Whether the payment was never charged and can't be, so that the request which began it may begin another. */
export function isPaymentGivenUp(state: BookingState, paymentId: string): boolean {
  return isWithdrawn(state, paymentId) || findPayment(state, paymentId)?.barred === true;
}

export function isWithdrawn(state: BookingState, paymentId: string): boolean {
  return isExistingBooking(state) && state.paymentsWithdrawn?.includes(paymentId) === true;
}

/** @throws Error the booking has no such payment. */
export function paymentOf(state: BookingState, paymentId: string): Payment {
  const payment = findPayment(state, paymentId);
  if (payment === undefined) throw new Error(`the booking has no payment ${paymentId}`);
  return payment;
}

export function refundsOf(state: BookingState): readonly Refund[] {
  return paymentsOf(state).flatMap((payment) => payment.refunds);
}

export function findRefund(state: BookingState, refundId: string): Refund | undefined {
  return refundsOf(state).find((refund) => refund.refundId === refundId);
}

/** @throws Error the booking has no such refund. */
export function refundOf(state: BookingState, refundId: string): Refund {
  const refund = findRefund(state, refundId);
  if (refund === undefined) throw new Error(`the booking has no refund ${refundId}`);
  return refund;
}

/** Cents refunded so far, pending refunds included. */
export function amountRefunded(payment: Payment): number {
  return payment.refunds.reduce((sum, refund) => sum + refund.amount, 0);
}

/** Whether the present attempt has failed, so that an operator must send it again or settle it. */
export function hasFailed({ status, attempt, failure }: Refund): boolean {
  return status === "pending" && failure?.attempt === attempt;
}

/** Cents that can still be refunded: 0 unless the payment succeeded. */
export function refundableAmount(payment: Payment): number {
  return payment.status === "succeeded" ? payment.amount - amountRefunded(payment) : 0;
}

/** Cents of a bank transfer that have not arrived yet. */
export function amountOutstanding(payment: Payment): number {
  return payment.amount - payment.entries.reduce((sum, entry) => sum + entry.applied, 0);
}

/** Whether a payment succeeded with money of this entry. */
export function hasPaid({ status, entries }: Payment, entryId: string): boolean {
  return status === "succeeded" && entries.some((entry) => entry.entryId === entryId && entry.applied > 0);
}

/** The details of a bank transfer; undefined for a charge. */
export function bankTransferOf(payment: Payment): BankTransferDetails | undefined {
  return payment.method.type === "bank_transfer" ? payment.method.bankTransfer : undefined;
}

/** Cents paid and not refunded; pending refunds count as refunded. */
export function netAmountPaid(state: BookingState): number {
  return paymentsOf(state).reduce((sum, payment) => sum + refundableAmount(payment), 0);
}

/**
 * Whether the booking keeps half of its total, or costs nothing (docs/rules.md#unpaid-seats); `refunding`: after so
 * many more cents are refunded. Below half it is never paid again, because a confirmed booking takes no further
 * payment.
 */
export function isPaid(state: BookingState, refunding = 0): boolean {
  return state.status === "confirmed" && 2 * (netAmountPaid(state) - refunding) >= state.totalAmount;
}

export function hasPendingPayment(state: BookingState): boolean {
  return paymentsOf(state).some(({ status }) => status === "pending");
}

/** Charges of a card or wallet whose outcome is unknown. */
export function pendingCharges(state: BookingState): readonly Payment[] {
  return paymentsOf(state).filter((payment) => payment.status === "pending" && bankTransferOf(payment) === undefined);
}

/** Bank transfers still waiting for money; at most one at a time. */
export function pendingTransfers(state: BookingState): readonly Payment[] {
  return paymentsOf(state).filter((payment) => payment.status === "pending" && bankTransferOf(payment) !== undefined);
}

/** The reward of a redemption; undefined if the booking has none of it. */
export function findReward(state: BookingState, redemptionId: string): GrantedReward | undefined {
  return isExistingBooking(state) ? state.rewards.find((reward) => reward.redemptionId === redemptionId) : undefined;
}

/** Oldest first. */
export function documentsOf(state: BookingState): readonly TravelDocument[] {
  return isExistingBooking(state) ? state.documents : [];
}

export function findDocument(state: BookingState, documentId: string): TravelDocument | undefined {
  return documentsOf(state).find((document) => document.documentId === documentId);
}

/** @throws Error the booking has no such document. */
export function documentOf(state: BookingState, documentId: string): TravelDocument {
  const document = findDocument(state, documentId);
  if (document === undefined) throw new Error(`the booking has no document ${documentId}`);
  return document;
}

export function hasUpload(state: BookingState, uploadId: string): boolean {
  return documentsOf(state).some((document) => document.uploadId === uploadId);
}
