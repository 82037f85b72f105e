/** A booking as `report bookings` lists it. Amounts of these rows are in the currency's smallest unit, times ISO 8601, UTC. */
export interface BookingReportRow {
  readonly createdAt: string;
  readonly id: string;
  readonly accountId: string;
  readonly status: string;
  readonly flightId: string;
  readonly cabin: string;
  readonly passengers: number;
  readonly reference: string | null;
  readonly amount: number;
  readonly currency: string;
}

/** A payment as `report payments` lists it, by when it was begun. */
export interface PaymentReportRow {
  readonly createdAt: string;
  readonly id: string;
  readonly bookingId: string;
  readonly accountId: string;
  readonly method: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
}

/** A refund as `report refunds` lists it, by when it was begun. */
export interface RefundReportRow extends Omit<PaymentReportRow, "method"> {
  readonly paymentId: string;
  readonly reason: string;
}

export interface Sum {
  readonly currency: string;
  /** In its smallest unit. */
  readonly amount: number;
}

/** What there was in a day or a month. */
export interface PeriodTotals {
  /** `2026-11-28`, or `2026-11`. */
  readonly period: string;
  readonly bookings: number;
  /** Payments that succeeded, by when they were begun. */
  readonly paid: readonly Sum[];
  /** All refunds, those on their way included. */
  readonly refunded: readonly Sum[];
  readonly delivered: number;
  readonly notDelivered: number;
}

/** As `report totals` answers. */
export interface ReportTotals {
  /** False: there was too much, and the rest is not counted. */
  readonly isAll: boolean;
  readonly periods: readonly PeriodTotals[];
}

/** How full a flight is, in passengers. `seats` are without those that are blocked. */
export interface FlightLoad {
  readonly id: string;
  readonly departsAt: string;
  readonly seats: number;
  readonly booked: number;
  readonly held: number;
  readonly left: number;
}
