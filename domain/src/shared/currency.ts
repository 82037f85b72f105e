/**
 * The currencies of ISO 4217 whose smallest unit is no hundredth. `Intl` knows what is usual in shops instead (forints
 * without fillér), and something else with another version of its data.
 */
const NO_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND";
const FOUR_DECIMALS = "CLF UYW";

/** How many of the smallest unit make a whole one: 100 cents a dollar, 1 yen a yen, 1,000 fils a Kuwaiti dinar. */
export function smallestUnitsPerUnit(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 1;
  if (THREE_DECIMALS.includes(currency)) return 1_000;
  return FOUR_DECIMALS.includes(currency) ? 10_000 : 100;
}
