export * from "./account/decider.ts";
export * from "./account/events.ts";
export * from "./bank-entry.ts";
export * from "./boarding-pass/bar-coded-boarding-pass.ts";
export * from "./boarding-pass/boarding.ts";
export * from "./boarding-pass/passenger-name.ts";
export { hasAppliedSeatChange } from "./booking/change-booking.ts";
export * from "./booking/commands.ts";
export * from "./booking/creditor-reference.ts";
export * from "./booking/decider.ts";
export * from "./booking/documents.ts";
export { bookingAt, dueEvents, nextEventDueAt } from "./booking/due-events.ts";
export * from "./booking/events.ts";
export * from "./booking/evolve.ts";
export * from "./booking/ids.ts";
export * from "./booking/payment.ts";
export * from "./booking/reconcile.ts";
export * from "./booking/refunds.ts";
export { refundsAfterDeparture } from "./booking/rewards.ts";
export * from "./booking/rules.ts";
export * from "./booking/state.ts";
export * from "./destination.ts";
export * from "./flight/automatic-seats.ts";
export * from "./flight/availability.ts";
export {
  type AutomaticChange,
  automaticChange,
  nextCabinUp,
  type ReservedSeats,
  reservedSeats,
} from "./flight/change-seats.ts";
export * from "./flight/commands.ts";
export * from "./flight/decider.ts";
export * from "./flight/events.ts";
export * from "./flight/occupancy.ts";
export * from "./flight/party.ts";
export * from "./flight/schedule-flight.ts";
export * from "./flight/seat-layout.ts";
export * from "./flight/seat-rules.ts";
export * from "./flight/state.ts";
export { HOLD_DURATION, MAX_SEATS_PER_HOLD } from "./flight/take-seats.ts";
export { bookingsNotKnownPaid } from "./flight/unpaid-seats.ts";
export * from "./loyalty/commands.ts";
export * from "./loyalty/decider.ts";
export * from "./loyalty/events.ts";
export { loyaltyAccountIdOf } from "./loyalty/ledger.ts";
export { afterDebt, type LotPart, totalPoints } from "./loyalty/lots.ts";
export * from "./loyalty/member-number.ts";
export * from "./loyalty/rules.ts";
export type { LoyaltyState, Redemption } from "./loyalty/state.ts";
export * from "./passenger/decider.ts";
export * from "./passenger/events.ts";
export * from "./passenger/passenger-email.ts";
export * from "./passenger/state.ts";
export * from "./personal-data/words.ts";
export * from "./processes/index.ts";
export { isCurrency } from "./shared/currency.ts";
export * from "./shared/decision.ts";
export * from "./shared/time.ts";
export * from "./shared/values.ts";
export * from "./travel-document/assess-reading.ts";
export * from "./travel-document/reading.ts";
export * from "./webhook-delivery/attempts.ts";
export * from "./webhook-delivery/endpoints.ts";
export * from "./webhook-delivery/health.ts";
export * from "./webhook-delivery/lane.ts";
