import { decimalsOf, writtenAmount } from "@travel-booking/domain";

/** `USD 1,299.00`. @param amount in the currency's smallest unit. */
export function money(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${currency} ${Number(writtenAmount(amount, currency)).toLocaleString("en", options)}`;
}
