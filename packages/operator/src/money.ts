import { decimalsOf, writtenAmount } from "@travel-booking/domain";

/** `USD 1,299.00`. @param amount in the currency's smallest unit. */
export function money(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${currency} ${Number(writtenAmount(amount, currency)).toLocaleString("en", options)}`;
}

/** Sums of several currencies in one line. */
export function moneys(sums: readonly { readonly amount: number; readonly currency: string }[]): string {
  return sums.map(({ amount, currency }) => money(amount, currency)).join(", ");
}
