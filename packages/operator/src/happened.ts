import type { BookingEvent } from "@travel-booking/domain";
import type { Moment } from "./booking-words.ts";
import { money } from "./money.ts";

type Words<Event extends BookingEvent> = (
  data: Event["data"],
  changed: (field: string) => string | undefined,
  amount: (cents: number) => string,
) => string;

/** The sentences of events; one without is named by its type. */
const SENTENCES: { readonly [Type in BookingEvent["type"]]?: Words<Extract<BookingEvent, { readonly type: Type }>> } = {
  BookingCreated: ({ passengers, cabin, seats, totalAmount }, _, amount) =>
    `Booked in ${cabin} for ${passengers.length}${seats.length === 0 ? "" : `, seats ${seats.join(", ")}`}: ${amount(totalAmount)}`,
  BookingChanged: ({ reference, passengers, metadata }, changed) =>
    [
      changed("seats") && `Seats ${changed("seats")}`,
      reference !== undefined && `Reference ${changed("reference") ?? reference}`,
      passengers !== undefined && `Passengers ${passengers.map(({ name }) => name).join(", ")}`,
      metadata !== undefined && "Metadata",
    ]
      .filter(Boolean)
      .join("; ") || "Changed",
  SeatChangeClosed: () => "A change of seats was given up",
  BookingConfirmed: () => "Confirmed",
  BookingCancelled: ({ cause, reason }) =>
    `Cancelled${cause === "requested" ? "" : ` (${words(cause)})`}${reason === null ? "" : `: ${reason}`}`,
  CabinChanged: ({ cabin }) => `In ${words(cabin)} from now on`,
  BookingMoved: ({ flightId, seats }) =>
    `Moved to flight ${flightId}${seats.length === 0 ? "" : `, seats ${seats.join(", ")}`}`,
  BookingErased: () => "Its people are forgotten",
  NoteAdded: ({ text }) => `Note: ${text}`,
  PaymentStarted: ({ amount: cents, method }, _, amount) => `${amount(cents)} by ${words(method.type)} is asked for`,
  PaymentSucceeded: () => "Paid",
  PaymentFailed: ({ failureCode }) => `The payment failed: ${words(failureCode)}`,
  TransferReceived: ({ amount, currency }) => `${money(amount, currency)} has come by transfer`,
  TransferReversed: ({ reason }) => `Money of a transfer was taken back: ${reason}`,
  ReturnDue: ({ amount, currency, cause }) => `${money(amount, currency)} is to be sent back: ${words(cause)}`,
  ReturnSent: () => "It was sent back",
  RefundStarted: ({ amount, currency, reason }) => `${money(amount, currency)} goes back: ${words(reason)}`,
  RefundSucceeded: () => "The refund has arrived",
  RefundFailed: ({ reason }) => `The refund failed: ${reason}`,
  RefundRetried: () => "The refund is sent again",
  DocumentUploaded: ({ fileName }) => `Document ${fileName}`,
  DocumentVerified: ({ kind }) => `The document is a valid ${words(kind)}`,
  DocumentRejected: ({ reason }) => `The document is rejected: ${reason}`,
  DocumentLeftToOperator: () => "The document waits for an operator",
  CreditApplied: ({ amount: cents }, _, amount) => `Credit of ${amount(cents)}`,
  CabinUpgraded: ({ cabin }) => `Upgraded to ${words(cabin)}`,
  RewardAdded: ({ reward }) => `Reward: ${words(reward)}`,
  BookingFlown: () => "Departed",
};

const words = (name: string) => name.replaceAll("_", " ");

/** What happened to a booking, in a sentence. */
export function happened({ type, data, changes }: Moment, currency: string): string {
  const sentence = SENTENCES[type as BookingEvent["type"]] as Words<BookingEvent> | undefined;
  if (sentence === undefined) return type.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return sentence(data as BookingEvent["data"], changeIn(changes), (cents) => money(cents, currency));
}

/** `21A → 22A` */
function changeIn(changes: Moment["changes"]): (field: string) => string | undefined {
  const shown = (value: unknown) => (value === null || String(value) === "" ? "none" : [value].flat().join(", "));
  return (field) => {
    const change = changes[field];
    return change && `${shown(change.from)} → ${shown(change.to)}`;
  };
}
