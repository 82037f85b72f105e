import type { PointsRate, Reward } from "../loyalty/rules.ts";
import type { Instant } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import type { DocumentKind, ReadZone } from "../travel-document/reading.ts";
import type { BookingCancelled, BookingPassenger, DocumentContentType } from "./events.ts";
import { bankTransferOf, type Payment, type Refund, refundableAmount, type TransferReturn } from "./payment.ts";

/** What every booking has, whatever its status. Amounts in cents. Plain JSON: read models store it. */
export interface BookingFields {
  readonly bookingId: string;
  readonly accountId: string;
  readonly flightId: string;
  cabin: Cabin;
  readonly departsAt: Instant;
  readonly createdAt: Instant;
  readonly currency: string;
  /** For one passenger, frozen at creation. */
  readonly fareAmount: number;
  /** Cents. */
  creditApplied: number;
  /** Cents of it that the booking claimed from the account's banked credit when it was created. */
  readonly creditClaimed: number;
  passengers: readonly BookingPassenger[];
  /** One per passenger, in their order; empty until chosen. */
  seats: readonly string[];
  /** What is charged for seats: follows `seats` while pending, frozen afterwards. */
  surcharges: readonly number[];
  totalAmount: number;
  reference: string | null;
  /** Oldest first. */
  payments: Payment[];
  /** Ids of payments whose token the gateway did not know. */
  paymentsWithdrawn?: readonly string[];
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
  /** What points were spent on, oldest first. */
  rewards: GrantedReward[];
  /** Redemptions closed against a late decision. */
  redemptionsClosed: string[];
  readonly pointsRate: PointsRate;
  /** Points the account gets at departure. */
  pendingPoints: number;
  /** Whether its departure is on record. */
  flown: boolean;
  /** Absent: it has its personal words. */
  readonly erased?: true;
}

interface NoBooking {
  readonly status: "none";
}

/** Closed before anything was created; a late `CreateBooking` is refused. */
interface AbandonedBooking {
  readonly status: "abandoned";
  readonly bookingId: string;
}

export interface PendingBooking extends BookingFields {
  readonly status: "pending";
  /** Null only between a creation and a confirmation in the same append. A bank transfer moves it to its due time. */
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

/** A reward the booking was given. */
export interface GrantedReward {
  readonly redemptionId: string;
  readonly reward: Reward;
  /** Cents that lowered the price; 0 but for a credit. */
  readonly amount: number;
}

export const DOCUMENT_STATUSES = ["pending", "verified", "rejected"] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** Whose a verified document is. Passengers may be renamed later: the document is not the new one's. */
export interface DocumentHolder {
  /** 0-based index of the booking's passengers. */
  readonly passenger: number;
  /** As it was when the document was verified. */
  readonly name: string;
  /** `SURNAME/GIVEN NAMES` as the document writes it; absent where nothing read it. */
  readonly zoneName?: string;
}

/** A document of a booking. Plain JSON, as all of a booking's state. */
export interface TravelDocument {
  readonly documentId: string;
  /** Under which the file is stored. */
  readonly uploadId: string;
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly uploadedAt: Instant;
  kind: DocumentKind;
  status: DocumentStatus;
  /** Null unless rejected. */
  rejectionReason: string | null;
  /** `SURNAME/GIVEN NAMES` as it was read in a document that was left to an operator. */
  zoneName?: string;
  /** What was read in it, perhaps wrongly, for the operator. */
  read?: ReadZone;
  /** Who has to look at it next; null once it is decided. */
  awaits: "reviewer" | "operator" | null;
  /** Empty unless verified. */
  holders: readonly DocumentHolder[];
}

export function paymentsOf(state: BookingState): readonly Payment[] {
  return isExistingBooking(state) ? state.payments : [];
}

export function findPayment(state: BookingState, paymentId: string): Payment | undefined {
  return paymentsOf(state).find((payment) => payment.paymentId === paymentId);
}

/** Whether nobody charged this payment, and nobody can: the request that began it may begin another. */
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

/** Cents paid and not refunded; pending refunds count as refunded. */
export function netAmountPaid(state: BookingState): number {
  return paymentsOf(state).reduce((sum, payment) => sum + refundableAmount(payment), 0);
}

/**
 * Whether money for it is kept, or it costs nothing (docs/rules.md#unpaid-seats). Once refunded in full, no booking is
 * paid again: a confirmed one takes no further payment.
 */
export function isPaid(state: BookingState): boolean {
  return state.status === "confirmed" && (state.totalAmount === 0 || netAmountPaid(state) > 0);
}

export function hasPendingPayment(state: BookingState): boolean {
  return paymentsOf(state).some(({ status }) => status === "pending");
}

/** Charges of a card or wallet whose outcome is not known yet. */
export function pendingCharges(state: BookingState): readonly Payment[] {
  return paymentsOf(state).filter((payment) => payment.status === "pending" && bankTransferOf(payment) === undefined);
}

/** Bank transfers still waiting for money; at most one at a time. */
export function pendingTransfers(state: BookingState): readonly Payment[] {
  return paymentsOf(state).filter((payment) => payment.status === "pending" && bankTransferOf(payment) !== undefined);
}

/** The reward of a redemption; undefined where the booking has not been given one. */
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
