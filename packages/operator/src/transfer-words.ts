import { writtenAmount } from "@travel-booking/domain";
import type { TransferPreview } from "@travel-booking/read-models";
import { money } from "./money.ts";

type Cause = NonNullable<TransferPreview["cause"]>;

const BACK: Readonly<Record<Cause, string>> = {
  excess: "is more than is to be paid",
  late: "comes after the time to pay",
  expired: "comes after the time to pay",
  cancelled: "is for a booking that is cancelled",
  superseded: "is for a booking that was paid otherwise",
  wrong_currency: "is in another currency than the booking",
};

/** What it would do to enter money, in a sentence. */
export function previewWords(preview: TransferPreview): string {
  const { names, amount, currency, receivedBefore, total, arrived, applied, stillToCome, toReturn, cause } = preview;
  if (receivedBefore) return "This entry was received before, so that nothing happens.";
  if (total === null || currency === null) {
    const sum = currency === null ? `${amount} of the smallest unit` : money(amount, currency);
    const why = names === 0 ? "No bank transfer has this reference" : "This names several bank transfers";
    return `${why}: ${sum} would stand as unmatched.`;
  }
  const parts: string[] = [];
  if (applied > 0) {
    const before = arrived === 0 ? "" : `, after ${writtenAmount(arrived, currency)} before`;
    const rest = stillToCome === 0 ? "it is paid" : `${writtenAmount(stillToCome, currency)} still to come`;
    parts.push(
      `${writtenAmount(applied, currency)} of ${writtenAmount(total, currency)} ${currency}${before}, ${rest}`,
    );
  }
  if (toReturn > 0 && cause !== null) parts.push(`${money(toReturn, currency)} ${BACK[cause]}, and is to be sent back`);
  return `${parts.join("; ")}.`;
}
