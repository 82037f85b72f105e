/** Who flies, and as which flight, in the terms of a barcode. */
export interface FlightDesignator {
  /** Two or three letters and digits. */
  readonly carrier: string;
  /** Up to four digits, and one letter at most. */
  readonly number: string;
}

/** Of flights whose id names nobody: a designator of no airline. */
const CARRIER = "TB";
const NUMBERS = 9_999;

/**
 * The designator of a flight: what its id begins with where that reads as one (`KP442-20270301`: flight 442 of KP), else
 * a number made of the id, the same at any time.
 */
export function flightDesignatorOf(flightId: string): FlightDesignator {
  const [, carrier, digits, suffix = ""] =
    /^([A-Z]{2,3}|[A-Z]\d|\d[A-Z])(\d{1,4})([A-Z]?)(?![A-Za-z0-9])/.exec(flightId) ?? [];
  if (carrier !== undefined && digits !== undefined) return { carrier, number: `${digits}${suffix}` };
  let sum = 0;
  for (const character of flightId) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % NUMBERS;
  return { carrier: CARRIER, number: String(sum + 1) };
}
