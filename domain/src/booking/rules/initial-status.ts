/** The status of a booking nothing has been paid for yet, by what it costs in cents (docs/rules.md#booking-statuses). */
export function initialStatus(totalAmount: number): "pending" | "confirmed" {
  return totalAmount === 0 ? "confirmed" : "pending";
}
