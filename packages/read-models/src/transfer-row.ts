/**
 * Money that came by bank transfer, as `transfer list` shows it (docs/rules.md#money-that-arrives). Each cent stands in
 * exactly one row: applied to its payment, or owed back to its sender.
 */
export interface TransferRow {
  /** The bank entry's id where its money is applied, the return's id where it goes back. */
  readonly id: string;
  readonly reference: string;
  readonly paymentId: string;
  readonly bookingId: string;
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
  /** `partial`: applied to a payment that still waits for the rest. */
  readonly status: "applied" | "partial" | "to_return" | "returned";
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}
