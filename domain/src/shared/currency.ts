/**
 * The currencies of ISO 4217 (list of 2026-01-01) that have a smallest unit, by how many of it make a whole one. `Intl`
 * follows usage in shops (forints without fillér), has some former currencies, and changes with its version.
 */
const CURRENCIES: readonly (readonly [smallestUnits: number, codes: string])[] = [
  [1, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [
    100,
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU " +
      "CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD " +
      "KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO " +
      "NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB " +
      "TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG",
  ],
  [1_000, "BHD IQD JOD KWD LYD OMR TND"],
  [10_000, "CLF UYW"],
];
const SMALLEST_UNITS: ReadonlyMap<string, number> = new Map(
  CURRENCIES.flatMap(([smallestUnits, codes]) => codes.split(" ").map((code) => [code, smallestUnits] as const)),
);

/** Whether ISO 4217 has this currency, with a smallest unit for amounts. */
export function isCurrency(code: string): boolean {
  return SMALLEST_UNITS.has(code);
}

/**
 * How many of the smallest unit make a whole one: 100 cents a dollar, 1 yen a yen, 1,000 fils a Kuwaiti dinar. 100 for
 * an unknown or former currency.
 */
export function smallestUnitsPerUnit(currency: string): number {
  return SMALLEST_UNITS.get(currency) ?? 100;
}

/** How many decimals people write in a currency. */
export const decimalsOf = (currency: string) => String(smallestUnitsPerUnit(currency)).length - 1;

/**
 * An amount as people write it in a currency, `905` or `905.00`, in its smallest unit. Undefined for anything else: a comma, or one
 * decimal of two, is as likely a slip.
 */
export function readAmount(written: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const [, whole, fraction = "0".repeat(decimals)] = /^(\d+)(?:\.(\d+))?$/.exec(written.trim()) ?? [];
  if (whole === undefined || fraction.length !== decimals) return undefined;
  const amount = Number(whole + fraction);
  return Number.isSafeInteger(amount) && amount >= 1 ? amount : undefined;
}

/** `905.00`: an amount as people write it in its currency. */
export function writtenAmount(amount: number, currency: string): string {
  return (amount / smallestUnitsPerUnit(currency)).toFixed(decimalsOf(currency));
}
