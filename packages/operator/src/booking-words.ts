import { type ExistingBooking, refundableAmount } from "@travel-booking/domain";
import { money } from "./money.ts";

export interface Moment {
  readonly revision: number;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly requestId: string | null;
  readonly causationId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
}

/** The response that `booking show` prints. */
export interface BookingAnswer {
  readonly id: string;
  /** The revision whose state is shown, and the last revision. */
  readonly at: number;
  readonly last: number;
  /** The event whose state is shown. */
  readonly event: Pick<Moment, "type" | "at">;
  readonly booking: ExistingBooking | { readonly status: "none" | "abandoned" };
  /** The party's seats today. */
  readonly seats: readonly string[];
  /** What its cancellation would give back now, in the smallest unit; null: it can't be cancelled. */
  readonly cancellation: { readonly refundAmount: number; readonly credit: number } | null;
  /** Oldest first: the latest, or those before the revision that was asked for. */
  readonly timeline: readonly Moment[];
}

/** What a cancellation would give back, in a sentence. */
export function cancellationWords({ booking, cancellation }: BookingAnswer): string {
  if (cancellation === null || !("payments" in booking)) return "It can't be cancelled any more.";
  const { refundAmount, credit } = cancellation;
  const back = [
    ...(refundAmount > 0 ? [money(refundAmount, booking.currency)] : []),
    ...(credit > 0 ? [`${money(credit, booking.currency)} of credit`] : []),
  ];
  return back.length === 0
    ? "Nothing goes back."
    : `${back.join(" and ")} ${back.length > 1 ? "go" : "goes"} back. Its seats are free again.`;
}

/** What can still be refunded, in a sentence. */
export function refundableWords({ booking }: BookingAnswer): string {
  const payments = "payments" in booking ? booking.payments : [];
  const left = payments.filter((payment) => refundableAmount(payment) > 0);
  if (left.length === 0) return "Nothing is left that could go back.";
  return `At most ${left.map((payment) => money(refundableAmount(payment), payment.currency)).join(" and ")} can go back.`;
}
