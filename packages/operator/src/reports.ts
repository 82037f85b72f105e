import type { BookingReportRow, PaymentReportRow, RefundReportRow } from "@travel-booking/read-models";

interface Rows {
  readonly bookings: BookingReportRow;
  readonly payments: PaymentReportRow;
  readonly refunds: RefundReportRow;
}

/** The reports that are tables, and the columns of each, which it has also where there is no row. */
export const REPORT_COLUMNS: { readonly [Name in keyof Rows]: readonly (keyof Rows[Name])[] } = {
  // biome-ignore format: one line a report
  bookings: ["createdAt", "id", "accountId", "status", "flightId", "cabin", "passengers", "reference", "amount", "currency"],
  payments: ["createdAt", "id", "bookingId", "accountId", "method", "status", "amount", "currency"],
  refunds: ["createdAt", "id", "bookingId", "accountId", "status", "amount", "currency", "paymentId", "reason"],
};
